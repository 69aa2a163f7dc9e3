// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <optional>

#include "core/lesson/saved_run.h"
#include "ui/bridge/edit_history.h"
#include "ui/bridge/lesson_watcher.h"
#include "ui/bridge/progress.h"
#include "ui/bridge/run_model.h"

namespace lockscope::ui {

/// The lesson that is open, the step it is at, what the learner answered and how the knobs stand.
/// It sets up the RunModel: entering a step starts the run that the step describes.
class LessonModel : public QObject {
    Q_OBJECT
public:
    explicit LessonModel(RunModel& run, QObject* parent = nullptr);

    /// Opens a lesson at its first step (or `step`). A file that cannot be read leaves error() set and the
    /// window on it.
    void open(const QString& path, int step = 0);
    void open(Lesson lesson, int step = 0);
    /// The lesson as last read; null if none could be read yet.
    const Lesson* lesson() const { return m_lesson ? &*m_lesson : nullptr; }
    QString path() const { return m_path; }
    /// What is wrong with the file now; empty if nothing. The lesson that was open before stays usable.
    QString error() const { return m_error ? QString::fromStdString(m_error->text()) : QString(); }
    /// The same in its parts; null if nothing is wrong.
    const Error* fileError() const { return m_error ? &*m_error : nullptr; }

    int step() const { return m_step; }
    int stepCount() const { return m_lesson ? static_cast<int>(m_lesson->steps.size()) : 0; }
    /// Null if no lesson is open.
    const Step* currentStep() const;
    void goTo(int step);
    /// To the next step, or from the last one to the summary.
    void next();
    /// To the step before, or from the summary to the last one.
    void back();
    bool canGoOn() const { return m_lesson && !m_atSummary; }
    bool canGoBack() const { return m_atSummary || m_step > 0; }
    /// After the last step: what was asked, and what came of it. The last step's run stays.
    bool atSummary() const { return m_atSummary; }
    /// Puts the step back as written; the learner's own run is kept and comes back with restoreOwnRun().
    void resetStep();
    /// Whether knobs or interventions differ from what the step says.
    bool changedFromStep() const;
    bool ownRunKept() const { return m_ownRun.has_value(); }
    /// Shows it. What the learner has changed in the run that is shown takes its place, so that nothing is
    /// lost and the same again goes back.
    void restoreOwnRun();

    bool shows(Panel panel) const;

    /// The step's question, answered or not; null if it asks none.
    const Prediction* question() const;
    /// The open question, or null if the step asks none or it has been answered.
    const Prediction* openQuestion() const;
    /// What came of this step's question, so far.
    std::optional<Answer> answer() const { return answerIn(m_step); }
    std::optional<Answer> answerIn(int step) const;
    void answerQuestion(int option, Confidence confidence = Confidence::Unsaid);
    /// Lifts the veil without an answer.
    void liftVeil();
    /// What was done in all lessons. Answers live there, so they outlast the window.
    Progress& progress() { return m_progress; }

    // lesson_model_edits.cpp: what the learner changes. Every change takes effect at once and can be undone.
    // Each gives back nothing, or one line that says what is wrong; then nothing has changed.
    KnobValue knobValue(const std::string& name) const;
    QString setKnob(const std::string& name, const KnobValue& value);

    /// A hand on a knob's slider: what it sets between the two is a trial, and one change in the end.
    void beginSliding(const std::string& knob);
    void endSliding();

    /// Of everything random in the run that is shown.
    std::uint64_t seed() const { return m_setup.seed; }
    /// Whether another seed may give another run, and can be had.
    bool leftToChance() const;
    QString setSeed(std::uint64_t seed);
    /// The next seed.
    QString throwAgain() { return setSeed(seed() + 1); }

    /// A program of the run that is shown, by its name: as it was edited, or as the step begins. Null if the
    /// lesson has none of that name.
    std::shared_ptr<const Program> program(const std::string& name) const;
    /// The same as the step begins with it.
    std::shared_ptr<const Program> programAsWritten(const std::string& name) const;
    /// Whether a program says something else than the step begins with.
    bool programsEdited() const;
    /// Changes in a row to one program are undone as one.
    QString setProgram(const std::string& name, const std::string& source);

