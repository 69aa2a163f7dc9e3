// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What other runs than the shown one would bring: the what-if strip, the search for a failure, and the table
// or the chart of many of them.
#include "ui/main_window.h"

#include <QStackedWidget>
#include <QToolButton>

#include "core/trace/wording.h"
#include "ui/bridge/failure_search.h"
#include "ui/bridge/fault_desk.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/matrix_search.h"
#include "ui/bridge/odds_search.h"
#include "ui/bridge/text.h"
#include "ui/bridge/what_if.h"
#include "ui/main_window_parts.h"
#include "ui/panels/failure_panel.h"
#include "ui/panels/fault_bar.h"
#include "ui/panels/matrix_view.h"
#include "ui/panels/odds_view.h"
#include "ui/panels/toast.h"
#include "ui/panels/transport_bar.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/time_text.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {

/// What the run breaks, as far as may be told.
InvariantMask brokenBefore(const RunModel& run, InvariantMask anyway) {
    if (run.veil() == kNever) return anyway;
    InvariantMask seen = 0;
    for (const Violation& violation : run.run()->violations)
        if (violation.at <= run.veil()) seen |= maskOf(violation.invariant);
    return anyway & seen;
}

} // namespace

void MainWindow::buildSearchActions(QMenu* menu) {
    m_actions->findFailure =
        m_actions->add(menu, tr("Find a fa&ilure…"), "actionFindFailure", {QKeySequence(tr("Ctrl+Shift+F"))});
    m_actions->table =
        m_actions->add(menu, tr("What breaks which pro&gram"), "actionTable", {QKeySequence(tr("B"))});
    m_actions->table->setCheckable(true);
    m_actions->readStrip =
        m_actions->add(menu, tr("&What if paused here"), "actionReadStrip", {QKeySequence(tr("W"))});
    m_actions->stripBorder = m_actions->add(menu, tr("To the strip's ne&xt border"), "actionStripBorder",
                                            {QKeySequence(tr("Shift+W"))});
    connect(m_actions->readStrip, &QAction::triggered, this, [this] { oneTimeline().canvas().readStrip(); });
    connect(m_actions->stripBorder, &QAction::triggered, this,
            [this] { oneTimeline().canvas().toStripBorder(); });
}

/// One length for every pause made by hand, wherever it is set.
void MainWindow::buildWhatIf() {
    connect(m_whatIf, &WhatIf::changed, this, &MainWindow::showStrip);
    connect(m_run, &RunModel::veilChanged, this, &MainWindow::showStrip);
    connect(m_whatIf, &WhatIf::pauseLengthChanged, m_faults, &FaultBar::setLength);
    connect(m_whatIf, &WhatIf::pauseLengthChanged, m_timeline, &TimelineView::setPauseLength);
    connect(m_faults, &FaultBar::lengthChanged, m_whatIf, &WhatIf::setPauseLength);
    connect(m_timeline, &TimelineView::pauseLengthWanted, m_whatIf, &WhatIf::setPauseLength);
    connect(m_timeline, &TimelineView::pauseWanted, this, [this](int actor, Instant at) {
        m_desk->add({InterventionKind::Pause, actorName(actor).toStdString(), at, m_whatIf->pauseLength()});
    });
    connect(m_run, &RunModel::selectionChanged, this, &MainWindow::followHand);
    connect(m_lesson, &LessonModel::interventionsChanged, this, &MainWindow::followHand);
    connect(m_lesson, &LessonModel::trialChanged, this, &MainWindow::followHand);
    connect(m_desk, &FaultDesk::heldChanged, this, [this] {
        if (m_desk->held()) m_lengthBefore = m_whatIf->pauseLength();
    });
    connect(m_desk, &FaultDesk::dropped, this, [this] { m_whatIf->setPauseLength(m_lengthBefore); });
    m_timeline->canvas().setStripReader(
        [this](ActorIndex actor, Instant at) { return readStrip(actor, at); });
    // What a step says of the strip it says of the usual length.
    connect(m_lesson, &LessonModel::stepChanged, this,
            [this] { m_whatIf->setPauseLength(WhatIf::kUsualPause); });
    m_faults->setLength(m_whatIf->pauseLength());
    m_timeline->setPauseLength(m_whatIf->pauseLength());
}

/// While a pause is drawn or dragged, the strip shows what it would do elsewhere, as long as it is now.
void MainWindow::followHand() {
    const int held = m_lesson->trying() && m_desk->held() ? m_desk->picked() : -1;
    const bool pause =
        held >= 0 && m_desk->faults()[static_cast<std::size_t>(held)].kind == InterventionKind::Pause;
    m_whatIf->leaveOut(pause ? held : -1);
    if (!pause) return;
    const Duration length = m_desk->faults()[static_cast<std::size_t>(held)].length;
    if (length > Duration{0}) m_whatIf->setPauseLength(length);
}

void MainWindow::buildFailureSearch() {
    connect(m_actions->findFailure, &QAction::triggered, m_failure, &FailurePanel::open);
    connect(m_transport, &TransportBar::failureWanted, m_actions->findFailure, &QAction::trigger);
    connect(m_failure, &FailurePanel::instantWanted, this, [this](Instant at) {
        m_run->pause();
        m_run->setPlayhead(at);
        m_timeline->showInstant(at);
    });
    connect(m_search, &FailureSearch::changed, this, &MainWindow::showFailure);
}

