// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands where. Below 1100 design pixels of width there is no room for columns: lesson and details
// become a sheet at the bottom. From 1600 on, the details stand above one another instead of behind tabs.
#include "ui/main_window.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/notes.h"
#include "ui/bridge/run_document.h"
#include "ui/bridge/text.h"
#include "ui/bridge/what_if.h"
#include "ui/look.h"
#include "ui/main_window_parts.h"
#include "ui/panels/code_panel.h"
#include "ui/panels/event_list.h"
#include "ui/panels/event_model.h"
#include "ui/panels/failure_panel.h"
#include "ui/panels/fault_bar.h"
#include "ui/panels/icons.h"
#include "ui/panels/invitation.h"
#include "ui/panels/keep_bar.h"
#include "ui/panels/key_inspector.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/lights_bar.h"
#include "ui/panels/notice_bar.h"
#include "ui/panels/prediction_card.h"
#include "ui/panels/reveal.h"
#include "ui/panels/side_panel.h"
#include "ui/panels/style_sheet.h"
#include "ui/panels/summary_panel.h"
#include "ui/panels/toast.h"
#include "ui/panels/transport_bar.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/compare_view.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {
constexpr double kSheetBelow = 1100;
constexpr double kStackedFrom = 1600;
constexpr double kCompactBelow = 640; // of height: knobs and text scroll together
} // namespace

void MainWindow::buildCentre() {
    m_rows = new QSplitter(Qt::Vertical, this);
    m_rows->setObjectName(QStringLiteral("rows"));
    m_columns = new QSplitter(Qt::Horizontal, m_rows);
    m_columns->setObjectName(QStringLiteral("columns"));
    m_sheet = new QSplitter(Qt::Horizontal, m_rows);
    m_sheet->setObjectName(QStringLiteral("sheet"));
    for (QSplitter* splitter : {m_rows, m_columns, m_sheet}) {
        splitter->setHandleWidth(1);
        splitter->setChildrenCollapsible(false);
    }

    m_lessonPanel = new LessonPanel(*m_lesson, *m_run, *m_check, *m_look, this);
    m_centre = new QScrollArea(this); // at a large scale the bars may be higher than the window
    m_centre->setObjectName(QStringLiteral("centre"));
    m_centre->setWidgetResizable(true);
    m_centre->setFrameShape(QFrame::NoFrame);
    m_centre->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_centre->setFocusPolicy(Qt::NoFocus);
    auto* stage = new QWidget(m_centre);
    stage->setObjectName(QStringLiteral("stage"));
    m_invitation = new Invitation(*m_lesson, *m_run, *m_look, stage);
    m_notice = new NoticeBar(*m_look, stage);
    buildCompare(stage);
    m_timeline->showNotes(*m_notes);
    m_failure = new FailurePanel(*m_search, *m_lesson, *m_run, *m_look, stage);
    m_failure->hide();
    m_faults = new FaultBar(*m_lesson, *m_run, *m_look, stage);
    m_transport = new TransportBar(*m_run, *m_look, stage);
    m_lights = new LightsBar(*m_lesson, *m_run, *m_look, stage);
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_invitation);
    column->addWidget(m_notice);
    column->addWidget(m_keepBar);
    column->addWidget(m_views, 1);
    column->addWidget(m_failure);
    column->addWidget(m_faults);
    column->addWidget(m_transport);
    column->addWidget(m_lights);
    m_centre->setWidget(stage);
    m_toast = new Toast(*m_look, m_views);

    auto* events = new EventList(*m_run, *m_look);
    events->model().showNotes(*m_notes);
    connect(events, &EventList::notePicked, m_timeline, &TimelineView::showNote);
    m_code = new CodePanel(*m_run, *m_lesson, *m_programs, *m_look);
    m_side = new SidePanel(*m_look, new KeyInspector(*m_run, *m_look, m_desk), m_code, events, this);
    m_columns->addWidget(m_lessonPanel);
    m_columns->addWidget(m_centre);
    m_columns->addWidget(m_side);
    m_columns->setStretchFactor(1, 1);
    m_rows->addWidget(m_columns);
    m_rows->addWidget(m_sheet);
    m_rows->setStretchFactor(0, 1);
    m_sheet->hide();
    setCentralWidget(m_rows);
}

