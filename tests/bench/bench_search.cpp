// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a what-if strip of two actors costs, its first coarse version and the whole, and how many schedules a
// search covers in a second. Goals on two cores: 16 ms, 50 ms, 100,000 schedules. Run it on an idle machine.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/search/explore.h"
#include "core/search/sweep.h"

using namespace lockscope;

namespace {

using Clock = std::chrono::steady_clock;

double millisSince(Clock::time_point begun) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
}

/// A lesson with two actors, its work within its lease.
Scenario healthy(const char* id) {
    const Result<Lesson> lesson = readLesson(std::string(LOCKSCOPE_SOURCE_DIR "/lessons/") + id + ".md");
    if (!lesson) {
        std::fprintf(stderr, "%s\n", lesson.error().text().c_str());
        std::exit(1);
    }
    return makeScenario(*lesson, {{"work", seconds(20)}}, {}, 1).value();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void strip(ProbePool& pool, const char* lesson) {
    constexpr int kTimes = 15;
    SweepRequest request;
    request.scenario = healthy(lesson);
    request.pause = seconds(20);
    for (const ActorSpec& actor : request.scenario.actors)
        request.actors.push_back(actor.name);
    std::vector<double> coarse;
    std::vector<double> whole;
    std::uint64_t simulations = 0;
    std::size_t instants = 0;
    for (int i = 0; i < kTimes; ++i) {
        const auto begun = Clock::now();
        double first = 0;
        const std::vector<Sweep> swept = sweep(pool, request, nullptr, [&](const std::vector<Sweep>&) {
            if (first == 0) first = millisSince(begun);
        });
        whole.push_back(millisSince(begun));
        coarse.push_back(first);
        simulations = 0;
        instants = 0;
        for (const Sweep& one : swept) {
            simulations += one.simulations;
            instants += one.points.size();
        }
    }
    std::printf(
        "strip of %-12s %zu actors, %4zu instants each, %5llu simulations: coarse %5.1f ms, whole %5.1f ms"
        " (at most %.1f)\n",
        lesson, request.actors.size(), instants / request.actors.size(),
        static_cast<unsigned long long>(simulations), median(coarse), median(whole),
        *std::max_element(whole.begin(), whole.end()));
}

void search(ProbePool& pool, const char* lesson, std::uint64_t budget) {
    ExploreRequest request;
    request.scenario = healthy(lesson);
    request.invariant = Invariant::ForeignDelete;
    request.budget = budget;
    const auto begun = Clock::now();
    const Exploration found = explore(pool, request);
    const double took = millisSince(begun);
    std::printf("search in %-12s %llu schedules, %.0f a second: %s\n", lesson,
                static_cast<unsigned long long>(found.schedules),
                static_cast<double>(found.schedules) / took * 1000, sentenceFor(found).c_str());
}

} // namespace

int main() {
    ProbePool pool;
    std::printf("%u threads\n", pool.threads());
    for (const char* lesson : {"toctou", "safe-release", "fencing"})
        strip(pool, lesson);
    search(pool, "safe-release", 2'000'000);
    return 0;
}
