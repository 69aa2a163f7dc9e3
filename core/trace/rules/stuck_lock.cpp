// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// stuck-lock: a lock is held, and nobody stands behind it.
//
// Fires while a grant is unattended (see Unattended: no open claim is based on it, its ask is answered or
// given up or its asker dead, its author not frozen and without a command on the key under way, later asks
// aside, nor a WAIT, by which it asks who has it) and one of
//   (a) it has no deadline;
//   (b) it lives past the deadline that stood when its claim ended, or, if none was entered, when it was
//   granted; (c) it refuses an ask while its author's process lives, unless its claim was left with {keep =
//   true}.
// (a) and (b) start when both hold, (c) at the refusal. The episode lasts until the grant ends or somebody
// enters on it, for (a) also until it gets a deadline: a renewal that is under way for a moment does not cut
// it in pieces.
//
// Why not "outlives a dead owner, or has no deadline": a healthy SETNX followed by EXPIRE would be red for a
// moment in every run, a lock that is renewed for ever by a living process would not, nor would the one whose
// owner does not know that it was granted.

#include <algorithm>

#include "core/trace/rules/rules.h"

namespace lockscope {

namespace {

/// The first instant in [from, until) at which the grant has (or has not) a deadline; kNever if there is
/// none.
Instant deadlineTurns(const Case& c, int grant, bool toNone, Instant from, Instant until) {
    bool none = false; // what holds at `from`, once the steps until then are read
    const auto& all = c.analysis.deadlines;
    auto step = std::lower_bound(all.begin(), all.end(), c.grant(grant).from,
                                 [](const DeadlineStep& s, Instant t) { return s.at < t; });
    for (; step != all.end() && step->at < until; ++step) {
        if (step->grant != grant) continue;
        const bool isNone = step->deadline == kNever;
        if (step->at > from && none == toNone) return from;
        if (step->at > from && isNone == toNone) return step->at;
        none = isNone;
    }
    return none == toNone ? from : kNever;
}

Instant firstRefusal(const Case& c, const Unattended& bare, Instant from) {
    const Grant& g = c.grant(bare.grant);
    const auto& all = c.analysis.refusals;
    auto it =
        std::lower_bound(all.begin(), all.end(), from, [](const Refusal& r, Instant t) { return r.at < t; });
    for (; it != all.end() && it->at < bare.until; ++it) {
        const bool lives =
            g.process == kNone || c.analysis.lives[static_cast<std::size_t>(g.process)].aliveAt(it->at);
        if (it->grant == bare.grant && lives) return it->at;
    }
    return kNever;
}

/// When somebody next enters on the grant.
Instant nextEnter(const Case& c, int grant, Instant after) {
    const int first = c.grant(grant).claim;
    for (int k = first; k != kNone && k < static_cast<int>(c.analysis.claims.size()); ++k)
        if (c.claim(k).base == grant && c.claim(k).from > after) return c.claim(k).from;
    return kNever;
}

} // namespace

void judgeStuckLock(const Case& c) {
    for (const Unattended& bare : c.analysis.unattended) {
        const Grant& g = c.grant(bare.grant);
        Instant from = bare.from;
        for (const Violation& v : c.out) // the episode of an earlier stretch may cover this one
            if (v.invariant == Invariant::StuckLock && v.grant == bare.grant) from = std::max(from, v.until);
        // Its author may freeze in the millisecond in which the lease ends, before the end is told.
        const Instant until = c.endOf(std::min(bare.until, g.until));
        while (from < until) {
            const Instant a = deadlineTurns(c, bare.grant, true, from, until);
            Instant b = bare.deadlineStood == kNever ? kNever : std::max(from, bare.deadlineStood);
            if (b >= until) b = kNever;
            const Instant refused = bare.kept ? kNever : firstRefusal(c, bare, from);
            const Instant at = std::min({a, b, refused});
            if (at == kNever) break;
            Instant end = std::min(g.until, nextEnter(c, bare.grant, at));
            if (b > at && refused > at) // only (a): a deadline ends it
                end = std::min(end, deadlineTurns(c, bare.grant, false, at, kNever));
            Violation v;
            v.invariant = Invariant::StuckLock;
            v.key = g.key;
            v.at = at;
            v.until = c.endOf(end);
            v.actors = {g.actor, kNone};
            v.claims = {g.claim, kNone};
            v.grant = bare.grant;
            c.out.push_back(v);
            from = v.until;
        }
    }
}

} // namespace lockscope
