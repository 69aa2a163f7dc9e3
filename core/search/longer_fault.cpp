// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/longer_fault.h"

#include <algorithm>

#include "core/base/assert.h"
#include "core/world/intervention.h"

namespace lockscope {

namespace {

using Events = std::vector<Event>;

Events::iterator firstFrom(Events& events, Instant t) {
    return std::partition_point(events.begin(), events.end(), [t](const Event& e) { return e.at < t; });
}

bool works(const Trace& trace, ProcessIndex process, Instant at) {
    int works = 0;
    for (const Event& e : trace.events) {
        if (e.at > at) break;
        if (e.process != process) continue;
        if (e.kind == EventKind::WorkStarted || e.kind == EventKind::ComputeStarted) ++works;
        if (e.kind == EventKind::WorkEnded || e.kind == EventKind::ComputeEnded) --works;
    }
    return works > 0;
}

} // namespace

bool makeLonger(Trace& trace, const Simulator& simulator, Duration length) {
    TraceIntervention& fault = trace.interventions.back();
    const std::string_view pause = infoOf(InterventionKind::Pause).id;
    LOCKSCOPE_ASSERT(fault.kind == pause || fault.kind == infoOf(InterventionKind::Partition).id);
    const Instant was = fault.at + fault.length;
    const Instant ends = fault.at + length;
    if (ends <= was || ends >= trace.horizon || !trace.failure.empty()) return false;
    const auto named = std::find_if(trace.actors.begin(), trace.actors.end(),
                                    [&](const TraceActor& actor) { return actor.name == fault.target; });
    const auto actor = static_cast<ActorIndex>(named - trace.actors.begin());
    if (!simulator.idle(actor, was, ends)) return false;

    const auto from = firstFrom(trace.events, was);
    auto resumed = trace.events.end();
    auto to = from;
    for (; to != trace.events.end() && to->at <= ends; ++to) {
        if (to->actor != actor) continue;
        const bool thaw = to->kind == EventKind::ProcessResumed && to->at == was && fault.kind == pause;
        if (!thaw || resumed != trace.events.end()) return false;
        resumed = to;
    }
    if (resumed != trace.events.end()) {
        // Who comes first at one instant is not for here to say.
        if ((to - 1)->at == ends || works(trace, resumed->process, was)) return false;
        resumed->at = ends;
        std::rotate(resumed, resumed + 1, to);
    }
    fault.length = length;
    return true;
}

} // namespace lockscope
