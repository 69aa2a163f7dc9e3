// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace lockscope::ui {

class Look;
class WrapLabel;

/// A sentence above the timeline that stays until it is answered or put away, and asks for nothing at once.
class NoticeBar : public QFrame {
    Q_OBJECT
public:
    struct Choice {
        QString text;
        QString name; ///< of the button's object
        std::function<void()> act;
    };

    explicit NoticeBar(Look& look, QWidget* parent = nullptr);

    /// Replaces what it said before. Whichever choice is taken, the bar goes first.
    void say(const QString& text, std::vector<Choice> choices = {});
    QString text() const;
    /// Whether it waits for one of its choices.
    bool asks() const { return !isHidden() && !m_buttons.isEmpty(); }

private:
    void applyLook();

    Look& m_look;
    WrapLabel* m_text = nullptr;
    QHBoxLayout* m_row = nullptr;
    QToolButton* m_close = nullptr;
    QList<QPushButton*> m_buttons;
};

} // namespace lockscope::ui
