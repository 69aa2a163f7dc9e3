// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/server.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/redis/commands.h"
#include "core/redis/memory_model.h"
#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr ClientId kMostClients = 1u << 20;
constexpr std::size_t kShownName = 128;
constexpr std::size_t kShownArguments = 128;

/// What Redis says about a name that it does not know.
std::string unknownCommand(std::span<const std::string_view> args, Profile profile) {
    // Only a subcommand can be unknown of a name that is known.
    const Command* container = findCommand(args[0]);
    if (container && isIn(*container, profile) && args[0].find('|') == std::string_view::npos)
        return errors::onOneLine(fmt::format("ERR unknown subcommand '{}'. Try {} HELP.",
                                             errors::printed(args[1], kShownName), raised(args[0])));
    std::string shown;
    for (std::size_t i = 1; i < args.size() && shown.size() < kShownArguments; ++i)
        shown += fmt::format("'{}' ", errors::printed(args[i], kShownArguments - shown.size()));
    return errors::onOneLine(fmt::format("ERR unknown command '{}', with args beginning with: {}",
                                         errors::printed(args[0], kShownName), shown));
}

bool goesWithSubscriptions(const Command& command) {
    const auto handler = command.handler;
    return handler == commands::ping || handler == commands::subscribe || handler == commands::unsubscribe ||
           handler == commands::pSubscribe || handler == commands::pUnsubscribe ||
           handler == commands::quit || handler == commands::reset;
}

/// Runs at once also between MULTI and EXEC.
bool controlsTransaction(const Command& command) {
    const auto handler = command.handler;
    return handler == commands::exec || handler == commands::discard || handler == commands::multi ||
           handler == commands::watch || handler == commands::quit || handler == commands::reset;
}

} // namespace

void Server::reset(const StoreOptions& options) {
    m_options = options;
    m_keyspace.reset(options.seed);
    m_keyspace.configureMemory(options.memory);
    m_cycle.reset(options);
    m_eviction.reset(options.seed);
    m_scripts.reset(options.scriptLimits, options.profile);
    m_pubsub.clear();
    m_blocked.clear();
    m_standstill.clear();
    m_held = false;
    m_monitors.clear();
    m_statistics = {};
    m_startedAt = 0;
    m_settings = {};
    m_settings.hz = options.hz;
    m_settings.memory = options.memory;
    m_notifications.configure(options.notifications);
    m_settings.notifications =
        Notifications::lettersOf(Notifications::classesOf(options.notifications).value_or(0));
    m_clients.clear();
    m_clientCount = 0;
    m_outOfMemory = m_limitChanged = m_full = false;
    m_called.clear();
    m_calledLast = nullptr;
    m_lastCommand = nullptr;
    m_reply.becomeNull();
    m_replication.clear();
    m_propagation.reset();
    m_disk.reset(options.persistence, 0);
    m_propagation.connect(m_propagation.port(), &m_disk);
    m_settings.persistence = options.persistence;
    m_settings.longestString = options.maxStringBytes;
    m_settings.debugCommand = options.debugCommand;
    m_sleepMicros = 0;
    m_settings.minReplicasToWrite = options.minReplicasToWrite;
    m_settings.minReplicasMaxLag = options.minReplicasMaxLag;
    m_loadedAt = 0;
    noteGuards();
}

void Server::advance(std::int64_t nowMicros) {
    LOCKSCOPE_ASSERT(nowMicros >= m_keyspace.clockMicros());
    while (lastQuietMillis() < nowMicros / 1000) {
        const UnixMillis over = lastQuietMillis();
        const std::int64_t instant = std::max((over + 1) * 1000, m_keyspace.clockMicros());
        m_cycle.advance(m_keyspace, instant);
        m_keyspace.setClock(instant);
        m_keyspace.tellAt(instant);
        if (m_disk.nextSave(m_keyspace.changes()) == (over + 1) * 1000)
            save();
        else if (m_standstill.lastMillis() == over)
            m_standstill.pass();
        else
            m_blocked.timeOut(over);
        m_blocked.serve();
    }
    m_cycle.advance(m_keyspace, nowMicros);
    m_keyspace.setClock(nowMicros);
    m_propagation.flush(false, nowMicros);
}

