// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/redis/reply.h"

namespace lockscope::redis {

/// Takes one whole reply of RESP2 or RESP3 from the front of `bytes`. Nothing, and nothing taken, while it
/// has not arrived as a whole.
std::optional<Reply> takeReply(std::string& bytes);

} // namespace lockscope::redis
