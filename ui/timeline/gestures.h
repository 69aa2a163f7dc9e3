// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCursor>
#include <QMouseEvent>

#include <memory>

#include "ui/timeline/fault_marks.h"
#include "ui/timeline/hit_test.h"

namespace lockscope::ui {

class TimelineCanvas;

/// What a held mouse button does, from press to release. A gesture is chosen once, at the press, and keeps
/// the mouse; that is why two of them can never collide.
class Gesture {
public:
    virtual ~Gesture() = default;
    virtual void move(const QPointF& pos, Qt::KeyboardModifiers keys) = 0;
    virtual void release(const QPointF& pos) = 0;
    /// Escape, or the mouse was taken away: what the gesture changed goes back.
    virtual void cancel() = 0;
    virtual QCursor cursor() const = 0;
};

/// The gesture that a press at this place begins, or null. One that the mouse does not leave by a few pixels
/// is a click: it selects what is there and focuses the lane.
///
/// | where                                   | what a drag does                                    |
/// |-----------------------------------------|-----------------------------------------------------|
/// | middle button, Space                    | pan, wherever it is                                 |
/// | ruler                                   | scrub                                               |
/// | a fault's flag on the ruler             | move the fault in time                              |
/// | a fault's mark on a lane                | move it, in time and to another lane                |
/// | either edge of a pause, cut-off, stall  | change its length                                   |
/// | an arrow, or a tick that stands for one | delay the message; off it, up or down: lose it      |
/// | a lease's end                           | change the knob that the lease has its length from  |
/// | an actor's lane elsewhere               | pause the actor, from the press to the mouse        |
/// | the what-if strip, a violation          | nothing; a click on the strip pauses there          |
/// | Redis, resource, TTL, empty, the veil   | pan                                                 |
///
/// Where the run's past cannot be changed, the rows about faults, messages and leases only click. On a run
/// that goes on in real time a lane still pauses its actor, ahead of where the run is.
std::unique_ptr<Gesture> beginGesture(TimelineCanvas& canvas, const Hit& hit, const QMouseEvent& press,
                                      bool spaceHeld);

/// What the mouse looks like over a place where a press would take hold of something.
QCursor cursorOver(const TimelineCanvas& canvas, const Hit& hit, const QPointF& pos);

// Those that change the run; `free` of snapping at the press already. gestures_faults.cpp and
// gestures_messages.cpp.
std::unique_ptr<Gesture> drawPause(TimelineCanvas& canvas, const QPointF& pos, ActorIndex actor, bool free);
std::unique_ptr<Gesture> moveFault(TimelineCanvas& canvas, const QPointF& pos, int fault, bool inTimeOnly);
std::unique_ptr<Gesture> resizeFault(TimelineCanvas& canvas, const QPointF& pos, int fault,
                                     FaultHold::Part edge);
/// A fault out of the palette: it hangs on the mouse though no button was pressed here.
std::unique_ptr<Gesture> placeFault(TimelineCanvas& canvas, Intervention fault);
std::unique_ptr<Gesture> dragMessage(TimelineCanvas& canvas, const QPointF& pos, RequestIndex request);
std::unique_ptr<Gesture> dragLease(TimelineCanvas& canvas, const QPointF& pos, int grant);

/// A pause for when a real run gets there. gestures_ahead.cpp.
std::unique_ptr<Gesture> drawPauseAhead(TimelineCanvas& canvas, const QPointF& pos, ActorIndex actor,
                                        bool free);

/// Presses and first moves are clicks until the mouse has gone this far.
bool leftThePress(const TimelineCanvas& canvas, const QPointF& pressed, const QPointF& pos);

} // namespace lockscope::ui
