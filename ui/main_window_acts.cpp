// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <algorithm>

#include "core/trace/wording.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/live/live_window.h"
#include "ui/live/observe_window.h"
#include "ui/live/serve_window.h"
#include "ui/look.h"
#include "ui/main_window_parts.h"
#include "ui/panels/help_window.h"
#include "ui/panels/notice_bar.h"
#include "ui/panels/toast.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

QString MainWindow::actorName(int actor) const {
    const auto& actors = m_run->scenario().actors;
    return actor >= 0 && actor < static_cast<int>(actors.size())
               ? qstr(actors[static_cast<std::size_t>(actor)].name)
               : QString();
}

void MainWindow::goToViolation(int index) {
    const auto run = m_run->run();
    m_run->pause();
    m_run->setPlayhead(run->violations[static_cast<std::size_t>(index)].at);
    m_run->select({Selection::Kind::Violation, index});
    m_timeline->showViolation(index);
}

/// The nearest one after or before the playhead; a selected one counts as where one is, as several may share
/// an instant.
void MainWindow::stepViolation(int direction) {
    const auto run = m_run->run();
    if (!run) return;
    const auto count = static_cast<int>(run->violations.size());
    const auto at = [&](int i) { return run->violations[static_cast<std::size_t>(i)].at; };
    const Selection selected = m_run->selection();
    int next = -1;
    if (selected.kind == Selection::Kind::Violation && at(selected.index) == m_run->playhead()) {
        next = selected.index + direction;
    } else {
        int after = 0;
        while (after < count && at(after) <= m_run->playhead())
            ++after;
        int before = after - 1;
        while (before >= 0 && at(before) >= m_run->playhead())
            --before;
        next = direction > 0 ? after : before;
    }
    if (next >= 0 && next < count && at(next) <= m_run->veil())
        goToViolation(next);
    else
        m_toast->say(m_run->veil() < run->trace->reached ? tr("Nothing more is broken before the veil.")
                     : direction > 0 ? tr("Nothing more is broken after this in this run.")
                                     : tr("Nothing is broken before this in this run."));
}

void MainWindow::forgetProgress(bool ofAllLessons) {
    Progress& progress = m_lesson->progress();
    const Progress::Lessons before = progress.everything();
    if (ofAllLessons)
        progress.forgetAll();
    else
        progress.forget(qstr(m_lesson->lesson()->id));
    m_toast->say(ofAllLessons ? tr("Your progress in all lessons is forgotten.")
                              : tr("Your answers in this lesson are forgotten."),
                 tr("Undo"), [this, before] { m_lesson->progress().setEverything(before); });
}

void MainWindow::showHelp() {
    if (m_help == nullptr) m_help = new HelpWindow(*m_look, m_actions->all, this);
    m_help->show();
    m_help->raise();
    m_help->activateWindow();
}

LiveWindow* MainWindow::showLive() {
    if (m_liveHost == nullptr) return nullptr;
    if (m_live == nullptr) m_live = new LiveWindow(*m_liveHost, *m_lesson, *m_look, this);
    m_live->show();
    m_live->raise();
    m_live->activateWindow();
    return m_live;
}

ServeWindow* MainWindow::showServe() {
    if (m_serveHost == nullptr) return nullptr;
    if (m_serve == nullptr) m_serve = new ServeWindow(*m_serveHost, *m_lesson, *m_run, *m_look, this);
    m_serve->show();
    m_serve->raise();
    m_serve->activateWindow();
    return m_serve;
}

/// A run with clients in it that was edited since: where they are answered otherwise than they were.
void MainWindow::tellDivergence() {
    const auto run = m_run->run();
    const QString now = run && run->trace->diverged
                            ? qstr(sentenceFor(*run->trace->diverged, run->trace->divergences))
                            : QString();
    if (now == m_divergence) return;
    if (now.isEmpty() && m_notice->text() == m_divergence) m_notice->hide();
    m_divergence = now;
    if (!now.isEmpty() && !m_notice->asks()) m_notice->say(now);
}

ObserveWindow* MainWindow::showObserve() {
    if (m_liveHost == nullptr) return nullptr;
    if (m_observe == nullptr) m_observe = new ObserveWindow(*m_liveHost, *m_look, this);
    m_observe->show();
    m_observe->raise();
    m_observe->activateWindow();
    return m_observe;
}

/// Escape: first what moves stops, then two timelines become one again.
/// Escape takes away what lies on top first.
void MainWindow::stopMotion() {
    if (m_timeline->legendShown() && !comparing()) return m_timeline->setLegendShown(false);
    if (comparing() && !m_run->playing()) setComparing(false);
    m_run->pause();
    m_toast->hide();
    m_run->select({});
}

} // namespace lockscope::ui
