// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/expiry_cycle.h"

#include <algorithm>
#include <limits>

// How Redis gets rid of dead keys
//
// A deadline is an absolute Unix time in milliseconds, kept in a second table beside the keys. Nothing
// happens when it passes. From then on the key is dead: every command that touches it first removes it and
// answers as if it had never been there ("lazy expiry"). A lock is free at that moment, whether or not its
// key still lies in memory, and nobody is told.
//
// Keys that nobody touches would stay for ever, so the server's cron also takes samples, hz times a second
// (10 by default). For each database:
//
//     repeat
//         look at up to 20 keys of the table of deadlines, bucket by bucket, on from where the last look
//         ended remove those with now > deadline (in Redis 8 those with now >= deadline), event
//         "expired" each
//     while more than 10 % of them were dead
//
// So the work is bounded, at most about a tenth of the volatile keys are dead weight on average, and how long
// a certain dead key lies there depends on how many others there are: within one tick among 20, minutes among
// 100,000. That is why "expired" is no signal that a lock became free, and why watching a key (a PTTL is
// enough) makes the event come early.
//
// Two more rules: a table with less than 1 % of its buckets in use is left alone until it was made smaller,
// and a look visits at most 20 buckets for each key it wants.
//
// A learner who has enough to think of can have it simpler: with `expiresAtOnce` a key leaves the memory in
// the millisecond after its deadline. That is a teaching aid and says so wherever it can be switched on.
//
// What we leave out: Redis also stops when a cycle has used a quarter of its time slice, and then adds short
// cycles between commands. Our ticks take no time at all, so neither ever applies. hz stays as it is set,
// though Redis raises it with thousands of clients. The ticks stand on the grid of Unix time, where a real
// server's phase is arbitrary.
//
// Ticks are computed, not queued: a tick that finds nothing dead only moves the cursor, and among at most 20
// keys not even that after the first (a look ends behind the last key it met, where the next one begins). So
// the ticks of an hour without dead keys cost nothing, and a run that lets time pass in other steps still
// sees the same.

