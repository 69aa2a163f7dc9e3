// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/gestures.h"

#include "ui/bridge/fault_desk.h"
#include "ui/timeline/canvas.h"

namespace lockscope::ui {

namespace {

class Scrub final : public Gesture {
public:
    Scrub(TimelineCanvas& canvas, const QPointF& pos) : m_canvas(canvas), m_before(canvas.playhead()) {
        m_canvas.scrubTo(pos.x());
    }
    void move(const QPointF& pos, Qt::KeyboardModifiers) override { m_canvas.scrubTo(pos.x()); }
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
    void move(const QPointF& pos, Qt::KeyboardModifiers) override {
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
    void move(const QPointF& pos, Qt::KeyboardModifiers) override {
        m_moved = m_moved || leftThePress(m_canvas, m_pressed, pos);
    }
    void release(const QPointF&) override {
        if (!m_moved) m_canvas.clickAt(m_pressed);
    }
    void cancel() override { m_moved = true; }
    QCursor cursor() const override { return Qt::ArrowCursor; }

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
    void move(const QPointF& pos, Qt::KeyboardModifiers keys) override {
        m_moved = m_moved || leftThePress(m_canvas, m_pressed, pos);
        if (m_moved) m_pan.move(pos, keys);
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

/// The one message that a mark stands for, or kNone. Somebody outside has no network that could be disturbed.
RequestIndex messageAt(const TimelineCanvas& canvas, const Hit& hit) {
    if (hit.what != Hit::What::Request || hit.count != 1) return kNone;
    const Trace& trace = canvas.data()->trace();
    const ActorIndex actor = trace.requests[static_cast<std::size_t>(hit.index)].actor;
    return actor == kNone || trace.actors[static_cast<std::size_t>(actor)].outside ? kNone : hit.index;
}

} // namespace

bool leftThePress(const TimelineCanvas& canvas, const QPointF& pressed, const QPointF& pos) {
    return (pos - pressed).manhattanLength() >= canvas.style().px(4);
}

std::unique_ptr<Gesture> beginGesture(TimelineCanvas& canvas, const Hit& hit, const QMouseEvent& press,
                                      bool spaceHeld) {
    const QPointF pos = press.position();
    if (press.button() == Qt::MiddleButton || (press.button() == Qt::LeftButton && spaceHeld))
        return std::make_unique<Pan>(canvas, pos);
    if (press.button() != Qt::LeftButton) return nullptr;
    if (hit.what == Hit::What::Ruler) return std::make_unique<Scrub>(canvas, pos);
    if (hit.what == Hit::What::Violation || hit.what == Hit::What::Strip)
        return std::make_unique<Click>(canvas, pos);

    const bool editable = canvas.desk() != nullptr && canvas.desk()->usable();
    const BandKind kind =
        hit.band >= 0 ? canvas.lanes().bands()[static_cast<std::size_t>(hit.band)].kind : BandKind::Resource;
    if (editable && hit.what != Hit::What::Veil) {
        if (hit.what == Hit::What::Flag) return moveFault(canvas, pos, hit.index, true);
        if (const FaultHold hold = holdAt(canvas.scene(), pos, canvas.desk()->picked()); hold.any())
            return hold.part == FaultHold::Part::Whole ? moveFault(canvas, pos, hold.fault, false)
                                                       : resizeFault(canvas, pos, hold.fault, hold.part);
        if (const RequestIndex request = messageAt(canvas, hit); request != kNone)
            return dragMessage(canvas, pos, request);
        if (hit.what == Hit::What::KeyEvent)
            if (const int grant = leaseEndedBy(canvas.data()->run(), hit.index); grant >= 0)
                return dragLease(canvas, pos, grant);
        if (kind == BandKind::Actor)
            return drawPause(canvas, pos, canvas.actorOf(hit.band), press.modifiers() & Qt::AltModifier);
    }
    if (canvas.takesPausesAhead() && kind == BandKind::Actor && hit.what != Hit::What::Flag)
        return drawPauseAhead(canvas, pos, canvas.actorOf(hit.band), press.modifiers() & Qt::AltModifier);
    if (hit.what == Hit::What::Flag || kind == BandKind::Actor) return std::make_unique<Click>(canvas, pos);
    return std::make_unique<ClickOrPan>(canvas, pos);
}

QCursor cursorOver(const TimelineCanvas& canvas, const Hit& hit, const QPointF& pos) {
    if (hit.what == Hit::What::Ruler) return Qt::SizeHorCursor;
    if (hit.what == Hit::What::Veil) return Qt::ArrowCursor;
    if (canvas.desk() != nullptr && canvas.desk()->usable()) {
        const FaultHold hold = holdAt(canvas.scene(), pos, canvas.desk()->picked());
        if (hold.any()) return hold.part == FaultHold::Part::Whole ? Qt::OpenHandCursor : Qt::SizeHorCursor;
        if (hit.what == Hit::What::Flag || messageAt(canvas, hit) != kNone) return Qt::OpenHandCursor;
        if (hit.what == Hit::What::KeyEvent &&
            canvas.desk()->leaseKnob(leaseEndedBy(canvas.data()->run(), hit.index)))
            return Qt::SizeHorCursor;
    }
    const bool clickable =
        hit.what == Hit::What::Strip || selectionFor(canvas.scene(), hit).kind != Selection::Kind::None;
    return clickable ? Qt::PointingHandCursor : Qt::ArrowCursor;
}

} // namespace lockscope::ui
