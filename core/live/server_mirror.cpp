// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/server_mirror.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/assert.h"
#include "core/redis/numbers.h"
#include "core/world/shown_text.h"

namespace lockscope::live {

namespace {

/// A server that is filled as fast as it can be says late what it drops.
constexpr Duration kHeardAfter = millis(500);

constexpr std::size_t kLongestMessageShown = 120; // bytes of a channel or a message in a trace

redis::StoreOptions mirrorOptions() {
    redis::StoreOptions options;
    options.activeExpiry = false; // the server says when it removes a key,
    options.eviction = false;     // and when it drops one or has no room for more
    return options;
}

/// Replies that are true of their very moment, or up to the server alone, prove nothing. How many listen is
/// one: nobody tells when the server noticed that one had gone.
bool isComparable(std::string_view command) {
    constexpr std::array<std::string_view, 13> kOwn{"pttl",   "ttl",       "time",   "info",   "scan",
                                                    "client", "randomkey", "memory", "object", "hello",
                                                    "script", "dbsize",    "publish"};
    const std::string name = redis::lowered(command);
    return std::find(kOwn.begin(), kOwn.end(), name) == kOwn.end();
}

} // namespace

ServerMirror::ServerMirror(int nodes, std::int64_t epochMicros) : m_epochMicros(epochMicros) {
    for (int node = 0; node < nodes; ++node) {
        StoreRecorder& recorder = m_recorders.emplace_back(static_cast<NodeIndex>(node));
        m_stores.push_back(std::make_unique<redis::Store>(mirrorOptions(), &recorder));
        m_stores.back()->deliverTo(&m_mailboxes.emplace_back(*this, static_cast<std::size_t>(node)));
    }
}

redis::ClientId ServerMirror::addClient(ProcessIndex process, NodeIndex node, unsigned subscription) {
    ++m_clients;
    return m_connections.add(process, node, subscription);
}

void ServerMirror::begin(Trace& trace) {
    trace.events.clear();
    m_disagreements.clear();
    m_at = {};
    m_had.assign(m_stores.size(), std::nullopt);
    for (std::size_t client = 0; client < m_clients; ++client)
        m_connections[static_cast<redis::ClientId>(client)].waits = kNone;
    for (std::size_t node = 0; node < m_stores.size(); ++node) {
        m_recorders[node].begin(trace, *m_stores[node], m_epochMicros, &m_connections);
        m_stores[node]->reset(mirrorOptions());
    }
}

const ServerAnswer* ServerMirror::answerTo(RequestIndex request) const {
    if (request == kNone || !m_answers[static_cast<std::size_t>(request)]) return nullptr;
    return &*m_answers[static_cast<std::size_t>(request)];
}

void ServerMirror::replay(std::span<const ServerDeed> deeds,
                          std::span<const std::optional<ServerAnswer>> answers, Instant until, Trace& trace) {
    // Each time a command has to be moved everything is done again: it changes what comes after.
    do {
        begin(trace);
    } while (!goOn(deeds, answers, until, trace));
}

bool ServerMirror::goOn(std::span<const ServerDeed> deeds,
                        std::span<const std::optional<ServerAnswer>> answers, Instant until, Trace& trace) {
    m_answers = answers;
    m_deeds = deeds;
    m_trace = &trace;
    const bool done = run(until, trace);
    m_trace = nullptr;
    return done;
}

/// False if something was moved, so that all must be done again.
bool ServerMirror::run(Instant until, Trace& trace) {
    for (const ServerDeed* each : inOrder()) {
        const ServerDeed& deed = *each;
        const bool forward = isBroughtForward(deed);
        if (deed.at > until && !forward) continue;
        if (!forward) m_at = std::max(m_at, instantOf(deed));
        const std::size_t before = trace.events.size();
        letTimePass(m_at);
        const std::size_t begun = trace.events.size();
        if (does(deed, trace)) return false;
        keepWithinBounds(deed, before, begun, trace);
    }
    letTimePass(std::max(m_at, until));
    return true;
}

/// True if a command was moved across a deadline, so that all must be done again.
bool ServerMirror::does(const ServerDeed& deed, Trace& trace) {
    switch (deed.kind) {
    case ServerDeed::Kind::Command:
        return execute(deed, m_at, answerTo(deed.request), trace);
    case ServerDeed::Kind::Expired:
    case ServerDeed::Kind::Evicted:
        remove(deed, m_at);
        break;
    case ServerDeed::Kind::Left:
        leave(deed);
        break;
    case ServerDeed::Kind::Answered:
        answerAtLast(deed, m_at, trace);
        break;
    case ServerDeed::Kind::WentDown:
        goDown(deed.node, m_at, trace);
        break;
    case ServerDeed::Kind::CameUp:
        comeUp(deed, m_at, trace);
        break;
    }
    return false;
}

/// A command that was moved across a deadline is shown, with what it did, no earlier than it was sent and no
/// later than it was answered; so is the end of the lease that it is about. What came before it stays.
void ServerMirror::keepWithinBounds(const ServerDeed& deed, std::size_t before, std::size_t begun,
                                    Trace& trace) {
    Instant last = before == 0 ? Instant{} : trace.events[before - 1].at;
    for (std::size_t i = before; i < trace.events.size(); ++i) {
        Instant& at = trace.events[i].at;
        if (i >= begun) at = std::max(at, deed.earliest);
        last = at = std::max(last, std::min(at, deed.latest));
    }
}

/// As they were heard of, but for keys that were dropped before: those go with the command that knew of it,
/// which may have been done already.
std::vector<const ServerDeed*> ServerMirror::inOrder() const {
    std::vector<const ServerDeed*> order;
    order.reserve(m_deeds.size());
    for (const ServerDeed& deed : m_deeds)
        order.push_back(&deed);
    for (const Dropped& dropped : m_dropped) {
        const auto from = std::find_if(order.begin(), order.end(), [&](const ServerDeed* deed) {
            return deed->kind == ServerDeed::Kind::Evicted && deed->node == dropped.node &&
                   deed->at == dropped.heard && deed->args[0] == dropped.key;
        });
        if (from == order.end()) continue;
        const auto to = std::find_if(order.begin(), order.end(), [&](const ServerDeed* deed) {
            return deed->kind == ServerDeed::Kind::Command && deed->request == dropped.before;
        });
        if (to == order.end())
            order.erase(from);
        else if (to < from)
            std::rotate(to, from, from + 1);
    }
    return order;
}

bool ServerMirror::isBroughtForward(const ServerDeed& deed) const {
    return deed.kind == ServerDeed::Kind::Evicted &&
           std::any_of(m_dropped.begin(), m_dropped.end(), [&](const Dropped& dropped) {
               return dropped.node == deed.node && dropped.heard == deed.at && dropped.key == deed.args[0];
           });
}

Instant ServerMirror::instantOf(const ServerDeed& deed) const {
    for (const Nudge& nudge : m_nudges)
        if (nudge.request == deed.request && deed.request != kNone) return nudge.at;
    return deed.at;
}

/// Leases end at their own instants, those of several servers in the order of time.
void ServerMirror::letTimePass(Instant until) {
    while (true) {
        redis::Store* first = nullptr;
        std::int64_t due = unixAt(until);
        for (const auto& store : m_stores) {
            const auto next = store->nextDeadline();
            if (!next || *next > due) continue;
            due = *next;
            first = store.get();
        }
        if (first == nullptr) return;
        first->advance(due);
    }
}

Event& ServerMirror::recordExecuted(const ServerDeed& deed, Instant at, Trace& trace) {
    const Instant last = trace.events.empty() ? at : trace.events.back().at;
    Event& executed = trace.events.emplace_back();
    executed.at = std::max(at, last);
    executed.kind = EventKind::RequestExecuted;
    executed.node = deed.node;
    if (deed.request == kNone) return executed;
    const TraceRequest& request = trace.requests[static_cast<std::size_t>(deed.request)];
    executed.request = deed.request;
    executed.actor = request.actor;
    executed.task = request.task;
    if (request.task != kNone) executed.process = trace.tasks[static_cast<std::size_t>(request.task)].process;
    executed.key = request.key;
    executed.line = request.line;
    return executed;
}

/// True if the command was moved across a deadline.
bool ServerMirror::execute(const ServerDeed& deed, Instant at, const ServerAnswer* answer, Trace& trace) {
    const auto node = static_cast<std::size_t>(deed.node);
    if (m_connections[deed.client].waits != kNone) leave(deed); // the real one has answered it since
    if (executeElsewhere(deed, at, answer, trace)) return false;
    const std::optional<Instant> deadline = deadlineOf(deed, at);

    recordExecuted(deed, at, trace);
    const std::size_t position = trace.events.size() - 1;
    m_recorders[node].causedBy(deed.request);
    m_confirmed.reset();
    const redis::Reply& reply =
        runInStore(deed, at, answer != nullptr && answer->shown.starts_with("(error) OOM"));
    m_recorders[node].causedBy(kNone);
    if (reply.type == redis::Reply::Type::None && putOff(deed, position, trace)) return false;
    const redis::Reply folded = redis::foldedForResp2(reply);
    if (answer != nullptr && answer->shown != redis::display(folded) && isComparable(deed.args[0]) &&
        (nudge(deed, at, deadline) || bringForward(deed, at)))
        return true;
    complete(deed.request, position, folded);
    return false;
}

const redis::Reply& ServerMirror::runInStore(const ServerDeed& deed, Instant at, bool full) {
    redis::Store& store = *m_stores[static_cast<std::size_t>(deed.node)];
    const std::vector<std::string_view> args(deed.args.begin(), deed.args.end());
    store.setFull(full);
    return store.execute(deed.client, args, unixAt(at));
}

/// The store has it, and no reply of its own. True if that is as it should be.
bool ServerMirror::putOff(const ServerDeed& deed, std::size_t position, Trace& trace) {
    if (m_stores[static_cast<std::size_t>(deed.node)]->factsOf(deed.client).blocked) {
        m_connections[deed.client].waits = deed.request;
        trace.events[position].kind = EventKind::RequestWaits;
        return true;
    }
    if (!m_confirmed) return false;
    complete(deed.request, position,
             redis::foldedForResp2(*m_confirmed)); // SUBSCRIBE is answered by a message
    return true;
}

/// The server's own word counts. What the store says otherwise is a doubt.
void ServerMirror::complete(RequestIndex request, std::size_t executed, const redis::Reply& reply) {
    std::string shown = redis::display(reply);
    std::int64_t flags = replyFlags(reply);
    if (const ServerAnswer* answer = answerTo(request); answer != nullptr && answer->shown != shown) {
        const StringId command = m_trace->requests[static_cast<std::size_t>(request)].command;
        if (isComparable(m_trace->text(command))) m_disagreements.push_back({request, answer->shown, shown});
        shown = answer->shown;
        flags = answer->flags;
    }
    m_trace->events[executed].text = m_trace->strings.intern(shown);
    m_trace->events[executed].b = flags;
}

void ServerMirror::deliver(std::size_t node, redis::ClientId client, const redis::Reply& reply) {
    if (m_trace == nullptr) return;
    Connection& connection = m_connections[client];
    if (connection.waits != kNone) {
        const RequestIndex request = std::exchange(connection.waits, kNone);
        return complete(request, m_recorders[node].answered(), redis::foldedForResp2(reply));
    }
    const bool message = reply.items.size() == 3 && reply.items[0].text == "message";
    if (!message)
        m_confirmed = reply;
    else if (connection.listens())
        sendMessage(node, connection, reply);
}

void ServerMirror::sendMessage(std::size_t node, const Connection& to, const redis::Reply& reply) {
    Event event;
    event.at = instantAt(Duration{m_stores[node]->observerTime() - m_epochMicros});
    if (!m_trace->events.empty()) event.at = std::max(event.at, m_trace->events.back().at);
    event.kind = EventKind::MessageSent;
    event.node = static_cast<NodeIndex>(node);
    event.process = to.process;
    event.actor = m_trace->processes[static_cast<std::size_t>(to.process)].actor;
    event.request = m_recorders[node].cause();
    event.text = internShown(*m_trace, reply.items[1].text, kLongestMessageShown);
    event.text2 = internShown(*m_trace, reply.items[2].text, kLongestMessageShown);
    m_trace->events.push_back(event);
}

void ServerMirror::leave(const ServerDeed& deed) {
    m_connections[deed.client].waits = kNone;
    m_stores[static_cast<std::size_t>(deed.node)]->disconnect(deed.client);
}

/// Moves a command to the other side of a deadline that it came close to; each command once.
bool ServerMirror::nudge(const ServerDeed& deed, Instant at, std::optional<Instant> deadline) {
    if (!deadline || instantOf(deed) != deed.at) return false;
    // A key is dead from the first millisecond after its deadline's on.
    const Instant dead = *deadline + millis(1);
    const bool wasDead = at >= dead;
    if ((wasDead ? at - dead : dead - at) > kDoubt) return false;
    m_nudges.push_back({deed.request, wasDead ? dead - Duration{1} : dead});
    return true;
}

/// Lets the key of this command be gone already, if it is heard soon afterwards that it was dropped. Each
/// such word once.
bool ServerMirror::bringForward(const ServerDeed& deed, Instant at) {
    const std::vector<std::string_view> args(deed.args.begin(), deed.args.end());
    const std::string_view key = redis::firstKeyOf(args);
    for (const ServerDeed& other : m_deeds) {
        const bool soon = other.at >= at && other.at - at <= kHeardAfter;
        if (other.kind != ServerDeed::Kind::Evicted || other.node != deed.node || !soon) continue;
        if (other.args[0] != key || isBroughtForward(other)) continue;
        m_dropped.push_back({deed.request, deed.node, other.args[0], other.at});
        return true;
    }
    return false;
}

std::optional<Instant> ServerMirror::deadlineOf(const ServerDeed& deed, Instant at) const {
    const std::vector<std::string_view> args(deed.args.begin(), deed.args.end());
    const auto info =
        m_stores[static_cast<std::size_t>(deed.node)]->peek(redis::firstKeyOf(args), unixAt(at));
    if (!info || !info->deadline) return std::nullopt;
    return instantAt(Duration{*info->deadline * 1000 - m_epochMicros});
}

/// By then it may have been put there anew, or been removed by whoever asked for it; then nothing happens.
void ServerMirror::remove(const ServerDeed& deed, Instant at) {
    redis::Store& store = *m_stores[static_cast<std::size_t>(deed.node)];
    const std::string_view key = deed.args[0];
    const auto info = store.peek(key, unixAt(at));
    if (!info) return;
    if (deed.kind == ServerDeed::Kind::Evicted) return store.evict(key, unixAt(at));
    if (!info->dead) {
        if (!info->deadline) return;
        const Instant dead = instantAt(Duration{(*info->deadline + 1) * 1000 - m_epochMicros});
        if (dead - at > kDoubt) return;
        at = dead;
        letTimePass(at);
    }
    const std::array<std::string_view, 2> touch{"EXISTS", key};
    store.execute(0, touch, unixAt(at));
}

} // namespace lockscope::live
