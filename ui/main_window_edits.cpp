// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What changes the run: undo and redo, the faults with their palette, menus and keys. What a change is
// decides the FaultDesk; here stands only which action asks for which.
#include <QToolBar>
#include <QToolButton>

#include "ui/bridge/fault_desk.h"
#include "ui/bridge/fault_words.h"
#include "ui/bridge/kept_runs.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/main_window_parts.h"
#include "ui/panels/fault_bar.h"
#include "ui/panels/fault_button.h"
#include "ui/panels/icons.h"
#include "ui/panels/toast.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {

/// The key that does a kind of fault at the playhead.
QKeySequence keyOf(InterventionKind kind) {
    switch (kind) {
    case InterventionKind::Pause:
        return {QStringLiteral("P")};
    case InterventionKind::Kill:
        return {QStringLiteral("K")};
    case InterventionKind::Restart:
        return {QStringLiteral("T")};
    case InterventionKind::LostRequest:
        return {QStringLiteral("X")};
    case InterventionKind::LostReply:
        return {QStringLiteral("Shift+X")};
    case InterventionKind::Delay:
        return {QStringLiteral("D")};
    case InterventionKind::DelayReply:
        return {QStringLiteral("Shift+D")};
    case InterventionKind::Partition:
        return {QStringLiteral("O")};
    case InterventionKind::ClockJump:
        return {QStringLiteral("J")};
    case InterventionKind::ServerStall:
        return {QStringLiteral("Shift+O")};
    case InterventionKind::ServerClockJump:
        return {QStringLiteral("Shift+J")};
    case InterventionKind::Admin:
        return {QStringLiteral("A")};
    case InterventionKind::Load:
        return {QStringLiteral("Shift+A")};
    case InterventionKind::ServerKill:
        return {QStringLiteral("Shift+K")};
    case InterventionKind::ServerRestart:
        return {QStringLiteral("Shift+T")};
    case InterventionKind::Promote:
        return {QStringLiteral("Shift+G")};
    case InterventionKind::LinkCut:
        return {QStringLiteral("Shift+L")};
    case InterventionKind::SaveFails:
        return {QStringLiteral("Shift+S")};
    }
    return {};
}

/// "actionPause", "actionLostReply"
QByteArray actionName(const InterventionKindInfo& info) {
    QByteArray name = "action";
    bool capital = true;
    for (const char c : info.id) {
        if (c != '-') name += capital ? static_cast<char>(c - 'a' + 'A') : c;
        capital = c == '-';
    }
    return name;
}

} // namespace

