// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/scenario_options.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "app/console.h"
#include "app/lesson_library.h"
#include "core/lesson/lesson.h"
#include "core/lesson/run_file.h"

namespace lockscope::app {

namespace {

Result<std::vector<KnobSetting>> readKnobs(const Lesson& lesson, const std::vector<std::string>& texts,
                                           bool live) {
    std::vector<std::string> names;
    for (const Knob& knob : lesson.knobs)
        names.push_back(knob.name);
    std::vector<KnobSetting> out;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const Knob* knob = lesson.knob(name);
        if (equals == std::string::npos || knob == nullptr)
            return Error{fmt::format("--set '{}': write KNOB=VALUE; knobs of {}: {}", text, lesson.id,
                                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
        const std::string_view given = std::string_view(text).substr(equals + 1);
        const Result<KnobValue> value =
            live ? parseLiveKnobValue(*knob, given) : parseKnobValue(*knob, given);
        if (!value) return Error{fmt::format("--set '{}': {}", text, value.error().message)};
        out.push_back({name, *value});
    }
    return out;
}

/// In order of their instants: in which order the flags stood does not matter.
Result<std::vector<Intervention>> readInterventions(const ScenarioOptions& options) {
    std::vector<Intervention> out;
    for (const std::string& text : options.interventions) {
        const Result<Intervention> parsed = parseIntervention(text);
        if (!parsed) return parsed.error();
        out.push_back(*parsed);
    }
    for (const InterventionShorthand& shorthand : interventionShorthands()) {
        const auto given = options.shorthands.find(shorthand.kind);
        if (given == options.shorthands.end()) continue;
        for (const std::string& text : given->second) {
            const Result<Intervention> parsed = parseIntervention(shorthand.kind, text);
            if (!parsed) return parsed.error();
            out.push_back(*parsed);
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Intervention& a, const Intervention& b) { return a.at < b.at; });
    return out;
}

Result<std::uint64_t> readSeed(const std::string& text, std::uint64_t otherwise) {
    if (text.empty()) return otherwise;
    std::uint64_t seed = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (problem != std::errc{} || stop != text.data() + text.size())
        return Error{
            fmt::format("--seed '{}': allowed: whole numbers from 0 to {}", text, ~std::uint64_t{0})};
    return seed;
}

/// What the flags are put over.
Result<RunOfLesson> readGround(const std::string& named) {
    if (!namesRunFile(named)) {
        Result<Lesson> lesson = findLesson(named);
        if (!lesson) return lesson.error();
        RunOfLesson ground{std::move(*lesson), {}};
        ground.run.seed = ground.lesson.base.seed;
        return ground;
    }
    const Result<RunFile> file = readRunFile(named);
    if (!file) return file.error();
    Result<Lesson> lesson = findLesson(file->lessonFile.empty() ? file->lesson : file->lessonFile);
    if (!lesson) return Error{lesson.error().text(), named};
    if (!file->lessonHash.empty() && file->lessonHash != lesson->contentHash)
        complain(named +
                 ": the lesson has changed since this run was saved; it is run on the lesson as it is now");
    Result<SettledRun> run = settle(*lesson, file->current);
    if (!run) return Error{run.error().message, named};
    return RunOfLesson{std::move(*lesson), std::move(*run)};
}

} // namespace

const std::vector<InterventionShorthand>& interventionShorthands() {
    static const std::vector<InterventionShorthand> all{
        {"--pause", InterventionKind::Pause, "'ACTOR@T+D'", "Freeze an actor's process at T for D"},
        {"--kill", InterventionKind::Kill, "'ACTOR@T'", "Kill an actor's process at T"},
        {"--restart", InterventionKind::Restart, "'ACTOR@T'", "Kill and start an actor's process at T"},
        {"--drop-reply", InterventionKind::LostReply, "'ACTOR@T'",
         "Lose the reply to the actor's next request at T"}};
    return all;
}

Result<RunOfLesson> readRun(const ScenarioOptions& options, bool live) {
    Result<RunOfLesson> ground = readGround(options.lesson);
    if (!ground) return ground.error();
    const Lesson* lesson = &ground->lesson;
    const Result<std::vector<KnobSetting>> knobs = readKnobs(*lesson, options.knobs, live);
    if (!knobs) return knobs.error();
    const Result<std::vector<Intervention>> interventions = readInterventions(options);
    if (!interventions) return interventions.error();
    const Result<std::uint64_t> seed = readSeed(options.seed, ground->run.seed);
    if (!seed) return seed.error();
    SettledRun& run = ground->run;
    run.seed = *seed;
    run.knobs.insert(run.knobs.end(), knobs->begin(), knobs->end()); // later ones win
    run.interventions.insert(run.interventions.end(), interventions->begin(), interventions->end());
    return ground;
}

Result<Scenario> readScenario(const ScenarioOptions& options, bool live) {
    const Result<RunOfLesson> named = readRun(options, live);
    if (!named) return named.error();
    const SettledRun& run = named->run;
    return live ? makeLiveScenario(named->lesson, run.knobs, run.interventions, run.seed, run.programs)
                : makeScenario(named->lesson, run);
}

} // namespace lockscope::app
