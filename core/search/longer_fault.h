// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/world/simulator.h"

namespace lockscope {

/// Turns `trace`, the last run of `simulator`, into the trace of the same scenario with its last
/// intervention, a pause or a partition, lasting `length`, if that run can be told from this one. Otherwise
/// returns false and changes nothing.
///
/// It can where the actor has nothing to do between the old end of the fault and the new one; the source has
/// the conditions. Then all that is different is when it was resumed. Many faults are alike in that way,
/// since their lengths follow what others do. The trace is that of the longer run, byte for byte.
bool makeLonger(Trace& trace, const Simulator& simulator, Duration length);

} // namespace lockscope
