// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/run_name.h"

#include <algorithm>

#include "core/trace/phrases.h"

namespace lockscope {

namespace {

/// More parts than these are counted.
constexpr std::size_t kMostParts = 3;

std::string lengthIn(Duration d) {
    return d.count() % 1'000'000 == 0 ? fmt::format("{} s", d.count() / 1'000'000) : formatSecondsExact(d);
}

std::string partFor(const Lesson& lesson, const TraceKnob& setting) {
    const Knob* knob = lesson.knob(setting.name);
    if (knob != nullptr && knob->kind == KnobKind::Time)
        if (const Result<Duration> length = parseDuration(setting.value))
            return setting.name + " " + lengthIn(*length);
    return setting.name + " " + setting.value;
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
    std::vector<std::string> parts;
    for (const TraceKnob& setting : run.knobs)
        parts.push_back(partFor(lesson, setting));
    for (const Intervention& intervention : run.interventions)
        parts.push_back(partFor(intervention));
    if (parts.empty()) return translated("as the lesson begins");
    std::string name;
    for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i)
        name += (i > 0 ? ", " : "") + parts[i];
    if (parts.size() > kMostParts) name += say(" and {0} more", parts.size() - kMostParts);
    return name;
}

std::string uniqueName(const std::string& wanted, const std::vector<std::string>& taken) {
    std::string free = wanted;
    for (int number = 2; std::find(taken.begin(), taken.end(), free) != taken.end(); ++number)
        free = fmt::format("{} ({})", wanted, number);
    return free;
}

} // namespace lockscope
