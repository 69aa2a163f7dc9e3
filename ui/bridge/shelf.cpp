// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/shelf.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

#include "core/lesson/lesson.h"
#include "ui/bridge/progress.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

const Shelf::Entry* Shelf::byId(const QString& id) const {
    for (const Entry& entry : entries)
        if (!entry.broken && entry.id == id) return &entry;
    return nullptr;
}

const Shelf::Entry* Shelf::byPath(const QString& path) const {
    const QFileInfo wanted(path);
    for (const Entry& entry : entries)
        if (QFileInfo(entry.path) == wanted) return &entry;
    return nullptr;
}

Shelf readShelf(const QString& folder) {
    Shelf shelf;
    const LessonShelf read = readLessonFolder(folder.toStdString());
    for (const Lesson& lesson : read.lessons) {
        const QString title = qstr(lesson.title);
        Shelf::Entry entry;
        entry.id = qstr(lesson.id);
        entry.title = lesson.number > 0 ? QStringLiteral("%1 · %2").arg(lesson.number).arg(title) : title;
        entry.path = qstr(lesson.file);
        entry.steps = static_cast<int>(lesson.steps.size());
        for (const Step& step : lesson.steps) {
            if (!step.predictions.empty())
                entry.questions.insert(questionId(step), rightOption(step.predictions.front()));
            if (step.challenge) entry.challenges << challengeId(step);
        }
        shelf.entries.append(entry);
    }
    for (const Error& error : read.broken) {
        const QString path = qstr(error.file);
        Shelf::Entry entry;
        entry.title = QFileInfo(path).fileName();
        entry.path = path;
        entry.broken = true;
        shelf.entries.append(entry);
    }
    return shelf;
}

Stage stageOf(const LessonProgress& progress) {
    return progress.finished ? Stage::Done : progress.furthest > 0 ? Stage::Begun : Stage::NotBegun;
}

QString progressWords(const Shelf::Entry& entry, const LessonProgress& progress) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("lockscope", text); };
    QStringList words;
    switch (stageOf(progress)) {
    case Stage::NotBegun:
        return tr("not begun");
    case Stage::Begun:
        words << tr("step %1 of %2").arg(std::min(progress.furthest, entry.steps)).arg(entry.steps);
        break;
    case Stage::Done: {
        int right = 0;
        for (auto it = entry.questions.begin(); it != entry.questions.end(); ++it)
            right += progress.answers.value(it.key()).option == it.value() ? 1 : 0;
        words << tr("done");
        if (!entry.questions.isEmpty()) words << tr("%1 of %2 right").arg(right).arg(entry.questions.size());
    }
    }
    const auto passed = std::count_if(entry.challenges.begin(), entry.challenges.end(),
                                      [&](const QString& id) { return progress.passed.contains(id); });
    if (passed > 0 && entry.challenges.size() == 1) words << tr("challenge passed");
    if (passed > 0 && entry.challenges.size() > 1)
        words << tr("%1 of %2 challenges passed").arg(passed).arg(entry.challenges.size());
    return words.join(QStringLiteral(" · "));
}

} // namespace lockscope::ui
