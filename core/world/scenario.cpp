// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/scenario.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockscope {

std::string formatKnobValue(const KnobValue& value) {
    if (const auto* duration = std::get_if<Duration>(&value)) return formatDuration(*duration);
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    return std::get<std::string>(value);
}

std::vector<std::string> targetsIn(const Scenario& scenario, InterventionTarget kind) {
    std::vector<std::string> names;
    if (kind == InterventionTarget::Actor)
        for (const ActorSpec& actor : scenario.actors)
            names.push_back(actor.name);
    else
        for (int node = 0; node < scenario.server.nodes; ++node)
            names.push_back(serverName(node));
    return names;
}

bool hasTargetOf(const Scenario& scenario, const Intervention& intervention) {
    if (infoOf(intervention.kind).target == InterventionTarget::Server) {
        const int node = serverNode(intervention.actor);
        return node >= 0 && node < scenario.server.nodes;
    }
    return std::any_of(scenario.actors.begin(), scenario.actors.end(),
                       [&](const ActorSpec& actor) { return actor.name == intervention.actor; });
}

} // namespace lockscope
