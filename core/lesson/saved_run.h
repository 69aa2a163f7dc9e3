// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/lesson/programs.h"

namespace lockscope {

/// A run of a lesson by what decides it, in the form in which it is stored: knob values stand as on the
/// command line, and only the lesson they belong to can say whether they mean anything.
struct SavedRun {
    std::string name;
    int step = 0; ///< the step it was made in, counted from 0
    std::uint64_t seed = 1;
    std::vector<TraceKnob> knobs; ///< those that differ from the lesson's initial values
    std::vector<Intervention> interventions;
    std::shared_ptr<const Visits> visits;   ///< what clients from outside did; null: there were none
    std::vector<ProgramText> programs = {}; ///< those that stand in for the lesson's

    bool operator==(const SavedRun& other) const;
};

/// The same once its lesson has checked it.
struct SettledRun {
    int step = 0;
    std::uint64_t seed = 1;
    std::vector<KnobSetting> knobs; ///< every knob of the lesson, in its order
    std::vector<Intervention> interventions;
    std::shared_ptr<const Visits> visits;
    Programs programs = {}; ///< those that stand in for the lesson's, in its order
};

/// The scenario of a run. What is wrong with it is an error that says what is allowed.
Result<Scenario> makeScenario(const Lesson& lesson, const SettledRun& run);
/// The same in real time, without what clients did. What the run's step says of real time holds as far as the
/// run is still as the step has it.
Result<Scenario> makeLiveScenario(const Lesson& lesson, const SettledRun& run);

SavedRun saveRun(const Lesson& lesson, const SettledRun& run, std::string name);

/// Unknown knobs, actors and programs, programs that do not compile, and values that the lesson does not
/// allow, are an error that says what is. A step that the lesson no longer has becomes its last one.
Result<SettledRun> settle(const Lesson& lesson, const SavedRun& run);

} // namespace lockscope
