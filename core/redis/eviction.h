// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/redis/keyspace.h"

namespace lockscope::redis {

/// Drops keys of a server that is over its memory limit, as its policy says. The essay is in the source.
class Eviction {
public:
    void reset(std::uint64_t seed);

    /// Until the memory in use is within the limit. False if it still is not, and there is nothing that may
    /// be dropped: then commands that could take more memory are refused.
    bool makeRoom(Keyspace& keyspace);

private:
    /// A key that could go, with the score it had when it was sampled: the higher, the sooner.
    struct Candidate {
        std::string key;
        std::uint64_t score = 0;
        int database = 0;
        bool waits = false; ///< the place is taken
    };

    Entry* choose(Keyspace& keyspace);
    Entry* chooseByChance(Keyspace& keyspace);
    bool sample(Keyspace& keyspace);
    void add(const Entry& entry, std::uint64_t score);
    Entry* takeBest(Keyspace& keyspace);

    static constexpr std::size_t kPlaces = 16;

    std::array<Candidate, kPlaces> m_pool; ///< by rising score; those that wait stand first
    Random m_chance;
    int m_database = 0; ///< the one from which a key was drawn last
};

} // namespace lockscope::redis
