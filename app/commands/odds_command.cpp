// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console.h"
#include "app/lesson_library.h"
#include "core/search/odds.h"

namespace lockscope::app {

namespace {

struct OddsRequest {
    OddsPlan plan;
    int runs = kOddsRuns;
};

Result<OddsRequest> readRequest(const OddsOptions& options) {
    if (options.format != "text" && options.format != "json" && options.format != "markdown")
        return Error{fmt::format("--format '{}': allowed: text, json, markdown", options.format)};
    OddsRequest request;
    if (!options.runs.empty()) {
        const char* end = options.runs.data() + options.runs.size();
        const auto [stop, problem] = std::from_chars(options.runs.data(), end, request.runs);
        if (problem != std::errc{} || stop != end || request.runs < 1 || request.runs > kMostOddsRuns)
            return Error{
                fmt::format("--runs '{}': allowed: whole numbers from 1 to {}", options.runs, kMostOddsRuns)};
    }
    const Result<RunOfLesson> named = readRun(options.scenario);
    if (!named) return named.error();
    if (named->lesson.odds.empty())
        return Error{fmt::format("the lesson {} has no odds; allowed: {}", named->lesson.id,
                                 lessonsThat([](const Lesson& one) { return !one.odds.empty(); }))};
    if (!named->run.interventions.empty())
        return Error{"each run has the crash that its seed chooses; no other faults are allowed"};
    Result<OddsPlan> plan = oddsPlanOf(named->lesson, named->run.knobs, named->run.seed, named->run.programs);
    if (!plan) return plan.error();
    for (const OddsPlan::Point& point : plan->points)
        if (const Result<void> valid = validate(point.scenario); !valid) return valid.error();
    if (const Result<void> whole = runsToItsEnd(plan->points.front().scenario); !whole) return whole.error();
    request.plan = std::move(*plan);
    return request;
}

} // namespace

int oddsCommand(const OddsOptions& options) {
    const Result<OddsRequest> request = readRequest(options);
    if (!request) return complain("lockscope odds: " + request.error().text());
    ProbePool pool;
    const auto begun = std::chrono::steady_clock::now();
    const Odds odds = findOdds(pool, request->plan, request->runs);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    if (options.format == "json") return print(toJson(request->plan, odds, took.count()));
    return print(options.format == "markdown" ? toMarkdown(request->plan, odds)
                                              : toText(request->plan, odds));
}

} // namespace lockscope::app
