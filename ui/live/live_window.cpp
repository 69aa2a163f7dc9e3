// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/live_window.h"

#include <QCheckBox>
#include <QCloseEvent>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include "core/world/session.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/live/actor_controls.h"
#include "ui/live/connection_dialog.h"
#include "ui/live/fact_list.h"
#include "ui/live/live_console.h"
#include "ui/live/live_session.h"
#include "ui/live/run_facts.h"
#include "ui/look.h"
#include "ui/panels/event_list.h"
#include "ui/panels/key_inspector.h"
#include "ui/panels/lights_bar.h"
#include "ui/panels/wrap_label.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {

/// A little less than a sixtieth of a second: some come late.
constexpr int kLiveFrameMillis = 15;

} // namespace

LiveWindow::LiveWindow(LiveHost& host, LessonModel& lesson, Look& look, QWidget* parent)
    : QWidget(parent, Qt::Window), m_host(host), m_lesson(lesson), m_look(look),
      m_frame(kLiveFrameMillis, [this] { grow(); }) {
    setObjectName(QStringLiteral("liveWindow"));
    m_run = new RunModel(std::make_unique<LiveSession>(host), this);
    m_simulated = new RunModel(makeSimulatedSession(), this);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(0);
    column->setContentsMargins(0, 0, 0, 0);
    buildBar();
    buildViews();
    connect(&host, &LiveHost::begun, this, &LiveWindow::begin);
    connect(&host, &LiveHost::finished, this, &LiveWindow::end);
    connect(&host, &LiveHost::failed, this, &LiveWindow::fail);
    connect(m_controls, &ActorControls::refused, m_told, &WrapLabel::setText);
    connect(m_run, &RunModel::playheadChanged, this, &LiveWindow::followOrNot);
    connect(m_timeline, &TimelineView::laneMenuRequested, this, &LiveWindow::showLaneMenu);
    connect(m_timeline, &TimelineView::pauseAheadWanted, this, &LiveWindow::pauseAhead);
    connect(&lesson, &LessonModel::stepChanged, this, [this] {
        refresh();
        foresee();
    });
    connect(&lesson, &LessonModel::knobsChanged, this, &LiveWindow::foresee);
    connect(&lesson, &LessonModel::interventionsChanged, this, &LiveWindow::foresee);
    connect(&lesson, &LessonModel::programsChanged, this, &LiveWindow::foresee);
    connect(m_run, &RunModel::playheadChanged, this, [this] {
        if (m_run->run()) m_facts->setFacts(knownFacts(*m_run->run(), m_run->playhead()));
    });
    connect(&look, &Look::changed, this, &LiveWindow::applyLook);
    setPhase(Phase::Idle);
    applyLook();
}

/// The views read from the models, so they go first.
LiveWindow::~LiveWindow() {
    m_frame.stop();
    delete m_stack;
    delete m_lights;
}

void LiveWindow::buildBar() {
    auto* bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("liveBar"));
    auto* row = new QHBoxLayout(bar);
    m_world = new QComboBox(bar);
    m_world->setObjectName(QStringLiteral("liveWorld"));
    m_world->setAccessibleName(tr("Which Redis"));
    m_world->addItem(tr("A private redis-server"));
    m_world->addItem(tr("The embedded store, served"));
    m_world->addItem(tr("A Redis of yours…"));
    m_start = new QPushButton(tr("&Run live"), bar);
    m_start->setObjectName(QStringLiteral("liveStart"));
    m_stop = new QPushButton(tr("&End the run"), bar);
    m_stop->setObjectName(QStringLiteral("liveStop"));
    m_follow = new QCheckBox(tr("&Follow"), bar);
    m_follow->setObjectName(QStringLiteral("liveFollow"));
    m_follow->setToolTip(tr("The picture stays at the newest instant"));
    m_follow->setChecked(true);
    m_controls = new ActorControls(m_host, m_look, bar);
    QSizePolicy place = m_controls->sizePolicy();
    place.setRetainSizeWhenHidden(true);
    m_controls->setSizePolicy(place);
    for (QWidget* each : QList<QWidget*>{m_world, m_start, m_stop, m_follow})
        row->addWidget(each);
    row->addWidget(m_controls, 1);
    layout()->addWidget(bar);
    connect(m_world, &QComboBox::activated, this, &LiveWindow::chooseWorld);
    connect(m_start, &QPushButton::clicked, this, &LiveWindow::start);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        setPhase(Phase::Ending);
        m_host.stop();
    });
    connect(m_follow, &QCheckBox::toggled, this, [this](bool on) {
        m_timeline->setFollows(on);
        if (on && m_run->run()) {
            grow();
            m_timeline->showInstant(m_run->playhead());
        }
        tellTime();
    });
}

