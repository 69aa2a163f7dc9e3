// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/focus_ring.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

#include "ui/look.h"

namespace lockscope::ui {

namespace {

/// What the ancestors leave of a widget, in the window's coordinates; visibleRegion() would take its children
/// off too.
QRect partInSight(const QWidget& widget) {
    QRect rest = widget.rect();
    for (const QWidget* w = &widget; !w->isWindow(); w = w->parentWidget())
        rest = rest.translated(w->pos()).intersected(w->parentWidget()->rect());
    return rest;
}

} // namespace

FocusRing::FocusRing(Look& look, QWidget* window) : QWidget(window), m_look(look) {
    setObjectName(QStringLiteral("focusRing"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
    connect(&look, &Look::changed, this, &FocusRing::place);
    qApp->installEventFilter(this); // what moves may be any ancestor, and a click may land anywhere
}

void FocusRing::follow(QWidget* focused) {
    m_focused =
        focused != nullptr && focused->window() == window() && focused != window() ? focused : nullptr;
    place();
}

void FocusRing::place() {
    const QRect seen =
        m_focused && m_byKeyboard && m_focused->isVisible() ? partInSight(*m_focused) : QRect();
    if (seen.isEmpty()) {
        hide();
        return;
    }
    const int out = m_look.px(3);
    setGeometry(seen.adjusted(-out, -out, out, out).intersected(parentWidget()->rect()));
    raise();
    show();
    update();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::KeyPress:
    case QEvent::ShortcutOverride:
        if (!m_byKeyboard) {
            m_byKeyboard = true;
            place();
        }
        break;
    case QEvent::MouseButtonPress:
        if (m_byKeyboard) {
            m_byKeyboard = false;
            place();
        }
        break;
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
        if (const auto* widget = qobject_cast<QWidget*>(watched);
            m_focused && m_byKeyboard && widget != nullptr && widget != this &&
            (widget == m_focused || widget->isAncestorOf(m_focused)))
            place();
        break;
    default:
        break;
    }
    return false;
}

void FocusRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double line = m_look.px(2);
    painter.setPen(QPen(m_look.color(Role::Focus), line));
    painter.drawRoundedRect(QRectF(rect()).adjusted(line / 2, line / 2, -line / 2, -line / 2), m_look.px(5),
                            m_look.px(5));
}

} // namespace lockscope::ui
