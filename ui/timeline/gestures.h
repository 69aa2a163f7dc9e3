// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCursor>
#include <QMouseEvent>

#include <memory>

#include "ui/timeline/hit_test.h"

namespace lockscope::ui {

class TimelineCanvas;

/// What a held mouse button does, from press to release. A gesture is chosen once, at the press, and keeps
/// the mouse; that is why two of them can never collide.
class Gesture {
public:
    virtual ~Gesture() = default;
    virtual void move(const QPointF& pos) = 0;
    virtual void release(const QPointF& pos) = 0;
    /// Escape: what the gesture changed goes back.
    virtual void cancel() = 0;
    virtual QCursor cursor() const = 0;
};

/// The gesture that a press at this place begins, or null.
///
/// | where                         | what                                   |
/// |-------------------------------|----------------------------------------|
/// | ruler                         | scrub                                  |
/// | a lane, a mark                | click: select it and focus the lane    |
/// | the what-if strip             | click: a pause that begins there       |
/// | Redis, resource, TTL, a drag  | pan                                    |
/// | empty, middle button, Space   | pan                                    |
std::unique_ptr<Gesture> beginGesture(TimelineCanvas& canvas, const Hit& hit, const QMouseEvent& press,
                                      bool spaceHeld);

} // namespace lockscope::ui
