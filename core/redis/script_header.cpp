// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script_header.h"

#include <algorithm>
#include <array>

namespace lockscope::redis {

namespace {

constexpr std::string_view kFlagsOption = "flags=";
// The other flags matter to clusters and replicas.
constexpr std::string_view kNoWrites = "no-writes";
constexpr std::string_view kAllowOom = "allow-oom";
constexpr std::array<std::string_view, 5> kFlags = {kNoWrites, kAllowOom, "allow-stale", "no-cluster",
                                                    "allow-cross-slot-keys"};

/// Takes the first word off `line`; words stand apart by `separator`.
std::string_view takeWord(std::string_view& line, char separator) {
    const std::size_t end = std::min(line.find(separator), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
}

Result<void> readFlags(std::string_view list, ScriptHeader& header) {
    while (!list.empty()) {
        const std::string_view flag = takeWord(list, ',');
        if (std::ranges::find(kFlags, flag) == kFlags.end())
            return Error{"Unexpected flag in script shebang: " + std::string(flag)};
        header.noWrites |= flag == kNoWrites;
        header.allowsOom |= flag == kAllowOom;
    }
    return {};
}

} // namespace

Result<ScriptHeader> readScriptHeader(std::string_view text) {
    ScriptHeader header;
    if (!text.starts_with("#!")) return header;
    header.present = true;
    header.length = text.find('\n');
    if (header.length == std::string_view::npos) return Error{"Invalid script shebang"};
    std::string_view line = text.substr(0, header.length);
    const std::string_view engine = takeWord(line, ' ');
    if (engine != "#!lua") return Error{"Unexpected engine in script shebang: " + std::string(engine)};
    while (!line.empty()) {
        const std::string_view option = takeWord(line, ' ');
        if (option.empty()) continue;
        if (!option.starts_with(kFlagsOption))
            return Error{"Unknown lua shebang option: " + std::string(option)};
        if (Result<void> read = readFlags(option.substr(kFlagsOption.size()), header); !read)
            return read.error();
    }
    return header;
}

} // namespace lockscope::redis
