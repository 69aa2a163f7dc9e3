// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/trace/invariants.h"

namespace lockscope {

/// The one place that turns codes and data into sentences, for the window and the command line alike.
/// Plain English; a translation replaces the templates through setTranslator().

/// "Two act as holder", "Deleted another's lock".
std::string titleOf(Invariant invariant);
/// The same where room is short: "two hold it", "foreign delete".
std::string shortTitleOf(Invariant invariant);
/// "Server A and Server B both act as holder of lock:report from 31.0 s to 51.0 s."
std::string sentenceFor(const Trace& trace, const Analysis& analysis, const Violation& violation);
/// One line for the event list: "Server A sends SET lock:report … NX PX 30000".
std::string sentenceFor(const Trace& trace, const Event& event);
/// "60,000 writes: each answered OK; 45,249 keys dropped to make room; 20.0 of 20.0 MB used".
std::string sentenceFor(const TraceLoad& load);
/// "Intervention 2: kill, on Server A (it had no effect)", "Intervention 1: admin runs DEL lock → (integer)
/// 1"; empty if there is nothing to say that the picture does not.
std::string outcomeOf(const Trace& trace, std::size_t intervention);
/// "At 12.3 s app really got OK to SET lock:report A NX, and here (nil). …"
std::string sentenceFor(const TraceDivergence& first, int answers);
/// "lease ended", "deleted", "evicted".
std::string wordFor(EndReason reason);
/// "Report made 2× (wanted 1) · lock idle 1.0 s · blocked by nobody 0 s".
std::string sentenceFor(const Outcome& outcome);

/// Translates the English template it is given; null puts English back. Called before any window is made.
using Translator = std::string (*)(const char* english);
void setTranslator(Translator translator);

} // namespace lockscope