std::optional<std::int64_t> Server::nextInstant() const {
    const std::optional<std::int64_t> next = m_cycle.nextInstant(m_keyspace);
    const UnixMillis quiet = lastQuietMillis();
    if (quiet >= kNeverMicros / 1000) return next;
    const std::int64_t then = std::max((quiet + 1) * 1000, m_keyspace.clockMicros());
    return next ? std::min(*next, then) : then;
}

UnixMillis Server::lastQuietMillis() const {
    if (m_held) return BlockedClients::kNever;
    UnixMillis last = m_standstill.lastMillis();
    if (!m_standstill.isOccupied()) last = std::min(last, m_blocked.firstDeadline());
    if (!m_settings.persistence.savePoints.empty())
        if (const std::optional<std::int64_t> save = m_disk.nextSave(m_keyspace.changes()))
            last = std::min(last, *save / 1000 - 1);
    return last;
}

void Server::jumpClock(std::int64_t nowMicros, std::int64_t millis) {
    advance(nowMicros);
    m_keyspace.tellAt(nowMicros);
    m_keyspace.jumpClock(millis);
    m_blocked.jumpClock(millis);
    m_standstill.jumpClock(millis);
}

void Server::hold(std::int64_t nowMicros) {
    advance(nowMicros);
    m_cycle.hold();
    m_held = true;
}

void Server::goOn(std::int64_t nowMicros) {
    advance(nowMicros);
    if (!m_standstill.any()) m_cycle.goOn(nowMicros);
    m_held = false;
}

void Server::keepDeadKeys(bool keep) {
    keep = keep || m_replication.isReplica;
    if (keep == m_keyspace.keepsDeadKeys()) return;
    m_keyspace.keepDeadKeys(keep);
    if (keep)
        m_cycle.hold();
    else if (!m_held)
        m_cycle.goOn(m_keyspace.clockMicros());
}

const Reply& Server::execute(ClientId id, std::span<const std::string_view> args, std::int64_t nowMicros) {
    LOCKSCOPE_ASSERT(!args.empty());
    advance(nowMicros);
    if (m_startedAt == 0) noteStarted(nowMicros);
    m_keyspace.tellAt(nowMicros);
    Client& caller = client(id);
    LOCKSCOPE_ASSERT(!caller.is(kBlocked)); // what it sends waits with whoever serves it
    if (m_standstill.isDeaf()) {
        m_standstill.putOff(caller, args, m_reply);
        return m_reply;
    }
    dispatch(caller, args, m_reply);
    if ((caller.state & (kSilent | kSkipNextReply | kSkipThisReply)) != 0 && !caller.is(kBlocked)) {
        if (caller.is(kSilent) || caller.is(kSkipThisReply)) m_reply.become(Reply::Type::None);
        endReply(caller);
    }
    m_propagation.flush(true, nowMicros);
    if (m_blocked.mustServe()) {
        m_blocked.serve();
        m_propagation.flush(true, nowMicros);
    }
    if (m_propagation.isOn()) caller.writtenUpTo = m_propagation.offset();
    if (std::exchange(m_limitChanged, false) && m_options.eviction) {
        usedMemory();
        m_eviction.makeRoom(m_keyspace);
    }
    m_keyspace.shrinkTables(m_keyspace.database(caller.database));
    return m_reply;
}

void Server::dispatch(Client& client, std::span<const std::string_view> args, Reply& reply) {
    const Command* command = resolve(args);
    if (!command) return refuse(client, nullptr, unknownCommand(args, m_options.profile), reply);
    if (!command->takes(args.size()) || command->isContainer())
        return refuse(client, command, errors::wrongArity(*command), reply);
    client.lastCommand = command;
    client.lastCommandAt = m_keyspace.clockMicros();
    if (client.is(kUnauthenticated) && !command->has(kNoAuth))
        return refuse(client, command, "NOAUTH Authentication required.", reply);
    if ((m_settings.memory.limit != 0 || m_full) && !m_standstill.any() && !m_replication.isReplica &&
        !makeRoom(client, *command, args, reply))
        return;
    if (m_guarded && !permits(client, *command, reply)) return;
    if ((client.state != 0 || m_standstill.any()) && !admit(client, *command, args, reply)) return;
    run(client, *command, args, reply);
    if (m_sleepMicros > 0) m_standstill.sleep(client, std::exchange(m_sleepMicros, 0), reply);
}

