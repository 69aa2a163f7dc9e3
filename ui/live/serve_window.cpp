// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/serve_window.h"

#include <QCheckBox>
#include <QClipboard>
#include <QCloseEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/live/first_page.h"
#include "ui/live/serve_session.h"
#include "ui/look.h"
#include "ui/panels/event_list.h"
#include "ui/panels/key_inspector.h"
#include "ui/panels/wrap_label.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {

constexpr int kServeFrameMillis = 33;
constexpr int kRedisPort = 6379;

} // namespace

ServeWindow::ServeWindow(ServeHost& host, LessonModel& lesson, RunModel& shown, Look& look, QWidget* parent)
    : QWidget(parent, Qt::Window), m_host(host), m_lesson(lesson), m_shown(shown), m_look(look),
      m_frame(kServeFrameMillis, [this] { grow(); }) {
    setObjectName(QStringLiteral("serveWindow"));
    m_run = new RunModel(std::make_unique<ServeSession>(host), this);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(0);
    column->setContentsMargins(0, 0, 0, 0);
    buildBar();
    buildViews();
    connect(&host, &ServeHost::begunNow, this, &ServeWindow::tellGuests);
    connect(&host, &ServeHost::guestsChanged, this, &ServeWindow::tellGuests);
    connect(&host, &ServeHost::cutOff, this, &ServeWindow::tellCutOff);
    connect(&host, &ServeHost::full, m_told, &WrapLabel::setText);
    connect(&host, &ServeHost::finished, this, &ServeWindow::end);
    connect(m_run, &RunModel::playheadChanged, this, &ServeWindow::followOrNot);
    connect(m_timeline, &TimelineView::laneMenuRequested, this, &ServeWindow::showLaneMenu);
    connect(&lesson, &LessonModel::stepChanged, this, &ServeWindow::refresh);
    connect(&look, &Look::changed, this, &ServeWindow::applyLook);
    m_told->setText(
        tr("Real clients can attach to the lesson's Redis: redis-cli, a key browser, a lock library. "
           "They get lanes of their own, from the playhead on."));
    refresh();
    applyLook();
}

/// The views read from the model, so they go first.
ServeWindow::~ServeWindow() {
    m_frame.stop();
    delete m_stack;
}

void ServeWindow::buildBar() {
    auto* bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("serveBar"));
    auto* row = new QHBoxLayout(bar);
    m_toggle = new QPushButton(bar);
    m_toggle->setObjectName(QStringLiteral("serveToggle"));
    auto* label = new QLabel(tr("&Port"), bar);
    m_port = new QSpinBox(bar);
    m_port->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_port->setObjectName(QStringLiteral("servePort"));
    m_port->setAccessibleName(tr("Port"));
    m_port->setRange(0, 65535);
    m_port->setSpecialValueText(tr("any free one"));
    m_port->setValue(kRedisPort);
    label->setBuddy(m_port);
    m_copy = new QPushButton(bar);
    m_copy->setObjectName(QStringLiteral("serveCopy"));
    m_copy->setToolTip(tr("Copies the command that attaches a client"));
    m_follow = new QCheckBox(tr("&Follow"), bar);
    m_follow->setObjectName(QStringLiteral("serveFollow"));
    m_follow->setToolTip(tr("The picture stays at the newest instant"));
    m_follow->setChecked(true);
    for (QWidget* each : QList<QWidget*>{m_toggle, label, m_port, m_copy, m_follow})
        row->addWidget(each);
    row->addStretch(1);
    layout()->addWidget(bar);
    connect(m_toggle, &QPushButton::clicked, this, [this] { serving() ? m_host.stop() : start(); });
    connect(m_port, &QSpinBox::valueChanged, this, &ServeWindow::invite);
    connect(&m_shown, &RunModel::playheadChanged, this, &ServeWindow::invite);
    connect(m_copy, &QPushButton::clicked, this, &ServeWindow::copyCommand);
    connect(m_follow, &QCheckBox::toggled, this, [this](bool on) {
        if (on && m_run->run()) grow();
    });
}

