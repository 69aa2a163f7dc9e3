// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoStack>

#include <functional>

#include "ui/bridge/setup.h"

namespace lockscope::ui {

/// The changes of a step's run, to be undone and redone. A change is kept as the whole setup before and after
/// it: setups are small, and so an undo gives back exactly what was there, whatever the change was. Others
/// put changes of something else on the same stack, as Notes does, so that all are undone in the order in
/// which they were made. Of many, the oldest are forgotten.
///
/// Invariant: the setup that is shown is the `after` of the last change of a setup below the stack's index;
/// if there is none, the `before` of the first one above it.
class EditHistory {
public:
    static constexpr int kMost = 300;

    /// `apply` shows a setup.
    explicit EditHistory(std::function<void(const Setup&)> apply) : m_apply(std::move(apply)) {
        m_stack.setUndoLimit(kMost);
    }

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