void LiveWindow::buildViews() {
    m_told = new WrapLabel(this);
    m_told->setObjectName(QStringLiteral("liveTold"));
    m_verdict = new WrapLabel(this);
    m_verdict->setObjectName(QStringLiteral("liveVerdict"));
    m_verdict->setAccessibleName(tr("Compared with the simulator"));
    m_verdict->hide();
    layout()->addWidget(m_told);
    layout()->addWidget(m_verdict);
    m_stack = new QSplitter(Qt::Horizontal, this);
    m_stack->setObjectName(QStringLiteral("liveStack"));
    auto* lanes = new QSplitter(Qt::Vertical, m_stack);
    lanes->setObjectName(QStringLiteral("liveLanes"));
    m_timeline = new TimelineView(*m_run, m_look, lanes);
    m_timeline->setObjectName(QStringLiteral("liveTimeline"));
    m_timeline->setAccessibleName(tr("The real run"));
    m_below = new QWidget(lanes);
    m_below->setObjectName(QStringLiteral("liveBelow"));
    auto* below = new QVBoxLayout(m_below);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(0);
    m_caption = new WrapLabel(m_below);
    m_caption->setObjectName(QStringLiteral("liveTwinCaption"));
    m_caption->setText(tr("The same, simulated"));
    m_twin = new TimelineView(*m_simulated, m_look, m_below);
    m_twin->setObjectName(QStringLiteral("liveTwin"));
    m_twin->setAccessibleName(m_caption->text());
    m_twin->offerNoGhost();
    below->addWidget(m_caption);
    below->addWidget(m_twin, 1);
    m_below->hide();
    auto* side = m_side = new QSplitter(Qt::Vertical, m_stack);
    side->setObjectName(QStringLiteral("liveSide"));
    side->hide(); // until there is a run
    m_key = new KeyInspector(*m_run, m_look);
    m_events = new EventList(*m_run, m_look);
    m_facts = new FactList(m_look);
    side->addWidget(m_key);
    side->addWidget(m_facts);
    side->addWidget(m_events);
    for (QSplitter* splitter : {m_stack, lanes, side})
        splitter->setChildrenCollapsible(false);
    m_stack->setStretchFactor(0, 1);
    m_stack->setStretchFactor(1, 0);
    static_cast<QVBoxLayout*>(layout())->addWidget(m_stack, 1);
    m_console = new LiveConsole(m_look, this);
    layout()->addWidget(m_console);
    connect(m_console, &LiveConsole::entered, this, &LiveWindow::sendCommand);
    m_lights = new LightsBar(m_lesson, *m_run, m_look, this);
    layout()->addWidget(m_lights);
    connect(m_lights, &LightsBar::violationRequested, this, [this](int index) {
        m_follow->setChecked(false);
        m_timeline->showViolation(index);
    });
    linkTwin();
}

QString LiveWindow::told() const {
    return m_told->text();
}

void LiveWindow::chooseWorld(int index) {
    using Kind = LiveChoice::Kind;
    if (index < 2) {
        m_choice = {index == 0 ? Kind::Private : Kind::Embedded, {}, {}, {}, {}, {}};
        return foresee();
    }
    ConnectionDialog dialog(m_host, m_look, this);
    if (dialog.exec() == QDialog::Accepted) {
        m_choice = dialog.choice();
        foresee();
        if (!dialog.found().isEmpty()) m_told->setText(dialog.found() + QLatin1Char('\n') + m_told->text());
    } else if (m_choice.kind != Kind::Url) {
        m_world->setCurrentIndex(m_choice.kind == Kind::Private ? 0 : 1);
    }
}

void LiveWindow::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    foresee();
}

