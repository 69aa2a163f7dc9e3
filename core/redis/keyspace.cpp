// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/keyspace.h"

#include <algorithm>
#include <vector>

#include "core/redis/memory_model.h"

namespace lockscope::redis {

namespace {

// A recycled entry keeps its memory, but not that of one huge value.
constexpr std::size_t kKeptCapacity = 4096;
constexpr std::size_t kWrittenBytesPerStep = 16;

void emptied(std::string& text) {
    if (text.capacity() > kKeptCapacity)
        text = std::string();
    else
        text.clear();
}

} // namespace

void Keyspace::forgetAll() {
    for (Database& database : usedDatabases()) {
        if (database.keys.size() > 0)
            for (std::size_t i = 0; i < database.keys.bucketCount(); ++i)
                database.keys.visitBucket(i, [this](Entry& entry) {
                    m_memory.release(entry);
                    recycle(entry);
                });
        database.keys.clear();
        database.volatileKeys.clear();
        database.cycleCursor = 0;
        database.settledAt = 0;
    }
    m_used = 0;
    m_leases.clear();
    m_watches.clear();
    m_lingering = 0;
    m_changes = 0;
}

void Keyspace::forgetDead() {
    std::vector<Entry*> dead;
    for (Database& home : usedDatabases())
        if (home.volatileKeys.size() > 0)
            for (std::size_t i = 0; i < home.volatileKeys.bucketCount(); ++i)
                home.volatileKeys.visitBucket(i, [&](Entry& entry) {
                    if (isDead(entry)) dead.push_back(&entry);
                });
    for (Entry* entry : dead) {
        detach(*entry);
        recycle(*entry);
    }
}

void Keyspace::reset(std::uint64_t seed) {
    forgetAll();
    m_memory.reset();
    m_countsUses = false;
    m_evicted = 0;
    m_obeys = false;
    m_hits = m_misses = m_expired = 0;
    m_chance = Random(seed);
    m_hashSeed = m_chance.next();
    m_nextOrder = 0;
    m_clock = 0;
    m_clockLead = 0;
    m_keepsDeadKeys = false;
    m_toldAt = 0;
    m_toldDatabase = 0;
}

void Keyspace::jumpClock(std::int64_t millis) {
    std::vector<Entry*> dated;
    for (Database& home : usedDatabases())
        if (home.volatileKeys.size() > 0)
            for (std::size_t i = 0; i < home.volatileKeys.bucketCount(); ++i)
                home.volatileKeys.visitBucket(i, [&](Entry& entry) { dated.push_back(&entry); });
    std::sort(dated.begin(), dated.end(), [](const Entry* a, const Entry* b) {
        return a->deadline != b->deadline ? a->deadline < b->deadline : a->order < b->order;
    });
    m_clockLead += millis;
    for (Entry* entry : dated) {
        UnixMillis moved = 0;
        if (reapIfDead(*entry) || __builtin_sub_overflow(entry->deadline, millis, &moved)) continue;
        changeDeadline(*entry, std::max<UnixMillis>(moved, 1));
    }
}

Found Keyspace::find(Database& database, std::string_view key) {
    Found found;
    found.hash = hashOf(key, m_hashSeed);
    found.entry = database.keys.find(key, found.hash);
    if (!found.entry) return found;
    found.before = StoreObserver::Before::Live;
    if (reapIfDead(*found.entry)) {
        found.entry = nullptr;
        found.before = StoreObserver::Before::Expired;
    }
    return found;
}

bool Keyspace::reapIfDead(Entry& entry) {
    return isDead(entry) && reap(entry);
}

bool Keyspace::reapIfDue(Entry& entry) {
    return entry.deadline <= clockMillis() && reap(entry);
}

bool Keyspace::reap(Entry& entry) {
    if (m_keepsDeadKeys) return true;
    // A deadline that had passed when it was set dies within the same command, before advance() could tell.
    if (!entry.lingers()) endLease(entry);
    remove(entry, Removal::Expired);
    return true;
}

Entry& Keyspace::create(Database& database, std::string_view key, const Found& found) {
    if (!m_unused) m_unused = &m_entries.emplace_back();
    Entry& entry = *m_unused;
    m_unused = entry.nextKey;
    entry.nextKey = nullptr;
    entry.key.assign(key);
    entry.hash = found.hash;
    entry.database = database.index;
    startUse(entry);
    m_used = std::max(m_used, static_cast<std::size_t>(database.index) + 1);
    insertInto(database.keys, database.keysGrewAt, entry);
    if (m_notifications.isOn()) m_notifications.publish("new", entry.key, entry.database);
    return entry;
}

/// Redis does not let a table double that would go over the limit, until its chains have become long.
template <typename Table>
void Keyspace::insertInto(Table& table, std::int64_t& grewAt, Entry& entry) {
    const bool grows = table.full() && mayGrow(table.size(), table.bucketCount());
    if (grows) grewAt = m_clock;
    table.insert(entry, grows);
}

bool Keyspace::mayGrow(std::size_t keys, std::size_t buckets) {
    constexpr std::size_t kLongChains = 1618; // thousandths
    const std::uint64_t limit = m_memory.settings().limit;
    return limit == 0 || keys * 1000 > kLongChains * buckets ||
           usedMemory() + bucketsBlock(2 * buckets) <= limit;
}

std::size_t Keyspace::usedMemory() {
    if (!m_memory.isOn()) {
        m_memory.turnOn();
        for (Database& home : usedDatabases())
            for (std::size_t i = 0; home.keys.size() > 0 && i < home.keys.bucketCount(); ++i)
                home.keys.visitBucket(i, [this](Entry& entry) { m_memory.count(entry); });
    }
    const auto tables = [this](const auto& table, std::int64_t grewAt) {
        constexpr std::size_t kMovedPerCommand = 3;   // by one that adds a key
        constexpr std::int64_t kMicrosPerBucket = 10; // of the server's cron
        std::size_t old = table.outgrownBuckets(kMovedPerCommand);
        if (m_clock - grewAt >= kMicrosPerBucket * static_cast<std::int64_t>(old)) old = 0;
        return tableMemory(table.bucketCount(), old);
    };
    std::size_t bytes = m_memory.entries() + m_memory.elsewhere();
    for (Database& home : usedDatabases())
        bytes += tables(home.keys, home.keysGrewAt) + tables(home.volatileKeys, home.volatileGrewAt) +
                 home.volatileKeys.size() * kDictEntryBlock;
    return bytes;
}

void Keyspace::tellWritten(Entry& entry, StoreObserver::Before before) {
    ++m_changes;
    m_memory.count(entry);
    const std::string_view text = shown(entry.value, m_scratch);
    addEffort(text.size() / kWrittenBytesPerStep);
    changed(entry, false);
    if (!m_observer) return;
    m_toldDatabase = entry.database;
    m_observer->onWritten(entry.key, typeName(entry.value), text, entry.deadlineOrNone(), before);
}

void Keyspace::setDeadline(Entry& entry, UnixMillis deadline) {
    // Only a primary's word changes the deadline of a key that is dead already.
    const bool lingered = entry.lingers();
    if (lingered) --m_lingering;
    if (deadline == kNoDeadline) {
        if (!entry.isVolatile()) return;
        database(entry.database).volatileKeys.erase(entry);
        if (!lingered) m_leases.remove(entry);
        entry.deadline = kNoDeadline;
        return;
    }
    if (!entry.isVolatile()) {
        Database& home = database(entry.database);
        insertInto(home.volatileKeys, home.volatileGrewAt, entry);
    }
    entry.deadline = deadline;
    entry.order = m_nextOrder++;
    m_leases.place(entry);
}

void Keyspace::changeDeadline(Entry& entry, UnixMillis deadline) {
    const std::optional<UnixMillis> before = entry.deadlineOrNone();
    ++m_changes;
    setDeadline(entry, deadline);
    changed(entry, false);
    if (!m_observer) return;
    m_toldDatabase = entry.database;
    m_observer->onDeadlineChanged(entry.key, before, entry.deadlineOrNone());
}

void Keyspace::remove(Entry& entry, Removal why) {
    detach(entry);
    if (m_observer) {
        m_toldDatabase = entry.database;
        m_observer->onRemoved(entry.key, why, shown(entry.value, m_scratch));
    }
    if (why == Removal::Expired || why == Removal::Evicted) {
        if (m_propagation.isOn()) m_propagation.also(entry.database, {"DEL", entry.key});
    } else {
        ++m_changes;
    }
    if (why == Removal::Expired) {
        ++m_expired;
        notify("expired", entry.key, database(entry.database));
    } else if (why == Removal::Evicted) {
        ++m_evicted;
        notify("evicted", entry.key, database(entry.database));
    }
    changed(entry, true);
    recycle(entry);
}

void Keyspace::flush(Database& database) {
    for (std::size_t i = 0; database.keys.size() > 0; ++i)
        while (Entry* entry = database.keys.bucket(i))
            remove(*entry, Removal::Flushed);
    shrinkTables(database);
}

void Keyspace::notify(std::string_view event, std::string_view key, const Database& home) {
    if (m_notifications.isOn()) m_notifications.publish(event, key, home.index);
    if (!m_observer) return;
    m_toldDatabase = home.index;
    m_observer->onKeyspaceEvent(event, key);
}

void Keyspace::shrinkTables(Database& database) {
    if (database.keys.sparse()) database.keys.shrink();
    if (database.volatileKeys.sparse()) database.volatileKeys.shrink();
}

void Keyspace::watch(Client& client, const Database& home, std::string_view key) {
    const Entry* entry = look(home, key);
    m_watches.add(client, home.index, key, hashOf(key, m_hashSeed), entry && isDead(*entry));
}

bool Keyspace::watchedKeyDied(const Client& client) const {
    return m_watches.anyDied(client, [this](int home, std::string_view key) {
        const Entry* entry = look(database(home), key);
        return entry && isDead(*entry);
    });
}

void Keyspace::endLease(Entry& entry) {
    m_leases.remove(entry);
    ++m_lingering;
    if (!m_observer) return;
    m_toldDatabase = entry.database;
    m_observer->onLeaseEnded(entry.key, entry.deadline);
}

void Keyspace::detach(Entry& entry) {
    Database& home = database(entry.database);
    m_memory.release(entry);
    home.keys.erase(entry);
    if (!entry.isVolatile()) return;
    home.volatileKeys.erase(entry);
    if (entry.lingers())
        --m_lingering;
    else
        m_leases.remove(entry);
}

void Keyspace::recycle(Entry& entry) {
    emptied(entry.key);
    if (auto* text = std::get_if<std::string>(&entry.value))
        emptied(*text);
    else
        entry.value = std::string();
    entry.deadline = kNoDeadline;
    entry.memory = 0;
    entry.queueSlot = Entry::kNotQueued;
    entry.nextVolatile = nullptr;
    entry.nextKey = m_unused;
    m_unused = &entry;
}

} // namespace lockscope::redis