void MainWindow::buildEditMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    menu->setObjectName(QStringLiteral("editMenu"));
    m_actions->undo = m_lesson->history().createUndoAction(this, tr("&Undo"));
    m_actions->redo = m_lesson->history().createRedoAction(this, tr("&Redo"));
    m_actions->undo->setObjectName(QStringLiteral("actionUndo"));
    m_actions->redo->setObjectName(QStringLiteral("actionRedo"));
    m_actions->undo->setShortcut(QKeySequence(tr("Ctrl+Z")));
    m_actions->redo->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    m_actions->undo->setIcon(glyphIcon(*m_look, Glyph::Undo));
    m_actions->redo->setIcon(glyphIcon(*m_look, Glyph::Redo));
    QAction* before = m_toolBar->actions().at(1); // behind the lessons
    for (QAction* each : {m_actions->undo, m_actions->redo}) {
        menu->addAction(each);
        m_actions->all.append(each);
        m_toolBar->insertAction(before, each);
        auto* shown = qobject_cast<QToolButton*>(m_toolBar->widgetForAction(each));
        shown->setObjectName(each == m_actions->undo ? QStringLiteral("undoButton")
                                                     : QStringLiteral("redoButton"));
        shown->setFocusPolicy(Qt::TabFocus);
        shown->setProperty("flat", true);
        const auto name = [each, shown] { shown->setAccessibleName(each->text().remove(QLatin1Char('&'))); };
        connect(each, &QAction::changed, shown, name);
        name();
    }
    menu->addSeparator();

    const auto act = [&](const QString& text, const char* name, const QList<QKeySequence>& keys, auto does) {
        QAction* made = m_actions->add(menu, text, name, keys);
        connect(made, &QAction::triggered, this, does);
        return made;
    };
    const auto edit = [&](const QString& text, const char* name, const QList<QKeySequence>& keys, auto does) {
        m_actions->faultEdits.append(act(text, name, keys, does));
    };
    act(tr("&Next fault"), "actionNextFault", {QKeySequence(tr("I"))}, [this] { m_desk->walk(1); });
    act(tr("&Previous fault"), "actionPreviousFault", {QKeySequence(tr("Shift+I"))},
        [this] { m_desk->walk(-1); });
    edit(tr("Re&move the fault"), "actionRemove", {QKeySequence::Delete, QKeySequence(tr("Backspace"))},
         [this] { m_desk->remove(m_desk->picked()); });
    edit(tr("&Duplicate the fault"), "actionDuplicate", {QKeySequence(tr("Ctrl+D"))},
         [this] { m_desk->duplicate(m_desk->picked()); });
    for (const int direction : {-1, 1}) {
        const bool back = direction < 0;
        const QString arrow = back ? QStringLiteral("Left") : QStringLiteral("Right");
        for (const bool fine : {false, true}) {
            const QString little = fine ? tr(" a little") : QString();
            const QString control = fine ? QStringLiteral("Ctrl+") : QString();
            edit((back ? tr("Move the fault earlier") : tr("Move the fault later")) + little,
                 back ? (fine ? "actionEarlierFine" : "actionEarlier")
                      : (fine ? "actionLaterFine" : "actionLater"),
                 {QKeySequence(control + QStringLiteral("Shift+") + arrow)}, [this, direction, fine] {
                     m_desk->shift(m_desk->picked(), m_timeline->keyStep(fine) * direction);
                 });
        }
        edit(
            back ? tr("Move the fault to the server above") : tr("Move the fault to the server below"),
            back ? "actionAbove" : "actionBelow",
            {QKeySequence(QStringLiteral("Shift+") + (back ? QStringLiteral("Up") : QStringLiteral("Down")))},
            [this, direction] { m_desk->handOver(m_desk->picked(), direction); });
    }
    menu->addSeparator();
    buildProgramActions(menu);
    menu->addSeparator();
    act(tr("Next m&essage of the lane"), "actionNextMessage", {QKeySequence(tr("M"))},
        [this] { oneTimeline().walkMessages(1); });
    act(tr("Previous me&ssage of the lane"), "actionPreviousMessage", {QKeySequence(tr("Shift+M"))},
        [this] { oneTimeline().walkMessages(-1); });
    for (const int direction : {-1, 1}) {
        const bool less = direction < 0;
        const QString arrow = less ? QStringLiteral("Left") : QStringLiteral("Right");
        for (const bool fine : {false, true})
            act((less ? tr("Shorter: the fault, the lease, the message")
                      : tr("Longer: the fault, the lease, the message")) +
                    (fine ? tr(", a little") : QString()),
                less ? (fine ? "actionShorterFine" : "actionShorter")
                     : (fine ? "actionLongerFine" : "actionLonger"),
                {QKeySequence((fine ? QStringLiteral("Ctrl+Alt+") : QStringLiteral("Alt+")) + arrow)},
                [this, direction, fine] { stretchSelected(direction, fine, false); });
        act(less ? tr("Shorter: the reply to the message") : tr("Longer: the reply to the message"),
            less ? "actionShorterReply" : "actionLongerReply",
            {QKeySequence(QStringLiteral("Alt+Shift+") + arrow)},
            [this, direction] { stretchSelected(direction, false, true); });
    }
}

void MainWindow::buildActorMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Actor"));
    menu->setObjectName(QStringLiteral("actorMenu"));
    m_actions->actors = menu->addMenu(tr("&Act on"));
    m_actions->actors->setObjectName(QStringLiteral("actorsMenu"));
    menu->addSeparator();
    for (const InterventionKindInfo& info : interventionKinds()) {
        if (info.target == InterventionTarget::Server && m_actions->faults.size() > 0 &&
            infoOf(static_cast<InterventionKind>(m_actions->faults.back()->data().toInt())).target ==
                InterventionTarget::Actor)
            menu->addSeparator();
        QAction* made = m_actions->add(menu, tr("%1 at the playhead").arg(faultName(info.kind)),
                                       actionName(info).constData(), {keyOf(info.kind)});
        made->setIcon(faultIcon(*m_look, info.kind));
        made->setData(static_cast<int>(info.kind));
        made->setStatusTip(faultHelp(info.kind));
        m_actions->faults.append(made);
        connect(made, &QAction::triggered, this, [this, kind = info.kind] { doFault(kind); });
        m_faults->button(info.kind)->setToolTip(
            tr("%1: %2\nDrag it onto a lane, or click: at the playhead (%3)")
                .arg(faultName(info.kind), faultHelp(info.kind),
                     keyOf(info.kind).toString(QKeySequence::NativeText)));
        if (info.kind != InterventionKind::Pause) continue;
        m_actions->pauseLength = m_actions->add(menu, tr("&How long faults last…"), "actionPauseLength",
                                                {QKeySequence(tr("Shift+P"))});
        m_actions->resume =
            m_actions->add(menu, tr("Res&ume at the playhead"), "actionResume", {QKeySequence(tr("U"))});
    }
    connect(m_actions->pauseLength, &QAction::triggered, m_faults, &FaultBar::editLength);
    connect(m_actions->resume, &QAction::triggered, this,
            [this] { m_desk->resume(actorName(m_faults->actor()).toStdString(), m_run->playhead()); });
    m_actions->actorChoice = new QActionGroup(this);
    fillActorMenu();
}

