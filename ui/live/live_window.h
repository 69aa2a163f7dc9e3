// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <memory>

#include "ui/live/growth_timer.h"
#include "ui/live/live_host.h"

class QCheckBox;
class QComboBox;
class QMenu;
class QPushButton;
class QSplitter;

namespace lockscope::ui {

class ActorControls;
class EventList;
class FactList;
class KeyInspector;
class LessonModel;
class LightsBar;
class LiveConsole;
class Look;
class RunModel;
class TimelineView;
class WrapLabel;
struct LaneMenu;
struct Run;

/// A window of its own for the lesson that is open, run live: the same lanes, growing in real time, with
/// buttons that stop and kill real processes. When the run is over it is simulated once more with the same
/// interventions, below it, and a sentence says whether the two tell the same story. Before there is a run
/// the simulated one shows what is to be expected.
///
/// While it follows, the playhead is at the newest instant. Whoever scrubs back stops the picture, not the
/// processes; the line above the lanes says so.
class LiveWindow : public QWidget {
    Q_OBJECT
public:
    LiveWindow(LiveHost& host, LessonModel& lesson, Look& look, QWidget* parent);
    ~LiveWindow() override;

    RunModel& run() { return *m_run; }
    bool running() const { return m_phase == Phase::Running; }
    QString told() const;

    /// Runs the lesson as it is set up now.
    void start();

protected:
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    enum class Phase { Idle, Starting, Running, Ending };

    void buildBar();
    void buildViews();
    void chooseWorld(int index);
    void begin();
    void grow();
    void end();
    void fail(const QString& why);
    void replay();
    void linkTwin();
    void part();
    void foresee();
    QString foreseen(const Scenario& scenario) const;
    Result<Scenario> scenarioNow() const;
    bool trusted() const;
    void setPhase(Phase phase);
    void refresh();
    void tellTime();
    void sendCommand(const QString& command);
    void showLaneMenu(const LaneMenu& menu);
    void pauseAhead(int actor, Instant from, Duration length);
    void showServerMenu(const LaneMenu& menu);
    void offerToTakeBack(QMenu& choices, const LaneMenu& menu);
    void interveneAhead(const Intervention& fault);
    void followOrNot();
    void applyLook();

    LiveHost& m_host;
    LessonModel& m_lesson;
    Look& m_look;
    LiveChoice m_choice;
    Phase m_phase = Phase::Idle;
    bool m_growing = false;   ///< the playhead is being moved, not scrubbed
    bool m_compared = false;  ///< the real run is over, and the simulated one beside it is the same one
    bool m_linking = false;   ///< one view is following the other
    bool m_commanded = false; ///< something was typed in this run
    GrowthTimer m_frame;
    RunModel* m_run = nullptr;
    RunModel* m_simulated = nullptr; ///< the same run again, in virtual time
    QComboBox* m_world = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_stop = nullptr;
    QCheckBox* m_follow = nullptr;
    WrapLabel* m_told = nullptr;
    WrapLabel* m_verdict = nullptr;
    ActorControls* m_controls = nullptr;
    QSplitter* m_stack = nullptr;
    QSplitter* m_side = nullptr; ///< what is told of the run
    TimelineView* m_timeline = nullptr;
    QWidget* m_below = nullptr;
    WrapLabel* m_caption = nullptr;
    TimelineView* m_twin = nullptr;
    LiveConsole* m_console = nullptr;
    LightsBar* m_lights = nullptr;
    KeyInspector* m_key = nullptr;
    FactList* m_facts = nullptr;
    EventList* m_events = nullptr;
};

} // namespace lockscope::ui
