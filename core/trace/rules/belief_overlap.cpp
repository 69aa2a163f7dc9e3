// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// belief-overlap: more act as the holder than the lock allows.
//
// A claim counts while it is open and not dormant (dormant: its process is frozen and the claim's own
// deadline has passed, so it will find out on waking). Fires for a pair of claims on a key while both count
// and the later one is beyond the `holders` the key allows: at its enter, or when a dormant one wakes into
// it. One episode a pair, from the first such instant to the last. Claims, not actors: two threads of one
// process count.
//
// Why not by replies ("it got OK and has not been answered its DEL"): a holder that is paused after its DEL
// went out has stopped acting as one, and would be said to overlap with its lawful successor; and a program
// that ignores a refusal, or two threads that share a token, would not be seen at all.

#include <algorithm>

#include "core/trace/rules/rules.h"

namespace lockscope {

namespace {

using Stretch = JudgeScratch::Part;

/// The stretches in which a claim counts.
void awakeAndOpen(const Case& c, int claim, std::vector<Stretch>& into) {
    into.clear();
    Instant from = c.claim(claim).from;
    for (const Dormancy& d : c.analysis.dormancies) {
        if (d.claim != claim) continue;
        if (from < d.from) into.push_back({from, d.from});
        from = d.until;
    }
    if (from < c.claim(claim).until) into.push_back({from, c.claim(claim).until});
}

bool countsAt(const Case& c, int claim, Instant t) {
    if (t < c.claim(claim).from || t >= c.claim(claim).until) return false;
    return std::none_of(c.analysis.dormancies.begin(), c.analysis.dormancies.end(),
                        [&](const Dormancy& d) { return d.claim == claim && d.from <= t && t < d.until; });
}

/// Narrows [part.from, part.until) to where at least `holders` of the earlier claims count besides `later`.
bool narrow(const Case& c, int later, int holders, Stretch& part) {
    std::vector<Instant>& bounds = c.scratch.bounds;
    bounds.assign({part.from, part.until});
    const auto add = [&](Instant t) {
        if (part.from < t && t < part.until) bounds.push_back(t);
    };
    for (const int k : c.scratch.open) {
        add(c.claim(k).from);
        add(c.claim(k).until);
    }
    for (const Dormancy& d : c.analysis.dormancies) {
        add(d.from);
        add(d.until);
    }
    std::sort(bounds.begin(), bounds.end());
    Stretch found{kNever, kNever};
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
        const auto there = std::count_if(c.scratch.open.begin(), c.scratch.open.end(), [&](int k) {
            return k < later && c.claim(k).key == c.claim(later).key && countsAt(c, k, bounds[i]);
        });
        if (there < holders) continue;
        if (found.from == kNever) found.from = bounds[i];
        found.until = bounds[i + 1];
    }
    part = found;
    return found.from != kNever;
}

/// From the first to the last instant at which the two are one too many.
Stretch tooMany(const Case& c, int earlier, int later, int holders) {
    Stretch whole{kNever, kNever};
    awakeAndOpen(c, earlier, c.scratch.first);
    awakeAndOpen(c, later, c.scratch.second);
    for (const Stretch& a : c.scratch.first)
        for (const Stretch& b : c.scratch.second) {
            Stretch both{std::max(a.from, b.from), std::min(a.until, b.until)};
            if (both.from >= both.until) continue;
            if (holders > 1 && !narrow(c, later, holders, both)) continue;
            if (whole.from == kNever) whole.from = both.from;
            whole.until = both.until;
        }
    return whole;
}

} // namespace

void judgeBeliefOverlap(const Case& c) {
    std::vector<int>& open = c.scratch.open;
    open.clear();
    for (int later = 0; later < static_cast<int>(c.analysis.claims.size()); ++later) {
        const Claim& came = c.claim(later);
        std::erase_if(open, [&](int k) { return c.claim(k).until <= came.from; });
        const int lock = lockIndexOf(c.trace, came.key);
        const int holders = lock == kNone ? 1 : c.trace.lockKeys[static_cast<std::size_t>(lock)].holders;
        for (const int earlier : open) {
            const Claim& there = c.claim(earlier);
            if (there.key != came.key) continue;
            const Stretch part = tooMany(c, earlier, later, holders);
            if (part.from == kNever) continue;
            Violation v;
            v.invariant = Invariant::BeliefOverlap;
            v.key = came.key;
            v.at = part.from;
            v.until = c.endOf(part.until);
            v.actors = {there.actor, came.actor};
            v.claims = {earlier, later};
            c.out.push_back(v);
        }
        open.push_back(later);
    }
}

} // namespace lockscope
