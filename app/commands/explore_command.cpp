// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console.h"
#include "app/lesson_library.h"
#include "core/lesson/lesson.h"
#include "core/search/explore.h"
#include "core/search/matrix.h"

namespace lockscope::app {

namespace {

Result<void> checkFormat(const ExploreOptions& options) {
    if (options.format == "text" || options.format == "json" || options.format == "markdown") return {};
    return Error{fmt::format("--format '{}': allowed: text, json, markdown", options.format)};
}

Result<std::uint64_t> readBudget(const ExploreOptions& options, std::uint64_t otherwise) {
    if (options.budget.empty()) return otherwise;
    constexpr std::uint64_t kMost = 1'000'000'000;
    std::uint64_t budget = 0;
    const char* end = options.budget.data() + options.budget.size();
    const auto [stop, problem] = std::from_chars(options.budget.data(), end, budget);
    if (problem == std::errc{} && stop == end && budget >= 1 && budget <= kMost) return budget;
    return Error{fmt::format("--budget '{}': allowed: whole numbers from 1 to {}", options.budget, kMost)};
}

Result<ExploreRequest> readRequest(const ExploreOptions& options) {
    if (const Result<void> format = checkFormat(options); !format) return format.error();
    Result<Scenario> scenario = readScenario(options.scenario);
    if (!scenario) return scenario.error();
    if (const Result<void> valid = validate(*scenario); !valid) return valid.error();
    if (const Result<void> whole = runsToItsEnd(*scenario); !whole) return whole.error();

    ExploreRequest request;
    request.scenario = std::move(*scenario);
    if (!options.invariant.empty()) {
        Invariant invariant{};
        if (!invariantNamed(options.invariant, invariant)) {
            std::string names;
            for (const Invariant one : kInvariants)
                names += (names.empty() ? "" : ", ") + std::string(nameOf(one));
            return Error{fmt::format("--invariant '{}': allowed: {}", options.invariant, names)};
        }
        request.invariant = invariant;
    }
    const Result<std::uint64_t> budget = readBudget(options, request.budget);
    if (!budget) return budget.error();
    request.budget = *budget;
    return request;
}

/// The lesson with a matrix that the command line names; of a saved run the programs are its own.
Result<FailurePlan> readMatrix(const ScenarioOptions& named) {
    const bool shorthand = std::any_of(named.shorthands.begin(), named.shorthands.end(),
                                       [](const auto& given) { return !given.second.empty(); });
    if (!named.knobs.empty() || !named.interventions.empty() || shorthand)
        return Error{"--matrix: the lesson's table sets knobs and faults itself; --set, --do and the like do "
                     "not go with it"};
    const Result<RunOfLesson> run = readRun(named);
    if (!run) return run.error();
    if (run->lesson.matrix.empty())
        return Error{fmt::format("--matrix: the lesson {} has no matrix; allowed: {}", run->lesson.id,
                                 lessonsThat([](const Lesson& one) { return !one.matrix.empty(); }))};
    return failurePlanOf(run->lesson, run->run.programs);
}

int exploreMatrix(const ExploreOptions& options) {
    if (const Result<void> format = checkFormat(options); !format)
        return complain("lockscope explore: " + format.error().text());
    const Result<std::uint64_t> budget = readBudget(options, kSchedulesPerCell);
    if (!budget) return complain("lockscope explore: " + budget.error().text());
    const Result<FailurePlan> plan = readMatrix(options.scenario);
    if (!plan) return complain("lockscope explore: " + plan.error().text());
    ProbePool pool;
    const auto begun = std::chrono::steady_clock::now();
    const Matrix matrix = searchMatrix(pool, *plan, *budget);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    if (options.format == "json") return print(toJson(*plan, matrix, took.count()));
    return print(options.format == "markdown" ? toMarkdown(*plan, matrix) : toText(*plan, matrix));
}

} // namespace

int exploreCommand(const ExploreOptions& options) {
    if (options.matrix) return exploreMatrix(options);
    const Result<ExploreRequest> request = readRequest(options);
    if (!request) return complain("lockscope explore: " + request.error().text());
    ProbePool pool;
    const auto begun = std::chrono::steady_clock::now();
    const Exploration result = explore(pool, *request);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    if (options.format == "json") return print(toJson(*request, result, took.count()));
    return print(toText(*request, result, options.format == "markdown"));
}

} // namespace lockscope::app
