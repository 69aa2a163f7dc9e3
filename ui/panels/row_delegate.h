// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace lockscope::ui {

class Look;

/// What a model tells the delegate besides its text.
enum RowRole { ActorRole = Qt::UserRole, OutsideRole };

/// Rows of two columns, a time and a sentence behind an actor's badge: dim after the playhead, marked at it,
/// framed when selected. It knows rows only, so every list of moments can use it.
class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int kTimeColumn = 0;

    RowDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), m_look(look) {}

    /// -1 for none. Rows after `current` are dim; with none, no row is.
    void setMarks(int current, int selected) {
        m_current = current;
        m_selected = selected;
    }
    int current() const { return m_current; }
    int selected() const { return m_selected; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    static int rowHeight(const Look& look);
    static int timeWidth(const Look& look);

private:
    const Look& m_look;
    int m_current = -1;
    int m_selected = -1;
};

} // namespace lockscope::ui
