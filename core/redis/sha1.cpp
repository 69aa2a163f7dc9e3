// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/sha1.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lockscope::redis {

namespace {

constexpr std::size_t kBlock = 64;
using State = std::array<std::uint32_t, 5>;

void absorb(State& state, const unsigned char* block) {
    std::array<std::uint32_t, 80> w{};
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
               std::uint32_t{block[4 * i + 2]} << 8 | std::uint32_t{block[4 * i + 3]};
    for (std::size_t i = 16; i < 80; ++i)
        w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);

    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < 80; ++i) {
        std::uint32_t f = 0;
        std::uint32_t k = 0;
        if (i < 20) {
            f = (b & c) | (~b & d);
            k = 0x5A827999;
        } else if (i < 40) {
            f = b ^ c ^ d;
            k = 0x6ED9EBA1;
        } else if (i < 60) {
            f = (b & c) | (b & d) | (c & d);
            k = 0x8F1BBCDC;
        } else {
            f = b ^ c ^ d;
            k = 0xCA62C1D6;
        }
        const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

} // namespace

std::string sha1Hex(std::string_view bytes) {
    State state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    std::size_t left = bytes.size();
    for (; left >= kBlock; left -= kBlock, data += kBlock)
        absorb(state, data);

    // The rest, a single one bit, zeros, and the length in bits fill one block more, or two.
    std::array<unsigned char, 2 * kBlock> tail{};
    for (std::size_t i = 0; i < left; ++i)
        tail[i] = data[i];
    tail[left] = 0x80;
    const std::size_t tailSize = left + 9 <= kBlock ? kBlock : 2 * kBlock;
    const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
    for (std::size_t i = 0; i < 8; ++i)
        tail[tailSize - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
    for (std::size_t at = 0; at < tailSize; at += kBlock)
        absorb(state, tail.data() + at);

    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    hex.reserve(40);
    for (const std::uint32_t word : state)
        for (int shift = 28; shift >= 0; shift -= 4)
            hex += kDigits[(word >> shift) & 15];
    return hex;
}

} // namespace lockscope::redis
