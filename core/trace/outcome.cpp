// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The readout under the lights. Doing a thing twice is no broken invariant, yet it is what the lock was for:
// so it is counted here, beside what the lock cost in waiting.

#include <algorithm>

#include "core/trace/invariants.h"
#include "core/trace/stretches.h"

namespace lockscope {

namespace {

struct Part {
    Instant from{};
    Instant until{};
};

/// When anybody awake waits for the key: parts that do not overlap, in order.
std::vector<Part> waitedFor(const Trace& trace, const Analysis& analysis, StringId key) {
    std::vector<Part> parts;
    for (const Waiting& w : analysis.waits)
        if (w.key == key)
            awakeParts(analysis.freezes, w.process, w.from, std::min(w.until, trace.reached),
                       [&](Instant from, Instant until) {
                           parts.push_back({from, until});
                       });
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.from < b.from; });
    std::vector<Part> merged;
    for (const Part& p : parts) {
        if (!merged.empty() && p.from <= merged.back().until)
            merged.back().until = std::max(merged.back().until, p.until);
        else
            merged.push_back(p);
    }
    return merged;
}

/// How much of [from, until) lies in the parts.
Duration within(const std::vector<Part>& parts, Instant from, Instant until) {
    Duration sum{0};
    auto p = std::upper_bound(parts.begin(), parts.end(), from,
                              [](Instant t, const Part& part) { return t < part.until; });
    for (; p != parts.end() && p->from < until; ++p)
        sum += std::min(p->until, until) - std::max(p->from, from);
    return sum;
}

void countGoals(const Trace& trace, Outcome& outcome) {
    std::vector<std::pair<StringId, StringId>> ids; // of work and of write, looked up once
    for (const TraceGoal& goal : trace.goals) {
        outcome.goals.push_back({goal.label, 0, goal.wanted});
        ids.emplace_back(trace.strings.find(goal.work), trace.strings.find(goal.write));
    }
    for (const Event& e : trace.events) {
        const bool work = (e.kind == EventKind::WorkEnded || e.kind == EventKind::ComputeEnded) && e.b == 1;
        const bool write = e.kind == EventKind::WriteAccepted;
        if ((!work && !write) || e.text == StringId::Empty) continue;
        for (std::size_t g = 0; g < ids.size(); ++g)
            if (e.text == (work ? ids[g].first : ids[g].second)) ++outcome.goals[g].made;
    }
}

void weighLock(const Trace& trace, const Analysis& analysis, StringId key, Outcome& outcome) {
    const std::vector<Part> waited = waitedFor(trace, analysis, key);
    if (waited.empty()) return;
    Instant free{};
    for (const Grant& g : analysis.grants) {
        if (g.key != key || g.node != analysis.authority()) continue;
        outcome.lockIdle += within(waited, free, g.from);
        free = std::min(g.until, trace.reached);
    }
    outcome.lockIdle += within(waited, free, trace.reached);
    for (const Unattended& u : analysis.unattended)
        if (const Grant& g = analysis.grants[static_cast<std::size_t>(u.grant)];
            g.key == key && g.node == analysis.authority())
            outcome.blockedByNobody += within(waited, u.from, std::min(u.until, trace.reached));
}

} // namespace

Outcome outcomeOf(const Trace& trace, const Analysis& analysis) {
    Outcome outcome;
    countGoals(trace, outcome);
    for (const TraceLockKey& lock : trace.lockKeys)
        weighLock(trace, analysis, lock.name, outcome);
    for (const Grant& g : analysis.grants) {
        if (g.process == kNone || !analysis.decides(g)) continue;
        const Life& life = analysis.lives[static_cast<std::size_t>(g.process)];
        const Instant until = std::min(g.until, trace.reached);
        if (life.killed && g.from <= life.until && life.until < until)
            outcome.recovery = std::max(outcome.recovery, until - life.until);
        const bool answered =
            g.ask != kNone && analysis.requests[static_cast<std::size_t>(g.ask)].replied != kNever;
        if (answered && g.claim == kNone && g.endedBy == kNone && !life.killed && life.until < kNever)
            ++outcome.gaveUpLive;
    }
    return outcome;
}

} // namespace lockscope
