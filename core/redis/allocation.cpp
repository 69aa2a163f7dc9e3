// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/allocation.h"

#include <optional>

#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr std::size_t kLongestPackedNumber = 20;

/// With the length of the element itself, as it stands behind it: seven bits a byte.
std::size_t withBackLength(std::size_t bytes) {
    if (bytes <= 127) return bytes + 1;
    if (bytes < 16383) return bytes + 2;
    if (bytes < 2097151) return bytes + 3;
    return bytes + (bytes < 268435455 ? 4 : 5);
}

bool fitsInto(std::int64_t number, int bits) {
    return number >= -(std::int64_t{1} << (bits - 1)) && number < std::int64_t{1} << (bits - 1);
}

} // namespace

std::size_t listpackEntry(std::int64_t number) {
    if (number >= 0 && number <= 127) return 2;
    if (fitsInto(number, 13)) return 3;
    if (fitsInto(number, 16)) return 4;
    if (fitsInto(number, 24)) return 5;
    return fitsInto(number, 32) ? 6 : 10;
}

std::size_t listpackEntry(std::string_view element) {
    if (element.size() <= kLongestPackedNumber)
        if (const std::optional<std::int64_t> number = parseInteger(element)) return listpackEntry(*number);
    const std::size_t head = element.size() < 64 ? 1 : element.size() < 4096 ? 2 : 5;
    return withBackLength(head + element.size());
}

} // namespace lockscope::redis
