// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/trace/invariants.h"

namespace lockscope {

/// Why a violation came about: its causes from the violation backwards, each in one sentence. The last one is
/// a fault that was put into the run, or what the program itself does.
std::vector<std::string> explain(const Trace& trace, const Analysis& analysis, const Violation& violation);

} // namespace lockscope
