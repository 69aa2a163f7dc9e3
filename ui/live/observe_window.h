// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

#include "ui/live/growth_timer.h"
#include "ui/live/live_host.h"
#include "ui/timeline/time_scale.h"

class QCheckBox;
class QPushButton;
class QSplitter;

namespace lockscope::ui {

class EventList;
class FactList;
class FirstPage;
class Look;
class RunModel;
class TimelineView;
class WrapLabel;

/// A lock key of somebody's Redis, watched without writing: a lane of who Redis says owns it, what is known
/// of it with where that came from and how old it is, and all that was seen. Each value that the key has had
/// is somebody, since that is all that can be seen of a holder.
class ObserveWindow : public QWidget {
    Q_OBJECT
public:
    ObserveWindow(LiveHost& host, Look& look, QWidget* parent);
    ~ObserveWindow() override;

    RunModel& run() { return *m_run; }
    bool watching() const { return m_watching; }

    /// Watches that key there.
    void watch(const LiveChoice& where, const QString& key);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void buildBar();
    void buildViews();
    void choose();
    void stop();
    void grow();
    void stay();
    void say(const QString& line);
    void tell();
    void fail(const QString& why);
    void applyLook();

    LiveHost& m_host;
    Look& m_look;
    RunModel* m_run = nullptr;
    GrowthTimer m_frame;
    bool m_watching = false;
    bool m_growing = false;         ///< the playhead is being moved, not dragged
    std::optional<AxisRange> m_set; ///< where the view was put, while it follows
    QString m_key;
    QString m_line; ///< what was seen last
    QPushButton* m_choose = nullptr;
    QPushButton* m_stop = nullptr;
    QCheckBox* m_follow = nullptr;
    WrapLabel* m_told = nullptr;
    FirstPage* m_first = nullptr; ///< in place of the views until a key is watched
    QSplitter* m_stack = nullptr;
    TimelineView* m_timeline = nullptr;
    FactList* m_facts = nullptr;
    EventList* m_events = nullptr;
};

} // namespace lockscope::ui
