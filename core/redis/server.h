// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "core/redis/blocking.h"
#include "core/redis/call.h"
#include "core/redis/disk.h"
#include "core/redis/eviction.h"
#include "core/redis/expiry_cycle.h"
#include "core/redis/keyspace.h"
#include "core/redis/notifications.h"
#include "core/redis/propagation.h"
#include "core/redis/pubsub.h"
#include "core/redis/replication.h"
#include "core/redis/script_engine.h"
#include "core/redis/settings.h"
#include "core/redis/standstill.h"
#include "core/redis/store.h"

namespace lockscope::redis {

/// What INFO counts from, since the start or CONFIG RESETSTAT.
struct Statistics {
    std::uint64_t commands = 0;
    std::uint64_t expiredBefore = 0;
    std::uint64_t evictedBefore = 0;
    std::uint64_t hitsBefore = 0;
    std::uint64_t missesBefore = 0;
};

/// A store's inside: the parts in one place, and the way a command takes through them.
///
/// Whatever stands before every command belongs into admit(), whatever comes after one into execute().
class Server {
public:
    explicit Server(StoreObserver* observer)
        : m_pubsub(m_outbox), m_notifications(m_pubsub), m_keyspace(observer, m_notifications, m_propagation),
          m_blocked(*this, m_outbox, observer), m_standstill(*this, m_outbox, observer), m_scripts(*this) {}

    void reset(const StoreOptions& options);
    const Reply& execute(ClientId id, std::span<const std::string_view> args, std::int64_t nowMicros);
    bool hasNoEffectAgain(ClientId id, std::span<const std::string_view> args) const;
    void executeAgain(ClientId id, std::span<const std::string_view> args, std::int64_t nowMicros,
                      std::uint64_t times);
    void advance(std::int64_t nowMicros);
    void jumpClock(std::int64_t nowMicros, std::int64_t millis);
    void hold(std::int64_t nowMicros);
    void goOn(std::int64_t nowMicros);
    std::optional<std::int64_t> nextInstant() const;

    // Primary, replica, disk: see Store.
    void streamTo(StreamPort* port);
    void becomeReplica(std::int64_t nowMicros, std::int64_t offset = 0);
    void becomePrimary(std::int64_t nowMicros);
    void applyFromPrimary(std::span<const std::string_view> words, std::int64_t offset,
                          std::int64_t nowMicros);
    void setLink(bool up) { m_replication.linkUp = up; }
    void setReplicas(std::span<const ReplicaLink> replicas, std::int64_t nowMicros);
    void replaceContents(std::span<const StoredCommand> commands, std::int64_t nowMicros);
    void stop(bool orderly, std::int64_t nowMicros);
    void start(std::int64_t nowMicros, std::int64_t loadedAt);
    void failSaves(bool fail, std::int64_t nowMicros);
    void setFull(bool full);
    void evict(std::string_view key, std::int64_t nowMicros);
    /// Writes a snapshot, unless snapshots fail.
    bool save();
    const Replication& replication() const { return m_replication; }
    Propagation& propagation() { return m_propagation; }
    const Disk& disk() const { return m_disk; }
    bool isLoading() const { return m_loadedAt > m_keyspace.clockMicros(); }
    /// Why no command may write here now; empty if it may.
    std::string_view writesRefused() const;

    /// A command of a client, from the first look at it to its reply: refused, queued or run.
    const Command* resolve(std::span<const std::string_view> args);
    /// The command that `args` call, if this server has it.
    const Command* known(std::span<const std::string_view> args) const;
    void dispatch(Client& client, std::span<const std::string_view> args, Reply& reply);
    /// An error before the command runs, which also spoils a transaction.
    void refuse(Client& client, const Command* command, std::string_view error, Reply& reply);
    /// What EXEC does once it may.
    void runTransaction(Client& client, Reply& reply);
    /// Forgets the queue and the watches.
    void discardTransaction(Client& client);

    Client& client(ClientId id);
    const Client* findClient(ClientId id) const;
    /// Every client, by number.
    template <typename Visit>
    void forEachClient(Visit visit) {
        for (const std::unique_ptr<Client>& known : m_clients)
            if (known) visit(*known);
    }
    void disconnect(ClientId id);
    /// By a command of `by`, perhaps its own: then it still gets the reply.
    void kill(Client& client, const Client& by);
    /// The client's command is answered, or would be if it wanted replies: CLIENT REPLY SKIP is for one
    /// alone.
    void endReply(Client& client);
    /// As it was when it came.
    void resetClient(Client& client);
    /// From now on the client gets a line for each command of anybody.
    void monitor(Client& client);
    /// Tells the monitors; scripts do it themselves, before their commands.
    void tellMonitors(const Client& client, const Command& command, std::span<const std::string_view> args,
                      bool fromScript);

