// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>
#include <QSplitter>
#include <QStandardPaths>
#include <QStyle>

#include "core/base/assert.h"
#include "ui/bridge/challenge_check.h"
#include "ui/bridge/failure_search.h"
#include "ui/bridge/fault_desk.h"
#include "ui/bridge/kept_runs.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/matrix_search.h"
#include "ui/bridge/notes.h"
#include "ui/bridge/odds_search.h"
#include "ui/bridge/program_edit.h"
#include "ui/bridge/recovery.h"
#include "ui/bridge/run_document.h"
#include "ui/bridge/shelf.h"
#include "ui/bridge/text.h"
#include "ui/bridge/what_if.h"
#include "ui/live/live_window.h"
#include "ui/live/observe_window.h"
#include "ui/live/serve_window.h"
#include "ui/look.h"
#include "ui/main_window_parts.h"
#include "ui/panels/code_panel.h"
#include "ui/panels/focus_ring.h"
#include "ui/panels/icons.h"
#include "ui/panels/invitation.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/notice_bar.h"
#include "ui/panels/progress_delegate.h"
#include "ui/panels/summary_panel.h"

namespace lockscope::ui {

namespace {

constexpr auto kGeometry = "window/geometry";
constexpr auto kDark = "look/dark";
constexpr auto kScale = "look/scale";
constexpr auto kReducedMotion = "look/reducedMotion";
constexpr auto kLanguage = "code/language";
constexpr auto kLesson = "lesson/path";
constexpr auto kStep = "lesson/step";
constexpr auto kInvited = "lesson/invited";

std::unique_ptr<QSettings> openSettings(const QString& file) {
    if (!file.isEmpty()) return std::make_unique<QSettings>(file, QSettings::IniFormat);
    return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                       QStringLiteral("lockscope"), QStringLiteral("lockscope"));
}

QString dataFolderFor(const WindowOptions& options) {
    if (!options.dataFolder.isEmpty()) return options.dataFolder;
    if (!options.settingsFile.isEmpty()) return QFileInfo(options.settingsFile).absolutePath();
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/lockscope");
}

} // namespace

WindowOptions::WindowOptions() = default;
WindowOptions::WindowOptions(WindowOptions&&) noexcept = default;
WindowOptions::~WindowOptions() = default;

MainWindow::MainWindow(WindowOptions options, QWidget* parent)
    : QMainWindow(parent), m_settings(openSettings(options.settingsFile)),
      m_lessonFolder(options.lessonFolder), m_dataFolder(dataFolderFor(options)),
      m_shelf(std::make_unique<Shelf>(readShelf(options.lessonFolder))), m_liveHost(std::move(options.live)),
      m_serveHost(std::move(options.serve)), m_actions(std::make_unique<Actions>()) {
    LOCKSCOPE_ASSERT(options.session != nullptr);
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(appIcon());
    setAcceptDrops(true);
    if (QApplication::style()->name() != QLatin1String("fusion"))
        QApplication::setStyle(QStringLiteral("fusion")); // flat and the same everywhere; the palette is ours
    m_look = new Look(this);
    m_run = new RunModel(std::move(options.session), this);
    m_lesson = new LessonModel(*m_run, this);
    m_lesson->setShelfFolder(m_lessonFolder);
    m_kept = new KeptRuns(*m_lesson, this);
    m_whatIf = new WhatIf(*m_run, this);
    m_search = new FailureSearch(*m_lesson, *m_run, this);
    m_tableSearch = new MatrixSearch(*m_lesson, *m_run, this);
    m_odds = new OddsSearch(*m_lesson, this);
    m_desk = new FaultDesk(*m_lesson, *m_run, this);
    m_programs = new ProgramEdit(*m_lesson, *m_run, this);
    m_check = new ChallengeCheck(*m_lesson, *m_run, this);
    m_notes = new Notes(this);
    m_notes->setHistory(&m_lesson->history());
    m_document = new RunDocument(*m_lesson, *m_notes, *m_kept, this);
    m_recovery = new Recovery(*m_document, m_dataFolder + QStringLiteral("/unsaved"), this);
    m_lesson->progress().keepIn(m_dataFolder + QStringLiteral("/progress.json"));

    buildCentre();
    buildToolBar();
    buildActions();
    connectViews();
    connectPrograms();
    buildWhatIf();
    buildFailureSearch();
    buildMatrix();
    fillLessonPicker();
    connect(&m_lesson->progress(), &Progress::changed, this, &MainWindow::showProgress);
    new FocusRing(*m_look, this);
    qApp->installEventFilter(this);
    restoreState();
    applyLook();
    connect(m_look, &Look::changed, this, &MainWindow::applyLook);

    const QString last = m_settings->value(QLatin1String(kLesson)).toString();
    if (!options.open.isEmpty() && !namesRunFile(options.open.toStdString()))
        openLesson(options.open);
    else if (!last.isEmpty() && QFileInfo::exists(last))
        openLesson(last, m_settings->value(QLatin1String(kStep)).toInt());
    else if (!m_shelf->entries.isEmpty())
        openLesson(m_shelf->entries.front().path);
    lessonChanged();
    offerLeftWork(&MainWindow::offer);
    if (namesRunFile(options.open.toStdString())) openRun(options.open);
    m_invitation->setWanted(!m_settings->value(QLatin1String(kInvited), false).toBool());
    connect(m_invitation, &Invitation::accepted, this,
            [this] { m_settings->setValue(QLatin1String(kInvited), true); });
}

