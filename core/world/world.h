// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/redis/store.h"
#include "core/trace/trace.h"
#include "core/world/connections.h"
#include "core/world/event_queue.h"
#include "core/world/program_runtime.h"
#include "core/world/resource.h"
#include "core/world/scenario.h"
#include "core/world/server_contents.h"
#include "core/world/simulated_process.h"
#include "core/world/simulator.h"
#include "core/world/store_recorder.h"
#include "core/world/visit.h"

namespace lockscope {

/// A request under way, and then its reply.
struct Flight {
    RequestIndex request = kNone;
    std::uint32_t command = 0; ///< in the runtime's table
    Wake wake;
    ProcessIndex process = kNone;
    NodeIndex node = 0;
    ActorIndex actor = kNone;
    redis::ClientId client = 0;
    std::size_t act = 0; ///< of a visitor, if the client is one
    Duration replyLatency{0};
    Instant leftAt{}; ///< when what is under way was sent: the request, and then the reply
    bool executed = false;
    bool replyLost = false;
    bool inUse = false;
    redis::Reply reply;
    StringId shown = StringId::Empty;
    std::int64_t flags = 0;
};

/// The simulated world: virtual time, the network, the servers and the processes of one scenario.
///
/// It always does what is due next, in the order of (time, sequence), and lets the stores live up to that
/// instant before. An intervention comes before everything else that is due at its instant, since it is
/// scheduled first.
///
/// One world serves many runs: begin(), then runUntil(). Its memory stays.
class World {
public:
    World();
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// The scenario and the trace must outlive the run.
    void begin(const Scenario& scenario, Trace& into);
    void runUntil(Instant t);

    /// Where replies to visitors go; null: nowhere. Their acts are those of the scenario, which may get more
    /// of them between two calls of runUntil(), none earlier than the instant that was reached.
    void deliverTo(VisitorPort* port) { m_visitorPort = port; }
    redis::Store::ClientFacts factsOfVisitor(int visitor) const;
    /// The next instant at which something is due, or kNever.
    Instant nextDue() const;

    /// It has begun one run only, so nothing of an earlier one could influence it.
    bool fresh() const { return m_runs <= 1; }
    /// The run used so much that earlier runs could have influenced where it was stopped.
    bool strained() const;
    /// See Simulator::idle().
    bool idle(ActorIndex actor, Instant from, Instant to) const;

    // For its processes.

    Instant now() const { return m_now; }
    Trace& trace() { return *m_trace; }
    Resource& resource() { return m_resource; }
    int nodes() const { return m_nodeCount; }
    void schedule(const Due& due) { m_queue.push(due); }
    /// How far the wall clock of an actor's machine is ahead of true time.
    Duration clockOffset(ActorIndex actor) const {
        return m_machines[static_cast<std::size_t>(actor)].clockOffset;
    }
    /// A new connection of a process to a server.
    redis::ClientId connect(ProcessIndex process, NodeIndex node, unsigned subscription = kNoSubscription) {
        return m_connections.add(process, node, subscription);
    }
    /// The process closes it: the server learns of that after all that was sent by it.
    void closeConnection(redis::ClientId client);
    void send(SimulatedProcess& from, redis::ClientId client, RequestIndex request, const Command& command,
              const Wake& wake);
    const Message& message(std::uint32_t id) const { return m_messages[id]; }
    const Connection& connection(redis::ClientId client) const { return m_connections[client]; }
    Event& recordMessage(EventKind kind, const Message& message);
    void forgetMessage(std::uint32_t id) { m_freeMessages.push_back(id); }
    const Flight& flight(std::uint32_t id) const { return m_flights[id]; }
    void forgetFlight(std::uint32_t id);
    bool canGrant(const Command& command, NodeIndex node);
    std::uint64_t doings(NodeIndex node) const { return m_servers[static_cast<std::size_t>(node)].doings; }
    Foreseen foresee(const SimulatedProcess& from, redis::ClientId client, const Command& command,
                     NodeIndex node);
    void repeated(redis::ClientId client, const Command& command, NodeIndex node, Instant lastExecuted,
                  unsigned times);
    Event& recordProcess(EventKind kind, const SimulatedProcess& process);

private:
    /// What a store has for a client beside the reply to a command of its own.
    struct Delivery {
        redis::ClientId client = 0;
        bool hungUp = false;
        std::size_t executed = 0; ///< the event that tells of the execution, if its command waited
        RequestIndex cause = kNone;
        redis::Reply reply;
    };
    /// A store's door to the world. What comes in is looked at when the store is done.
    class Mailbox final : public redis::DeliveryPort {
    public:
        Mailbox(World& world, StoreRecorder& recorder) : m_world(world), m_recorder(recorder) {}
        void onDelivery(redis::ClientId client, const redis::Reply& reply) override;
        void onHangUp(redis::ClientId client) override;

