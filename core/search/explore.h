// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/search/explain.h"
#include "core/search/faults.h"
#include "core/search/probe_pool.h"

namespace lockscope {

struct ExploreRequest {
    Scenario scenario; ///< with the interventions that are there already; they stay
    std::optional<Invariant>
        invariant;           ///< what is to break; none: anything that the run does not break already
    InvariantMask among = 0; ///< in place of `invariant`: any of these, also if the run breaks it already
    /// Schedules, roughly: it is looked at between lots of work, so a search may pass it by some thousands.
    std::uint64_t budget = 2'000'000;
    FaultChoice choice; ///< which faults are tried
    int faults = 3;     ///< in one schedule at the most
};

/// What the search looked at. It never says more than that.
struct ExploreCoverage {
    std::uint64_t ones = 0; ///< schedules with one fault
    bool onesComplete = false;
    std::uint64_t twos = 0;
    bool twosComplete = false;
    std::uint64_t threes = 0; ///< these are guided, never complete
    std::uint64_t shrinking = 0;
    std::size_t instants = 0; ///< at which a first fault could begin
    std::size_t messages = 0; ///< that a first fault could hit
    std::uint32_t kinds = 0;  ///< of faults that were tried, as in FaultChoice
};

struct Exploration {
    bool found = false;
    bool brokenAnyway = false; ///< found, and without any fault: the program breaks it by itself
    bool cancelled = false;
    bool overBudget = false;
    Invariant invariant = Invariant::StaleWrite;
    std::vector<Intervention> interventions; ///< the minimal failure; the request's own are not among them
    ExploreCoverage coverage;
    std::uint64_t schedules = 0;
    /// The causes, from the violation backwards; the first is the violation.
    std::vector<Cause> why;
};

struct ExploreProgress {
    int faults = 1; ///< how many faults the schedules have that are tried now
    std::uint64_t schedules = 0;
    double done = 0; ///< of this stage, 0 to 1
};

/// Looks for the smallest set of faults that breaks an invariant of the scenario's programs: all single
/// faults that can matter (core/search/faults.h says which), then all pairs, then triples built on the pairs
/// that came closest, until something breaks or the budget is spent. Of the failures with the fewest faults
/// the one with the shortest and earliest is taken, shrunk and rounded to numbers that read well.
///
/// The same request gives the same answer, whatever the number of threads. `progress` comes on the calling
/// thread.
Exploration explore(ProbePool& pool, const ExploreRequest& request, const std::atomic<bool>* cancel = nullptr,
                    const std::function<void(const ExploreProgress&)>& progress = {});

/// What was covered, in a sentence or two: numbers, faults and bounds.
std::string sentenceFor(const Exploration& exploration);

/// As `lockscope explore --format json` prints it; `elapsed` is the wall time it took.
std::string toJson(const ExploreRequest& request, const Exploration& exploration, double elapsedSeconds);
/// The same for people: what was found, with what it breaks and why, and what was covered.
std::string toText(const ExploreRequest& request, const Exploration& exploration, bool markdown = false);

/// The request's scenario with the failure's interventions, to run and show.
Scenario withFailure(const ExploreRequest& request, const Exploration& exploration);

} // namespace lockscope
