// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include <algorithm>

#include "ui/timeline/lane_layout.h"
#include "ui/timeline/prepared_run.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/timeline_style.h"

namespace lockscope::ui {

struct StripPicture;

/// What is in sight and where it stands, at one moment: the ground that painters, hit tests and highlights
/// share.
///
/// Invariant: nothing that happens after `until` may be shown, nor anything that tells of it: `until` is the
/// right edge of the picture or the veil, whichever comes first.
struct Scene {
    const PreparedRun& data;
    const TimelineStyle& style;
    const LaneLayout& layout;
    TimeScale scale;
    ShownParts parts;
    double top = 0; ///< canvas y of the layout's 0; moves with scrolling
    QRectF area;    ///< of the lanes, in canvas pixels
    Instant from{};
    Instant until{};
    Instant veil = kNever;
    const StripPicture* strip = nullptr; ///< null: not computed yet

    const Trace& trace() const { return data.trace(); }
    const Lanes& lanes() const { return data.lanes(); }
    double y(double layoutY) const { return top + layoutY; }
    /// Whether a thing's end, and so its length, may be told.
    bool mayTell(Instant end) const { return end <= veil; }
    bool visible(const Band& band) const {
        return y(band.bottom()) >= area.top() && y(band.top) <= area.bottom();
    }
    /// A mark's left and right end, cut to what is in sight (with a margin, so that a cut edge shows no
    /// border).
    double left(double x) const { return std::max(x, area.left() - 20); }
    double right(double x) const { return std::min(x, area.right() + 20); }
};

/// A straight scale of a TTL row: where so much time left stands.
struct TtlScale {
    double bottom = 0;
    double high = 0;
    double most = 1; ///< µs

    TtlScale(const Scene& scene, const Band& band);
    double y(double left) const { return bottom - std::clamp(left / most, 0.0, 1.0) * high; }
};

/// Where messages leave and enter an actor's lane and a key's, and whether Redis stands below the actor.
struct MessagePath {
    double actor = 0;
    double redis = 0;
    bool down = true;

    MessagePath(const Scene& scene, const Band& actorBand, const TraceRequest& request);
};
/// Whether a request's round trip is wide enough for arrows.
bool drawnAsArrows(const Scene& scene, RequestIndex request);

} // namespace lockscope::ui
