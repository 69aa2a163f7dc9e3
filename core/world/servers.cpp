// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The lives of servers: primaries and replicas, power cuts, starts and promotions.
//
// A node is a name. Clients talk to whoever is its primary, as they do through a proxy or a client that asks
// Sentinel; the trace knows nodes only. Each node can have replicas, which hear what the primary does
// `replicaLag` later, and in order: so long it lies in the primary's buffers and on the way. What has not
// arrived when the primary dies is lost with it. If the link is cut, what was said meanwhile comes after it,
// as Redis' backlog makes it. A replica that begins with another primary is sent everything at once.
//
// A server that is killed loses its keys as a machine without power does: it keeps what its disk has. Whoever
// waits for an answer sees the connection end, and so does whoever tries to connect until there is a primary
// again: the one that comes back, or, `failoverAfter` later, the replica that has heard most. An old primary
// that comes back after that becomes a replica of the new one, and loses what it had of its own.
//
// A promotion of an operator's, while the primary lives, is the same without the gap. Waiting clients are
// told UNBLOCKED by it, and all connections end, as Sentinel has it.
//
// The store that answers for a node is another one afterwards, with other keys. So the trace is told of the
// difference: keys that are gone ("lost in failover", "lost at restart", or their lease ended meanwhile), and
// keys that are back, as the grants of those who once wrote them.

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/assert.h"
#include "core/world/shown_text.h"
#include "core/world/world.h"

