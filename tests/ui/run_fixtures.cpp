// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/run_fixtures.h"

#include <algorithm>

#include "core/base/random.h"

namespace lockscope::test {

std::shared_ptr<const ui::Run> runOf(Trace trace) {
    auto run = std::make_shared<ui::Run>();
    auto kept = std::make_shared<Trace>(std::move(trace));
    analyse(*kept, run->analysis);
    Judge().judge(*kept, run->analysis, run->violations);
    run->outcome = outcomeOf(*kept, run->analysis);
    run->lanes = layOut(*kept, run->analysis);
    run->trace = kept;
    return run;
}

std::unique_ptr<ui::RunModel> modelOf(Trace trace) {
    Scenario scenario;
    scenario.horizon = trace.horizon;
    auto model = std::make_unique<ui::RunModel>(std::make_unique<ToldSession>(std::move(trace)));
    model->start(scenario);
    return model;
}

namespace {

/// Tells one actor's turns: it asks, is refused or not, works, and lets go. Times rise from turn to turn.
class BigRunMaker {
public:
    BigRunMaker(int actors, std::size_t events) : m_wanted(events) {
        Trace& t = *m_trace;
        m_key = t.strings.intern("lock:report");
        m_set = t.strings.intern("SET");
        m_text = t.strings.intern("SET lock:report token NX PX 30000");
        m_labels = {t.strings.intern("Aggregate"), t.strings.intern("Upload"), t.strings.intern("Fetch")};
        t.lockKeys.push_back({m_key});
        t.hasResource = true;
        for (int i = 0; i < actors; ++i) {
            t.actors.push_back({"Server " + std::string(1, static_cast<char>('A' + i % 26)), false});
            t.processes.push_back({static_cast<ActorIndex>(i), 1});
            t.tasks.push_back({static_cast<ProcessIndex>(i), kNone, 0, TaskKind::Main});
            m_run->lanes.actors.emplace_back().actor = static_cast<ActorIndex>(i);
        }
        m_run->lanes.keys.emplace_back().key = m_key;
    }

    std::shared_ptr<const ui::Run> make() {
        for (int actor = 0; m_trace->events.size() < m_wanted;
             actor = (actor + 1) % static_cast<int>(m_trace->actors.size()))
            turn(actor);
        Trace& t = *m_trace;
        t.horizon = t.reached = m_now;
        KeyLane& key = m_run->lanes.keys.front();
        key.owners.push_back({m_freeFrom, m_now, kNone, false, EndReason::None, false});
        m_run->trace = m_trace;
        return m_run;
    }

private:
    Event& event(EventKind kind, int actor, Instant at) {
        Event& e = m_trace->events.emplace_back();
        e.kind = kind;
        e.at = at;
        e.actor = static_cast<ActorIndex>(actor);
        e.process = static_cast<ProcessIndex>(actor);
        e.task = actor;
        e.node = 0;
        e.key = m_key;
        return e;
    }

    RequestIndex request(int actor, Instant at, bool refusal) {
        Trace& t = *m_trace;
        t.requests.push_back({actor, static_cast<ActorIndex>(actor), 0, m_set, m_text, m_key, 3, true});
        const auto index = static_cast<RequestIndex>(t.requests.size()) - 1;
        RequestTimes times;
        times.sent = at;
        times.executed = at + millis(1);
        times.replied = at + millis(2);
        times.refusal = refusal;
        m_run->analysis.requests.push_back(times);
        for (const auto& [kind, when] : {std::pair{EventKind::RequestSent, times.sent},
                                         std::pair{EventKind::RequestExecuted, times.executed},
                                         std::pair{EventKind::ReplyReceived, times.replied}})
            event(kind, actor, when).request = index;
        m_run->lanes.actors[static_cast<std::size_t>(actor)].requests.push_back(index);
        return index;
    }

