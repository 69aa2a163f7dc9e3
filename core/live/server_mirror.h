// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/redis/store.h"
#include "core/trace/trace.h"
#include "core/world/connections.h"
#include "core/world/scenario.h"
#include "core/world/server_contents.h"
#include "core/world/store_recorder.h"

namespace lockscope::live {

/// Something that a real server did, as it was seen from outside.
struct ServerDeed {
    enum class Kind : std::uint8_t {
        Command,  ///< it executed one
        Expired,  ///< it said that it removed this key because its time was up
        Evicted,  ///< … to make room
        Left,     ///< the client's connection was closed
        Answered, ///< a command that waited has its answer, and only the server could know it (WAIT)
        WentDown, ///< nobody answers for the node
        CameUp,   ///< somebody does, who has `keys`
    };
    Kind kind = Kind::Command;
    Instant at{};
    NodeIndex node = 0;
    RequestIndex request = kNone;
    redis::ClientId client = 0;    ///< one number a connection: transactions are the connection's
    std::vector<std::string> args; ///< of a command; else the key
    std::uint64_t place =
        ~std::uint64_t{0}; ///< among all that was seen of servers; the last: it was not seen
    std::vector<redis::StoredCommand> keys = {};
    EndReason why = EndReason::None; ///< CameUp: why keys are missing
    Instant earliest = {};           ///< it was sent
    Instant latest = kNever;         ///< it was answered
};

/// What a server answered to a request, as the trace shows it.
struct ServerAnswer {
    Instant at{};
    std::string shown;
    std::int64_t flags = 0;
};

/// A reply of the server's that the mirror would not have given.
struct Disagreement {
    RequestIndex request = kNone;
    std::string real;
    std::string mirrored;
};

/// What a real server's commands did to its keys, in the terms of a trace.
///
/// A server tells which commands it executes, in which order (MONITOR), and what it answers. It does not tell
/// what each of them changed. So the embedded store executes the same commands at the same instants, and its
/// recorder writes down what changes. This is not taken on trust: each reply of the server's is compared with
/// the store's, and what differs is reported. Keys whose time is up are removed when the server says so.
///
/// A command that waits (BLPOP) is answered in the store when the store has what it waits for, and what comes
/// by a channel is sent to whom the store knows to listen. So it has to know each connection, and when it
/// ends.
///
/// Nor does a server tell how much memory it has left. What it refuses for want of it (OOM) the store refuses
/// as well, since it has none just then. That it dropped a key to make room is heard a moment after it did,
/// so a reply that knows of it already tells when that was at the latest.
///
/// Nor does it tell what its replicas have: the answer to WAIT is the server's alone. When another server
/// answers for a node, or the same one after a start, the store begins anew with the keys that were found
/// there.
///
/// A command can fall so close to a deadline that the two come to different sides of it, since the server's
/// clock is only known to about a millisecond. Then the server's reply decides.
class ServerMirror {
public:
    /// `epochMicros`: Unix time at the run's zero, as the servers have it.
    ServerMirror(int nodes, std::int64_t epochMicros);

    /// A connection of a process to a node; its number. 0 is the host's own, to any of them.
    redis::ClientId addClient(ProcessIndex process, NodeIndex node, unsigned subscription);

    /// Appends to `trace.events`, which must be empty, what the deeds did up to `until`. They stand in the
    /// order of their instants. `answers` are parallel to the trace's requests.
    void replay(std::span<const ServerDeed> deeds, std::span<const std::optional<ServerAnswer>> answers,
                Instant until, Trace& trace);
    /// The same for deeds that come after those, appended to the same trace, which has only grown meanwhile.
    /// False if a command had to be moved, so that all must be replayed.
    bool goOn(std::span<const ServerDeed> deeds, std::span<const std::optional<ServerAnswer>> answers,
              Instant until, Trace& trace);
    const std::vector<Disagreement>& disagreements() const { return m_disagreements; }

private:
    /// A command whose instant had to be moved across a deadline.
    struct Nudge {
        RequestIndex request = kNone;
        Instant at{};
    };
    /// A key that was dropped before this command was executed, though it was heard of later.
    struct Dropped {
        RequestIndex before = kNone;
        NodeIndex node = 0;
        std::string key;
        Instant heard{};
    };

