// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <optional>

#include "core/lesson/run_file.h"

namespace lockscope::ui {

class KeptRuns;
class LessonModel;
class Notes;
struct Shelf;

/// What somebody has made of the lesson that is open, as one thing that can be saved: the run as it stands,
/// their own run, kept runs and notes. It has a file once it was saved or opened.
///
/// Steps as they are written are nobody's work: going through a lesson modifies nothing. With another lesson,
/// however it comes to be open, another document begins, which has no file and no note; kept runs are the
/// lesson's.
class RunDocument : public QObject {
    Q_OBJECT
public:
    RunDocument(LessonModel& lesson, Notes& notes, KeptRuns& kept, QObject* parent = nullptr);

    /// Empty until it was saved or opened.
    QString path() const { return m_path; }
    bool modified() const { return m_modified; }
    /// A hand is at work on the run: what it will have made of it is not known before it lets go, and until
    /// then nothing is told.
    bool inHand() const;
    RunFile content() const;

    /// Empty, or one line that says why the file is as it was.
    QString save(const QString& path);

    struct Opening {
        QString problem;            ///< not empty: one line, and nothing has changed
        bool lessonChanged = false; ///< the lesson reads differently from when the run was saved
    };
    Opening open(const QString& path, const Shelf& shelf);
    /// Work that was never saved. `origin` is the file it belongs to, or empty.
    Opening restore(const RunFile& file, const QString& origin, const Shelf& shelf);

signals:
    /// Another document is about to take the place of this one, which is complete and as it was.
    void aboutToReplace();
    /// Its content, its file, or whether it is modified.
    void changed();

private:
    Opening show(const RunFile& file, const QString& nextTo, const Shelf& shelf);
    void leave();
    void refresh();
    bool differsFromSaved() const;

    LessonModel& m_lesson;
    Notes& m_notes;
    KeptRuns& m_kept;
    QString m_path;
    std::optional<RunFile> m_saved; ///< as it stands in the file
    bool m_modified = false;
    bool m_showing = false; ///< half of another document is there
};

} // namespace lockscope::ui