    const std::vector<Intervention>& interventions() const { return m_setup.interventions; }
    QString addIntervention(const Intervention& intervention);
    QString removeIntervention(int index);
    /// Whether a pause of the learner's covers the instant, so that resume() would end it.
    bool canResume(const std::string& actor, Instant at) const;
    /// Ends the pauses of an actor that cover the instant, there.
    QString resume(const std::string& actor, Instant at);

    /// Whether there is a run of this lesson.
    bool hasRun() const { return m_lesson && m_run.run() != nullptr; }
    /// What decides the run that is shown.
    SettledRun settled() const;
    /// Shows another run of this lesson, as a change like others. `what` completes "Undo …".
    QString takeOver(const SettledRun& run, const QString& what);
    const Setup& setup() const { return m_setup; }
    /// Any other change. `what` and `merge` are EditHistory's.
    QString change(Setup to, const QString& what, const QString& merge = {});
    /// Undo and redo. It is cleared on entering another step or reading the file anew: what it holds are
    /// changes to this step's run. Resetting a step is a change like others, so a reset can be undone.
    QUndoStack& history() { return m_history.stack(); }

    /// A trial shows what a hand that drags would make of the run before it lets go: as many tryOut() as one
    /// likes between a beginTrial() and a keepTrial(), which makes one change of them, or a dropTrial(),
    /// after which all is as it was. Any other change, and entering a step, drops it.
    void beginTrial();
    bool trying() const { return m_trial.has_value(); }
    QString tryOut(Setup to);
    /// Whether there was a change to make of it.
    bool keepTrial(const QString& what);
    void dropTrial();
    /// The learner's own run, while it is kept for restoreOwnRun().
    std::optional<SettledRun> ownRun() const;
    /// Opens a lesson with a run of it that settle() has given, and an own run to go back to.
    void openRun(Lesson lesson, const SettledRun& opened, const std::optional<SettledRun>& own);

    /// Lessons of this folder are named by their id in commandLine(), others by their path.
    void setShelfFolder(const QString& folder) { m_shelfFolder = folder; }
    /// Whether the lesson is one of them.
    bool onShelf() const;
    /// The command line that gives the run that is shown. A program of the learner's own has no place in one:
    /// then `runFile` is what the command names, and must hold this run.
    QString commandLine(const QString& runFile = {}) const;
    /// Whether commandLine() needs a file.
    bool needsRunFile() const { return !m_setup.programs.empty(); }

signals:
    /// Another lesson is about to take the place of this one, however it came to be opened: everything is
    /// still as it was.
    void aboutToLeave();
    void lessonChanged(); ///< another file, or the same one read anew
    void stepChanged();   ///< entered, reset, or the own run is back
    void knobsChanged();
    void chanceChanged(); ///< the seed, or whether it matters
    void interventionsChanged();
    void programsChanged(); ///< by the learner, or because another step has others
    void trialChanged();    ///< begun, kept or dropped
    void questionChanged(); ///< asked, answered, lifted or forgotten
    void summaryChanged();  ///< reached or left
    void errorChanged();

private:
    struct OwnRun {
        int step;
        Setup setup;
        Instant playhead;
    };

    void reload();
    void adopt(Lesson lesson, int step);
    void enterStep(std::optional<Instant> playhead = std::nullopt);
    Setup stepSetup() const;
    void keepOwnRun();
    void leaveSummary();
    void settleQuestion(Answer answer);
    void followProgress();
    void drawVeil();
    /// Runs what the knobs and interventions say: as a run of its own, or as a variation of the one shown.
    enum class As { Own, Variation };
    QString restart(As as);
    QString apply(Setup to);
    QString knobLabel(const std::string& name) const;
    void followChance();
    void showAgain(const Setup& setup);
    void selectReturned(std::vector<Intervention> before);
    void setError(std::optional<Error> error);

    RunModel& m_run;
    LessonWatcher m_watcher;
    std::optional<Lesson> m_lesson;
    QString m_path;
    QString m_shelfFolder;
    std::optional<Error> m_error;
    int m_step = 0;
    Setup m_setup{{}, {}, 0, {}, nullptr}; ///< of nothing, until a lesson is open
    std::pair<std::uint64_t, bool> m_chance{0, false}; ///< seed() and leftToChance(), as last told
    EditHistory m_history;
    std::optional<Setup> m_trial; ///< what was there before it
    std::string m_sliding;        ///< the knob whose slider the trial is; empty: another one, or none
    Progress m_progress;
    bool m_atSummary = false;
    std::optional<OwnRun> m_ownRun;
};

} // namespace lockscope::ui
