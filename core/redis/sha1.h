// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace lockscope::redis {

/// The SHA-1 of `bytes` in 40 lower-case hex digits: the name of a script, and redis.sha1hex(). For naming,
/// not for security.
std::string sha1Hex(std::string_view bytes);

} // namespace lockscope::redis
