// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/ruler.h"

#include <algorithm>
#include <cmath>

#include "ui/timeline/time_text.h"

namespace lockscope::ui {

double niceStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

namespace {

/// Closer ticks than this would be a grey field.
constexpr double kLeastTickPixels = 12;
/// So many labels go into a cell.
constexpr double kCellLabels = 4;

/// Where a second has no one length, ticks stand at the instants that something happens at. Which of them
/// are labelled depends on their place on the axis and not on what is in sight, so that labels do not jump
/// while the view moves: the axis is cut into cells, and each labels from its left edge on, and none so near
/// its right edge that the next cell's could be touched.
std::vector<RulerTick> bendTicks(const TimeMap& map, AxisRange range, double pixels, double labelPixels) {
    std::vector<RulerTick> ticks;
    const double label = range.size() * labelPixels / pixels;
    const double cell = std::exp2(std::ceil(std::log2(kCellLabels * label)));
    const double least = range.size() * kLeastTickPixels / pixels;
    const std::vector<Instant>& bends = map.bends();
    double cellBegin = std::floor(range.from / cell) * cell;
    double free = cellBegin; // where the next label may stand
    double freeTick = cellBegin;
    const auto first = std::lower_bound(bends.begin(), bends.end(), map.toTime(std::max(0.0, cellBegin)));
    for (auto bend = first; bend != bends.end();) {
        const double axis = map.toAxis(*bend);
        if (axis > range.until) break;
        while (axis >= cellBegin + cell)
            free = freeTick = cellBegin += cell;
        const bool labelled = axis >= free && axis <= cellBegin + cell - label;
        if (labelled) free = axis + label;
        if (axis >= range.from && (labelled || axis >= freeTick)) {
            ticks.push_back({axis, labelled ? instantText(*bend) : QString()});
            freeTick = axis + least;
        }
        // Leap over what no tick can stand at.
        const double next = std::min(std::min(free, std::max(freeTick, axis)), cellBegin + cell);
        bend = next <= axis ? bend + 1 : std::lower_bound(bend + 1, bends.end(), map.toTime(next));
    }
    return ticks;
}

} // namespace

std::vector<RulerTick> rulerTicks(const TimeMap& map, AxisRange range, double pixels, double labelPixels) {
    std::vector<RulerTick> ticks;
    if (range.size() <= 0 || pixels <= 0) return ticks;
    if (!map.bends().empty()) return bendTicks(map, range, pixels, labelPixels);
    const double step = std::max(1e-6, niceStep(range.size() * labelPixels / pixels));
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
    const double first = std::max(0.0, std::ceil(range.from / step));
    for (double i = first; i * step <= range.until; ++i)
        ticks.push_back({i * step, instantText(map.toTime(i * step), decimals)});
    return ticks;
}

void TimeTicker::setRoom(double pixels, double labelPixels) {
    m_pixels = pixels;
    m_labelPixels = labelPixels;
}

void TimeTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                          QVector<double>* subTicks, QVector<QString>* tickLabels) {
    const std::vector<RulerTick> made =
        rulerTicks(*m_map, {range.lower, range.upper}, m_pixels, m_labelPixels);
    ticks.clear();
    if (subTicks != nullptr) subTicks->clear();
    if (tickLabels != nullptr) tickLabels->clear();
    for (const RulerTick& tick : made) {
        ticks.push_back(tick.axis);
        if (tickLabels != nullptr) tickLabels->push_back(tick.label);
    }
    if (subTicks == nullptr || made.size() < 2 || !m_map->bends().empty()) return;
    const double step = made[1].axis - made[0].axis;
    for (double at = made.front().axis - step / 2; at < range.upper; at += step)
        if (at >= range.lower && at >= 0) subTicks->push_back(at);
}

} // namespace lockscope::ui
