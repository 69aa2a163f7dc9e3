// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/redis/call.h"

namespace lockscope::redis {

/// The count of such a command; nothing (and the reply is the error) if it is none.
std::optional<std::int64_t> drawCountArg(const Call& call, std::size_t index);

/// Which of `size` elements a command with a count draws (SRANDMEMBER, HRANDFIELD): up to `count` different
/// ones, or exactly -count that may be the same. Nothing (and the reply is the error) for more than can be.
std::optional<std::vector<std::size_t>> chooseElements(const Call& call, std::size_t size,
                                                       std::int64_t count);

} // namespace lockscope::redis
