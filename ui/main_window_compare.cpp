// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Kept runs, and two of them at once in the place of the timeline.
#include <QStackedWidget>

#include "ui/bridge/kept_runs.h"
#include "ui/bridge/text.h"
#include "ui/main_window_parts.h"
#include "ui/panels/keep_bar.h"
#include "ui/panels/toast.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/compare_view.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {

/// Enough of a name to know it by.
QString glance(const QString& name) {
    constexpr qsizetype kMost = 60;
    return name.size() <= kMost ? name : name.left(kMost - 1).trimmed() + QChar(0x2026);
}

} // namespace

void MainWindow::buildCompare(QWidget* stage) {
    m_keepBar = new KeepBar(*m_kept, *m_look, stage);
    m_views = new QStackedWidget(stage);
    m_views->setObjectName(QStringLiteral("views"));
    m_timeline = new TimelineView(*m_run, *m_look, m_views);
    m_timeline->setObjectName(QStringLiteral("timeline"));
    m_timeline->setAccessibleName(tr("Timeline"));
    m_timeline->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    m_compare = new CompareView(*m_kept, *m_run, *m_look, m_views);
    m_compare->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    m_views->addWidget(m_timeline);
    m_views->addWidget(m_compare);
    connect(m_keepBar, &KeepBar::kept, this, &MainWindow::keptRun);
    connect(m_keepBar, &KeepBar::refused, this, [this](const QString& why) { m_toast->say(why); });
    connect(m_keepBar, &KeepBar::closed, this, [this] { m_views->currentWidget()->setFocus(); });
    connect(m_compare, &CompareView::closeWanted, this, [this] { setComparing(false); });
    connect(m_compare, &CompareView::legendWanted, this, [this] { oneTimeline().setLegendShown(true); });
    connect(m_compare, &CompareView::said, this, [this](const QString& line) { m_toast->say(line); });
    connect(m_compare, &CompareView::removed, this, &MainWindow::removedKeptRun);
}

void MainWindow::buildKeptActions(QMenu* menu) {
    m_actions->keep = m_actions->add(menu, tr("&Keep this run…"), "actionKeep", {QKeySequence(tr("Ctrl+K"))});
    m_actions->compare =
        m_actions->add(menu, tr("Co&mpare two runs"), "actionCompare", {QKeySequence(tr("Ctrl+Shift+K"))});
    m_actions->compare->setCheckable(true);
    m_actions->kept = menu->addMenu(tr("Kept r&uns"));
    m_actions->kept->setObjectName(QStringLiteral("keptMenu"));
    connect(m_actions->keep, &QAction::triggered, m_keepBar, &KeepBar::ask);
    connect(m_actions->compare, &QAction::triggered, this, [this] { setComparing(!comparing()); });
    connect(m_kept, &KeptRuns::changed, this, &MainWindow::fillKeptMenu);
    fillKeptMenu();
}

void MainWindow::fillKeptMenu() {
    m_actions->kept->clear();
    for (int i = 0; i < m_kept->count(); ++i) {
        QAction* item = m_actions->kept->addAction(menuText(m_kept->name(i)));
        item->setToolTip(tr("Compare it with the run that is shown"));
        connect(item, &QAction::triggered, this, [this, i] { setComparing(true, i); });
    }
    m_actions->kept->setEnabled(m_kept->count() > 0);
}

/// For what belongs to the one timeline: it is in sight then.
TimelineView& MainWindow::oneTimeline() {
    setComparing(false);
    return *m_timeline;
}

bool MainWindow::comparing() const {
    return m_views->currentWidget() == m_compare;
}

/// What was in sight stays in sight, on the way there and back.
void MainWindow::setComparing(bool on, int kept) {
    if (on == (m_views->currentWidget() != m_timeline) && on == comparing()) {
        if (on && kept >= 0) m_compare->compare(kept);
        return;
    }
    const bool stepView = comparing() ? m_compare->stepView() : m_timeline->stepView();
    if (on) {
        const Instant from = m_timeline->visibleFrom();
        const Instant until = m_timeline->visibleUntil();
        m_views->setCurrentWidget(m_compare);
        m_compare->compare(kept);
        m_compare->setStepView(stepView);
        m_compare->showRange(from, until);
    } else {
        m_views->setCurrentWidget(m_timeline);
        m_timeline->setStepView(stepView);
    }
    m_actions->compare->setChecked(on);
    m_views->currentWidget()->setFocus();
}

void MainWindow::keptRun(int index) {
    m_toast->say(tr("Kept as “%1”").arg(glance(m_kept->name(index))), tr("Compare"),
                 [this, name = m_kept->name(index)] {
                     for (int i = 0; i < m_kept->count(); ++i)
                         if (m_kept->name(i) == name) setComparing(true, i);
                 });
}

void MainWindow::removedKeptRun(int index, const SavedRun& run) {
    m_toast->say(tr("“%1” is kept no longer").arg(glance(QString::fromStdString(run.name))), tr("Undo"),
                 [this, index, run] {
                     if (const QString problem = m_kept->insert(index, run); !problem.isEmpty())
                         m_toast->say(problem);
                 });
}

} // namespace lockscope::ui
