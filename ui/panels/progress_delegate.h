// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace lockscope::ui {

class Look;

/// An entry of the lesson picker: its icon and title, and at the right in words how far one is with it.
class ProgressDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int kWordRole = Qt::UserRole + 1;

    ProgressDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), m_look(look) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Look& m_look;
};

} // namespace lockscope::ui
