// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/edit_history.h"

namespace lockscope::ui {

class EditHistory::Change final : public QUndoCommand {
public:
    Change(EditHistory& history, const QString& what, Setup before, Setup after, const QString& merge)
        : QUndoCommand(what), m_history(history), m_before(std::move(before)), m_after(std::move(after)),
          m_merge(merge) {}

    int id() const override { return m_merge.isEmpty() ? -1 : 1; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto& next = static_cast<const Change&>(*other);
        if (next.m_merge != m_merge) return false;
        m_after = next.m_after;
        setText(next.text());
        setObsolete(m_after == m_before);
        return true;
    }

    void undo() override { m_history.m_apply(m_before); }

    /// A stack does what it is given; this has been done already then.
    void redo() override {
        if (m_done) m_history.m_apply(m_after);
        m_done = true;
    }

private:
    EditHistory& m_history;
    Setup m_before;
    Setup m_after;
    QString m_merge;
    bool m_done = false;
};

void EditHistory::made(const QString& what, Setup before, Setup after, const QString& merge) {
    if (before == after) return;
    m_stack.push(new Change(*this, what, std::move(before), std::move(after), merge));
}

} // namespace lockscope::ui
