// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "core/world/scenario.h"

namespace lockscope {

/// Which of two failures of equal size is the plainer one: faults that people know first, then short, then
/// early.
bool plainer(const std::vector<Intervention>& a, const std::vector<Intervention>& b);

/// Makes a failure as small as it goes: leaves out faults that are not needed, shortens pauses and delays to
/// the millisecond, and moves what is left to numbers that read well (12 s rather than 12.203001 s). `breaks`
/// says whether a set of faults still breaks what it is to break; it holds for `faults`, and for what comes
/// back.
std::vector<Intervention> shrink(std::vector<Intervention> faults,
                                 const std::function<bool(const std::vector<Intervention>&)>& breaks);

} // namespace lockscope
