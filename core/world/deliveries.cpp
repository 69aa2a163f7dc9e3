// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What stores send that is no reply to the command at hand (messages of channels, the replies of commands
// that waited), and how connections end.

#include <algorithm>
#include <utility>

#include "core/world/shown_text.h"
#include "core/world/world.h"

namespace lockscope {

namespace {

constexpr std::size_t kLongestShown = 120; // bytes of a channel or a message in a trace

} // namespace

void World::Mailbox::onDelivery(redis::ClientId client, const redis::Reply& reply) {
    m_world.m_deliveries.push_back({client, false, m_recorder.answered(), m_recorder.cause(), reply});
}

void World::Mailbox::onHangUp(redis::ClientId client) {
    m_world.m_deliveries.push_back({client, true, 0, kNone, {}});
}

// A command was executed and has no reply of its own. False if it will never have one.
bool World::putOff(std::uint32_t id, std::size_t executed) {
    const Flight& flight = m_flights[id];
    const redis::Store& store = primaryOf(flight.node);
    if (store.factsOf(flight.client).blocked) {
        Connection& connection = m_connections[flight.client];
        connection.waits = flight.request;
        connection.waitingFlight = id;
        m_trace->events[executed].kind = EventKind::RequestWaits;
        return true;
    }
    if (m_connections[flight.client].visitor != kNone) return false; // it gets what comes, as it comes
    // SUBSCRIBE is answered by a message.
    const auto confirmed = std::find_if(m_deliveries.begin(), m_deliveries.end(), [&](const Delivery& d) {
        return d.client == flight.client && !d.hungUp;
    });
    if (confirmed == m_deliveries.end()) return false;
    const redis::Reply reply = redis::foldedForResp2(confirmed->reply);
    m_deliveries.erase(confirmed);
    complete(id, executed, reply);
    return true;
}

// True if there was something. What that runs may bring more, which is delivered too.
bool World::deliverAll() {
    if (m_deliveries.empty() || m_delivering) return false;
    m_delivering = true;
    for (std::size_t i = 0; i < m_deliveries.size(); ++i) {
        const Delivery delivery = std::move(m_deliveries[i]);
        deliver(delivery);
    }
    m_deliveries.clear();
    m_delivering = false;
    noteStoresDue();
    return true;
}

void World::deliver(const Delivery& delivery) {
    Connection& connection = m_connections[delivery.client];
    if (delivery.hungUp) return hungUp(delivery.client);
    const bool message = connection.waits == kNone || delivery.reply.type == redis::Reply::Type::Push;
    if (connection.visitor != kNone && message) {
        if (m_visitorPort != nullptr) m_visitorPort->onMessage(connection.visitor, delivery.reply);
        return;
    }
    if (connection.waits == kNone) {
        if (connection.listens()) sendMessage(delivery);
        return;
    }
    connection.waits = kNone;
    complete(connection.waitingFlight, delivery.executed, delivery.reply);
    // What has come by this connection since is executed now, until something of it waits again.
    for (const std::uint32_t id : std::exchange(connection.behind, {}))
        execute(id);
}

// --- messages

Event& World::recordMessage(EventKind kind, const Message& message) {
    const Connection& connection = m_connections[message.client];
    Event& event = recordProcess(kind, *m_processes[static_cast<std::size_t>(connection.process)]);
    event.node = connection.node;
    event.request = message.cause;
    event.text = message.channel;
    event.text2 = message.shown;
    return event;
}

std::uint32_t World::newMessage(redis::ClientId client) {
    std::uint32_t id = static_cast<std::uint32_t>(m_messages.size());
    if (m_freeMessages.empty()) {
        m_messages.emplace_back();
    } else {
        id = m_freeMessages.back();
        m_freeMessages.pop_back();
    }
    Message& message = m_messages[id];
    message.client = client;
    message.hungUp = false;
    message.cause = kNone;
    message.channel = message.shown = StringId::Empty;
    message.text.clear();
    message.leftAt = m_now;
    return id;
}

void World::sendMessage(const Delivery& delivery) {
    const std::vector<redis::Reply>& items = delivery.reply.items; // "message", channel, text
    if (items.size() != 3 || items[0].text != "message") return;
    const std::uint32_t id = newMessage(delivery.client);
    Message& message = m_messages[id];
    message.cause = delivery.cause;
    message.text = items[2].text;
    message.channel = internShown(*m_trace, items[1].text, kLongestShown);
    message.shown = internShown(*m_trace, items[2].text, kLongestShown);
    recordMessage(EventKind::MessageSent, message);
    post(id);
}

void World::post(std::uint32_t id) {
    const ProcessIndex index = m_connections[m_messages[id].client].process;
    const SimulatedProcess& process = *m_processes[static_cast<std::size_t>(index)];
    schedule({micros(m_now + process.spec().replyLatency), 0, id, {}, index, Due::Kind::Message});
}

void World::receiveMessage(const Due& due) {
    const Message& message = m_messages[due.id];
    SimulatedProcess& process = *m_processes[static_cast<std::size_t>(due.process)];
    if (swallowed(process.actor(), message.leftAt)) {
        if (!message.hungUp) recordMessage(EventKind::MessageLost, message);
        return forgetMessage(due.id);
    }
    process.take(due);
    finishIfOver(process);
}

// --- the ends of connections

// The server has closed it: what still waits for an answer by it learns that.
void World::hungUp(redis::ClientId client) {
    Connection& connection = m_connections[client];
    std::vector<std::uint32_t> unanswered = std::exchange(connection.behind, {});
    if (connection.waits != kNone) unanswered.insert(unanswered.begin(), connection.waitingFlight);
    connection.waits = kNone;
    if (connection.process != kNone) m_processes[static_cast<std::size_t>(connection.process)]->expect();
    for (const std::uint32_t id : unanswered) {
        Flight& flight = m_flights[id];
        if (flight.process == kNone) {
            if (connection.visitor != kNone) noteAnswer(flight.act, kClosedByServer);
            forgetFlight(id);
            continue;
        }
        flight.executed = true;
        flight.reply.becomeError(kConnectionClosed);
        flight.shown = shownReply(flight.reply);
        flight.flags = replyFlags(flight.reply);
        flight.leftAt = m_now;
        schedule({micros(m_now + flight.replyLatency), 0, id, {}, flight.process, Due::Kind::Answer});
    }
    if (connection.visitor != kNone) {
        m_visitors[static_cast<std::size_t>(connection.visitor)].here = false;
        if (m_visitorPort != nullptr) m_visitorPort->onHangUp(connection.visitor);
        return;
    }
    if (!connection.listens()) return;
    const std::uint32_t id = newMessage(client);
    m_messages[id].hungUp = true;
    post(id);
}

void World::closeConnection(redis::ClientId client) {
    Connection& connection = m_connections[client];
    connection.leftAt = m_now;
    const SimulatedProcess& process = *m_processes[static_cast<std::size_t>(connection.process)];
    schedule({micros(m_now + process.spec().requestLatency), 0, client, {}, kNone, Due::Kind::Goodbye});
}

// The end of a connection comes after all that was sent by it, or never, if the link is cut.
void World::goodbye(redis::ClientId client) {
    Connection& connection = m_connections[client];
    if (connection.process != kNone) {
        const SimulatedProcess& process = *m_processes[static_cast<std::size_t>(connection.process)];
        if (swallowed(process.actor(), connection.leftAt)) return;
    }
    const Stall& stall = m_stalls[static_cast<std::size_t>(connection.node)];
    if (stall.stalled) return schedule({micros(stall.until), 0, client, {}, kNone, Due::Kind::Goodbye});
    connection.left = true;
    dropIfLeft(client);
}

// Nothing that was sent by it is still on its way.
void World::dropIfLeft(redis::ClientId client) {
    Connection& connection = m_connections[client];
    const auto arrived = [&](std::uint32_t id) {
        return m_flights[id].executed || (connection.waits != kNone && connection.waitingFlight == id) ||
               std::find(connection.behind.begin(), connection.behind.end(), id) != connection.behind.end();
    };
    for (std::uint32_t id = 0; id < m_flights.size(); ++id)
        if (m_flights[id].inUse && m_flights[id].client == client && !arrived(id)) return;
    if (connection.waits != kNone) forgetFlight(connection.waitingFlight);
    connection.waits = kNone;
    for (const std::uint32_t id : std::exchange(connection.behind, {})) {
        recordRequest(EventKind::RequestLost, m_flights[id]);
        forgetFlight(id);
    }
    storeFor(connection.node).disconnect(client);
}

void World::closeIfTold(const Flight& flight) {
    const bool visits = m_connections[flight.client].visitor != kNone; // it sees that it is to go, and leaves
    if (!visits && primaryOf(flight.node).factsOf(flight.client).closing)
        storeFor(flight.node).disconnect(flight.client);
    if (m_connections[flight.client].left) dropIfLeft(flight.client);
}

} // namespace lockscope