void ServeWindow::buildViews() {
    m_told = new WrapLabel(this);
    m_told->setObjectName(QStringLiteral("serveTold"));
    m_guests = new WrapLabel(this);
    m_guests->setObjectName(QStringLiteral("serveGuests"));
    m_guests->setAccessibleName(tr("Who is attached"));
    layout()->addWidget(m_told);
    layout()->addWidget(m_guests);
    m_invitation = new FirstPage(QStringLiteral("serveInvitation"), m_look, this);
    static_cast<QVBoxLayout*>(layout())->addWidget(m_invitation, 1);
    m_stack = new QSplitter(Qt::Horizontal, this);
    m_stack->setObjectName(QStringLiteral("serveStack"));
    m_timeline = new TimelineView(*m_run, m_look, m_stack);
    m_timeline->setObjectName(QStringLiteral("serveTimeline"));
    m_timeline->setAccessibleName(tr("The lesson that is served"));
    auto* side = new QSplitter(Qt::Vertical, m_stack);
    side->setObjectName(QStringLiteral("serveSide"));
    m_key = new KeyInspector(*m_run, m_look);
    m_events = new EventList(*m_run, m_look);
    side->addWidget(m_key);
    side->addWidget(m_events);
    for (QSplitter* splitter : {m_stack, side})
        splitter->setChildrenCollapsible(false);
    m_stack->setStretchFactor(0, 1);
    m_stack->setStretchFactor(1, 0);
    static_cast<QVBoxLayout*>(layout())->addWidget(m_stack, 1);
    m_stack->hide(); // until there is a run
}

/// What to do here, while nothing has been served yet.
void ServeWindow::invite() {
    if (m_invitation->isHidden()) return;
    const Lesson* lesson = m_lesson.lesson();
    if (lesson == nullptr)
        return m_invitation->setText(tr("Open a lesson first: its Redis is what clients attach to."));
    const std::vector<std::string>& locks = lesson->base.lockKeyNames;
    const QString key = locks.empty() ? QStringLiteral("lock") : qstr(locks.front());
    const QString from = forPeople(m_shown.playhead() - Instant{});
    const QString attach = m_port->value() > 0 ? commandFor(m_port->value())
                                               : tr("redis-cli -p … (the port is said here by then)");
    m_invitation->setText(tr("<p>1.&nbsp; Press <b>Serve this lesson</b>. The lesson is run up to the "
                             "playhead of the main window, %1, and "
                             "time stands there.</p>"
                             "<p>2.&nbsp; Attach a client, for example from a terminal:</p><pre>    %2</pre>"
                             "<p>From the first client on time goes with the clock on the wall, and the "
                             "lesson's own servers go on.</p>"
                             "<p>3.&nbsp; Take part. Take the lock from them, or look at it:</p>"
                             "<pre>    CLIENT SETNAME me\n    SET %3 mine NX PX 30000\n    PTTL %3</pre>"
                             "<p>4.&nbsp; Press <b>Stop serving</b>, or wait until the lesson is over. What "
                             "you did is then a part of its "
                             "run: it can be replayed, edited, saved and undone.</p>")
                              .arg(from, attach, key.toHtmlEscaped()));
}

void ServeWindow::start() {
    const Lesson* lesson = m_lesson.lesson();
    if (lesson == nullptr || !m_lesson.hasRun() || serving()) return;
    m_started = m_lesson.settled();
    m_lessonId = lesson->id;
    const Result<Scenario> scenario = makeScenario(*lesson, m_started);
    if (!scenario) return m_told->setText(qstr(scenario.error().text()));
    const Instant from = std::min(m_shown.playhead(), scenario->horizon - Duration{1});
    if (const QString why = m_host.start(*scenario, from, m_port->value()); !why.isEmpty()) {
        m_told->setText(why);
        return refresh();
    }
    if (const QString why = m_run->start(*scenario); !why.isEmpty()) return m_told->setText(why);
    m_cutOff.clear();
    m_invitation->hide();
    m_stack->show();
    ShownParts parts;
    parts.resource = scenario->resource.present;
    m_timeline->setShownParts(parts);
    m_timeline->showRange({}, scenario->horizon);
    m_follow->setChecked(true);
    m_told->setText(m_host.exposure());
    tellGuests();
    refresh();
    grow();
    m_frame.start();
}

/// Takes in what has happened. While it follows, the playhead is where the run is.
void ServeWindow::grow() {
    m_growing = true;
    m_run->advance();
    if (m_follow->isChecked()) m_run->setPlayhead(m_run->end());
    m_growing = false;
}

/// Somebody has moved the playhead back: the picture stops, and nothing else.
void ServeWindow::followOrNot() {
    if (m_growing || !serving() || !m_run->run()) return;
    if (m_run->playhead() < m_run->end()) m_follow->setChecked(false);
}

/// What clients did becomes a part of the lesson's run.
void ServeWindow::end() {
    m_frame.stop();
    grow();
    refresh();
    m_guests->clear();
    const Scenario served = m_host.scenario();
    if (served.visits == nullptr && served.interventions == m_started.interventions)
        return m_told->setText(tr("Nobody is served any more, and nobody was there."));
    if (m_lesson.lesson() == nullptr || m_lesson.lesson()->id != m_lessonId)
        return m_told->setText(
            tr("Nobody is served any more. Another lesson is open by now, so this run stays here."));
    SettledRun visited = m_started;
    visited.interventions = served.interventions;
    visited.visits = served.visits;
    const QString why = m_lesson.takeOver(visited, tr("what clients did"));
    m_told->setText(why.isEmpty()
                        ? tr("Nobody is served any more. What the clients did is in the lesson's run now: it "
                             "runs again without them, and can be edited, saved and undone.")
                        : why);
}

