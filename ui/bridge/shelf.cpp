// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/shelf.h"

#include <QFileInfo>

#include "core/lesson/lesson.h"
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
        shelf.entries.append(
            {qstr(lesson.id),
             lesson.number > 0 ? QStringLiteral("%1 · %2").arg(lesson.number).arg(title) : title,
             qstr(lesson.file), false});
    }
    for (const Error& error : read.broken) {
        const QString path = qstr(error.file);
        shelf.entries.append({QString(), QFileInfo(path).fileName(), path, true});
    }
    return shelf;
}

} // namespace lockscope::ui
