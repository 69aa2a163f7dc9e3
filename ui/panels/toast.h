// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

#include <functional>

class QLabel;
class QPushButton;

namespace lockscope::ui {

class Look;

/// A line at the bottom of a widget for six seconds, with at most one thing to do about it.
class Toast : public QFrame {
    Q_OBJECT
public:
    Toast(Look& look, QWidget* over);

    void say(const QString& text, const QString& actionText = {}, std::function<void()> action = {});
    QString text() const;
    /// What it offers can no longer be done: it goes, if it offers anything.
    void withdraw();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    Look& m_look;
    QLabel* m_text = nullptr;
    QPushButton* m_button = nullptr;
    std::function<void()> m_action;
    QTimer m_timer;
};

} // namespace lockscope::ui
