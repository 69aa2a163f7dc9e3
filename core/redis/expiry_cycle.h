// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "core/redis/keyspace.h"

namespace lockscope::redis {

inline constexpr std::int64_t kNeverMicros = std::numeric_limits<std::int64_t>::max();

/// Lets time pass over a keyspace: leases end, and the active expiry cycle removes some of the dead keys.
/// The essay is in the source.
class ExpiryCycle {
public:
    /// hz is brought into Redis' range, 1 to 500.
    void reset(const StoreOptions& options);

    /// From `now` on so many cycles a second.
    void setRate(int hz, std::int64_t now);

    /// Everything that happens up to and including `now`, in order of time, each told at its own instant.
    /// The result does not depend on the steps in which time is let pass. Unix microseconds, never going
    /// back.
    void advance(Keyspace& keyspace, std::int64_t now) {
        if (now >= m_nextTick || now >= nextLeaseEnd(keyspace)) catchUp(keyspace, now);
    }

    /// No cycle runs from here on; leases end all the same. goOn() brings the next one, right after `now`.
    void hold() { m_nextTick = kNeverMicros; }
    void goOn(std::int64_t now) {
        if (m_active) m_nextTick = now + 1000;
    }

    /// Whether cycles run at all. After setActive(true) the next comes with goOn().
    void setActive(bool active) {
        m_active = active;
        if (!active) hold();
    }

    /// When advance() will next have something to tell: the end of a lease, or a tick while dead keys lie in
    /// memory. (With more than 20 volatile keys such a tick can miss the dead ones and tell nothing after
    /// all.)
    std::optional<std::int64_t> nextInstant(const Keyspace& keyspace) const;

private:
    static std::int64_t nextLeaseEnd(const Keyspace& keyspace);
    std::int64_t nextUsefulTick(const Keyspace& keyspace) const;
    void tick(Keyspace& keyspace);
    void catchUp(Keyspace& keyspace, std::int64_t now);
    void skipIdleTicks(Keyspace& keyspace, std::int64_t until);

    std::int64_t m_period = 0;
    std::int64_t m_nextTick = 0; ///< never if the cycle is off or held
    bool m_active = true;
    bool m_atOnce = false;
    bool m_takesDeadline = false; ///< ProfileFacts::cycleTakesDeadline
};

} // namespace lockscope::redis
