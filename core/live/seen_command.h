// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::live {

/// A command that a server says it has executed, as MONITOR shows it.
struct SeenCommand {
    std::int64_t unixMicros = 0;
    QString address; ///< of the client
    std::vector<std::string> args;
};

} // namespace lockscope::live
