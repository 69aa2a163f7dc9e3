// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <deque>
#include <span>
#include <string>
#include <string_view>

#include "core/redis/entry.h"
#include "core/redis/hash_table.h"
#include "core/redis/lease_queue.h"
#include "core/redis/memory_account.h"
#include "core/redis/notifications.h"
#include "core/redis/propagation.h"
#include "core/redis/store.h"
#include "core/redis/watch_list.h"

namespace lockscope::redis {

inline constexpr int kDatabases = 16;

/// One of the numbered key spaces of a server.
struct Database {
    int index = 0;
    HashTable<Entry, &Entry::nextKey> keys;
    HashTable<Entry, &Entry::nextVolatile>
        volatileKeys;              ///< those with a deadline: what the active cycle walks
    std::uint64_t cycleCursor = 0; ///< the bucket of volatileKeys that it looks at next
    std::uint64_t settledAt = 0;   ///< volatileKeys.changes() when a look left the cursor where it was
    std::int64_t keysGrewAt = 0;   ///< when the table of keys last doubled
    std::int64_t volatileGrewAt = 0;
};

/// What an access found under a key, after a dead one was removed.
struct Found {
    Entry* entry = nullptr;
    std::uint64_t hash = 0;
    StoreObserver::Before before = StoreObserver::Before::Absent; ///< Expired: this very access removed it

    explicit operator bool() const { return entry != nullptr; }
};

/// The keys of a server, and the only place that changes them: it keeps tables, deadlines and lease queue in
/// step and tells the observer. Commands are built from these steps.
///
/// Invariants:
///  1. An entry with a deadline lies in its database's volatileKeys, and in the lease queue until its end is
///  told.
///  2. onLeaseEnded() is told before a dead key is removed as expired, and before anything answers that it is
///  gone.
///  3. The instants told to the observer never go back.
class Keyspace {
public:
    Keyspace(StoreObserver* observer, Notifications& notifications, Propagation& propagation)
        : m_observer(observer), m_notifications(notifications), m_propagation(propagation) {
        for (int i = 0; i < kDatabases; ++i)
            m_databases[static_cast<std::size_t>(i)].index = i;
    }

    /// Empty, at an unknown time, keeping memory. Takes time in proportion to the keys it held.
    void reset(std::uint64_t seed);
    /// Every key goes without a word to anybody: the server that had them is no more.
    void forgetAll();
    /// All keys, as commands that make them anew.
    std::vector<StoredCommand> contents() const;
    /// Dead keys go without a word.
    void forgetDead();
    /// What was done so far counts as nothing: it is on disk.
    void forgetChanges() { m_changes = 0; }

    Database& database(int index) { return m_databases[static_cast<std::size_t>(index)]; }
    const Database& database(int index) const { return m_databases[static_cast<std::size_t>(index)]; }
    /// Those that can hold keys: mostly one of the sixteen.
    std::span<Database> usedDatabases() { return std::span(m_databases).first(m_used); }

    /// The clock on which commands run and by which keys die. Unix time.
    void setClock(std::int64_t micros) { m_clock = micros; }
    std::int64_t clockMicros() const { return m_clock; }
    UnixMillis clockMillis() const { return m_clock / 1000; }
    /// How far the machine's clock is ahead of that one, in milliseconds: 0 until it jumps. Deadlines are
    /// kept on the steady clock; commands that take or tell absolute times add or subtract this.
    std::int64_t clockLead() const { return m_clockLead; }
    std::int64_t machineMicros() const { return m_clock + m_clockLead * 1000; }
    /// The machine's clock jumps by so much. Dead keys are removed first; then every deadline moves the other
    /// way on the steady clock.
    void jumpClock(std::int64_t millis);

    /// From here on the observer is told of `instant`, or of the latest told instant if that is later.
    void tellAt(std::int64_t instant) { m_toldAt = instant > m_toldAt ? instant : m_toldAt; }
    std::int64_t toldAt() const { return m_toldAt; }
    int toldDatabase() const { return m_toldDatabase; }

    /// The access of a command: a dead key is removed first, as Redis does before it reads or writes one.
    Found find(Database& database, std::string_view key);
    /// The access of an inspector: without any effect, and a dead key is still seen.
    const Entry* look(const Database& database, std::string_view key) const {
        return database.keys.find(key, hashOf(key, m_hashSeed));
    }
    Entry* look(Database& database, std::string_view key) const {
        return database.keys.find(key, hashOf(key, m_hashSeed));
    }
    /// For INFO's hits and misses; a miss is an event that can be subscribed to.
    void countLookUp(const Database& database, std::string_view key, const Found& found) {
        ++(found ? m_hits : m_misses);
        if (!found && m_notifications.isOn()) m_notifications.publish("keymiss", key, database.index);
    }
    void countAgain(std::uint64_t hits, std::uint64_t misses) {
        m_hits += hits;
        m_misses += misses;
    }
    std::uint64_t hits() const { return m_hits; }
    std::uint64_t misses() const { return m_misses; }
    std::uint64_t expiredKeys() const { return m_expired; }
    std::uint64_t evictedKeys() const { return m_evicted; }

    void watch(Client& client, const Database& home, std::string_view key);
    WatchList& watches() { return m_watches; }
    /// A key that lived when the client watched it is dead by now.
    bool watchedKeyDied(const Client& client) const;

