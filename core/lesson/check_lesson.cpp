// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/lesson/expectation.h"
#include "core/lesson/judged_run.h"
#include "core/lesson/lesson.h"

namespace lockscope {

namespace {

bool expectsFailure(const Step& step, std::string_view actor) {
    for (const Expectation& expectation : step.expectations) {
        const auto* act = std::get_if<ExpectationForm::Act>(&expectation.form->what);
        if (act != nullptr && act->verb == ExpectationForm::Act::Verb::Fails && !act->never &&
            act->actor == actor)
            return true;
    }
    return false;
}

} // namespace

std::vector<CheckFinding> checkLesson(const Lesson& lesson) {
    Runner runner;
    JudgedRun run;
    std::vector<CheckFinding> findings;
    for (const Step& step : lesson.steps) {
        const auto add = [&](int line, std::string expectation, std::optional<std::string> instead) {
            const bool holds = !instead;
            findings.push_back({lesson.file, line, step.title, std::move(expectation), holds,
                                std::move(instead).value_or("")});
        };
        const Result<Scenario> scenario = makeScenario(lesson, step);
        const Result<void> ran = scenario ? runner.run(*scenario, run) : Result<void>(scenario.error());
        if (!ran) {
            add(step.line, "a step that can be set up", ran.error().message);
            continue;
        }
        if (!run.trace.failure.empty()) add(step.line, "a run to the end", run.trace.failure);
        for (const Event& event : run.trace.events) {
            if (event.kind != EventKind::ProgramFailed || event.actor == kNone || !run.trace.failure.empty())
                continue;
            const std::string& actor = run.trace.actors[static_cast<std::size_t>(event.actor)].name;
            if (!expectsFailure(step, actor))
                add(step.line, fmt::format("{} without an error", actor),
                    std::string(run.trace.text(event.text)));
        }
        for (const Expectation& expectation : step.expectations)
            add(expectation.line, expectation.text, whatIsInstead(*expectation.form, run));
    }
    return findings;
}

} // namespace lockscope