void MainWindow::fillActorMenu() {
    const auto& actors = m_run->run() ? m_run->scenario().actors : std::vector<ActorSpec>{};
    QMenu* menu = m_actions->actors;
    if (menu->actions().size() != static_cast<qsizetype>(actors.size())) {
        menu->clear();
        for (int i = 0; i < static_cast<int>(actors.size()); ++i) {
            QAction* item = menu->addAction(QString());
            item->setObjectName(QStringLiteral("actionActor%1").arg(m_look->badgeLetter(i)));
            item->setCheckable(true);
            item->setIcon(badgeIcon(*m_look, i));
            if (i < 9) item->setShortcut(QKeySequence(QString::number(i + 1)));
            m_actions->actorChoice->addAction(item);
            connect(item, &QAction::triggered, this, [this, i] {
                m_run->select({Selection::Kind::Actor, i});
            });
        }
    }
    for (int i = 0; i < static_cast<int>(actors.size()); ++i) {
        menu->actions()[i]->setText(qstr(actors[static_cast<std::size_t>(i)].name));
        menu->actions()[i]->setChecked(i == m_faults->actor());
    }
}

void MainWindow::connectEdits() {
    m_timeline->setDesk(*m_desk);
    connect(m_desk, &FaultDesk::refused, this, [this](const QString& why) { m_toast->say(why); });
    connect(m_desk, &FaultDesk::done, this, [this](const QString& said, bool undoable) {
        // Whom something was done to, the next key concerns too.
        if (const int fault = m_desk->picked(); fault >= 0)
            m_faults->setActorNamed(m_desk->faults()[static_cast<std::size_t>(fault)].actor);
        if (!undoable) return m_toast->say(said);
        m_toast->say(said, tr("Undo (Ctrl+Z)"), [this] { m_actions->undo->trigger(); });
    });
    // What the toast offers to undo is what it tells of, and nothing that came later.
    connect(&m_lesson->history(), &QUndoStack::indexChanged, m_toast, &Toast::withdraw);
    connect(m_lesson, &LessonModel::lessonChanged, m_toast, &Toast::withdraw);
    connect(m_kept, &KeptRuns::changed, m_toast, &Toast::withdraw);
    connect(&m_lesson->progress(), &Progress::changed, m_toast, &Toast::withdraw);
    connect(m_timeline, &TimelineView::laneMenuRequested, this, &MainWindow::showLaneMenu);
    connect(m_timeline, &TimelineView::focusedActorChanged, this, [this] {
        if (m_timeline->focusedActor() != kNone) m_faults->setActor(m_timeline->focusedActor());
    });
    connect(m_faults, &FaultBar::actorChanged, this, [this] { m_timeline->focusActor(m_faults->actor()); });
    connect(m_faults, &FaultBar::wanted, this, &MainWindow::doFault);
    connect(m_faults, &FaultBar::resumeRequested, m_actions->resume, &QAction::trigger);
    connect(m_faults, &FaultBar::removeRequested, m_desk, &FaultDesk::remove);
    connectPalette();
}

void MainWindow::connectPalette() {
    for (const InterventionKindInfo& info : interventionKinds()) {
        FaultButton* button = m_faults->button(info.kind);
        TimelineCanvas* canvas = &m_timeline->canvas();
        connect(button, &FaultButton::carryBegan, this, [this, canvas, kind = info.kind] {
            const Intervention fault = m_faults->made(kind);
            if (infoOf(kind).hasCommand && fault.command.empty())
                m_faults->editCommand(kind);
            else
                canvas->beginPlacing(fault);
        });
        connect(button, &FaultButton::carried, canvas, &TimelineCanvas::movePlacing);
        connect(button, &FaultButton::dropped, canvas, &TimelineCanvas::endPlacing);
        connect(button, &FaultButton::carryEnded, canvas, &TimelineCanvas::cancelGesture);
    }
}

void MainWindow::refreshEdits() {
    for (QAction* each : m_actions->faults)
        each->setEnabled(m_faults->can(static_cast<InterventionKind>(each->data().toInt())));
    m_actions->resume->setEnabled(m_faults->canResume());
    const bool picked = m_desk->picked() >= 0 && m_desk->usable();
    for (QAction* each : m_actions->faultEdits)
        each->setEnabled(picked);
}

