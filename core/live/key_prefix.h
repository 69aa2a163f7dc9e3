// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace lockscope::live {

/// A command as it is sent to a server that is not ours: every key that it names under the run's own prefix.
/// Which of the arguments are keys is known for the commands of the embedded store; others are refused, and
/// so are those that reach beyond keys (FLUSHALL, CONFIG, KEYS …). A script can still touch keys that it does
/// not declare.
Result<std::vector<std::string>> underPrefix(std::span<const std::string_view> args, std::string_view prefix);

} // namespace lockscope::live
