// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include <algorithm>
#include <utility>
#include <vector>

namespace lockscope::ui {

/// The widest part of a stretch at a height that nothing stands on already, in pixels. What is taken comes
/// from left to right, as far as it lies at one height.
inline std::pair<double, double> widestFree(double from, double until, double y,
                                            const std::vector<QRectF>& taken) {
    std::pair<double, double> widest{from, from};
    const auto offer = [&](double begin, double end) {
        if (end - begin > widest.second - widest.first) widest = {begin, end};
    };
    double begin = from;
    for (const QRectF& each : taken) {
        if (y < each.top() || y > each.bottom() || each.right() <= begin) continue;
        offer(begin, std::min(until, each.left()));
        begin = each.right();
    }
    offer(begin, until);
    return widest;
}

} // namespace lockscope::ui
