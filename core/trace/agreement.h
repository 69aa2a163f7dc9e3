// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/trace/difference.h"

namespace lockscope {

/// Whether two runs tell the same story: a real one, and the same one simulated.
struct Agreement {
    /// An invariant that broke, and who broke it; by names, as the two runs have tables of their own.
    struct Break {
        Invariant invariant = Invariant::StaleWrite;
        std::string who;
        Instant at{}; ///< when it began there, which is not compared
        bool operator==(const Break& other) const { return invariant == other.invariant && who == other.who; }
    };
    std::vector<Break> one;
    std::vector<Break> other;
    bool sameBreaks = false; ///< the same, however ordered
    bool sameOrder = false;
    std::size_t apart = 0; ///< the first place at which the orders part

    bool agrees() const { return sameBreaks && sameOrder; }
};

/// Those that began within `moment` of each other count as simultaneous: real time does not keep their order.
Agreement agreementOf(const ToldRun& one, const ToldRun& other, Duration moment);

/// In a sentence or two. `one` is what really happened, `other` what the simulator makes of it.
std::string sentenceFor(const Agreement& agreement);

} // namespace lockscope
