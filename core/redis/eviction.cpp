// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/eviction.h"

#include <algorithm>
#include <limits>
#include <utility>

// How a full Redis makes room
//
// Before every command, whatever it is, the server compares used_memory with maxmemory. If it is over, it
// drops keys one after the other until it is not, and only then looks at the command. What may go says the
// policy: any key (allkeys-*) or only keys with a deadline (volatile-*); which of them goes first say its
// last letters: the one that was not used for longest (lru), that is used least (lfu), that dies soonest
// (ttl), or any (random).
//
// To find that one exactly, an order of all keys would have to be kept. Redis takes a sample instead:
//
//     repeat
//         for each database: look at maxmemory-samples keys (5) that lie side by side somewhere in the table
//         put them into a pool of 16 places, ordered by score, if they score higher than what is in it
//         take the best of the pool that is still there, whatever it did since it was sampled
//
// The pool remembers good candidates of earlier samples, so the choice is better than five keys promise; but
// it is chance. A lock that expires in a minute among thousands of keys that live for an hour goes after
// hundreds of evictions, or after thousands. And a candidate keeps the score at which it was sampled: a key
// that was renewed in the meantime can still go.
//
// If nothing may go (noeviction; volatile-* and no key has a deadline), the command is judged by its flag in
// the command table: those that can take more memory (SET, INCR, HSET, LPUSH …) are answered OOM, the others
// run. So with a full server a lock cannot be taken, but it can be renewed by PEXPIRE and released by DEL.
//
// Nobody is told but subscribers of `evicted` events. A lock's holder learns of it when it renews, and is
// answered what it would be answered if the lease had run out: 0.
//
// What this leaves out: Redis stops after half a millisecond and goes on between commands. Here no time
// passes.

namespace lockscope::redis {

namespace {

std::uint64_t scoreOf(const Keyspace& keyspace, const Entry& entry, EvictionPolicy policy) {
    constexpr std::uint64_t kMostUses = 255;
    if (evictsByRecency(policy)) return static_cast<std::uint64_t>(keyspace.idleSeconds(entry)) * 1000;
    if (evictsByFrequency(policy)) return kMostUses - static_cast<std::uint64_t>(keyspace.useCount(entry));
    return std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(entry.deadline);
}

} // namespace

void Eviction::reset(std::uint64_t seed) {
    for (Candidate& candidate : m_pool)
        candidate.waits = false;
    m_chance = Random(seed).fork(1);
    m_database = 0;
}

bool Eviction::makeRoom(Keyspace& keyspace) {
    const MemorySettings& settings = keyspace.memory().settings();
    const std::size_t used = keyspace.usedMemory();
    if (settings.limit == 0 || used <= settings.limit) return true;
    if (settings.policy == EvictionPolicy::NoEviction) return false;
    const std::size_t wanted = used - settings.limit;
    for (std::size_t freed = 0; freed < wanted;) {
        Entry* const entry = evictsByChance(settings.policy) ? chooseByChance(keyspace) : choose(keyspace);
        if (!entry) return false;
        const std::size_t before = keyspace.usedMemory();
        keyspace.remove(*entry, Removal::Evicted);
        freed += before - keyspace.usedMemory();
    }
    return true;
}

/// Each database in turn gives one.
Entry* Eviction::chooseByChance(Keyspace& keyspace) {
    keyspace.tellLots();
    for (int tries = 0; tries < kDatabases; ++tries) {
        m_database = (m_database + 1) % kDatabases;
        const Database& home = keyspace.database(m_database);
        Entry* const entry = evictsFromAllKeys(keyspace.memory().settings().policy)
                                 ? home.keys.random(m_chance)
                                 : home.volatileKeys.random(m_chance);
        if (entry) return entry;
    }
    return nullptr;
}

Entry* Eviction::choose(Keyspace& keyspace) {
    while (sample(keyspace))
        if (Entry* const entry = takeBest(keyspace)) return entry;
    return nullptr;
}

/// False if there is nothing to sample.
bool Eviction::sample(Keyspace& keyspace) {
    const MemorySettings& settings = keyspace.memory().settings();
    const auto count = static_cast<std::size_t>(settings.samples);
    const auto consider = [&](const Entry& entry) { add(entry, scoreOf(keyspace, entry, settings.policy)); };
    bool any = false;
    keyspace.tellLots();
    for (const Database& home : keyspace.usedDatabases()) {
        const bool all = evictsFromAllKeys(settings.policy);
        if ((all ? home.keys.size() : home.volatileKeys.size()) == 0) continue;
        any = true;
        if (all)
            home.keys.some(m_chance, count, consider);
        else
            home.volatileKeys.some(m_chance, count, consider);
    }
    return any;
}

/// Keeps the order. When all places are taken, the lowest score goes for a higher one.
void Eviction::add(const Entry& entry, std::uint64_t score) {
    const auto higher = std::ranges::find_if(
        m_pool, [&](const Candidate& other) { return !other.waits || other.score >= score; });
    auto place = static_cast<std::size_t>(higher - m_pool.begin());
    const bool full = m_pool.back().waits;
    if (place == 0 && full) return;
    if (full) {
        --place;
        std::rotate(m_pool.begin(), m_pool.begin() + 1,
                    m_pool.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    } else if (m_pool[place].waits) {
        std::rotate(m_pool.begin() + static_cast<std::ptrdiff_t>(place), m_pool.end() - 1, m_pool.end());
    }
    Candidate& candidate = m_pool[place];
    candidate.key.assign(entry.key);
    candidate.score = score;
    candidate.database = entry.database;
    candidate.waits = true;
}

/// Those that are gone by now are forgotten on the way.
Entry* Eviction::takeBest(Keyspace& keyspace) {
    const bool all = evictsFromAllKeys(keyspace.memory().settings().policy);
    for (std::size_t i = kPlaces; i-- > 0;) {
        Candidate& candidate = m_pool[i];
        if (!std::exchange(candidate.waits, false)) continue;
        Entry* const found = keyspace.look(keyspace.database(candidate.database), candidate.key);
        if (found && (all || found->isVolatile())) return found;
    }
    return nullptr;
}

} // namespace lockscope::redis
