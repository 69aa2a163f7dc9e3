// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/commands/scenario_options.h"

/// What each subcommand does, apart from how its command line is read. Each returns the exit code.
namespace lockscope::app {

int lessonsCommand();

struct RunOptions {
    ScenarioOptions scenario;
    std::string redis = "simulated";
    std::string format = "text";
    std::string output; ///< empty: standard output
    bool failOnViolation = false;
};
int runCommand(const RunOptions& options);

struct SweepOptions {
    ScenarioOptions scenario;
    std::string actor;
    std::string pause;          ///< a duration
    std::string points = "400"; ///< of the even grid
    std::string format = "text";
};
int sweepCommand(const SweepOptions& options);

struct ExploreOptions {
    ScenarioOptions scenario;
    std::string invariant; ///< empty: any that the run does not break already
    std::string budget;    ///< schedules at the most; empty: as much as is usual
    std::string format = "text";
    bool matrix = false; ///< the lesson's table instead of one search
};
int exploreCommand(const ExploreOptions& options);

struct OddsOptions {
    ScenarioOptions scenario;
    std::string runs; ///< of each value; empty: as many as is usual
    std::string format = "text";
};
/// How often turns overlap, and for how long a crash blocks, against the knob that the lesson names.
int oddsCommand(const OddsOptions& options);

struct CheckOptions {
    std::vector<std::string> lessons; ///< none: all of the shelf
    std::string redis = "simulated";
};
int checkCommand(const CheckOptions& options);

struct ServeOptions {
    ScenarioOptions scenario; ///< no lesson: a store by itself
    std::string bind = "127.0.0.1";
    std::string port = "6379";
    std::string profile;         ///< a store's; empty: 7.0
    std::string maxmemory;       ///< a store's; empty: none
    std::string maxmemoryPolicy; ///< a store's; empty: noeviction
    std::string debugCommand;    ///< a store's: no, local or yes; empty: no
    bool expiresAtOnce = false;  ///< a store's
    std::string from = "0s";     ///< of a lesson: the instant at which clients come in
    std::string output;          ///< of a lesson: where its run is saved
};
/// Serves until it is told to stop, or a lesson is over.
int serveCommand(const ServeOptions& options);

/// Writes a commented lesson to start from, and prints its path. What is there already stays.
int newCommand(const std::string& nameOrFile);

struct ObserveOptions {
    std::string key;
    std::string redis = "redis://127.0.0.1:6379";
    std::string length; ///< a duration; empty: until it is interrupted
};
/// Watches a key of somebody's server without writing, and prints what happens to it.
int observeCommand(const ObserveOptions& options);

/// Opens the window; the only command that needs a display. `lesson` may be empty.
int windowCommand(const std::string& lesson, char* programName);

} // namespace lockscope::app
