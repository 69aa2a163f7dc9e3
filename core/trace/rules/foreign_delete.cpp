// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// foreign-delete: somebody's command ends a lock that its holder still counts on.
//
// Fires when a command (DEL, UNLINK, GETDEL, another value put over it, RENAME, FLUSHALL, a deadline in the
// past) ends a live grant, the command is of somebody who has no part in that grant, and the grant's author
// is alive with a claim on it open or with the reply to its ask outstanding. You and other outside clients
// count as somebody. What the server does by itself (lease end, eviction, failover) is not it.
//
// Why not "removes a lock that another owns": it cries wolf when a dead owner's lock is removed by hand, the
// very repair for a lock without a deadline, and it misses a lock taken by a plain SET or ended by PEXPIRE 0.
// Why not by the token in the value: two threads that share a token delete each other's lock and the
// comparison agrees.

#include "core/trace/rules/rules.h"

namespace lockscope {

void judgeForeignDelete(const Case& c) {
    for (std::size_t i = 0; i < c.analysis.grants.size(); ++i) {
        const Grant& g = c.analysis.grants[i];
        if (!g.endedByOther || !g.authorHeld || !c.analysis.decides(g)) continue;
        const TraceRequest& command = c.request(g.endedBy);
        int victim = kNone;
        for (int k = g.claim; k != kNone && k < static_cast<int>(c.analysis.claims.size()); ++k)
            if (c.claim(k).base == static_cast<int>(i) && c.claim(k).from <= g.until &&
                g.until <= c.claim(k).until)
                victim = k;
        Violation v;
        v.invariant = Invariant::ForeignDelete;
        v.key = g.key;
        v.at = v.until = g.until;
        v.actors = {command.actor, g.actor};
        v.claims = {lastClaimOf(c.trace, c.analysis, command.task, g.key, g.until), victim};
        v.grant = static_cast<int>(i);
        v.request = g.endedBy;
        c.out.push_back(v);
    }
}

} // namespace lockscope
