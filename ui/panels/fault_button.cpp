// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/fault_button.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include "ui/bridge/fault_words.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/icons.h"

namespace lockscope::ui {

FaultButton::FaultButton(InterventionKind kind, const Look& look, QWidget* parent)
    : QToolButton(parent), m_kind(kind), m_look(look) {
    setObjectName(QStringLiteral("%1Button").arg(qstr(infoOf(kind).id)));
    setText(faultName(kind));
    setAccessibleName(faultName(kind));
    setAccessibleDescription(faultHelp(kind));
    setIcon(faultIcon(look, kind));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setFocusPolicy(Qt::TabFocus);
}

void FaultButton::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) m_pressed = event->pos();
    QToolButton::mousePressEvent(event);
}

void FaultButton::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) {
        endCarry(); // the release was lost
        return;
    }
    if (!m_carrying) {
        if ((event->pos() - m_pressed).manhattanLength() < m_look.px(6)) return;
        m_carrying = true;
        setDown(false);
        setCursor(Qt::DragCopyCursor);
        qApp->installEventFilter(this); // the keys go elsewhere, and one of them is Escape
        emit carryBegan();
    }
    emit carried(event->globalPosition().toPoint(), event->modifiers());
}

void FaultButton::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_carrying) return QToolButton::mouseReleaseEvent(event);
    m_carrying = false;
    qApp->removeEventFilter(this);
    unsetCursor();
    emit dropped();
}

/// While something hangs on the mouse keys do nothing, but Escape puts it back.
bool FaultButton::eventFilter(QObject* watched, QEvent* event) {
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!key || !watched->isWidgetType()) return false;
    event->accept();
    if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) endCarry();
    return true;
}

void FaultButton::hideEvent(QHideEvent* event) {
    endCarry();
    QToolButton::hideEvent(event);
}

bool FaultButton::event(QEvent* event) {
    if (event->type() == QEvent::WindowDeactivate) endCarry();
    return QToolButton::event(event);
}

void FaultButton::endCarry() {
    if (!m_carrying) return;
    m_carrying = false;
    qApp->removeEventFilter(this);
    unsetCursor();
    setDown(false);
    emit carryEnded();
}

} // namespace lockscope::ui