void Server::setActiveExpiry(bool on) {
    m_cycle.setActive(on);
    if (on && !m_held && !m_keyspace.keepsDeadKeys()) m_cycle.goOn(m_keyspace.clockMicros());
}

std::size_t Server::usedMemory() {
    const std::size_t idle = m_clientCount > 1 ? m_clientCount - 1 : 0;
    m_keyspace.memory().setElsewhere(kEmptyServer + kTalkingClient + idle * kIdleClient +
                                     m_called.size() * kCalledCommand + m_scripts.memory());
    return m_keyspace.usedMemory();
}

/// Keys are dropped whatever the command is; it is refused only if it could make matters worse.
bool Server::makeRoom(Client& client, const Command& command, std::span<const std::string_view> args,
                      Reply& reply) {
    usedMemory();
    m_outOfMemory = m_options.eviction ? !m_eviction.makeRoom(m_keyspace) : m_full;
    m_propagation.flush(false, m_keyspace.clockMicros());
    if (!m_outOfMemory || !couldTakeMemory(client, command, args)) return true;
    refuse(client, &command, errors::kOutOfMemory, reply);
    return false;
}

bool Server::couldTakeMemory(const Client& client, const Command& command,
                             std::span<const std::string_view> args) {
    if (command.has(kDenyOom) || m_scripts.couldTakeMemory(args)) return true;
    if (!client.is(kInTransaction)) return false;
    // A queue takes memory too, whatever is in it.
    if (!controlsTransaction(command)) return factsOf(m_options.profile).refusesToQueueWhenFull;
    return command.handler == commands::exec &&
           std::ranges::any_of(client.queue, [&](const KeptCommand& kept) {
               const std::vector<std::string_view> words(kept.begin(), kept.end());
               return resolveCommand(words)->has(kDenyOom) || m_scripts.couldTakeMemory(words);
           });
}

const Command* Server::known(std::span<const std::string_view> args) const {
    const Command* command = resolveCommand(args);
    return command && isIn(*command, m_options.profile) ? command : nullptr;
}

/// As known(). Mostly it is the command that was called last, by the same name.
const Command* Server::resolve(std::span<const std::string_view> args) {
    if (m_lastCommand && args[0] == m_lastName) return m_lastCommand;
    const Command* command = known(args);
    // Where there are subcommands the next word decides.
    const bool byNameAlone = command && !hasSubcommands(*command) && command->name.size() == args[0].size();
    m_lastCommand = byNameAlone ? command : nullptr;
    if (m_lastCommand) m_lastName = args[0];
    return command;
}

void Server::run(Client& client, const Command& command, std::span<const std::string_view> args,
                 Reply& reply) {
    noteCalled(command);
    Call call{*this, m_keyspace, client, command, args, reply};
    const std::uint64_t changes = m_keyspace.changes();
    command.handler(call);
    if (m_propagation.isOn())
        m_propagation.ran(client.database, args, command.has(kWrite) && m_keyspace.changes() != changes);
    ++m_statistics.commands; // INFO does not count itself
    if (!command.has(kSkipMonitor)) tellMonitors(client, command, args, false);
}

bool Server::admit(Client& client, const Command& command, std::span<const std::string_view> args,
                   Reply& reply) {
    if (client.is(kSubscribed) && client.protocol == Protocol::Resp2 && !goesWithSubscriptions(command)) {
        refuse(client, &command,
               fmt::format("ERR Can't execute '{}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / "
                           "RESET are allowed in this context",
                           command.name),
               reply);
        return false;
    }
    if (m_standstill.any() && !m_standstill.admits(client, command, args, reply)) return false;
    if (client.is(kInTransaction) && command.has(kNoMulti)) {
        refuse(client, &command, "ERR Command not allowed inside a transaction", reply);
        return false;
    }
    if (client.is(kInTransaction) && !controlsTransaction(command)) {
        client.queue.emplace_back(args.begin(), args.end());
        client.queueBytes += sizeof(KeptCommand) + args.size() * sizeof(std::string);
        for (const std::string_view arg : args)
            client.queueBytes += arg.size();
        reply.becomeStatus("QUEUED");
        return false;
    }
    return true;
}

