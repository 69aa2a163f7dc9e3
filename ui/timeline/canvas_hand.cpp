// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is in the user's hand: the desk where it changes the run, the note beside it, and faults that are
// carried in from outside.
#include "ui/bridge/fault_desk.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/gestures.h"
#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

void TimelineCanvas::setDesk(FaultDesk& desk) {
    m_desk = &desk;
    connect(&desk, &FaultDesk::heldChanged, this, [this] {
        // Something else has ended the trial that a gesture works on: there is nothing left to release.
        if (m_desk->held() || !m_gesture) return;
        m_gesture.reset();
        hideHand();
        unsetCursor();
    });
}

ActorIndex TimelineCanvas::actorOf(int band) const {
    if (!m_data || band < 0) return kNone;
    const Band& b = m_layout.bands()[static_cast<std::size_t>(band)];
    return b.kind == BandKind::Actor ? m_data->lanes().actors[static_cast<std::size_t>(b.index)].actor
                                     : ActorIndex{kNone};
}

ActorIndex TimelineCanvas::actorNamed(const std::string& name) const {
    if (!m_data) return kNone;
    const std::vector<TraceActor>& actors = m_data->trace().actors;
    for (std::size_t i = 0; i < actors.size(); ++i)
        if (actors[i].name == name) return static_cast<ActorIndex>(i);
    return kNone;
}

void TimelineCanvas::showHand(const HandNote& note) {
    const bool seen = !note.text.isEmpty() || !m_hand.text.isEmpty();
    m_hand = note;
    if (seen) repaintMoving();
}

void TimelineCanvas::cancelGesture() {
    if (!m_gesture) return;
    const std::unique_ptr<Gesture> gesture = std::move(m_gesture);
    gesture->cancel();
    unsetCursor();
}

void TimelineCanvas::beginPlacing(const Intervention& fault) {
    if (!m_data || m_gesture || !isVisible() || m_desk == nullptr || !m_desk->usable()) return;
    m_camera.stop();
    m_gesture = placeFault(*this, fault);
    m_gestureButton = Qt::NoButton;
}

void TimelineCanvas::movePlacing(const QPoint& where, Qt::KeyboardModifiers keys) {
    if (m_gesture && m_gestureButton == Qt::NoButton) m_gesture->move(mapFromGlobal(QPointF(where)), keys);
}

void TimelineCanvas::endPlacing() {
    if (!m_gesture || m_gestureButton != Qt::NoButton) return;
    const std::unique_ptr<Gesture> gesture = std::move(m_gesture);
    gesture->release({});
}

/// The note stands above the pointer, where the hand does not cover it, and inside the canvas.
void TimelineCanvas::drawHand(QPainter& painter) {
    if (!m_data || m_hand.text.isEmpty()) return;
    const Scene now = scene();
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (m_hand.mark) {
        const double line = std::max(1, m_style.px(1));
        painter.fillRect(
            QRectF(std::round(now.scale.x(*m_hand.mark)), now.area.top(), line, now.area.height()),
            m_style.color(Role::Focus));
    }
    if (m_hand.stretch) {
        const HandStretch& drawn = *m_hand.stretch;
        if (const Band* band = m_layout.actorBand(drawn.actor)) {
            const double from = now.scale.x(drawn.from);
            paintAhead(PaintFrame{now, painter},
                       QRectF(from, now.y(band->top), now.scale.x(drawn.until) - from,
                              band->doesRow * band->doesRows));
        }
    }
    const double pad = m_style.px(8);
    const double wide = m_style.width(m_hand.text, TextFace::LaneBold) + 2 * pad;
    const double high = m_style.lineHeight(TextFace::LaneBold) + m_style.px(8);
    const double x = std::clamp(m_hand.at.x() - wide / 2, 0.0, std::max(0.0, width() - wide));
    double y = m_hand.at.y() - high - m_style.px(14);
    if (y < m_rulerHeight) y = m_hand.at.y() + m_style.px(24);
    const QRectF plate(std::round(x), std::round(std::clamp(y, 0.0, std::max(0.0, height() - high))),
                       std::ceil(wide), std::ceil(high));
    painter.fillRect(plate, m_style.color(m_hand.refused ? Role::Window : Role::Text));
    if (m_hand.refused) paintOutline(painter, plate, m_style.px(2), m_style.color(Role::Text));
    painter.setPen(m_style.color(m_hand.refused ? Role::Text : Role::Window));
    m_style.drawText(painter, plate.left() + pad, plate.center().y(), m_hand.text, TextFace::LaneBold);
}

} // namespace lockscope::ui
