// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/lease_knob.h"

namespace lockscope::ui {

std::optional<LeaseKnob> leaseKnobOf(const LessonModel& lesson, const Run& run, int grant) {
    if (lesson.lesson() == nullptr || grant < 0 || grant >= static_cast<int>(run.analysis.grants.size()))
        return std::nullopt;
    const Grant& granted = run.analysis.grants[static_cast<std::size_t>(grant)];
    const bool ranOut = granted.until == kNever || granted.end == EndReason::LeaseEnded;
    LeaseKnob found;
    bool any = false;
    for (const DeadlineStep& step : run.analysis.deadlines)
        if (step.grant == grant && step.changed) {
            any = step.deadline != kNever;
            found.from = step.at;
            // The server counts in whole milliseconds.
            found.length = any ? millis(millisFloor(step.deadline) - millisFloor(step.at)) : Duration{0};
        }
    if (!any || !ranOut) return std::nullopt;

    const Knob* chosen = nullptr;
    for (const Knob& knob : lesson.lesson()->knobs) {
        if (knob.kind != KnobKind::Time || lesson.knobValue(knob.name) != KnobValue(found.length)) continue;
        if (chosen == nullptr || knob.name == "ttl") chosen = &knob;
    }
    if (chosen == nullptr) return std::nullopt;
    found.name = chosen->name;
    found.least = std::get<Duration>(chosen->least);
    found.most = std::get<Duration>(chosen->most);
    return found;
}

int leaseEndedBy(const Run& run, int event) {
    if (event < 0 || event >= static_cast<int>(run.trace->events.size())) return -1;
    const Event& ended = run.trace->events[static_cast<std::size_t>(event)];
    if (ended.kind != EventKind::LeaseEnded) return -1;
    const auto& grants = run.analysis.grants;
    for (std::size_t i = 0; i < grants.size(); ++i)
        if (grants[i].key == ended.key && grants[i].node == ended.node && grants[i].until == ended.at &&
            grants[i].end == EndReason::LeaseEnded)
            return static_cast<int>(i);
    return -1;
}

} // namespace lockscope::ui
