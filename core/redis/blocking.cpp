// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/blocking.h"

#include <algorithm>
#include <cmath>

#include "core/redis/collection_steps.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis {

void BlockedClients::add(Client& client, std::unique_ptr<Blocked> what) {
    if (what->deadline != 0) m_firstDeadline = std::min(m_firstDeadline, what->deadline);
    client.blocked = std::move(what);
    client.state |= kBlocked;
    m_clients.push_back(&client);
}

void BlockedClients::forget(Client& client) {
    if (!client.is(kBlocked)) return;
    std::erase(m_clients, &client);
    client.blocked.reset();
    client.state &= ~kBlocked;
    findFirstDeadline();
}

void BlockedClients::clear() {
    m_clients.clear();
    m_came.clear();
    m_firstDeadline = kNever;
}

void BlockedClients::findFirstDeadline() {
    m_firstDeadline = kNever;
    for (const Client* client : m_clients)
        if (client->blocked->deadline != 0)
            m_firstDeadline = std::min(m_firstDeadline, client->blocked->deadline);
}

/// From here on what happens is the waiting client's doing; answer() ends that.
void BlockedClients::begin(const Client& client) {
    if (m_observer) m_observer->onServing(client.id);
}

void BlockedClients::answer(Client& client, const Reply& reply) {
    forget(client);
    m_outbox.send(client, reply);
    m_server.endReply(client);
    if (m_observer) m_observer->onServed(client.id);
}

void BlockedClients::serve() {
    while (!m_came.empty()) {
        const std::vector<std::pair<int, std::string>> came = std::exchange(m_came, {});
        for (const auto& [database, key] : came) {
            for (Client* client : std::vector(m_clients)) {
                const Blocked* blocked = client->blocked.get();
                const bool waitsForIt = blocked && blocked->database == database &&
                                        std::ranges::find(blocked->keys, key) != blocked->keys.end();
                if (waitsForIt) serveOne(*client, key);
            }
        }
    }
}

/// Gives the client what lies under the key, if it is of the type that it waits for.
void BlockedClients::serveOne(Client& client, const std::string& key) {
    const Blocked& blocked = *client.blocked;
    const Command& command = *findCommand("lpop"); // for what a call asks of its command: none of it applies
    Reply reply;
    Call call{m_server, m_server.keyspace(), client, command, {}, reply};
    Database& home = m_server.keyspace().database(blocked.database);
    const Found found = m_server.keyspace().find(home, key);
    if (!found) return;
    Propagation& propagation = m_server.propagation();
    if (blocked.kind == Blocked::Kind::PopSortedSet) {
        if (!valueAs<SortedSet>(found.entry->value)) return;
        begin(client);
        if (propagation.isOn())
            propagation.also(blocked.database, {blocked.highest ? "ZPOPMAX" : "ZPOPMIN", key});
        popScored(call, key, found, blocked.highest);
    } else {
        if (!valueAs<List>(found.entry->value)) return;
        begin(client);
        const std::uint64_t changes = m_server.keyspace().changes();
        const Blocked waited = blocked; // what follows ends the waiting
        if (waited.kind == Blocked::Kind::PopList)
            popItem(call, key, found, waited.from);
        else
            moveItem(call, found, waited.target, waited.from, waited.to);
        if (propagation.isOn() && m_server.keyspace().changes() != changes) propagate(waited, key);
    }
    answer(client, reply);
}

/// What a client got that had waited, in the words of the command that does not.
void BlockedClients::propagate(const Blocked& waited, const std::string& key) {
    const auto name = [](ListEnd end) { return end == ListEnd::Left ? "left" : "right"; };
    Propagation& propagation = m_server.propagation();
    if (waited.kind == Blocked::Kind::PopList)
        propagation.also(waited.database, {waited.from == ListEnd::Left ? "LPOP" : "RPOP", key});
    else
        propagation.also(waited.database, {"LMOVE", key, waited.target, name(waited.from), name(waited.to)});
}

void BlockedClients::timeOut(UnixMillis millis) {
    for (Client* client : std::vector(m_clients)) {
        if (!client->blocked || client->blocked->deadline == 0 || client->blocked->deadline > millis)
            continue;
        endWaiting(*client);
    }
}

void BlockedClients::jumpClock(std::int64_t millis) {
    for (Client* client : m_clients) {
        UnixMillis& deadline = client->blocked->deadline;
        UnixMillis moved = 0;
        if (deadline != 0 && !__builtin_sub_overflow(deadline, millis, &moved))
            deadline = std::max<UnixMillis>(moved, 1);
    }
    findFirstDeadline();
}

/// With the reply that says that nothing came.
void BlockedClients::endWaiting(Client& client) {
    begin(client);
    Reply reply;
    if (client.blocked->kind == Blocked::Kind::Replicas)
        reply.becomeInteger(m_server.replication().acknowledged(client.blocked->offset));
    else
        reply.become(Reply::Type::NullArray);
    answer(client, reply);
}

bool BlockedClients::giveUp(std::int64_t id, bool asError) {
    const auto found =
        std::ranges::find_if(m_clients, [&](const Client* client) { return client->id == id; });
    if (found == m_clients.end()) return false;
    if (!asError) {
        endWaiting(**found);
        return true;
    }
    begin(**found);
    answer(**found, Reply::error("UNBLOCKED client unblocked via CLIENT UNBLOCK"));
    return true;
}

void BlockedClients::endAll(std::string_view error) {
    for (Client* client : std::vector(m_clients)) {
        begin(*client);
        answer(*client, Reply::error(std::string(error)));
    }
}

void BlockedClients::acknowledged() {
    for (Client* client : std::vector(m_clients)) {
        const Blocked& blocked = *client->blocked;
        if (blocked.kind != Blocked::Kind::Replicas ||
            m_server.replication().acknowledged(blocked.offset) < blocked.replicas)
            continue;
        endWaiting(*client);
    }
}

std::optional<UnixMillis> timeoutArg(const Call& call, std::size_t index) {
    const std::optional<long double> seconds = parseLongDouble(call.arg(index));
    if (!seconds) {
        call.reply.becomeError("ERR timeout is not a float or out of range");
        return std::nullopt;
    }
    const long double millis = std::ceil(*seconds * 1000);
    // More than can be counted turns negative in Redis.
    if (millis < 0 || millis >= 9223372036854775808.0L) {
        call.reply.becomeError("ERR timeout is negative");
        return std::nullopt;
    }
    return deadlineAfter(call, static_cast<UnixMillis>(millis));
}

UnixMillis deadlineAfter(const Call& call, UnixMillis millis) {
    UnixMillis deadline = 0;
    if (millis == 0 || __builtin_add_overflow(millis, call.keyspace.clockMillis(), &deadline)) return 0;
    return deadline;
}

} // namespace lockscope::redis
