// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/changes_view.h"

#include <QScrollBar>

#include "ui/look.h"

namespace lockscope::ui {

ChangesView::ChangesView(Look& look, QWidget* parent) : QPlainTextEdit(parent), m_look(look) {
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    connect(&look, &Look::changed, this, &ChangesView::fill);
    fill();
}

void ChangesView::setChanges(std::vector<LineChange> changes) {
    if (changes == m_changes) return;
    m_changes = std::move(changes);
    fill();
}

void ChangesView::fill() {
    setFont(m_look.font(TextRole::Code));
    document()->setDocumentMargin(m_look.px(6));
    const int stood = verticalScrollBar()->value();
    clear();
    QTextCursor cursor(document());
    for (const LineChange& change : m_changes) {
        QTextCharFormat format;
        QTextBlockFormat block;
        QString mark = QStringLiteral("  ");
        format.setForeground(m_look.color(Role::DimText));
        if (change.kind == LineChange::Kind::Added) {
            mark = QStringLiteral("+ ");
            format.setForeground(m_look.color(Role::Text));
            format.setFontWeight(QFont::DemiBold);
            block.setBackground(m_look.color(Role::Lane));
        } else if (change.kind == LineChange::Kind::Removed) {
            mark = QStringLiteral("\u2212 ");
            format.setFontStrikeOut(true);
        }
        if (&change != &m_changes.front()) cursor.insertBlock();
        cursor.setBlockFormat(block);
        QTextCharFormat plain = format;
        plain.setFontStrikeOut(false);
        cursor.insertText(mark, plain);
        cursor.insertText(change.text, format);
    }
    verticalScrollBar()->setValue(stood);
}

} // namespace lockscope::ui
