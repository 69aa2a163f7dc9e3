// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockscope::redis {

/// Which keys a full server drops: among all of them or only among those with a deadline, and by what. In the
/// order in which Redis lists them.
enum class EvictionPolicy : std::uint8_t {
    VolatileLru,
    VolatileLfu,
    VolatileRandom,
    VolatileTtl,
    AllKeysLru,
    AllKeysLfu,
    AllKeysRandom,
    NoEviction
};

/// As CONFIG GET maxmemory-policy shows it: "allkeys-lru".
std::string_view nameOf(EvictionPolicy policy);
/// In any case; nothing if there is none of that name.
std::optional<EvictionPolicy> evictionPolicyNamed(std::string_view name);
/// "volatile-lru, volatile-lfu, …"
std::string evictionPolicyNames();

inline bool evictsFromAllKeys(EvictionPolicy policy) {
    return policy >= EvictionPolicy::AllKeysLru && policy <= EvictionPolicy::AllKeysRandom;
}
inline bool evictsByRecency(EvictionPolicy policy) {
    return policy == EvictionPolicy::VolatileLru || policy == EvictionPolicy::AllKeysLru;
}
inline bool evictsByFrequency(EvictionPolicy policy) {
    return policy == EvictionPolicy::VolatileLfu || policy == EvictionPolicy::AllKeysLfu;
}
inline bool evictsByChance(EvictionPolicy policy) {
    return policy == EvictionPolicy::VolatileRandom || policy == EvictionPolicy::AllKeysRandom;
}

/// The settings of a server's memory, under the names of CONFIG, with Redis' own defaults.
struct MemorySettings {
    std::uint64_t limit = 0; ///< maxmemory, in bytes; 0: none
    EvictionPolicy policy = EvictionPolicy::NoEviction;
    int samples = 5;         ///< maxmemory-samples: keys that are looked at for one that goes
    int lfuLogFactor = 10;   ///< lfu-log-factor: the higher, the more uses it takes to count one more
    int lfuDecayMinutes = 1; ///< lfu-decay-time: a count falls by one in so many minutes; 0: never

    bool operator==(const MemorySettings&) const = default;
};

/// A number of bytes as CONFIG takes it: "20mb" are 20 × 1024 × 1024, "20m" 20,000,000. Nothing for anything
/// else, and for more than 64 bits can say.
std::optional<std::uint64_t> parseMemory(std::string_view text);
/// As CONFIG SET itself reads it: a number that is too large becomes the largest, and one too large with its
/// unit wraps, as in 7.0.15.
std::optional<std::uint64_t> parseMemoryAsConfig(std::string_view text);
/// As INFO shows it to people: "893.27K".
std::string humanMemory(std::uint64_t bytes);

} // namespace lockscope::redis