void LiveWindow::start() {
    if (m_phase != Phase::Idle) return;
    const Result<Scenario> scenario = scenarioNow();
    if (!scenario) return m_told->setText(qstr(scenario.error().text()));
    if (const QString why = m_host.start(*scenario, m_choice, trusted()); !why.isEmpty())
        return m_told->setText(why);
    m_verdict->hide();
    m_told->setText(tr("The servers and processes are being started…"));
    setPhase(Phase::Starting);
}

void LiveWindow::begin() {
    part();
    setPhase(Phase::Running);
    m_commanded = false;
    m_controls->rebuild();
    m_controls->show();
    m_lights->show();
    m_follow->setChecked(true);
    if (const QString why = m_run->start(m_host.scenario()); !why.isEmpty()) return fail(why);
    ShownParts parts;
    parts.resource = m_host.scenario().resource.present;
    m_timeline->setShownParts(parts);
    m_twin->setShownParts(parts);
    m_below->hide();
    m_timeline->show();
    m_side->show();
    m_timeline->showRange({}, m_run->run()->trace->horizon);
    m_frame.start();
    tellTime();
}

/// Takes in what has happened. While it follows, the playhead is where the run is.
void LiveWindow::grow() {
    m_growing = true;
    m_run->advance();
    if (m_follow->isChecked()) m_run->setPlayhead(m_run->end());
    m_growing = false;
    if (m_commanded && m_run->run()) m_console->showAnswer(*m_run->run());
    m_controls->refresh(m_phase == Phase::Running);
}

/// Somebody has moved the playhead back: the picture stops, and nothing else.
void LiveWindow::followOrNot() {
    if (m_growing || m_phase != Phase::Running || !m_run->run()) return;
    if (m_run->playhead() < m_run->end()) m_follow->setChecked(false);
}

void LiveWindow::end() {
    m_frame.stop();
    setPhase(Phase::Idle);
    grow();
    replay();
}

void LiveWindow::fail(const QString& why) {
    m_frame.stop();
    setPhase(Phase::Idle);
    m_told->setText(why);
}

void LiveWindow::setPhase(Phase phase) {
    m_phase = phase;
    refresh();
}

void LiveWindow::refresh() {
    m_world->setEnabled(m_phase == Phase::Idle);
    m_start->setEnabled(m_phase == Phase::Idle && m_lesson.hasRun());
    m_stop->setEnabled(m_phase == Phase::Running);
    m_follow->setEnabled(m_phase == Phase::Running);
    m_console->setEnabled(m_phase == Phase::Running);
    m_controls->refresh(m_phase == Phase::Running);
    m_timeline->setPausesAhead(m_phase == Phase::Running);
    m_timeline->setFollows(m_phase == Phase::Running && m_follow->isChecked());
    const Lesson* lesson = m_lesson.lesson();
    setWindowTitle(lesson == nullptr ? tr("Live") : tr("Live — %1").arg(qstr(lesson->title)));
}

void LiveWindow::tellTime() {
    if (m_phase != Phase::Running) return;
    m_told->setText(m_follow->isChecked()
                        ? tr("Real time: real processes, and a Redis that waits for nobody.")
                        : tr("The picture stands still. Time goes on in Redis and in the processes."));
}

/// A run that nobody looks at is ended.
void LiveWindow::closeEvent(QCloseEvent* event) {
    if (m_phase == Phase::Running || m_phase == Phase::Starting) m_host.stop();
    QWidget::closeEvent(event);
}

void LiveWindow::applyLook() {
    m_told->setContentsMargins(m_look.px(12), m_look.px(4), m_look.px(12), m_look.px(4));
    m_verdict->setContentsMargins(m_look.px(12), m_look.px(4), m_look.px(12), m_look.px(4));
    m_told->setFont(m_look.font(TextRole::Lane));
    QFont bold = m_look.font(TextRole::Lane);
    bold.setBold(true);
    m_verdict->setFont(bold);
    m_caption->setContentsMargins(m_look.px(12), m_look.px(4), m_look.px(12), 0);
    m_caption->setFont(m_look.font(TextRole::Caption));
    m_timeline->setMinimumSize(m_look.px(360), m_look.px(190));
    m_twin->setMinimumSize(m_look.px(360), m_look.px(150));
    if (isVisible()) return;
    resize(m_look.px(1200), m_look.px(720));
    m_stack->setSizes({m_look.px(880), m_look.px(320)});
}

} // namespace lockscope::ui