/// At the playhead; what concerns a message concerns the selected one, if there is one.
void MainWindow::doFault(InterventionKind kind) {
    if (!m_run->run()) return;
    const Selection selection = m_run->selection();
    if (selection.kind == Selection::Kind::Request && m_desk->usable()) {
        const bool reply = kind == InterventionKind::LostReply || kind == InterventionKind::DelayReply;
        const Leg leg = reply ? Leg::Reply : Leg::Request;
        if (kind == InterventionKind::LostRequest || kind == InterventionKind::LostReply)
            return m_desk->loseMessage(selection.index, leg);
        if (kind == InterventionKind::Delay || kind == InterventionKind::DelayReply)
            return m_desk->delayMessage(selection.index, leg, m_faults->length());
    }
    if (!m_faults->can(kind)) {
        m_toast->say(tr("%1 does not run at %2: drag it to where it does")
                         .arg(actorName(m_faults->actor()), shortSeconds(m_run->playhead())));
        return;
    }
    const Intervention fault = m_faults->made(kind);
    if (infoOf(kind).hasCommand && fault.command.empty()) return m_faults->editCommand(kind);
    m_desk->add(fault);
}

void MainWindow::stretchSelected(int direction, bool fine, bool reply) {
    if (!m_desk->usable()) return;
    const Selection selection = m_run->selection();
    const Duration by = m_timeline->keyStep(fine) * direction;
    switch (selection.kind) {
    case Selection::Kind::Intervention:
        return m_desk->stretch(selection.index, by);
    case Selection::Kind::Request:
        return m_desk->delayMessage(selection.index, reply ? Leg::Reply : Leg::Request, by);
    case Selection::Kind::Grant:
        return m_desk->stretchLease(selection.index, by);
    case Selection::Kind::Event:
        if (const int grant = leaseEndedBy(m_desk->run(), selection.index); grant >= 0)
            return m_desk->stretchLease(grant, by);
        break;
    default:
        break;
    }
    m_toast->say(tr("Select a fault (I), a message (M) or a lease first."));
}

void MainWindow::showLaneMenu(const LaneMenu& wanted) {
    const bool server = wanted.actor == kNone;
    m_run->pause(); // the menu is about an instant
    if (!server) m_run->select({Selection::Kind::Actor, wanted.actor});
    m_run->setPlayhead(wanted.at);
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("laneMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (wanted.fault >= 0 && m_desk->usable()) {
        m_desk->pick(wanted.fault);
        menu->addSection(faultSentence(m_desk->faults()[static_cast<std::size_t>(wanted.fault)]));
        menu->addActions(m_actions->faultEdits.mid(0, 2));
    }
    const QString at = shortSeconds(m_run->playhead());
    if (server)
        menu->addSection(tr("Redis at %1").arg(at));
    else
        menu->addSection(badgeIcon(*m_look, wanted.actor), tr("%1 at %2").arg(actorName(wanted.actor), at));
    for (QAction* each : m_actions->faults) {
        const auto kind = static_cast<InterventionKind>(each->data().toInt());
        const InterventionKindInfo& info = infoOf(kind);
        if ((info.target == InterventionTarget::Server) != server) continue;
        Intervention fault = m_faults->made(kind);
        if (server) fault.actor = serverName(wanted.node);
        // A command is written first; a clock jumps either way.
        for (const int way : {1, -1}) {
            if (way < 0 && info.length != LengthRule::Signed) continue;
            const QString length = qstr(formatDuration(m_faults->length()));
            QAction* item =
                menu->addAction(each->icon(), info.length == LengthRule::None ? faultName(kind)
                                              : info.length == LengthRule::Positive
                                                  ? tr("%1 for %2").arg(faultName(kind), length)
                                              : way > 0 ? tr("%1: %2 ahead").arg(faultName(kind), length)
                                                        : tr("%1: %2 back").arg(faultName(kind), length));
            item->setObjectName(
                QStringLiteral("lane%1%2")
                    .arg(each->objectName().mid(6), way < 0 ? QStringLiteral("Back") : QString()));
            item->setEnabled(each->isEnabled());
            connect(item, &QAction::triggered, this, [this, kind, fault, way] {
                Intervention done = fault;
                done.length *= way;
                if (infoOf(kind).hasCommand)
                    m_faults->editCommand(kind);
                else
                    m_desk->add(done);
            });
        }
        if (kind == InterventionKind::Pause) {
            menu->addAction(m_actions->pauseLength);
            menu->addAction(m_actions->resume);
        }
    }
    menu->addSeparator();
    menu->addAction(m_actions->note);
    menu->popup(wanted.where);
}

} // namespace lockscope::ui