void Server::refuse(Client& client, const Command* command, std::string_view error, Reply& reply) {
    if (client.is(kInTransaction)) client.state |= kDirtyQueue;
    if (!command || command->handler != commands::exec) return reply.becomeError(error);
    discardTransaction(client);
    if (error.starts_with("ERR ")) error.remove_prefix(4);
    reply.becomeError(fmt::format("EXECABORT Transaction discarded because of: {}", error));
}

void Server::runTransaction(Client& client, Reply& reply) {
    const std::vector<KeptCommand> queue = std::exchange(client.queue, {});
    discardTransaction(client);
    client.state |= kExecuting;
    reply.becomeArray();
    client.inlined = &reply.items;
    for (const KeptCommand& kept : queue) {
        const std::vector<std::string_view> args(kept.begin(), kept.end());
        Reply item;
        run(client, *resolveCommand(args), args, item);
        if (item.type != Reply::Type::None) reply.items.push_back(std::move(item));
    }
    client.inlined = nullptr;
    client.state &= ~kExecuting;
    if (reply.items.size() > queue.size()) m_outbox.sendInParts(client, reply, queue.size());
}

void Server::discardTransaction(Client& client) {
    client.queue.clear();
    client.queueBytes = 0;
    client.state &= ~(kInTransaction | kDirtyQueue | kDirtyKeys);
    m_keyspace.watches().removeAllOf(client);
}

void Server::executeFromScript(Client& client, std::span<const std::string_view> args, ScriptRights& rights,
                               Reply& reply) {
    const Command* command = known(args);
    if (!command) return reply.becomeError("ERR Unknown Redis command called from script");
    if (!command->takes(args.size()) || command->isContainer())
        return reply.becomeError("ERR Wrong number of args calling Redis command from script");
    if (command->has(kNoScript))
        return reply.becomeError("ERR This Redis command is not allowed from script");
    if (command->has(kWrite) && !rights.mayWrite)
        return reply.becomeError("ERR Write commands are not allowed from read-only scripts.");
    if (command->has(kWrite) && m_guarded && !rights.hasWritten)
        if (const std::string_view refusal = writesRefused(); !refusal.empty())
            return reply.becomeError(refusal);
    // A script that has written goes on: half of it would be worse.
    if (command->has(kDenyOom) && m_outOfMemory && !rights.mayTakeMemory && !rights.hasWritten)
        return reply.becomeError(errors::kOutOfMemory);
    if (command->has(kWrite)) rights.hasWritten = true;
    tellMonitors(client, *command, args, true);
    noteCalled(*command);
    Call call{*this, m_keyspace, client, *command, args, reply};
    const std::uint64_t changes = m_keyspace.changes();
    command->handler(call);
    if (m_propagation.isOn())
        m_propagation.ran(client.database, args, command->has(kWrite) && m_keyspace.changes() != changes);
    ++m_statistics.commands;
}

Client& Server::client(ClientId id) {
    LOCKSCOPE_ASSERT(id < kMostClients);
    if (id >= m_clients.size()) m_clients.resize(id + 1);
    std::unique_ptr<Client>& known = m_clients[id];
    if (!known) {
        known = std::make_unique<Client>();
        ++m_clientCount;
        known->id = id;
        known->connectedAt = known->lastCommandAt = m_keyspace.clockMicros();
        if (!m_settings.password.empty()) known->state |= kUnauthenticated;
    }
    return *known;
}

const Client* Server::findClient(ClientId id) const {
    return id < m_clients.size() ? m_clients[id].get() : nullptr;
}

void Server::disconnect(ClientId id) {
    if (!findClient(id)) return;
    resetClient(*m_clients[id]);
    m_blocked.forget(*m_clients[id]);
    m_standstill.forget(*m_clients[id]);
    m_clients[id].reset();
    --m_clientCount;
}

} // namespace lockscope::redis