namespace lockscope::redis {

namespace {

constexpr std::size_t kKeysPerLoop = 20;
constexpr std::size_t kBucketsPerKey = 20;
constexpr std::size_t kAcceptableStalePercent = 10;

struct Look {
    std::size_t sampled = 0;
    std::size_t removed = 0;
};

bool tooThinToSample(const Database& database) {
    const std::size_t keys = database.volatileKeys.size();
    const std::size_t buckets = database.volatileKeys.bucketCount();
    return buckets > HashTable<Entry, &Entry::nextVolatile>::kLeastBuckets && keys * 100 / buckets < 1;
}

/// One pass of the loop over up to 20 keys.
Look look(Keyspace& keyspace, Database& database, bool takesDeadline) {
    Look result;
    const std::size_t wanted = std::min(database.volatileKeys.size(), kKeysPerLoop);
    for (std::size_t buckets = 0; result.sampled < wanted && buckets < wanted * kBucketsPerKey; ++buckets) {
        database.volatileKeys.visitBucket(database.cycleCursor, [&](Entry& entry) {
            ++result.sampled;
            if (takesDeadline ? keyspace.reapIfDue(entry) : keyspace.reapIfDead(entry)) ++result.removed;
        });
        database.cycleCursor = (database.cycleCursor + 1) & (database.volatileKeys.bucketCount() - 1);
    }
    return result;
}

void sweep(Keyspace& keyspace, Database& database, bool takesDeadline) {
    while (database.volatileKeys.size() > 0 && !tooThinToSample(database)) {
        const Look seen = look(keyspace, database, takesDeadline);
        if (seen.sampled > 0 && seen.removed * 100 / seen.sampled <= kAcceptableStalePercent) break;
    }
}

/// Whether an idle look meets every key, so that all but the first leave the cursor where it is.
bool settlesAtOnce(const Database& database) {
    const std::size_t keys = database.volatileKeys.size();
    return keys <= kKeysPerLoop && database.volatileKeys.bucketCount() <= keys * kBucketsPerKey;
}

/// The first instant at which a key is dead.
std::int64_t deathOf(UnixMillis deadline) {
    return deadline >= kNeverMicros / 1000 ? kNeverMicros : (deadline + 1) * 1000;
}

/// Redis counts whole milliseconds.
std::int64_t periodOf(int hz) {
    return std::int64_t{1000 / std::clamp(hz, 1, 500)} * 1000;
}

} // namespace

void ExpiryCycle::reset(const StoreOptions& options) {
    m_period = periodOf(options.hz);
    m_atOnce = options.expiresAtOnce;
    m_active = options.activeExpiry;
    m_takesDeadline = factsOf(options.profile).cycleTakesDeadline;
    m_nextTick = m_active ? 0 : kNeverMicros;
}

void ExpiryCycle::setRate(int hz, std::int64_t now) {
    m_period = periodOf(hz);
    if (m_nextTick != kNeverMicros) m_nextTick = (now / m_period + 1) * m_period;
}

std::int64_t ExpiryCycle::nextLeaseEnd(const Keyspace& keyspace) {
    const Entry* first = keyspace.nextLease();
    return first ? deathOf(first->deadline) : kNeverMicros;
}

std::optional<std::int64_t> ExpiryCycle::nextInstant(const Keyspace& keyspace) const {
    const std::int64_t next = std::min(nextLeaseEnd(keyspace), nextUsefulTick(keyspace));
    if (next == kNeverMicros) return std::nullopt;
    return std::max(next, keyspace.clockMicros()); // a deadline can be past as soon as it is set
}

/// The next tick that can find something to remove.
std::int64_t ExpiryCycle::nextUsefulTick(const Keyspace& keyspace) const {
    if (keyspace.lingering() > 0) return m_nextTick;
    const Entry* first = m_takesDeadline && m_nextTick != kNeverMicros ? keyspace.nextLease() : nullptr;
    if (!first || first->deadline >= kNeverMicros / 1000) return kNeverMicros;
    const std::int64_t deadline = first->deadline * 1000;
    const bool onGrid = deadline >= m_nextTick && (deadline - m_nextTick) % m_period == 0;
    return onGrid ? deadline : kNeverMicros;
}

void ExpiryCycle::tick(Keyspace& keyspace) {
    keyspace.setClock(m_nextTick);
    keyspace.tellAt(m_nextTick);
    for (Database& database : keyspace.usedDatabases()) {
        sweep(keyspace, database, m_takesDeadline);
        keyspace.shrinkTables(database);
    }
    m_nextTick += m_period;
}

void ExpiryCycle::catchUp(Keyspace& keyspace, std::int64_t now) {
    while (true) {
        const std::int64_t leaseEnd = nextLeaseEnd(keyspace);
        if (leaseEnd <= now && leaseEnd <= m_nextTick) {
            keyspace.tellAt(keyspace.nextLease()->deadline * 1000);
            Entry& ended = keyspace.endNextLease();
            if (!m_atOnce) continue;
            keyspace.setClock(std::max(leaseEnd, keyspace.clockMicros()));
            keyspace.tellAt(keyspace.clockMicros());
            keyspace.reapIfDead(ended);
        } else if (m_nextTick > now) {
            break;
        } else if (const std::int64_t useful = nextUsefulTick(keyspace); useful == m_nextTick) {
            tick(keyspace);
        } else {
            skipIdleTicks(keyspace, std::min({now, leaseEnd - 1, useful - 1}));
        }
    }
}

/// Moves the cursors as the ticks up to `until` would. None of them finds a dead key.
void ExpiryCycle::skipIdleTicks(Keyspace& keyspace, std::int64_t until) {
    keyspace.setClock(until);
    const std::int64_t ticks = (until - m_nextTick) / m_period + 1;
    for (Database& database : keyspace.usedDatabases()) {
        if (database.volatileKeys.size() == 0 || database.settledAt == database.volatileKeys.changes())
            continue;
        const bool settles = settlesAtOnce(database);
        for (std::int64_t looks = settles ? 1 : ticks; looks > 0; --looks)
            sweep(keyspace, database, false);
        if (settles) database.settledAt = database.volatileKeys.changes();
    }
    m_nextTick += ticks * m_period;
}

} // namespace lockscope::redis
