// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/fault_bar.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "core/base/assert.h"
#include "ui/bridge/fault_words.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/admin_line.h"
#include "ui/panels/duration_field.h"
#include "ui/panels/fault_button.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/icons.h"

namespace lockscope::ui {

namespace {

constexpr int kFewActors = 6; ///< have a button each

void setWorded(QAbstractButton* button, const QString& word, bool worded) {
    if (auto* tool = qobject_cast<QToolButton*>(button))
        tool->setToolButtonStyle(worded ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    else
        button->setText(worded ? word : QString());
}

/// Where memory has no limit, a cache that fills it does nothing.
bool limitsMemory(const Lesson& lesson) {
    return lesson.base.server.memory.limit > 0 ||
           std::any_of(lesson.bindings.begin(), lesson.bindings.end(), [](const KnobBinding& binding) {
               return binding.field == KnobBinding::Field::MemoryLimit;
           });
}

/// Where a server has neither replicas nor a disk, its end is the end of the lesson.
bool outlivesItsServers(const Lesson& lesson) {
    const ServerSpec& server = lesson.base.server;
    return server.replicas > 0 || server.persistence != ServerSpec::Persistence::None ||
           std::any_of(lesson.bindings.begin(), lesson.bindings.end(), [](const KnobBinding& binding) {
               return binding.field == KnobBinding::Field::Replicas ||
                      binding.field == KnobBinding::Field::Persistence;
           });
}

} // namespace

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
    m_manyActors = new QComboBox(m_controls);
    m_manyActors->setObjectName(QStringLiteral("manyActors"));
    m_manyActors->setAccessibleName(tr("Act on"));
    m_manyActors->setToolTip(tr("Whom a click concerns"));
    m_manyActors->setFocusPolicy(Qt::TabFocus);
    connect(m_manyActors, &QComboBox::activated, this, &FaultBar::setActor);
    row->addWidget(m_manyActors);

    m_lengthLabel = new QLabel(tr("for"), m_controls);
    m_lengthLabel->setObjectName(QStringLiteral("lengthLabel"));
    m_length = new DurationField(look, m_controls);
    m_length->setObjectName(QStringLiteral("pauseLength"));
    m_length->setAccessibleName(tr("How long a fault lasts"));
    m_length->setToolTip(
        tr("How long a pause, a delay, a cut-off or a stall lasts, and how far a clock jumps "
           "(Shift+P to edit)"));
    m_length->setRange(millis(1), seconds(3600));
    m_length->setValue(seconds(20));
    m_lengthLabel->setBuddy(m_length);
    row->addWidget(m_lengthLabel);
    row->addWidget(m_length);
    makePalette();
    m_problem = new QLabel(m_controls);
    m_problem->setObjectName(QStringLiteral("pauseProblem"));
    m_problem->setProperty("alarm", true);
    m_problem->hide();
    row->addWidget(m_problem);
    column->addWidget(m_controls);
    for (const InterventionKindInfo& info : interventionKinds())
        if (info.hasCommand) makeLine(info.kind, *column);

    m_chips = new QWidget;
    m_chips->setObjectName(QStringLiteral("faultChips"));
    m_chips->setAccessibleName(tr("Faults of this run"));
    m_chipRow = new FlowLayout(m_chips);
    m_chipScroll = new QScrollArea(this);
    m_chipScroll->setObjectName(QStringLiteral("faultChipRows"));
    m_chipScroll->setFrameShape(QFrame::NoFrame);
    m_chipScroll->setWidgetResizable(true);
    m_chipScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_chipScroll->setFocusPolicy(Qt::NoFocus);
    m_chipScroll->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_chipScroll->setWidget(m_chips);
    column->addWidget(m_chipScroll);

