// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/glob.h"

#include <cstddef>
#include <utility>

namespace lockscope::redis {

namespace {

/// Whether the set that begins after a '[' at `at` holds `c`. Leaves `at` behind the set. A set that is not
/// closed ends with the pattern, and a backslash takes the next character as it is.
bool setHolds(std::string_view pattern, std::size_t& at, signed char c) {
    const bool negated = at < pattern.size() && pattern[at] == '^';
    if (negated) ++at;
    bool holds = false;
    while (at < pattern.size()) {
        const std::size_t left = pattern.size() - at;
        if (pattern[at] == '\\' && left >= 2) {
            ++at;
            holds |= pattern[at] == c;
        } else if (pattern[at] == ']') {
            ++at;
            break;
        } else if (left >= 3 && pattern[at + 1] == '-') {
            signed char first = static_cast<signed char>(pattern[at]);
            signed char last = static_cast<signed char>(pattern[at + 2]);
            if (first > last) std::swap(first, last);
            holds |= c >= first && c <= last;
            at += 2;
        } else {
            holds |= pattern[at] == c;
        }
        ++at;
    }
    return holds != negated;
}

/// Matches one character against what stands at `at` (not a star) and moves `at` behind it.
bool matchesOne(std::string_view pattern, std::size_t& at, char c) {
    switch (pattern[at]) {
    case '?':
        ++at;
        return true;
    case '[':
        ++at;
        return setHolds(pattern, at, static_cast<signed char>(c));
    case '\\':
        if (at + 1 < pattern.size()) ++at;
        [[fallthrough]];
    default:
        return pattern[at++] == c;
    }
}

} // namespace

bool matchesGlob(std::string_view pattern, std::string_view text) {
    if (text.empty()) return pattern.empty();
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t p = 0;
    std::size_t t = 0;
    // Only the last star needs another try: what an earlier one could take, the last one can leave.
    std::size_t afterStar = kNone;
    std::size_t retryAt = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            afterStar = ++p;
            retryAt = t;
            if (p == pattern.size()) return true;
        } else if (p < pattern.size() && matchesOne(pattern, p, text[t])) {
            ++t;
        } else if (afterStar != kNone) {
            p = afterStar;
            t = ++retryAt;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

} // namespace lockscope::redis
