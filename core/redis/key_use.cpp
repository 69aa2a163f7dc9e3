// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/keyspace.h"

// How a key's use is remembered
//
// Each value has 24 bits for it, and the policy says what they mean.
//
// LRU: the second of the last use, of a clock that starts anew every 194 days. Idle time is the difference.
// The clock is the machine's: put back by a minute, and every key looks as if nobody had used it for half a
// year.
//
// LFU: 8 bits of a counter and 16 bits of the minute in which it was last looked at. The counter is no
// number of uses, it would be full at once. Each use raises it with a chance that falls as it rises,
//
//     1 / ((counter - 5) * lfu-log-factor + 1)
//
// so that 255 stand for about a million uses. A new key starts at 5, lest it be the first to go. For each
// lfu-decay-time that passed since the counter was last looked at it falls by one.
//
// What counts as a use: every command that looks at the value to read or write it, a failed SET NX too. A
// lock that others ask for is therefore warm, and one that nobody wants is the coldest key of all, however
// important the work under it. TTL, EXISTS, TYPE and OBJECT are no uses.
//
// When the policy changes, the bits stay and are read the other way: idle times and counts mean nothing until
// the keys are used again.
//
// What we leave out: Redis reads the clock of LRU from a copy that its cron renews ten times a second, so a
// use can count as up to a tenth of a second older.

namespace lockscope::redis {

namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kClockBits = 0xFF'FFFF;
constexpr std::int64_t kMinuteBits = 0xFFFF;
constexpr int kNewCount = 5;
constexpr int kMostCount = 255;

/// From `then` to `now` on a clock that begins anew after `most`.
std::int64_t since(std::int64_t then, std::int64_t now, std::int64_t most) {
    return now >= then ? now - then : now + most - then;
}

} // namespace

std::int64_t Keyspace::idleSeconds(const Entry& entry) const {
    return since(entry.usedAt / kMicrosPerSecond & kClockBits,
                 machineMicros() / kMicrosPerSecond & kClockBits, kClockBits);
}

int Keyspace::useCount(const Entry& entry) const {
    const int decay = m_memory.settings().lfuDecayMinutes;
    if (decay == 0) return entry.uses;
    const std::int64_t minutes =
        since(entry.usedMinute, machineMicros() / kMicrosPerSecond / 60 & kMinuteBits, kMinuteBits);
    const std::int64_t periods = minutes / decay;
    return periods > entry.uses ? 0 : static_cast<int>(entry.uses - periods);
}

void Keyspace::startUse(Entry& entry) {
    entry.usedAt = machineMicros();
    if (!m_countsUses) return;
    entry.uses = kNewCount;
    entry.usedMinute = static_cast<std::uint16_t>(machineMicros() / kMicrosPerSecond / 60 & kMinuteBits);
}

void Keyspace::countUse(Entry& entry) {
    int count = useCount(entry);
    const auto beyond = static_cast<std::uint64_t>(count > kNewCount ? count - kNewCount : 0);
    const auto factor = static_cast<std::uint64_t>(m_memory.settings().lfuLogFactor);
    if (count < kMostCount && chance().below(beyond * factor + 1) == 0) ++count;
    entry.uses = static_cast<std::uint8_t>(count);
    entry.usedMinute = static_cast<std::uint16_t>(machineMicros() / kMicrosPerSecond / 60 & kMinuteBits);
}

void Keyspace::configureMemory(const MemorySettings& settings) {
    m_memory.configure(settings);
    if (m_countsUses == evictsByFrequency(settings.policy)) return;
    m_countsUses = !m_countsUses;
    const auto reread = [this](Entry& entry) {
        if (m_countsUses) {
            const std::int64_t bits = entry.usedAt / kMicrosPerSecond & kClockBits;
            entry.usedMinute = static_cast<std::uint16_t>(bits >> 8);
            entry.uses = static_cast<std::uint8_t>(bits & 0xFF);
        } else {
            entry.usedAt = (std::int64_t{entry.usedMinute} << 8 | entry.uses) * kMicrosPerSecond;
        }
    };
    for (Database& home : usedDatabases())
        for (std::size_t i = 0; home.keys.size() > 0 && i < home.keys.bucketCount(); ++i)
            home.keys.visitBucket(i, reread);
}

} // namespace lockscope::redis
