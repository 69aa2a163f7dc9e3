// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace lockscope::ui {

class Look;
struct Run;

/// A line to type commands for the Redis of a live run, as into redis-cli. They stand in the run as those of
/// somebody from outside. The arrow keys bring back what was typed before.
class LiveConsole : public QWidget {
    Q_OBJECT
public:
    explicit LiveConsole(Look& look, QWidget* parent = nullptr);

    /// Shows what the latest command was answered.
    void showAnswer(const Run& run);
    void say(const QString& text);

signals:
    void entered(const QString& command);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void enter();
    void recall(int direction);
    void applyLook();

    Look& m_look;
    QLineEdit* m_line = nullptr;
    QLabel* m_answer = nullptr;
    QStringList m_history;
    qsizetype m_place = 0; ///< in the history; its end: what is being typed
};

} // namespace lockscope::ui
