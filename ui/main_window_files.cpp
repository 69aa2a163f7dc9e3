// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs as files: opening, saving, what was left unsaved; notes on them; pictures of them.
#include "ui/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QSettings>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/notes.h"
#include "ui/bridge/program_edit.h"
#include "ui/bridge/recovery.h"
#include "ui/bridge/run_document.h"
#include "ui/bridge/selection_facts.h"
#include "ui/bridge/shelf.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/main_window_parts.h"
#include "ui/panels/notice_bar.h"
#include "ui/panels/toast.h"
#include "ui/timeline/picture.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {

constexpr auto kRecent = "files/recent";
constexpr auto kFolder = "files/folder";
constexpr int kMostRecent = 8;

/// "14:02", or "28 Nov 14:02" if that was another day.
QString clockWords(const QDateTime& when) {
    const bool today = when.date() == QDate::currentDate();
    return QLocale().toString(when, today ? QStringLiteral("HH:mm") : QStringLiteral("d MMM HH:mm"));
}

} // namespace

void MainWindow::buildFileMenu() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->setObjectName(QStringLiteral("fileMenu"));
    const auto act = [&](const QString& text, const char* name, const QList<QKeySequence>& keys, auto does) {
        QAction* made = m_actions->add(file, text, name, keys);
        connect(made, &QAction::triggered, this, does);
        return made;
    };
    act(tr("&Open a lesson or a run…"), "actionOpen", {QKeySequence::Open}, [this] { openFileDialog(); });
    m_actions->recent = file->addMenu(tr("Open &recent"));
    m_actions->recent->setObjectName(QStringLiteral("recentMenu"));
    m_actions->save = act(tr("&Save the run"), "actionSave", {QKeySequence::Save}, [this] { saveRun(); });
    m_actions->saveAs = act(tr("Save the run &as…"), "actionSaveAs", {QKeySequence(tr("Ctrl+Shift+S"))},
                            [this] { saveRunAs(); });
    file->addSeparator();
    m_actions->copyCommand = act(tr("&Copy the command line"), "actionCopyCommand",
                                 {QKeySequence(tr("Ctrl+Shift+C"))}, [this] { copyCommandLine(); });
    m_actions->copyPicture = act(tr("Copy the &picture"), "actionCopyPicture",
                                 {QKeySequence(tr("Ctrl+Alt+C"))}, [this] { copyPicture(); });
    m_actions->exportPicture = act(tr("Save the pict&ure as…"), "actionExportPicture",
                                   {QKeySequence(tr("Ctrl+Alt+S"))}, [this] { exportPicture(); });
    file->addSeparator();
    act(tr("&Quit"), "actionQuit", {QKeySequence(tr("Ctrl+Q"))}, [this] { close(); });
    connect(m_actions->recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    fillRecentMenu();
}

