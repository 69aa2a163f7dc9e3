// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lesson/saved_run.h"

namespace lockscope::app {

/// What decides a run, as given on the command line; readScenario() checks it.
struct ScenarioOptions {
    std::string lesson;
    std::vector<std::string> knobs;                                  ///< KNOB=VALUE
    std::vector<std::string> interventions;                          ///< KIND ACTOR@T[+D]
    std::map<InterventionKind, std::vector<std::string>> shorthands; ///< ACTOR@T[+D]
    std::string seed;                                                ///< empty: the lesson's own
};

/// What the options say, over a lesson as it begins or over a run of one that was saved.
struct RunOfLesson {
    Lesson lesson;
    SettledRun run;
};
/// Knobs of the options stand behind those of the run, and win. One line that says what is wrong otherwise.
Result<RunOfLesson> readRun(const ScenarioOptions& options, bool live = false);

/// The scenario, or one line that says which option is wrong and what is allowed.
/// `live`: in real time, so that a lesson takes seconds; what the options say is in real time already.
Result<Scenario> readScenario(const ScenarioOptions& options, bool live = false);

/// `--pause X` is short for `--do 'pause X'`.
struct InterventionShorthand {
    std::string_view option;
    InterventionKind kind;
    std::string_view form;
    std::string_view help;
};
const std::vector<InterventionShorthand>& interventionShorthands();

} // namespace lockscope::app