    /// Notes that a command uses the key: what it is evicted by.
    void touch(Entry& entry) {
        entry.usedAt = machineMicros();
        if (m_countsUses) countUse(entry);
    }
    /// How long nobody has used it, in seconds of a clock that starts anew every 194 days; see key_use.cpp.
    std::int64_t idleSeconds(const Entry& entry) const;
    /// How often it is used, as LFU counts: on a scale of logarithms, and less while time passes.
    int useCount(const Entry& entry) const;

    /// What all keys take, with the tables they lie in and what the server takes elsewhere: used_memory. To
    /// be counted, they must be asked for once; see MemoryAccount.
    std::size_t usedMemory();
    MemoryAccount& memory() { return m_memory; }
    const MemoryAccount& memory() const { return m_memory; }
    void configureMemory(const MemorySettings& settings);
    bool isDead(const Entry& entry) const { return entry.deadAt(clockMillis()) && !m_obeys; }
    /// Removes `entry` if it is dead, and dead keys are not to be kept; true if it was dead.
    bool reapIfDead(Entry& entry);
    /// As reapIfDead(), of a key whose deadline is this very millisecond too: commands would still find it.
    bool reapIfDue(Entry& entry);
    /// From now on dead keys stay in memory, though they answer as if they were gone; or no longer.
    void keepDeadKeys(bool keep) { m_keepsDeadKeys = keep; }
    bool keepsDeadKeys() const { return m_keepsDeadKeys; }
    /// What runs now comes from a primary or from a disk: it is done as told, to dead keys as well, and a
    /// deadline in the past deletes nothing.
    void obey(bool obeys) { m_obeys = obeys; }
    bool obeys() const { return m_obeys; }
    /// Grows when a command changes something; not when a dead key is removed, or one is evicted.
    std::uint64_t changes() const { return m_changes; }
    /// The instant of the machine's clock, in milliseconds, that a deadline is.
    std::int64_t machineMillis(UnixMillis deadline) const { return deadline + m_clockLead; }

    /// A new entry without value and deadline, where find() found none. Tells nothing yet: see tellWritten().
    Entry& create(Database& database, std::string_view key, const Found& found);
    /// Tells that the value of a key was put or changed.
    void tellWritten(Entry& entry, StoreObserver::Before before);
    /// kNoDeadline takes it away. Tells nothing: for use between a write and its tellWritten().
    void setDeadline(Entry& entry, UnixMillis deadline);
    /// As setDeadline(), and tells it.
    void changeDeadline(Entry& entry, UnixMillis deadline);
    void remove(Entry& entry, Removal why);
    /// Every key goes, without a keyspace event: that is what FLUSHDB does.
    void flush(Database& database);
    void notify(std::string_view event, std::string_view key, const Database& home);
    /// Gives back table space after many keys went. Not during a walk over a table.
    void shrinkTables(Database& database);

    /// The first lease whose end is not told; null if there is none.
    const Entry* nextLease() const { return m_leases.empty() ? nullptr : &m_leases.first(); }
    /// Tells the end of the first lease of the queue, and answers whose it was.
    Entry& endNextLease() {
        Entry& entry = m_leases.first();
        endLease(entry);
        return entry;
    }
    /// Keys that are dead, told so, and still in memory.
    std::size_t lingering() const { return m_lingering; }

    Random& chance() {
        tellLots();
        return m_chance;
    }
    void tellLots() {
        if (m_observer) m_observer->onLots();
    }
    /// Grows with the work that the arguments of commands do not show: what was written, what was walked
    /// over. In the steps of a script, for who must bound it.
    std::uint64_t effort() const { return m_effort; }
    void addEffort(std::size_t steps) { m_effort += steps; }

private:
    bool reap(Entry& entry);
    void endLease(Entry& entry);
    void detach(Entry& entry);
    void recycle(Entry& entry);
    void startUse(Entry& entry);
    void countUse(Entry& entry);
    template <typename Table>
    void insertInto(Table& table, std::int64_t& grewAt, Entry& entry);
    bool mayGrow(std::size_t keys, std::size_t buckets);

    void changed(const Entry& entry, bool gone) {
        if (!m_watches.empty()) m_watches.changed(entry.database, entry.key, entry.hash, gone);
    }

    StoreObserver* m_observer;
    Notifications& m_notifications;
    Propagation& m_propagation;
    WatchList m_watches;
    std::array<Database, kDatabases> m_databases;
    std::size_t m_used = 0; ///< no database from here on was given a key since the last reset()
    LeaseQueue m_leases;
    std::deque<Entry> m_entries; // every entry ever made; the unused ones hang on m_unused
    Entry* m_unused = nullptr;
    std::size_t m_lingering = 0;
    std::uint64_t m_hashSeed = 0;
    std::uint64_t m_nextOrder = 0;
    std::uint64_t m_effort = 0;
    std::uint64_t m_hits = 0;
    std::uint64_t m_misses = 0;
    std::uint64_t m_expired = 0;
    std::uint64_t m_evicted = 0;
    MemoryAccount m_memory;
    bool m_countsUses = false; ///< the policy is one by frequency
    std::int64_t m_clock = 0;
    std::int64_t m_clockLead = 0;
    std::int64_t m_toldAt = 0;
    bool m_keepsDeadKeys = false;
    bool m_obeys = false;
    std::uint64_t m_changes = 0;
    int m_toldDatabase = 0;
    Random m_chance;
    std::string m_scratch;
};

} // namespace lockscope::redis
