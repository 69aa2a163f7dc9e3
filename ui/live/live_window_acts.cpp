// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What hands do to a run while it goes on.
#include <QMenu>

#include <algorithm>

#include "core/world/session.h"
#include "ui/bridge/fault_words.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"
#include "ui/live/actor_controls.h"
#include "ui/live/live_console.h"
#include "ui/live/live_window.h"
#include "ui/panels/wrap_label.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

void LiveWindow::sendCommand(const QString& command) {
    const QString why = m_host.intervene({InterventionKind::Admin,
                                          serverName(0),
                                          m_host.now(),
                                          {},
                                          command.toStdString(),
                                          std::string(kYouName)});
    m_commanded = why.isEmpty();
    if (!why.isEmpty()) m_console->say(why);
}

void LiveWindow::showLaneMenu(const LaneMenu& menu) {
    if (m_phase != Phase::Running) return;
    if (menu.actor == kNone) return showServerMenu(menu);
    const std::string& name = m_host.scenario().actors[static_cast<std::size_t>(menu.actor)].name;
    const bool alive = m_host.isAlive(name);
    QMenu choices(this);
    choices.setObjectName(QStringLiteral("liveLaneMenu"));
    QAction* pause = choices.addAction(m_host.isPaused(name) ? tr("&Go on") : tr("&Stop"));
    // Where the menu was asked for, if the run has not come there yet.
    const Instant from = std::max(menu.at, m_run->end());
    QMenu* lengths = choices.addMenu(from > m_run->end() ? tr("Stop &at %1 for").arg(exactSeconds(from))
                                                         : tr("Stop &for"));
    lengths->setObjectName(QStringLiteral("livePauseLengths"));
    for (const int each : {1, 2, 5, 10})
        lengths->addAction(tr("&%1 s").arg(each))->setData(each);
    QAction* kill = choices.addAction(tr("&Kill"));
    QAction* restart = choices.addAction(tr("&Restart"));
    pause->setEnabled(alive);
    kill->setEnabled(alive);
    lengths->setEnabled(alive);
    offerToTakeBack(choices, menu);
    const QAction* chosen = choices.exec(menu.where);
    if (chosen == nullptr) return;
    if (chosen->data().isValid()) return pauseAhead(menu.actor, from, seconds(chosen->data().toInt()));
    if (chosen == pause) m_controls->pauseOrResume(menu.actor);
    if (chosen == kill) m_controls->kill(menu.actor);
    if (chosen == restart) m_controls->restart(menu.actor);
}

/// What can be done to a server of this run's own. Of somebody's it says why nothing can.
void LiveWindow::showServerMenu(const LaneMenu& menu) {
    QMenu choices(this);
    choices.setObjectName(QStringLiteral("liveServerMenu"));
    const Instant from = std::max(menu.at, m_run->end());
    const QString when = from > m_run->end() ? tr(" at %1").arg(exactSeconds(from)) : QString();
    const std::string name = serverName(menu.node);
    const auto offer = [&](QMenu& to, const QString& words, InterventionKind kind, Duration length = {}) {
        const Intervention fault{kind, name, from, length};
        QAction* item = to.addAction(words);
        item->setObjectName(QStringLiteral("live-%1").arg(qstr(std::string(infoOf(kind).id))));
        connect(item, &QAction::triggered, this, [this, fault] { interveneAhead(fault); });
    };
    const auto offerLengths = [&](const QString& words, InterventionKind kind) {
        QMenu* lengths = choices.addMenu(words);
        for (const int each : {1, 2, 5, 10})
            offer(*lengths, tr("&%1 s").arg(each), kind, seconds(each));
    };
    if (m_choice.kind == LiveChoice::Kind::Private) {
        offerLengths(tr("&Stop its process%1 for").arg(when), InterventionKind::ServerStall);
        offer(choices, tr("&Kill it%1: its power fails").arg(when), InterventionKind::ServerKill);
        offer(choices, tr("Start it &again%1").arg(when), InterventionKind::ServerRestart);
        if (m_host.scenario().server.replicas > 0) {
            offer(choices, tr("&Promote a replica%1").arg(when), InterventionKind::Promote);
            offerLengths(tr("&Cut the link to its replicas%1 for").arg(when), InterventionKind::LinkCut);
        }
    } else {
        choices.addAction(tr("Only a private redis-server is stopped or killed"))->setEnabled(false);
    }
    offerToTakeBack(choices, menu);
    choices.exec(menu.where);
}

/// If what the menu was asked for on is still to come.
void LiveWindow::offerToTakeBack(QMenu& choices, const LaneMenu& menu) {
    const auto& known = m_run->run()->trace->interventions;
    if (menu.fault < 0 || static_cast<std::size_t>(menu.fault) >= known.size()) return;
    const TraceIntervention& told = known[static_cast<std::size_t>(menu.fault)];
    if (told.applied || told.takenBack || told.at <= m_host.now()) return;
    // What waits for a message is with the process already, which meets it by its own clock.
    const InterventionKind kind = faultFrom(told).kind;
    const bool ofProcess = kind == InterventionKind::Pause || kind == InterventionKind::Kill ||
                           kind == InterventionKind::Restart;
    if (!ofProcess && infoOf(kind).target == InterventionTarget::Actor) return;
    choices.addSeparator();
    QAction* item = choices.addAction(tr("&Take back: %1").arg(menuText(faultSentence(faultFrom(told)))));
    item->setObjectName(QStringLiteral("liveTakeBack"));
    connect(item, &QAction::triggered, this, [this, planned = faultFrom(told)] {
        const QString why = m_host.takeBack(planned);
        m_told->setText(why.isEmpty() ? tr("Taken back: %1.").arg(faultSentence(planned)) : why);
    });
}

/// When time gets there; now, if it has passed meanwhile.
void LiveWindow::pauseAhead(int actor, Instant from, Duration length) {
    if (m_phase != Phase::Running) return;
    const std::string& name = m_host.scenario().actors[static_cast<std::size_t>(actor)].name;
    interveneAhead({InterventionKind::Pause, name, from, length});
}

void LiveWindow::interveneAhead(const Intervention& fault) {
    const QString why = m_run->intervene(fault);
    m_told->setText(why.isEmpty() ? tr("To come: %1.").arg(faultSentence(fault)) : why);
}

} // namespace lockscope::ui
