// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// When a fault that ends later makes no other run. Let `was` be its old end and `ends` the new one.
//
// 1. The fault never took effect (its process had not begun, or was dead): then its length is nowhere seen.
// 2. Nothing is handed to a process of the actor from `was` to `ends`, and nothing leaves a server for one:
//    no timer, no reply, no message, no end of a connection. So a pause has nothing to put off, and a
//    partition nothing to swallow. The world knows that better than the trace, in which a timer that only
//    counts, or a connection that a server closes, leaves no event.
// 3. No event of the actor lies between either, such as a request that leaves or another fault, apart from
// the
//    end of this very pause.
// 4. If the pause did end at `was`, its process was in the midst of no work, which a longer pause would draw
//    out. If it did not, the process is dead or frozen by another one throughout.
// 5. Nobody does anything at `ends` itself: who comes first at one instant is not for here to say.
//
// Then the others see the same, and so does the actor from `ends` on: all that differs is when it was
// resumed.

#include "core/search/longer_fault.h"

#include <algorithm>

#include "core/base/assert.h"
#include "core/world/intervention.h"

namespace lockscope {

namespace {

using Events = std::vector<Event>;

/// In the midst of work, or of a computation, just before `here`.
bool worksBefore(Events::const_iterator begin, Events::const_iterator here, ProcessIndex process) {
    int open = 0;
    for (auto e = begin; e != here; ++e) {
        if (e->process != process) continue;
        if (e->kind == EventKind::WorkStarted || e->kind == EventKind::ComputeStarted) ++open;
        if (e->kind == EventKind::WorkEnded || e->kind == EventKind::ComputeEnded) --open;
    }
    return open > 0;
}

/// The process that the last intervention was done to.
ProcessIndex victim(const Trace& trace) {
    const auto index = static_cast<std::int64_t>(trace.interventions.size()) - 1;
    const auto applied = std::find_if(trace.events.begin(), trace.events.end(), [&](const Event& e) {
        return e.kind == EventKind::InterventionApplied && e.a == index;
    });
    LOCKSCOPE_ASSERT(applied != trace.events.end());
    return applied->process;
}

} // namespace

bool makeLonger(Trace& trace, const Simulator& simulator, Duration length) {
    TraceIntervention& fault = trace.interventions.back();
    const bool pause = fault.kind == infoOf(InterventionKind::Pause).id;
    LOCKSCOPE_ASSERT(pause || fault.kind == infoOf(InterventionKind::Partition).id);
    const Instant was = fault.at + fault.length;
    const Instant ends = fault.at + length;
    if (ends <= was || ends >= trace.horizon || !trace.failure.empty()) return false;
    if (!fault.applied) { // 1
        fault.length = length;
        return true;
    }
    const auto named = std::find_if(trace.actors.begin(), trace.actors.end(),
                                    [&](const TraceActor& actor) { return actor.name == fault.target; });
    const auto actor = static_cast<ActorIndex>(named - trace.actors.begin());
    if (!simulator.idle(actor, was, ends)) return false; // 2

    Events& events = trace.events;
    const auto from =
        std::partition_point(events.begin(), events.end(), [&](const Event& e) { return e.at < was; });
    auto resumed = events.end();
    auto to = from;
    for (; to != events.end() && to->at <= ends; ++to) {
        if (to->actor != actor) continue;
        const bool thaw = pause && to->kind == EventKind::ProcessResumed && to->at == was;
        if (!thaw || resumed != events.end()) return false; // 3
        resumed = to;
    }
    if (resumed != events.end()) {
        if (resumed->process != victim(trace)) return false;                      // 3
        if (worksBefore(events.begin(), resumed, resumed->process)) return false; // 4
        if ((to - 1)->at == ends) return false;                                   // 5
        resumed->at = ends;
        std::rotate(resumed, resumed + 1, to);
    }
    fault.length = length;
    return true;
}

} // namespace lockscope
