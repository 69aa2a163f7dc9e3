// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/lesson/expectation.h"
#include "core/lesson/judged_run.h"
#include "core/lesson/lesson.h"

namespace lockscope {

namespace {

// What a live run is allowed. A process that is to wake up now does so some milliseconds later on a machine
// with more to do than processors, and each wait of its program adds to that. Order is not allowed anything:
// it shows in violations, counts and replies, and no leniency touches those.
constexpr Duration kLiveInstants = millis(300);
constexpr Duration kLiveStates = millis(150);
constexpr int kLiveAsks = 3;
constexpr Duration kLiveBlinks = millis(10);

// Of a real server's memory: what its connections take differs from run to run.
constexpr double kLiveMemory = 0.02;

/// A load takes no time as it is written, and what comes of it comes meanwhile.
Leniency leniencyOf(double pace, const JudgedRun& run) {
    Duration loads{0};
    for (const TraceIntervention& intervention : run.trace.interventions)
        if (intervention.load) loads += intervention.load->took;
    return {pace, kLiveInstants + loads, kLiveStates + loads, kLiveAsks, kLiveBlinks, kLiveMemory};
}

bool expectsFailure(const std::vector<Expectation>& expectations, std::string_view actor) {
    for (const Expectation& expectation : expectations) {
        const auto* act = std::get_if<ExpectationForm::Act>(&expectation.form->what);
        if (act != nullptr && act->verb == ExpectationForm::Act::Verb::Fails && !act->never &&
            act->actor == actor)
            return true;
    }
    return false;
}

class StepFindings {
public:
    StepFindings(const Lesson& lesson, const Step& step, std::vector<CheckFinding>& into)
        : m_lesson(lesson), m_step(step), m_into(into) {}

    void add(int line, std::string expectation, std::optional<std::string> instead) {
        const bool holds = !instead;
        m_into.push_back({m_lesson.file, line, m_step.title, std::move(expectation), holds,
                          std::move(instead).value_or("")});
    }

    void tryAll(const std::vector<Expectation>& expectations, const JudgedRun& run,
                const Leniency& leniency) {
        if (!run.trace.failure.empty()) add(m_step.line, "a run to the end", run.trace.failure);
        for (const Event& event : run.trace.events) {
            if (event.kind != EventKind::ProgramFailed || event.actor == kNone || !run.trace.failure.empty())
                continue;
            const std::string& actor = run.trace.actors[static_cast<std::size_t>(event.actor)].name;
            if (!expectsFailure(expectations, actor))
                add(m_step.line, fmt::format("{} without an error", actor),
                    std::string(run.trace.text(event.text)));
        }
        for (const Expectation& expectation : expectations)
            add(expectation.line, expectation.text, whatIsInstead(*expectation.form, run, leniency));
    }

private:
    const Lesson& m_lesson;
    const Step& m_step;
    std::vector<CheckFinding>& m_into;
};

} // namespace

std::vector<CheckFinding> checkLesson(const Lesson& lesson) {
    Runner runner;
    JudgedRun run;
    std::vector<CheckFinding> findings;
    for (const Step& step : lesson.steps) {
        StepFindings found(lesson, step, findings);
        const Result<Scenario> scenario = makeScenario(lesson, step);
        const Result<void> ran = scenario ? runner.run(*scenario, run) : Result<void>(scenario.error());
        if (ran)
            found.tryAll(step.expectations, run, {});
        else
            found.add(step.line, "a step that can be set up", ran.error().message);
    }
    return findings;
}

std::vector<CheckFinding> checkLiveRun(const Lesson& lesson, const Step& step, const JudgedRun& run) {
    std::vector<CheckFinding> findings;
    const auto& own = step.live.expectations;
    StepFindings(lesson, step, findings)
        .tryAll(own ? *own : step.expectations, run, leniencyOf(own ? 1 : lesson.pace, run));
    return findings;
}

} // namespace lockscope
