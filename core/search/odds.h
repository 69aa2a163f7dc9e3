// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/search/probe_pool.h"
#include "core/world/odds_plan.h"

namespace lockscope {

/// What many runs came to, with the knob at one value.
struct OddsPoint {
    Duration value{0};
    std::uint64_t runs = 0;
    std::uint64_t brokenRuns = 0; ///< with an overlap at all
    std::uint64_t turns = 0;      ///< claims: times that somebody acted as the holder
    std::uint64_t overlapped = 0; ///< of these beside another one
    /// How long a lock outlived its owner's crash, in order, one for each run in which somebody owned it.
    std::vector<Duration> recoveries;

    double overlapShare() const { return share(overlapped, turns); }
    double brokenShare() const { return share(brokenRuns, runs); }
    Duration meanRecovery() const;
    /// The first instant by which at least so many of a hundred crashes, 1 to 100, were over; 0 if there was
    /// none.
    Duration recoveryOf(int percent) const;

private:
    static double share(std::uint64_t part, std::uint64_t whole) {
        return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
    }
};

struct Odds {
    std::vector<OddsPoint> points; ///< as in the plan
    std::uint64_t simulations = 0;
    bool complete = false;
};

inline constexpr int kOddsRuns = 200;
inline constexpr int kMostOddsRuns = 100'000;

/// Runs each point `runs` times, each time with another seed, and each of these once more with a crash: the
/// owner of the lock dies at an instant that the seed chooses, in one of its turns, and does not come back.
/// Goes through all points in rounds, of a few seeds first, so that there is a picture early: `progress` is
/// told on the calling thread what is known after each. The same plan and number give the same figures on
/// every machine. Once `cancel` is true it returns what it has.
Odds findOdds(ProbePool& pool, const OddsPlan& plan, int runs, const std::atomic<bool>* cancel = nullptr,
              const std::function<void(const Odds&)>& progress = {});

std::string toJson(const OddsPlan& plan, const Odds& odds, double elapsedSeconds);
/// A table, a row a value.
std::string toMarkdown(const OddsPlan& plan, const Odds& odds);
std::string toText(const OddsPlan& plan, const Odds& odds);

} // namespace lockscope
