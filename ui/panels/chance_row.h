// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace lockscope::ui {

class LessonModel;
class Look;

/// The seed of the run, and another throw of the dice. Visible where the run leaves something to chance.
class ChanceRow : public QWidget {
    Q_OBJECT
public:
    ChanceRow(LessonModel& lesson, Look& look, QWidget* parent = nullptr);

signals:
    /// What is wrong with what was written, and what is allowed; empty if nothing is any more.
    void problemChanged(const QString& problem);

private:
    void refresh();
    void commit();
    void applyLook();

    LessonModel& m_lesson;
    Look& m_look;
    QLineEdit* m_seed = nullptr;
    QPushButton* m_throw = nullptr;
};

} // namespace lockscope::ui
