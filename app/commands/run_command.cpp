// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/live_place.h"
#include "app/commands/live_runs.h"
#include "app/console.h"
#include "core/lesson/judged_run.h"
#include "core/live/live_run.h"
#include "core/trace/exports.h"

namespace lockscope::app {

namespace {

/// What was run, or the exit code after a complaint.
struct RunAnswer {
    int code = kDone;
    JudgedRun run;
    std::string failure; ///< why it did not come to its end
};

RunAnswer refuse(std::string_view why) {
    return {complain(fmt::format("lockscope run: {}", why)), {}, {}};
}

RunAnswer runSimulated(const ScenarioOptions& options) {
    const Result<Scenario> scenario = readScenario(options);
    if (!scenario) return refuse(scenario.error().text());
    RunAnswer answer;
    Runner runner;
    if (const Result<void> ran = runner.run(*scenario, answer.run); !ran) return refuse(ran.error().text());
    answer.failure = answer.run.trace.failure;
    return answer;
}

RunAnswer runForReal(const ScenarioOptions& options, const live::LivePlace& place) {
    const Result<Scenario> scenario = readScenario(options, true);
    if (!scenario) return refuse(scenario.error().text());
    if (const Result<void> can = live::LiveRun::canRun(*scenario, place); !can)
        return refuse(can.error().text());
    if (const Result<void> may = mayRunThere(options.lesson, place); !may) return refuse(may.error().text());
    RunAnswer answer;
    const Result<void> began = runLive({*scenario}, place, 1, [&](std::size_t, LiveResult& result) {
        answer.failure = result.failure.empty() ? result.run.trace.failure : result.failure;
        for (const std::string& doubt : result.doubts)
            complain("lockscope run: the server answered " + doubt);
        if (!result.failure.empty()) answer.code = kFailed;
        answer.run = std::move(result.run);
    });
    if (!began) return {complain("lockscope run: " + began.error().text(), kFailed), {}, {}};
    if (answer.code != kDone) complain("lockscope run: " + answer.failure, kFailed);
    return answer;
}

} // namespace

int runCommand(const RunOptions& options) {
    if (options.format != "text" && options.format != "json")
        return complain(fmt::format("lockscope run: --format '{}': allowed: text, json", options.format));
    const Result<std::optional<live::LivePlace>> place = readPlace(options.redis);
    if (!place) return complain("lockscope run: " + place.error().text());
    const RunAnswer answer = *place ? runForReal(options.scenario, **place) : runSimulated(options.scenario);
    if (answer.code != kDone) return answer.code;

    const JudgedRun& run = answer.run;
    std::string text = options.format == "json"
                           ? toJson(run.trace, run.analysis, run.violations, run.outcome)
                           : toText(run.trace, run.analysis, run.violations, run.outcome);
    if (!text.ends_with('\n')) text += '\n';
    const int written = options.output.empty() ? print(text) : writeFile(options.output, text);
    if (written != kDone) return written;
    if (!answer.failure.empty())
        return complain("lockscope run: the run could not be finished: " + answer.failure, kFailed);
    return options.failOnViolation && !run.violations.empty() ? kFailed : kDone;
}

} // namespace lockscope::app