void MainWindow::openFileDialog() {
    const QString folder =
        m_settings->value(QLatin1String(kFolder), QFileInfo(m_lesson->path()).absolutePath()).toString();
    auto* dialog = new QFileDialog(this, tr("Open a lesson or a run"), folder,
                                   tr("Lessons and runs (*.md *.lockrun);;All files (*)"));
    dialog->setObjectName(QStringLiteral("openDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setOption(QFileDialog::ReadOnly); // who opens a file does not want to rename or delete one
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openFile);
    dialog->open();
}

void MainWindow::openFile(const QString& path) {
    namesRunFile(path.toStdString()) ? openRun(path) : openLesson(path);
}

void MainWindow::openRun(const QString& path) {
    const QString file = QFileInfo(path).absoluteFilePath();
    const RunDocument::Opening opening = m_document->open(file, *m_shelf);
    if (!opening.problem.isEmpty()) {
        notice(opening.problem);
        return;
    }
    rememberFile(file);
    if (opening.lessonChanged)
        notice(tr("The lesson has changed since this run was saved. The run is shown on the lesson as it "
                  "is now."));
}

void MainWindow::saveRun() {
    m_document->path().isEmpty() ? saveRunAs() : saveRunTo(m_document->path());
}

void MainWindow::saveRunAs() {
    const QString folder = m_settings->value(QLatin1String(kFolder), QDir::homePath()).toString();
    const QString now = m_document->path();
    auto* dialog = new QFileDialog(this, tr("Save the run"), folder, tr("Runs (*.lockrun)"));
    dialog->setObjectName(QStringLiteral("saveDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("lockrun"));
    dialog->selectFile(now.isEmpty() ? qstr(m_lesson->lesson()->id) + QStringLiteral(".lockrun") : now);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::saveRunTo);
    dialog->open();
}

void MainWindow::saveRunTo(const QString& path) {
    m_programs->settle(); // the last keys belong to it
    if (const QString problem = m_document->save(path); !problem.isEmpty()) {
        m_notice->say(problem);
        return;
    }
    rememberFile(path);
    m_toast->say(tr("Saved: %1").arg(QFileInfo(path).fileName()));
}

void MainWindow::rememberFile(const QString& path) {
    QStringList recent = m_settings->value(QLatin1String(kRecent)).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    while (recent.size() > kMostRecent)
        recent.removeLast();
    m_settings->setValue(QLatin1String(kRecent), recent);
    m_settings->setValue(QLatin1String(kFolder), QFileInfo(path).absolutePath());
    fillRecentMenu();
}

void MainWindow::fillRecentMenu() {
    m_actions->recent->clear();
    for (const QString& path : m_settings->value(QLatin1String(kRecent)).toStringList()) {
        if (!QFileInfo::exists(path)) continue;
        QAction* item = m_actions->recent->addAction(menuText(QFileInfo(path).fileName()));
        item->setToolTip(path);
        item->setStatusTip(path);
        connect(item, &QAction::triggered, this, [this, path] { openFile(path); });
    }
    m_actions->recent->setEnabled(!m_actions->recent->isEmpty());
}

/// Another lesson or run comes: what was said is about this one, unless it offers what was left before; and
/// what is unsaved here can be had back. An experiment that was never saved and has no notes is told of for
/// some seconds, and again when the next window opens; the bar is for what somebody has worked on.
void MainWindow::leaveDocument() {
    if (!m_notice->asks()) m_notice->hide();
    const bool work = !m_document->path().isEmpty() || !m_notes->all().empty();
    if (!m_recovery->setAside()) return;
    offerLeftWork(work || m_notice->asks() ? &MainWindow::offer : &MainWindow::mention);
}

/// What need not be answered gives way to what waits for an answer.
void MainWindow::notice(const QString& text) {
    m_notice->asks() ? m_toast->say(text) : m_notice->say(text);
}

/// Quietly, one at a time: what an earlier window has left unsaved.
void MainWindow::offerLeftWork(void (MainWindow::*how)(const Recovery::Left&)) {
    const auto [left, unreadable] = m_recovery->look();
    if (left) (this->*how)(*left);
    for (const QString& file : unreadable)
        notice(tr("Unsaved work of an earlier window cannot be read here. It is kept as %1.").arg(file));
}

QString MainWindow::leftWords(const Recovery::Left& left) const {
    const Shelf::Entry* lesson = m_shelf->byId(qstr(left.content.lesson));
    return left.origin.isEmpty() ? tr("Your run of “%1” from %2 was not saved.")
                                       .arg(lesson != nullptr ? lesson->title : qstr(left.content.lesson),
                                            clockWords(left.when))
                                 : tr("Your changes to %1 from %2 were not saved.")
                                       .arg(QFileInfo(left.origin).fileName(), clockWords(left.when));
}

void MainWindow::offer(const Recovery::Left& left) {
    m_notice->say(leftWords(left),
                  {{tr("Restore"), QStringLiteral("restoreButton"), [this, left] { restoreLeft(left); }},
                   {tr("Discard"), QStringLiteral("discardButton"), [this, left] {
                        m_recovery->discard(left);
                        offerLeftWork(&MainWindow::offer);
                        m_toast->say(tr("Discarded."), tr("Undo"), [this, left] {
                            m_recovery->putBack(left);
                            offer(left);
                        });
                    }}});
}

/// When the lesson that comes has said what it has to say.
void MainWindow::mention(const Recovery::Left& left) {
    QMetaObject::invokeMethod(
        this,
        [this, left] { m_toast->say(leftWords(left), tr("Restore"), [this, left] { restoreLeft(left); }); },
        Qt::QueuedConnection);
}

void MainWindow::restoreLeft(const Recovery::Left& left) {
    const RunDocument::Opening opening = m_document->restore(left.content, left.origin, *m_shelf);
    if (!opening.problem.isEmpty()) return m_notice->say(opening.problem);
    // It is this window's now; the old place goes when it is safe in the new one.
    if (m_recovery->flush()) return m_recovery->discard(left);
    notice(tr("This run cannot be kept in %1 while it is not saved. What was left before stays there.")
               .arg(m_recovery->folder()));
}

/// Closing asks nothing, as nothing gets lost by it. Here it would.
void MainWindow::sayCannotClose() {
    m_notice->say(tr("What you have changed cannot be kept in %1, and closing the window would lose it. "
                     "Save the run somewhere else, or close all the same.")
                      .arg(m_recovery->folder()),
                  {{tr("Close"), QStringLiteral("closeAnywayButton"), [this] {
                        m_closesAnyway = true;
                        close();
                    }}});
}

/// Where a note on what is selected belongs; at the playhead if nothing is.
void MainWindow::noteHere() {
    const auto run = m_run->run();
    if (!run) return;
    m_run->pause();
    const auto [from, until] = spanOf(*run, m_run->selection(), m_run->playhead());
    const Instant last = m_run->end();
    oneTimeline().beginNote(std::min(from, last), std::min(until, last));
}

PictureCaption MainWindow::pictureCaption() const {
    const Lesson* lesson = m_lesson->lesson();
    PictureCaption caption;
    caption.title = lesson == nullptr    ? QString()
                    : lesson->number > 0 ? tr("%1 · %2").arg(lesson->number).arg(qstr(lesson->title))
                                         : qstr(lesson->title);
    const Step* step = m_lesson->currentStep();
    caption.subtitle =
        tr("Step %1 of %2 · %3 · playhead at %4")
            .arg(m_lesson->step() + 1)
            .arg(m_lesson->stepCount())
            .arg(step == nullptr ? QString() : qstr(step->title), exactSeconds(m_run->playhead()));
    caption.footer = m_lesson->commandLine();
    return caption;
}

void MainWindow::copyPicture() {
    QApplication::clipboard()->setImage(
        pictureOf(*m_timeline, *m_look, pictureCaption(), devicePixelRatioF()));
    m_toast->say(tr("Copied: a picture of the timeline"));
}

void MainWindow::exportPicture() {
    const QString png = tr("PNG picture (*.png)"), large = tr("PNG picture, twice the size (*.png)"),
                  svg = tr("SVG picture (*.svg)");
    const QString folder = m_settings->value(QLatin1String(kFolder), QDir::homePath()).toString();
    auto* dialog = new QFileDialog(this, tr("Save a picture of the timeline"), folder);
    dialog->setObjectName(QStringLiteral("pictureDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({png, large, svg});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, svg](const QString& filter) {
        dialog->setDefaultSuffix(filter == svg ? QStringLiteral("svg") : QStringLiteral("png"));
    });
    dialog->selectFile(qstr(m_lesson->lesson()->id));
    connect(dialog, &QFileDialog::fileSelected, this, [this, dialog, large](const QString& file) {
        const double ratio = dialog->selectedNameFilter() == large ? 2 : 1;
        const QString problem = writePicture(*m_timeline, *m_look, pictureCaption(), file, ratio);
        if (problem.isEmpty())
            m_toast->say(tr("Saved: %1").arg(QFileInfo(file).fileName()));
        else
            m_notice->say(problem);
    });
    dialog->open();
}

} // namespace lockscope::ui