void MainWindow::buildToolBar() {
    auto* bar = new QToolBar(tr("Toolbar"), this);
    m_toolBar = bar;
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    m_picker = new QComboBox(bar);
    m_picker->setObjectName(QStringLiteral("lessonPicker"));
    m_picker->setAccessibleName(tr("Lesson"));
    m_picker->setFocusPolicy(Qt::TabFocus);
    m_picker->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    bar->addWidget(m_picker);
    auto* spring = new QWidget(bar);
    spring->setObjectName(QStringLiteral("toolBarSpring"));
    spring->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(spring);
    m_world = new QLabel(bar);
    m_world->setObjectName(QStringLiteral("worldBadge"));
    m_world->setProperty("pill", true);
    m_world->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_world->setText(m_run->world() == WorldKind::Simulated      ? tr("Simulated")
                     : m_run->world() == WorldKind::LiveEmbedded ? tr("Live, embedded")
                                                                 : tr("REAL Redis, time goes on"));
    m_world->setAccessibleName(tr("World: %1").arg(m_world->text()));
    m_world->setToolTip(
        m_run->pastEditable()
            ? tr("Virtual time: the past can be changed, and the same run gives the same result.")
            : tr("Real time: nothing in Redis pauses when the picture does."));
    bar->addWidget(m_world);
    m_toTable = new QToolButton(bar);
    m_toTable->setObjectName(QStringLiteral("tableButton"));
    m_toTable->setText(tr("What breaks which program"));
    m_toTable->setToolTip(tr("The table of programs and failures, or the timeline again (B)"));
    m_toTable->setCheckable(true);
    m_toTable->setFocusPolicy(Qt::TabFocus);
    m_tableEntry = bar->addWidget(m_toTable);
    m_theme = new QToolButton(bar);
    m_theme->setObjectName(QStringLiteral("themeButton"));
    m_theme->setFocusPolicy(Qt::TabFocus);
    m_theme->setProperty("flat", true);
    bar->addWidget(m_theme);
    addToolBar(bar);
    connect(m_theme, &QToolButton::clicked, this, [this] { m_look->setDark(!m_look->dark()); });
    connect(m_picker, &QComboBox::activated, this,
            [this](int row) { openLesson(m_picker->itemData(row).toString()); });
}

void MainWindow::connectViews() {
    connect(m_lesson, &LessonModel::lessonChanged, this, &MainWindow::lessonChanged);
    connect(m_lesson, &LessonModel::errorChanged, this, &MainWindow::lessonChanged);
    connect(m_lesson, &LessonModel::stepChanged, this, &MainWindow::applyStep);
    connect(m_lesson, &LessonModel::stepChanged, m_notes, [this] { m_notes->setStep(m_lesson->step()); });
    connect(m_document, &RunDocument::changed, this, &MainWindow::refreshTitle);
    connect(m_document, &RunDocument::aboutToReplace, this, &MainWindow::leaveDocument);
    connect(m_lesson, &LessonModel::stepChanged, this, &MainWindow::refreshActions);
    connect(m_lesson, &LessonModel::questionChanged, this, &MainWindow::refreshActions);
    connect(m_lesson, &LessonModel::summaryChanged, this, &MainWindow::refreshActions);
    connect(&m_lessonPanel->summary(), &SummaryPanel::nextLessonRequested, this, &MainWindow::openNextLesson);
    connect(m_lesson, &LessonModel::knobsChanged, this, &MainWindow::refreshActions);
    connect(m_lesson, &LessonModel::chanceChanged, this, &MainWindow::refreshActions);
    connect(m_lesson, &LessonModel::interventionsChanged, this, &MainWindow::refreshActions);
    connect(m_run, &RunModel::runChanged, this, &MainWindow::refreshActions);
    connect(m_run, &RunModel::runChanged, this, &MainWindow::showLights);
    connect(m_run, &RunModel::runChanged, this, &MainWindow::tellDivergence);
    connect(m_run, &RunModel::playingChanged, this, &MainWindow::refreshActions);
    connect(m_run, &RunModel::selectionChanged, this, &MainWindow::refreshActions);
    connect(&m_lessonPanel->prediction(), &PredictionCard::choiceChanged, this, &MainWindow::refreshActions);
    connect(m_lessonPanel, &LessonPanel::openRequested, this, &MainWindow::openFileDialog);
    connect(m_faults, &FaultBar::possibleChanged, this, &MainWindow::refreshActions);
    connect(m_faults, &FaultBar::actorChanged, this, &MainWindow::fillActorMenu);
    connect(m_lights, &LightsBar::violationRequested, this, &MainWindow::goToViolation);
    connectEdits();
    connect(m_timeline, &TimelineView::legendShownChanged, m_actions->legend, &QAction::setChecked);
    connect(m_timeline, &TimelineView::stepViewChanged, m_actions->stepView, &QAction::setChecked);
    connect(m_compare, &CompareView::stepViewChanged, m_actions->stepView, &QAction::setChecked);
    connect(m_timeline, &TimelineView::ghostShownChanged, m_actions->ghost, &QAction::setChecked);
}

