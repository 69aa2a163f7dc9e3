// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace lockscope::redis {

/// What a script declares in a first line like `#!lua flags=no-writes`.
struct ScriptHeader {
    bool present = false;
    std::size_t length = 0; ///< of the line, without its end
    bool noWrites = false;
    bool allowsOom = false; ///< it runs although the server is over its memory limit
};

/// Without such a line nothing is declared. The error is Redis' own text, without "ERR".
Result<ScriptHeader> readScriptHeader(std::string_view text);

} // namespace lockscope::redis
