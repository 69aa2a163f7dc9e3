// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/gestures.h"

#include <QApplication>

#include "ui/timeline/canvas.h"

namespace lockscope::ui {

namespace {

class Scrub final : public Gesture {
public:
    Scrub(TimelineCanvas& canvas, const QPointF& pos) : m_canvas(canvas), m_before(canvas.playhead()) {
        m_canvas.scrubTo(pos.x());
    }
    void move(const QPointF& pos) override { m_canvas.scrubTo(pos.x()); }
    void release(const QPointF&) override {}
    void cancel() override { emit m_canvas.playheadWanted(m_before); }
    QCursor cursor() const override { return Qt::SizeHorCursor; }

private:
    TimelineCanvas& m_canvas;
    Instant m_before;
};

class Pan final : public Gesture {
public:
    Pan(TimelineCanvas& canvas, const QPointF& pos)
        : m_canvas(canvas), m_last(pos), m_view(canvas.view()), m_scroll(canvas.scroll()) {}
    void move(const QPointF& pos) override {
        const QPointF way = pos - m_last;
        m_last = pos;
        m_canvas.panBy(-way.x());
        if (way.y() != 0) m_canvas.setScroll(m_canvas.scroll() - way.y());
    }
    void release(const QPointF&) override {}
    void cancel() override {
        m_canvas.setView(m_view);
        m_canvas.setScroll(m_scroll);
    }
    QCursor cursor() const override { return Qt::ClosedHandCursor; }

private:
    TimelineCanvas& m_canvas;
    QPointF m_last;
    AxisRange m_view;
    double m_scroll;
};

/// A click, unless the mouse goes away from where it was pressed.
class Click final : public Gesture {
public:
    Click(TimelineCanvas& canvas, const QPointF& pos) : m_canvas(canvas), m_pressed(pos) {}
    void move(const QPointF& pos) override { m_moved = m_moved || movedFrom(m_pressed, pos); }
    void release(const QPointF&) override {
        if (!m_moved) m_canvas.clickAt(m_pressed);
    }
    void cancel() override { m_moved = true; }
    QCursor cursor() const override { return Qt::ArrowCursor; }

    static bool movedFrom(const QPointF& pressed, const QPointF& pos) {
        return (pos - pressed).manhattanLength() >= QApplication::startDragDistance();
    }

private:
    TimelineCanvas& m_canvas;
    QPointF m_pressed;
    bool m_moved = false;
};

/// A click, or a pan once the mouse has moved: where a drag has no meaning of its own.
class ClickOrPan final : public Gesture {
public:
    ClickOrPan(TimelineCanvas& canvas, const QPointF& pos)
        : m_canvas(canvas), m_pressed(pos), m_pan(canvas, pos) {}
    void move(const QPointF& pos) override {
        m_moved = m_moved || Click::movedFrom(m_pressed, pos);
        if (m_moved) m_pan.move(pos);
    }
    void release(const QPointF&) override {
        if (!m_moved) m_canvas.clickAt(m_pressed);
    }
    void cancel() override {
        m_pan.cancel();
        m_moved = true;
    }
    QCursor cursor() const override { return m_pan.cursor(); }

private:
    TimelineCanvas& m_canvas;
    QPointF m_pressed;
    Pan m_pan;
    bool m_moved = false;
};

} // namespace

std::unique_ptr<Gesture> beginGesture(TimelineCanvas& canvas, const Hit& hit, const QMouseEvent& press,
                                      bool spaceHeld) {
    const QPointF pos = press.position();
    if (press.button() == Qt::MiddleButton || (press.button() == Qt::LeftButton && spaceHeld))
        return std::make_unique<Pan>(canvas, pos);
    if (press.button() != Qt::LeftButton) return nullptr;
    if (hit.what == Hit::What::Ruler) return std::make_unique<Scrub>(canvas, pos);
    if (hit.what == Hit::What::Flag || hit.what == Hit::What::Violation || hit.what == Hit::What::Strip)
        return std::make_unique<Click>(canvas, pos);
    const bool onActor =
        hit.band >= 0 && canvas.lanes().bands()[static_cast<std::size_t>(hit.band)].kind == BandKind::Actor;
    if (onActor) return std::make_unique<Click>(canvas, pos);
    return std::make_unique<ClickOrPan>(canvas, pos);
}

} // namespace lockscope::ui
