// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/lesson/programs.h"
#include "ui/bridge/latest_job.h"

namespace lockscope::ui {

class LessonModel;
class RunModel;

/// What somebody types into the programs of the lesson. The run follows a moment after the last key.
///
/// Invariants:
///  1. What does not compile, or does not come to its end, never becomes the run: the last good one stays,
///     and the text stays as it was typed, with what is wrong about it.
///  2. A text is tried away from the window's thread before it becomes the run.
///  3. A text that is not the run's is kept with its step: it is there again when one comes back to it.
class ProgramEdit : public QObject {
    Q_OBJECT
public:
    struct Problem {
        int line = 0; ///< as the code panel counts; 0 if it is about the whole
        QString message;

        bool operator==(const Problem&) const = default;
    };

    ProgramEdit(LessonModel& lesson, RunModel& run, QObject* parent = nullptr);
    ~ProgramEdit() override;

    /// Whether programs can be edited: there is a run, and its past can be changed.
    bool possible() const;
    /// The program as it is to be shown: as typed, if that is not the run's, or else the run's.
    QString text(const std::string& program) const;
    void type(const std::string& program, const QString& text);
    /// Back to what the step begins with. It can be undone.
    void reset(const std::string& program);

    /// Tries at once what would be tried in a moment, and waits for it: before the run is stored.
    void settle();

    /// Whether the text shown is not what runs (yet).
    bool pending(const std::string& program) const { return m_drafts.contains(program); }
    /// What is wrong with the text shown; nothing if nothing is, or nothing is known yet.
    std::optional<Problem> problem(const std::string& program) const;
    /// Whether the text shown differs from what the step begins with.
    bool edited(const std::string& program) const;

signals:
    void changed();

private:
    struct Draft {
        QString text;
        std::optional<Problem> problem;
    };
    using Drafts = std::map<std::string, Draft>;
    struct Verdict {
        std::string program;
        QString text;
        std::optional<Problem> problem;
    };

    std::vector<Program> drafts() const;
    static std::vector<Verdict> judge(const std::vector<Program>& programs, const Scenario& scenario,
                                      const std::atomic<bool>* cancelled);
    void tryDrafts();
    void take(const std::vector<Verdict>& verdicts);
    void enterStep();
    QString place() const;

    LessonModel& m_lesson;
    RunModel& m_run;
    Drafts m_drafts;
    QHash<QString, Drafts> m_elsewhere; ///< of other steps
    QString m_place;                    ///< the step that the drafts are of
    QTimer m_quiet;
    bool m_untried = false; ///< of some draft it is not known yet whether it runs
    LatestJob m_worker{this};
};

} // namespace lockscope::ui
