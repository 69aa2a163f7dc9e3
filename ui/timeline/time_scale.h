// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/time.h"

namespace lockscope::ui {

/// Where an instant lies on the axis. Axis units are whatever the map says; everything that draws asks the
/// map and never assumes that a second has one length everywhere.
///
/// Invariants: toAxis() rises strictly on [0, horizon], and toTime(toAxis(t)) == t to the microsecond.
class TimeMap {
public:
    virtual ~TimeMap() = default;
    virtual double toAxis(Instant at) const = 0;
    virtual Instant toTime(double axis) const = 0;
    /// The instants at which its scale changes, rising, each once; between two of them it is straight. None
    /// if a second has one length everywhere.
    virtual const std::vector<Instant>& bends() const;
};

/// One axis unit is one second, all along.
class TrueTime final : public TimeMap {
public:
    double toAxis(Instant at) const override;
    Instant toTime(double axis) const override;
};

/// A stretch of the axis, in axis units.
struct AxisRange {
    double from = 0;
    double until = 1;

    double size() const { return until - from; }
    bool operator==(const AxisRange&) const = default;
};

/// `factor` < 1 shows less; what lies at `anchor` stays where it is.
AxisRange zoomedAt(AxisRange range, double anchor, double factor);
AxisRange movedBy(AxisRange range, double by);
/// The nearest range that is no longer than `limits`, no shorter than `least` and lies within `limits`.
AxisRange keptWithin(AxisRange range, AxisRange limits, double least);
/// On the way from one range to another; `t` from 0 to 1.
AxisRange between(AxisRange a, AxisRange b, double t);

/// Time to pixels and back, for one frame. Pixels are device-independent and count from the canvas' left
/// edge.
class TimeScale {
public:
    TimeScale(const TimeMap& map, AxisRange range, double left, double width)
        : m_map(&map), m_range(range), m_left(left), m_width(width), m_pixelsPerUnit(width / range.size()) {}

    /// Instants far outside the picture come back just far outside, so that painters need not clamp.
    double x(Instant at) const;
    Instant at(double x) const;
    double left() const { return m_left; }
    double right() const { return m_left + m_width; }
    double width() const { return m_width; }
    AxisRange range() const { return m_range; }
    /// The visible stretch of the run.
    Instant from() const { return m_map->toTime(m_range.from); }
    Instant until() const { return m_map->toTime(m_range.until); }
    const TimeMap& map() const { return *m_map; }
    /// Digits after the point for an instant, 1 to 6: as many as pixels can tell apart there.
    int decimals(Instant at) const;

private:
    const TimeMap* m_map;
    AxisRange m_range;
    double m_left;
    double m_width;
    double m_pixelsPerUnit;
};

} // namespace lockscope::ui
