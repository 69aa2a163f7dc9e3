// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/step_time.h"

#include <algorithm>
#include <cmath>

#include "core/base/assert.h"

namespace lockscope::ui {

namespace {

constexpr double kPerTenfold = 0.5;
/// A gap whose scale is that many times smaller than its neighbour's is a break.
constexpr double kBreakRatio = 10;
const TrueTime kOutside; ///< beyond the run's ends

} // namespace

double StepTime::widthOf(Duration gap) {
    const double inMillis = static_cast<double>(gap.count()) / 1000;
    return 1 + kPerTenfold * std::log10(std::max(1.0, inMillis));
}

StepTime::StepTime(const std::vector<Instant>& stops, Instant horizon) {
    LOCKSCOPE_ASSERT(horizon > Instant{});
    m_stops.reserve(stops.size() + 2);
    m_stops.push_back(Instant{});
    for (const Instant at : stops)
        if (at > m_stops.back() && at < horizon) m_stops.push_back(at);
    m_stops.push_back(horizon);
    m_axis.reserve(m_stops.size());
    m_axis.push_back(0);
    for (std::size_t i = 1; i < m_stops.size(); ++i)
        m_axis.push_back(m_axis.back() + widthOf(m_stops[i] - m_stops[i - 1]));
}

double StepTime::toAxis(Instant at) const {
    if (at < m_stops.front()) return kOutside.toAxis(at);
    if (at >= m_stops.back()) return m_axis.back() + kOutside.toAxis(at) - kOutside.toAxis(m_stops.back());
    const auto next = std::upper_bound(m_stops.begin(), m_stops.end(), at);
    const auto i = static_cast<std::size_t>(next - m_stops.begin());
    const double part = static_cast<double>((at - m_stops[i - 1]).count()) /
                        static_cast<double>((m_stops[i] - m_stops[i - 1]).count());
    return m_axis[i - 1] + part * (m_axis[i] - m_axis[i - 1]);
}

Instant StepTime::toTime(double axis) const {
    if (axis < 0) return kOutside.toTime(axis);
    if (axis >= m_axis.back())
        return m_stops.back() + kOutside.toTime(axis - m_axis.back()).time_since_epoch();
    const auto next = std::upper_bound(m_axis.begin(), m_axis.end(), axis);
    const auto i = static_cast<std::size_t>(next - m_axis.begin());
    const double part = (axis - m_axis[i - 1]) / (m_axis[i] - m_axis[i - 1]);
    return m_stops[i - 1] +
           Duration{std::llround(part * static_cast<double>((m_stops[i] - m_stops[i - 1]).count()))};
}

std::vector<Instant> stopsOf(const Trace& trace, Instant veil) {
    std::vector<Instant> stops;
    for (const Event& event : trace.events) {
        if (event.at > veil) break;
        if (stops.empty() || stops.back() != event.at) stops.push_back(event.at);
    }
    // What is veiled is one gap: how much happens there is not told.
    if (veil < trace.horizon && (stops.empty() || stops.back() != veil)) stops.push_back(veil);
    return stops;
}

std::vector<TimeBreak> breaksWithin(const TimeMap& map, AxisRange range, double least) {
    std::vector<TimeBreak> breaks;
    const std::vector<Instant>& stops = map.bends();
    if (stops.size() < 3) return breaks;
    // No gap is wider than one that lasts for the whole run: seen from afar, none has room.
    if (least > StepTime::widthOf(stops.back() - stops.front())) return breaks;
    const auto length = [&](std::size_t gap) { // in time for a unit of the axis
        return static_cast<double>((stops[gap + 1] - stops[gap]).count()) /
               (map.toAxis(stops[gap + 1]) - map.toAxis(stops[gap]));
    };
    const auto after = std::upper_bound(stops.begin(), stops.end(), map.toTime(range.from));
    std::size_t gap = after == stops.begin() ? 0 : static_cast<std::size_t>(after - stops.begin()) - 1;
    for (; gap + 1 < stops.size(); ++gap) {
        const double begin = map.toAxis(stops[gap]);
        const double end = map.toAxis(stops[gap + 1]);
        if (begin > range.until) break;
        if (end - begin < least) continue;
        const double here = length(gap);
        const bool broken = (gap > 0 && here >= kBreakRatio * length(gap - 1)) ||
                            (gap + 2 < stops.size() && here >= kBreakRatio * length(gap + 1));
        if (broken) breaks.push_back({stops[gap], stops[gap + 1], (begin + end) / 2});
    }
    return breaks;
}

} // namespace lockscope::ui
