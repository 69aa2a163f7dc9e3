// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How many whole runs of the lesson `expiry` a core makes in a second: programs in Lua, the store, the trace;
// then with the verdict on top. The goal is 50,000. And whether a million runs leave the process as large as
// it was.

#include <cstdio>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>

#include "core/lesson/lesson.h"
#include "core/trace/analysis.h"
#include "core/trace/invariants.h"
#include "core/world/simulator.h"

using namespace lockscope;

namespace {

Scenario expiry() {
    const Result<Lesson> lesson = readLesson(LOCKSCOPE_SOURCE_DIR "/lessons/expiry.md");
    if (!lesson) {
        std::fprintf(stderr, "%s\n", lesson.error().text().c_str());
        std::exit(1);
    }
    return makeScenario(*lesson, {}, {}, 1).value();
}

/// Resident memory of this process, MiB.
double residentMiB() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
    return 0;
}

void simulate(benchmark::State& state) {
    const Scenario scenario = expiry();
    Simulator simulator;
    Trace trace;
    for (auto _ : state)
        simulator.run(scenario, trace);
    state.SetItemsProcessed(state.iterations());
    state.counters["events"] = static_cast<double>(trace.events.size());
}
BENCHMARK(simulate)->Unit(benchmark::kMicrosecond);

void simulateAndJudge(benchmark::State& state) {
    const Scenario scenario = expiry();
    Simulator simulator;
    Trace trace;
    Analysis analysis;
    Judge judge;
    std::vector<Violation> violations;
    for (auto _ : state) {
        simulator.run(scenario, trace);
        analyse(trace, analysis);
        judge.judge(trace, analysis, violations);
    }
    state.SetItemsProcessed(state.iterations());
    state.counters["violations"] = static_cast<double>(violations.size());
}
BENCHMARK(simulateAndJudge)->Unit(benchmark::kMicrosecond);

/// As a sweep does it: the same pause, a little later each time.
void sweepAPause(benchmark::State& state) {
    Scenario scenario = expiry();
    scenario.interventions.push_back(
        {InterventionKind::Pause, scenario.actors[0].name, Instant{}, seconds(20)});
    Simulator simulator;
    Trace trace;
    Analysis analysis;
    Judge judge;
    std::vector<Violation> violations;
    std::int64_t n = 0;
    for (auto _ : state) {
        scenario.interventions[0].at = instantAt(millis(++n % 65'000));
        simulator.run(scenario, trace);
        analyse(trace, analysis);
        judge.judge(trace, analysis, violations);
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(sweepAPause)->Unit(benchmark::kMicrosecond);

void memoryOverAMillionRuns(benchmark::State& state) {
    const Scenario scenario = expiry();
    Simulator simulator;
    Trace trace;
    for (int i = 0; i < 10'000; ++i)
        simulator.run(scenario, trace);
    const double before = residentMiB();
    for (auto _ : state)
        simulator.run(scenario, trace);
    state.counters["MiB_before"] = before;
    state.counters["MiB_after"] = residentMiB();
}
BENCHMARK(memoryOverAMillionRuns)->Iterations(1'000'000)->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
