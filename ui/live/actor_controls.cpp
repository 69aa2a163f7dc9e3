// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/actor_controls.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <utility>

#include "ui/bridge/text.h"
#include "ui/live/live_host.h"
#include "ui/look.h"

namespace lockscope::ui {

namespace {

/// A pause by hand has no end of its own.
constexpr Duration kUntilResumed = seconds(24 * 3600);
/// A button that is down for longer is held, and not clicked.
constexpr qint64 kHoldMillis = 400;

} // namespace

ActorControls::ActorControls(LiveHost& host, Look& look, QWidget* parent)
    : QWidget(parent), m_host(host), m_look(look) {
    setObjectName(QStringLiteral("actorControls"));
    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->addStretch(1);
}

void ActorControls::rebuild() {
    qDeleteAll(m_groups);
    m_groups.clear();
    m_buttons.clear();
    const auto& actors = m_host.scenario().actors;
    for (int actor = 0; actor < static_cast<int>(actors.size()); ++actor) {
        const QString name = qstr(actors[static_cast<std::size_t>(actor)].name);
        auto* group = new QWidget(this);
        group->setObjectName(QStringLiteral("actorGroup%1").arg(actor));
        auto* row = new QHBoxLayout(group);
        row->setContentsMargins(0, 0, m_look.px(12), 0);
        row->setSpacing(m_look.px(4));
        auto* label = new QLabel(name, group);
        label->setObjectName(QStringLiteral("actorName%1").arg(actor));
        label->setTextFormat(Qt::PlainText);
        row->addWidget(label);
        Buttons buttons;
        buttons.pause = addButton(group, QStringLiteral("livePause%1"), actor);
        buttons.kill = addButton(group, QStringLiteral("liveKill%1"), actor);
        buttons.restart = addButton(group, QStringLiteral("liveRestart%1"), actor);
        buttons.kill->setText(tr("Kill"));
        buttons.kill->setAccessibleName(tr("Kill the process of %1").arg(name));
        buttons.kill->setToolTip(tr("SIGKILL: the process is gone at once, without a word"));
        buttons.restart->setText(tr("Restart"));
        buttons.restart->setAccessibleName(tr("Start a new process for %1").arg(name));
        buttons.restart->setToolTip(tr("A new process with a new identity"));
        connect(buttons.pause, &QToolButton::pressed, this, [this, actor] { press(actor); });
        connect(buttons.pause, &QToolButton::released, this, &ActorControls::release);
        connect(buttons.kill, &QToolButton::clicked, this, [this, actor] { kill(actor); });
        connect(buttons.restart, &QToolButton::clicked, this, [this, actor] { restart(actor); });
        m_buttons.append(buttons);
        m_groups.append(group);
        m_row->insertWidget(actor, group);
    }
    refresh(true);
}

QToolButton* ActorControls::addButton(QWidget* group, const QString& name, int actor) {
    auto* button = new QToolButton(group);
    button->setObjectName(name.arg(actor));
    button->setFocusPolicy(Qt::TabFocus);
    group->layout()->addWidget(button);
    return button;
}

void ActorControls::refresh(bool running) {
    const auto& actors = m_host.scenario().actors;
    for (int actor = 0; actor < m_buttons.size(); ++actor) {
        const std::string& name = actors[static_cast<std::size_t>(actor)].name;
        const bool alive = running && m_host.isAlive(name);
        const bool paused = alive && m_host.isPaused(name);
        Buttons& buttons = m_buttons[actor];
        const QString text = paused ? tr("Go on") : tr("Stop");
        if (buttons.pause->text() != text) {
            buttons.pause->setText(text);
            buttons.pause->setAccessibleName(paused ? tr("Let the process of %1 go on").arg(qstr(name))
                                                    : tr("Stop the process of %1").arg(qstr(name)));
            buttons.pause->setToolTip(paused
                                          ? tr("SIGCONT")
                                          : tr("SIGSTOP: it stands still until you let it go on, or as long "
                                               "as you hold the button"));
        }
        buttons.pause->setEnabled(alive);
        buttons.kill->setEnabled(alive);
        buttons.restart->setEnabled(running);
    }
}

void ActorControls::pauseOrResume(int actor) {
    const std::string& name = m_host.scenario().actors[static_cast<std::size_t>(actor)].name;
    if (m_host.isPaused(name))
        m_host.resume(name);
    else
        tell(m_host.intervene({InterventionKind::Pause, name, m_host.now(), kUntilResumed}));
}

void ActorControls::press(int actor) {
    m_held = m_host.isPaused(m_host.scenario().actors[static_cast<std::size_t>(actor)].name) ? -1 : actor;
    m_holding.start();
    pauseOrResume(actor);
}

void ActorControls::release() {
    const int actor = std::exchange(m_held, -1);
    if (actor < 0 || m_holding.elapsed() < kHoldMillis) return;
    m_host.resume(m_host.scenario().actors[static_cast<std::size_t>(actor)].name);
}

void ActorControls::kill(int actor) {
    const std::string& name = m_host.scenario().actors[static_cast<std::size_t>(actor)].name;
    tell(m_host.intervene({InterventionKind::Kill, name, m_host.now(), {}}));
}

void ActorControls::restart(int actor) {
    const std::string& name = m_host.scenario().actors[static_cast<std::size_t>(actor)].name;
    tell(m_host.intervene({InterventionKind::Restart, name, m_host.now(), {}}));
}

void ActorControls::tell(const QString& why) {
    if (!why.isEmpty()) emit refused(why);
}

} // namespace lockscope::ui
