// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console.h"
#include "core/lesson/judged_run.h"
#include "core/trace/exports.h"

namespace lockscope::app {

int runCommand(const RunOptions& options) {
    if (options.format != "text" && options.format != "json")
        return complain(fmt::format("lockscope run: --format '{}': allowed: text, json", options.format));
    if (options.redis != "simulated")
        return complain(fmt::format(
            "lockscope run: --redis '{}': lessons are run simulated; allowed: simulated", options.redis));
    const Result<Scenario> scenario = readScenario(options.scenario);
    if (!scenario) return complain("lockscope run: " + scenario.error().text());
    Runner runner;
    JudgedRun run;
    if (const Result<void> ran = runner.run(*scenario, run); !ran)
        return complain("lockscope run: " + ran.error().text());

    std::string text = options.format == "json"
                           ? toJson(run.trace, run.analysis, run.violations, run.outcome)
                           : toText(run.trace, run.analysis, run.violations, run.outcome);
    if (!text.ends_with('\n')) text += '\n';
    const int written = options.output.empty() ? print(text) : writeFile(options.output, text);
    if (written != kDone) return written;
    if (!run.trace.failure.empty())
        return complain("lockscope run: the run could not be finished: " + run.trace.failure, kFailed);
    return options.failOnViolation && !run.violations.empty() ? kFailed : kDone;
}

} // namespace lockscope::app
