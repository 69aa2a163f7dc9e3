// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What interventions do to the world. A further kind is a row of interventionKinds() and a case in here.

#include <algorithm>

#include "core/base/assert.h"
#include "core/world/world.h"

namespace lockscope {

void World::intervene(std::uint32_t index) {
    const Intervention& intervention = m_scenario->interventions[index];
    const auto named = std::find_if(m_scenario->actors.begin(), m_scenario->actors.end(),
                                    [&](const ActorSpec& actor) { return actor.name == intervention.actor; });
    LOCKSCOPE_ASSERT(named != m_scenario->actors.end()); // validate() has looked
    const auto actor = static_cast<ActorIndex>(named - m_scenario->actors.begin());
    switch (intervention.kind) {
    case InterventionKind::Pause:
    case InterventionKind::Kill:
    case InterventionKind::Restart:
        if (processOf(actor) == nullptr) return; // it has not started yet
        if (intervention.kind != InterventionKind::Restart && !processOf(actor)->alive()) return;
        applied(index, actor);
        return applyToProcess(intervention, actor);
    case InterventionKind::LostReply:
    case InterventionKind::DelayReply:
        if (applyToFlight(intervention, actor)) return applied(index, actor);
        [[fallthrough]];
    case InterventionKind::LostRequest:
    case InterventionKind::Delay:
        m_armed.push_back({index, actor});
    }
}

void World::applyToProcess(const Intervention& intervention, ActorIndex actor) {
    SimulatedProcess& process = *processOf(actor);
    if (intervention.kind == InterventionKind::Pause) return process.freeze(m_now + intervention.length);
    if (process.alive()) {
        process.kill();
        recordProcess(EventKind::ProcessKilled, process);
    }
    if (intervention.kind == InterventionKind::Restart) startProcess(actor);
}

// A request of the actor's that is under way and not executed yet: its reply can still be touched.
bool World::applyToFlight(const Intervention& intervention, ActorIndex actor) {
    Flight* oldest = nullptr;
    for (Flight& flight : m_flights) {
        if (!flight.inUse || flight.executed || flight.actor != actor || flight.replyLost) continue;
        if (oldest == nullptr || flight.request < oldest->request) oldest = &flight;
    }
    if (oldest == nullptr) return false;
    if (intervention.kind == InterventionKind::LostReply)
        oldest->replyLost = true;
    else
        oldest->replyLatency += intervention.length;
    return true;
}

void World::applied(std::uint32_t index, ActorIndex actor) {
    m_trace->interventions[index].applied = true;
    Event& event = m_trace->events.emplace_back();
    event.at = m_now;
    event.kind = EventKind::InterventionApplied;
    event.actor = actor;
    event.process = m_current[static_cast<std::size_t>(actor)];
    event.a = index;
}

} // namespace lockscope
