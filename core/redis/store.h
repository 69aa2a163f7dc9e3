// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/lua/sandbox.h"
#include "core/redis/disk.h"
#include "core/redis/memory_settings.h"
#include "core/redis/profile.h"
#include "core/redis/reply.h"
#include "core/redis/resp.h"
#include "core/redis/stored_command.h"

namespace lockscope::redis {

/// Unix time in milliseconds: the clock by which Redis keeps deadlines.
using UnixMillis = std::int64_t;

using ClientId = std::uint32_t;

enum class Removal : std::uint8_t { Deleted, DeadlineInPast, Expired, Evicted, Flushed };

/// What a store tells while it works. Called in the order in which things take effect, inside execute() and
/// advance(). The views live only during the call.
class StoreObserver {
public:
    virtual ~StoreObserver() = default;
    enum class Before : std::uint8_t { Absent, Expired, Live };

    /// A value was put under a key (SET, INCR, HSET …). `value` is the string, or a short rendering of
    /// another type.
    virtual void onWritten(std::string_view key, std::string_view type, std::string_view value,
                           std::optional<UnixMillis> deadline, Before before) = 0;
    virtual void onDeadlineChanged(std::string_view key, std::optional<UnixMillis> before,
                                   std::optional<UnixMillis> after) = 0;
    /// The deadline passed: by the store's rule (now > deadline) the key is dead, though it may still lie in
    /// memory. Called from advance(), once, before anything else sees the key dead.
    virtual void onLeaseEnded(std::string_view key, UnixMillis deadline) = 0;
    /// The key left the memory.
    virtual void onRemoved(std::string_view key, Removal why, std::string_view value) = 0;
    /// A keyspace notification, whether or not anybody is subscribed.
    virtual void onKeyspaceEvent(std::string_view event, std::string_view key) = 0;
    /// A client that waited gets its reply, or its command is run and waits once more. What is told between
    /// the two is done by the command that it waits with, not by the one at hand; its reply is delivered in
    /// between too.
    virtual void onServing(ClientId) {}
    virtual void onServed(ClientId) {}
    /// From now on nobody is served, and why in a word; empty: that is over.
    virtual void onStandstill(std::string_view) {}
    /// What comes next is drawn by lot: which key is dropped, which member is taken. The order of a table,
    /// which the seed decides too, is not told.
    virtual void onLots() {}
};

/// Where a store sends what is not the reply of the command at hand.
class DeliveryPort {
public:
    virtual ~DeliveryPort() = default;
    /// A message of a channel, or the reply that a client waited for (its command answered
    /// Reply::Type::None). Called inside execute() and advance(), also for the client whose command it is;
    /// the reply lives only during the call, which must not call the store.
    virtual void onDelivery(ClientId client, const Reply& reply) = 0;
    /// Another client had it killed: the store knows it no more.
    virtual void onHangUp(ClientId client) = 0;
    /// A client said SHUTDOWN. False: the server cannot be shut down, and the client is told so. Inside
    /// execute() too, so what ends must end later.
    virtual bool onShutDown() { return false; }
};

/// Where a primary sends what it does, as commands that do the same again on a replica.
class StreamPort {
public:
    virtual ~StreamPort() = default;
    /// One command, inside execute() and advance(). `offset`: how far the stream is after it, in bytes.
    virtual void onStream(std::span<const std::string_view> words, std::int64_t offset) = 0;
};

/// What a primary knows of one of its replicas.
struct ReplicaLink {
    std::int64_t acknowledged = 0; ///< how far in the stream it has said to be
    /// The last instant, in Unix microseconds, at which something came from it; in the future while the link
    /// is in order.
    std::int64_t heardUntil = 0;
};

/// What a store says of where it is served, and of the limits that whoever serves it keeps.
struct Serving {
    std::string_view address = "127.0.0.1";
    int port = 0;
    bool needsPassword = false; ///< whoever has it removed from CONFIG is refused
    std::size_t clients = 10'000;
    std::size_t argumentBytes = 512u << 20; ///< proto-max-bulk-len
    std::size_t queryBytes = 1u << 30;      ///< of one command while it arrives
    std::size_t unreadBytes = 0;            ///< of replies that a client leaves unread; 0: no limit
};

/// Redis' enable-debug-command: who may use DEBUG. Local: clients of the same machine.
enum class DebugCommand : std::uint8_t { Closed, Local, Open };

struct StoreOptions {
    Profile profile = Profile::Redis70;
    std::uint64_t seed = 1;   ///< of the order of keys: what SCAN, RANDOMKEY and the active cycle meet first
    int hz = 10;              ///< active cycles a second
    bool activeExpiry = true; ///< off: a dead key stays until somebody touches it
    /// A teaching aid that no redis-server has: a key leaves the memory as soon as it is dead, and `expired`
    /// comes at that very instant.
    bool expiresAtOnce = false;
    MemorySettings memory;
    /// Off: it drops no key and refuses nothing for want of memory by itself, whatever its limit. It does
    /// what it is told that a server elsewhere did; see setFull() and evict().
    bool eviction = true;
    PersistenceOptions persistence;
    int minReplicasToWrite = 0; ///< with fewer good replicas a primary refuses to write
    int minReplicasMaxLag = 10; ///< seconds of silence after which one is no longer good
    std::size_t maxStringBytes =
        512u << 20;            ///< Redis' proto-max-bulk-len: the longest string APPEND and SETRANGE make
    std::string notifications; ///< notify-keyspace-events; the observer hears of every event anyhow
    DebugCommand debugCommand = DebugCommand::Closed;
    lua::Limits scriptLimits{.softBytes = 4u << 20, .hardBytes = 12u << 20}; ///< of each EVAL
};

/// The embedded Redis: a keyspace and its commands at a given instant. It has no clock, thread or socket of
/// its own; whoever drives it says what time it is, and time never goes back between calls.
///
/// Imitates redis-server 7.0.15, or another server by its profile; see core/redis/README.md for what is
/// checked against it.
class Store {
public:
    explicit Store(const StoreOptions& options = {}, StoreObserver* observer = nullptr);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// Empty, as just started, keeping its memory. Compiled scripts are kept aside too, but EVALSHA answers
    /// NOSCRIPT. Takes time in proportion to the keys that were used.
    void reset(const StoreOptions& options);

