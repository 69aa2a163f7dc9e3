// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/world/scenario.h"

namespace lockscope::ui {

/// Whether two scenarios of the window give the same run. What a lesson fixes for all its runs (lock keys,
/// goals, server) is told by its programs: a lesson that is read anew has other ones.
bool sameScenario(const Scenario& a, const Scenario& b);

/// Whether they have the same actors on the same axis, so that a picture of one can stand for the other's for
/// a moment.
bool sameStage(const Scenario& a, const Scenario& b);

} // namespace lockscope::ui
