// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "core/trace/analysis.h"

namespace lockscope {

// Pieces of time, told to a visitor one by one in order: no list is built where a verdict must be quick.

/// The parts of [from, until) in which `process` is not frozen. `freezes` is in order of `from`.
template <typename Visit>
void awakeParts(const std::vector<Freeze>& freezes, ProcessIndex process, Instant from, Instant until,
                Visit visit) {
    for (const Freeze& f : freezes) {
        if (f.from >= until) break;
        if (f.process != process || f.until <= from) continue;
        if (from < f.from) visit(from, f.from);
        from = f.until;
    }
    if (from < until) visit(from, until);
}

/// The parts of [from, until) in which the server `node` answers. `outages` is in order of `from`.
template <typename Visit>
void answeringParts(const std::vector<Outage>& outages, NodeIndex node, Instant from, Instant until,
                    Visit visit) {
    for (const Outage& o : outages) {
        if (o.from >= until) break;
        if (o.node != node || o.until <= from) continue;
        if (from < o.from) visit(from, o.from);
        from = o.until;
    }
    if (from < until) visit(from, until);
}

/// The parts of a claim in which its holder goes on although it is not the owner: the claim is open, its
/// process is not frozen, and the live grant is not the one it was entered on. A grant that has ended never
/// comes back, so the first instant decides: the end of the lease, or the enter if that came later or rested
/// on nothing. While the server does not answer nobody knows who owns the lock, and nothing is said.
template <typename Visit>
void unprotectedParts(const Analysis& analysis, const std::vector<Freeze>& freezes, const Claim& claim,
                      Instant reached, Visit visit) {
    Instant from = claim.from;
    NodeIndex node = analysis.authority();
    if (claim.base != kNone) {
        const Grant& base = analysis.grants[static_cast<std::size_t>(claim.base)];
        from = std::max(from, base.until);
        node = base.node;
    }
    const Instant until = std::min(claim.until, reached);
    if (analysis.outages.empty()) return awakeParts(freezes, claim.process, from, until, visit);
    awakeParts(freezes, claim.process, from, until, [&](Instant awake, Instant end) {
        answeringParts(analysis.outages, node, awake, end, visit);
    });
}

} // namespace lockscope
