// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/ttl_bar.h"

#include <QPainter>

#include "ui/look.h"

namespace lockscope::ui {

TtlBar::TtlBar(Look& look, QWidget* parent) : QWidget(parent), m_look(look) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, &QWidget::updateGeometry);
}

void TtlBar::setShare(double share, int actor, bool outside) {
    if (share == m_share && actor == m_actor && outside == m_outside) return;
    m_share = share;
    m_actor = actor;
    m_outside = outside;
    setAccessibleDescription(tr("%1 percent of the lease is left").arg(qRound(share * 100)));
    update();
}

QColor TtlBar::fill() const {
    return m_actor >= 0 && !m_outside ? m_look.actor(m_actor) : m_look.color(Role::Outside);
}

QSize TtlBar::sizeHint() const {
    return {m_look.px(120), m_look.px(10)};
}

void TtlBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color(Role::Lane));
    painter.fillRect(QRectF(0, 0, width() * m_share, height()), fill());
    painter.setPen(m_look.color(Role::Hairline));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

BadgeLabel::BadgeLabel(Look& look, QWidget* parent) : QWidget(parent), m_look(look) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, &QWidget::updateGeometry);
}

void BadgeLabel::setActor(int actor, bool outside, const QString& text) {
    if (actor == m_actor && outside == m_outside && text == m_text) return;
    m_actor = actor;
    m_outside = outside;
    m_text = text;
    setAccessibleDescription(text);
    setToolTip(text);
    updateGeometry();
    update();
}

QSize BadgeLabel::sizeHint() const {
    QFont font = m_look.font(TextRole::Prose);
    font.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(font);
    return {m_look.px(20 + 6) + metrics.horizontalAdvance(m_text), std::max(metrics.height(), m_look.px(22))};
}

QSize BadgeLabel::minimumSizeHint() const {
    return {m_look.px(60), sizeHint().height()};
}

void BadgeLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const int side = m_look.px(20);
    int x = 0;
    if (m_actor >= 0 || m_outside) {
        m_look.drawBadge(painter, QRectF(0, (height() - side) / 2.0, side, side), m_actor, m_outside);
        x = side + m_look.px(6);
    }
    QFont font = m_look.font(TextRole::Prose);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(m_look.color(m_actor >= 0 || m_outside ? Role::Text : Role::DimText));
    const QRect place(x, 0, width() - x, height());
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(m_text, Qt::ElideMiddle, place.width()));
}

} // namespace lockscope::ui
