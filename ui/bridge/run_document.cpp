// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/run_document.h"

#include <QDir>
#include <QFileInfo>

#include "core/base/whole_file.h"
#include "ui/bridge/kept_runs.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/notes.h"
#include "ui/bridge/shelf.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

RunDocument::RunDocument(LessonModel& lesson, Notes& notes, KeptRuns& kept, QObject* parent)
    : QObject(parent), m_lesson(lesson), m_notes(notes), m_kept(kept) {
    connect(&lesson, &LessonModel::aboutToLeave, this, &RunDocument::leave);
    connect(&lesson, &LessonModel::lessonChanged, this, &RunDocument::refresh);
    connect(&lesson, &LessonModel::stepChanged, this, &RunDocument::refresh);
    connect(&lesson, &LessonModel::knobsChanged, this, &RunDocument::refresh);
    connect(&lesson, &LessonModel::chanceChanged, this, &RunDocument::refresh);
    connect(&lesson, &LessonModel::interventionsChanged, this, &RunDocument::refresh);
    connect(&lesson, &LessonModel::trialChanged, this, &RunDocument::refresh);
    connect(&lesson, &LessonModel::programsChanged, this, &RunDocument::refresh);
    connect(&notes, &Notes::changed, this, &RunDocument::refresh);
    connect(&kept, &KeptRuns::changed, this, &RunDocument::refresh);
}

RunFile RunDocument::content() const {
    RunFile file;
    const Lesson* lesson = m_lesson.lesson();
    if (lesson == nullptr) return file;
    file.lesson = lesson->id;
    // Where a shipped lesson lies is the business of the machine it is opened on.
    if (!m_lesson.onShelf()) file.lessonFile = QFileInfo(qstr(lesson->file)).absoluteFilePath().toStdString();
    file.lessonHash = lesson->contentHash;
    file.current = saveRun(*lesson, m_lesson.settled(), {});
    if (const std::optional<SettledRun> own = m_lesson.ownRun()) file.own = saveRun(*lesson, *own, {});
    file.kept = m_kept.list();
    file.notes = m_notes.all();
    return file;
}

bool RunDocument::differsFromSaved() const {
    const Lesson* lesson = m_lesson.lesson();
    if (lesson == nullptr) return false;
    if (m_saved ? m_kept.list() != m_saved->kept : m_kept.count() > 0) return true;
    if (m_saved ? m_notes.all() != m_saved->notes : !m_notes.all().empty()) return true;
    const auto unsaved = [&](const SettledRun& work) {
        const SavedRun run = saveRun(*lesson, work, {});
        return !m_saved || (run != m_saved->current && (!m_saved->own || run != *m_saved->own));
    };
    if (m_lesson.changedFromStep() && unsaved(m_lesson.settled())) return true;
    const std::optional<SettledRun> own = m_lesson.ownRun();
    return own && unsaved(*own);
}

bool RunDocument::inHand() const {
    return m_lesson.trying();
}

void RunDocument::refresh() {
    if (m_showing || inHand()) return;
    m_modified = differsFromSaved();
    emit changed();
}

void RunDocument::leave() {
    if (m_showing) return; // show() has left already
    if (m_lesson.lesson() != nullptr) {
        m_lesson.dropTrial();
        m_notes.settle();
        emit aboutToReplace();
    }
    m_path.clear();
    m_saved.reset();
    m_showing = true; // the lesson that is there still is not the one of an empty document
    m_notes.replaceAll({});
    m_showing = false;
}

QString RunDocument::save(const QString& path) {
    m_lesson.dropTrial();
    m_notes.settle();
    RunFile file = content();
    if (const Result<void> done = writeRunFile(file, path.toStdString()); !done)
        return tr("%1 could not be saved: %2").arg(QFileInfo(path).fileName(), qstr(done.error().message));
    m_path = path;
    m_saved = std::move(file);
    refresh();
    return {};
}

RunDocument::Opening RunDocument::open(const QString& path, const Shelf& shelf) {
    const Result<RunFile> file = readRunFile(path.toStdString());
    if (!file) return {tr("%1: %2").arg(QFileInfo(path).fileName(), qstr(file.error().message))};
    const Opening opening = show(*file, path, shelf);
    if (!opening.problem.isEmpty()) return opening;
    m_path = path;
    m_saved = content();
    m_saved->own = file->own;
    refresh();
    return opening;
}

RunDocument::Opening RunDocument::restore(const RunFile& file, const QString& origin, const Shelf& shelf) {
    const Opening opening = show(file, origin, shelf);
    if (!opening.problem.isEmpty()) return opening;
    m_path = origin;
    m_saved.reset();
    if (const Result<RunFile> before = readRunFile(origin.toStdString()); before)
        m_saved = *before;
    else
        m_path.clear(); // it never was saved, or is gone
    refresh();
    return opening;
}

/// Everything is checked before anything is shown.
RunDocument::Opening RunDocument::show(const RunFile& file, const QString& nextTo, const Shelf& shelf) {
    const QString id = qstr(file.lesson);
    const QString named = qstr(file.lessonFile);
    const QString beside = QFileInfo(nextTo).absoluteDir().filePath(QFileInfo(named).fileName());
    const Shelf::Entry* entry = named.isEmpty() ? shelf.byId(id) : nullptr;
    const QString path = entry != nullptr                                ? entry->path
                         : !named.isEmpty() && QFileInfo::exists(named)  ? named
                         : !named.isEmpty() && QFileInfo::exists(beside) ? beside
                                                                         : QString();
    const auto failed = [&](const QString& why) {
        const QString name = nextTo.isEmpty() ? tr("The run") : QFileInfo(nextTo).fileName();
        return Opening{tr("%1: %2").arg(name, why)};
    };
    if (path.isEmpty()) return failed(tr("its lesson '%1' is not here").arg(id));
    Result<Lesson> lesson = readLesson(path.toStdString());
    if (!lesson) return failed(qstr(lesson.error().text()));
    const Result<SettledRun> current = settle(*lesson, file.current);
    if (!current) return failed(qstr(current.error().message));
    std::optional<SettledRun> own;
    if (file.own) {
        const Result<SettledRun> settled = settle(*lesson, *file.own);
        if (!settled) return failed(qstr(settled.error().message));
        own = *settled;
    }
    for (const SavedRun& kept : file.kept)
        if (const Result<SettledRun> settled = settle(*lesson, kept); !settled)
            return failed(tr("kept run '%1': %2").arg(qstr(kept.name), qstr(settled.error().message)));

    const bool lessonChanged = lesson->contentHash != file.lessonHash;
    leave();
    m_showing = true;
    m_lesson.openRun(std::move(*lesson), *current, own);
    m_kept.setList(file.kept);
    m_notes.replaceAll(file.notes);
    m_showing = false;
    return {{}, lessonChanged};
}

} // namespace lockscope::ui
