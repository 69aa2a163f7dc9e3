// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/world/scenario.h"

namespace lockscope {

/// A question to chance: how often turns of a lock overlap, and for how long a crash blocks everybody,
/// against the values of one knob. What comes of it is the business of core/search/odds.h.
struct OddsPlan {
    struct Point {
        Duration value{0};
        Scenario scenario; ///< with the knob at that value; each run of it has a seed of its own
    };
    std::string knob;          ///< its name
    std::string label;         ///< for people
    std::vector<Point> points; ///< by rising value
};

} // namespace lockscope
