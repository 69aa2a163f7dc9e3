// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/server_mirror.h"

#include <algorithm>
#include <array>

#include "core/base/assert.h"
#include "core/redis/numbers.h"
#include "core/world/shown_text.h"

namespace lockscope::live {

namespace {

/// How far the instant of a command may be off: the server's clock stands still during a turn of its loop.
constexpr Duration kDoubt = millis(8);

redis::StoreOptions mirrorOptions() {
    redis::StoreOptions options;
    options.activeExpiry = false; // the server says when it removes a key
    return options;
}

/// Replies that are true of their very moment, or up to the server alone, prove nothing.
bool isComparable(std::string_view command) {
    constexpr std::array<std::string_view, 12> kOwn{"pttl",   "ttl",    "time",      "info",
                                                    "scan",   "client", "randomkey", "memory",
                                                    "object", "hello",  "script",    "dbsize"};
    const std::string name = redis::lowered(command);
    return std::find(kOwn.begin(), kOwn.end(), name) == kOwn.end();
}

} // namespace

ServerMirror::ServerMirror(int nodes, std::int64_t epochMicros) : m_epochMicros(epochMicros) {
    for (int node = 0; node < nodes; ++node) {
        StoreRecorder& recorder = m_recorders.emplace_back(static_cast<NodeIndex>(node));
        m_stores.push_back(std::make_unique<redis::Store>(mirrorOptions(), &recorder));
    }
}

void ServerMirror::begin(Trace& trace) {
    trace.events.clear();
    m_disagreements.clear();
    for (std::size_t node = 0; node < m_stores.size(); ++node) {
        m_recorders[node].begin(trace, *m_stores[node], m_epochMicros);
        m_stores[node]->reset(mirrorOptions());
    }
}

void ServerMirror::replay(std::span<const ServerDeed> deeds,
                          std::span<const std::optional<ServerAnswer>> answers, Instant until, Trace& trace) {
    // Each time a command has to be moved everything is done again: it changes what comes after.
    for (bool again = true; again;) {
        again = false;
        begin(trace);
        Instant at{};
        for (const ServerDeed& deed : deeds) {
            if (deed.at > until) break;
            at = std::max(at, instantOf(deed));
            letTimePass(at);
            if (deed.kind != ServerDeed::Kind::Command) {
                remove(deed, at, trace);
                continue;
            }
            const ServerAnswer* answer = nullptr;
            if (deed.request != kNone && answers[static_cast<std::size_t>(deed.request)])
                answer = &*answers[static_cast<std::size_t>(deed.request)];
            again = execute(deed, at, answer, trace);
            if (again) break;
        }
        if (!again) letTimePass(std::max(at, until));
    }
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

/// True if the command was moved across a deadline, so that all must be done again.
bool ServerMirror::execute(const ServerDeed& deed, Instant at, const ServerAnswer* answer, Trace& trace) {
    const auto node = static_cast<std::size_t>(deed.node);
    const std::optional<Instant> deadline = deadlineOf(deed, at);

    Event& executed = trace.events.emplace_back();
    const std::size_t position = trace.events.size() - 1;
    executed.at = position == 0 ? at : std::max(at, trace.events[position - 1].at);
    executed.kind = EventKind::RequestExecuted;
    executed.node = deed.node;
    if (deed.request != kNone) {
        const TraceRequest& request = trace.requests[static_cast<std::size_t>(deed.request)];
        executed.request = deed.request;
        executed.actor = request.actor;
        executed.task = request.task;
        if (request.task != kNone)
            executed.process = trace.tasks[static_cast<std::size_t>(request.task)].process;
        executed.key = request.key;
        executed.line = request.line;
    }
    m_recorders[node].causedBy(deed.request);
    const std::vector<std::string_view> args(deed.args.begin(), deed.args.end());
    const redis::Reply& reply = m_stores[node]->execute(deed.client, args, unixAt(at));
    m_recorders[node].causedBy(kNone);
    const redis::Reply folded = redis::foldedForResp2(reply);
    std::string shown = redis::display(folded);
    std::int64_t flags = replyFlags(folded);
    if (answer != nullptr && answer->shown != shown) {
        if (isComparable(args[0])) {
            if (nudge(deed, at, deadline)) return true;
            m_disagreements.push_back({deed.request, answer->shown, shown});
        }
        shown = answer->shown;
        flags = answer->flags;
    }
    trace.events[position].text = trace.strings.intern(shown);
    trace.events[position].b = flags;
    return false;
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

std::optional<Instant> ServerMirror::deadlineOf(const ServerDeed& deed, Instant at) const {
    const std::vector<std::string_view> args(deed.args.begin(), deed.args.end());
    const auto info =
        m_stores[static_cast<std::size_t>(deed.node)]->peek(redis::firstKeyOf(args), unixAt(at));
    if (!info || !info->deadline) return std::nullopt;
    return instantAt(Duration{*info->deadline * 1000 - m_epochMicros});
}

/// By then it may have been put there anew, or been removed by whoever asked for it; then nothing happens.
void ServerMirror::remove(const ServerDeed& deed, Instant at, Trace& trace) {
    redis::Store& store = *m_stores[static_cast<std::size_t>(deed.node)];
    const std::string_view key = deed.args[0];
    const auto info = store.peek(key, unixAt(at));
    if (!info) return;
    const bool evicted = deed.kind == ServerDeed::Kind::Evicted;
    if (!evicted && !info->dead) {
        if (!info->deadline) return;
        const Instant dead = instantAt(Duration{(*info->deadline + 1) * 1000 - m_epochMicros});
        if (dead - at > kDoubt) return;
        at = dead;
        letTimePass(at);
    }
    const std::size_t before = trace.events.size();
    const std::array<std::string_view, 2> touch{evicted ? "DEL" : "EXISTS", key};
    store.execute(0, touch, unixAt(at));
    if (!evicted) return;
    for (std::size_t i = before; i < trace.events.size(); ++i) {
        Event& event = trace.events[i];
        if (event.kind == EventKind::KeyRemoved) event.reason = EndReason::Evicted;
        if (event.kind == EventKind::KeyspaceEvent) event.text = trace.strings.intern("evicted");
    }
}

} // namespace lockscope::live
