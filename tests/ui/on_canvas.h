// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QMouseEvent>

#include <cmath>

#include "ui/timeline/canvas.h"

namespace lockscope::test {

inline Instant at(double seconds) {
    return instantAt(Duration{std::llround(seconds * 1e6)});
}

inline double secondsOf(Instant at) {
    return static_cast<double>(micros(at)) / 1e6;
}

/// A lane of the timeline; the test ends if there is none.
inline const ui::Band& bandOf(const ui::TimelineCanvas& canvas, ui::BandKind kind, int index = 0) {
    for (const ui::Band& each : canvas.lanes().bands())
        if (each.kind == kind && each.index == index) return each;
    qFatal("no such band");
}

/// One mouse event as Qt would send it.
inline void sendMouse(QWidget& to, QEvent::Type type, const QPointF& pos, Qt::MouseButton button,
                      Qt::MouseButtons held, Qt::KeyboardModifiers keys = {}) {
    QMouseEvent event(type, pos, to.mapToGlobal(pos), button, held, keys);
    QApplication::sendEvent(&to, &event);
}

inline void moveMouse(QWidget& over, const QPointF& pos, Qt::MouseButtons held = Qt::NoButton,
                      Qt::KeyboardModifiers keys = {}) {
    sendMouse(over, QEvent::MouseMove, pos, Qt::NoButton, held, keys);
}

} // namespace lockscope::test
