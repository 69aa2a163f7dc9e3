// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/scenario.h"

#include <fmt/format.h>

namespace lockscope {

std::string formatKnobValue(const KnobValue& value) {
    if (const auto* duration = std::get_if<Duration>(&value)) return formatDuration(*duration);
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    return std::get<std::string>(value);
}

} // namespace lockscope
