// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSignalSpy>

#include "tests/ui/on_canvas.h"
#include "tests/ui/window_fixture.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::test {

/// A hand on the timeline of the real window: it presses, moves and lets go where instants and lanes are.
class Hand {
public:
    explicit Hand(const QString& lesson = QStringLiteral("expiry"), int step = 0) : window(lesson) {
        window.lesson().goTo(step);
        window.lesson().liftVeil();
        window.run().pause();
        canvas().fit();
        canvas().setFocus();
        WindowUnderTest::settle();
    }

    ui::TimelineCanvas& canvas() { return window->findChild<ui::TimelineView*>()->canvas(); }
    const std::vector<Intervention>& faults() { return window.lesson().interventions(); }
    const ui::Run& run() { return *window.run().run(); }
    QString said() { return window.text(QStringLiteral("toastText")); }
    QUndoStack& history() { return window.lesson().history(); }
    double seconds(Instant instant) { return secondsOf(instant); }
    /// Seconds to a pixel.
    double pixel() { return canvas().view().size() / canvas().width(); }

    QPointF point(Instant instant, double layoutY) {
        const ui::Scene scene = canvas().scene();
        return {scene.scale.x(instant), scene.y(layoutY)};
    }
    const ui::Band& band(ui::BandKind kind, int index = 0) { return bandOf(canvas(), kind, index); }
    QPointF onDoes(int actor, double second) {
        return point(at(second), band(ui::BandKind::Actor, actor).doesMiddle(0));
    }
    QPointF onRedis(Instant instant) {
        const ui::Band& redis = band(ui::BandKind::Key);
        return point(instant, redis.top + redis.height / 2);
    }
    QPointF onFlag(Instant instant) {
        return {canvas().scene().scale.x(instant) + 4, canvas().rulerHeight() - 6.0};
    }

    void press(QPointF pos, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers keys = {}) {
        m_button = button;
        sendMouse(canvas(), QEvent::MouseButtonPress, pos, button, button, keys);
    }
    void move(QPointF pos, Qt::KeyboardModifiers keys = {}) { moveMouse(canvas(), pos, m_button, keys); }
    void release(QPointF pos) {
        sendMouse(canvas(), QEvent::MouseButtonRelease, pos, m_button, Qt::NoButton);
    }
    /// Presses, moves there in five steps, and lets go.
    void drag(QPointF from, QPointF to, Qt::KeyboardModifiers keys = {}) {
        press(from, Qt::LeftButton, keys);
        for (int i = 1; i <= 5; ++i)
            move(from + (to - from) * i / 5, keys);
        release(to);
        WindowUnderTest::settle();
    }
    void moveWithoutButton(QPointF pos) { moveMouse(canvas(), pos); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&canvas(), key, modifiers);
        WindowUnderTest::settle();
    }
    void undo() { key(Qt::Key_Z, Qt::ControlModifier); }
    void redo() { key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); }
    QString undoText() { return history().undoText(); }

    /// Everything that decides the run, and the run itself, as one text.
    QString whole() {
        QString text = window.lesson().commandLine();
        for (const Event& event : run().trace->events)
            text += QStringLiteral(" %1:%2").arg(micros(event.at)).arg(static_cast<int>(event.kind));
        return text;
    }

    WindowUnderTest window;

private:
    Qt::MouseButton m_button = Qt::LeftButton;
};

} // namespace lockscope::test
