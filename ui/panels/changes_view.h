// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "ui/bridge/line_changes.h"

namespace lockscope::ui {

class Look;

/// What became of a program, line by line: what was added is marked with + and bold, what was removed with −
/// and struck out.
class ChangesView : public QPlainTextEdit {
    Q_OBJECT
public:
    ChangesView(Look& look, QWidget* parent = nullptr);

    void setChanges(std::vector<LineChange> changes);

private:
    void fill();

    Look& m_look;
    std::vector<LineChange> m_changes;
};

} // namespace lockscope::ui
