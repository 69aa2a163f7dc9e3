// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace lockscope {

/// Writes all of the text to an open file, pipe or terminal. False if it could not: errno says why.
bool writeAll(int file, std::string_view text);

/// The content of a regular file of at most `mostBytes`. `kind` says in messages what it should be: "a lesson
/// file".
Result<std::string> readWholeFile(const std::string& path, std::size_t mostBytes, std::string_view kind);

/// Writes a whole file or nothing: the text goes to a draft in the same folder, reaches the disk, and then
/// takes the place of `path` in one step. Whoever reads `path` meanwhile sees the old content or the new,
/// never a part, and a save that is cut off leaves the old file as it was. A symbolic link is followed, so
/// that it is its target which is replaced, or made. The error's message is the system's reason alone.
Result<void> writeWholeFile(const std::string& path, std::string_view text);

} // namespace lockscope
