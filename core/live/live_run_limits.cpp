// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What cannot be run with real processes, or not there, and why.
#include <fmt/format.h>

#include "core/live/live_run.h"
#include "core/world/simulator.h"

namespace lockscope::live {

namespace {

Error cannot(const Intervention& intervention, std::string_view why) {
    return Error{fmt::format("'{}' cannot be done here: {}", formatIntervention(intervention), why)};
}

} // namespace

Result<void> LiveRun::canRun(const Scenario& scenario, const LivePlace& place) {
    if (const Result<void> valid = validate(scenario); !valid) return valid.error();
    if (scenario.server.nodes > 1 && !place.isOurs())
        return Error{
            fmt::format("this lesson needs {} servers of its own: run it on private or embedded ones",
                        scenario.server.nodes)};
    const bool isPrivate = place.kind == LivePlace::Kind::Private;
    const ServerSpec& server = scenario.server;
    if ((server.replicas > 0 || server.persistence != ServerSpec::Persistence::None) && !isPrivate)
        return Error{"its servers have replicas or a disk: run it on private ones"};
    if (server.loading > Duration{0})
        return Error{
            "its servers take their time to read their disks, which a real one does not; simulate it"};
    for (const Intervention& intervention : scenario.interventions) {
        if (intervention.kind >= InterventionKind::ServerKill && !isPrivate)
            return cannot(intervention, "only a private redis-server is killed or started again");
        if (intervention.kind == InterventionKind::SaveFails)
            return cannot(intervention, "the disk of a live run is this machine's, and works; simulate it");
        if (intervention.kind == InterventionKind::ServerClockJump)
            return cannot(intervention,
                          "the clock of a real machine is not put forward or back; simulate it");
        if (intervention.kind == InterventionKind::Load && !isPrivate)
            return cannot(intervention, "only a private redis-server is filled up");
        if (intervention.kind == InterventionKind::ServerStall && !isPrivate)
            return cannot(intervention, "only a private redis-server is stopped");
    }
    return {};
}

} // namespace lockscope::live
