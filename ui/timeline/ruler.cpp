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

std::vector<RulerTick> rulerTicks(const TimeMap& map, AxisRange range, double pixels, double labelPixels) {
    std::vector<RulerTick> ticks;
    if (range.size() <= 0 || pixels <= 0) return ticks;
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
    if (subTicks == nullptr || made.size() < 2) return;
    const double step = made[1].axis - made[0].axis;
    for (double at = made.front().axis - step / 2; at < range.upper; at += step)
        if (at >= range.lower && at >= 0) subTicks->push_back(at);
}

} // namespace lockscope::ui
