// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/scene.h"

namespace lockscope::ui {

/// What a hand must not snap to: what it moves itself.
struct SnapTo {
    int ownFault = -1;           ///< index into Trace::interventions
    ActorIndex ownActor = kNone; ///< whose events after `ownFrom` follow the hand
    Instant ownFrom = kNever;
    bool free = false; ///< to nothing at all, to the millisecond
    /// Rising; not null: these rather than what happens in the run that is shown, where everything behind
    /// the hand may follow it.
    const std::vector<Instant>* instants = nullptr;
};

/// What a hand can snap to of what happens in this run, rising, each once.
std::vector<Instant> snapInstants(const Scene& scene);

/// The instant a hand means at this place: of something that happens within a few pixels and matters (a
/// lease's end, a change of owner, another fault's edge, what another one begins or ends), else one that is
/// round for people and no farther than a pixel off. Never beyond the run or behind the veil.
struct Snap {
    Instant at{};
    bool onEvent = false;
};
Snap snapAt(const Scene& scene, double x, const SnapTo& to);

/// The smallest length of 1, 2 or 5 times a power of ten, in µs, that is as wide as a pixel near `at`.
Duration roundStep(const Scene& scene, Instant at);

} // namespace lockscope::ui
