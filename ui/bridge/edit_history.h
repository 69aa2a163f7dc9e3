// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoStack>

#include <functional>

#include "ui/bridge/setup.h"

namespace lockscope::ui {

/// The changes of a step's run, to be undone and redone. A change is kept as the whole setup before and after
/// it: setups are small, and so an undo gives back exactly what was there, whatever the change was.
///
/// Invariant: the setup that is shown is the `after` of the change at the stack's index, or, at index 0, what
/// was there when the history was cleared last.
class EditHistory {
public:
    /// `apply` shows a setup.
    explicit EditHistory(std::function<void(const Setup&)> apply) : m_apply(std::move(apply)) {}

    /// Notes a change that has been made. `what` completes "Undo …". Changes in a row with the same `merge`,
    /// if it is not empty, are undone as one; if they come to nothing together, they leave no trace.
    void made(const QString& what, Setup before, Setup after, const QString& merge = {});
    void clear() { m_stack.clear(); }

    QUndoStack& stack() { return m_stack; }

private:
    class Change;

    std::function<void(const Setup&)> m_apply;
    QUndoStack m_stack;
};

} // namespace lockscope::ui
