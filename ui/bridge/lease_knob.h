// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "ui/bridge/lesson_model.h"

namespace lockscope::ui {

/// The knob that a lease has its length from.
struct LeaseKnob {
    std::string name;
    Instant from{}; ///< when the deadline was put that the lease ended by, or will
    Duration length{0};
    Duration least{0};
    Duration most{0};
};

/// The knob of the lesson that says how long this grant's lease is: a duration that stands at just that
/// length, one called `ttl` before others. None if the lease ended early, has no deadline, or no knob fits.
std::optional<LeaseKnob> leaseKnobOf(const LessonModel& lesson, const Run& run, int grant);

/// The grant whose lease ended with this event, or -1.
int leaseEndedBy(const Run& run, int event);

} // namespace lockscope::ui
