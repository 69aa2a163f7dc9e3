// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/live_place.h"
#include "app/commands/live_runs.h"
#include "app/console.h"
#include "app/lesson_library.h"
#include "core/live/live_run.h"
#include "core/search/challenge.h"

namespace lockscope::app {

namespace {

/// What checking has come to so far.
struct Tally {
    std::string out;
    std::size_t tried = 0;
    std::size_t failed = 0;
    std::size_t left = 0; ///< steps that are not run live

    void add(const std::vector<CheckFinding>& findings) {
        for (const CheckFinding& finding : findings) {
            ++tried;
            if (finding.holds) continue;
            ++failed;
            out += fmt::format("{}:{}: step \"{}\": expected {}, found {}\n", finding.file, finding.line,
                               finding.step, finding.expectation, finding.instead);
        }
    }
    void addFailure(const Lesson& lesson, const Step& step, std::string_view expected,
                    std::string_view found) {
        ++tried;
        ++failed;
        out += fmt::format("{}:{}: step \"{}\": expected {}, found {}\n", lesson.file, step.line, step.title,
                           expected, found);
    }
    void leaveOut(const Lesson& lesson, const Step& step, std::string_view why) {
        ++left;
        out += fmt::format("{}:{}: step \"{}\": not run live: {}\n", lesson.file, step.line, step.title, why);
    }
};

/// Actors that start together begin 20 ms apart, and a lease can end between two of their asks. A run in
/// which something came later than a part of that may have changed their places: what it shows against a
/// lesson does not count.
constexpr Duration kPunctual = millis(10);
/// So often a step is run until it holds, or a run on time shows that it does not.
constexpr int kLateRuns = 12;

/// A step that is run live, and its latest run.
struct LiveStep {
    const Lesson* lesson = nullptr;
    const Step* step = nullptr;
    Scenario scenario;
    LiveResult result;

    std::vector<CheckFinding> findings() const { return checkLiveRun(*lesson, *step, result.run); }
    bool holds() const {
        const std::vector<CheckFinding> found = findings();
        return result.failure.empty() && result.doubts.empty() &&
               std::all_of(found.begin(), found.end(), [](const CheckFinding& f) { return f.holds; });
    }
};

std::vector<LiveStep> liveSteps(const std::vector<Lesson>& lessons, const live::LivePlace& place,
                                Tally& tally) {
    std::vector<LiveStep> steps;
    for (const Lesson& lesson : lessons) {
        const Result<void> may = mayRunThere(lesson.file, place);
        for (const Step& step : lesson.steps) {
            const Result<Scenario> scenario = makeLiveScenario(lesson, step);
            const Result<void> can = !may        ? may
                                     : !scenario ? Result<void>(scenario.error())
                                                 : live::LiveRun::canRun(*scenario, place);
            if (!step.notLive.empty())
                tally.leaveOut(lesson, step, step.notLive);
            else if (!can)
                tally.leaveOut(lesson, step, can.error().message);
            else
                steps.push_back({&lesson, &step, *scenario, {}});
        }
    }
    return steps;
}

/// Where something came too late to say anything, the step is run again, with less and less beside it. A run
/// that was on time counts, whatever it shows.
Result<void> runSteps(std::vector<LiveStep>& steps, const live::LivePlace& place) {
    std::vector<std::size_t> open(steps.size());
    std::iota(open.begin(), open.end(), 0);
    for (int times = 0; times < kLateRuns && !open.empty(); ++times) {
        const std::size_t atOnce = std::max<std::size_t>(24 >> times, 2);
        std::vector<Scenario> scenarios;
        for (const std::size_t index : open)
            scenarios.push_back(steps[index].scenario);
        const Result<void> began = runLive(scenarios, place, atOnce, [&](std::size_t i, LiveResult& result) {
            steps[open[i]].result = std::move(result);
        });
        if (!began) return began;
        std::erase_if(open, [&](std::size_t index) {
            return steps[index].holds() || steps[index].result.late <= kPunctual;
        });
    }
    return {};
}

Result<void> checkLive(const std::vector<Lesson>& lessons, const live::LivePlace& place, Tally& tally) {
    std::vector<LiveStep> steps = liveSteps(lessons, place, tally);
    if (const Result<void> ran = runSteps(steps, place); !ran) return ran;
    for (const LiveStep& each : steps) {
        if (!each.result.failure.empty()) {
            tally.addFailure(*each.lesson, *each.step, "a live run", each.result.failure);
            continue;
        }
        for (const std::string& doubt : each.result.doubts)
            tally.addFailure(*each.lesson, *each.step, "the server to answer as Redis does", doubt);
        tally.add(each.findings());
    }
    return {};
}

} // namespace

int checkCommand(const CheckOptions& options) {
    const Result<std::optional<live::LivePlace>> place = readPlace(options.redis);
    if (!place) return complain("lockscope check: " + place.error().text());

    LessonShelf shelf;
    if (options.lessons.empty()) {
        const Result<std::string> folder = lessonFolder();
        if (!folder) return complain(folder.error().text());
        shelf = readLessonFolder(*folder);
    }
    for (const std::string& name : options.lessons) {
        Result<Lesson> lesson = findLesson(name);
        if (!lesson) return complain("lockscope check: " + lesson.error().text());
        shelf.lessons.push_back(std::move(*lesson));
    }

    Tally tally;
    for (const Error& broken : shelf.broken)
        tally.out += broken.text() + "\n";
    if (*place) {
        if (const Result<void> ran = checkLive(shelf.lessons, **place, tally); !ran)
            return complain("lockscope check: " + ran.error().text(), kFailed);
    } else {
        ProbePool pool;
        for (const Lesson& lesson : shelf.lessons) {
            tally.add(checkLesson(lesson));
            tally.add(checkChallenges(lesson, [&](const ChallengePlan& plan) {
                const ChallengeResult result = tryChallenge(pool, plan);
                return ChallengeTrial{result.passed(), sentenceFor(plan, result)};
            }));
        }
    }
    const auto counted = [](std::size_t n, std::string_view noun) {
        return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
    };
    tally.out += fmt::format("{}, {}: {}", counted(shelf.lessons.size(), "lesson"),
                             counted(tally.tried, "expectation"),
                             tally.failed == 0 ? "all hold" : fmt::format("{} failed", tally.failed));
    if (tally.left > 0) tally.out += fmt::format("; {} not run live", counted(tally.left, "step"));
    if (!shelf.broken.empty())
        tally.out += fmt::format("; {} could not be read", counted(shelf.broken.size(), "file"));
    const int printed = print(tally.out + "\n");
    return tally.failed == 0 && shelf.broken.empty() ? printed : kFailed;
}

} // namespace lockscope::app
