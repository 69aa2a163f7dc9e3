// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <map>
#include <vector>

#include "core/lesson/saved_run.h"
#include "ui/bridge/run_model.h"

namespace lockscope::ui {

class LessonModel;

/// Runs that somebody has kept by name, to come back to or to compare. They are values: whatever is done to
/// the run that is shown, a kept one stays what it was.
///
/// Invariant: names are not empty and each lesson's are unique; they and the number of runs fit into a run
/// file. Every lesson has a list of its own, which is still there when the lesson is opened again.
class KeptRuns : public QObject {
    Q_OBJECT
public:
    explicit KeptRuns(LessonModel& lesson, QObject* parent = nullptr);

    /// Those of the lesson that is open, in the order of keeping.
    const std::vector<SavedRun>& list() const;
    int count() const { return static_cast<int>(list().size()); }
    QString name(int index) const;
    /// In place of what there is. Doubled names get numbers.
    void setList(std::vector<SavedRun> runs);

    /// Whether there is a run to keep.
    bool canKeep() const;
    /// A name for the run that is shown, free to take.
    QString suggestion() const;
    /// Characters of a name that fields take: it has to be read at a glance.
    static constexpr int kLongestTyped = 120;
    /// What a run is called that somebody wants to call so: cut to what a run file can hold.
    static QString possibleName(const QString& wanted);
    /// Keeps the run that is shown, as the last one. A blank name is the suggestion, a taken one gets a
    /// number. Nothing, or one line that says why not.
    QString keep(const QString& name);
    /// Nothing, or one line that says why not.
    QString rename(int index, const QString& name);
    SavedRun remove(int index);
    /// Nothing, or one line that says why not.
    QString insert(int index, SavedRun run);
    /// Makes it the run that is shown: a change of the learner's like others. Nothing, or one line.
    QString restore(int index);

    /// The run itself, simulated when it is first wanted. It is an error if the lesson has changed so that it
    /// cannot be run any more.
    Result<std::shared_ptr<const Run>> run(int index) const;

signals:
    void changed();

private:
    /// Those of a lesson, and beside each the run itself once it was wanted; null until then.
    struct List {
        std::vector<SavedRun> saved;
        mutable std::vector<std::shared_ptr<const Run>> made;
    };
    List& mine();
    const List& theirs() const;
    std::vector<std::string> names(int except = -1) const;
    std::string freeName(const std::string& wanted) const;

    LessonModel& m_lesson;
    std::map<std::string, List> m_lists; ///< by the lesson's id
};

} // namespace lockscope::ui
