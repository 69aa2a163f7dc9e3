// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "core/search/probe_pool.h"

namespace lockscope {

/// What a pause of one length would add, for every instant at which it could begin.
struct Sweep {
    std::string actor;
    Duration pause{0};
    InvariantMask brokenAnyway = 0; ///< what the run breaks without that pause
    /// Each instant that was tried and what a pause beginning there adds; it stands for what lies up to the
    /// next one. Sorted, the first at 0.
    struct Point {
        Instant at{};
        InvariantMask adds = 0;
    };
    std::vector<Point> points;
    Instant horizon{};
    std::uint64_t simulations = 0;
    bool complete = false; ///< every refinement is done

    /// What a pause beginning at t adds, as far as it is known.
    InvariantMask addsAt(Instant t) const;
    /// The stretches in which `invariant` is added, with their true borders.
    struct Region {
        Instant from{};
        Instant until{};
    };
    std::vector<Region> regions(Invariant invariant) const;
};

struct SweepRequest {
    Scenario scenario;               ///< with the interventions that are there already
    std::vector<std::string> actors; ///< whose pauses are tried, each for itself
    Duration pause{0};
    int points = 400; ///< of the even grid
};

/// Sweeps all actors of the request, in rounds, each finer than the last:
///   1. a coarse even grid, enough for a first picture;
///   2. the instants just before and just after everything that happens in the run, and those from which the
///      pause would end just before or after it: a window of a millisecond must not fall between two samples;
///   3. the rest of the even grid;
///   4. halving between neighbours that differ, down to a millisecond, so that borders are where they are.
/// The result has an entry for each of the request's actors, in their order. `progress` is called on the
/// calling thread after each round with what is known by then. Once `cancel` turns true it returns what it
/// has, with complete == false.
std::vector<Sweep> sweep(ProbePool& pool, const SweepRequest& request,
                         const std::atomic<bool>* cancel = nullptr,
                         const std::function<void(const std::vector<Sweep>&)>& progress = {});

/// As `lockscope sweep --format json` prints it; `elapsed` is the wall time it took.
std::string toJson(const Sweep& sweep, double elapsedSeconds);
/// The same as text: a row per invariant that is added anywhere, and its regions with their widths.
std::string toText(const Sweep& sweep, int width = 100);

} // namespace lockscope