    /// Lets time pass to `now` as advance() does, and runs one command. `args[0]` is its name in any case.
    /// `now` is Unix time in microseconds, frozen for the command. Clients are small dense numbers of the
    /// caller's choice, and are there as soon as they are used. The reply stays valid until the next call.
    /// A client that waits (BLPOP; see factsOf()) must not run another command before its reply was
    /// delivered.
    const Reply& execute(ClientId client, std::span<const std::string_view> args, std::int64_t nowMicros);

    /// For whoever polls in virtual time. If nothing happened to the store since this command of this client
    /// was answered without an effect, it would have none again, and the same answer: it asks for data alone,
    /// and nobody looks on.
    bool hasNoEffectAgain(ClientId client, std::span<const std::string_view> args) const;
    /// Such a command came `times` more, at last at `now`: only counters and the key's last use tell of it.
    void executeAgain(ClientId client, std::span<const std::string_view> args, std::int64_t nowMicros,
                      std::uint64_t times);

    /// From now on deliveries go there; null drops them. A reset() does not change that.
    void deliverTo(DeliveryPort* port);
    /// The client has left: its transaction, watches, subscriptions and waiting end.
    void disconnect(ClientId client);
    /// What whoever serves a client must know of it.
    struct ClientFacts {
        Protocol protocol = Protocol::Resp2; ///< in which its replies are to be encoded
        bool authenticated = true;
        bool blocked = false;        ///< it waits for a reply
        bool closing = false;        ///< after the last reply the connection ends
        bool inTransaction = false;  ///< its commands are queued
        std::size_t queuedBytes = 0; ///< that its transaction takes
        std::string_view name;
    };
    ClientFacts factsOf(ClientId client) const;
    /// A client has come, from an address as CLIENT LIST shows it. One that is not announced has none.
    void connect(ClientId client, std::string_view address, std::int64_t nowMicros);
    /// Where it is served, and the password it wants from clients that come; empty lets everybody in.
    void serveAs(const Serving& serving, std::string_view password);

    /// Lets time pass to `now`: leases end, the active cycle samples at hz and removes. Its ticks are
    /// computed, not queued, and told to the observer each at its own instant; see observerTime().
    void advance(std::int64_t nowMicros);
    /// The next instant at which advance() would have something to tell, in Unix microseconds: a lease is
    /// over (the first microsecond past its deadline's millisecond), or an active cycle runs while a dead key
    /// lies in memory. With more than 20 volatile keys that cycle can miss the dead one.
    std::optional<std::int64_t> nextDeadline() const;
    /// During a call of the observer: the instant it is about, in Unix microseconds. For a command its `now`;
    /// for a removal by the active cycle the cycle's; for the end of a lease its deadline, or the latest
    /// instant that was told or executed if that is later. It never goes back.
    std::int64_t observerTime() const;
    /// During a call of the observer: the database it is about. 0 unless a client used SELECT.
    int observerDatabase() const;

