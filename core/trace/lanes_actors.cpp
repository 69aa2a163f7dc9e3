// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "core/trace/lanes_builder.h"
#include "core/trace/stretches.h"

namespace lockscope {

ActorLanes::ActorLanes(const Trace& trace, const Analysis& analysis, std::vector<ActorLane>& out)
    : m_trace(trace), m_analysis(analysis), m_out(out), m_freezes(trace.processes.size()),
      m_does(trace.actors.size()), m_thinks(trace.actors.size()), m_doing(trace.tasks.size()),
      m_sleeping(trace.tasks.size()), m_listening(trace.tasks.size()),
      m_failures(trace.processes.size(), StringId::Empty) {
    m_out.assign(trace.actors.size(), {});
    for (std::size_t a = 0; a < m_out.size(); ++a)
        m_out[a].actor = static_cast<ActorIndex>(a);
    for (const Freeze& f : analysis.freezes)
        m_freezes[static_cast<std::size_t>(f.process)].push_back(f);
}

void ActorLanes::build() {
    readEvents();
    addLives();
    addFreezes();
    addWaits();
    addClaims();
    addUnknown();
    addRefusals();
    for (std::size_t r = 0; r < m_trace.requests.size(); ++r)
        if (const ActorIndex a = m_trace.requests[r].actor; a != kNone)
            m_out[static_cast<std::size_t>(a)].requests.push_back(static_cast<RequestIndex>(r));
    for (std::size_t a = 0; a < m_out.size(); ++a) {
        ActorLane& lane = m_out[a];
        lane.doesRows = assignRows(m_does[a], lane.does);
        lane.thinksRows = assignRows(m_thinks[a], lane.thinks);
        addHatches(lane);
    }
}

ActorLane& ActorLanes::laneOf(ProcessIndex process) {
    return m_out[static_cast<std::size_t>(m_trace.processes[static_cast<std::size_t>(process)].actor)];
}

void ActorLanes::readEvents() {
    // The planned end of a sleep against its real one tells who was kept from running; so computes come
    // first.
    std::vector<std::pair<std::uint32_t, Instant>> lateSleeps;
    for (std::uint32_t i = 0; i < m_trace.events.size(); ++i) {
        const Event& e = m_trace.events[i];
        switch (e.kind) {
        case EventKind::WorkStarted:
        case EventKind::ComputeStarted:
            m_doing[static_cast<std::size_t>(e.task)] = {i, true};
            break;
        case EventKind::WorkEnded:
        case EventKind::ComputeEnded:
            if (Doing& doing = m_doing[static_cast<std::size_t>(e.task)]; doing.open) {
                addDoing(m_trace.events[doing.event], e.at, e.b == 1);
                doing.open = false;
            }
            break;
        case EventKind::TaskStarted:
            if (m_trace.tasks[static_cast<std::size_t>(e.task)].period.count() > 0)
                m_everies.emplace_back(e.task, e.at);
            break;
        case EventKind::SleepStarted:
            m_sleeping[static_cast<std::size_t>(e.task)] = {i, true};
            break;
        case EventKind::SleepEnded:
            if (Doing& sleep = m_sleeping[static_cast<std::size_t>(e.task)]; sleep.open) {
                if (instantAt(Duration{m_trace.events[sleep.event].a}) < e.at)
                    lateSleeps.emplace_back(sleep.event, e.at);
                sleep.open = false;
            }
            break;
        case EventKind::RequestWaits:
            if (e.task == kNone) break;
            [[fallthrough]];
        case EventKind::ReceiveStarted:
            m_listening[static_cast<std::size_t>(e.task)] = {i, true};
            break;
        case EventKind::ReplyReceived:
        case EventKind::RequestTimedOut:
        case EventKind::ReceiveEnded:
        case EventKind::TaskEnded:
            if (e.task != kNone) endListening(e.task, e.at);
            break;
        case EventKind::ProgramFailed:
            if (e.task != kNone && m_trace.tasks[static_cast<std::size_t>(e.task)].kind == TaskKind::Main)
                m_failures[static_cast<std::size_t>(e.process)] = e.text;
            break;
        default:
            break;
        }
    }
    for (const Doing& doing : m_doing) {
        if (!doing.open) continue;
        const Event& begin = m_trace.events[doing.event];
        const Life& life = m_analysis.lives[static_cast<std::size_t>(begin.process)];
        addDoing(begin, std::min(life.until, m_trace.reached), false);
    }
    for (std::size_t task = 0; task < m_listening.size(); ++task)
        if (m_listening[task].open) {
            const ProcessIndex process = m_trace.tasks[task].process;
            endListening(static_cast<TaskIndex>(task),
                         m_analysis.lives[static_cast<std::size_t>(process)].until);
        }
    for (const auto& [sleep, woke] : lateSleeps)
        addCannotRun(m_trace.events[sleep], woke);
    for (const Doing& sleep : m_sleeping)
        if (sleep.open) addCannotRun(m_trace.events[sleep.event], m_trace.reached);
    addMissedTicks();
}

void ActorLanes::addDoing(const Event& begin, Instant until, bool finished) {
    const auto actor = static_cast<std::size_t>(begin.actor);
    std::vector<DoesSpan>& spans = m_out[actor].does;
    Strand strand{begin.at, until, spans.size(), 0};
    awakeParts(freezesOf(begin.process), begin.process, begin.at, until, [&](Instant from, Instant to) {
        DoesSpan span;
        span.from = from;
        span.until = to;
        span.kind = begin.kind == EventKind::WorkStarted ? DoesKind::Work : DoesKind::Compute;
        span.label = begin.text;
        span.task = begin.task;
        span.process = begin.process;
        span.begins = spans.size() == strand.first;
        span.finishes = false;
        spans.push_back(span);
    });
    strand.count = spans.size() - strand.first;
    if (strand.count == 0) return;
    spans.back().finishes = finished;
    if (begin.kind == EventKind::ComputeStarted)
        m_computes.insert(m_computes.end(), spans.begin() + static_cast<std::ptrdiff_t>(strand.first),
                          spans.end());
    m_does[actor].push_back(strand);
}

/// A sleep that ended late because another task computed on its loop. A freeze delays too, but that is drawn
/// as one.
void ActorLanes::addCannotRun(const Event& sleep, Instant woke) {
    const Instant due = instantAt(Duration{sleep.a});
    const TraceTask& task = m_trace.tasks[static_cast<std::size_t>(sleep.task)];
    for (const DoesSpan& compute : m_computes) {
        const TraceTask& busy = m_trace.tasks[static_cast<std::size_t>(compute.task)];
        if (busy.process == task.process && busy.loop == task.loop && compute.task != sleep.task)
            addCannotRun(sleep.task, std::max(compute.from, due), std::min(compute.until, woke));
    }
}

/// A renewal that falls due while its loop is busy computing: nothing is told of it until it runs, but its
/// grid is known.
void ActorLanes::addMissedTicks() {
    for (const DoesSpan& compute : m_computes) {
        const TraceTask& busy = m_trace.tasks[static_cast<std::size_t>(compute.task)];
        for (const auto& [every, started] : m_everies) {
            const TraceTask& task = m_trace.tasks[static_cast<std::size_t>(every)];
            if (task.process != busy.process || task.loop != busy.loop || every == compute.task) continue;
            if (started > compute.from ||
                m_analysis.taskEnds[static_cast<std::size_t>(every)] <= compute.from)
                continue;
            const auto due = started + task.period * ((compute.from - started) / task.period + 1);
            addCannotRun(every, due, compute.until);
        }
    }
}

void ActorLanes::addCannotRun(TaskIndex task, Instant from, Instant until) {
    if (from >= until) return;
    DoesSpan span;
    span.from = from;
    span.until = until;
    span.kind = DoesKind::CannotRun;
    span.task = task;
    span.process = m_trace.tasks[static_cast<std::size_t>(task)].process;
    const auto actor =
        static_cast<std::size_t>(m_trace.processes[static_cast<std::size_t>(span.process)].actor);
    m_does[actor].push_back({from, until, m_out[actor].does.size(), 1});
    m_out[actor].does.push_back(span);
}

void ActorLanes::addLives() {
    for (std::size_t p = 0; p < m_analysis.lives.size(); ++p) {
        const Life& life = m_analysis.lives[p];
        if (life.until == kNever) continue;
        Instant until = m_trace.reached; // or the next life of the same actor
        for (std::size_t q = p + 1; q < m_analysis.lives.size(); ++q)
            if (m_trace.processes[q].actor == m_trace.processes[p].actor &&
                m_analysis.lives[q].from != kNever)
                until = std::min(until, m_analysis.lives[q].from);
        if (life.until >= until) continue;
        DoesSpan span;
        span.from = life.until;
        span.until = until;
        span.kind = life.killed || m_failures[p] != StringId::Empty ? DoesKind::Dead : DoesKind::Finished;
        span.label = m_failures[p];
        span.process = static_cast<ProcessIndex>(p);
        const auto actor = static_cast<std::size_t>(m_trace.processes[p].actor);
        m_does[actor].push_back({span.from, span.until, m_out[actor].does.size(), 1});
        m_out[actor].does.push_back(span);
    }
}

void ActorLanes::addFreezes() {
    // A freeze lies in the gaps it cut, so it takes no row of its own: it stays on the first.
    for (const Freeze& f : m_analysis.freezes) {
        DoesSpan span;
        span.from = f.from;
        span.until = std::min(f.until, m_trace.reached);
        span.kind = DoesKind::Paused;
        span.process = f.process;
        if (span.from < span.until) laneOf(f.process).does.push_back(span);
    }
}

void ActorLanes::addClaims() {
    for (std::size_t c = 0; c < m_analysis.claims.size(); ++c) {
        const Claim& claim = m_analysis.claims[c];
        const auto actor = static_cast<std::size_t>(claim.actor);
        std::vector<ThinksSpan>& spans = m_out[actor].thinks;
        Strand strand{claim.from, std::min(claim.until, m_trace.reached), spans.size(), 0};
        const auto add = [&](Instant from, Instant until, bool frozen, bool dormant) {
            if (from >= until) return;
            ThinksSpan span;
            span.claim = static_cast<int>(c);
            span.from = from;
            span.until = until;
            span.frozen = frozen;
            span.dormant = dormant;
            spans.push_back(span);
        };
        Instant from = strand.from;
        if (claim.process != kNone)
            for (const Freeze& f : freezesOf(claim.process)) {
                if (f.from >= strand.until) break;
                if (f.until <= from) continue;
                add(from, f.from, false, false);
                from = std::max(from, f.from);
                const Instant until = std::min(f.until, strand.until);
                const Instant sleeps = std::clamp(claim.deadline, from, until);
                add(from, sleeps, true, false);
                add(sleeps, until, true, true);
                from = until;
            }
        add(from, strand.until, false, false);
        strand.count = spans.size() - strand.first;
        if (strand.count > 0) m_thinks[actor].push_back(strand);
    }
}

/// From giving up on an ask until it shows what became of it.
void ActorLanes::addUnknown() {
    for (std::size_t r = 0; r < m_trace.requests.size(); ++r) {
        const TraceRequest& ask = m_trace.requests[r];
        const RequestTimes& times = m_analysis.requests[r];
        if (!ask.ask || times.gaveUp == kNever || lockIndexOf(m_trace, ask.key) == kNone) continue;
        ThinksSpan span;
        span.from = times.gaveUp;
        span.until = std::min(resolved(static_cast<RequestIndex>(r)), m_trace.reached);
        span.unknown = true;
        span.request = static_cast<RequestIndex>(r);
        if (span.from >= span.until) continue;
        const auto actor = static_cast<std::size_t>(ask.actor);
        m_thinks[actor].push_back({span.from, span.until, m_out[actor].thinks.size(), 1});
        m_out[actor].thinks.push_back(span);
    }
}

/// The late reply, a claim of its family on the key, the answer to a command of its family that is no ask (a
/// release settles it either way), or the end of its process.
Instant ActorLanes::resolved(RequestIndex index) const {
    const TraceRequest& ask = m_trace.requests[static_cast<std::size_t>(index)];
    const Instant gaveUp = m_analysis.requests[static_cast<std::size_t>(index)].gaveUp;
    Instant until = m_analysis.requests[static_cast<std::size_t>(index)].replied;
    if (ask.task != kNone) {
        const ProcessIndex process = m_trace.tasks[static_cast<std::size_t>(ask.task)].process;
        until = std::min(until, m_analysis.lives[static_cast<std::size_t>(process)].until);
    }
    for (auto r = static_cast<std::size_t>(index) + 1; r < m_trace.requests.size(); ++r) {
        const TraceRequest& later = m_trace.requests[r];
        const RequestTimes& times = m_analysis.requests[r];
        if (times.sent != kNever && times.sent >= until) break;
        if (!later.ask && later.key == ask.key && times.replied != kNever && times.replied >= gaveUp &&
            related(m_trace, later.task, ask.task))
            until = std::min(until, times.replied);
    }
    const auto& claims = m_analysis.claims;
    auto c = std::lower_bound(claims.begin(), claims.end(), gaveUp,
                              [](const Claim& claim, Instant t) { return claim.from < t; });
    for (; c != claims.end() && c->from < until; ++c)
        if (c->key == ask.key && related(m_trace, c->task, ask.task)) until = c->from;
    return until;
}

template <typename Span>
int ActorLanes::assignRows(std::vector<Strand>& strands, std::vector<Span>& spans) {
    std::stable_sort(strands.begin(), strands.end(),
                     [](const Strand& a, const Strand& b) { return a.from < b.from; });
    std::vector<Instant> busyUntil{Instant{}};
    for (const Strand& strand : strands) {
        std::size_t row = 0;
        while (row < busyUntil.size() && busyUntil[row] > strand.from)
            ++row;
        if (row == busyUntil.size()) busyUntil.push_back({});
        busyUntil[row] = strand.until;
        for (std::size_t i = 0; i < strand.count; ++i)
            spans[strand.first + i].row = static_cast<int>(row);
    }
    std::stable_sort(spans.begin(), spans.end(),
                     [](const Span& a, const Span& b) { return a.from < b.from; });
    return static_cast<int>(busyUntil.size());
}

/// Whether `task` acts under the claim: it is the nearest one among those that are open on its key.
bool ActorLanes::governs(int index, TaskIndex task, const std::vector<int>& open) const {
    const Claim& claim = m_analysis.claims[static_cast<std::size_t>(index)];
    for (TaskIndex t = task; t != kNone; t = m_trace.tasks[static_cast<std::size_t>(t)].parent) {
        if (t == claim.task) return true;
        for (const int other : open)
            if (const Claim& o = m_analysis.claims[static_cast<std::size_t>(other)];
                o.key == claim.key && o.task == t)
                return false;
    }
    // Nothing above it: then what a task of its making entered and left to it by ending.
    return claim.task > task && m_analysis.taskEnds[static_cast<std::size_t>(claim.task)] != kNever &&
           related(m_trace, claim.task, task);
}

void ActorLanes::addHatches(ActorLane& lane) {
    std::vector<int> claims;
    for (std::size_t c = 0; c < m_analysis.claims.size(); ++c)
        if (const Claim& claim = m_analysis.claims[c]; claim.actor == lane.actor && claim.task != kNone)
            claims.push_back(static_cast<int>(c));
    std::vector<int> open;
    std::size_t next = 0;
    for (const DoesSpan& span : lane.does) {
        if (span.kind != DoesKind::Work && span.kind != DoesKind::Compute) continue;
        while (next < claims.size() &&
               m_analysis.claims[static_cast<std::size_t>(claims[next])].from < span.until)
            open.push_back(claims[next++]);
        std::erase_if(
            open, [&](int c) { return m_analysis.claims[static_cast<std::size_t>(c)].until <= span.from; });
        for (const int c : open) {
            const Claim& claim = m_analysis.claims[static_cast<std::size_t>(c)];
            if (!governs(c, span.task, open)) continue;
            unprotectedParts(m_analysis, freezesOf(claim.process), claim, m_trace.reached,
                             [&](Instant from, Instant until) {
                                 from = std::max(from, span.from);
                                 until = std::min(until, span.until);
                                 if (from < until) lane.hatches.push_back({from, until, span.row, c});
                             });
        }
    }
    std::stable_sort(lane.hatches.begin(), lane.hatches.end(),
                     [](const HatchSpan& a, const HatchSpan& b) { return a.from < b.from; });
}

} // namespace lockscope
