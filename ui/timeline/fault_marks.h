// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/timeline/scene.h"

namespace lockscope::ui {

/// Where a fault stands on the lane of whom it concerns: over a stretch of it, or as a pin at an instant.
struct FaultMark {
    int fault = -1; ///< index into Trace::interventions
    InterventionKind kind = InterventionKind::Pause;
    int band = -1; ///< index into LaneLayout::bands()
    bool stretch = false;
    double x0 = 0; ///< its begin; may lie outside the picture
    double x1 = 0; ///< of a stretch: its end
    QRectF rect;   ///< cut to what is in sight and may be told
    bool endShown = true;
};

/// The marks in sight, in the order of the trace; the later ones lie on top.
std::vector<FaultMark> faultMarks(const Scene& scene);
/// The mark of one fault, if its lane is there and it is in sight.
std::optional<FaultMark> faultMark(const Scene& scene, int fault);

/// What of a fault is under the hand.
struct FaultHold {
    enum class Part { Whole, Begin, End };
    int fault = -1; ///< -1: none
    Part part = Part::Whole;
    QRectF rect; ///< of the mark

    bool any() const { return fault >= 0; }
};
/// `picked` is preferred where several lie on one another.
FaultHold holdAt(const Scene& scene, const QPointF& pos, int picked);

/// Whether faults of this kind can be put on this band.
bool takesFault(const Scene& scene, const Band& band, InterventionKind kind);
/// Whom a fault on this band concerns, as interventions name it.
std::string targetOf(const Scene& scene, const Band& band);
/// Whether the process of this actor is there at this instant, so that something can be done to it.
bool livesAt(const Scene& scene, ActorIndex actor, Instant at);

} // namespace lockscope::ui
