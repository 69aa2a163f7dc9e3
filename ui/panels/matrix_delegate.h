// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace lockscope::ui {

class Look;

/// A cell of the table: a filled diamond and a name for each invariant that breaks, as the lights have it; or
/// a ring and how much was tried.
class MatrixDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int BrokenRole = Qt::UserRole; ///< QStringList: the names of what breaks

    MatrixDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), m_look(look) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    const Look& m_look;
};

} // namespace lockscope::ui
