// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys. Every mouse action has a key: see the table in README.md.
#include <QTextDocument>
#include <QToolTip>

#include <cmath>

#include "ui/timeline/canvas.h"
#include "ui/timeline/descriptions.h"
#include "ui/timeline/gestures.h"

namespace lockscope::ui {

namespace {

constexpr double kKeyZoom = 0.8;
constexpr double kKeyPan = 0.15;    ///< of the width
constexpr double kWheelZoom = 0.85; ///< for one notch
constexpr double kNotch = 120;      ///< eighths of a degree

} // namespace

bool TimelineCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Hit hit = m_data ? hitTest(scene(), help->pos()) : Hit{};
        const QString text = m_data ? say(hit) : QString();
        if (text.isEmpty())
            QToolTip::hideText();
        else
            // Only rich text wraps.
            QToolTip::showText(help->globalPos(), Qt::convertFromPlainText(text), this);
        return true;
    }
    // With the focus here the keys of the timeline come before the window's shortcuts; and while a gesture
    // has the run in its hand, no shortcut may change it.
    if (event->type() == QEvent::ShortcutOverride &&
        (m_gesture || handles(*static_cast<QKeyEvent*>(event)))) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::ScreenChangeInternal) applyLook();
    return QCustomPlot::event(event);
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    applyLook();
}

void TimelineCanvas::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    if (bufferDevicePixelRatio() != devicePixelRatioF()) applyLook();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (!m_data || m_gesture) return;
    m_camera.stop();
    if (m_spaceHeld) m_spaceUsed = true;
    m_gesture = beginGesture(*this, hitTest(scene(), event->position()), *event, m_spaceHeld);
    m_gestureButton = event->button();
    if (m_gesture) setCursor(m_gesture->cursor());
    event->accept();
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_gesture) {
        // The release can be lost, to a dialog of the desktop for one.
        if (m_gestureButton != Qt::NoButton && !(event->buttons() & m_gestureButton))
            cancelGesture();
        else
            m_gesture->move(event->position(), event->modifiers());
        return;
    }
    if (!m_data) return;
    const Hit hit = hitTest(scene(), event->position());
    setHover(hit);
    setCursor(cursorOver(*this, hit, event->position()));
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_gesture || event->button() != m_gestureButton) return;
    // A gesture may start another view of things; it is over before it says so.
    const std::unique_ptr<Gesture> gesture = std::move(m_gesture);
    gesture->release(event->position());
    unsetCursor();
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) fit();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    if (!m_data) return;
    event->accept();
    const QPoint turn = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier || std::abs(turn.x()) > std::abs(turn.y())) {
        const int way = turn.x() != 0 ? turn.x() : turn.y();
        panBy(-way / kNotch * width() * kKeyPan / 2);
        return;
    }
    zoom(std::pow(kWheelZoom, turn.y() / kNotch), event->position().x());
}

void TimelineCanvas::leaveEvent(QEvent* event) {
    setHover({});
    QCustomPlot::leaveEvent(event);
}

bool TimelineCanvas::handles(const QKeyEvent& event) const {
    const bool bare = (event.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const bool plain = (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        return bare || event.modifiers() == Qt::ControlModifier;
    case Qt::Key_Escape:
        return m_gesture != nullptr || m_reading || m_camera.state() == QAbstractAnimation::Running;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_F:
    case Qt::Key_L:
        return bare;
    case Qt::Key_Space:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus:
    case Qt::Key_0:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Menu:
        return plain;
    case Qt::Key_W:
        return plain && m_stripReader != nullptr;
    default:
        return false;
    }
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_gesture && event->key() != Qt::Key_Escape) return event->accept();
    if (!handles(*event)) {
        // Not the plot's own: it has none, and the window may want the key.
        event->ignore();
        return;
    }
    event->accept();
    const bool control = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int direction = event->key() == Qt::Key_Left ? -1 : 1;
        if (control)
            panBy(direction * width() * kKeyPan);
        else
            emit stepWanted(direction);
        break;
    }
    case Qt::Key_Escape:
        m_camera.stop();
        stopReading();
        cancelGesture();
        break;
    case Qt::Key_Space:
        if (event->isAutoRepeat()) break;
        m_spaceHeld = true;
        m_spaceUsed = false;
        break;
    case Qt::Key_Up:
        setFocusBand(m_focusBand - 1);
        break;
    case Qt::Key_Down:
        setFocusBand(m_focusBand + 1);
        break;
    case Qt::Key_Home:
        emit endWanted(-1);
        break;
    case Qt::Key_End:
        emit endWanted(1);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomByKey(kKeyZoom);
        break;
    case Qt::Key_Minus:
        zoomByKey(1 / kKeyZoom);
        break;
    case Qt::Key_0:
    case Qt::Key_F:
        fit();
        break;
    case Qt::Key_W:
        event->modifiers() & Qt::ShiftModifier ? toStripBorder() : readStrip();
        break;
    case Qt::Key_L:
        emit legendWanted();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        selectAtPlayhead();
        break;
    case Qt::Key_Menu:
        menuAtPlayhead();
        break;
    default:
        break;
    }
}

void TimelineCanvas::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space || event->isAutoRepeat()) {
        QCustomPlot::keyReleaseEvent(event);
        return;
    }
    const bool play = m_spaceHeld && !m_spaceUsed;
    m_spaceHeld = false;
    if (play) emit playWanted();
}

void TimelineCanvas::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    announce();
    repaintMoving();
    emit focusBandMoved();
}

void TimelineCanvas::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    m_spaceHeld = false;
    if (m_gestureButton != Qt::NoButton) cancelGesture();
    repaintMoving();
    emit focusBandMoved();
}

void TimelineCanvas::hideEvent(QHideEvent* event) {
    cancelGesture();
    QCustomPlot::hideEvent(event);
}

void TimelineCanvas::menuAtPlayhead() {
    if (!m_data || m_gesture || m_layout.bands().empty()) return;
    const Band& band = m_layout.bands()[static_cast<std::size_t>(m_focusBand)];
    if (band.kind != BandKind::Actor && band.kind != BandKind::Key) return;
    const Scene now = scene();
    const double x = std::clamp<double>(now.scale.x(m_playhead), 0, width());
    emit menuWanted(m_focusBand, pickedFault(), m_playhead,
                    mapToGlobal(QPointF(x, now.y(band.top + band.height / 2))).toPoint());
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) {
    event->accept();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        menuAtPlayhead();
        return;
    }
    if (!m_data || m_gesture || event->pos().y() < m_rulerHeight) return;
    const Hit hit = hitTest(scene(), event->pos());
    if (hit.what == Hit::What::Veil || hit.band < 0) return;
    const Band& band = m_layout.bands()[static_cast<std::size_t>(hit.band)];
    if (band.kind != BandKind::Actor && band.kind != BandKind::Key) return;
    setFocusBand(hit.band);
    emit menuWanted(hit.band, holdAt(scene(), event->pos(), pickedFault()).fault, hit.at, event->globalPos());
}

} // namespace lockscope::ui
