// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QWidget>

#include "ui/bridge/run_model.h"
#include "ui/timeline/lane_layout.h"

class QScrollBar;
class QToolButton;

namespace lockscope::ui {

class FaultDesk;
class LaneHeaders;
class Look;
class NoteRow;
class Notes;
class TimelineCanvas;
class TimelineLegend;
class ViewBar;

/// Where a menu about a lane is wanted.
struct LaneMenu {
    int actor = kNone; ///< kNone: it is a lane of Redis
    int node = 0;      ///< which server, then
    int fault = -1;    ///< under the pointer, or the selected one; -1: none
    Instant at{};
    QPoint where; ///< of the screen
};

/// The swimlane timeline: headers at the left, the canvas with the run, a legend on demand. It shows the
/// RunModel's run, playhead, veil and selection, and changes them through it.
class TimelineView : public QWidget {
    Q_OBJECT
public:
    TimelineView(RunModel& run, Look& look, QWidget* parent = nullptr);
    ~TimelineView() override;

    /// Which of the optional rows and marks are there. All, until told otherwise.
    void setShownParts(ShownParts parts);
    ShownParts shownParts() const;

    /// The visible part of the run. It glides there unless motion is reduced.
    void showRange(Instant from, Instant until);
    /// Brings a violation into sight, with what led to it, and selects it.
    void showViolation(int index);
    /// Brings an instant into sight.
    void showInstant(Instant at);
    /// The length of the pause in the what-if strip's captions.
    void setPauseLength(Duration length);
    void fit();
    void zoomIn();
    void zoomOut();
    Instant visibleFrom() const;
    Instant visibleUntil() const;

    /// Step view rather than true time.
    void setStepView(bool on);
    bool stepView() const;
    /// Whether the run before the last change is drawn under this one, with a sentence of what has changed.
    void setGhostShown(bool shown);
    bool ghostShown() const { return m_ghostShown; }
    /// Lets the mouse change the run, at this desk.
    void setDesk(FaultDesk& desk);
    /// Another view stands under this one on the same axis: their lanes begin and end at the same place.
    void lineUpWith(TimelineView& other);
    void lineUpAlone();
    /// Whether the view goes with a playhead that moves by itself, as it does while it plays.
    void setFollows(bool follows) { m_follows = follows; }
    /// Lets the mouse pause actors of a run that goes on in real time, ahead of it: pauseAheadWanted().
    void setPausesAhead(bool taken);
    /// For a run that nobody edits here: it never was another one.
    void offerNoGhost();
    /// How far one press of a key moves something: about ten pixels, or one; round for people.
    Duration keyStep(bool fine) const;
    /// Selects the next or previous message of the actor whose lane has the focus, and puts the playhead on
    /// it.
    void walkMessages(int direction);

    /// The actor whose lane has the focus; kNone if it is another lane.
    ActorIndex focusedActor() const;
    void focusActor(int actor);

    void setLegendShown(bool shown);
    bool legendShown() const;

    TimelineCanvas& canvas() { return *m_canvas; }
    LaneHeaders& headers() { return *m_headers; }
    /// Null until showNotes().
    NoteRow* noteRow() { return m_noteRow; }

    /// Shows these above the ruler, and lets the user write them.
    void showNotes(Notes& notes);
    void beginNote(Instant from, Instant until);
    /// Picks a note and brings it into sight.
    void showNote(int note);

signals:
    /// The user wants to do something to an actor or to Redis.
    void laneMenuRequested(const lockscope::ui::LaneMenu& menu);
    void focusedActorChanged();
    void legendShownChanged(bool shown);
    void stepViewChanged(bool on);
    void ghostShownChanged(bool shown);
    void pauseLengthWanted(lockscope::Duration length);
    /// By a click on the what-if strip.
    void pauseWanted(int actor, lockscope::Instant at);
    void pauseAheadWanted(int actor, lockscope::Instant from, lockscope::Duration length);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void takeRun();
    void takeBaseline();
    void tellDifference();
    void arrange();
    void followScroll();
    void placeLegend();
    void followPlay();
    void askForMenu(int band, int fault, Instant at, QPoint where);

    RunModel& m_run;
    ActorIndex m_actorBefore = kNone; ///< whose lane had the focus when it was told last
    Look& m_look;
    TimelineCanvas* m_canvas = nullptr;
    ViewBar* m_bar = nullptr;
    LaneHeaders* m_headers = nullptr;
    NoteRow* m_noteRow = nullptr;
    QScrollBar* m_scroll = nullptr;
    QToolButton* m_legendButton = nullptr;
    TimelineLegend* m_legend = nullptr;
    bool m_ghostShown = true;
    int m_leastHeaders = 0;      ///< pixels
    bool m_keepsBarRoom = false; ///< for the scroll bar, though there is none
    bool m_follows = false;      ///< though nothing plays
    bool m_followed = true;      ///< the playhead was in sight when it was looked for last
};

} // namespace lockscope::ui
