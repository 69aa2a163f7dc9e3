// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/search/explore.h"
#include "core/world/challenge_plan.h"

namespace lockscope {

/// What came of programs that were to pass a challenge.
struct ChallengeResult {
    enum class Verdict : std::uint8_t {
        Passed,    ///< nothing was found; `search` says what was covered
        Fails,     ///< a program ends in an error, or the run does not come to its end
        TooLittle, ///< not enough gets done, though nothing interferes
        Shortened, ///< somebody works less than before
        Breaks,    ///< an invariant, by `search.interventions`
        Undone,    ///< not enough gets done under `fault`
        Cancelled,
    };
    Verdict verdict = Verdict::Passed;
    Exploration search;
    std::vector<Intervention> fault; ///< Undone
    int made =
        0; ///< actors that reached a goal as holders: TooLittle, Undone, and Passed if nothing interferes
    int fewest = 0;            ///< Passed: under the single fault that was worst
    std::uint64_t singles = 0; ///< Passed: so many single faults the work was counted under
    std::string who;           ///< Fails, Shortened: the actor
    std::string message;       ///< Fails
    Instant at{};              ///< Fails

    bool passed() const { return verdict == Verdict::Passed; }
    /// The faults to put into the run so as to see it; empty if it takes none.
    const std::vector<Intervention>& interventions() const {
        return verdict == Verdict::Undone ? fault : search.interventions;
    }
};

/// Tries programs: first the run as it is, then the search for what breaks, then, under every single fault,
/// whether the work gets done. The same plan gives the same result on every machine.
ChallengeResult tryChallenge(ProbePool& pool, const ChallengePlan& plan,
                             const std::atomic<bool>* cancel = nullptr,
                             const std::function<void(const ExploreProgress&)>& progress = {});

/// What came of it, in a sentence or two. Of a pass it says what was covered, and no more.
std::string sentenceFor(const ChallengePlan& plan, const ChallengeResult& result);

} // namespace lockscope
