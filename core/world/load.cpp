// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/load.h"

#include <optional>

#include <fmt/format.h>

#include "core/redis/memory_settings.h"

namespace lockscope {

namespace {

/// Takes the first word off `text`.
std::string_view takeWord(std::string_view& text) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return text = {};
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}

/// A number from 1 to `most`; 0 if it is none.
int numberIn(std::string_view word, int most) {
    const std::optional<std::uint64_t> number = word.empty() ? std::nullopt : redis::parseMemory(word);
    return number && *number <= static_cast<std::uint64_t>(most) ? static_cast<int>(*number) : 0;
}

} // namespace

Result<Load> parseLoad(std::string_view text) {
    const auto bad = [&](std::string_view why) {
        return Error{fmt::format(
            "'{}': {}; write WRITES x BYTES, as in '60000 x 1024' or '2000 x 100 ttl 1h'", text, why)};
    };
    std::string_view rest = text;
    Load load;
    load.writes = numberIn(takeWord(rest), Load::kMostWrites);
    if (load.writes == 0)
        return bad(fmt::format("it begins with the number of writes, 1 to {}", Load::kMostWrites));
    if (takeWord(rest) != "x") return bad("an x stands between writes and bytes");
    load.bytes = numberIn(takeWord(rest), Load::kMostBytes);
    if (load.bytes == 0) return bad("a value has 1 byte to 1mb");
    if (std::int64_t{load.writes} * load.bytes > Load::kMostTogether)
        return bad("256mb together are the most");
    const std::string_view word = takeWord(rest);
    if (word.empty()) return load;
    const Result<Duration> ttl = parseDuration(takeWord(rest));
    if (word != "ttl" || !takeWord(rest).empty()) return bad("only 'ttl TIME' may follow");
    if (!ttl) return bad(ttl.error().message);
    if (*ttl < millis(1) || *ttl > seconds(400ll * 24 * 3600)) return bad("the ttl is 1ms to 400 days");
    load.ttl = *ttl;
    return load;
}

} // namespace lockscope
