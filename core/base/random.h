// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace lockscope {

/// The only source of chance in a run: splitmix64, the same sequence for the same seed on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed = 0) : m_state(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }

    /// Uniform in [0, bound); 0 when bound is 0. The bias of one part in 2^64/bound does not show here.
    std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : next() % bound; }

    /// A second, independent stream, so that two users of one seed do not disturb each other.
    Random fork(std::uint64_t stream) const { return Random(m_state ^ (stream * 0xD1342543DE82EF95ull + 1)); }

private:
    std::uint64_t m_state;
};

} // namespace lockscope
