// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/progress_delegate.h"

#include <QPainter>

#include "ui/look.h"

namespace lockscope::ui {

void ProgressDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const QString word = index.data(kWordRole).toString();
    if (word.isEmpty()) return;
    painter->save();
    painter->setFont(m_look.font(TextRole::Caption));
    const bool selected = option.state & QStyle::State_Selected;
    painter->setPen(selected ? option.palette.color(QPalette::HighlightedText) : m_look.color(Role::DimText));
    const int pad = m_look.px(8);
    painter->drawText(option.rect.adjusted(pad, 0, -pad, 0), Qt::AlignRight | Qt::AlignVCenter, word);
    painter->restore();
}

QSize ProgressDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize plain = QStyledItemDelegate::sizeHint(option, index);
    const QString word = index.data(kWordRole).toString();
    const int width = QFontMetrics(m_look.font(TextRole::Caption)).horizontalAdvance(word);
    return {plain.width() + (word.isEmpty() ? 0 : width + m_look.px(32)),
            std::max(plain.height(), m_look.px(26))};
}

} // namespace lockscope::ui