/// Views hold references to the models and the look, so they go first.
MainWindow::~MainWindow() {
    qApp->removeEventFilter(this);
    delete findChild<FocusRing*>();
    delete m_live;
    delete m_serve;
    delete m_observe;
    delete m_toolBar;
    delete takeCentralWidget();
}

void MainWindow::openLesson(const QString& idOrFile, int step) {
    const Shelf::Entry* entry = m_shelf->byId(idOrFile);
    const QString path = entry != nullptr ? entry->path : QFileInfo(idOrFile).absoluteFilePath();
    m_lesson->open(path, step); // one that cannot be read leaves what is open where it is
}

void MainWindow::fillLessonPicker() {
    const QSignalBlocker quiet(m_picker);
    m_picker->clear();
    for (const Shelf::Entry& entry : m_shelf->entries)
        m_picker->addItem(glyphIcon(*m_look, Glyph::Warning),
                          entry.broken ? tr("%1 (cannot be read)").arg(entry.title) : entry.title,
                          entry.path);
    m_picker->setItemDelegate(new ProgressDelegate(*m_look, m_picker));
    showProgress();
}

/// How far one is, beside every lesson: a ring that fills, and a word.
void MainWindow::showProgress() {
    for (int row = 0; row < m_shelf->entries.size(); ++row) {
        const Shelf::Entry& entry = m_shelf->entries[row];
        if (entry.broken) continue;
        const LessonProgress progress = m_lesson->progress().of(entry.id);
        const Stage stage = stageOf(progress);
        const QString words = progressWords(entry, progress);
        m_picker->setItemIcon(row, glyphIcon(*m_look, stage == Stage::NotBegun ? Glyph::RingEmpty
                                                      : stage == Stage::Begun  ? Glyph::RingHalf
                                                                               : Glyph::RingFull));
        m_picker->setItemData(row, words, ProgressDelegate::kWordRole);
        m_picker->setItemData(row, tr("%1, %2").arg(entry.title, words), Qt::AccessibleTextRole);
    }
    m_picker->view()->setMinimumWidth(m_picker->view()->sizeHintForColumn(0) + m_look->px(24));
    fillLessonMenu();
}

void MainWindow::openNextLesson() {
    const Shelf::Entry* entry = m_shelf->byPath(m_lesson->path());
    if (entry != nullptr && entry + 1 != m_shelf->entries.constEnd()) openLesson((entry + 1)->path);
}

