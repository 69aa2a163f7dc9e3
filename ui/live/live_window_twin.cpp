// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The simulated run of the live window: before a real one it says what to expect, afterwards it stands below
// it with the same interventions, on the same axis, with what differs outlined.
#include <QSplitter>

#include "core/trace/agreement.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/live/live_window.h"
#include "ui/panels/lights_bar.h"
#include "ui/panels/wrap_label.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {

/// Processes wake up some milliseconds late: within it two violations count as simultaneous, and lanes as
/// alike.
constexpr Duration kMoment = millis(60);

} // namespace

/// The lesson as it is set up now, in real time.
Result<Scenario> LiveWindow::scenarioNow() const {
    const Lesson* lesson = m_lesson.lesson();
    if (lesson == nullptr) return Error{"no lesson is open"};
    return makeLiveScenario(*lesson, m_lesson.settled());
}

/// Only what comes with Lockscope, as it came, may run on somebody's server.
bool LiveWindow::trusted() const {
    return m_lesson.onShelf() && !m_lesson.programsEdited();
}

/// Before there is a real run: what it will be, and where, and what the simulator expects of it.
void LiveWindow::foresee() {
    if (!isVisible() || m_phase != Phase::Idle || !m_lesson.hasRun()) return;
    // A run of this lesson stays to be looked at; one of another lesson has had its time.
    if (m_run->run() && m_run->run()->trace->lesson == m_lesson.lesson()->id) return;
    part();
    for (QWidget* ofRun : {static_cast<QWidget*>(m_verdict), static_cast<QWidget*>(m_lights),
                           static_cast<QWidget*>(m_controls), static_cast<QWidget*>(m_side)})
        ofRun->hide();
    const Result<Scenario> scenario = scenarioNow();
    if (!scenario) return m_told->setText(qstr(scenario.error().text()));
    const QString why = m_host.whyNot(*scenario, m_choice, trusted());
    m_told->setText(why.isEmpty() ? foreseen(*scenario) : tr("This cannot be run there: %1").arg(why));
    if (const QString problem = m_simulated->start(*scenario); !problem.isEmpty())
        return m_told->setText(problem);
    ShownParts parts;
    parts.resource = scenario->resource.present;
    m_twin->setShownParts(parts);
    m_caption->setText(tr("What the simulator expects. The real run will stand here."));
    m_timeline->hide();
    m_below->show();
    m_twin->showRange({}, m_simulated->run()->trace->horizon);
}

QString LiveWindow::foreseen(const Scenario& scenario) const {
    QStringList names;
    for (const ActorSpec& actor : scenario.actors)
        names += qstr(actor.name);
    QStringList keys;
    for (const std::string& key : scenario.lockKeyNames)
        keys += qstr(key);
    const QString length = exactSeconds(scenario.horizon);
    const QString who = tr("%1 become processes of this machine for %2.").arg(names.join(tr(", ")), length);
    const QString stop = tr("A stop is a real stop, and nothing in Redis waits for it.");
    switch (m_choice.kind) {
    case LiveChoice::Kind::Private:
        return tr("%1 Their Redis is a redis-server that is started for this run and gone with it; the key "
                  "is %2. %3")
            .arg(who, keys.join(tr(", ")), stop);
    case LiveChoice::Kind::Embedded:
        return tr("%1 Their Redis is the embedded store on a loopback port; the key is %2. %3")
            .arg(who, keys.join(tr(", ")), stop);
    case LiveChoice::Kind::Url:
        break;
    }
    return tr("%1 Their Redis is yours: the key is lockscope:…:%2, under a prefix of this run's own, and is "
              "removed at the end. %3")
        .arg(who, keys.join(tr(", ")), stop);
}

/// Both show the same stretch of time and the same instant. A view keeps within its run, so the one that
/// was moved takes back what the other could not follow.
void LiveWindow::linkTwin() {
    TimelineCanvas& real = m_timeline->canvas();
    TimelineCanvas& twin = m_twin->canvas();
    const auto follow = [this](TimelineCanvas& moved, TimelineCanvas& other) {
        if (!m_compared || m_linking) return;
        m_linking = true;
        other.setView(moved.view());
        if (!moved.gliding()) moved.setView(other.view());
        m_linking = false;
    };
    connect(&real, &TimelineCanvas::viewMoved, this, [&real, &twin, follow] { follow(real, twin); });
    connect(&twin, &TimelineCanvas::viewMoved, this, [&real, &twin, follow] { follow(twin, real); });
    connect(m_run, &RunModel::playheadChanged, this, [this] {
        if (m_compared) m_simulated->setPlayhead(m_run->playhead());
    });
    connect(m_simulated, &RunModel::playheadChanged, this, [this] {
        if (m_compared) m_run->setPlayhead(m_simulated->playhead());
    });
}

/// Ends the comparison: another run is coming.
void LiveWindow::part() {
    m_compared = false;
    for (TimelineView* view : {m_timeline, m_twin}) {
        view->canvas().setPartner(nullptr);
        view->lineUpAlone();
    }
}

/// The same once more in virtual time, and as far as the real run has come.
void LiveWindow::replay() {
    const auto real = m_run->run();
    if (!real) return;
    QStringList lines;
    if (!real->trace->failure.empty()) lines << qstr(real->trace->failure);
    for (const QString& doubt : m_host.doubts())
        lines << tr("The server answered %1.").arg(doubt);
    lines << tr("The run is over, and its processes are gone.");
    m_told->setText(lines.join(QLatin1Char(' ')));
    Scenario again = m_host.scenario();
    again.horizon = std::max(real->trace->reached, instantAt(millis(1)));
    std::erase_if(again.interventions, [&](const Intervention& each) { return each.at > again.horizon; });
    if (const QString why = m_simulated->start(again); !why.isEmpty()) return m_told->setText(why);
    const auto simulated = m_simulated->run();
    const Agreement agreement = agreementOf(toldRun(*real), toldRun(*simulated), kMoment);
    m_verdict->setText(qstr(sentenceFor(agreement)));
    m_verdict->show();
    m_caption->setText(tr("The same, simulated, with the same interventions. Outlined: what differs by more "
                          "than %1 ms.")
                           .arg(kMoment / millis(1)));
    m_timeline->show();
    m_side->show();
    m_below->show();
    m_timeline->canvas().setPartner(simulated, kMoment);
    m_twin->canvas().setPartner(real, kMoment);
    m_simulated->setPlayhead(m_run->playhead());
    m_compared = true;
    m_timeline->lineUpWith(*m_twin);
    m_timeline->showRange({}, again.horizon);
}

} // namespace lockscope::ui
