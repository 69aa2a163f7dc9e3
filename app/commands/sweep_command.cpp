// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console.h"
#include "core/search/sweep.h"

namespace lockscope::app {

namespace {

Result<SweepRequest> readRequest(const SweepOptions& options) {
    if (options.format != "text" && options.format != "json")
        return Error{fmt::format("--format '{}': allowed: text, json", options.format)};
    Result<Scenario> scenario = readScenario(options.scenario);
    if (!scenario) return scenario.error();
    if (const Result<void> valid = validate(*scenario); !valid) return valid.error();

    SweepRequest request;
    request.actors = {options.actor};
    std::string names;
    bool known = false;
    for (const ActorSpec& actor : scenario->actors) {
        names += (names.empty() ? "" : ", ") + actor.name;
        known = known || actor.name == options.actor;
    }
    if (const Result<void> whole = runsToItsEnd(*scenario); !whole) return whole.error();
    if (!known) return Error{fmt::format("--actor '{}': allowed: {}", options.actor, names)};
    const Result<Duration> pause = parseDuration(options.pause);
    if (!pause) return Error{fmt::format("--pause: {}", pause.error().message)};
    if (*pause == Duration{0}) return Error{"--pause '0': a pause lasts longer than nothing"};
    request.pause = *pause;
    constexpr int kMost = 100'000;
    const char* end = options.points.data() + options.points.size();
    const auto [stop, problem] = std::from_chars(options.points.data(), end, request.points);
    if (problem != std::errc{} || stop != end || request.points < 1 || request.points > kMost)
        return Error{
            fmt::format("--points '{}': allowed: whole numbers from 1 to {}", options.points, kMost)};
    request.scenario = std::move(*scenario);
    return request;
}

} // namespace

int sweepCommand(const SweepOptions& options) {
    const Result<SweepRequest> request = readRequest(options);
    if (!request) return complain("lockscope sweep: " + request.error().text());
    ProbePool pool;
    const auto begun = std::chrono::steady_clock::now();
    const Sweep result = sweep(pool, *request).front();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    return print(options.format == "json" ? toJson(result, took.count()) : toText(result));
}

} // namespace lockscope::app
