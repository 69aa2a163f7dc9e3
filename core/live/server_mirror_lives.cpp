// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What of a server's doings the mirror's store has no part in, and what becomes of it when another server
// answers for the node.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "core/live/server_mirror.h"
#include "core/redis/numbers.h"

namespace lockscope::live {

namespace {

/// An answer that came within this was not waited for.
constexpr Duration kAtOnce = millis(5);

/// Refused before it would have done anything: by a server that lacks replicas, or whose disk fails, or that
/// is a replica or loads.
bool isTurnedDown(std::string_view answer) {
    constexpr std::array<std::string_view, 5> kWhy{"NOREPLICAS", "MISCONF", "READONLY", "LOADING",
                                                   "MASTERDOWN"};
    constexpr std::string_view kError = "(error) ";
    return answer.starts_with(kError) && std::ranges::any_of(kWhy, [&](std::string_view why) {
               return answer.substr(kError.size()).starts_with(why);
           });
}

} // namespace

/// What the store has no part in: how many copies there are (WAIT), what a server turned down because of what
/// it is just then, and the last words of one that is down. True if it is that.
bool ServerMirror::executeElsewhere(const ServerDeed& deed, Instant at, const ServerAnswer* answer,
                                    Trace& trace) {
    const auto node = static_cast<std::size_t>(deed.node);
    const bool asksForCopies = redis::equalsIgnoringCase(deed.args[0], "wait") &&
                               !m_stores[node]->factsOf(deed.client).inTransaction;
    const bool turnedDown = answer != nullptr && isTurnedDown(answer->shown);
    if (!asksForCopies && !turnedDown && !m_had[node]) return false;
    if (turnedDown && m_stores[node]->factsOf(deed.client).inTransaction) {
        constexpr std::array<std::string_view, 1> kUnknown{"?"}; // the transaction fails here as well
        m_stores[node]->execute(deed.client, kUnknown, unixAt(at));
    }
    Event& event = recordExecuted(deed, at, trace);
    if (asksForCopies && (answer == nullptr || answer->at - at > kAtOnce)) {
        event.kind = EventKind::RequestWaits;
        m_connections[deed.client].waits = deed.request;
    } else if (answer != nullptr) {
        event.text = trace.strings.intern(answer->shown);
        event.b = answer->flags;
    }
    return true;
}

void ServerMirror::answerAtLast(const ServerDeed& deed, Instant at, Trace& trace) {
    const ServerAnswer* answer = answerTo(deed.request);
    if (answer == nullptr || m_connections[deed.client].waits != deed.request) return;
    m_connections[deed.client].waits = kNone;
    Event& event = recordExecuted(deed, at, trace);
    event.text = trace.strings.intern(answer->shown);
    event.b = answer->flags;
}

// ---- down and up

void ServerMirror::recordServer(EventKind kind, NodeIndex node, Instant at, std::string_view why,
                                Trace& trace) {
    const Instant last = trace.events.empty() ? at : trace.events.back().at;
    Event& event = trace.events.emplace_back();
    event.at = std::max(at, last);
    event.kind = kind;
    event.node = node;
    event.text = trace.strings.intern(why);
}

/// The end of the server and of all connections to it.
void ServerMirror::goDown(NodeIndex number, Instant at, Trace& trace) {
    const auto node = static_cast<std::size_t>(number);
    if (m_had[node]) return;
    m_had[node] = keysOf(*m_stores[node], unixAt(at));
    m_recorders[node].mute(true);
    for (redis::ClientId client = 1; client < m_connections.end(); ++client)
        if (m_connections[client].node == number) m_connections[client].waits = kNone;
    m_stores[node]->stop(false, unixAt(at));
    recordServer(EventKind::ServerUnavailable, number, at, "down", trace);
}

/// The store has known each deadline to about a millisecond, and so does who asked the server for it: where
/// the two agree nothing has changed.
void ServerMirror::comeUp(const ServerDeed& deed, Instant at, Trace& trace) {
    const auto node = static_cast<std::size_t>(deed.node);
    if (!m_had[node]) return;
    const std::vector<KeyFacts> had = *std::exchange(m_had[node], std::nullopt);
    std::vector<redis::StoredCommand> keys = deed.keys;
    for (redis::StoredCommand& command : keys) {
        const KeyFacts* before = keyAmong(had, command.database, command.words[1]);
        if (command.words[0] != "PEXPIREAT" || before == nullptr || !before->info.deadline) continue;
        const std::int64_t now = redis::parseInteger(command.words[2]).value_or(0);
        if (std::abs(now - *before->info.deadline) <= kDoubt / millis(1))
            command.words[2] = std::to_string(*before->info.deadline);
    }
    redis::Store& store = *m_stores[node];
    store.start(unixAt(at), 0);
    store.replaceContents(keys, unixAt(at));
    m_recorders[node].mute(false);
    // As in the simulated world: one that is started answers, and is asked then.
    const bool started = deed.why == EndReason::LostAtRestart;
    if (started) recordServer(EventKind::ServerAvailable, deed.node, at, {}, trace);
    tellDifference(m_recorders[node], store, had, deed.why, unixAt(at));
    if (!started) recordServer(EventKind::ServerAvailable, deed.node, at, {}, trace);
}

} // namespace lockscope::live