    /// What a store sends that is no reply to the command at hand.
    class Mailbox final : public redis::DeliveryPort {
    public:
        Mailbox(ServerMirror& mirror, std::size_t node) : m_mirror(mirror), m_node(node) {}
        void onDelivery(redis::ClientId client, const redis::Reply& reply) override {
            m_mirror.deliver(m_node, client, reply);
        }
        void onHangUp(redis::ClientId) override {} // the real one hangs up itself, and is seen to

    private:
        ServerMirror& m_mirror;
        std::size_t m_node;
    };

    /// How far the instant of a command may be off: the server's clock stands still during a turn of its
    /// loop.
    static constexpr Duration kDoubt = millis(8);

    void begin(Trace& trace);
    bool run(Instant until, Trace& trace);
    bool does(const ServerDeed& deed, Trace& trace);
    void keepWithinBounds(const ServerDeed& deed, std::size_t before, std::size_t begun, Trace& trace);
    void letTimePass(Instant until);
    Instant instantOf(const ServerDeed& deed) const;
    const ServerAnswer* answerTo(RequestIndex request) const;
    Event& recordExecuted(const ServerDeed& deed, Instant at, Trace& trace);
    bool execute(const ServerDeed& deed, Instant at, const ServerAnswer* answer, Trace& trace);
    bool putOff(const ServerDeed& deed, std::size_t position, Trace& trace);
    void complete(RequestIndex request, std::size_t executed, const redis::Reply& reply);
    void deliver(std::size_t node, redis::ClientId client, const redis::Reply& reply);
    void sendMessage(std::size_t node, const Connection& to, const redis::Reply& reply);
    void leave(const ServerDeed& deed);
    bool nudge(const ServerDeed& deed, Instant at, std::optional<Instant> deadline);
    bool bringForward(const ServerDeed& deed, Instant at);
    std::vector<const ServerDeed*> inOrder() const;
    bool isBroughtForward(const ServerDeed& deed) const;
    const redis::Reply& runInStore(const ServerDeed& deed, Instant at, bool full);
    void remove(const ServerDeed& deed, Instant at);
    bool executeElsewhere(const ServerDeed& deed, Instant at, const ServerAnswer* answer, Trace& trace);
    void answerAtLast(const ServerDeed& deed, Instant at, Trace& trace);
    void goDown(NodeIndex node, Instant at, Trace& trace);
    void comeUp(const ServerDeed& deed, Instant at, Trace& trace);
    void recordServer(EventKind kind, NodeIndex node, Instant at, std::string_view why, Trace& trace);
    std::int64_t unixAt(Instant at) const { return m_epochMicros + micros(at); }
    std::optional<Instant> deadlineOf(const ServerDeed& deed, Instant at) const;

    std::int64_t m_epochMicros;
    std::deque<StoreRecorder> m_recorders; ///< one a node, before their stores
    std::deque<Mailbox> m_mailboxes;
    std::vector<std::unique_ptr<redis::Store>> m_stores;
    std::vector<std::optional<std::vector<KeyFacts>>> m_had; ///< by node: what was there when it went down
    Connections m_connections;
    std::size_t m_clients = 1;
    Instant m_at{}; ///< how far it has come
    // While it replays.
    Trace* m_trace = nullptr;
    std::span<const std::optional<ServerAnswer>> m_answers;
    std::optional<redis::Reply> m_confirmed; ///< of a SUBSCRIBE
    std::vector<Nudge> m_nudges;
    std::vector<Dropped> m_dropped;
    std::span<const ServerDeed> m_deeds;
    std::vector<Disagreement> m_disagreements;
};

} // namespace lockscope::live
