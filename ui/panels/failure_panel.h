// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "core/search/explain.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace lockscope::ui {

class FailureSearch;
class LessonModel;
class Look;
class RunModel;

/// "Find a failure": what is to break, how far to look, how far the search is; then the failure that was
/// found with its causes, each leading to its instant, or exactly what was covered without finding one.
class FailurePanel : public QFrame {
    Q_OBJECT
public:
    FailurePanel(FailureSearch& search, LessonModel& lesson, RunModel& run, Look& look,
                 QWidget* parent = nullptr);

    /// Opens it with the focus on what starts a search.
    void open();

signals:
    /// A cause was chosen.
    void instantWanted(lockscope::Instant at);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void build();
    void fillInvariants();
    void startOrStop();
    void refresh();
    void fillCauses(const std::vector<Cause>& causes);
    bool veiled() const;
    QString status() const;
    void applyLook();

    FailureSearch& m_search;
    LessonModel& m_lesson;
    RunModel& m_run;
    Look& m_look;
    QLabel* m_title = nullptr;
    QComboBox* m_invariant = nullptr;
    QComboBox* m_budget = nullptr;
    QCheckBox* m_keepFaults = nullptr;
    QPushButton* m_go = nullptr;
    QToolButton* m_close = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_status = nullptr;
    QPushButton* m_play = nullptr;
    QListWidget* m_causes = nullptr;
    std::vector<Cause> m_shown;
};

} // namespace lockscope::ui