/// Another lesson, or another state of its file.
void MainWindow::lessonChanged() {
    const Lesson* lesson = m_lesson->lesson();
    const QString path = m_lesson->path();
    const QString title = lesson != nullptr ? qstr(lesson->title) : QFileInfo(path).fileName();
    refreshTitle();
    const QSignalBlocker quiet(m_picker);
    const Shelf::Entry* entry = m_shelf->byPath(path);
    int row = entry == nullptr ? -1 : static_cast<int>(entry - m_shelf->entries.constData());
    // One row more for a file from elsewhere.
    while (m_picker->count() > m_shelf->entries.size())
        m_picker->removeItem(m_picker->count() - 1);
    if (entry == nullptr && !path.isEmpty()) {
        m_picker->addItem(title, path);
        row = m_picker->count() - 1;
    }
    m_picker->setCurrentIndex(row);
    m_picker->setToolTip(path);
    const bool another = entry != nullptr && entry + 1 != m_shelf->entries.constEnd() && !(entry + 1)->broken;
    m_lessonPanel->summary().setNextLesson(another ? (entry + 1)->title : QString());
    fillLessonMenu();
}

/// What is open, the file of the run, and whether there is something unsaved.
void MainWindow::refreshTitle() {
    const Lesson* lesson = m_lesson->lesson();
    QString title = lesson != nullptr ? qstr(lesson->title) : QFileInfo(m_lesson->path()).fileName();
    if (lesson != nullptr && lesson->number > 0) title = tr("%1 · %2").arg(lesson->number).arg(title);
    const QString file = QFileInfo(m_document->path()).fileName();
    if (!file.isEmpty()) title = tr("%1 · %2").arg(title, file);
    // Qt takes [*] for the mark of what is unsaved, and two of them for one that is part of the text.
    title.replace(QLatin1String("[*]"), QLatin1String("[*][*]"));
    setWindowTitle(title.isEmpty() ? tr("Lockscope") : tr("%1[*] — Lockscope").arg(title));
    setWindowModified(m_document->modified());
}

void MainWindow::restoreState() {
    const QColor desktop = QApplication::palette().color(QPalette::Window);
    m_look->setDark(m_settings->value(QLatin1String(kDark), desktop.lightness() < 128).toBool());
    m_look->setScale(m_settings->value(QLatin1String(kScale), 1.0).toDouble());
    m_look->setReducedMotion(
        m_settings->value(QLatin1String(kReducedMotion), m_look->reducedMotion()).toBool());
    m_run->setReducedMotion(m_look->reducedMotion());
    m_code->setLanguage(m_settings->value(QLatin1String(kLanguage), QStringLiteral("lua")).toString());
    resize(1280, 720);
    restoreGeometry(m_settings->value(QLatin1String(kGeometry)).toByteArray());
}

void MainWindow::saveState() {
    m_settings->setValue(QLatin1String(kGeometry), saveGeometry());
    m_settings->setValue(QLatin1String(kDark), m_look->dark());
    m_settings->setValue(QLatin1String(kScale), m_look->scale());
    m_settings->setValue(QLatin1String(kReducedMotion), m_look->reducedMotion());
    m_settings->setValue(QLatin1String(kLanguage), m_code->language());
    m_settings->setValue(QLatin1String(kLesson), m_lesson->path());
    m_settings->setValue(QLatin1String(kStep), m_lesson->step());
    m_settings->sync();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveState();
    m_programs->settle();
    m_lesson->dropTrial();
    if (!m_recovery->flush() && !m_closesAnyway) {
        event->ignore();
        sayCannotClose();
        return;
    }
    QMainWindow::closeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    placePanels();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() != 1 || !urls.front().isLocalFile()) return;
    event->acceptProposedAction();
    openFile(urls.front().toLocalFile());
}

} // namespace lockscope::ui