namespace lockscope {

namespace {

redis::PersistenceOptions persistenceOf(const ServerSpec& spec) {
    using enum ServerSpec::Persistence;
    redis::PersistenceOptions options;
    if (spec.persistence == Snapshot && spec.saveEvery > Duration{0})
        options.savePoints = {{std::max<std::int64_t>(spec.saveEvery / seconds(1), 1), 1}};
    else if (spec.persistence == Snapshot)
        options.savePoints = {{3600, 1}, {300, 100}, {60, 10'000}}; // a redis-server's own
    options.appendOnly = spec.persistence == EverySecond || spec.persistence == Always;
    options.sync = spec.persistence == Always ? redis::PersistenceOptions::Sync::Always
                                              : redis::PersistenceOptions::Sync::EverySecond;
    return options;
}

constexpr std::int64_t kHeardForGood = std::int64_t{1} << 62; // the link is in order

} // namespace

void World::Stream::onStream(std::span<const std::string_view> words, std::int64_t offset) {
    World& world = m_world;
    for (std::size_t i = 0; i < world.m_memberCount; ++i) {
        Member& one = world.m_members[i];
        if (one.node != world.m_members[m_member].node || !world.isReplica(i)) continue;
        const Instant arrives = world.m_now + world.m_scenario->server.replicaLag;
        one.onItsWay.push_back({{words.begin(), words.end()}, offset, arrives});
        world.schedule({micros(arrives), 0, static_cast<std::uint32_t>(i), {}, kNone, Due::Kind::Replicate});
    }
}

void World::beginServers(const Scenario& scenario) {
    const ServerSpec& spec = scenario.server;
    m_memberCount = static_cast<std::size_t>(m_nodeCount * (1 + spec.replicas));
    m_nodes.resize(static_cast<std::size_t>(m_nodeCount));
    m_members.resize(m_memberCount);
    for (std::size_t i = 0; i < m_memberCount; ++i) {
        const std::size_t node = i % static_cast<std::size_t>(m_nodeCount);
        redis::StoreOptions options;
        options.seed = Random(scenario.seed).fork(1000 + static_cast<std::uint64_t>(i)).next();
        options.profile = spec.profile;
        options.hz = spec.hz;
        options.activeExpiry = spec.activeExpiry;
        options.expiresAtOnce = spec.expiresAtOnce;
        options.memory = spec.memory;
        if (spec.persistence != ServerSpec::Persistence::None) options.persistence = persistenceOf(spec);
        options.minReplicasToWrite = spec.minReplicasToWrite;
        options.minReplicasMaxLag = static_cast<int>(spec.minReplicasMaxLag / seconds(1));
        if (i == m_stores.size()) {
            m_recorders.push_back(std::make_unique<StoreRecorder>(static_cast<NodeIndex>(node)));
            m_mailboxes.push_back(std::make_unique<Mailbox>(*this, *m_recorders[i]));
            m_streams.push_back(std::make_unique<Stream>(*this, i));
            m_stores.push_back(std::make_unique<redis::Store>(options, m_recorders[i].get()));
            m_stores[i]->deliverTo(m_mailboxes[i].get());
            m_recorders[i]->begin(*m_trace, *m_stores[i], kEpochMicros, &m_connections);
        } else {
            m_recorders[i]->begin(*m_trace, *m_stores[i], kEpochMicros, &m_connections);
            m_stores[i]->reset(options);
        }
        m_recorders[i]->answerFor(static_cast<NodeIndex>(node));
        m_stores[i]->streamTo(nullptr);
        m_members[i] = Member{static_cast<NodeIndex>(node)};
        if (i >= m_nodes.size()) continue;
        m_nodes[i] = Node{};
        m_nodes[i].primary = i;
    }
    if (spec.replicas == 0 && spec.minReplicasToWrite == 0) return;
    for (int node = 0; node < m_nodeCount; ++node)
        synchroniseAll(static_cast<NodeIndex>(node));
}

void World::recordServer(EventKind kind, NodeIndex node, std::string_view why) {
    Event& event = m_trace->events.emplace_back();
    event.at = m_now;
    event.kind = kind;
    event.node = node;
    event.text = m_trace->strings.intern(why);
}

void World::applyToLife(std::uint32_t index, NodeIndex number) {
    const Intervention& intervention = m_scenario->interventions[index];
    Node& node = nodeAt(number);
    const auto apply = [&] { applied(index, kNone).node = number; };
    switch (intervention.kind) {
    case InterventionKind::ServerKill:
        if (node.down) return;
        apply();
        goDown(number, false);
        break;
    case InterventionKind::ServerRestart:
        apply();
        startServer(number);
        break;
    case InterventionKind::Promote: {
        const bool any = std::any_of(m_members.begin(), m_members.end(), [&](const Member& one) {
            return one.node == number && isReplica(static_cast<std::size_t>(&one - m_members.data()));
        });
        if (!any) return;
        apply();
        promote(number);
        break;
    }
    case InterventionKind::LinkCut:
        apply();
        cutLink(number, intervention.length);
        break;
    case InterventionKind::SaveFails:
        if (node.down) return;
        apply();
        node.savesFailUntil = std::max(node.savesFailUntil, m_now + intervention.length);
        storeFor(number).failSaves(true, kEpochMicros + micros(m_now));
        schedule({micros(node.savesFailUntil),
                  0,
                  static_cast<std::uint32_t>(number),
                  {},
                  kNone,
                  Due::Kind::SavesWork});
        break;
    default:
        LOCKSCOPE_ASSERT(false); // no other concerns the life of a server
    }
    noteStoresDue();
    deliverAll();
}

// --- down and up

/// The primary is gone. Its replicas live on, and nobody has told them anything.
void World::goDown(NodeIndex number, bool orderly) {
    Node& node = nodeAt(number);
    redis::Store& store = storeFor(number);
    store.advance(kEpochMicros + micros(m_now));
    Stall& stall = m_stalls[static_cast<std::size_t>(number)];
    if (std::exchange(stall.stalled, false)) {
        store.goOn(kEpochMicros + micros(m_now));
        recordServer(EventKind::ServerAvailable, number, {});
    }
    stall.loads.clear();
    node.had = keysOf(store, kEpochMicros + micros(m_now));
    m_recorders[node.primary]->mute(true);
    store.stop(orderly, kEpochMicros + micros(m_now));
    store.streamTo(nullptr);
    m_members[node.primary].down = true;
    for (Member& one : m_members) // what replicas have not heard by now they never will
        if (one.node == number) {
            one.onItsWay.clear();
            one.answers.clear();
        }
    node.down = true;
    node.downSince = m_now;
    recordServer(EventKind::ServerUnavailable, number, "down");
    hangUpOn(number);
    const Duration after = m_scenario->server.failoverAfter;
    if (m_scenario->server.replicas > 0 && after > Duration{0})
        schedule(
            {micros(m_now + after), 0, static_cast<std::uint32_t>(number), {}, kNone, Due::Kind::Promotion});
}

/// One that is down comes back, as the primary if there is no other by now. One that runs is shut down first.
void World::startServer(NodeIndex number) {
    Node& node = nodeAt(number);
    std::size_t member = node.primary;
    if (!node.down)
        for (std::size_t i = 0; i < m_memberCount; ++i)
            if (m_members[i].node == number && m_members[i].down) member = i;
    if (!m_members[member].down) goDown(number, true);
    Member& one = m_members[member];
    one.down = false;
    const std::int64_t now = kEpochMicros + micros(m_now);
    one.loadedAt = m_now + m_scenario->server.loading;
    if (member != node.primary) { // there is another one
        m_stores[member]->start(now, 0);
        storeFor(number).streamTo(m_streams[node.primary].get());
        synchronise(member);
        return tellOfReplicas(number);
    }
    storeFor(number).start(now, kEpochMicros + micros(one.loadedAt));
    node.down = false;
    recordServer(EventKind::ServerAvailable, number, {});
    if (one.loadedAt == m_now) return loaded(member);
    recordServer(EventKind::ServerUnavailable, number, "loading");
    schedule({micros(one.loadedAt), 0, static_cast<std::uint32_t>(member), {}, kNone, Due::Kind::Loaded});
}

/// A primary has read its disk.
void World::loaded(std::size_t member) {
    Member& one = m_members[member];
    const NodeIndex number = one.node;
    if (one.down || nodeAt(number).primary != member || one.loadedAt != m_now) return;
    redis::Store& store = storeFor(number);
    store.advance(kEpochMicros + micros(m_now));
    const bool waited = m_scenario->server.loading > Duration{0};
    m_recorders[member]->mute(false);
    tellDifference(number, EndReason::LostAtRestart);
    if (waited) recordServer(EventKind::ServerAvailable, number, {});
    synchroniseAll(number);
    noteStoresDue();
}

void World::promote(NodeIndex number) {
    Node& node = nodeAt(number);
    std::size_t best = node.primary;
    for (std::size_t i = 0; i < m_memberCount; ++i) {
        if (m_members[i].node != number || !isReplica(i)) continue;
        if (best == node.primary || m_stores[i]->appliedOffset() > m_stores[best]->appliedOffset()) best = i;
    }
    if (best == node.primary) return;
    const std::int64_t now = kEpochMicros + micros(m_now);
    const bool gap = node.down;
    const std::size_t old = node.primary;
    if (!gap) {
        redis::Store& store = storeFor(number);
        store.advance(now);
        node.had = keysOf(store, now);
        m_recorders[old]->mute(true);
        store.becomeReplica(now);
        store.streamTo(nullptr);
        hangUpOn(number);
    }
    node.primary = best;
    node.down = false;
    m_stores[best]->becomePrimary(now);
    m_recorders[best]->mute(false);
    ++m_servers[static_cast<std::size_t>(number)].doings;
    tellDifference(number, EndReason::LostInFailover);
    if (gap) recordServer(EventKind::ServerAvailable, number, {});
    synchroniseAll(number);
    noteStoresDue();
}

// --- primary and replicas

void World::cutLink(NodeIndex number, Duration length) {
    Node& node = nodeAt(number);
    if (m_now >= node.linkCutUntil) node.linkCutSince = m_now;
    node.linkCutUntil = std::max(node.linkCutUntil, m_now + length);
    for (std::size_t i = 0; i < m_memberCount; ++i) {
        if (m_members[i].node != number || !isReplica(i)) continue;
        m_stores[i]->setLink(false);
        schedule(
            {micros(node.linkCutUntil), 0, static_cast<std::uint32_t>(i), {}, kNone, Due::Kind::Replicate});
    }
    tellOfReplicas(number);
}

/// It is sent all that its primary has. That takes no time here.
void World::synchronise(std::size_t replica) {
    Member& one = m_members[replica];
    const Node& node = nodeAt(one.node);
    one.onItsWay.clear();
    one.answers.clear();
    one.acknowledged = 0;
    m_recorders[replica]->mute(true);
    m_stores[replica]->streamTo(nullptr);
    const std::int64_t now = kEpochMicros + micros(m_now);
    const redis::Store& primary = *m_stores[node.primary];
    m_stores[replica]->becomeReplica(now, primary.streamOffset());
    one.mustSynchronise = m_now < node.linkCutUntil;
    if (one.mustSynchronise) { // until then it has what it had
        m_stores[replica]->setLink(false);
        schedule({micros(node.linkCutUntil),
                  0,
                  static_cast<std::uint32_t>(replica),
                  {},
                  kNone,
                  Due::Kind::Replicate});
        return;
    }
    m_stores[replica]->replaceContents(primary.contents(), now);
    one.acknowledged = primary.streamOffset();
}

void World::synchroniseAll(NodeIndex number) {
    bool any = false;
    for (std::size_t i = 0; i < m_memberCount; ++i) {
        if (m_members[i].node != number || !isReplica(i)) continue;
        if (!any) storeFor(number).streamTo(m_streams[nodeAt(number).primary].get());
        any = true;
        synchronise(i);
    }
    tellOfReplicas(number);
}

void World::replicate(std::size_t replica) {
    Member& one = m_members[replica];
    const Node& node = nodeAt(one.node);
    if (!isReplica(replica)) return one.onItsWay.clear();
    const std::int64_t now = kEpochMicros + micros(m_now);
    if (m_now < node.linkCutUntil) return; // it comes when the link is in order again
    if (node.linkCutUntil == m_now) {
        m_stores[replica]->setLink(true);
        if (one.mustSynchronise && !node.down) synchronise(replica);
        tellOfReplicas(one.node);
    }
    redis::Store& store = *m_stores[replica];
    std::size_t arrived = 0;
    while (arrived < one.onItsWay.size() && one.onItsWay[arrived].arrives <= m_now)
        ++arrived;
    for (std::size_t i = 0; i < arrived; ++i) {
        const Streamed& sent = one.onItsWay[i];
        if (sent.words.front() == "REPLCONF") {
            one.answers.push_back(store.appliedOffset());
            schedule({micros(m_now + m_scenario->server.replicaLag),
                      0,
                      static_cast<std::uint32_t>(replica),
                      {},
                      kNone,
                      Due::Kind::Acknowledge});
            continue;
        }
        store.applyFromPrimary(std::vector<std::string_view>(sent.words.begin(), sent.words.end()),
                               sent.offset, now);
    }
    one.onItsWay.erase(one.onItsWay.begin(), one.onItsWay.begin() + static_cast<std::ptrdiff_t>(arrived));
    noteStoresDue();
}

void World::acknowledge(std::size_t replica) {
    Member& one = m_members[replica];
    if (!isReplica(replica) || one.answers.empty()) return;
    if (const Node& node = nodeAt(one.node); node.down || m_now < node.linkCutUntil) return;
    one.acknowledged = one.answers.front();
    one.answers.erase(one.answers.begin());
    tellOfReplicas(one.node);
    deliverAll();
}

void World::tellOfReplicas(NodeIndex number) {
    const Node& node = nodeAt(number);
    if (node.down) return;
    std::vector<redis::ReplicaLink> known;
    for (std::size_t i = 0; i < m_memberCount; ++i)
        if (m_members[i].node == number && isReplica(i))
            known.push_back({m_members[i].acknowledged, m_now < node.linkCutUntil
                                                            ? kEpochMicros + micros(node.linkCutSince)
                                                            : kHeardForGood});
    storeFor(number).setReplicas(known, kEpochMicros + micros(m_now));
    noteStoresDue();
}

void World::tellDifference(NodeIndex number, EndReason why) {
    lockscope::tellDifference(recorderOf(number), primaryOf(number), nodeAt(number).had, why,
                              kEpochMicros + micros(m_now));
}

// --- clients

/// Every connection to the node ends. Whoever waits for an answer learns that, and not whether it was done.
void World::hangUpOn(NodeIndex number) {
    deliverAll(); // what clients were told before
    for (redis::ClientId client = 1; client < m_connections.end(); ++client) {
        const Connection& connection = m_connections[client];
        if (connection.node != number || connection.left) continue;
        primaryOf(number).disconnect(client);
        if (connection.waits != kNone || !connection.behind.empty() || connection.listens()) hungUp(client);
    }
    for (const std::uint32_t id : std::exchange(m_stalls[static_cast<std::size_t>(number)].waiting, {}))
        refuseConnection(id);
}

} // namespace lockscope
