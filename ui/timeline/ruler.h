// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <qcustomplot.h>

#include <vector>

#include "ui/timeline/time_scale.h"

namespace lockscope::ui {

struct RulerTick {
    double axis = 0;
    QString label; ///< empty where there is no room for it
};

/// The ticks of a ruler that is `pixels` wide, with labels no closer than `labelPixels` from middle to
/// middle. Only what is in `range` is looked at. Labels are true times.
std::vector<RulerTick> rulerTicks(const TimeMap& map, AxisRange range, double pixels, double labelPixels);

/// The smallest of 1, 2, 5, 10, 20 … (also below 1) that is at least `least`.
double niceStep(double least);

/// Hands rulerTicks() to the axis.
class TimeTicker : public QCPAxisTicker {
public:
    explicit TimeTicker(const TimeMap& map) : m_map(&map) {}
    void setMap(const TimeMap& map) { m_map = &map; }
    void setRoom(double pixels, double labelPixels);
    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision,
                  QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* tickLabels) override;

private:
    const TimeMap* m_map;
    double m_pixels = 600;
    double m_labelPixels = 80;
};

} // namespace lockscope::ui
