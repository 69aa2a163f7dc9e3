// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_scale.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {
// Half of what an int64 of microseconds holds: no sum of two such numbers overflows.
constexpr double kFarMicros = 4.0e18;
} // namespace

const std::vector<Instant>& TimeMap::bends() const {
    static const std::vector<Instant> none;
    return none;
}

double TrueTime::toAxis(Instant at) const {
    return static_cast<double>(micros(at)) / 1e6;
}

Instant TrueTime::toTime(double axis) const {
    const double us = std::clamp(axis * 1e6, -kFarMicros, kFarMicros);
    return instantAt(Duration{std::llround(us)});
}

AxisRange zoomedAt(AxisRange range, double anchor, double factor) {
    return {anchor - (anchor - range.from) * factor, anchor + (range.until - anchor) * factor};
}

AxisRange movedBy(AxisRange range, double by) {
    return {range.from + by, range.until + by};
}

AxisRange keptWithin(AxisRange range, AxisRange limits, double least) {
    const double size = std::clamp(range.size(), std::min(least, limits.size()), limits.size());
    if (size != range.size()) {
        const double middle = (range.from + range.until) / 2;
        range = {middle - size / 2, middle + size / 2};
    }
    if (range.from < limits.from) range = {limits.from, limits.from + size};
    if (range.until > limits.until) range = {limits.until - size, limits.until};
    return range;
}

AxisRange between(AxisRange a, AxisRange b, double t) {
    return {a.from + (b.from - a.from) * t, a.until + (b.until - a.until) * t};
}

double TimeScale::x(Instant at) const {
    const double x = m_left + (m_map->toAxis(at) - m_range.from) * m_pixelsPerUnit;
    return std::clamp(x, m_left - 10000.0, m_left + m_width + 10000.0);
}

Instant TimeScale::at(double x) const {
    return m_map->toTime(m_range.from + (x - m_left) / m_pixelsPerUnit);
}

int TimeScale::decimals(Instant at) const {
    const double unit = m_map->toAxis(at) + 1 / m_pixelsPerUnit;
    const auto pixel = static_cast<double>(micros(m_map->toTime(unit)) - micros(at)) / 1e6;
    if (pixel <= 0) return 6;
    return std::clamp(static_cast<int>(std::floor(-std::log10(pixel))), 1, 6);
}

} // namespace lockscope::ui
