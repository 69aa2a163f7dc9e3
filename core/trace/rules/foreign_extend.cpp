// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// foreign-extend: somebody's command moves the deadline of a lock that is not its own.
//
// Fires when a command of somebody who has no part in a live grant changes its deadline: to later, to earlier
// or to none. It does not matter whether the grant's author is alive.
//
// Why not only "extends": a blind PEXPIRE of two seconds on a lease of thirty shortens it, and the holder
// finds its lock gone long before its time. Putting another value over the key is no move of a deadline but a
// new grant, and a deadline in the past is a deletion; both belong to foreign-delete.

#include "core/trace/rules/rules.h"

namespace lockscope {

void judgeForeignExtend(const Case& c) {
    for (const DeadlineStep& step : c.analysis.deadlines) {
        if (!step.byOther || !step.changed) continue;
        const Grant& g = c.grant(step.grant);
        if (!c.analysis.decides(g)) continue;
        const TraceRequest& command = c.request(step.request);
        Violation v;
        v.invariant = Invariant::ForeignExtend;
        v.key = g.key;
        v.at = v.until = step.at;
        v.actors = {command.actor, g.actor};
        v.claims = {lastClaimOf(c.trace, c.analysis, command.task, g.key, step.at), g.claim};
        v.grant = step.grant;
        v.request = step.request;
        c.out.push_back(v);
    }
}

} // namespace lockscope
