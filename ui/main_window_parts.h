// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include "ui/main_window.h"

namespace lockscope::ui {

/// Every action of the window. Each has a menu entry, so whatever the mouse can do has a name and a key.
struct MainWindow::Actions {
    QMenu* lessons = nullptr;
    QMenu* answers = nullptr;
    QMenu* actors = nullptr;
    QMenu* kept = nullptr;

    QAction* next = nullptr;
    QAction* back = nullptr;
    QAction* reset = nullptr;
    QAction* ownRun = nullptr;
    QAction* check = nullptr;
    QAction* lift = nullptr;
    QList<QAction*> sure;
    QAction* forget = nullptr;
    QAction* forgetAll = nullptr;
    QMenu* recent = nullptr;
    QAction* save = nullptr;
    QAction* saveAs = nullptr;
    QAction* copyCommand = nullptr;
    QAction* copyPicture = nullptr;
    QAction* exportPicture = nullptr;
    QAction* note = nullptr;

    QAction* play = nullptr;
    QAction* previousViolation = nullptr;
    QAction* nextViolation = nullptr;
    QAction* findFailure = nullptr;
    QAction* table = nullptr;
    QAction* readStrip = nullptr;
    QAction* stripBorder = nullptr;
    QList<QAction*> transport; ///< what needs a run

    QAction* undo = nullptr;
    QAction* redo = nullptr;
    QList<QAction*> faultEdits; ///< what needs a selected fault
    QList<QAction*> faults;     ///< to do one, in the order of interventionKinds()
    QAction* pauseLength = nullptr;
    QAction* editProgram = nullptr;
    QAction* programChanges = nullptr;
    QAction* resetProgram = nullptr;
    QAction* nextLanguage = nullptr;
    QAction* checkProgram = nullptr;
    QAction* hint = nullptr;
    QAction* speakerNotes = nullptr;
    QAction* resume = nullptr;
    QActionGroup* actorChoice = nullptr;

    QAction* showLesson = nullptr;
    QAction* throwAgain = nullptr;
    QAction* keep = nullptr;
    QAction* compare = nullptr;
    QAction* stepView = nullptr;
    QAction* ghost = nullptr;
    QAction* legend = nullptr;
    QAction* dark = nullptr;
    QAction* reducedMotion = nullptr;

    /// An action of the window, with its entry in a menu.
    QAction* add(QMenu* menu, const QString& text, const char* name, const QList<QKeySequence>& keys);

    /// Actions whose letters answer the open question for now, with their own keys.
    QHash<QAction*, QList<QKeySequence>> lent;
    QList<QAction*> all; ///< in the order of the menus, for the overview of keys
};

} // namespace lockscope::ui