/// Chooses the arrangement for the width there is, at this scale.
void MainWindow::placePanels() {
    const double room = width() / m_look->scale();
    const Arrangement now = room < kSheetBelow     ? Arrangement::Sheet
                            : room >= kStackedFrom ? Arrangement::Wide
                                                   : Arrangement::Normal;
    const bool sheet = now == Arrangement::Sheet;
    m_lessonPanel->setCompact(sheet || height() / m_look->scale() < kCompactBelow);
    if (now == m_arrangement) return;
    m_arrangement = now;
    if (sheet) {
        m_sheet->addWidget(m_lessonPanel);
        m_sheet->addWidget(m_side);
        m_sheet->setStretchFactor(0, 1);
        m_sheet->setStretchFactor(1, 1);
    } else {
        m_columns->insertWidget(0, m_lessonPanel);
        m_columns->addWidget(m_side);
        m_columns->setStretchFactor(0, 0);
        m_columns->setStretchFactor(1, 1);
        m_columns->setStretchFactor(2, 0);
    }
    m_sheet->setVisible(sheet);
    m_lessonPanel->setVisible(m_actions->showLesson->isChecked());
    m_side->setStacked(now == Arrangement::Wide);
    applyLook();
    if (sheet) {
        m_rows->setSizes({height() * 58 / 100, height() * 42 / 100});
        m_sheet->setSizes({width() / 2, width() / 2});
    } else {
        const int left = m_look->px(now == Arrangement::Wide ? 400 : 300);
        const int right = m_look->px(now == Arrangement::Wide ? 400 : 276);
        m_columns->setSizes({left, width() - left - right, right});
    }
}

void MainWindow::applyLook() {
    QApplication::setPalette(m_look->palette());
    QApplication::setFont(m_look->font(TextRole::Lane));
    setStyleSheet(widgetStyle(*m_look));
    m_run->setReducedMotion(m_look->reducedMotion());
    m_theme->setIcon(glyphIcon(*m_look, m_look->dark() ? Glyph::Sun : Glyph::Moon));
    m_theme->setIconSize({m_look->px(18), m_look->px(18)});
    m_toolBar->setIconSize(m_theme->iconSize());
    m_toolBar->setFixedHeight(m_look->px(m_arrangement == Arrangement::Wide ? 44 : 40));
    m_theme->setAccessibleName(m_look->dark() ? tr("Light theme") : tr("Dark theme"));
    m_theme->setToolTip(tr("%1 (Ctrl+Shift+D)").arg(m_theme->accessibleName()));
    m_world->setFont(m_look->font(TextRole::Caption));
    m_picker->setMaximumWidth(m_look->px(360));
    m_views->setMinimumHeight(m_look->px(190));
    m_centre->setMinimumSize(m_look->px(320), m_look->px(120));
    m_lessonPanel->setMinimumSize(m_look->px(220), m_look->px(100));
    m_side->setMinimumSize(m_look->px(200), m_look->px(100));
    m_actions->dark->setChecked(m_look->dark());
    m_actions->reducedMotion->setChecked(m_look->reducedMotion());
    placePanels(); // another scale may want another arrangement
}

/// When the step asks for them, and when a run stopped early: they say why.
void MainWindow::showLights() {
    const bool failed = m_run->run() && !m_run->run()->trace->failure.empty();
    reveal(m_lights, m_lesson->shows(Panel::Lights) || failed, *m_look);
}

/// Brings in the parts of the window that the step asks for, and turns the camera to what it is about.
void MainWindow::applyStep() {
    const Step* step = m_lesson->currentStep();
    const bool strip = m_lesson->shows(Panel::Strip) && m_run->run() && m_run->pastEditable();
    ShownParts parts{.resource = m_lesson->shows(Panel::Resource),
                     .ttl = m_lesson->shows(Panel::Ttl),
                     .arrows = m_lesson->shows(Panel::Arrows)};
    m_compare->setShownParts(parts);
    parts.strips = strip ? static_cast<int>(m_run->scenario().actors.size()) : 0;
    m_timeline->setShownParts(parts);
    m_whatIf->setWanted(strip);
    QStringList letters;
    if (const Prediction* question = m_lesson->question())
        for (std::size_t i = 0; i < question->options.size(); ++i)
            letters << QString(QChar(u'A' + static_cast<char16_t>(i)));
    m_timeline->canvas().setVeilCaption(letters.join(QLatin1Char(' ')));
    m_compare->setVeilCaption(letters.join(QLatin1Char(' ')));
    showLights();
    m_side->setShown(m_lesson->shows(Panel::Key), m_lesson->shows(Panel::Code),
                     m_lesson->shows(Panel::Events));
    if (step == nullptr || !m_run->run()) return;
    const Instant end = m_run->run()->trace->horizon;
    setComparing(false);
    setTabulating(m_lesson->shows(Panel::Matrix) || m_lesson->shows(Panel::Odds));
    m_timeline->setStepView(step->stepView);
    m_timeline->showRange(step->viewFrom, std::min(step->viewUntil, end));
}

} // namespace lockscope::ui
