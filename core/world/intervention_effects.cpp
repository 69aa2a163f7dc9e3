// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What interventions do to the world. A further kind is a row of interventionKinds() and a case in here.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/world/load.h"
#include "core/world/world.h"

namespace lockscope {

void World::intervene(std::uint32_t index) {
    const Intervention& intervention = m_scenario->interventions[index];
    if (infoOf(intervention.kind).target == InterventionTarget::Server) return applyToServer(index);
    const auto named = std::find_if(m_scenario->actors.begin(), m_scenario->actors.end(),
                                    [&](const ActorSpec& actor) { return actor.name == intervention.actor; });
    LOCKSCOPE_ASSERT(named != m_scenario->actors.end()); // validate() has looked
    const auto actor = static_cast<ActorIndex>(named - m_scenario->actors.begin());
    switch (intervention.kind) {
    case InterventionKind::Pause:
    case InterventionKind::Kill:
    case InterventionKind::Restart:
        if (processOf(actor) == nullptr) {
            // Not before it starts, but then also at that very instant.
            if (named->start == m_now)
                schedule({micros(m_now), 0, index, {}, kNone, Due::Kind::Intervention});
            return;
        }
        if (intervention.kind != InterventionKind::Restart && !processOf(actor)->alive()) return;
        applied(index, actor);
        return applyToProcess(intervention, actor);
    case InterventionKind::LostReply:
    case InterventionKind::DelayReply:
        if (applyToFlight(intervention, actor)) {
            applied(index, actor);
            return;
        }
        [[fallthrough]];
    case InterventionKind::LostRequest:
    case InterventionKind::Delay:
        m_armed.push_back({index, actor});
        return;
    case InterventionKind::Partition: {
        Instant& until = m_machines[static_cast<std::size_t>(actor)].cutOffUntil;
        until = std::max(until, m_now + intervention.length);
        applied(index, actor);
        return;
    }
    case InterventionKind::ClockJump:
        m_machines[static_cast<std::size_t>(actor)].clockOffset += intervention.length;
        applied(index, actor);
        return;
    case InterventionKind::ServerStall:
    case InterventionKind::ServerClockJump:
    case InterventionKind::Admin:
    case InterventionKind::Load:
    case InterventionKind::ServerKill:
    case InterventionKind::ServerRestart:
    case InterventionKind::Promote:
    case InterventionKind::LinkCut:
    case InterventionKind::SaveFails:
        LOCKSCOPE_ASSERT(false); // they concern a server
    }
}

void World::applyToServer(std::uint32_t index) {
    const Intervention& intervention = m_scenario->interventions[index];
    const auto node = static_cast<NodeIndex>(serverNode(intervention.actor));
    switch (intervention.kind) {
    case InterventionKind::ServerKill:
    case InterventionKind::ServerRestart:
    case InterventionKind::Promote:
    case InterventionKind::LinkCut:
    case InterventionKind::SaveFails:
        return applyToLife(index, node);
    default:
        break;
    }
    if (nodeAt(node).down && intervention.kind != InterventionKind::Admin) return; // there is none
    redis::Store& store = storeFor(node);
    const bool admin = intervention.kind == InterventionKind::Admin;
    applied(index, admin ? outsideActor(*m_trace, authorOf(intervention)) : ActorIndex{kNone}).node = node;
    if (admin) return runAsAdmin(intervention, node);
    if (intervention.kind == InterventionKind::Load) {
        Stall& stall = m_stalls[static_cast<std::size_t>(node)];
        return stall.stalled ? stall.loads.push_back(index) : runLoad(index, node);
    }
    if (intervention.kind == InterventionKind::ServerClockJump) {
        store.jumpClock(kEpochMicros + micros(m_now), intervention.length.count() / 1000);
        return noteStoresDue();
    }
    Stall& stall = m_stalls[static_cast<std::size_t>(node)];
    stall.until = std::max(stall.stalled ? stall.until : m_now, m_now + intervention.length);
    schedule({micros(stall.until), 0, static_cast<std::uint32_t>(node), {}, kNone, Due::Kind::ServerBack});
    if (std::exchange(stall.stalled, true)) return;
    store.hold(kEpochMicros + micros(m_now));
    noteStoresDue();
    Event& event = m_trace->events.emplace_back();
    event.at = m_now;
    event.kind = EventKind::ServerUnavailable;
    event.node = node;
    event.text = m_trace->strings.intern("stalled");
}

// What came in meanwhile runs now, in order of arrival, before the server does anything of its own.
void World::endStall(NodeIndex node) {
    Stall& stall = m_stalls[static_cast<std::size_t>(node)];
    if (!stall.stalled || m_now < stall.until) return;
    stall.stalled = false;
    Event& event = m_trace->events.emplace_back();
    event.at = m_now;
    event.kind = EventKind::ServerAvailable;
    event.node = node;
    storeFor(node).goOn(kEpochMicros + micros(m_now));
    noteStoresDue();
    for (const std::uint32_t id : stall.waiting)
        execute(id);
    stall.waiting.clear();
    for (const std::uint32_t load : stall.loads)
        runLoad(load, node);
    stall.loads.clear();
}

// In no time of the actors', as a pipeline of a machine beside the server. Its keys are told to nobody; what
// came of it stands with the intervention.
void World::runLoad(std::uint32_t index, NodeIndex node) {
    const Load load = *parseLoad(m_scenario->interventions[index].command);
    redis::Store& store = storeFor(node);
    int& number = m_loaded[static_cast<std::size_t>(node)];
    const std::string value(static_cast<std::size_t>(load.bytes), 'x');
    const std::string ttl = std::to_string(load.ttl.count() / 1000);
    std::string key;
    std::vector<std::string_view> command{"SET", {}, value};
    if (load.ttl > Duration{0}) command.insert(command.end(), {"PX", ttl});
    TraceLoad told;
    told.writes = load.writes;
    const std::uint64_t evictedBefore = store.memoryUse().evictedKeys;
    for (int i = 1; i <= load.writes; ++i) {
        key = fmt::format("{}{}", kLoadPrefix, number++);
        command[1] = key;
        const bool refused = store.execute(0, command, kEpochMicros + micros(m_now)).isError();
        if (refused && ++told.refused == 1) told.firstRefused = i;
    }
    const redis::Store::MemoryUse use = store.memoryUse();
    told.evicted = static_cast<std::int64_t>(use.evictedKeys - evictedBefore);
    told.usedBytes = static_cast<std::int64_t>(use.used);
    told.limitBytes = static_cast<std::int64_t>(use.limit);
    m_trace->interventions[index].load = told;
    noteStoresDue();
}

void World::runAsAdmin(const Intervention& intervention, NodeIndex node) {
    const redis::ClientId client = connect(kNone, node); // a redis-cli of its own
    arrive(newRequestFromOutside(*splitCommand(intervention.command), client,
                                 outsideActor(*m_trace, authorOf(intervention)), node));
}

/// Of somebody beside the server, who has no latency and no program. It stands in the trace as sent.
std::uint32_t World::newRequestFromOutside(std::span<const std::string> words, redis::ClientId client,
                                           ActorIndex actor, NodeIndex node) {
    const std::uint32_t id = newFlight();
    Flight& flight = m_flights[id];
    flight.request = static_cast<RequestIndex>(m_trace->requests.size());
    flight.command = m_runtime.commands().add(words, *m_trace);
    flight.process = kNone;
    flight.client = client;
    flight.actor = actor;
    flight.node = node;
    flight.replyLost = false;
    flight.executed = false;
    const Command& command = m_runtime.commands()[flight.command];
    TraceRequest& request = m_trace->requests.emplace_back();
    request.actor = flight.actor;
    request.node = node;
    request.command = command.name;
    request.text = command.text;
    request.key = command.key;
    request.ask = command.onLockKey && (command.canGrant || (command.needsStore && canGrant(command, node)));
    recordRequest(EventKind::RequestSent, flight);
    return id;
}

void World::applyToProcess(const Intervention& intervention, ActorIndex actor) {
    SimulatedProcess& process = *processOf(actor);
    if (intervention.kind == InterventionKind::Pause) return process.freeze(m_now + intervention.length);
    if (process.alive()) {
        process.kill();
        recordProcess(EventKind::ProcessKilled, process);
    }
    if (intervention.kind == InterventionKind::Restart) startProcess(actor);
}

// A request of the actor's that is under way and not executed yet: its reply can still be touched.
bool World::applyToFlight(const Intervention& intervention, ActorIndex actor) {
    Flight* oldest = nullptr;
    for (Flight& flight : m_flights) {
        if (!flight.inUse || flight.executed || flight.actor != actor || flight.replyLost) continue;
        if (oldest == nullptr || flight.request < oldest->request) oldest = &flight;
    }
    if (oldest == nullptr) return false;
    if (intervention.kind == InterventionKind::LostReply)
        oldest->replyLost = true;
    else
        oldest->replyLatency += intervention.length;
    return true;
}

Event& World::applied(std::uint32_t index, ActorIndex actor) {
    m_trace->interventions[index].applied = true;
    Event& event = m_trace->events.emplace_back();
    event.at = m_now;
    event.kind = EventKind::InterventionApplied;
    event.actor = actor;
    if (actor != kNone && static_cast<std::size_t>(actor) < m_current.size())
        event.process = m_current[static_cast<std::size_t>(actor)];
    event.a = index;
    return event;
}

} // namespace lockscope
