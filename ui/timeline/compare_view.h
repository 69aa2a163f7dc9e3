// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <array>

#include "ui/bridge/kept_runs.h"
#include "ui/timeline/lane_layout.h"

class QLabel;
class QToolButton;

namespace lockscope::ui {

class ComparePane;
class Look;
class TimelineCanvas;

/// Two runs above one another on one axis: what differs is outlined, where they part is marked, and one line
/// says what it comes to. Each is a kept run or the one that the window shows.
///
/// Invariants: both timelines show the same stretch of time at the same scale, with the RunModel's playhead
/// and behind its veil. Nothing here changes a run, except when a kept one is made the run that is shown.
class CompareView : public QWidget {
    Q_OBJECT
public:
    CompareView(KeptRuns& kept, RunModel& run, Look& look, QWidget* parent = nullptr);

    /// A kept run above, the run that is shown below. Without a choice, the one above stays if it can.
    void compare(int kept = -1);
    /// Follows the one timeline, whose place this takes.
    void setShownParts(const ShownParts& parts);
    void setStepView(bool on);
    bool stepView() const;
    void setVeilCaption(const QString& caption);
    void showRange(Instant from, Instant until);
    void fit();
    void zoomIn();
    void zoomOut();
    TimelineCanvas& canvas(int pane);
    QString sentence() const;

signals:
    void closeWanted();
    void stepViewChanged(bool on);
    void legendWanted();
    void said(const QString& line);
    void removed(int index, const lockscope::SavedRun& run);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void tell();
    void follow(int pane);
    void step(int direction);
    void connectPane(int pane);
    void restore(int pane);
    void rename(int pane, const QString& name);
    int keptIndex(int pane) const;
    int latestUnlikeShown() const; ///< -1: the run that is shown
    std::shared_ptr<const Run> runOf(int pane, QString& problem) const;
    void applyLook();
    void arrange();

    KeptRuns& m_kept;
    RunModel& m_run;
    Look& m_look;
    QWidget* m_head = nullptr;
    QLabel* m_sentence = nullptr;
    QToolButton* m_step = nullptr;
    QToolButton* m_close = nullptr;
    QLabel* m_empty = nullptr;
    std::array<ComparePane*, 2> m_panes{};
    std::array<QString, 2> m_names; ///< of the kept run in each pane; empty: the run that is shown
    std::array<std::shared_ptr<const Run>, 2> m_runs;
    bool m_following = false;
};

} // namespace lockscope::ui
