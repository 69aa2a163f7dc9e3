// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace lockscope::ui {

class Look;
class RunModel;

/// To the start, step back, play, step, to the end; the speed; the time at the playhead; and the
/// way to the search for a failure.
class TransportBar : public QWidget {
    Q_OBJECT
public:
    TransportBar(RunModel& run, Look& look, QWidget* parent = nullptr);

    void faster();
    void slower();

signals:
    void failureWanted();

private:
    QToolButton* button(const char* name, const QString& text, const QString& help);
    void refreshPlaying();
    void refreshTime();
    void refreshSpeed();
    void applyLook();

    RunModel& m_run;
    Look& m_look;
    QToolButton* m_play = nullptr;
    QList<QToolButton*> m_buttons;
    QComboBox* m_speed = nullptr;
    QLabel* m_ratio = nullptr;
    QLabel* m_time = nullptr;
    QLabel* m_of = nullptr;
    QPushButton* m_find = nullptr;
};

} // namespace lockscope::ui
