// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QString>

namespace lockscope::ui {

/// The lessons of a folder, as a picker needs them: in order, the broken ones among them.
struct Shelf {
    struct Entry {
        QString id; ///< empty if the file cannot be read
        QString title;
        QString path;
        bool broken = false;
        int steps = 0;
        QHash<QString, int> questions; ///< the id of each question, and which option is right
        QStringList challenges;        ///< their ids
    };
    QList<Entry> entries;

    /// Null if there is none.
    const Entry* byId(const QString& id) const;
    const Entry* byPath(const QString& path) const;
};

Shelf readShelf(const QString& folder);

struct LessonProgress;
/// How far somebody is with a lesson.
enum class Stage { NotBegun, Begun, Done };
Stage stageOf(const LessonProgress& progress);
/// The same in words: "not begun", "step 2 of 6", "done · 3 of 4 right · challenge passed". Only answers to
/// questions that the lesson still asks count, and challenges that it still has.
QString progressWords(const Shelf::Entry& entry, const LessonProgress& progress);

} // namespace lockscope::ui
