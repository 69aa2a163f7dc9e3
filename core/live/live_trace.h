// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/live/actor_messages.h"
#include "core/live/seen_command.h"
#include "core/live/server_mirror.h"
#include "core/world/scenario.h"

namespace lockscope::live {

/// Makes a Trace, the same kind that the simulator makes, from what actors report, what the host does to
/// them, and what servers are seen to do.
///
/// Who is asked about what:
///  1. What an actor does, thinks, sends and gets: its own reports, by the monotonic clock that all processes
///     of this machine share.
///  2. Which commands a server executes, and in which order: its MONITOR, where the server is our own. Its
///     clock is the wall clock, taken relative to the monotonic one when the run began. Elsewhere a command
///     counts as executed soon after its sending; of commands that were under way at the same time the order
///     is the one that explains their replies.
///  3. What a command did to its key: the ServerMirror. While the run grows it goes on from where it was, in
///     the order in which the servers were seen to execute. Where somebody's word of what he sent is still
///     under way, the servers' part of the picture waits for it a little. Only when something comes too late
///     for that is everything replayed, and once more at the end.
/// Whatever the clocks say, no command is executed before it was sent or after its reply was there.
class LiveTrace {
public:
    /// `epochMicros`: Unix time at the run's zero. `monitored`: every command comes by saw().
    LiveTrace(const Scenario& scenario, WorldKind world, std::int64_t epochMicros, bool monitored);

    // Processes.

    /// Another life of an actor.
    ProcessIndex addProcess(ActorIndex actor);
    void add(ProcessIndex process, const ActorReport& report);
    /// An event that the host makes; its instant is kept in order.
    void note(const Event& event);
    /// What the process, or everybody (kNone), was working on ends here unfinished.
    void cutOffWorks(ProcessIndex process, Instant at);
    /// The process' connections are closed.
    void left(ProcessIndex process, Instant at);
    void noteIntervention(const Intervention& intervention);
    /// A pause that was ended before its time has become that long.
    void shortenIntervention(std::size_t index, Duration length) {
        m_base.interventions[index].length = length;
    }
    /// What a write of that process, the next that it reports, has made the resource execute.
    void addStatement(ProcessIndex process, std::string_view sql) {
        m_base.statements.push_back({process, m_base.strings.intern(sql)});
    }
    void takeBack(std::size_t intervention) { m_base.interventions[intervention].takenBack = true; }
    void setFailure(const std::string& why) { m_base.failure = why; }
    /// The instant of the latest event that the process has reported.
    Instant lastOf(ProcessIndex process) const;
    const Trace& base() const { return m_base; }
    StringId intern(std::string_view text) { return m_base.strings.intern(text); }

    // Commands of the host's own, as an actor from outside.

    /// That somebody of that name is in the picture.
    ActorIndex actorOutside(std::string_view who);
    /// adminSent() or adminNotSent() follows.
    RequestIndex addAdminRequest(std::string_view who, NodeIndex node, const std::vector<std::string>& words,
                                 Instant at);
    void adminSent(RequestIndex request, const std::vector<std::string>& words, Instant at,
                   const QString& address);
    /// What he is told instead of an answer.
    void adminNotSent(RequestIndex request, const redis::Reply& why, Instant at);
    void addAdminAnswer(RequestIndex request, const redis::Reply& reply, Instant at);

    // Servers.

    /// The process' connection to the node has this address from now on; kNone: it is the host's.
    void linked(ProcessIndex process, NodeIndex node, const QString& address);
    void saw(NodeIndex node, const SeenCommand& command);
    void sawRemoval(NodeIndex node, std::int64_t unixMicros, const QByteArray& key, bool evicted);
    /// Nobody answers for the node any more; and somebody does, who has these keys.
    void wentDown(NodeIndex node, std::int64_t unixMicros);
    void cameUp(NodeIndex node, std::int64_t unixMicros, std::vector<redis::StoredCommand> keys,
                EndReason why);

    /// Between these it is not seen what the server executes.
    void looksAway(NodeIndex node, Instant at) { m_blind.push_back({node, at, kNever}); }
    void looksAgain(NodeIndex node, Instant at);
    void setLoad(std::size_t intervention, const TraceLoad& told) {
        m_base.interventions[intervention].load = told;
    }

