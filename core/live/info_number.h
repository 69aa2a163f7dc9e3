// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockscope::live {

/// The number behind `name:` in what INFO answers; 0 if it is not there.
inline std::int64_t infoNumber(std::string_view info, std::string_view name) {
    const std::string label = "\n" + std::string(name) + ":";
    const std::size_t at = info.find(label);
    std::int64_t number = 0;
    if (at != std::string_view::npos)
        std::from_chars(info.data() + at + label.size(), info.data() + info.size(), number);
    return number;
}

} // namespace lockscope::live
