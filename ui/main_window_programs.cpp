// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The programs of the lesson: edited, checked against the step's challenge, read in another language. What an
// edit is decides ProgramEdit, what a check is ChallengeCheck; here stands only which action asks for which.
#include <QApplication>
#include <QClipboard>
#include <QCryptographicHash>
#include <QDir>

#include "core/lesson/run_file.h"
#include "ui/bridge/challenge_check.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/program_edit.h"
#include "ui/bridge/run_document.h"
#include "ui/bridge/text.h"
#include "ui/main_window_parts.h"
#include "ui/panels/challenge_card.h"
#include "ui/panels/code_panel.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/side_panel.h"
#include "ui/panels/toast.h"

namespace lockscope::ui {

void MainWindow::buildProgramActions(QMenu* menu) {
    const auto act = [&](const QString& text, const char* name, const QString& key, auto does) {
        QAction* made = m_actions->add(menu, text, name, {QKeySequence(key)});
        connect(made, &QAction::triggered, this, [this, does](bool on) {
            m_side->raise(SidePanel::Code);
            does(on);
        });
        return made;
    };
    m_actions->editProgram = act(tr("Ed&it the program"), "actionEditProgram", tr("Ctrl+E"),
                                 [this](bool on) { m_code->setEditing(on); });
    m_actions->editProgram->setCheckable(true);
    m_actions->programChanges = act(tr("C&hanges to the program"), "actionProgramChanges", tr("Ctrl+Shift+E"),
                                    [this](bool on) { m_code->setShowsChanges(on); });
    m_actions->programChanges->setCheckable(true);
    m_actions->resetProgram = act(tr("Reset the pro&gram"), "actionResetProgram", tr("Ctrl+Alt+R"),
                                  [this](bool) { m_code->reset(); });
    m_actions->nextLanguage = act(tr("Program in the next &language"), "actionNextLanguage", tr("Ctrl+Alt+L"),
                                  [this](bool) { m_code->nextLanguage(); });
}

void MainWindow::buildChallengeActions(QMenu* menu) {
    m_actions->checkProgram = m_actions->add(menu, tr("C&heck my program"), "actionCheckProgram",
                                             {QKeySequence(tr("Ctrl+Shift+Return"))});
    m_actions->hint = m_actions->add(menu, tr("H&int"), "actionHint", {QKeySequence(tr("Ctrl+H"))});
    m_actions->speakerNotes = m_actions->add(menu, tr("Notes for the spea&ker"), "actionSpeakerNotes",
                                             {QKeySequence(tr("Shift+N"))});
    m_actions->speakerNotes->setCheckable(true);
}

void MainWindow::connectPrograms() {
    ChallengeCard& card = m_lessonPanel->challenge();
    connect(m_actions->checkProgram, &QAction::triggered, this, [this, &card] {
        m_programs->settle();
        card.check();
    });
    connect(m_actions->hint, &QAction::triggered, &card, &ChallengeCard::help);
    connect(&card, &ChallengeCard::said, this, [this](const QString& line) {
        m_toast->say(line, tr("Undo (Ctrl+Z)"), [this] { m_actions->undo->trigger(); });
    });
    connect(m_actions->speakerNotes, &QAction::toggled, m_lessonPanel, &LessonPanel::setNotesShown);
    connect(m_code, &CodePanel::stateChanged, this, &MainWindow::refreshPrograms);
    connect(m_check, &ChallengeCheck::changed, this, &MainWindow::refreshPrograms);
    refreshPrograms();
}

void MainWindow::refreshPrograms() {
    m_actions->editProgram->setEnabled(m_lesson->hasRun() && m_run->pastEditable());
    m_actions->editProgram->setChecked(m_code->editing());
    m_actions->programChanges->setEnabled(m_code->edited() || m_code->showsChanges());
    m_actions->programChanges->setChecked(m_code->showsChanges());
    m_actions->resetProgram->setEnabled(m_code->edited());
    m_actions->nextLanguage->setEnabled(m_lesson->lesson() != nullptr &&
                                        !m_lesson->lesson()->translations.empty());
    m_actions->checkProgram->setEnabled(m_check->possible() ||
                                        m_check->state() == ChallengeCheck::State::Searching);
    m_actions->hint->setEnabled(m_check->challenge() != nullptr);
}

/// A program of the learner's own has no place on a command line, so there the command names a file, and the
/// file is written now.
void MainWindow::copyCommandLine() {
    m_programs->settle();
    QString file;
    if (m_lesson->needsRunFile()) {
        const RunFile content = m_document->content();
        const QByteArray text = QByteArray::fromStdString(formatRunFile(content));
        const QString hash =
            QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex().left(10));
        const QDir folder(m_dataFolder + QStringLiteral("/runs"));
        folder.mkpath(QStringLiteral("."));
        file =
            folder.absoluteFilePath(QStringLiteral("%1-%2.lockrun").arg(qstr(m_lesson->lesson()->id), hash));
        if (const Result<void> written = writeRunFile(content, file.toStdString()); !written) {
            m_toast->say(tr("The run could not be saved, and its program has no place on a command line: %1")
                             .arg(qstr(written.error().message)));
            return;
        }
    }
    const QString line = m_lesson->commandLine(file);
    QApplication::clipboard()->setText(line);
    m_toast->say(file.isEmpty() ? tr("Copied: %1").arg(line)
                                : tr("Copied: %1. The program is in that file.").arg(line));
}

} // namespace lockscope::ui
