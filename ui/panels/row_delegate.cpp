// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/row_delegate.h"

#include <QPainter>

#include "ui/look.h"

namespace lockscope::ui {

int RowDelegate::rowHeight(const Look& look) {
    return std::max(QFontMetrics(look.font(TextRole::Caption)).height() + look.px(5), look.px(20));
}

int RowDelegate::timeWidth(const Look& look) {
    QFont bold = look.font(TextRole::Caption);
    bold.setWeight(QFont::DemiBold);
    return QFontMetrics(bold).horizontalAdvance(QStringLiteral("88.888 s")) + look.px(16);
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    painter->save();
    const QRect r = option.rect;
    const bool current = index.row() == m_current, later = m_current >= 0 && index.row() > m_current;
    if (current) painter->fillRect(r, m_look.color(Role::Lane));
    QFont font = m_look.font(TextRole::Caption);
    if (current) font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    painter->setPen(m_look.color(later ? Role::DimText : Role::Text));
    const QString text = index.data().toString();
    if (index.column() == kTimeColumn) {
        painter->drawText(r.adjusted(0, 0, -m_look.px(6), 0), Qt::AlignRight | Qt::AlignVCenter, text);
    } else {
        const int side = m_look.px(14);
        const int actor = index.data(ActorRole).toInt();
        const bool outside = index.data(OutsideRole).toBool();
        if (actor >= 0 || outside)
            m_look.drawBadge(*painter, QRectF(r.left(), r.top() + (r.height() - side) / 2.0, side, side),
                             actor, outside);
        const QRect place = r.adjusted(side + m_look.px(6), 0, -m_look.px(4), 0);
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(font).elidedText(text, Qt::ElideRight, place.width()));
    }
    if (index.row() == m_selected) {
        const QColor focus = m_look.color(Role::Focus);
        const int line = m_look.px(1);
        painter->fillRect(QRect(r.left(), r.top(), r.width(), line), focus);
        painter->fillRect(QRect(r.left(), r.bottom() + 1 - line, r.width(), line), focus);
        if (index.column() == kTimeColumn)
            painter->fillRect(QRect(r.left(), r.top(), m_look.px(3), r.height()), focus);
    }
    painter->restore();
}

} // namespace lockscope::ui
