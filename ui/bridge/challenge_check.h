// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <memory>

#include "core/lesson/programs.h"
#include "core/search/challenge.h"
#include "ui/bridge/latest_job.h"

namespace lockscope::ui {

class LessonModel;
class RunModel;

/// The challenge of the step, and the search that says whether the learner's programs meet it. It runs away
/// from the window's thread; what it finds it puts into the run as the learner's faults, which can be undone,
/// and plays it.
///
/// Invariant: a check is about the programs it was begun on. Another text of one of them, or another step,
/// ends it, and the state says so.
class ChallengeCheck : public QObject {
    Q_OBJECT
public:
    enum class State { Idle, Searching, Stopped, Changed, Done };

    ChallengeCheck(LessonModel& lesson, RunModel& run, QObject* parent = nullptr);
    ~ChallengeCheck() override;

    /// The challenge of the step; null if it has none.
    const Challenge* challenge() const;
    /// How many take part.
    std::size_t actors() const;
    bool possible() const;
    void start();
    void cancel();

    State state() const { return m_state; }
    ExploreProgress progress() const { return m_progress; }
    /// Of the last check in this step that came to an end; null if there is none.
    const ChallengeResult* result() const { return m_result.get(); }
    /// What came of it, or was covered until it was stopped.
    QString sentence() const;
    /// Whether the result is about the programs as they are.
    bool current() const { return m_result && samePrograms(m_programs, programs()); }
    /// Whether the result has something to play: faults, or a run that fails by itself.
    bool playable() const { return m_result && !m_result->passed() && !m_plan.never.empty(); }
    QString play();

    /// How many hints have been asked for in this step.
    int hints() const { return m_hints; }
    void nextHint();
    bool hintsLeft() const;
    /// The reference solution in the place of the learner's programs; it can be undone.
    QString showSolution();

signals:
    void changed();

private:
    Programs programs() const;
    void enterStep();
    void follow();
    void end(std::shared_ptr<const ChallengeResult> result);

    LessonModel& m_lesson;
    RunModel& m_run;
    State m_state = State::Idle;
    ChallengePlan m_plan;
    Programs m_programs; ///< that are, or were, checked
    ExploreProgress m_progress;
    std::shared_ptr<const ChallengeResult> m_result;
    QString m_place; ///< the step that all this is about
    int m_hints = 0;
    LatestJob m_worker{this};
};

} // namespace lockscope::ui
