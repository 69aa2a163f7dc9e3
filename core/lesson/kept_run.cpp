// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/kept_run.h"

#include <algorithm>

#include "core/trace/phrases.h"

namespace lockscope {

namespace {

/// More parts than these are counted.
constexpr std::size_t kMostParts = 3;

std::string lengthIn(Duration d) {
    return d.count() % 1'000'000 == 0 ? fmt::format("{} s", d.count() / 1'000'000) : formatSecondsExact(d);
}

std::string valueIn(const KnobValue& value) {
    const auto* length = std::get_if<Duration>(&value);
    return length != nullptr ? lengthIn(*length) : formatKnobValue(value);
}

std::string partFor(const Intervention& intervention) {
    const InterventionKindInfo& kind = infoOf(intervention.kind);
    std::string part(kind.id);
    std::replace(part.begin(), part.end(), '-', ' ');
    if (!intervention.actor.empty()) part += " " + intervention.actor;
    if (kind.hasLength()) part += " " + lengthIn(intervention.length);
    return part;
}

} // namespace

std::string suggestedName(const Lesson& lesson, const KeptRun& run, const std::vector<std::string>& taken) {
    std::vector<std::string> parts;
    for (const KnobSetting& setting : run.knobs)
        if (const Knob* knob = lesson.knob(setting.name); knob != nullptr && knob->initial != setting.value)
            parts.push_back(setting.name + " " + valueIn(setting.value));
    for (const Intervention& intervention : run.interventions)
        parts.push_back(partFor(intervention));

    std::string name;
    for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i)
        name += (i > 0 ? ", " : "") + parts[i];
    if (parts.size() > kMostParts) name += say(" and {0} more", parts.size() - kMostParts);
    if (parts.empty()) name = translated("as the lesson begins");

    const auto isTaken = [&](const std::string& wanted) {
        return std::find(taken.begin(), taken.end(), wanted) != taken.end();
    };
    std::string free = name;
    for (int number = 2; isTaken(free); ++number)
        free = fmt::format("{} ({})", name, number);
    return free;
}

} // namespace lockscope
