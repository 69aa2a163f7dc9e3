// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QAction;
class QTextBrowser;

namespace lockscope::ui {

class Look;

/// The words of the subject and every key. The keys are read from the actions themselves, so that they cannot
/// be wrong.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    HelpWindow(Look& look, QList<QAction*> actions, QWidget* parent);

private:
    void render();

    Look& m_look;
    QList<QAction*> m_actions;
    QTextBrowser* m_text = nullptr;
};

} // namespace lockscope::ui
