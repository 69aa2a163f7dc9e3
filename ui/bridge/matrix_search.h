// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>

#include <memory>

#include "core/search/matrix.h"
#include "ui/bridge/latest_job.h"

namespace lockscope::ui {

class LessonModel;
class RunModel;

/// The table of the lesson that is open, with its programs as they stand, found out away from the window's
/// thread as soon as somebody wants to see it. An edited program has another table; what was found is kept,
/// and is there again when the edit is taken back.
class MatrixSearch : public QObject {
    Q_OBJECT
public:
    MatrixSearch(LessonModel& lesson, RunModel& run, QObject* parent = nullptr);

    /// Whether the lesson has a table at all.
    bool possible() const;
    void setWanted(bool wanted);

    /// What is asked, of the lesson that is open; null if it has no table.
    const FailurePlan* plan() const { return m_plan.get(); }
    /// Null until it is found out.
    const Matrix* result() const { return m_result.get(); }
    /// How many cells are found out so far.
    std::size_t done() const { return m_done; }

    /// Makes a run of a cell the run that is shown, and plays to what it breaks: the failure `which` of those
    /// the cell lists, or its program under no fault if `which` is -1. Returns what is wrong, if anything is.
    QString play(std::size_t program, std::size_t failure, int which);

signals:
    void changed();

private:
    void follow();
    QByteArray about() const;
    void search();

    LessonModel& m_lesson;
    RunModel& m_run;
    bool m_wanted = false;
    QByteArray m_about; ///< names the lesson's text and the programs that plan and result are about
    std::shared_ptr<const FailurePlan> m_plan;
    std::shared_ptr<const Matrix> m_result;
    std::size_t m_done = 0;
    bool m_searching = false;
    QHash<QByteArray, std::shared_ptr<const Matrix>> m_found; ///< by what they are about
    LatestJob m_worker{this};
};

} // namespace lockscope::ui
