// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/pubsub.h"

#include <algorithm>

#include "core/redis/glob.h"

namespace lockscope::redis {

void PubSub::add(Listeners& listeners, std::vector<std::string>& own, Client& client, std::string_view name) {
    if (std::ranges::find(own, name) != own.end()) return;
    own.emplace_back(name);
    listeners[std::string(name)].push_back(&client);
    client.state |= kSubscribed;
}

void PubSub::remove(Listeners& listeners, std::vector<std::string>& own, Client& client,
                    std::string_view name) {
    const auto place = std::ranges::find(own, name);
    if (place == own.end()) return;
    own.erase(place);
    const auto found = listeners.find(name);
    std::erase(found->second, &client);
    if (found->second.empty()) listeners.erase(found);
    if (client.subscriptions() == 0) client.state &= ~kSubscribed;
}

void PubSub::confirm(Client& client, std::string_view kind, const std::string_view* name) {
    Reply reply;
    reply.become(Reply::Type::Push).items.resize(3);
    reply.items[0].becomeBulk(kind);
    if (name) reply.items[1].becomeBulk(*name);
    reply.items[2].becomeInteger(client.subscriptions());
    m_outbox.send(client, reply);
}

void PubSub::subscribe(Client& client, std::string_view channel) {
    add(m_channels, client.channels, client, channel);
    confirm(client, "subscribe", &channel);
}

void PubSub::unsubscribe(Client& client, std::string_view channel) {
    remove(m_channels, client.channels, client, channel);
    confirm(client, "unsubscribe", &channel);
}

void PubSub::subscribeToPattern(Client& client, std::string_view pattern) {
    add(m_patterns, client.patterns, client, pattern);
    confirm(client, "psubscribe", &pattern);
}

void PubSub::unsubscribeFromPattern(Client& client, std::string_view pattern) {
    remove(m_patterns, client.patterns, client, pattern);
    confirm(client, "punsubscribe", &pattern);
}

void PubSub::forget(Client& client) {
    while (!client.channels.empty())
        remove(m_channels, client.channels, client, std::string(client.channels.back()));
    while (!client.patterns.empty())
        remove(m_patterns, client.patterns, client, std::string(client.patterns.back()));
}

void PubSub::clear() {
    m_channels.clear();
    m_patterns.clear();
}

std::int64_t PubSub::publish(std::string_view channel, std::string_view message) {
    std::int64_t sent = 0;
    if (const auto found = m_channels.find(channel); found != m_channels.end()) {
        m_message.become(Reply::Type::Push).items.resize(3);
        m_message.items[0].becomeBulk("message");
        m_message.items[1].becomeBulk(channel);
        m_message.items[2].becomeBulk(message);
        for (const Client* client : found->second)
            m_outbox.send(*client, m_message);
        sent += static_cast<std::int64_t>(found->second.size());
    }
    for (const auto& [pattern, clients] : m_patterns) {
        if (!matchesGlob(pattern, channel)) continue;
        m_message.become(Reply::Type::Push).items.resize(4);
        m_message.items[0].becomeBulk("pmessage");
        m_message.items[1].becomeBulk(pattern);
        m_message.items[2].becomeBulk(channel);
        m_message.items[3].becomeBulk(message);
        for (const Client* client : clients)
            m_outbox.send(*client, m_message);
        sent += static_cast<std::int64_t>(clients.size());
    }
    return sent;
}

} // namespace lockscope::redis
