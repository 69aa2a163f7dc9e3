// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// unprotected-work: somebody acts as the holder while the lock is not its own.
//
// Fires for each stretch in which a claim is open, its process is not frozen, and the live grant is not the
// one the claim was entered on: from the end of the lease (not from the arrival of the next holder), or from
// the enter if the claim was entered on a refusal or on a grant that had already ended. A frozen process does
// nothing, so a freeze ends the stretch and the wake-up begins another. Owning the key again by a later ask
// does not mend it: the gap is what matters.
//
// Why not only when another holder is there: work without the lock is broken already when nobody comes, and
// whoever watches for two at once sees nothing until it is too late.

#include "core/trace/rules/rules.h"
#include "core/trace/stretches.h"

namespace lockscope {

void judgeUnprotectedWork(const Case& c) {
    for (std::size_t i = 0; i < c.analysis.claims.size(); ++i) {
        const Claim& claim = c.analysis.claims[i];
        unprotectedParts(c.analysis, c.analysis.freezes, claim, c.trace.reached,
                         [&](Instant from, Instant until) {
                             Violation v;
                             v.invariant = Invariant::UnprotectedWork;
                             v.key = claim.key;
                             v.at = from;
                             v.until = until;
                             v.actors = {claim.actor, kNone};
                             v.claims = {static_cast<int>(i), kNone};
                             v.grant = claim.base;
                             c.out.push_back(v);
                         });
    }
}

} // namespace lockscope
