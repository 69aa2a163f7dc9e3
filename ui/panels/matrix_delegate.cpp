// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/matrix_delegate.h"

#include <QPainter>

#include "ui/look.h"
#include "ui/panels/lights_bar.h"

namespace lockscope::ui {

void MatrixDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    painter->save();
    const QRect r = option.rect;
    const bool current = (option.state & QStyle::State_HasFocus) != 0;
    painter->fillRect(
        r.adjusted(0, 0, -1, -1),
        m_look.color((option.state & QStyle::State_MouseOver) != 0 ? Role::Lane : Role::Window));
    const QFont font = m_look.font(TextRole::Caption);
    const QFontMetrics metrics(font);
    painter->setFont(font);
    const int side = m_look.px(9);
    const int left = r.left() + m_look.px(4);
    const QRect text = r.adjusted(m_look.px(4) + side + m_look.px(4), 0, -m_look.px(2), 0);
    const QStringList broken = index.data(BrokenRole).toStringList();
    if (broken.isEmpty()) {
        const QString said = index.data().toString();
        const int height = metrics.boundingRect(text, Qt::TextWordWrap, said).height();
        const int top = r.top() + (r.height() - height) / 2;
        if (index.data(BrokenRole).isValid())
            paintLight(*painter, m_look, QRectF(left, top + (metrics.height() - side) / 2, side, side),
                       LightState::Whole);
        painter->setPen(m_look.color(Role::DimText));
        painter->drawText(QRect(text.left(), top, text.width(), height), Qt::TextWordWrap, said);
    } else {
        const int line =
            std::min(metrics.height() + m_look.px(1), r.height() / static_cast<int>(broken.size()));
        int y = r.top() + (r.height() - line * static_cast<int>(broken.size())) / 2;
        for (const QString& name : broken) {
            paintLight(*painter, m_look, QRectF(left, y + (line - side) / 2, side, side), LightState::Broken);
            painter->setPen(m_look.color(Role::Text));
            painter->drawText(QRect(text.left(), y, text.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                              metrics.elidedText(name, Qt::ElideRight, text.width()));
            y += line;
        }
    }
    if (current) {
        painter->setPen(QPen(m_look.color(Role::Focus), m_look.px(2)));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(r.adjusted(1, 1, -2, -2));
    }
    painter->restore();
}

} // namespace lockscope::ui
