// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/world.h"

#include <algorithm>

#include "core/base/assert.h"

namespace lockscope {

World::World() = default;
World::~World() = default;

bool World::strained() const {
    if (m_runtime.box().strained()) return true;
    return std::any_of(m_stores.begin(), m_stores.begin() + static_cast<std::ptrdiff_t>(m_memberCount),
                       [](const auto& store) { return store->strained(); });
}

bool World::idle(ActorIndex actor, Instant from, Instant to) const {
    return std::all_of(
        m_processes.begin(), m_processes.begin() + static_cast<std::ptrdiff_t>(m_processCount),
        [&](const auto& process) { return process->actor() != actor || process->idle(from, to); });
}

// --- beginning

void World::begin(const Scenario& scenario, Trace& into) {
    ++m_runs;
    for (std::size_t i = 0; i < m_processCount; ++i)
        m_processes[i]->abandon();
    m_processCount = 0;
    m_scenario = &scenario;
    m_trace = &into;
    m_now = Instant{};
    m_over = false;
    m_nilShown = StringId::Empty;
    m_queue.clear();
    m_armed.clear();
    m_connections.clear();
    m_deliveries.clear();
    m_freeMessages.clear();
    for (std::uint32_t id = 0; id < m_messages.size(); ++id)
        m_freeMessages.push_back(id);
    m_freeFlights.clear();
    for (std::uint32_t id = 0; id < m_flights.size(); ++id) {
        m_flights[id].inUse = false;
        m_freeFlights.push_back(id);
    }
    m_current.assign(scenario.actors.size(), kNone);
    m_machines.clear();
    for (const ActorSpec& actor : scenario.actors)
        m_machines.push_back({actor.clockOffset, Instant{}});
    m_stalls.resize(static_cast<std::size_t>(scenario.server.nodes));
    for (Stall& stall : m_stalls) {
        stall.stalled = false;
        stall.waiting.clear();
        stall.loads.clear();
    }
    m_loaded.assign(static_cast<std::size_t>(scenario.server.nodes), 0);
    m_runtime.beginRun(scenario);
    m_resource.reset(scenario.resource);
    describeRun(scenario, WorldKind::Simulated, into);
    m_visitors.clear();
    m_nextVisit = 0;
    m_firstVisitorLane = into.actors.size();

    m_nodeCount = scenario.server.nodes;
    m_servers.resize(static_cast<std::size_t>(m_nodeCount));
    for (ServerState& server : m_servers)
        server.unrun.clear();
    beginServers(scenario);
    noteStoresDue();
    for (std::uint32_t i = 0; i < scenario.interventions.size(); ++i)
        schedule({micros(scenario.interventions[i].at), 0, i, {}, kNone, Due::Kind::Intervention});
    for (std::uint32_t i = 0; i < scenario.actors.size(); ++i)
        schedule({micros(scenario.actors[i].start), 0, i, {}, kNone, Due::Kind::Start});
}

// --- going on

void World::runUntil(Instant t) {
    const lua::CLocale locale;
    const Instant end = std::min(t, m_scenario->horizon);
    m_until = end;
    while (!m_over) {
        const std::int64_t queued = m_queue.empty() ? micros(kNever) : m_queue.next();
        const std::int64_t next = std::min(queued, nextVisit());
        const std::int64_t until = std::min(next, micros(end));
        if (m_storesDue <= until) advanceStores(until);
        if (deliverAll()) continue; // that may have brought something that is due before
        if (next > micros(end)) break;
        m_now = instantAt(Duration{next});
        if (queued <= next)
            take(m_queue.pop());
        else
            visit();
    }
    if (m_over) return;
    m_now = std::max(m_now, end);
    m_trace->reached = m_now;
    if (m_now < m_scenario->horizon) return;
    endVisits();
    for (std::size_t i = 0; i < m_processCount; ++i)
        if (m_processes[i]->alive()) m_processes[i]->scheduler().cutOff();
    m_over = true;
}

// Leases end and expiry cycles run at their own instants, those of several servers in the order of time.
// Stops where a store has something to deliver: that happens at its instant.
void World::advanceStores(std::int64_t until) {
    while (m_storesDue <= until && m_deliveries.empty()) {
        m_now = std::max(m_now, instantAt(Duration{m_storesDue}));
        for (std::size_t i = 0; i < m_memberCount; ++i) {
            if (m_members[i].down) continue;
            const std::optional<std::int64_t> next = m_stores[i]->nextDeadline();
            if (!next || *next - kEpochMicros > m_storesDue) continue;
            const bool answers = nodeAt(m_members[i].node).primary == i;
            (answers ? storeFor(m_members[i].node) : *m_stores[i]).advance(*next);
        }
        noteStoresDue();
    }
}

Instant World::nextDue() const {
    if (m_over) return kNever;
    return instantAt(Duration{std::min(m_storesDue, m_queue.empty() ? micros(kNever) : m_queue.next())});
}

void World::noteStoresDue() {
    m_storesDue = micros(kNever);
    for (std::size_t i = 0; i < m_memberCount; ++i) {
        if (m_members[i].down) continue;
        const std::optional<std::int64_t> next = m_stores[i]->nextDeadline();
        if (next) m_storesDue = std::min(m_storesDue, *next - kEpochMicros);
    }
}

void World::take(const Due& due) {
    switch (due.kind) {
    case Due::Kind::Intervention:
        return intervene(due.id);
    case Due::Kind::Start:
        if (m_current[due.id] == kNone) startProcess(static_cast<ActorIndex>(due.id));
        return;
    case Due::Kind::Execute:
        return arrive(due.id);
    case Due::Kind::ServerBack:
        return endStall(static_cast<NodeIndex>(due.id));
    case Due::Kind::Answer:
        return answer(due);
    case Due::Kind::Message:
        return receiveMessage(due);
    case Due::Kind::Goodbye:
        return goodbye(due.id);
    case Due::Kind::Replicate:
        return replicate(due.id);
    case Due::Kind::Acknowledge:
        return acknowledge(due.id);
    case Due::Kind::Loaded:
        return loaded(due.id);
    case Due::Kind::Promotion: {
        const Node& node = m_nodes[due.id];
        if (node.down && m_now - node.downSince >= m_scenario->server.failoverAfter)
            promote(static_cast<NodeIndex>(due.id));
        return;
    }
    case Due::Kind::SavesWork:
        if (m_now >= m_nodes[due.id].savesFailUntil)
            storeFor(static_cast<NodeIndex>(due.id)).failSaves(false, kEpochMicros + micros(m_now));
        return;
    case Due::Kind::Thaw:
    case Due::Kind::Timer:
    case Due::Kind::Work: {
        SimulatedProcess& process = *m_processes[static_cast<std::size_t>(due.process)];
        if (due.kind == Due::Kind::Thaw)
            process.thaw();
        else
            process.take(due);
        return finishIfOver(process);
    }
    }
}

void World::startProcess(ActorIndex actor) {
    const ActorSpec& spec = m_scenario->actors[static_cast<std::size_t>(actor)];
    int incarnation = 1;
    for (const TraceProcess& process : m_trace->processes)
        if (process.actor == actor) ++incarnation;
    const auto index = m_processCount++;
    m_trace->processes.push_back({actor, incarnation});
    if (index == m_processes.size())
        m_processes.push_back(std::make_unique<SimulatedProcess>(*this, m_runtime));
    SimulatedProcess& process = *m_processes[index];
    m_current[static_cast<std::size_t>(actor)] = static_cast<ProcessIndex>(index);

    Event& event = m_trace->events.emplace_back();
    event.at = m_now;
    event.kind = EventKind::ProcessStarted;
    event.actor = actor;
    event.process = static_cast<ProcessIndex>(index);

    const Result<void> pushed = m_runtime.pushProgram(static_cast<std::size_t>(actor), spec);
    LOCKSCOPE_ASSERT(pushed.ok()); // validate() has compiled every program
    const std::uint64_t stream =
        static_cast<std::uint64_t>(actor) * 100 + static_cast<std::uint64_t>(incarnation);
    process.start({actor, static_cast<ProcessIndex>(index), spec.clientTimeout,
                   Random(m_scenario->seed).fork(stream).next()},
                  spec);
    finishIfOver(process);
}

SimulatedProcess* World::processOf(ActorIndex actor) {
    const ProcessIndex index = m_current[static_cast<std::size_t>(actor)];
    return index == kNone ? nullptr : m_processes[static_cast<std::size_t>(index)].get();
}

void World::finishIfOver(SimulatedProcess& process) {
    if (process.scheduler().ended()) process.hangUp();
    const std::string& overrun = process.scheduler().overrun();
    if (overrun.empty()) return;
    const Event& failed = m_trace->events.back();
    m_trace->failure = m_scenario->actors[static_cast<std::size_t>(process.actor())].name + " was " + overrun;
    if (failed.line > 0) m_trace->failure += ", in line " + std::to_string(failed.line);
    m_trace->reached = m_now;
    m_over = true;
}

Event& World::recordProcess(EventKind kind, const SimulatedProcess& process) {
    Event& event = m_trace->events.emplace_back();
    event.at = m_now;
    event.kind = kind;
    event.actor = process.actor();
    event.process = process.index();
    return event;
}

} // namespace lockscope
