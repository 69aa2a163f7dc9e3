// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/scenario.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace lockscope {

namespace {

constexpr std::array<std::string_view, 4> kPersistences{"none", "snapshot", "everysec", "always"};

} // namespace

std::string_view nameOf(ServerSpec::Persistence persistence) {
    return kPersistences[static_cast<std::size_t>(persistence)];
}

std::optional<ServerSpec::Persistence> persistenceNamed(std::string_view name) {
    const auto found = std::find(kPersistences.begin(), kPersistences.end(), name);
    if (found == kPersistences.end()) return std::nullopt;
    return static_cast<ServerSpec::Persistence>(found - kPersistences.begin());
}

std::string persistenceNames() {
    return fmt::format("{}", fmt::join(kPersistences, ", "));
}

std::string_view whyImpossible(const Scenario& scenario, InterventionKind kind) {
    const bool wantsReplica = kind == InterventionKind::Promote || kind == InterventionKind::LinkCut;
    if (wantsReplica && scenario.server.replicas == 0) return "the servers of this lesson have no replica";
    if (kind == InterventionKind::SaveFails &&
        scenario.server.persistence != ServerSpec::Persistence::Snapshot)
        return "the servers of this lesson write no snapshots";
    return {};
}

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

void describeRun(const Scenario& scenario, WorldKind world, Trace& into) {
    into.clear();
    into.world = world;
    into.lesson = scenario.lesson;
    into.seed = scenario.seed;
    into.horizon = scenario.horizon;
    for (const KnobSetting& knob : scenario.knobs)
        into.knobs.push_back({knob.name, formatKnobValue(knob.value)});
    for (const Intervention& i : scenario.interventions)
        into.interventions.push_back(
            {std::string(infoOf(i.kind).id), i.actor, i.at, i.length, false, i.command, {}, i.by});
    for (const ActorSpec& actor : scenario.actors)
        into.actors.push_back({actor.name, false});
    for (const Intervention& i : scenario.interventions)
        if (i.kind == InterventionKind::Admin && outsideActor(into, authorOf(i)) == kNone)
            into.actors.push_back({std::string(authorOf(i)), true});
    for (std::size_t i = 0; i < scenario.lockKeys.size(); ++i) {
        into.lockKeys.push_back(scenario.lockKeys[i]);
        into.lockKeys.back().name = into.strings.intern(scenario.lockKeyNames[i]);
    }
    into.goals = scenario.goals;
    if (scenario.server.majority) into.majorityOf = scenario.server.nodes;
    into.hasResource = scenario.resource.present;
    into.fenceEnforced = scenario.resource.enforceFence;
    if (world == WorldKind::Simulated) into.server = redis::titleOf(scenario.server.profile);
}

} // namespace lockscope
