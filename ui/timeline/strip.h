// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/bridge/what_if.h"
#include "ui/timeline/hit_test.h"

namespace lockscope::ui {

/// The what-if strip as it is drawn: the same rows under every actor, most severe on top.
///
/// Invariant: rows are told apart by their place and pattern; a row keeps its place while the strip is
/// refined or the pause changes, as long as the same invariants matter.
struct StripPicture {
    static constexpr int kMostRows = 3;

    struct Row {
        Invariant invariant = Invariant::StaleWrite;
        bool brokenAnyway = false; ///< the run breaks it without a further pause
    };
    Duration pause{0};
    std::vector<Row> rows; ///< at most kMostRows
    /// By actor, then by row: where a pause adds it, with true borders.
    std::vector<std::vector<std::vector<Sweep::Region>>> regions;
    Instant horizon{};

    /// The region of a row that covers `at`, or null.
    const Sweep::Region* regionAt(ActorIndex actor, std::size_t row, Instant at) const;
    /// The next border of any of the actor's regions after `at`, or kNever.
    Instant borderAfter(ActorIndex actor, Instant at) const;
};

/// Rows for the invariants that the lesson is about, then for others that a pause adds, as far as there is
/// room for them. `brokenBefore` is what the run breaks as far as may be told.
StripPicture pictureOf(const WhatIfStrip& strip, const std::vector<Invariant>& lights,
                       InvariantMask brokenBefore);

/// Where a row of the strip stands, in the layout's pixels.
double stripRowTop(const Band& band, std::size_t row);

/// A region as it is drawn: never narrower than can be seen.
struct StripMark {
    Sweep::Region region;
    double x0 = 0;
    double x1 = 0;
    bool narrow = false; ///< drawn wider than it is
};
/// The regions of a row that are in sight, from left to right.
std::vector<StripMark> stripMarks(const Scene& scene, ActorIndex actor, std::size_t row);

/// What of the strip is under a point, also before it is computed; nothing if the point is elsewhere. Near a
/// region that is drawn wider than it is, the hit's instant lies within the region.
std::optional<Hit> stripHit(const Scene& scene, const QPointF& pos);

} // namespace lockscope::ui
