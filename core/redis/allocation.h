// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockscope::redis {

// The bricks of the memory model; the essay is in memory_model.cpp. All in bytes.

/// What jemalloc sets aside for a request: 8, then steps of 16 up to 128, and from there four sizes between a
/// power of two and the next. Checked with jemalloc 5.3.0, which Debian's redis-server 7.0.15 uses.
constexpr std::size_t allocated(std::size_t bytes) {
    if (bytes <= 8) return 8;
    if (bytes <= 128) return (bytes + 15) & ~std::size_t{15};
    const std::size_t step = std::bit_ceil(bytes) / 8; // a quarter of the power of two below
    return (bytes + step - 1) & ~(step - 1);
}
static_assert(allocated(24) == 32 && allocated(129) == 160 && allocated(1030) == 1280 &&
              allocated(1024) == 1024);

/// The header that a Redis string (sds) of this length has.
constexpr std::size_t stringHeader(std::size_t length) {
    if (length == 0) return 3; // meant to be appended to
    if (length < 1u << 5) return 1;
    if (length < 1u << 8) return 3;
    if (length < 1u << 16) return 5;
    return length < std::size_t{1} << 32 ? 9 : 17;
}
/// A Redis string on its own: header, bytes, and a zero.
constexpr std::size_t stringBlock(std::size_t length) {
    return allocated(stringHeader(length) + length + 1);
}

/// An element of a listpack, the flat form of lists, hashes and sorted sets: numbers are packed, and behind
/// each element stands its length, for walking backwards.
std::size_t listpackEntry(std::string_view element);
std::size_t listpackEntry(std::int64_t number);
/// A listpack with so many bytes of elements.
constexpr std::size_t listpackBlock(std::size_t entries) {
    return allocated(7 + entries);
}

inline constexpr std::size_t kObject = 16;    ///< a robj, the head of every value
inline constexpr std::size_t kDictEntry = 24; ///< as MEMORY USAGE counts it
inline constexpr std::size_t kDictEntryBlock = allocated(kDictEntry);
inline constexpr std::size_t kDict = 56;
constexpr std::size_t bucketsBlock(std::size_t buckets) {
    return buckets == 0 ? 0 : allocated(buckets * sizeof(void*));
}
/// The table of a dictionary, and the one that it has outgrown as long as it is there.
constexpr std::size_t tableMemory(std::size_t buckets, std::size_t outgrown) {
    return bucketsBlock(buckets) + bucketsBlock(outgrown);
}

} // namespace lockscope::redis
