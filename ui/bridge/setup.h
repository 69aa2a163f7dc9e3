// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/world/scenario.h"

namespace lockscope::ui {

/// What a learner may change of a run: how the knobs stand, what is done to the actors,
/// and by a run that was saved the seed. A small value.
///
/// It is always given whole: what is to change a part of it begins with a copy, so that no part is reset by
/// being left out.
struct Setup {
    Setup(std::vector<KnobSetting> k, std::vector<Intervention> i, std::uint64_t s)
        : knobs(std::move(k)), interventions(std::move(i)), seed(s) {}

    std::vector<KnobSetting> knobs; ///< every knob of the lesson, in its order
    std::vector<Intervention> interventions;
    std::uint64_t seed;
};

inline bool sameKnobs(const Setup& a, const Setup& b) {
    return std::equal(
        a.knobs.begin(), a.knobs.end(), b.knobs.begin(), b.knobs.end(),
        [](const KnobSetting& x, const KnobSetting& y) { return x.name == y.name && x.value == y.value; });
}

inline bool operator==(const Setup& a, const Setup& b) {
    return sameKnobs(a, b) && a.interventions == b.interventions && a.seed == b.seed;
}

} // namespace lockscope::ui
