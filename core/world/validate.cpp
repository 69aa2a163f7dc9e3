// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/lua/sandbox.h"
#include "core/world/program_runtime.h"
#include "core/world/simulator.h"

namespace lockscope {

namespace {

constexpr int kMostNodes = 16;
constexpr int kMostReplicas = 3;
constexpr std::size_t kMostActors = 64;
constexpr Duration kLongest = seconds(400ll * 24 * 3600);

Error bad(std::string message) {
    return Error{std::move(message)};
}

bool inRange(Duration d) {
    return d >= Duration{0} && d <= kLongest;
}

Result<void> validateActors(const Scenario& scenario) {
    if (scenario.actors.size() > kMostActors)
        return bad(fmt::format("{} actors are too many: {} at most", scenario.actors.size(), kMostActors));
    std::set<std::string> names;
    std::set<const Program*> compiled;
    lua::Sandbox box;
    for (const ActorSpec& actor : scenario.actors) {
        if (actor.name.empty()) return bad("an actor has no name");
        if (actor.name == kAdminName)
            return bad(fmt::format("an actor cannot be called '{}': that is who runs the commands of admin "
                                   "interventions",
                                   kAdminName));
        if (serverNode(actor.name) >= 0)
            return bad(fmt::format("an actor cannot be called '{}': that is a server", actor.name));
        if (!names.insert(actor.name).second)
            return bad(fmt::format("two actors are called '{}'", actor.name));
        if (actor.program == nullptr) return bad(fmt::format("actor '{}' has no program", actor.name));
        if (!inRange(actor.requestLatency) || !inRange(actor.replyLatency) || !inRange(actor.clientTimeout) ||
            !inRange(actor.start.time_since_epoch()))
            return bad(fmt::format("actor '{}': times are 0 to 400 days", actor.name));
        if (!inRange(actor.clockOffset) && !inRange(-actor.clockOffset))
            return bad(fmt::format("actor '{}': a clock is off by 400 days at most", actor.name));
        if (!compiled.insert(actor.program.get()).second) continue;
        const Result<void> compiles = checkProgram(box, *actor.program);
        if (!compiles) return compiles.error();
    }
    return {};
}

} // namespace

Result<void> validate(const Scenario& scenario) {
    if (!inRange(scenario.horizon.time_since_epoch())) return bad("the horizon must lie within 400 days");
    if (scenario.server.nodes < 1 || scenario.server.nodes > kMostNodes)
        return bad(fmt::format("{} nodes: 1 to {} are possible", scenario.server.nodes, kMostNodes));
    if (scenario.server.hz < 1 || scenario.server.hz > 500)
        return bad(fmt::format("hz {}: 1 to 500 are possible", scenario.server.hz));
    if (scenario.server.replicas < 0 || scenario.server.replicas > kMostReplicas)
        return bad(fmt::format("{} replicas: 0 to {} are possible", scenario.server.replicas, kMostReplicas));
    if (!inRange(scenario.server.replicaLag) || !inRange(scenario.server.failoverAfter) ||
        !inRange(scenario.server.loading) || !inRange(scenario.server.saveEvery))
        return bad("the server: times are 0 to 400 days");
    if (scenario.server.majority && std::any_of(scenario.lockKeys.begin(), scenario.lockKeys.end(),
                                                [](const TraceLockKey& key) { return key.holders > 1; }))
        return bad("a lock of several holders is not decided by a majority of nodes");
    if (scenario.server.memory.samples < 1) return bad("maxmemory-samples is at least 1");
    if (scenario.lockKeys.size() != scenario.lockKeyNames.size()) return bad("every lock key needs a name");
    for (const Intervention& intervention : scenario.interventions) {
        const InterventionTarget target = infoOf(intervention.kind).target;
        if (!hasTargetOf(scenario, intervention))
            return bad(fmt::format("'{}' names no {} of this lesson; allowed: {}",
                                   formatIntervention(intervention),
                                   target == InterventionTarget::Server ? "server" : "actor",
                                   fmt::join(targetsIn(scenario, target), ", ")));
        if (const std::string_view why = whyImpossible(scenario, intervention.kind); !why.empty())
            return bad(fmt::format("'{}': {}", formatIntervention(intervention), why));
        if (!inRange(intervention.at.time_since_epoch()) || !inRange(std::chrono::abs(intervention.length)))
            return bad(fmt::format("'{}': times are 0 to 400 days", formatIntervention(intervention)));
        if (infoOf(intervention.kind).length == LengthRule::Positive && intervention.length < Duration{0})
            return bad(fmt::format("'{}': its length cannot be negative", formatIntervention(intervention)));
        if (!infoOf(intervention.kind).hasCommand) continue;
        const Result<void> checked = checkCommand(intervention.kind, intervention.command);
        if (!checked)
            return bad(fmt::format("'{}': {}", formatIntervention(intervention), checked.error().message));
    }
    if (scenario.visits != nullptr) {
        const std::string wrong = whatIsWrongWith(*scenario.visits, scenario.server.nodes);
        if (!wrong.empty()) return bad(wrong);
    }
    return validateActors(scenario);
}

} // namespace lockscope
