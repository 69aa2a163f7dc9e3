// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/analysis.h"

#include <algorithm>

#include "core/trace/analysis_reader.h"

namespace lockscope {

int Analysis::ownerAt(StringId key, Instant t, NodeIndex node) const {
    auto it = std::upper_bound(grants.begin(), grants.end(), t,
                               [](Instant at, const Grant& g) { return at < g.from; });
    while (it != grants.begin()) {
        --it;
        // Of several holders at a time the last one that came.
        if (it->key == key && it->node == node && t < it->until) return static_cast<int>(it - grants.begin());
    }
    return kNone;
}

std::vector<int> Analysis::beside(const Grant& grant, Instant t) const {
    std::vector<int> out;
    for (std::size_t i = 0; i < grants.size(); ++i) {
        const Grant& other = grants[i];
        if (&other != &grant && other.key == grant.key && other.node == grant.node && other.from <= t &&
            t < other.until)
            out.push_back(static_cast<int>(i));
    }
    return out;
}

bool Analysis::frozenAt(ProcessIndex process, Instant t) const {
    for (const Freeze& f : freezes) {
        if (f.from > t) break;
        if (f.process == process && t < f.until) return true;
    }
    return false;
}

namespace {

template <typename Fits>
int nearestClaim(const Trace& trace, const Analysis& analysis, TaskIndex task, StringId key, Instant t,
                 Fits fits) {
    for (; task != kNone; task = trace.tasks[static_cast<std::size_t>(task)].parent)
        for (auto c = static_cast<int>(analysis.claims.size()) - 1; c >= 0; --c) {
            const Claim& claim = analysis.claims[static_cast<std::size_t>(c)];
            if (claim.task == task && claim.key == key && claim.from <= t && fits(claim)) return c;
        }
    return kNone;
}

} // namespace

int claimInForce(const Trace& trace, const Analysis& analysis, TaskIndex task, StringId key, Instant t) {
    const int nearest =
        nearestClaim(trace, analysis, task, key, t, [t](const Claim& c) { return t < c.until; });
    if (nearest != kNone || task == kNone) return nearest;
    for (auto c = static_cast<int>(analysis.claims.size()) - 1; c >= 0; --c) {
        const Claim& claim = analysis.claims[static_cast<std::size_t>(c)];
        if (claim.key == key && claim.from <= t && t < claim.until && claim.task > task &&
            analysis.taskEnds[static_cast<std::size_t>(claim.task)] <= t && related(trace, claim.task, task))
            return c;
    }
    return kNone;
}

int lastClaimOf(const Trace& trace, const Analysis& analysis, TaskIndex task, StringId key, Instant t) {
    return nearestClaim(trace, analysis, task, key, t, [](const Claim&) { return true; });
}

int lockIndexOf(const Trace& trace, StringId key) {
    for (std::size_t i = 0; i < trace.lockKeys.size(); ++i)
        if (trace.lockKeys[i].name == key) return static_cast<int>(i);
    return kNone;
}

void analyse(const Trace& trace, Analysis& into) {
    AnalysisReader(trace, into).read();
}

} // namespace lockscope
