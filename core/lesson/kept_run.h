// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/lesson/lesson.h"

namespace lockscope {

/// A run somebody wants to come back to: a value, from which makeScenario() makes the run again. The lesson
/// it belongs to is known to whoever holds it.
struct KeptRun {
    std::string name;
    std::vector<KnobSetting> knobs; ///< those of the lesson, also where they stand as the lesson has them
    std::vector<Intervention> interventions;
    std::uint64_t seed = 1;
};

/// What a run could be called, from what sets it apart from the lesson's own: "pause Server A 20 s",
/// "release compare-and-delete, kill Server B"; "as the lesson begins" if nothing does. It is none of
/// `taken`: a number tells it apart where it would be.
std::string suggestedName(const Lesson& lesson, const KeptRun& run, const std::vector<std::string>& taken);

} // namespace lockscope
