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
    if (m_phase != Phase::Running || menu.actor == kNone) return;
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
    const QAction* chosen = choices.exec(menu.where);
    if (chosen == nullptr) return;
    if (chosen->data().isValid()) return pauseAhead(menu.actor, from, seconds(chosen->data().toInt()));
    if (chosen == pause) m_controls->pauseOrResume(menu.actor);
    if (chosen == kill) m_controls->kill(menu.actor);
    if (chosen == restart) m_controls->restart(menu.actor);
}

/// When time gets there; now, if it has passed meanwhile.
void LiveWindow::pauseAhead(int actor, Instant from, Duration length) {
    if (m_phase != Phase::Running) return;
    const std::string& name = m_host.scenario().actors[static_cast<std::size_t>(actor)].name;
    const Intervention pause{InterventionKind::Pause, name, from, length};
    const QString why = m_run->intervene(pause);
    m_told->setText(why.isEmpty() ? tr("To come: %1.").arg(faultSentence(pause)) : why);
}

} // namespace lockscope::ui
