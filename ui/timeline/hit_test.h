// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>

#include <vector>

#include "ui/timeline/scene.h"

namespace lockscope::ui {

/// What is under a point of the canvas.
struct Hit {
    enum class What {
        Nothing, ///< between the lanes, or beyond the run
        Ruler,
        Flag, ///< index into Trace::interventions
        Veil,
        Violation, ///< index into Run::violations; the worst of `count`
        Lane,      ///< a lane where it is empty
        Does,      ///< index into ActorLane::does of the band
        Thinks,    ///< index into ActorLane::thinks of the band
        Request,   ///< RequestIndex
        Outage,    ///< index into KeyLane::outages of the band
        Owner,     ///< index into KeyLane::owners of the band
        KeyEvent,  ///< index into Trace::events: a lease's end or a key's removal
        Resource,  ///< index into Lanes::resource; the worst of `count`
        Ttl,       ///< index into KeyLane::ttl of the band
        Strip,     ///< row of the what-if strip, -1 if none is known; `at` is where a pause would begin
        Fault,     ///< a pin, or the wall of a cut-off: index into Trace::interventions
    };
    What what = What::Nothing;
    int band = -1; ///< index into LaneLayout::bands()
    int index = -1;
    int count = 1;
    Instant at{}; ///< the instant under the point
    QRectF rect;  ///< of the mark; null where there is none

    bool onMark() const { return !rect.isNull(); }
    bool operator==(const Hit& other) const {
        return what == other.what && band == other.band && index == other.index && rect == other.rect;
    }
};

/// Nothing behind the veil is ever hit.
Hit hitTest(const Scene& scene, const QPointF& pos);

/// What the window selects when this is clicked; Kind::None where a click selects nothing.
Selection selectionFor(const Scene& scene, const Hit& hit);

/// The marks in sight that stand for a selection.
std::vector<QRectF> marksOf(const Scene& scene, const Selection& selection);

} // namespace lockscope::ui
