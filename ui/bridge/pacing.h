// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/trace/analysis.h"

namespace lockscope::ui {

/// The instants worth dwelling on: everything that happens, except the asks of somebody who goes on being
/// refused and what a program does only to itself. Rising, each once.
std::vector<Instant> beatsOf(const Trace& trace, const Analysis& analysis);

/// A clock for playing a run to a person: whatever lies between two beats takes 0.3 to 1.2 s, however long or
/// short it was, so that a minute takes about eight seconds and a round trip can be seen. Beats too close to
/// be told apart at that pace are taken together.
///
/// Invariants: wallAt() and instantAt() rise and are each other's inverse between 0 and the end.
class Pacing {
public:
    Pacing() = default;
    Pacing(const std::vector<Instant>& beats, Instant end);

    /// Seconds of playing that it takes from the start of the run to `at`.
    double wallAt(Instant at) const;
    Instant instantAt(double wall) const;
    /// How many seconds of the run go by in one second of playing, at `at`.
    double ratioAt(Instant at) const;
    double total() const { return m_knots.empty() ? 0 : m_knots.back().wall; }
    /// The next beat after `at`, or the end.
    Instant beatAfter(Instant at) const;

private:
    struct Knot {
        Instant at{};
        double wall = 0;
    };
    std::size_t segmentAt(Instant at) const;

    std::vector<Knot> m_knots; ///< the first at zero, the last at the end
};

} // namespace lockscope::ui
