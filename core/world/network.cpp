// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The part of the world between processes and servers: requests travel, execute, and are answered.

#include "core/world/shown_text.h"
#include "core/world/world.h"

namespace lockscope {

std::uint32_t World::newFlight() {
    std::uint32_t id = 0;
    if (m_freeFlights.empty()) {
        id = static_cast<std::uint32_t>(m_flights.size());
        m_flights.emplace_back();
    } else {
        id = m_freeFlights.back();
        m_freeFlights.pop_back();
    }
    m_flights[id].inUse = true;
    return id;
}

void World::forgetFlight(std::uint32_t id) {
    m_flights[id].inUse = false;
    m_freeFlights.push_back(id);
}

bool World::canGrant(const Command& command, NodeIndex node) {
    return primaryOf(node).canGrant(m_runtime.commands().arguments(command));
}

void World::send(SimulatedProcess& from, redis::ClientId client, RequestIndex request, const Command& command,
                 const Wake& wake) {
    const std::uint32_t id = newFlight();
    Flight& flight = m_flights[id];
    flight.request = request;
    flight.command = m_runtime.commands().numberOf(command);
    flight.wake = wake;
    flight.process = from.index();
    flight.actor = from.actor();
    flight.client = client;
    flight.node = m_trace->requests[static_cast<std::size_t>(request)].node;
    flight.replyLatency = from.spec().replyLatency;
    flight.leftAt = m_now;
    flight.executed = false;
    flight.replyLost = false;

    Duration latency = from.spec().requestLatency;
    bool lost = false;
    for (std::size_t i = 0; i < m_armed.size();) {
        const Armed armed = m_armed[i];
        if (armed.actor != flight.actor) {
            ++i;
            continue;
        }
        m_armed.erase(m_armed.begin() + static_cast<std::ptrdiff_t>(i));
        const Intervention& intervention = m_scenario->interventions[armed.intervention];
        switch (intervention.kind) {
        case InterventionKind::LostRequest:
            lost = true;
            break;
        case InterventionKind::LostReply:
            flight.replyLost = true;
            break;
        case InterventionKind::Delay:
            latency += intervention.length;
            break;
        case InterventionKind::DelayReply:
            flight.replyLatency += intervention.length;
            break;
        default:
            break; // those that concern the process are never armed
        }
        applied(armed.intervention, flight.actor);
    }
    if (lost || swallowed(flight.actor, flight.leftAt)) {
        recordRequest(EventKind::RequestLost, flight);
        forgetFlight(id);
        return;
    }
    schedule({micros(m_now + latency), 0, id, {}, flight.process, Due::Kind::Execute});
}

Event& World::recordRequest(EventKind kind, const Flight& flight) {
    const TraceRequest& request = m_trace->requests[static_cast<std::size_t>(flight.request)];
    Event& event = m_trace->events.emplace_back();
    event.at = m_now;
    event.kind = kind;
    event.actor = flight.actor;
    event.process = flight.process;
    event.task = request.task;
    event.node = flight.node;
    event.request = flight.request;
    event.key = request.key;
    event.line = request.line;
    return event;
}

StringId World::shownReply(const redis::Reply& reply) {
    using Type = redis::Reply::Type;
    if (reply.type == Type::Null) {
        if (m_nilShown == StringId::Empty) m_nilShown = m_trace->strings.intern("(nil)");
        return m_nilShown;
    }
    if (reply.type == Type::Status) return m_trace->strings.intern(reply.text);
    return m_trace->strings.intern(redis::display(reply));
}

// A partition is a black hole: no side is told, and what was on its way when it began is gone too, also if it
// would have arrived after the end. No partition that has begun ends later than `cutOffUntil`.
bool World::swallowed(ActorIndex actor, Instant leftAt) const {
    const auto index = static_cast<std::size_t>(actor);
    return index < m_machines.size() && leftAt < m_machines[index].cutOffUntil;
}

void World::arrive(std::uint32_t id) {
    Flight& flight = m_flights[id];
    if (swallowed(flight.actor, flight.leftAt)) {
        recordRequest(EventKind::RequestLost, flight);
        return forgetFlight(id);
    }
    if (nodeAt(flight.node).down) return refuseConnection(id);
    Stall& stall = m_stalls[static_cast<std::size_t>(flight.node)];
    if (stall.stalled) return stall.waiting.push_back(id);
    execute(id);
}

void World::answer(const Due& due) {
    const Flight& flight = m_flights[due.id];
    if (swallowed(flight.actor, flight.leftAt)) {
        recordRequest(EventKind::ReplyLost, flight);
        return forgetFlight(due.id);
    }
    SimulatedProcess& process = *m_processes[static_cast<std::size_t>(due.process)];
    process.take(due);
    finishIfOver(process);
}

// The server takes the request. It does not know whether anybody still waits for the answer.
void World::execute(std::uint32_t id) {
    Flight& flight = m_flights[id];
    Connection& connection = m_connections[flight.client];
    if (connection.waits != kNone) return connection.behind.push_back(id);
    StoreRecorder& recorder = recorderOf(flight.node);
    redis::Store& store = storeFor(flight.node);
    // First the execution, then what it did: its effects stand behind it in the trace. The reply is filled in
    // after.
    recordRequest(EventKind::RequestExecuted, flight);
    const std::size_t executed = m_trace->events.size() - 1;
    recorder.causedBy(flight.request);
    const redis::Reply& reply =
        store.execute(flight.client, m_runtime.commands().arguments(m_runtime.commands()[flight.command]),
                      kEpochMicros + micros(m_now));
    recorder.causedBy(kNone);
    noteStoresDue();
    if (reply.type != redis::Reply::Type::None || !putOff(id, executed)) complete(id, executed, reply);
    deliverAll();
}

// A request was executed, just now or as soon as what it waited for came: its reply goes on its way.
void World::complete(std::uint32_t id, std::size_t executed, const redis::Reply& reply) {
    Flight& flight = m_flights[id];
    flight.executed = true;
    if (reply.items.empty())
        flight.reply.become(reply.type, reply.text).integer = reply.integer;
    else
        flight.reply = reply;
    flight.reply.number = reply.number;
    flight.shown = shownReply(reply);
    flight.flags = replyFlags(reply);
    Event& event = m_trace->events[executed];
    event.text = flight.shown;
    event.b = flight.flags;
    if (m_runtime.commands()[flight.command].mayClose || m_connections[flight.client].left)
        closeIfTold(flight);
    if (flight.process == kNone) { // somebody beside the server: the answer is there at once
        Event& received = recordRequest(EventKind::ReplyReceived, flight);
        received.text = flight.shown;
        received.b = flight.flags;
        if (m_connections[flight.client].visitor != kNone)
            answerVisitor(flight.act, reply);
        else
            storeFor(flight.node).disconnect(flight.client); // a console for one command
        return forgetFlight(id);
    }
    flight.leftAt = m_now;
    if (flight.replyLost || swallowed(flight.actor, flight.leftAt)) {
        recordRequest(EventKind::ReplyLost, flight);
        forgetFlight(id);
        return;
    }
    schedule({micros(m_now + flight.replyLatency), 0, id, {}, flight.process, Due::Kind::Answer});
}

/// Nobody listens there: the request goes no further, and its sender hears so.
void World::refuseConnection(std::uint32_t id) {
    Flight& flight = m_flights[id];
    recordRequest(EventKind::RequestLost, flight);
    if (flight.process == kNone) return forgetFlight(id);
    flight.executed = true;
    flight.reply.becomeError(kConnectionClosed);
    flight.shown = shownReply(flight.reply);
    flight.flags = replyFlags(flight.reply);
    flight.leftAt = m_now;
    schedule({micros(m_now + flight.replyLatency), 0, id, {}, flight.process, Due::Kind::Answer});
}

} // namespace lockscope