    /// The machine's clock is put forward, or back, by `millis`: relative to it every deadline moves the
    /// other way, that of a command which waits too, and a lease that is now over ends. `nowMicros`, here and
    /// in later calls, goes on as if nothing had happened: the store keeps a steady clock and what Unix time
    /// is ahead of it. Keys that are dead by then are removed before; told deadlines are those of the steady
    /// clock.
    void jumpClock(std::int64_t nowMicros, std::int64_t millis);
    /// While it is held, as a stopped process is, no expiry cycle runs; leases end all the same. When it goes
    /// on the cycle comes at once, but after commands of that millisecond.
    void hold(std::int64_t nowMicros);
    void goOn(std::int64_t nowMicros);

    // Primary and replica. Redis' rules; who is connected to whom, and what is on its way, is the caller's.

    /// From now on what this store does goes there too; null: nowhere. A reset() does not change that.
    void streamTo(StreamPort* port);
    /// From now on a replica: it refuses writes of clients, runs what its primary sends, and leaves dead keys
    /// to it. Who waits is told so. It has what its primary's stream said up to `offset`.
    void becomeReplica(std::int64_t nowMicros, std::int64_t offset = 0);
    /// REPLICAOF NO ONE.
    void becomePrimary(std::int64_t nowMicros);
    bool isReplica() const;
    /// One command of its primary's stream, which then is at `offset`.
    void applyFromPrimary(std::span<const std::string_view> words, std::int64_t offset,
                          std::int64_t nowMicros);
    std::int64_t appliedOffset() const;
    std::int64_t streamOffset() const;
    /// What a replica knows of the link to its primary.
    void setLink(bool up);
    /// What a primary knows of its replicas by now. Who waits for them may be answered.
    void setReplicas(std::span<const ReplicaLink> replicas, std::int64_t nowMicros);

    // Disk, stop and start.

    /// All keys, as commands that make them anew: what a snapshot holds, and a full synchronisation sends.
    std::vector<StoredCommand> contents() const;
    /// All keys go without a word, and these take their place.
    void replaceContents(std::span<const StoredCommand> commands, std::int64_t nowMicros);
    /// The server stops: `orderly`, by SHUTDOWN, or because the power is gone. Its clients, its keys and its
    /// scripts are lost, its disk has what it has.
    void stop(bool orderly, std::int64_t nowMicros);
    /// It starts from its disk. Until `loadedAt` it answers LOADING.
    void start(std::int64_t nowMicros, std::int64_t loadedAt);
    /// From now on, until told otherwise, no snapshot can be written; the first that fails does so at once.
    void failSaves(bool fail, std::int64_t nowMicros);

    /// For inspectors: looks without touching, and also sees a dead key that still lies in memory.
    struct KeyInfo {
        std::string type;
        std::string encoding; ///< as OBJECT ENCODING answers it
        std::string value;    ///< of a string, whole; of another type, a short rendering
        std::size_t size = 0; ///< bytes of a string, elements of another type
        std::optional<UnixMillis> deadline;
        bool dead = false; ///< past its deadline, not yet removed
    };
    std::optional<KeyInfo> peek(std::string_view key, std::int64_t nowMicros, int database = 0) const;

    /// What INFO calls used_memory, used_memory's limit, and the keys that were dropped for it since reset().
    struct MemoryUse {
        std::uint64_t used = 0;
        std::uint64_t limit = 0; ///< 0: none
        std::uint64_t evictedKeys = 0;
    };
    MemoryUse memoryUse();

    // Where StoreOptions::eviction is off.

    /// From now on, until told otherwise, what could take memory is refused.
    void setFull(bool full);
    /// That key, of database 0, is dropped as one is for want of memory.
    void evict(std::string_view key, std::int64_t nowMicros);

    /// As the free function, and it knows the script that an EVALSHA names.
    bool canGrant(std::span<const std::string_view> args) const;

    /// A script used so much (budget, memory) since the last reset() that earlier lives of this store could
    /// have influenced where it ended. After a reset() the same commands give the certain result.
    bool strained() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// The first key that a command names, empty if none; a script's first KEYS. For drawing, not for routing.
std::string_view firstKeyOf(std::span<const std::string_view> args);

/// Whether a command gets one reply, at once or later. SUBSCRIBE and its kin and MONITOR are answered by
/// messages, CLIENT REPLY OFF and SKIP not at all.
bool hasOneReply(std::span<const std::string_view> args);

/// Whether a command could make somebody the owner of a key: it can put a value there. For EVAL that is a
/// script that names a command which does, as a string, and none that deletes. Of EVALSHA only the store
/// knows it: false here.
bool canGrant(std::span<const std::string_view> args);

} // namespace lockscope::redis
