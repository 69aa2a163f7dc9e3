// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/invariants.h"
#include "core/world/scenario.h"

namespace lockscope {

/// A task that programs have to pass: nothing breaks if nothing more interferes, some invariants hold
/// whatever single fault or pair of faults comes, and the work gets done. Whether they do is found out by
/// core/search/challenge.h.
///
/// Work counts for an actor that reached a goal of the scenario while it acted as the holder, on a grant of
/// its own: a program that does not work, works without the lock, or works less than it should does not pass.
struct ChallengePlan {
    Scenario scenario;            ///< the programs under trial; its own faults are in every schedule
    Scenario original;            ///< with the programs as they were; they say how long there is to work
    std::vector<Invariant> never; ///< must not break under faults, in order of severity
    int done = 1;                 ///< so many actors reach a goal if nothing more interferes
    int despite = 0;              ///< and so many at the least whatever single fault comes
    /// What is tried: actors' kinds of faults, as FailurePlan has them; none: all that are searched for.
    std::vector<InterventionKind> tries;
    int faults = 2;              ///< in one schedule at the most
    std::uint64_t schedules = 0; ///< to be tried at the most
};

} // namespace lockscope
