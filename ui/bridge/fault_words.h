// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/world/scenario.h"

namespace lockscope::ui {

/// The fault as the user made it, from what a trace tells of it.
Intervention faultFrom(const TraceIntervention& told);
/// "Pause", "Lose reply": on a button.
QString faultName(InterventionKind kind);
/// What it does to whom, for a tooltip.
QString faultHelp(InterventionKind kind);
/// "pause of Server A", for "Undo …".
QString faultOf(const Intervention& fault);
/// "Server A paused 20.0 s at 12.0 s"
QString faultSentence(const Intervention& fault);

/// What came of it in that run: " → (integer) 1" of a command, " (it had no effect)", or nothing.
QString faultOutcome(const Trace& trace, int fault);

} // namespace lockscope::ui
