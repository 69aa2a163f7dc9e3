// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/trace/invariants.h"
#include "core/world/scenario.h"

namespace lockscope {

/// A table to be found out: some programs, each under some kinds of failure. Which invariants break in each
/// cell is the business of core/search/matrix.h.
struct FailurePlan {
    struct Failure {
        std::string label;
        /// Faults to try at every instant that can matter. Of the kinds that searchable() names, the length
        /// is searched for; others are tried as they stand. One without an actor is tried on each. None: the
        /// failure lies in the scenario itself.
        std::vector<Intervention> tries;
    };

    std::vector<std::string> programs; ///< labels
    std::vector<Failure> failures;
    std::vector<Scenario> scenarios;   ///< programs.size() times failures.size(), a program after the other
    std::vector<Invariant> invariants; ///< that are looked for, in order of severity

    const Scenario& scenario(std::size_t program, std::size_t failure) const {
        return scenarios[program * failures.size() + failure];
    }
};

} // namespace lockscope
