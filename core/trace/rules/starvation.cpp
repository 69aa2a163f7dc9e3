// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// starvation: somebody waits although the lock could be had, or is passed over.
//
// Fires while a task waits and is not frozen, when
//   (a) the key has been free without a break for more than the key's `patience`: `patience` after it became
//   free (or
//       after the task began to wait or woke). Free means no live grant, and that an ask would be granted: an
//       ask that is refused although nobody holds the key shows that the server was not granting, and begins
//       the count anew; so does an outage;
//   (b) `overtakes` claims that came later than this one have been granted: at the grant of the last of them.
//
// Why not "waits while the key is free": every waiter that polls does so from the end of a lease to its next
// poll, in the healthiest run. Why not only (a): a waiter that others pass for ever never sees the key free
// for long.

#include <algorithm>

#include "core/trace/rules/rules.h"
#include "core/trace/stretches.h"

namespace lockscope {

namespace {

void tell(const Case& c, const Waiting& wait, Instant at, Instant until) {
    Violation v;
    v.invariant = Invariant::Starvation;
    v.key = wait.key;
    v.at = at;
    v.until = until;
    v.actors = {wait.actor, kNone};
    c.out.push_back(v);
}

/// (a) within one gap between grants.
void judgeGap(const Case& c, const Waiting& wait, Instant from, Instant until, Duration patience) {
    if (until - from <= patience) return;
    const auto judge = [&](Instant free, Instant end) {
        const auto& all = c.analysis.refusals;
        auto it = std::lower_bound(all.begin(), all.end(), free,
                                   [](const Refusal& r, Instant t) { return r.at < t; });
        for (; it != all.end() && it->at < end; ++it) {
            if (it->grant != kNone || c.request(it->request).key != wait.key) continue;
            if (it->at - free > patience) tell(c, wait, free + patience, it->at);
            free = it->at;
        }
        if (end - free > patience) tell(c, wait, free + patience, end);
    };
    awakeParts(c.analysis.freezes, wait.process, from, until, [&](Instant awake, Instant end) {
        answeringParts(c.analysis.outages, wait.node, awake, end, judge);
    });
}

} // namespace

void judgeStarvation(const Case& c) {
    for (const Waiting& wait : c.analysis.waits) {
        const TraceLockKey& lock = c.trace.lockKeys[static_cast<std::size_t>(lockIndexOf(c.trace, wait.key))];
        const Instant end = c.endOf(wait.until);
        const auto& grants = c.analysis.grants;
        Instant free = wait.from; // since when the key has been free, as far as this wait goes
        int overtakes = 0;
        // Grants of a key follow one another, so going back to the last that began before the wait is enough.
        auto g = std::upper_bound(grants.begin(), grants.end(), wait.from,
                                  [](Instant t, const Grant& grant) { return t < grant.from; });
        while (g != grants.begin()) {
            --g;
            if (g->key == wait.key && g->node == wait.node) break;
        }
        for (; g != grants.end() && g->from < end; ++g) {
            if (g->key != wait.key || g->node != wait.node) continue;
            judgeGap(c, wait, free, std::min(g->from, end), lock.patience);
            free = std::max(free, std::min(g->until, end));
            const bool later = g->from > wait.from && g->came > wait.from && g->claim != kNone;
            if (!later || related(c.trace, g->task, wait.task) || c.analysis.frozenAt(wait.process, g->from))
                continue;
            if (++overtakes == lock.overtakes) tell(c, wait, g->from, end);
        }
        judgeGap(c, wait, free, end, lock.patience);
    }
}

} // namespace lockscope
