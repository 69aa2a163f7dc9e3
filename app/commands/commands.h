// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/world/scenario.h"

/// What each subcommand does, apart from how its command line is read. Each returns the exit code.
namespace lockscope::app {

int lessonsCommand();

/// The texts of `lockscope run`, as given; runCommand() checks them.
struct RunOptions {
    std::string lesson;
    std::vector<std::string> knobs;                                  ///< KNOB=VALUE
    std::vector<std::string> interventions;                          ///< KIND ACTOR@T[+D]
    std::map<InterventionKind, std::vector<std::string>> shorthands; ///< ACTOR@T[+D]
    std::string seed;                                                ///< empty: the lesson's own
    std::string redis = "simulated";
    std::string format = "text";
    std::string output; ///< empty: standard output
    bool failOnViolation = false;
};
int runCommand(const RunOptions& options);

/// `--pause X` is short for `--do 'pause X'`.
struct InterventionShorthand {
    std::string_view option;
    InterventionKind kind;
    std::string_view form;
    std::string_view help;
};
const std::vector<InterventionShorthand>& interventionShorthands();

struct CheckOptions {
    std::vector<std::string> lessons; ///< none: all of the shelf
    std::string redis = "simulated";
};
int checkCommand(const CheckOptions& options);

/// Opens the window; the only command that needs a display. `lesson` may be empty.
int windowCommand(const std::string& lesson, char* programName);

} // namespace lockscope::app