    private:
        World& m_world;
        StoreRecorder& m_recorder;
    };

    /// An intervention that waits for the actor's next request.
    struct Armed {
        std::uint32_t intervention;
        ActorIndex actor;
    };

    /// What a primary sends its replicas, on its way.
    struct Streamed {
        std::vector<std::string> words;
        std::int64_t offset = 0;
        Instant arrives{};
    };
    /// A server, beside its store: one of those of a node. See servers.cpp.
    struct Member {
        NodeIndex node = 0;
        bool down = false;
        Instant loadedAt{};
        std::vector<Streamed> onItsWay;    ///< to a replica
        std::vector<std::int64_t> answers; ///< how far it has said to be, on the way to its primary
        std::int64_t acknowledged = 0;     ///< what its primary has heard of that
        bool mustSynchronise = false;      ///< when the link is in order again, from the beginning
    };
    /// A name that clients know, and who answers by it.
    struct Node {
        std::size_t primary = 0; ///< index of its member, also while that is down
        bool down = false;       ///< nobody answers
        Instant downSince{};
        Instant linkCutSince{};
        Instant linkCutUntil{}; ///< between primary and replicas
        Instant savesFailUntil{};
        std::vector<KeyFacts> had; ///< what its last primary had when it went down
    };
    /// A server's stream: what the primary of a node says goes to the node's replicas.
    class Stream final : public redis::StreamPort {
    public:
        Stream(World& world, std::size_t member) : m_world(world), m_member(member) {}
        void onStream(std::span<const std::string_view> words, std::int64_t offset) override;

    private:
        World& m_world;
        std::size_t m_member;
    };

    /// What faults have done to the machine of an actor, whatever runs on it.
    struct Machine {
        Duration clockOffset{0};
        Instant cutOffUntil{}; ///< nothing travels to it or from it before that
    };
    /// What faults have done to a server.
    struct Stall {
        bool stalled = false;
        Instant until{};
        std::vector<std::uint32_t> waiting; ///< flights, in order of arrival
        std::vector<std::uint32_t> loads;   ///< interventions that wait for it as well
    };

    struct Visitor {
        redis::ClientId client = 0;
        std::string address;
        bool here = true;
    };

    /// Requests that stand in the trace and were not run, since nobody could have told: foresight.cpp.
    struct Unrun {
        redis::ClientId client = 0;
        std::uint32_t command = 0;
        Instant last{};
        unsigned times = 0;
    };
    struct ServerState {
        std::uint64_t doings = 0;
        std::vector<Unrun> unrun;
    };

    /// The store of a node, for something that is about to happen there.
    redis::Store& storeFor(NodeIndex node) {
        ServerState& server = m_servers[static_cast<std::size_t>(node)];
        ++server.doings;
        if (!server.unrun.empty()) settle(node);
        return primaryOf(node);
    }
    const Node& nodeAt(NodeIndex node) const { return m_nodes[static_cast<std::size_t>(node)]; }
    Node& nodeAt(NodeIndex node) { return m_nodes[static_cast<std::size_t>(node)]; }
    redis::Store& primaryOf(NodeIndex node) const { return *m_stores[nodeAt(node).primary]; }
    StoreRecorder& recorderOf(NodeIndex node) const { return *m_recorders[nodeAt(node).primary]; }
    void settle(NodeIndex node);

