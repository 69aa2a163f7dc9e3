// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/lesson/programs.h"
#include "core/lesson/saved_run.h"

namespace lockscope::ui {

/// What a learner may change of a run: how the knobs stand, what is done to the actors, what the programs
/// say, the seed, and by a run that was saved or served what clients did. A small value.
///
/// It is always given whole: what is to change a part of it begins with a copy, so that no part is reset by
/// being left out.
struct Setup {
    Setup(std::vector<KnobSetting> k, std::vector<Intervention> i, std::uint64_t s, Programs p,
          std::shared_ptr<const Visits> v)
        : knobs(std::move(k)), interventions(std::move(i)), seed(s), programs(std::move(p)),
          visits(std::move(v)) {}

    std::vector<KnobSetting> knobs; ///< every knob of the lesson, in its order
    std::vector<Intervention> interventions;
    std::uint64_t seed;
    Programs programs;                    ///< those that stand in for the lesson's
    std::shared_ptr<const Visits> visits; ///< what clients from outside did; null: there were none
};

inline bool sameKnobs(const Setup& a, const Setup& b) {
    return std::equal(
        a.knobs.begin(), a.knobs.end(), b.knobs.begin(), b.knobs.end(),
        [](const KnobSetting& x, const KnobSetting& y) { return x.name == y.name && x.value == y.value; });
}

inline bool operator==(const Setup& a, const Setup& b) {
    return sameKnobs(a, b) && a.interventions == b.interventions && a.seed == b.seed &&
           samePrograms(a.programs, b.programs) && sameVisits(a.visits, b.visits);
}

inline Setup setupOf(const SettledRun& run) {
    return {run.knobs, run.interventions, run.seed, run.programs, run.visits};
}
inline SettledRun settledFrom(int step, const Setup& setup) {
    return {step, setup.seed, setup.knobs, setup.interventions, setup.visits, setup.programs};
}

} // namespace lockscope::ui
