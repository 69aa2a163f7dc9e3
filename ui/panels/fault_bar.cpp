// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/fault_bar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/duration_field.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/icons.h"

namespace lockscope::ui {

FaultBar::FaultBar(LessonModel& lesson, RunModel& run, Look& look, QWidget* parent)
    : QWidget(parent), m_lesson(lesson), m_run(run), m_look(look) {
    setObjectName(QStringLiteral("faultBar"));
    setAccessibleName(tr("Faults at the playhead"));
    auto* column = new QVBoxLayout(this);
    m_controls = new QWidget(this);
    m_controls->setObjectName(QStringLiteral("faultControls"));
    auto* row = new FlowLayout(m_controls);

    m_actorBox = new QWidget(m_controls);
    m_actorBox->setObjectName(QStringLiteral("actorBox"));
    m_actorRow = new QHBoxLayout(m_actorBox);
    m_actors = new QButtonGroup(this);
    row->addWidget(m_actorBox);

    m_pause = button(tr("Pause for"), "pauseButton", tr("Freeze the process at the playhead (P)"));
    m_length = new DurationField(look, m_controls);
    m_length->setObjectName(QStringLiteral("pauseLength"));
    m_length->setAccessibleName(tr("Length of the pause"));
    m_length->setToolTip(tr("How long a pause lasts (Shift+P to edit)"));
    m_length->setRange(millis(1), seconds(3600));
    m_length->setValue(seconds(20));
    m_resume = button(tr("Resume"), "resumeButton", tr("End the pause at the playhead (U)"));
    m_kill = button(tr("Kill"), "killButton", tr("End the process at the playhead, without a word (K)"));
    m_restart =
        button(tr("Restart"), "restartButton", tr("Start it again as a new process at the playhead (T)"));
    m_pause->setIcon(glyphIcon(look, Glyph::Pause));
    m_resume->setIcon(glyphIcon(look, Glyph::Play));
    m_kill->setIcon(glyphIcon(look, Glyph::Kill));
    m_restart->setIcon(glyphIcon(look, Glyph::Restart));
    for (QWidget* part :
         {static_cast<QWidget*>(m_pause), static_cast<QWidget*>(m_length), static_cast<QWidget*>(m_resume),
          static_cast<QWidget*>(m_kill), static_cast<QWidget*>(m_restart)})
        row->addWidget(part);
    m_problem = new QLabel(m_controls);
    m_problem->setObjectName(QStringLiteral("pauseProblem"));
    m_problem->setProperty("alarm", true);
    m_problem->hide();
    row->addWidget(m_problem);
    column->addWidget(m_controls);

    m_chips = new QWidget(this);
    m_chips->setObjectName(QStringLiteral("faultChips"));
    m_chips->setAccessibleName(tr("Faults of this run"));
    m_chipRow = new FlowLayout(m_chips);
    column->addWidget(m_chips);

    connect(m_pause, &QPushButton::clicked, this, &FaultBar::pauseRequested);
    connect(m_resume, &QPushButton::clicked, this, &FaultBar::resumeRequested);
    connect(m_kill, &QPushButton::clicked, this, &FaultBar::killRequested);
    connect(m_restart, &QPushButton::clicked, this, &FaultBar::restartRequested);
    connect(m_length, &DurationField::problemChanged, this, [this](const QString& problem) {
        m_problem->setText(problem);
        m_problem->setVisible(!problem.isEmpty());
    });
    connect(m_length, &DurationField::valueChanged, this, &FaultBar::pauseLengthChanged);
    connect(m_actors, &QButtonGroup::idClicked, this, &FaultBar::setActor);
    connect(&lesson, &LessonModel::interventionsChanged, this, &FaultBar::rebuildChips);
    connect(&run, &RunModel::runChanged, this, &FaultBar::rebuildActors);
    connect(&run, &RunModel::playheadChanged, this, &FaultBar::refresh);
    connect(&run, &RunModel::selectionChanged, this, [this] {
        const Selection selection = m_run.selection();
        if (selection.kind == Selection::Kind::Actor && selection.index < m_names.size())
            setActor(selection.index);
        rebuildChips();
    });
    connect(&look, &Look::changed, this, &FaultBar::applyLook);
    applyLook();
    rebuildActors();
    rebuildChips();
}

QPushButton* FaultBar::button(const QString& text, const char* name, const QString& help) {
    auto* made = new QPushButton(text, m_controls);
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(text);
    made->setToolTip(help);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

void FaultBar::rebuildActors() {
    QStringList names;
    m_turns.clear();
    if (m_run.run()) {
        for (const ActorSpec& actor : m_run.scenario().actors)
            names << qstr(actor.name);
        for (const Event& event : m_run.run()->trace->events) {
            const bool starts = event.kind == EventKind::ProcessStarted;
            if (starts || event.kind == EventKind::ProcessKilled || event.kind == EventKind::ProcessEnded)
                m_turns.push_back({event.at, event.actor, starts});
        }
    }
    if (names != m_names) {
        m_names = names;
        qDeleteAll(m_actors->buttons());
        m_actor = std::clamp<int>(m_actor, 0, std::max<int>(0, static_cast<int>(names.size()) - 1));
        for (int i = 0; i < names.size(); ++i) {
            auto* toggle = new QToolButton(m_actorBox);
            toggle->setObjectName(QStringLiteral("actor%1").arg(m_look.badgeLetter(i)));
            toggle->setIcon(badgeIcon(m_look, i));
            toggle->setIconSize({m_look.px(18), m_look.px(18)});
            toggle->setToolTip(tr("%1 (%2)").arg(names[i]).arg(i + 1));
            toggle->setAccessibleName(tr("Act on %1").arg(names[i]));
            toggle->setCheckable(true);
            toggle->setChecked(i == m_actor);
            toggle->setFocusPolicy(Qt::TabFocus);
            m_actors->addButton(toggle, i);
            m_actorRow->addWidget(toggle);
        }
        emit actorChanged();
    }
    refresh();
}

void FaultBar::setActor(int actor) {
    if (actor < 0 || actor >= m_names.size()) return;
    m_actor = actor;
    if (auto* toggle = m_actors->button(actor)) toggle->setChecked(true);
    refresh();
    emit actorChanged();
}

Duration FaultBar::pauseLength() const {
    return m_length->value();
}

void FaultBar::setPauseLength(Duration length) {
    m_length->setValue(length);
}

void FaultBar::editPauseLength() {
    m_length->setFocus(Qt::ShortcutFocusReason);
    m_length->selectAll();
}

QString FaultBar::sentence(const Intervention& intervention) {
    const QString who = qstr(intervention.actor), at = shortSeconds(intervention.at);
    const QString length = qstr(formatSecondsExact(intervention.length));
    switch (intervention.kind) {
    case InterventionKind::Pause:
        return tr("%1 paused %2 at %3").arg(who, length, at);
    case InterventionKind::Kill:
        return tr("%1 killed at %2").arg(who, at);
    case InterventionKind::Restart:
        return tr("%1 restarted at %2").arg(who, at);
    case InterventionKind::LostRequest:
        return tr("%1's next request after %2 is lost").arg(who, at);
    case InterventionKind::LostReply:
        return tr("%1's next reply after %2 is lost").arg(who, at);
    case InterventionKind::Delay:
        return tr("%1's next request after %2 takes %3 longer").arg(who, at, length);
    case InterventionKind::DelayReply:
        return tr("%1's next reply after %2 takes %3 longer").arg(who, at, length);
    case InterventionKind::Partition:
        return tr("%1 cut off from Redis for %2 at %3").arg(who, length, at);
    case InterventionKind::ClockJump:
    case InterventionKind::ServerClockJump:
        return tr("The clock of %1 put on by %2 at %3").arg(who, length, at);
    case InterventionKind::ServerStall:
        return tr("%1 stalled for %2 at %3").arg(who, length, at);
    case InterventionKind::Admin:
        return tr("%1 on %2 at %3").arg(qstr(intervention.command), who, at);
    }
    return {};
}

void FaultBar::rebuildChips() {
    while (QLayoutItem* item = m_chipRow->takeAt(0)) {
        item->widget()->hide();
        item->widget()->setParent(nullptr);
        item->widget()->deleteLater(); // it may be the one that was just clicked
        delete item;
    }
    const auto& list = m_lesson.interventions();
    const Selection selection = m_run.selection();
    for (int i = 0; i < static_cast<int>(list.size()); ++i) {
        auto* chip = new QWidget(m_chips);
        auto* row = new QHBoxLayout(chip);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(0);
        const QString text = sentence(list[static_cast<std::size_t>(i)]);
        auto* pick = new QToolButton(chip);
        pick->setObjectName(QStringLiteral("fault%1").arg(i + 1));
        pick->setText(tr("%1  %2").arg(i + 1).arg(text));
        pick->setAccessibleName(text);
        pick->setToolTip(tr("Select it on the timeline"));
        pick->setCheckable(true);
        pick->setChecked(selection == Selection{Selection::Kind::Intervention, i});
        pick->setFocusPolicy(Qt::TabFocus);
        pick->setFont(m_look.font(TextRole::Caption));
        auto* remove = new QToolButton(chip);
        remove->setObjectName(QStringLiteral("removeFault%1").arg(i + 1));
        remove->setIcon(glyphIcon(m_look, Glyph::Close));
        remove->setIconSize({m_look.px(12), m_look.px(12)});
        remove->setAccessibleName(tr("Remove: %1").arg(text));
        remove->setToolTip(tr("Take it back (Delete while it is selected)"));
        remove->setFocusPolicy(Qt::TabFocus);
        row->addWidget(pick);
        row->addWidget(remove);
        connect(pick, &QToolButton::clicked, this, [this, i] {
            m_run.select({Selection::Kind::Intervention, i});
        });
        connect(remove, &QToolButton::clicked, this, [this, i] { emit removeRequested(i); });
        m_chipRow->addWidget(chip);
        chip->show();
    }
    m_chips->setVisible(!list.empty());
    m_chipRow->invalidate();
    m_chips->updateGeometry();
}

void FaultBar::refresh() {
    const bool any = m_run.run() != nullptr && m_actor < m_names.size();
    bool started = false, alive = false;
    for (const Turn& turn : m_turns) {
        if (turn.at > m_run.playhead()) break;
        if (turn.actor != m_actor) continue;
        started = true;
        alive = turn.starts;
    }
    m_pause->setEnabled(any && alive);
    m_length->setEnabled(any);
    m_kill->setEnabled(any && alive);
    m_restart->setEnabled(any && started);
    m_resume->setEnabled(any && m_lesson.canResume(m_names[m_actor].toStdString(), m_run.playhead()));
    emit possibleChanged();
}

bool FaultBar::can(InterventionKind kind) const {
    switch (kind) {
    case InterventionKind::Pause:
        return m_pause->isEnabled();
    case InterventionKind::Kill:
        return m_kill->isEnabled();
    case InterventionKind::Restart:
        return m_restart->isEnabled();
    default:
        return false;
    }
}

bool FaultBar::canResume() const {
    return m_resume->isEnabled();
}

void FaultBar::applyLook() {
    layout()->setContentsMargins(m_look.px(12), m_look.px(6), m_look.px(12), 0);
    layout()->setSpacing(m_look.px(6));
    m_actorRow->setContentsMargins(0, 0, m_look.px(6), 0);
    m_actorRow->setSpacing(m_look.px(2));
    m_controls->layout()->setContentsMargins(0, 0, 0, 0);
    m_controls->layout()->setSpacing(m_look.px(6));
    m_chipRow->setContentsMargins(0, 0, 0, 0);
    m_chipRow->setSpacing(m_look.px(6));
    m_problem->setFont(m_look.font(TextRole::Caption));
    for (QPushButton* each : {m_pause, m_resume, m_kill, m_restart})
        each->setIconSize({m_look.px(12), m_look.px(12)});
    for (QAbstractButton* each : m_actors->buttons())
        each->setIconSize({m_look.px(18), m_look.px(18)});
    rebuildChips();
}

} // namespace lockscope::ui