    void take(const Due& due);
    void advanceStores(std::int64_t until);
    void noteStoresDue();
    void startProcess(ActorIndex actor);
    SimulatedProcess* processOf(ActorIndex actor);
    void intervene(std::uint32_t index);
    void applyToProcess(const Intervention& intervention, ActorIndex actor);
    bool applyToFlight(const Intervention& intervention, ActorIndex actor);
    void applyToServer(std::uint32_t index);
    void endStall(NodeIndex node);
    // servers.cpp
    void beginServers(const Scenario& scenario);
    void applyToLife(std::uint32_t index, NodeIndex node);
    void goDown(NodeIndex node, bool orderly);
    void startServer(NodeIndex node);
    void promote(NodeIndex node);
    void loaded(std::size_t member);
    void cutLink(NodeIndex node, Duration length);
    void synchronise(std::size_t replica);
    void synchroniseAll(NodeIndex node);
    void replicate(std::size_t replica);
    void acknowledge(std::size_t replica);
    void tellOfReplicas(NodeIndex node);
    void hangUpOn(NodeIndex node);
    void refuseConnection(std::uint32_t flight);
    void tellDifference(NodeIndex node, EndReason why);
    void recordServer(EventKind kind, NodeIndex node, std::string_view why);
    bool isReplica(std::size_t member) const {
        const Member& one = m_members[member];
        return !one.down && nodeAt(one.node).primary != member;
    }
    void runLoad(std::uint32_t index, NodeIndex node);
    void runAsAdmin(const Intervention& intervention, NodeIndex node);
    std::uint32_t newRequestFromOutside(std::span<const std::string> words, redis::ClientId client,
                                        ActorIndex actor, NodeIndex node);
    std::int64_t nextVisit() const;
    void visit();
    void tellOfItself(Visitor& visitor, std::span<const std::string_view> words);
    std::uint32_t sendOf(const Visitor& visitor, const VisitorAct& act, bool arrives = true);
    ActorIndex laneOf(const Visitor& visitor);
    void endVisits();
    void answerVisitor(std::size_t act, const redis::Reply& reply);
    void tellBefore(int visitor);
    void noteAnswer(std::size_t act, std::string_view answer);
    Event& applied(std::uint32_t index, ActorIndex actor);
    bool swallowed(ActorIndex actor, Instant leftAt) const;
    void arrive(std::uint32_t id);
    void answer(const Due& due);
    void execute(std::uint32_t id);
    void complete(std::uint32_t id, std::size_t executed, const redis::Reply& reply);
    bool putOff(std::uint32_t id, std::size_t executed);
    bool deliverAll();
    void deliver(const Delivery& delivery);
    std::uint32_t newMessage(redis::ClientId client);
    void sendMessage(const Delivery& delivery);
    void post(std::uint32_t message);
    void receiveMessage(const Due& due);
    void hungUp(redis::ClientId client);
    void goodbye(redis::ClientId client);
    void dropIfLeft(redis::ClientId client);
    void closeIfTold(const Flight& flight);
    void finishIfOver(SimulatedProcess& process);
    Event& recordRequest(EventKind kind, const Flight& flight);
    std::uint32_t newFlight();
    StringId shownReply(const redis::Reply& reply);

    const Scenario* m_scenario = nullptr;
    Trace* m_trace = nullptr;
    ProgramRuntime m_runtime;
    // One per server, the primaries of the nodes first, then replicas.
    std::vector<std::unique_ptr<StoreRecorder>> m_recorders; ///< before their stores
    std::vector<std::unique_ptr<Mailbox>> m_mailboxes;
    std::vector<std::unique_ptr<Stream>> m_streams;
    std::vector<std::unique_ptr<redis::Store>> m_stores;
    std::vector<Member> m_members; ///< parallel
    std::vector<Node> m_nodes;
    std::vector<ServerState> m_servers; ///< per node
    int m_nodeCount = 0;
    std::size_t m_memberCount = 0;
    Instant m_until{};            ///< how far the run goes for now
    std::int64_t m_storesDue = 0; ///< run µs; before it no store has anything to tell
    Resource m_resource;
    EventQueue m_queue;
    std::vector<std::unique_ptr<SimulatedProcess>> m_processes; ///< the trace's, then kept ones
    std::size_t m_processCount = 0;
    std::vector<ProcessIndex> m_current; ///< per actor: its latest process
    std::vector<Machine> m_machines;     ///< per actor
    std::vector<Stall> m_stalls;         ///< per node
    std::vector<int> m_loaded;           ///< per node: keys that loads have written
    std::vector<Armed> m_armed;
    Connections m_connections;
    std::vector<Delivery> m_deliveries;
    bool m_delivering = false;
    std::vector<Message> m_messages;
    std::vector<std::uint32_t> m_freeMessages;
    std::vector<Flight> m_flights;
    std::vector<std::uint32_t> m_freeFlights;
    std::vector<Visitor> m_visitors; ///< those that have come, in their order
    std::size_t m_nextVisit = 0;     ///< in the scenario's
    std::size_t m_act = 0;           ///< the visit at hand
    std::size_t m_firstVisitorLane = 0;
    VisitorPort* m_visitorPort = nullptr;
    StringId m_nilShown = StringId::Empty; ///< "(nil)" in this run's trace, once it was needed
    Instant m_now{};
    bool m_over = false;
    std::uint64_t m_runs = 0;
};

} // namespace lockscope
