// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/blocking.h"

#include <algorithm>
#include <cmath>

#include "core/redis/list_steps.h"
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

void BlockedClients::answer(Client& client, const Reply& reply) {
    std::vector<KeptCommand> unread = std::move(client.blocked->unread);
    forget(client);
    m_outbox.send(client, reply);
    m_server.endReply(client);
    readOn(client, std::move(unread));
}

/// What a client sent while it waited. It may come to wait again over that.
void BlockedClients::readOn(Client& client, std::vector<KeptCommand> unread) {
    for (KeptCommand& command : unread) {
        if (client.is(kBlocked)) {
            client.blocked->unread.push_back(std::move(command));
            continue;
        }
        Reply reply;
        m_server.dispatch(client, std::vector<std::string_view>(command.begin(), command.end()), reply);
        m_outbox.send(client, reply);
        if (!client.is(kBlocked)) m_server.endReply(client);
    }
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
bool BlockedClients::serveOne(Client& client, const std::string& key) {
    const Blocked& blocked = *client.blocked;
    const Command& command = *findCommand("lpop"); // for what a call asks of its command: none of it applies
    Reply reply;
    Call call{m_server, m_server.keyspace(), client, command, {}, reply};
    Database& home = m_server.keyspace().database(blocked.database);
    const Found found = m_server.keyspace().find(home, key);
    if (!found) return false;
    if (blocked.kind == Blocked::Kind::PopSortedSet) {
        if (!valueAs<SortedSet>(found.entry->value)) return false;
        popScored(call, key, found, blocked.highest);
    } else {
        if (!valueAs<List>(found.entry->value)) return false;
        if (blocked.kind == Blocked::Kind::PopList)
            popItem(call, key, found, blocked.from);
        else
            moveItem(call, found, blocked.target, blocked.from, blocked.to);
    }
    answer(client, reply);
    return true;
}

void BlockedClients::timeOut(UnixMillis millis) {
    for (Client* client : std::vector(m_clients)) {
        if (!client->blocked || client->blocked->deadline == 0 || client->blocked->deadline > millis)
            continue;
        endWaiting(*client);
    }
}

/// With the reply that says that nothing came.
void BlockedClients::endWaiting(Client& client) {
    Reply reply;
    if (client.blocked->kind == Blocked::Kind::Replicas)
        reply.becomeInteger(0);
    else
        reply.become(Reply::Type::NullArray);
    answer(client, reply);
}

bool BlockedClients::giveUp(std::int64_t id, bool asError) {
    const auto found =
        std::ranges::find_if(m_clients, [&](const Client* client) { return client->id == id; });
    if (found == m_clients.end()) return false;
    if (asError)
        answer(**found, Reply::error("UNBLOCKED client unblocked via CLIENT UNBLOCK"));
    else
        endWaiting(**found);
    return true;
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
    UnixMillis deadline = static_cast<UnixMillis>(millis);
    if (deadline == 0) return 0;
    if (__builtin_add_overflow(deadline, call.keyspace.clockMillis(), &deadline)) {
        call.reply.becomeError("ERR timeout is out of range");
        return std::nullopt;
    }
    return deadline;
}

} // namespace lockscope::redis