void ServeWindow::refresh() {
    const bool on = serving();
    m_toggle->setText(on ? tr("&Stop serving") : tr("&Serve this lesson"));
    m_toggle->setEnabled(on || m_lesson.hasRun());
    m_port->setEnabled(!on);
    const QList<int> ports = m_host.ports();
    m_copy->setVisible(on);
    m_copy->setText(ports.isEmpty() ? QString() : tr("Copy  %1").arg(commandFor(ports.first())));
    m_follow->setEnabled(on);
    invite();
    const Lesson* lesson = m_lesson.lesson();
    setWindowTitle(lesson == nullptr ? tr("Serve") : tr("Serve — %1").arg(qstr(lesson->title)));
}

QString ServeWindow::commandFor(int port) const {
    return QStringLiteral("redis-cli -p %1").arg(port);
}

void ServeWindow::copyCommand() {
    QGuiApplication::clipboard()->setText(commandFor(m_host.ports().value(0)));
}

void ServeWindow::tellGuests() {
    if (!serving()) return;
    QStringList servers;
    const QList<int> ports = m_host.ports();
    for (int node = 0; node < ports.size(); ++node)
        servers += tr("%1 at 127.0.0.1:%2").arg(qstr(serverName(node))).arg(ports[node]);
    const QStringList guests = m_host.guests();
    QString who = guests.isEmpty() ? tr("Nobody is attached.")
                                   : tr("%n attached: %1", nullptr, static_cast<int>(guests.size()))
                                         .arg(guests.join(QStringLiteral(", ")));
    if (!m_host.begun()) who += QLatin1Char(' ') + tr("Time stands until the first client comes.");
    if (!m_cutOff.isEmpty()) who += QLatin1Char(' ') + tr("Cut off: %1").arg(m_cutOff);
    m_guests->setText(servers.join(QStringLiteral(", ")) + QStringLiteral(". ") + who);
}

/// It stays, for who was cut off leaves at the same moment.
void ServeWindow::tellCutOff(const QString& why) {
    m_cutOff = why;
    tellGuests();
}

bool ServeWindow::isPaused(int actor) const {
    const std::vector<Event>& events = m_run->run()->trace->events;
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
        if (event->actor != actor) continue;
        if (event->kind == EventKind::ProcessPaused) return true;
        if (event->kind == EventKind::ProcessResumed || event->kind == EventKind::ProcessKilled ||
            event->kind == EventKind::ProcessStarted)
            return false;
    }
    return false;
}

void ServeWindow::showLaneMenu(const LaneMenu& menu) {
    const Scenario scenario = m_host.scenario();
    if (!serving() || menu.actor == kNone || static_cast<std::size_t>(menu.actor) >= scenario.actors.size())
        return;
    const std::string& name = scenario.actors[static_cast<std::size_t>(menu.actor)].name;
    const bool paused = isPaused(menu.actor);
    QMenu choices(this);
    choices.setObjectName(QStringLiteral("serveLaneMenu"));
    const QAction* pause = choices.addAction(paused ? tr("&Go on") : tr("&Pause"));
    const QAction* kill = choices.addAction(tr("&Kill"));
    const QAction* restart = choices.addAction(tr("&Restart"));
    const QAction* chosen = choices.exec(menu.where);
    if (chosen == nullptr || !serving()) return;
    QString why;
    if (chosen == pause && paused)
        m_host.resume(name);
    else if (chosen == pause)
        why =
            m_host.intervene({InterventionKind::Pause, name, m_host.now(), scenario.horizon - m_host.now()});
    else if (chosen == kill || chosen == restart)
        why = m_host.intervene(
            {chosen == kill ? InterventionKind::Kill : InterventionKind::Restart, name, m_host.now()});
    if (!why.isEmpty()) m_told->setText(why);
}

/// Clients of a lesson that nobody looks at are sent away.
void ServeWindow::closeEvent(QCloseEvent* event) {
    if (serving()) m_host.stop();
    QWidget::closeEvent(event);
}

void ServeWindow::applyLook() {
    for (WrapLabel* label : {m_told, m_guests}) {
        label->setContentsMargins(m_look.px(12), m_look.px(4), m_look.px(12), m_look.px(4));
        label->setFont(m_look.font(TextRole::Lane));
    }
    m_timeline->setMinimumSize(m_look.px(360), m_look.px(190));
    if (isVisible()) return;
    resize(m_look.px(1200), m_look.px(640));
    m_stack->setSizes({m_look.px(880), m_look.px(320)});
}

} // namespace lockscope::ui