    connect(m_length, &DurationField::problemChanged, this, [this](const QString& problem) {
        m_problem->setText(problem);
        m_problem->setVisible(!problem.isEmpty());
    });
    connect(m_length, &DurationField::valueChanged, this, &FaultBar::lengthChanged);
    connect(m_actors, &QButtonGroup::idClicked, this, &FaultBar::setActor);
    connect(&lesson, &LessonModel::interventionsChanged, this, &FaultBar::rebuildChips);
    connect(&lesson, &LessonModel::trialChanged, this, &FaultBar::rebuildChips);
    connect(&lesson, &LessonModel::lessonChanged, this, &FaultBar::takeLesson);
    connect(&run, &RunModel::runChanged, this, &FaultBar::rebuildActors);
    connect(&run, &RunModel::runChanged, this, &FaultBar::rebuildChips); // they tell what came of it
    connect(&run, &RunModel::veilChanged, this, &FaultBar::rebuildChips);
    connect(&run, &RunModel::playheadChanged, this, &FaultBar::refresh);
    connect(&run, &RunModel::selectionChanged, this, [this] {
        const Selection selection = m_run.selection();
        if (selection.kind == Selection::Kind::Actor && selection.index < m_names.size())
            setActor(selection.index);
        rebuildChips();
    });
    connect(&look, &Look::changed, this, &FaultBar::applyLook);
    applyLook();
    takeLesson();
    rebuildActors();
    rebuildChips();
}

void FaultBar::makePalette() {
    for (const InterventionKindInfo& info : interventionKinds()) {
        auto* made = new FaultButton(info.kind, m_look, m_controls);
        m_palette.push_back(made);
        m_controls->layout()->addWidget(made);
        connect(made, &FaultButton::clicked, this, [this, kind = info.kind] {
            // A command is written before it is run.
            if (infoOf(kind).hasCommand)
                editCommand(kind);
            else
                emit wanted(kind);
        });
        if (info.kind != InterventionKind::Pause) continue;
        m_resume = new QPushButton(tr("Resume"), m_controls);
        m_resume->setObjectName(QStringLiteral("resumeButton"));
        m_resume->setAccessibleName(m_resume->text());
        m_resume->setToolTip(tr("Resume: end the pause at the playhead (U)"));
        m_resume->setIcon(glyphIcon(m_look, Glyph::Play));
        m_resume->setFocusPolicy(Qt::TabFocus);
        m_controls->layout()->addWidget(m_resume);
        connect(m_resume, &QPushButton::clicked, this, &FaultBar::resumeRequested);
    }
}

FaultButton* FaultBar::button(InterventionKind kind) const {
    const auto found = std::find_if(m_palette.begin(), m_palette.end(),
                                    [&](const FaultButton* each) { return each->kind() == kind; });
    LOCKSCOPE_ASSERT(found != m_palette.end());
    return *found;
}

void FaultBar::takeLesson() {
    if (m_lesson.lesson() == nullptr) return;
    for (AdminLine* line : m_lines)
        line->setKeys(m_lesson.lesson()->base.lockKeyNames);
    button(InterventionKind::Load)->setVisible(limitsMemory(*m_lesson.lesson()));
    for (FaultButton* each : m_palette)
        if (each->kind() >= InterventionKind::ServerKill)
            each->setVisible(outlivesItsServers(*m_lesson.lesson()));
    fitIntoRow();
}

void FaultBar::makeLine(InterventionKind kind, QBoxLayout& column) {
    auto* line = new AdminLine(kind, m_look, this);
    line->hide();
    column.addWidget(line);
    m_lines.push_back(line);
    connect(line, &AdminLine::wanted, this, [this, kind] { emit wanted(kind); });
    connect(line, &AdminLine::closed, this, [this, line, kind] {
        line->hide();
        button(kind)->setFocus(Qt::PopupFocusReason);
    });
}

AdminLine* FaultBar::lineOf(InterventionKind kind) const {
    const auto found = std::find_if(m_lines.begin(), m_lines.end(),
                                    [&](const AdminLine* each) { return each->kind() == kind; });
    LOCKSCOPE_ASSERT(found != m_lines.end());
    return *found;
}

/// One at a time: the others make room.
void FaultBar::editCommand(InterventionKind kind) {
    for (AdminLine* line : m_lines)
        line->setVisible(line->kind() == kind);
    lineOf(kind)->edit();
}

Intervention FaultBar::made(InterventionKind kind) const {
    const InterventionKindInfo& info = infoOf(kind);
    Intervention fault{kind, {}, m_run.playhead()};
    fault.actor = info.target == InterventionTarget::Server ? serverName(0)
                  : m_actor < m_names.size()                ? m_names[m_actor].toStdString()
                                                            : std::string();
    if (info.hasLength()) fault.length = length();
    if (info.hasCommand) fault.command = lineOf(kind)->command();
    return fault;
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
        m_manyActors->clear();
        m_actor = std::clamp<int>(m_actor, 0, std::max<int>(0, static_cast<int>(names.size()) - 1));
        const bool few = names.size() <= kFewActors;
        for (int i = 0; i < names.size(); ++i)
            few ? addToggle(i) : m_manyActors->addItem(badgeIcon(m_look, i), names[i]);
        m_manyActors->setCurrentIndex(few ? -1 : m_actor);
        m_length->setMaximumWidth(m_look.px(86));
        m_manyActors->view()->setMinimumWidth(m_manyActors->view()->sizeHintForColumn(0) + m_look.px(24));
        m_actorBox->setVisible(few);
        m_manyActors->setVisible(!few);
        fitIntoRow();
        emit actorChanged();
    }
    refresh();
}

