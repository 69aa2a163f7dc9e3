// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/lesson/judged_run.h"
#include "core/live/live_server.h"
#include "core/world/scenario.h"

namespace lockscope::app {

/// What became of one live run.
struct LiveResult {
    std::string failure; ///< why it could not be run, or not to its end; empty otherwise
    JudgedRun run;
    std::vector<std::string> doubts; ///< what the server answered otherwise than a Redis should
    Duration late{0};                ///< by how much, at the most, something happened later than it was due
};

/// Runs scenarios live, up to `atOnce` of them side by side, each with servers and processes of its own, and
/// hands over each when it is finished, by its number. A failure to begin at all is returned.
Result<void> runLive(const std::vector<Scenario>& scenarios, const live::LivePlace& place, std::size_t atOnce,
                     const std::function<void(std::size_t, LiveResult&)>& done);

} // namespace lockscope::app
