// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/flow_layout.h"

#include <QWidget>

#include <algorithm>

namespace lockscope::ui {

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) {}

FlowLayout::~FlowLayout() {
    qDeleteAll(m_items);
}

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const {
    return arrange(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const {
    int width = 0, height = 0;
    for (const QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        width += item->sizeHint().width() + spacing();
        height = std::max(height, item->sizeHint().height());
    }
    const QMargins m = contentsMargins();
    return {width + m.left() + m.right(), height + m.top() + m.bottom()};
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    const QMargins m = contentsMargins();
    return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool place) const {
    const QRect inner = rect.marginsRemoved(contentsMargins());
    const int gap = std::max(0, spacing());
    int y = inner.top();
    QList<std::pair<QLayoutItem*, QRect>> row;
    int x = inner.left(), height = 0;
    const auto finishRow = [&] {
        for (const auto& [item, r] : row)
            if (place) item->setGeometry(QRect(r.x(), y + (height - r.height()) / 2, r.width(), r.height()));
        if (!row.isEmpty()) y += height + gap;
        row.clear();
        x = inner.left();
        height = 0;
    };
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        QSize size = item->sizeHint().expandedTo(item->minimumSize());
        const int rest = inner.left() + inner.width() - x;
        if (x > inner.left() && size.width() > rest) {
            if (item->hasHeightForWidth() && item->minimumSize().width() <= rest)
                size = {rest, item->heightForWidth(rest)}; // a text breaks into lines rather than into a row
            else
                finishRow();
        }
        if (size.width() > inner.width()) {
            size.setWidth(std::max(inner.width(), item->minimumSize().width()));
            if (item->hasHeightForWidth()) size.setHeight(item->heightForWidth(size.width()));
        }
        row.append({item, QRect(QPoint(x, 0), size)});
        x += size.width() + gap;
        height = std::max(height, size.height());
    }
    finishRow();
    const int content = std::max(0, y - gap - inner.top());
    return content + contentsMargins().top() + contentsMargins().bottom();
}

} // namespace lockscope::ui
