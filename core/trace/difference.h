// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/trace/lanes.h"

namespace lockscope {

/// A run and what was made of it, by reference.
struct ToldRun {
    const Trace& trace;
    const Lanes& lanes;
    const Analysis& analysis;
    const std::vector<Violation>& violations;
    const Outcome& outcome;
};

/// A piece of a span that the other run does not have: there the row looks otherwise.
struct ApartSpan {
    Instant from{};
    Instant until{};
    int row = 0;
    std::uint32_t source = 0; ///< index of the span it is a piece of

    bool operator==(const ApartSpan&) const = default;
};
struct ActorApart {
    std::vector<ApartSpan> does;
    std::vector<ApartSpan> thinks;
};
/// What the lanes of one run show and those of another do not. Lanes are matched by the name of their actor
/// or key, spans by how they look. Nobody's ownership and the end of a program have no looks, so they are
/// never apart.
struct LanesApart {
    std::vector<ActorApart> actors;           ///< parallel to the one's Lanes::actors
    std::vector<std::vector<ApartSpan>> keys; ///< parallel to the one's Lanes::keys
    bool any() const;
};
LanesApart lanesApart(const ToldRun& one, const ToldRun& other);

/// The first instant at which something happens in one run that does not happen in the other; kNever if they
/// are the same all along.
Instant firstDifference(const Trace& one, const Trace& other);

/// In one line what the second run has come to, compared with the first: "“Deleted another's lock” ×2 is
/// gone; “Two act as holder” remains." Nothing after `told` counts, and the outcome only if all of both runs
/// may be told.
std::string sentenceForDifference(const ToldRun& before, const ToldRun& now, Instant told);

} // namespace lockscope
