// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Clients from outside, and what they do to a run.
//
// A visitor's command is executed at the frontier: after everything else that is due by its instant. Whether
// it comes from a socket just now or out of a scenario that is run again is the same here: acts are added to
// the scenario, and then they are due. So a run that was visited and its replay are the same bytes.
//
// If the lesson was edited since, the same commands may be answered otherwise. Then the real client would
// perhaps have gone on otherwise too, and nobody can ask it: the trace says where that began.

#include <algorithm>

#include "core/world/world.h"

namespace lockscope {

namespace {

constexpr std::string_view kOtherVisitors = "other clients";

} // namespace

std::int64_t World::nextVisit() const {
    if (m_scenario->visits == nullptr || m_nextVisit >= m_scenario->visits->size()) return micros(kNever);
    return micros((*m_scenario->visits)[m_nextVisit].at);
}

void World::visit() {
    const VisitorAct& act = (*m_scenario->visits)[m_nextVisit];
    m_act = m_nextVisit++;
    if (act.kind == VisitorAct::Kind::Came) {
        const auto node = static_cast<NodeIndex>(act.node);
        Visitor& visitor = m_visitors.emplace_back();
        visitor.client = connect(kNone, node);
        visitor.address = act.address;
        m_connections[visitor.client].visitor = act.visitor;
        return storeFor(node).connect(visitor.client, act.address, kEpochMicros + micros(m_now));
    }
    Visitor& visitor = m_visitors[static_cast<std::size_t>(act.visitor)];
    if (!visitor.here) {
        if (act.kind == VisitorAct::Kind::Sent) noteAnswer(m_act, kClosedByServer);
        return;
    }
    if (act.kind == VisitorAct::Kind::Left) {
        visitor.here = false;
        return goodbye(visitor.client);
    }
    const std::vector<std::string_view> words(act.words.begin(), act.words.end());
    const Connection& connection = m_connections[visitor.client];
    const bool atOnce =
        connection.waits == kNone && !m_stalls[static_cast<std::size_t>(connection.node)].stalled;
    if (atOnce && concernsConnectionAlone(words)) return tellOfItself(visitor, words);
    sendOf(visitor, act);
}

// It names itself, or chooses a protocol: no lane is needed for that, and it might not have its name yet.
void World::tellOfItself(Visitor& visitor, std::span<const std::string_view> words) {
    const NodeIndex node = m_connections[visitor.client].node;
    redis::Store& store = storeFor(node);
    m_recorders[static_cast<std::size_t>(node)]->causedBy(kNone);
    const redis::Reply& reply = store.execute(visitor.client, words, kEpochMicros + micros(m_now));
    noteStoresDue();
    if (reply.type == redis::Reply::Type::None && store.factsOf(visitor.client).blocked) {
        // The server is at a standstill. What waits stands in the trace, so that all can see it wait.
        const std::uint32_t id = sendOf(visitor, (*m_scenario->visits)[m_act], false);
        const Flight& flight = m_flights[id];
        Connection& connection = m_connections[visitor.client];
        connection.waits = flight.request;
        connection.waitingFlight = id;
        recordRequest(EventKind::RequestWaits, flight);
    } else {
        answerVisitor(m_act, reply);
    }
    deliverAll();
}

/// The request stands in the trace, and goes to the server unless that has it already.
std::uint32_t World::sendOf(const Visitor& visitor, const VisitorAct& act, bool arrives) {
    const NodeIndex node = m_connections[visitor.client].node;
    const std::uint32_t id = newRequestFromOutside(act.words, visitor.client, laneOf(visitor), node);
    m_flights[id].act = m_act;
    if (arrives) arrive(id);
    return id;
}

ActorIndex World::laneOf(const Visitor& visitor) {
    const NodeIndex node = m_connections[visitor.client].node;
    const redis::Store& store = primaryOf(node);
    const std::string_view called = store.factsOf(visitor.client).name;
    std::string name(called.empty() ? std::string_view(visitor.address) : called);
    const auto lanes = m_trace->actors.begin() + static_cast<std::ptrdiff_t>(m_firstVisitorLane);
    if (m_trace->actors.size() - m_firstVisitorLane >= kMostVisitorLanes - 1 &&
        std::none_of(lanes, m_trace->actors.end(), [&](const TraceActor& a) { return a.name == name; }))
        name = kOtherVisitors;
    // Whoever calls itself as somebody of the lesson gets a lane of its own all the same.
    const auto isTaken = [&](const TraceActor& actor) { return actor.name == name; };
    while (std::any_of(m_trace->actors.begin(), lanes, isTaken) || serverNode(name) >= 0)
        name += " (client)";
    const auto lane = std::find_if(lanes, m_trace->actors.end(), isTaken);
    const auto index = static_cast<ActorIndex>(lane - m_trace->actors.begin());
    if (lane == m_trace->actors.end()) m_trace->actors.push_back({name, true});
    return index;
}

// The run is over: what was answered when it was really run and is not now will not be any more.
void World::endVisits() {
    for (const Visitor& visitor : m_visitors) {
        const Connection& connection = m_connections[visitor.client];
        if (visitor.here && connection.waits != kNone)
            noteAnswer(m_flights[connection.waitingFlight].act, "(none)");
    }
}

void World::answerVisitor(std::size_t act, const redis::Reply& reply) {
    noteAnswer(act, answerText(reply));
    if (m_visitorPort == nullptr) return;
    const int number = (*m_scenario->visits)[act].visitor;
    if (!m_delivering) tellBefore(number);
    m_visitorPort->onAnswer(act, number, reply);
}

// Messages that its command caused for itself come before the reply, as from a Redis.
void World::tellBefore(int number) {
    const redis::ClientId client = m_visitors[static_cast<std::size_t>(number)].client;
    for (Delivery& delivery : m_deliveries) {
        if (delivery.client != client || delivery.hungUp) continue;
        m_visitorPort->onMessage(number, delivery.reply);
        delivery.client = 0; // nobody's
    }
}

/// Compares with what it got when it was really there.
void World::noteAnswer(std::size_t act, std::string_view answer) {
    const VisitorAct& was = (*m_scenario->visits)[act];
    if (was.answer.empty() || was.answer == answer) return;
    if (m_trace->divergences++ > 0) return;
    const Visitor& visitor = m_visitors[static_cast<std::size_t>(was.visitor)];
    const NodeIndex node = m_connections[visitor.client].node;
    const std::string_view name = primaryOf(node).factsOf(visitor.client).name;
    m_trace->diverged = TraceDivergence{was.at, std::string(name.empty() ? visitor.address : name),
                                        commandLineOf(was.words), was.answer, std::string(answer)};
}

redis::Store::ClientFacts World::factsOfVisitor(int number) const {
    const Visitor& visitor = m_visitors[static_cast<std::size_t>(number)];
    const NodeIndex node = m_connections[visitor.client].node;
    return primaryOf(node).factsOf(visitor.client);
}

} // namespace lockscope