    /// Whether dead keys must stay where they are: nobody removes them while clients are not served as usual.
    void keepDeadKeys(bool keep);

    const Settings& settings() const { return m_settings; }
    void configure(Settings settings);
    /// DEBUG SLEEP: after the command at hand, or the transaction it is in, nobody is served for so long.
    void fallAsleep(std::int64_t micros) { m_sleepMicros += micros; }
    /// DEBUG SET-ACTIVE-EXPIRE.
    void setActiveExpiry(bool on);
    const Statistics& statistics() const { return m_statistics; }
    void resetStatistics();
    std::int64_t startedAt() const { return m_startedAt; }
    /// INFO's used_memory.
    std::size_t usedMemory();
    std::size_t clientCount() const { return m_clientCount; }
    /// The command that runs began with more memory in use than allowed, and nothing could be dropped.
    bool outOfMemory() const { return m_outOfMemory; }

    /// A command from within a script: refusals have other texts there. `client` is the script's own.
    void executeFromScript(Client& client, std::span<const std::string_view> args, ScriptRights& rights,
                           Reply& reply);

    const StoreOptions& options() const { return m_options; }
    Keyspace& keyspace() { return m_keyspace; }
    const Keyspace& keyspace() const { return m_keyspace; }
    PubSub& pubsub() { return m_pubsub; }
    Notifications& notifications() { return m_notifications; }
    BlockedClients& blocked() { return m_blocked; }
    Standstill& standstill() { return m_standstill; }
    Outbox& outbox() { return m_outbox; }
    ScriptEngine& scripts() { return m_scripts; }
    const ScriptEngine& scripts() const { return m_scripts; }

private:
    /// Notes that a command was called, for the histogram that a server then keeps of it.
    void noteCalled(const Command& command) {
        if (&command == m_calledLast) return;
        m_calledLast = &command;
        m_called.insert(&command);
    }
    /// The last millisecond in which nothing happens to who waits.
    UnixMillis lastQuietMillis() const;
    void run(Client& client, const Command& command, std::span<const std::string_view> args, Reply& reply);
    /// Makes room for a command, if the memory is limited. False if it was refused.
    bool makeRoom(Client& client, const Command& command, std::span<const std::string_view> args,
                  Reply& reply);
    bool couldTakeMemory(const Client& client, const Command& command,
                         std::span<const std::string_view> args);
    /// What stands in the way of a client in a special state. False if it was answered.
    bool admit(Client& client, const Command& command, std::span<const std::string_view> args, Reply& reply);
    /// What the server's own state forbids: it is a replica, it loads, its disk fails. False if it was
    /// answered.
    bool permits(Client& client, const Command& command, Reply& reply);
    /// Whether permits() could have something to say: worked out anew when that may have changed.
    void noteGuards();
    void forgetClients();
    void noteStarted(std::int64_t nowMicros);
    void load(std::span<const StoredCommand> commands);
    void runStored(Client& as, const StoredCommand& command);

    StoreOptions m_options;
    Outbox m_outbox;
    PubSub m_pubsub;
    Notifications m_notifications;
    Disk m_disk;
    Propagation m_propagation;
    Keyspace m_keyspace;
    ExpiryCycle m_cycle;
    Eviction m_eviction;
    BlockedClients m_blocked;
    Standstill m_standstill;
    ScriptEngine m_scripts;
    std::vector<std::unique_ptr<Client>> m_clients; // by id; null: never seen, or gone
    std::size_t m_clientCount = 0;
    std::int64_t m_sleepMicros = 0; ///< see fallAsleep()
    bool m_outOfMemory = false;
    bool m_full = false;                    ///< by what was told; see Store::setFull()
    bool m_limitChanged = false;            ///< after this command memory must be looked at
    const Command* m_lastCommand = nullptr; ///< what m_lastName called; null: nothing yet
    std::string m_lastName;
    std::set<const Command*> m_called; // since the start, or CONFIG RESETSTAT
    const Command* m_calledLast = nullptr;
    std::vector<ClientId> m_monitors;
    Settings m_settings;
    Statistics m_statistics;
    std::int64_t m_startedAt = 0;
    bool m_held = false; // as a stopped process is
    Replication m_replication;
    Client m_primary; ///< as whom a replica runs its primary's stream
    std::int64_t m_loadedAt = 0;
    bool m_guarded = false; ///< see noteGuards()
    Reply m_reply;
};

} // namespace lockscope::redis