void MainWindow::buildMatrix() {
    m_table = new MatrixView(*m_tableSearch, *m_look, m_views);
    m_table->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    m_views->addWidget(m_table);
    m_chart = new OddsView(*m_odds, *m_look, m_views);
    m_chart->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    m_views->addWidget(m_chart);
    connect(m_chart, &OddsView::closeWanted, this, [this] { setTabulating(false); });
    connect(m_odds, &OddsSearch::changed, this, &MainWindow::refreshMatrix);
    connect(m_lesson, &LessonModel::questionChanged, this, [this] {
        const bool now = foundOut() == m_chart && !m_tableEntry->isVisible();
        if (now) setTabulating(true);
        refreshMatrix();
    });
    connect(m_table, &MatrixView::closeWanted, this, [this] { setTabulating(false); });
    connect(m_table, &MatrixView::played, this, [this] { setTabulating(false); });
    connect(m_table, &MatrixView::said, this, [this](const QString& line) { m_toast->say(line); });
    connect(m_actions->table, &QAction::triggered, this, [this](bool on) {
        setTabulating(on);
        m_views->currentWidget()->setFocus(Qt::ShortcutFocusReason);
    });
    connect(m_toTable, &QToolButton::clicked, m_actions->table, &QAction::trigger);
    connect(m_tableSearch, &MatrixSearch::changed, this, &MainWindow::refreshMatrix);
    connect(m_views, &QStackedWidget::currentChanged, this, &MainWindow::refreshMatrix);
}

/// The lesson's table or chart, if this step has come to it.
QWidget* MainWindow::foundOut() const {
    if (m_tableSearch->possible() && m_lesson->shows(Panel::Matrix)) return m_table;
    // Of what a question asks, the chart would be the answer.
    const bool asked = m_lesson->openQuestion() != nullptr;
    if (m_odds->possible() && m_lesson->shows(Panel::Odds) && !asked) return m_chart;
    return nullptr;
}

/// The table or the chart in the place of the timeline, or the timeline again.
void MainWindow::setTabulating(bool on) {
    setComparing(false);
    QWidget* view = on ? foundOut() : nullptr;
    m_tableSearch->setWanted(view != nullptr && view == m_table);
    m_odds->setWanted(view != nullptr && view == m_chart);
    m_views->setCurrentWidget(view != nullptr ? view : m_timeline);
    refreshMatrix();
}

void MainWindow::refreshMatrix() {
    const QWidget* possible = foundOut();
    const QWidget* shown = m_views->currentWidget();
    m_actions->table->setEnabled(possible != nullptr);
    m_actions->table->setText(possible == m_chart ? tr("How often, and how lon&g")
                                                  : tr("What breaks which pro&gram"));
    m_actions->table->setChecked(possible != nullptr && shown == possible);
    m_tableEntry->setVisible(possible != nullptr);
    m_toTable->setText(possible == m_chart ? tr("How often, and how long") : tr("What breaks which program"));
    m_toTable->setToolTip(possible == m_chart
                              ? tr("The chart of overlaps and recovery, or the timeline again (B)")
                              : tr("The table of programs and failures, or the timeline again (B)"));
    m_toTable->setChecked(m_actions->table->isChecked());
    if ((shown == m_table || shown == m_chart) && shown != possible) m_views->setCurrentWidget(m_timeline);
}

/// A failure that has just been put into the run: what it breaks is selected and in sight.
void MainWindow::showFailure() {
    if (m_search->state() != FailureSearch::State::Found || !m_run->playing()) return;
    if (const int violation = m_search->violation(); violation >= 0) m_timeline->showViolation(violation);
}

void MainWindow::showStrip() {
    const auto strip = m_whatIf->strip();
    if (!strip || !m_run->run() || m_lesson->lesson() == nullptr) {
        m_timeline->canvas().setStrip(nullptr);
        return;
    }
    m_timeline->canvas().setStrip(std::make_shared<const StripPicture>(pictureOf(
        *strip, m_lesson->lesson()->lights, brokenBefore(*m_run, strip->actors.front().brokenAnyway))));
}

/// "A pause of 20 s of Server A at 12.0 s adds: …". What would happen behind the veil keeps its time.
QString MainWindow::readStrip(int actor, Instant at) {
    const QString what =
        tr("A pause of %1 of %2 at %3")
            .arg(durationText(m_whatIf->pauseLength()), actorName(actor), instantText(at, 3));
    const std::vector<WhatIf::Effect> effects = m_whatIf->effectsAt(static_cast<ActorIndex>(actor), at);
    if (effects.empty()) return tr("%1 adds nothing to what is broken in this run.").arg(what);
    QStringList lines{tr("%1 adds:").arg(what)};
    for (const WhatIf::Effect& effect : effects) {
        const QString title = qstr(titleOf(effect.invariant));
        lines << (effect.at <= m_run->veil() ? tr("• %1: %2").arg(title, qstr(effect.sentence))
                                             : tr("• %1").arg(title));
    }
    lines << tr("A click puts it there.");
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockscope::ui
