// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/odds.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "core/base/assert.h"
#include "core/base/random.h"

namespace lockscope {

namespace {

constexpr std::uint64_t kCrashStream = 0x0DD5;
constexpr std::array<int, 4> kRounds{4, 16, 64, 200}; ///< so many seeds by the end of each, then all

/// What one seed came to.
struct OneRun {
    std::uint64_t turns = 0;
    std::uint64_t overlapped = 0;
    std::optional<Duration> recovery;
    std::uint64_t simulations = 0;
};

std::uint64_t overlappedTurns(const Probe& probe) {
    std::vector<int> claims;
    for (const Violation& v : probe.violations())
        if (v.invariant == Invariant::BeliefOverlap)
            claims.insert(claims.end(), v.claims.begin(), v.claims.end());
    std::sort(claims.begin(), claims.end());
    return static_cast<std::uint64_t>(std::unique(claims.begin(), claims.end()) - claims.begin());
}

/// An instant at which the owner of the lock acts as its holder: the turn and the instant by chance.
std::optional<Intervention> crashIn(const Probe& probe, Random random) {
    const Trace& trace = probe.trace();
    struct Turn {
        ActorIndex actor;
        Instant from;
        Instant until;
    };
    std::vector<Turn> turns;
    for (const Claim& claim : probe.analysis().claims) {
        if (claim.base == kNone || claim.task == kNone) continue;
        const Grant& grant = probe.analysis().grants[static_cast<std::size_t>(claim.base)];
        const Instant until = std::min({claim.until, grant.until, trace.reached});
        if (claim.from < until) turns.push_back({claim.actor, claim.from, until});
    }
    if (turns.empty()) return std::nullopt;
    const Turn& turn = turns[random.below(turns.size())];
    const Duration into{static_cast<std::int64_t>(
        random.below(static_cast<std::uint64_t>((turn.until - turn.from).count())))};
    return Intervention{InterventionKind::Kill, trace.actors[static_cast<std::size_t>(turn.actor)].name,
                        turn.from + into, Duration{0}};
}

OneRun tryOnce(Probe& probe, Scenario scenario, std::uint64_t seed) {
    OneRun one;
    scenario.seed = seed;
    probe.run(scenario);
    ++one.simulations;
    one.turns = probe.analysis().claims.size();
    one.overlapped = overlappedTurns(probe);
    if (const std::optional<Intervention> crash = crashIn(probe, Random(seed).fork(kCrashStream))) {
        scenario.interventions.push_back(*crash);
        probe.run(scenario);
        ++one.simulations;
        one.recovery = outcomeOf(probe.trace(), probe.analysis()).recovery;
    }
    return one;
}

void add(const OneRun& one, OddsPoint& point, std::uint64_t& simulations) {
    ++point.runs;
    point.brokenRuns += one.overlapped > 0;
    point.turns += one.turns;
    point.overlapped += one.overlapped;
    if (one.recovery) point.recoveries.push_back(*one.recovery);
    simulations += one.simulations;
}

} // namespace

Duration OddsPoint::meanRecovery() const {
    if (recoveries.empty()) return Duration{0};
    const Duration sum = std::accumulate(recoveries.begin(), recoveries.end(), Duration{0});
    return sum / static_cast<std::int64_t>(recoveries.size());
}

Duration OddsPoint::recoveryOf(int percent) const {
    LOCKSCOPE_ASSERT(percent > 0 && percent <= 100);
    if (recoveries.empty()) return Duration{0};
    const std::size_t over = (recoveries.size() * static_cast<std::size_t>(percent) + 99) / 100; // rounded up
    return recoveries[over - 1];
}

Odds findOdds(ProbePool& pool, const OddsPlan& plan, int runs, const std::atomic<bool>* cancel,
              const std::function<void(const Odds&)>& progress) {
    Odds odds;
    for (const OddsPlan::Point& point : plan.points)
        odds.points.push_back({point.value, 0, 0, 0, 0, {}});
    if (plan.points.empty()) return odds;
    std::vector<int> rounds(kRounds.begin(), kRounds.end());
    rounds.push_back(runs);
    int first = 0;
    for (const int wanted : rounds) {
        const int until = std::min(wanted, runs);
        if (until <= first) continue;
        const auto seeds = static_cast<std::size_t>(until - first);
        std::vector<OneRun> found(seeds * plan.points.size());
        const bool whole = pool.forEach(
            plan.points.front().scenario, found.size(), cancel, [&](Probe& probe, Scenario&, std::size_t i) {
                const Scenario& scenario = plan.points[i / seeds].scenario;
                found[i] =
                    tryOnce(probe, scenario, scenario.seed + static_cast<std::uint64_t>(first) + i % seeds);
            });
        if (!whole) return odds;
        for (std::size_t i = 0; i < found.size(); ++i)
            add(found[i], odds.points[i / seeds], odds.simulations);
        for (OddsPoint& point : odds.points)
            std::sort(point.recoveries.begin(), point.recoveries.end());
        first = until;
        odds.complete = first == runs;
        if (progress) progress(odds);
    }
    return odds;
}

} // namespace lockscope
