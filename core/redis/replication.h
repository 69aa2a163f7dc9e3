// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/redis/store.h"

namespace lockscope::redis {

/// What a server knows of the others of its group: a primary of its replicas, a replica of its primary.
struct Replication {
    bool isReplica = false;
    bool linkUp = true;             ///< of a replica to its primary
    std::int64_t applied = 0;       ///< a replica: how far in the stream it is
    std::vector<ReplicaLink> known; ///< a primary's replicas

    void clear() { *this = {}; }
    /// How many have said that they are as far as that.
    std::int64_t acknowledged(std::int64_t offset) const {
        return std::ranges::count_if(known,
                                     [&](const ReplicaLink& one) { return one.acknowledged >= offset; });
    }
    /// How many were heard of within so many seconds, counted as Redis does in whole ones.
    std::int64_t good(std::int64_t nowMicros, std::int64_t mostSeconds) const {
        return std::ranges::count_if(
            known, [&](const ReplicaLink& one) { return secondsSilent(one, nowMicros) <= mostSeconds; });
    }
    static std::int64_t secondsSilent(const ReplicaLink& one, std::int64_t nowMicros) {
        constexpr std::int64_t kSecond = 1'000'000;
        return one.heardUntil >= nowMicros ? 0 : nowMicros / kSecond - one.heardUntil / kSecond;
    }
};

} // namespace lockscope::redis
