// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <functional>

namespace lockscope::ui {

/// Lets the picture of a run that goes on grow, again and again. Half of the time at the most: the other half
/// is for hands, for painting and for clients.
class GrowthTimer : public QTimer {
    Q_OBJECT
public:
    /// `millis`: between two frames, as long as one costs less than half of that.
    GrowthTimer(int millis, std::function<void()> grow);

private:
    void tick();

    int m_millis;
    std::function<void()> m_grow;
};

} // namespace lockscope::ui