    void turn(int actor) {
        Analysis& analysis = m_run->analysis;
        const auto count = static_cast<int>(m_trace->actors.size());
        const RequestIndex ask = request(actor, m_now, false);
        const Instant from = m_now + millis(2);
        const Duration work = millis(20 + static_cast<std::int64_t>(m_random.below(200)));
        const bool paused = m_random.below(8) == 0;
        const bool late = m_random.below(10) == 0;
        const Instant until = from + work;

        Grant grant;
        grant.key = m_key;
        grant.number = static_cast<int>(analysis.grants.size()) + 1;
        grant.ask = ask;
        grant.task = actor;
        grant.process = static_cast<ProcessIndex>(actor);
        grant.actor = static_cast<ActorIndex>(actor);
        grant.from = m_now + millis(1);
        grant.until = late ? from + work / 2 : until;
        grant.end = late ? EndReason::LeaseEnded : EndReason::Deleted;
        grant.fence = grant.number;
        const auto grantIndex = static_cast<int>(analysis.grants.size());
        Claim claim;
        claim.key = m_key;
        claim.task = actor;
        claim.process = grant.process;
        claim.actor = grant.actor;
        claim.from = from;
        claim.until = until;
        claim.base = grantIndex;
        const auto claimIndex = static_cast<int>(analysis.claims.size());
        analysis.grants.push_back(grant);
        analysis.claims.push_back(claim);

        ActorLane& lane = m_run->lanes.actors[static_cast<std::size_t>(actor)];
        const StringId label = m_labels[m_random.below(m_labels.size())];
        event(EventKind::WorkStarted, actor, from).text = label;
        const Instant half = from + work / 2;
        if (paused) {
            lane.does.push_back({from, half, DoesKind::Work, label, actor, grant.process, 0, true, false});
            lane.does.push_back(
                {half, half + work / 4, DoesKind::Paused, StringId::Empty, actor, grant.process, 0});
            lane.does.push_back(
                {half + work / 4, until, DoesKind::Work, label, actor, grant.process, 0, false, true});
        } else {
            lane.does.push_back({from, until, DoesKind::Work, label, actor, grant.process, 0});
        }
        if (late) {
            lane.hatches.push_back({grant.until, until, 0, claimIndex});
            Violation violation;
            violation.invariant = Invariant::UnprotectedWork;
            violation.key = m_key;
            violation.at = grant.until;
            violation.until = until;
            violation.actors = {grant.actor, kNone};
            m_run->violations.push_back(violation);
        }
        lane.thinks.push_back({claimIndex, from, until});

        // The next two wait meanwhile, and are refused.
        std::size_t told = 0;
        for (int other : {(actor + 1) % count, (actor + 2) % count}) {
            if (other == actor) continue;
            const Instant first = from + millis(3) + Duration{static_cast<std::int64_t>(told) * 700};
            Instant last = first;
            int refused = 0;
            for (Instant at = first; at + millis(3) < until && refused < 6; at += millis(15), ++refused) {
                request(other, at, true);
                last = at;
            }
            if (refused == 0) continue;
            ActorLane& waits = m_run->lanes.actors[static_cast<std::size_t>(other)];
            if (waits.does.empty() || waits.does.back().until <= first)
                waits.does.push_back({first, until, DoesKind::Waiting, StringId::Empty, other,
                                      static_cast<ProcessIndex>(other), 0});
            waits.refusals.push_back({first + millis(1), last + millis(1), refused, other});
            ++told;
        }
        KeyLane& key = m_run->lanes.keys.front();
        if (grant.from > m_freeFrom)
            key.owners.push_back({m_freeFrom, grant.from, kNone, false, EndReason::None, false});
        key.owners.push_back({grant.from, grant.until, grantIndex, false, grant.end, false});
        key.ttl.push_back({grant.from, grant.until, grant.until - grant.from, false, grantIndex});
        m_freeFrom = grant.until;
        Event& write = event(EventKind::WriteAccepted, actor, until);
        write.b = grant.number;
        m_run->lanes.resource.push_back(
            {until, true, grant.actor, static_cast<std::uint32_t>(m_trace->events.size()) - 1});
        event(EventKind::WorkEnded, actor, until);
        m_now = until + millis(1);
        sortTail();
    }

    /// The events of one turn stand in the order of telling until here.
    void sortTail() {
        auto& events = m_trace->events;
        std::stable_sort(events.begin() + static_cast<std::ptrdiff_t>(m_sorted), events.end(),
                         [](const Event& a, const Event& b) { return a.at < b.at; });
        for (std::size_t i = m_sorted; i < events.size(); ++i)
            if (events[i].kind == EventKind::WriteAccepted)
                m_run->lanes.resource.back().event = static_cast<std::uint32_t>(i);
        m_sorted = events.size();
    }

    std::size_t m_wanted;
    std::shared_ptr<Trace> m_trace = std::make_shared<Trace>();
    std::shared_ptr<ui::Run> m_run = std::make_shared<ui::Run>();
    std::vector<StringId> m_labels;
    StringId m_key = StringId::Empty;
    StringId m_set = StringId::Empty;
    StringId m_text = StringId::Empty;
    Random m_random{7};
    Instant m_now = instantAt(millis(100));
    Instant m_freeFrom{};
    std::size_t m_sorted = 0;
};

} // namespace

std::shared_ptr<const ui::Run> bigRun(int actors, std::size_t events) {
    return BigRunMaker(actors, events).make();
}

} // namespace lockscope::test
