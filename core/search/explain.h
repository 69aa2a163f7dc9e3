// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/trace/invariants.h"

namespace lockscope {

/// A cause of a violation, and the instant in the run at which to look at it.
struct Cause {
    std::string sentence;
    Instant at{};

    bool operator==(const Cause&) const = default;
};

/// Why a violation came about: its causes from the violation backwards, each in one sentence; the first is
/// the violation itself, at its instant. The last one is a fault that was put into the run, or what the
/// program itself does.
std::vector<Cause> explain(const Trace& trace, const Analysis& analysis, const Violation& violation);

} // namespace lockscope
