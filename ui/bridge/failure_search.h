// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <memory>
#include <optional>

#include "core/search/explore.h"
#include "ui/bridge/latest_job.h"

namespace lockscope::ui {

class LessonModel;
class RunModel;

/// The search for a failure of the program that is shown. It runs away from the window's thread; when it has
/// found one, it puts that into the run as the learner's faults, which can be undone, and plays it.
///
/// Invariants:
///  1. Nothing is searched behind an open question, and one that comes up ends a search: the answer would
///     be told.
///  2. A search is about the run it was begun on. Any change of that run ends it, and the state says so.
class FailureSearch : public QObject {
    Q_OBJECT
public:
    enum class State {
        Idle,
        Searching,
        Stopped, ///< by hand; result() says what was covered until then
        RunChanged,
        Found,
        NotFound,
    };
    struct Question {
        std::optional<Invariant> invariant; ///< none: any that the run does not break already
        bool keepFaults = false;            ///< on top of the run's own faults rather than without them
        std::uint64_t budget = 1'000'000;   ///< schedules at the most
    };

    FailureSearch(LessonModel& lesson, RunModel& run, QObject* parent = nullptr);
    ~FailureSearch() override;

    /// Whether there is something to search, and no question in the way.
    bool possible() const;
    void start(const Question& question);
    void cancel();

    State state() const { return m_state; }
    ExploreProgress progress() const { return m_progress; }
    /// Of the last search that came to an end, or was stopped; null if there is none.
    const Exploration* result() const { return m_result.get(); }
    /// Whether the result still is about the run that is shown.
    bool current() const;
    /// Puts the failure found last into the run, if it is not there, and plays to what it breaks.
    QString play();
    /// The violation of the shown run that was found, as an index, or -1.
    int violation() const;

signals:
    void changed();

private:
    void end(std::shared_ptr<const Exploration> result);
    void follow();
    bool isShown(const std::vector<Intervention>& faults) const;
    std::vector<Intervention> failure() const;

    /// What of the run that is shown matters to anybody here.
    struct Shown {
        State state = State::Idle;
        bool run = false; ///< there is one
        bool possible = false;
        bool current = false;
        bool faults = false; ///< it has some
        int violation = -1;
        bool operator==(const Shown&) const = default;
    };
    Shown shown() const;

    LessonModel& m_lesson;
    RunModel& m_run;
    State m_state = State::Idle;
    ExploreRequest m_request;
    ExploreProgress m_progress;
    std::shared_ptr<const Exploration> m_result;
    std::vector<Intervention> m_before; ///< the run's faults when the search began
    Shown m_followed;                   ///< as it was when the run was followed last
    LatestJob m_worker{this};
};

} // namespace lockscope::ui