void FaultBar::addToggle(int actor) {
    auto* toggle = new QToolButton(m_actorBox);
    toggle->setObjectName(QStringLiteral("actor%1").arg(m_look.badgeLetter(actor)));
    toggle->setIcon(badgeIcon(m_look, actor));
    toggle->setIconSize({m_look.px(18), m_look.px(18)});
    toggle->setToolTip(tr("%1 (%2)").arg(m_names[actor]).arg(actor + 1));
    toggle->setAccessibleName(tr("Act on %1").arg(m_names[actor]));
    toggle->setCheckable(true);
    toggle->setChecked(actor == m_actor);
    toggle->setFocusPolicy(Qt::TabFocus);
    m_actors->addButton(toggle, actor);
    m_actorRow->addWidget(toggle);
}

/// The first ones, which are used most, keep their words as long as all stand in one row.
void FaultBar::fitIntoRow() {
    m_manyActors->setMaximumWidth(m_look.px(150));
    const QMargins edges = layout()->contentsMargins();
    int left = width() - edges.left() - edges.right();
    const int gap = m_controls->layout()->spacing();
    std::vector<QAbstractButton*> worded;
    for (FaultButton* each : m_palette) {
        if (each->isHidden()) continue;
        worded.push_back(each);
        if (each->kind() == InterventionKind::Pause) worded.push_back(m_resume);
    }
    for (QWidget* each : std::initializer_list<QWidget*>{
             m_names.size() <= kFewActors ? m_actorBox : static_cast<QWidget*>(m_manyActors), m_lengthLabel,
             m_length})
        left -= std::min(each->sizeHint().width(), each->maximumWidth()) + gap;
    const auto widthOf = [&](QAbstractButton* each, bool with) {
        setWorded(each, each->accessibleName(), with);
        return each->sizeHint().width();
    };
    for (QAbstractButton* each : worded)
        left -= widthOf(each, false) + gap;
    left += gap;
    if (left < 0 && !m_manyActors->isHidden()) {
        const int wanted = std::min(m_manyActors->sizeHint().width(), m_manyActors->maximumWidth());
        m_manyActors->setMaximumWidth(std::max(m_look.px(72), wanted + left));
    }
    for (QAbstractButton* each : worded) {
        const int without = each->sizeHint().width();
        left -= widthOf(each, true) - without;
        if (left >= 0) continue;
        setWorded(each, each->accessibleName(), false);
        break;
    }
}

void FaultBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() == event->size().width()) return;
    fitIntoRow();
    fitChips();
}

void FaultBar::setActor(int actor) {
    if (actor < 0 || actor >= m_names.size()) return;
    m_actor = actor;
    if (auto* toggle = m_actors->button(actor))
        toggle->setChecked(true);
    else
        m_manyActors->setCurrentIndex(actor);
    refresh();
    emit actorChanged();
}

void FaultBar::setActorNamed(const std::string& name) {
    const auto actor = static_cast<int>(m_names.indexOf(qstr(name)));
    if (actor >= 0 && actor != m_actor) setActor(actor);
}

Duration FaultBar::length() const {
    return m_length->value();
}

void FaultBar::setLength(Duration length) {
    m_length->setValue(length);
}

void FaultBar::editLength() {
    m_length->setFocus(Qt::ShortcutFocusReason);
    m_length->selectAll();
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
    m_possible.clear();
    for (FaultButton* each : m_palette) {
        // A process that is gone sends nothing and cannot be paused; Redis is always there.
        const bool server = infoOf(each->kind()).target == InterventionTarget::Server;
        const bool restart = each->kind() == InterventionKind::Restart;
        if (each->kind() >= InterventionKind::ServerKill && each->isHidden()) continue; // see takeLesson()
        if (any && (server || alive || (restart && started))) m_possible.insert(each->kind());
        each->setEnabled(any); // it can be carried to where it is possible
    }
    m_length->setEnabled(any);
    m_resume->setEnabled(any && m_lesson.canResume(m_names[m_actor].toStdString(), m_run.playhead()));
    emit possibleChanged();
}

bool FaultBar::can(InterventionKind kind) const {
    return m_possible.contains(kind);
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
    m_controls->layout()->setSpacing(m_look.px(4));
    m_chipRow->setContentsMargins(0, 0, 0, 0);
    m_chipRow->setSpacing(m_look.px(6));
    m_problem->setFont(m_look.font(TextRole::Caption));
    m_lengthLabel->setFont(m_look.font(TextRole::Caption));
    m_resume->setFont(m_look.font(TextRole::Caption));
    m_resume->setIconSize({m_look.px(12), m_look.px(12)});
    for (FaultButton* each : m_palette) {
        each->setFont(m_look.font(TextRole::Caption));
        each->setIconSize({m_look.px(14), m_look.px(14)});
    }
    for (QAbstractButton* each : m_actors->buttons())
        each->setIconSize({m_look.px(18), m_look.px(18)});
    m_manyActors->setFont(m_look.font(TextRole::Caption));
    m_manyActors->view()->setMinimumWidth(m_manyActors->view()->sizeHintForColumn(0) + m_look.px(24));
    rebuildChips();
    fitIntoRow();
}

} // namespace lockscope::ui
