// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/run_name.h"

#include <algorithm>

#include "core/lesson/run_file.h"
#include "core/trace/phrases.h"

namespace lockscope {

namespace {

/// More parts than these are counted.
constexpr std::size_t kMostParts = 3;

std::string lengthIn(Duration d) {
    return d.count() % 1'000'000 == 0 ? fmt::format("{} s", d.count() / 1'000'000) : formatSecondsExact(d);
}

std::string partFor(const Knob& knob, const std::string& value) {
    if (knob.kind == KnobKind::Time)
        if (const Result<Duration> length = parseDuration(value)) return knob.name + " " + lengthIn(*length);
    return knob.name + " " + value;
}

/// A knob's value as it is stored; those that are not, are the lesson's.
std::string valueOf(const Knob& knob, const std::vector<TraceKnob>& stored) {
    for (const TraceKnob& each : stored)
        if (each.name == knob.name) return each.value;
    return formatKnobValue(knob.initial);
}

std::string partFor(const Intervention& intervention) {
    const InterventionKindInfo& kind = infoOf(intervention.kind);
    std::string part(kind.id);
    std::replace(part.begin(), part.end(), '-', ' ');
    if (!intervention.actor.empty()) part += " " + intervention.actor;
    if (intervention.length.count() != 0) part += " " + lengthIn(intervention.length);
    return part;
}

} // namespace

std::string suggestedName(const Lesson& lesson, const SavedRun& run) {
    SettledRun written;
    if (run.step >= 0 && static_cast<std::size_t>(run.step) < lesson.steps.size()) {
        const Step& step = lesson.steps[static_cast<std::size_t>(run.step)];
        written.knobs = step.knobs;
        written.interventions = step.interventions;
        written.programs = step.programs;
    }
    const SavedRun asWritten = saveRun(lesson, written, {});
    std::vector<std::string> parts;
    for (const Knob& knob : lesson.knobs)
        if (const std::string value = valueOf(knob, run.knobs); value != valueOf(knob, asWritten.knobs))
            parts.push_back(partFor(knob, value));
    for (const Intervention& intervention : run.interventions)
        if (std::find(asWritten.interventions.begin(), asWritten.interventions.end(), intervention) ==
            asWritten.interventions.end())
            parts.push_back(partFor(intervention));
    if (run.programs != asWritten.programs) parts.push_back(translated("edited program"));
    if (parts.empty()) return translated("as the step begins");
    std::string name;
    for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i)
        name += (i > 0 ? ", " : "") + parts[i];
    if (parts.size() > kMostParts) name += say(" and {0} more", parts.size() - kMostParts);
    return name;
}

Result<void> checkKept(std::string_view name, std::size_t others) {
    if (name.size() > kLongestNote) return Error{say("a name may have {0} bytes at most", kLongestNote)};
    if (others >= kMostInRunFile)
        return Error{say("{0} runs are kept already, and more than that cannot be", others)};
    return {};
}

std::string uniqueName(const std::string& wanted, const std::vector<std::string>& taken) {
    std::string free = wanted;
    for (int number = 2; std::find(taken.begin(), taken.end(), free) != taken.end(); ++number)
        free = fmt::format("{} ({})", wanted, number);
    return free;
}

} // namespace lockscope
