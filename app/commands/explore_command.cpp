// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console.h"
#include "core/search/explore.h"

namespace lockscope::app {

namespace {

Result<ExploreRequest> readRequest(const ExploreOptions& options) {
    if (options.format != "text" && options.format != "json" && options.format != "markdown")
        return Error{fmt::format("--format '{}': allowed: text, json, markdown", options.format)};
    Result<Scenario> scenario = readScenario(options.scenario);
    if (!scenario) return scenario.error();
    if (const Result<void> valid = validate(*scenario); !valid) return valid.error();

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
    constexpr std::uint64_t kMost = 1'000'000'000;
    const char* end = options.budget.data() + options.budget.size();
    const auto [stop, problem] = std::from_chars(options.budget.data(), end, request.budget);
    if (problem != std::errc{} || stop != end || request.budget < 1 || request.budget > kMost)
        return Error{
            fmt::format("--budget '{}': allowed: whole numbers from 1 to {}", options.budget, kMost)};
    return request;
}

} // namespace

int exploreCommand(const ExploreOptions& options) {
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