    /// The run as far as it is known by now. `reached` == the horizon ends it.
    std::shared_ptr<Trace> assemble(Instant reached);
    /// The same while it still grows. Only the mirror goes on from where it was, which is most of the cost;
    /// the picture itself is copied whole each time.
    std::shared_ptr<Trace> grow(Instant reached);
    /// By how much, at the most, something came later than it was due: a process that woke up, a command and
    /// its answer. What was held up on purpose, or waits by its nature, does not count.
    Duration lateness() const;
    /// Sentences about what the servers answered otherwise than they should have, by what assemble() found.
    std::vector<std::string> doubts() const;

private:
    struct Sent {
        RequestIndex request = kNone;
        NodeIndex node = 0;
        redis::ClientId client = 0;
        Instant at{};
        std::vector<std::string> args;
        bool seen = false; ///< the server was seen to execute it
    };
    /// One connection, by its address on the node.
    struct Link {
        std::deque<std::size_t> pending; ///< indices into m_sent: handed to it and not seen yet
        bool carried = false;            ///< a request of its was seen: the greeting is over
    };
    using Address = std::pair<NodeIndex, QString>;
    struct Waiting {
        SeenCommand command;
        NodeIndex node = 0;
        std::uint64_t place = 0; ///< among all that was seen
    };

    Instant runInstant(std::int64_t unixMicros) const {
        return instantAt(Duration{unixMicros - m_epochMicros});
    }
    void remember(const Sent& sent, const Address& address);
    redis::ClientId clientOf(ProcessIndex process, NodeIndex node, unsigned subscription);
    void addLeaving(redis::ClientId client, NodeIndex node, Instant at);
    bool heldUp(const Sent& sent, Instant answered) const;
    void match();
    bool matchOne(const Waiting& waiting);
    const Sent* sentOf(RequestIndex request) const;
    std::vector<ServerDeed> allDeeds(Instant until);
    bool wasBlind(const Sent& sent) const;
    void placeUnseen(Instant reached, std::vector<ServerDeed>& deeds) const;
    Instant knownUntil(Instant reached) const;
    bool goOn(Instant until);
    bool knowsOfLaterEviction() const;
    void addDeed(ServerDeed deed);
    void noteUnanswered(std::size_t from);
    void checkAnswer(RequestIndex request, const ServerAnswer& answer);
    std::shared_ptr<Trace> merged(Instant reached);
    Instant withinBounds(Instant at, const Sent& sent) const;
    const Sent* bound(ServerDeed& deed) const;
    Instant answeredAt(const Sent& sent) const;
    void replay(Instant until);
    bool reorder(Instant until);
    bool swapAround(const Sent& wrong, const Sent& other);
    void noteAnswer(RequestIndex request, const ServerAnswer& answer);
    Event adminEvent(EventKind kind, RequestIndex request, Instant at) const;
    void noteAdminReply(RequestIndex request, const redis::Reply& reply, Instant at);
    bool wasItsLast(const Sent& sent) const;

    Trace m_base; ///< tables, and the events of actors and host
    std::int64_t m_epochMicros;
    bool m_monitored;
    std::vector<ReportAppender> m_appenders; ///< one a process
    std::map<Address, Link> m_links;
    std::map<std::pair<ProcessIndex, NodeIndex>, QString> m_addresses;
    std::map<std::tuple<ProcessIndex, NodeIndex, unsigned>, redis::ClientId> m_clients;
    Duration m_late{0}; ///< of what processes have reported
    std::vector<Sent> m_sent;
    std::deque<Waiting> m_waiting;               ///< seen, and not known yet whose they are
    std::map<std::uint64_t, ServerDeed> m_deeds; ///< in the order in which they were seen
    std::uint64_t m_seen = 0;
    struct Blind {
        NodeIndex node = 0;
        Instant from{};
        Instant until{};
    };
    std::vector<Blind> m_blind;                          ///< when a monitored server was not seen
    std::vector<std::pair<NodeIndex, Instant>> m_deaths; ///< of servers that were monitored
    std::vector<std::optional<ServerAnswer>> m_answers;
    std::map<RequestIndex, Instant> m_placed; ///< where replies have told more than clocks
    ServerMirror m_mirror;
    std::vector<int> m_sentOf; ///< by request: its index in m_sent, or -1
    // How far the mirror has come.
    std::vector<Event> m_serverEvents; ///< what it has made of that
    Instant m_mirrored{};
    bool m_anew = true;                    ///< something came too late to go on from there
    std::set<std::uint64_t> m_undone;      ///< what was seen and is not in it yet: keys of m_deeds
    std::map<NodeIndex, Instant> m_lastAt; ///< a server's own order stays, whatever bounds do to instants
    std::map<RequestIndex, std::size_t>
        m_unanswered; ///< executed when no answer was known: in m_serverEvents
};

} // namespace lockscope::live
