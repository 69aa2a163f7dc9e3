// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/lesson/saved_run.h"
#include "ui/live/growth_timer.h"
#include "ui/live/serve_host.h"

class QCheckBox;
class QPushButton;
class QSpinBox;
class QSplitter;

namespace lockscope::ui {

class EventList;
class FirstPage;
class KeyInspector;
class LessonModel;
class Look;
class RunModel;
class TimelineView;
class WrapLabel;
struct LaneMenu;

/// A window of its own for the lesson that is open, served: real clients attach to its servers at the
/// playhead of the main window, get lanes, and time goes on with the wall clock. When it is over, what they
/// did is taken into the lesson's run as a change like others: it runs again without them, can be edited,
/// saved, and undone.
class ServeWindow : public QWidget {
    Q_OBJECT
public:
    /// `shown` is the run of the main window.
    ServeWindow(ServeHost& host, LessonModel& lesson, RunModel& shown, Look& look, QWidget* parent);
    ~ServeWindow() override;

    RunModel& run() { return *m_run; }
    bool serving() const { return m_host.serving(); }

    /// Serves the lesson as it is set up now.
    void start();

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void buildBar();
    void buildViews();
    void grow();
    void end();
    void refresh();
    void tellGuests();
    void tellCutOff(const QString& why);
    void invite();
    void copyCommand();
    void followOrNot();
    void showLaneMenu(const LaneMenu& menu);
    bool isPaused(int actor) const;
    QString commandFor(int port) const;
    void applyLook();

    ServeHost& m_host;
    LessonModel& m_lesson;
    RunModel& m_shown;
    Look& m_look;
    SettledRun m_started; ///< what is served, as it was set up
    std::string m_lessonId;
    bool m_growing = false; ///< the playhead is being moved, not scrubbed
    GrowthTimer m_frame;
    RunModel* m_run = nullptr;
    QPushButton* m_toggle = nullptr;
    QSpinBox* m_port = nullptr;
    QPushButton* m_copy = nullptr;
    QCheckBox* m_follow = nullptr;
    WrapLabel* m_told = nullptr;
    WrapLabel* m_guests = nullptr;
    QString m_cutOff;                  ///< who was cut off last, and why
    FirstPage* m_invitation = nullptr; ///< in place of the views while there is nothing to see
    QSplitter* m_stack = nullptr;
    TimelineView* m_timeline = nullptr;
    KeyInspector* m_key = nullptr;
    EventList* m_events = nullptr;
};

} // namespace lockscope::ui
