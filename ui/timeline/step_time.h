// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"
#include "ui/timeline/time_scale.h"

namespace lockscope::ui {

/// Step view: a lease of 30 s and a round trip of 1 ms can both be read. Every gap between two neighbouring
/// stops is at least one unit wide, and only a little wider if it is long; within a gap the axis is straight.
///
/// Invariants: those of TimeMap, for runs of up to an hour and a million stops. The axis begins at 0 with the
/// run, and goes on beyond both its ends at a unit a second.
class StepTime final : public TimeMap {
public:
    /// `stops`: the instants to tell apart, rising; equal ones and those beyond the horizon do not count.
    StepTime(const std::vector<Instant>& stops, Instant horizon);

    double toAxis(Instant at) const override;
    Instant toTime(double axis) const override;
    const std::vector<Instant>& bends() const override { return m_stops; }

    /// How many units a gap of this length gets: 1 up to a millisecond, half a unit more for every tenfold.
    static double widthOf(Duration gap);

private:
    std::vector<Instant> m_stops; ///< from 0 to the horizon, each once
    std::vector<double> m_axis;   ///< parallel
};

/// The instants to tell apart in a run: those at which anything happens, as far as it may be told of.
std::vector<Instant> stopsOf(const Trace& trace, Instant veil);

/// A gap drawn so much shorter than its neighbour's scale would have it that the axis is marked as broken.
struct TimeBreak {
    Instant from{};
    Instant until{};
    double axis = 0; ///< its middle
};
/// The breaks of a map within `range` whose gaps are at least `least` units wide: narrower ones have no room
/// for a mark.
std::vector<TimeBreak> breaksWithin(const TimeMap& map, AxisRange range, double least);

} // namespace lockscope::ui
