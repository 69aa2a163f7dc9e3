// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/growth_timer.h"

#include <QElapsedTimer>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

GrowthTimer::GrowthTimer(int millis, std::function<void()> grow) : m_millis(millis), m_grow(std::move(grow)) {
    setInterval(millis);
    setTimerType(Qt::PreciseTimer);
    connect(this, &QTimer::timeout, this, &GrowthTimer::tick);
}

/// A timer that is set anew begins anew, so it keeps its pace as long as that will do.
void GrowthTimer::tick() {
    QElapsedTimer cost;
    cost.start();
    m_grow();
    const int wanted = std::max(m_millis, static_cast<int>(2 * cost.elapsed()));
    if (isActive() && (wanted > interval() || wanted < interval() / 2)) setInterval(wanted);
}

} // namespace lockscope::ui
