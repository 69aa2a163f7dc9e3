// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <map>
#include <optional>

#include "core/lesson/lesson.h"
#include "ui/bridge/run_model.h"

namespace lockscope::ui {

/// The lesson that is open, the step it is at, what the learner answered and how the knobs stand.
/// It sets up the RunModel: entering a step starts the run that the step describes.
class LessonModel : public QObject {
    Q_OBJECT
public:
    LessonModel(RunModel& run, QObject* parent = nullptr);

    /// Opens a lesson at its first step (or `step`). A file that cannot be read leaves error() set and the window on it.
    void open(const QString& path, int step = 0);
    void open(Lesson lesson, int step = 0);
    /// The lesson as last read; null if none could be read yet.
    const Lesson* lesson() const { return m_lesson ? &*m_lesson : nullptr; }
    QString path() const { return m_path; }
    /// What is wrong with the file now; empty if nothing. The lesson that was open before stays usable.
    QString error() const { return m_error; }

    int step() const { return m_step; }
    int stepCount() const;
    void goTo(int step);
    void next();
    void back();
    /// Puts the step back as written; the learner's own run is kept and comes back with restoreOwnRun().
    void resetStep();
    bool ownRunKept() const;
    void restoreOwnRun();

    bool shows(Panel panel) const;

    /// The open question, or null if the step asks none or it has been answered.
    const Prediction* openQuestion() const;
    /// What was answered in this step: index of the option, or -1.
    int answer() const;
    void answerQuestion(int option);
    /// Lifts the veil without an answer.
    void liftVeil();

    KnobValue knobValue(const std::string& name) const;
    /// Takes effect at once. Empty, or one line that says what is allowed.
    QString setKnob(const std::string& name, const KnobValue& value);

    QString addIntervention(const Intervention& intervention);
    QString removeIntervention(int index);

    /// The command line that gives the run that is shown.
    QString commandLine() const;

signals:
    void lessonChanged();  ///< another file, or the same one read anew
    void stepChanged();
    void knobsChanged();
    void questionChanged(); ///< asked, answered or lifted
    void errorChanged();

private:
    void enterStep();
    void restart();

    RunModel& m_run;
    std::optional<Lesson> m_lesson;
    QString m_path;
    QString m_error;
    int m_step = 0;
    std::vector<KnobSetting> m_knobs;
    std::vector<Intervention> m_interventions;
    std::map<int, int> m_answers;  ///< step → option; -2: lifted by the host
    struct OwnRun {
        int step;
        std::vector<KnobSetting> knobs;
        std::vector<Intervention> interventions;
    };
    std::optional<OwnRun> m_ownRun;
};

} // namespace lockscope::ui
