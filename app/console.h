// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace lockscope::app {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;     ///< the answer is no, or the output could not be written
inline constexpr int kWrongUsage = 2; ///< the command line is wrong; nothing has been written

/// One line on standard error, whatever `message` holds. Returns kWrongUsage unless told otherwise.
int complain(std::string_view message, int code = kWrongUsage);

/// Writes to standard output. kDone, or kFailed with a complaint if it could not be written.
int print(std::string_view text);

/// Writes a whole file or nothing: whoever reads `path` meanwhile sees the old content or the new, never a
/// part. Anything that is no regular file (a pipe, /dev/null) is written to directly.
int writeFile(const std::string& path, std::string_view text);

} // namespace lockscope::app
