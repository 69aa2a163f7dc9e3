// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/store.h"

#include <algorithm>
#include <utility>

#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis {

struct Store::Impl {
    explicit Impl(StoreObserver* observer) : server(observer) {}
    Server server;
};

Store::Store(const StoreOptions& options, StoreObserver* observer)
    : m_impl(std::make_unique<Impl>(observer)) {
    m_impl->server.reset(options);
}

Store::~Store() = default;

void Store::reset(const StoreOptions& options) {
    m_impl->server.reset(options);
}

const Reply& Store::execute(ClientId client, std::span<const std::string_view> args, std::int64_t nowMicros) {
    return m_impl->server.execute(client, args, nowMicros);
}

bool Store::hasNoEffectAgain(ClientId client, std::span<const std::string_view> args) const {
    return m_impl->server.hasNoEffectAgain(client, args);
}

void Store::executeAgain(ClientId client, std::span<const std::string_view> args, std::int64_t nowMicros,
                         std::uint64_t times) {
    m_impl->server.executeAgain(client, args, nowMicros, times);
}

void Store::deliverTo(DeliveryPort* port) {
    m_impl->server.outbox().connect(port);
}

void Store::disconnect(ClientId client) {
    m_impl->server.disconnect(client);
}

Store::ClientFacts Store::factsOf(ClientId client) const {
    const Client* known = m_impl->server.findClient(client);
    if (!known) return {.authenticated = m_impl->server.settings().password.empty(), .name = {}};
    return {known->protocol,     !known->is(kUnauthenticated), known->is(kBlocked),
            known->is(kClosing), known->is(kInTransaction),    known->queueBytes,
            known->name};
}

void Store::connect(ClientId client, std::string_view address, std::int64_t nowMicros) {
    m_impl->server.advance(nowMicros);
    m_impl->server.client(client).address = address;
}

void Store::serveAs(const Serving& serving, std::string_view password) {
    Settings settings = m_impl->server.settings();
    settings.address = serving.address;
    settings.port = serving.port;
    settings.clientLimit = serving.clients;
    settings.longestString = std::min(serving.argumentBytes, m_impl->server.options().maxStringBytes);
    settings.queryBytes = serving.queryBytes;
    settings.unreadBytes = serving.unreadBytes;
    settings.needsPassword = serving.needsPassword;
    settings.password = password;
    m_impl->server.configure(std::move(settings));
}

void Store::advance(std::int64_t nowMicros) {
    m_impl->server.advance(nowMicros);
}

void Store::jumpClock(std::int64_t nowMicros, std::int64_t millis) {
    m_impl->server.jumpClock(nowMicros, millis);
}

void Store::hold(std::int64_t nowMicros) {
    m_impl->server.hold(nowMicros);
}

void Store::goOn(std::int64_t nowMicros) {
    m_impl->server.goOn(nowMicros);
}

void Store::streamTo(StreamPort* port) {
    m_impl->server.streamTo(port);
}

void Store::becomeReplica(std::int64_t nowMicros, std::int64_t offset) {
    m_impl->server.becomeReplica(nowMicros, offset);
}

void Store::becomePrimary(std::int64_t nowMicros) {
    m_impl->server.becomePrimary(nowMicros);
}

bool Store::isReplica() const {
    return m_impl->server.replication().isReplica;
}

void Store::applyFromPrimary(std::span<const std::string_view> words, std::int64_t offset,
                             std::int64_t nowMicros) {
    m_impl->server.applyFromPrimary(words, offset, nowMicros);
}

std::int64_t Store::appliedOffset() const {
    return m_impl->server.replication().applied;
}

std::int64_t Store::streamOffset() const {
    return m_impl->server.propagation().offset();
}

void Store::setLink(bool up) {
    m_impl->server.setLink(up);
}

void Store::setReplicas(std::span<const ReplicaLink> replicas, std::int64_t nowMicros) {
    m_impl->server.setReplicas(replicas, nowMicros);
}

std::vector<StoredCommand> Store::contents() const {
    return m_impl->server.keyspace().contents();
}

void Store::replaceContents(std::span<const StoredCommand> commands, std::int64_t nowMicros) {
    m_impl->server.replaceContents(commands, nowMicros);
}

void Store::stop(bool orderly, std::int64_t nowMicros) {
    m_impl->server.stop(orderly, nowMicros);
}

void Store::start(std::int64_t nowMicros, std::int64_t loadedAt) {
    m_impl->server.start(nowMicros, loadedAt);
}

void Store::failSaves(bool fail, std::int64_t nowMicros) {
    m_impl->server.failSaves(fail, nowMicros);
}

std::optional<std::int64_t> Store::nextDeadline() const {
    return m_impl->server.nextInstant();
}

std::int64_t Store::observerTime() const {
    return m_impl->server.keyspace().toldAt();
}

int Store::observerDatabase() const {
    return m_impl->server.keyspace().toldDatabase();
}

std::optional<Store::KeyInfo> Store::peek(std::string_view key, std::int64_t nowMicros, int database) const {
    const Keyspace& keyspace = m_impl->server.keyspace();
    const Entry* entry = keyspace.look(keyspace.database(database), key);
    if (!entry) return std::nullopt;
    std::string scratch;
    KeyInfo info;
    info.type = typeName(entry->value);
    info.encoding = encodingName(*entry);
    info.value = shown(entry->value, scratch);
    info.size = sizeOf(entry->value);
    info.deadline = entry->deadlineOrNone();
    info.dead = entry->deadAt(nowMicros / 1000);
    return info;
}

Store::MemoryUse Store::memoryUse() {
    const Keyspace& keyspace = m_impl->server.keyspace();
    return {m_impl->server.usedMemory(), keyspace.memory().settings().limit, keyspace.evictedKeys()};
}

void Store::setFull(bool full) {
    m_impl->server.setFull(full);
}

void Store::evict(std::string_view key, std::int64_t nowMicros) {
    m_impl->server.evict(key, nowMicros);
}

bool Store::canGrant(std::span<const std::string_view> args) const {
    if (args.size() > 1 && equalsIgnoringCase(args[0], "evalsha")) {
        const Script* script = m_impl->server.scripts().find(args[1]);
        return script && script->effects.canGrant();
    }
    if (args.size() > 1 && equalsIgnoringCase(args[0], "eval"))
        if (const Script* script = m_impl->server.scripts().peek(args[1])) return script->effects.canGrant();
    return redis::canGrant(args);
}

bool hasOneReply(std::span<const std::string_view> args) {
    const Command* command = resolveCommand(args);
    if (!command) return true;
    const auto handler = command->handler;
    if (handler == commands::clientReply) return args.size() != 3 || equalsIgnoringCase(args[2], "on");
    return handler != commands::monitor && handler != commands::subscribe &&
           handler != commands::unsubscribe && handler != commands::pSubscribe &&
           handler != commands::pUnsubscribe;
}

bool Store::strained() const {
    return m_impl->server.scripts().strained();
}

} // namespace lockscope::redis
