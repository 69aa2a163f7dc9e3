// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>
#include <QSplitter>
#include <QStyle>

#include "core/base/assert.h"
#include "ui/bridge/failure_search.h"
#include "ui/bridge/fault_desk.h"
#include "ui/bridge/kept_runs.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/shelf.h"
#include "ui/bridge/text.h"
#include "ui/bridge/what_if.h"
#include "ui/look.h"
#include "ui/main_window_parts.h"
#include "ui/panels/focus_ring.h"
#include "ui/panels/icons.h"
#include "ui/panels/invitation.h"
#include "ui/panels/lesson_panel.h"

namespace lockscope::ui {

namespace {

constexpr auto kGeometry = "window/geometry";
constexpr auto kDark = "look/dark";
constexpr auto kScale = "look/scale";
constexpr auto kReducedMotion = "look/reducedMotion";
constexpr auto kLesson = "lesson/path";
constexpr auto kStep = "lesson/step";
constexpr auto kInvited = "lesson/invited";

std::unique_ptr<QSettings> openSettings(const QString& file) {
    if (!file.isEmpty()) return std::make_unique<QSettings>(file, QSettings::IniFormat);
    return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                       QStringLiteral("lockscope"), QStringLiteral("lockscope"));
}

} // namespace

MainWindow::MainWindow(WindowOptions options, QWidget* parent)
    : QMainWindow(parent), m_settings(openSettings(options.settingsFile)),
      m_lessonFolder(options.lessonFolder), m_shelf(std::make_unique<Shelf>(readShelf(options.lessonFolder))),
      m_actions(std::make_unique<Actions>()) {
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
    m_desk = new FaultDesk(*m_lesson, *m_run, this);

    buildCentre();
    buildToolBar();
    buildActions();
    connectViews();
    buildWhatIf();
    buildFailureSearch();
    fillLessonPicker();
    new FocusRing(*m_look, this);
    qApp->installEventFilter(this);
    restoreState();
    applyLook();
    connect(m_look, &Look::changed, this, &MainWindow::applyLook);

    const QString last = m_settings->value(QLatin1String(kLesson)).toString();
    if (!options.open.isEmpty())
        openLesson(options.open);
    else if (!last.isEmpty() && QFileInfo::exists(last))
        openLesson(last, m_settings->value(QLatin1String(kStep)).toInt());
    else if (!m_shelf->entries.isEmpty())
        openLesson(m_shelf->entries.front().path);
    lessonChanged();
    m_invitation->setWanted(!m_settings->value(QLatin1String(kInvited), false).toBool());
    connect(m_invitation, &Invitation::accepted, this,
            [this] { m_settings->setValue(QLatin1String(kInvited), true); });
}

/// Views hold references to the models and the look, so they go first.
MainWindow::~MainWindow() {
    qApp->removeEventFilter(this);
    delete findChild<FocusRing*>();
    delete takeCentralWidget();
}

void MainWindow::openLesson(const QString& idOrFile, int step) {
    const Shelf::Entry* entry = m_shelf->byId(idOrFile);
    m_lesson->open(entry != nullptr ? entry->path : QFileInfo(idOrFile).absoluteFilePath(), step);
}

void MainWindow::fillLessonPicker() {
    const QSignalBlocker quiet(m_picker);
    m_picker->clear();
    for (const Shelf::Entry& entry : m_shelf->entries)
        m_picker->addItem(entry.broken ? glyphIcon(*m_look, Glyph::Warning) : QIcon(),
                          entry.broken ? tr("%1 (cannot be read)").arg(entry.title) : entry.title,
                          entry.path);
}

/// Another lesson, or another state of its file.
void MainWindow::lessonChanged() {
    const Lesson* lesson = m_lesson->lesson();
    const QString path = m_lesson->path();
    const QString title = lesson != nullptr ? qstr(lesson->title) : QFileInfo(path).fileName();
    setWindowTitle(title.isEmpty() ? tr("Lockscope")
                   : lesson != nullptr && lesson->number > 0
                       ? tr("%1 · %2 — Lockscope").arg(lesson->number).arg(title)
                       : tr("%1 — Lockscope").arg(title));
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
    fillLessonMenu();
}

void MainWindow::restoreState() {
    const QColor desktop = QApplication::palette().color(QPalette::Window);
    m_look->setDark(m_settings->value(QLatin1String(kDark), desktop.lightness() < 128).toBool());
    m_look->setScale(m_settings->value(QLatin1String(kScale), 1.0).toDouble());
    m_look->setReducedMotion(
        m_settings->value(QLatin1String(kReducedMotion), m_look->reducedMotion()).toBool());
    m_run->setReducedMotion(m_look->reducedMotion());
    resize(1280, 720);
    restoreGeometry(m_settings->value(QLatin1String(kGeometry)).toByteArray());
}

void MainWindow::saveState() {
    m_settings->setValue(QLatin1String(kGeometry), saveGeometry());
    m_settings->setValue(QLatin1String(kDark), m_look->dark());
    m_settings->setValue(QLatin1String(kScale), m_look->scale());
    m_settings->setValue(QLatin1String(kReducedMotion), m_look->reducedMotion());
    m_settings->setValue(QLatin1String(kLesson), m_lesson->path());
    m_settings->setValue(QLatin1String(kStep), m_lesson->step());
    m_settings->sync();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveState();
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
    openLesson(urls.front().toLocalFile());
}

} // namespace lockscope::ui
