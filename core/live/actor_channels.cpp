// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The channels that an actor's tasks listen to. Each has a connection of its own: made when its SUBSCRIBE is
// sent, closed when the task is done with it, and not made again when it is lost.
#include <array>

#include "core/live/actor_loop.h"
#include "core/world/shown_text.h"

namespace lockscope::live {

namespace {

constexpr std::size_t kLongestMessage = 120; // bytes of a channel or a message in a trace

redis::Reply confirmationOf(const QByteArray& channel, qint64 open) {
    redis::Reply reply;
    reply.becomeArray();
    reply.items.resize(3);
    reply.items[0].becomeBulk("subscribe");
    reply.items[1].becomeBulk({channel.data(), static_cast<std::size_t>(channel.size())});
    reply.items[2].becomeInteger(open);
    return reply;
}

} // namespace

void ActorLoop::subscribe(RequestIndex request, const Command& command, const Wake& wake,
                          unsigned subscription) {
    const auto flight = newFlight(request, wake);
    flight->subscription = subscription;
    if (m_listeners.size() <= subscription) m_listeners.resize(subscription + 1);
    m_listeners[subscription].node = flight->node;
    launch(flight, command);
}

/// Sends the SUBSCRIBE as soon as its connection is there.
void ActorLoop::listen(const std::shared_ptr<Flight>& flight, const std::vector<std::string>& args) {
    const unsigned number = flight->subscription;
    Listener& listener = m_listeners[number];
    listener.connection = std::make_unique<RedisConnection>();
    RedisConnection* connection = listener.connection.get();
    connect(connection, &RedisConnection::ready, this, [this, flight, args, connection] {
        m_sendings.push_back({flight->request, now(), args, flight->subscription, connection->localName()});
        report();
        const std::vector<std::string_view> words(args.begin(), args.end());
        connection->sendSubscription(words);
    });
    connect(connection, &RedisConnection::subscriptionChanged, this,
            [this, flight](const QByteArray& channel, bool subscribed, qint64 open) {
                if (!subscribed) return;
                m_listeners[flight->subscription].confirmed = true;
                const redis::Reply reply = confirmationOf(channel, open);
                onResult(flight, {CallResult::Outcome::Replied, &reply});
            });
    connect(connection, &RedisConnection::subscriptionRefused, this, [this, flight](const QByteArray& error) {
        const redis::Reply reply = redis::Reply::error(error.toStdString());
        closeListener(flight->subscription);
        onResult(flight, {CallResult::Outcome::Replied, &reply});
    });
    connect(connection, &RedisConnection::message, this,
            [this, number](const QByteArray&, const QByteArray& channel, const QByteArray& text) {
                onMessage(number, channel, text);
            });
    connect(connection, &RedisConnection::failed, this, [this, flight] { onListenerLost(flight); });
    connection->open(m_order.nodes[static_cast<std::size_t>(listener.node)]);
}

void ActorLoop::onMessage(unsigned subscription, const QByteArray& channel, const QByteArray& text) {
    const Duration latency = m_order.spec.replyLatency;
    if (latency <= kOwnLatency) return deliverMessage(subscription, channel, text);
    later(latency, [this, subscription, channel, text] { deliverMessage(subscription, channel, text); });
}

void ActorLoop::deliverMessage(unsigned subscription, const QByteArray& channel, const QByteArray& text) {
    if (over() || !m_listeners[subscription].connection) return;
    noteStop(); // what begins now must not be taken for having been stopped
    const std::string_view bytes(text.data(), static_cast<std::size_t>(text.size()));
    const StringId shown = internShown(m_trace, bytes, kLongestMessage);
    Event& event = m_trace.events.emplace_back();
    event.at = now();
    event.kind = cutOff() ? EventKind::MessageLost : EventKind::MessageReceived;
    event.actor = 0;
    event.process = 0;
    event.node = m_listeners[subscription].node;
    event.text =
        internShown(m_trace, {channel.data(), static_cast<std::size_t>(channel.size())}, kLongestMessage);
    event.text2 = shown;
    if (event.kind == EventKind::MessageReceived) {
        m_runtime.box().refill();
        const Turn turn(*this);
        m_scheduler.hear(subscription, bytes, shown);
    }
    report();
    armTimer();
}

/// Before it was confirmed nobody knows what came of the SUBSCRIBE; afterwards nothing more will come.
void ActorLoop::onListenerLost(const std::shared_ptr<Flight>& flight) {
    const bool confirmed = m_listeners[flight->subscription].confirmed;
    closeListener(flight->subscription);
    if (!confirmed) return onResult(flight, {CallResult::Outcome::Lost, nullptr});
    if (over()) return;
    m_runtime.box().refill();
    {
        const Turn turn(*this);
        m_scheduler.loseSubscription(flight->subscription);
    }
    report();
    armTimer();
}

void ActorLoop::unsubscribe(unsigned subscription) {
    closeListener(subscription);
}

void ActorLoop::closeListener(unsigned subscription) {
    Listener& listener = m_listeners[subscription];
    if (!listener.connection) return;
    m_leavings.push_back({subscription, listener.node, now()});
    listener.connection.reset();
}

} // namespace lockscope::live
