// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/saved_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/world/simulator.h"

namespace lockscope {

bool SavedRun::operator==(const SavedRun& other) const {
    const auto same = [](const TraceKnob& a, const TraceKnob& b) {
        return a.name == b.name && a.value == b.value;
    };
    return name == other.name && step == other.step && seed == other.seed &&
           interventions == other.interventions && programs == other.programs &&
           sameVisits(visits, other.visits) &&
           std::equal(knobs.begin(), knobs.end(), other.knobs.begin(), other.knobs.end(), same);
}

Result<Scenario> makeScenario(const Lesson& lesson, const SettledRun& run) {
    Result<Scenario> scenario = makeScenario(lesson, run.knobs, run.interventions, run.seed, run.programs);
    if (scenario) scenario->visits = run.visits;
    return scenario;
}

Result<Scenario> makeLiveScenario(const Lesson& lesson, const SettledRun& run) {
    Step step = lesson.steps[static_cast<std::size_t>(run.step)];
    const Result<Scenario> written = makeScenario(lesson, step);
    if (!written) return written.error();
    for (const KnobSetting& setting : run.knobs) {
        const auto of = [&](const KnobSetting& other) { return other.name == setting.name; };
        const auto own = std::find_if(written->knobs.begin(), written->knobs.end(), of);
        if (own == written->knobs.end() || own->value == setting.value) continue;
        std::erase_if(step.knobs, of);
        step.knobs.push_back(setting);
        std::erase_if(step.live.knobs, of);
        step.live.horizon.reset(); // it was measured for the step's own values
    }
    if (run.interventions != step.interventions) {
        step.interventions = run.interventions;
        step.live.interventions.reset();
    }
    step.programs = run.programs;
    Result<Scenario> scenario = makeLiveScenario(lesson, step);
    if (scenario) scenario->seed = run.seed;
    return scenario;
}

SavedRun saveRun(const Lesson& lesson, const SettledRun& run, std::string name) {
    SavedRun saved{std::move(name), run.step, run.seed, {}, run.interventions, run.visits, {}};
    for (const KnobSetting& setting : run.knobs) {
        const Knob* knob = lesson.knob(setting.name);
        LOCKSCOPE_ASSERT(knob != nullptr);
        if (knob->initial != setting.value)
            saved.knobs.push_back({setting.name, formatKnobValue(setting.value)});
    }
    for (const auto& program : run.programs)
        saved.programs.push_back({program->name, program->source});
    return saved;
}

Result<SettledRun> settle(const Lesson& lesson, const SavedRun& run) {
    SettledRun settled;
    // A lesson may have lost steps since; but a program's text is of its step.
    if (!run.programs.empty() && run.step >= static_cast<int>(lesson.steps.size()))
        return Error{fmt::format("its programs belong to step {}, and the lesson has {}", run.step + 1,
                                 lesson.steps.size())};
    settled.step = std::clamp(run.step, 0, std::max(0, static_cast<int>(lesson.steps.size()) - 1));
    settled.seed = run.seed;
    settled.interventions = run.interventions;
    settled.visits = run.visits;
    std::vector<KnobSetting> given;
    for (const TraceKnob& text : run.knobs) {
        const Knob* knob = lesson.knob(text.name);
        if (knob == nullptr) { // makeScenario() names the knobs there are
            given.push_back({text.name, text.value});
            continue;
        }
        Result<KnobValue> value = parseKnobValue(*knob, text.value);
        if (!value) return value.error();
        given.push_back({text.name, std::move(*value)});
    }
    settled.knobs = std::move(given);
    const Step& step = lesson.steps[static_cast<std::size_t>(settled.step)];
    for (const ProgramText& text : run.programs)
        settled.programs = programNamed(lesson, text.name) != nullptr
                               ? withText(lesson, step, std::move(settled.programs), text.name, text.source)
                               // makeScenario() names the programs there are
                               : Programs{std::make_shared<const Program>(Program{text.name, {}, {}, 1})};
    const Result<Scenario> scenario = makeScenario(lesson, settled);
    if (!scenario) return scenario.error();
    if (const Result<void> valid = validate(*scenario); !valid) return valid.error();
    settled.knobs = scenario->knobs;
    return settled;
}

} // namespace lockscope
