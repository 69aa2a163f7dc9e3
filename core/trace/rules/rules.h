// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/invariants.h"

namespace lockscope {

/// What every rule judges by. A rule appends its episodes to `out` and reads nobody else's.
struct Case {
    const Trace& trace;
    const Analysis& analysis;
    JudgeScratch& scratch;
    std::vector<Violation>& out;

    const Grant& grant(int g) const { return analysis.grants[static_cast<std::size_t>(g)]; }
    const Claim& claim(int c) const { return analysis.claims[static_cast<std::size_t>(c)]; }
    const TraceRequest& request(RequestIndex r) const { return trace.requests[static_cast<std::size_t>(r)]; }
    /// A stretch that has not ended is judged as far as the run has come.
    Instant endOf(Instant until) const { return until < trace.reached ? until : trace.reached; }
};

// One file each, which begins by saying exactly when it fires.
void judgeStaleWrite(const Case& c);
void judgeForeignDelete(const Case& c);
void judgeForeignExtend(const Case& c);
void judgeBeliefOverlap(const Case& c);
void judgeStuckLock(const Case& c);
void judgeUnprotectedWork(const Case& c);
void judgeStarvation(const Case& c);

} // namespace lockscope
