// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/redis/commands.h"
#include "core/redis/server.h"

// What a server does with its connections beside running their commands.

namespace lockscope::redis {

namespace {

/// As redis-cli would show it, between double quotes.
void appendQuoted(std::string& line, std::string_view word) {
    line += ' ';
    line += display(Reply::bulk(std::string(word)), word.size());
}

} // namespace

void Server::endReply(Client& client) {
    const bool next = client.is(kSkipNextReply);
    client.state &= ~(kSkipThisReply | kSkipNextReply);
    if (next) client.state |= kSkipThisReply;
}

void Server::kill(Client& client, const Client& by) {
    if (&client == &by) {
        client.state |= kClosing;
        return;
    }
    m_outbox.hangUp(client);
    disconnect(client.id);
}

void Server::resetClient(Client& client) {
    discardTransaction(client);
    m_pubsub.forget(client);
    std::erase(m_monitors, client.id);
    client.name.clear();
    client.database = 0;
    client.protocol = Protocol::Resp2;
    client.state &=
        ~(kMonitoring | kSilent | kSkipNextReply | kNoTouch); // a reply that is to be skipped still is
    if (!m_settings.password.empty()) client.state |= kUnauthenticated;
}

void Server::monitor(Client& client) {
    if (client.is(kMonitoring)) return;
    client.state |= kMonitoring;
    m_monitors.push_back(client.id);
}

void Server::tellMonitors(const Client& client, const Command& command,
                          std::span<const std::string_view> args, bool fromScript) {
    if (m_monitors.empty()) return;
    if (command.has(kAdmin)) return;
    const std::int64_t now = m_keyspace.clockMicros();
    std::string line = fmt::format("{}.{:06} [{} {}]", now / 1'000'000, now % 1'000'000, client.database,
                                   fromScript ? "lua" : client.address);
    const bool secret = command.handler == commands::auth || command.handler == commands::hello;
    for (std::size_t i = 0; i < args.size(); ++i)
        appendQuoted(line, secret && i > 0 ? "(redacted)" : args[i]);
    const Reply reply = Reply::status(std::move(line));
    for (const ClientId id : m_monitors)
        if (id != client.id || fromScript) m_outbox.send(*m_clients[id], reply);
}

void Server::configure(Settings settings) {
    if (settings.hz != m_settings.hz) m_cycle.setRate(settings.hz, m_keyspace.clockMicros());
    if (settings.memory != m_settings.memory) {
        m_keyspace.configureMemory(settings.memory);
        m_limitChanged = settings.memory.limit != 0;
        m_outOfMemory = m_outOfMemory && m_limitChanged;
    }
    m_settings = std::move(settings);
    m_disk.configure(m_settings.persistence);
    noteGuards();
    m_notifications.configure(m_settings.notifications);
}

void Server::setFull(bool full) {
    m_full = full;
    m_outOfMemory = m_outOfMemory && full;
}

void Server::evict(std::string_view key, std::int64_t nowMicros) {
    advance(nowMicros);
    m_keyspace.tellAt(nowMicros);
    if (Entry* const entry = m_keyspace.look(m_keyspace.database(0), key))
        m_keyspace.remove(*entry, Removal::Evicted);
    m_propagation.flush(false, nowMicros);
}

void Server::resetStatistics() {
    m_called.clear();
    m_calledLast = nullptr;
    m_statistics = {0, m_keyspace.expiredKeys(), m_keyspace.evictedKeys(), m_keyspace.hits(),
                    m_keyspace.misses()};
}

} // namespace lockscope::redis
