// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/lesson/fields.h"
#include "core/lesson/front_matter.h"
#include "core/lesson/lesson.h"
#include "core/lesson/programs.h"

namespace lockscope {

namespace {

void apply(const KnobBinding& binding, const KnobValue& value, Scenario& scenario) {
    using enum KnobBinding::Field;
    const auto actor = [&]() -> ActorSpec& {
        return scenario.actors[static_cast<std::size_t>(binding.index)];
    };
    switch (binding.field) {
    case Horizon:
        scenario.horizon = instantAt(std::get<Duration>(value));
        break;
    case FenceEnforced:
        scenario.resource.enforceFence = std::get<std::string>(value) == binding.enforcedBy;
        break;
    case MemoryLimit:
        scenario.server.memory.limit = memoryLimitNamed(std::get<std::string>(value)).value();
        break;
    case EvictionPolicy:
        scenario.server.memory.policy = redis::evictionPolicyNamed(std::get<std::string>(value)).value();
        break;
    case Profile:
        scenario.server.profile = redis::profileNamed(std::get<std::string>(value)).value();
        break;
    case Persistence:
        scenario.server.persistence = persistenceNamed(std::get<std::string>(value)).value();
        break;
    case ExpiresAtOnce:
        scenario.server.expiresAtOnce = expiresAtOnceNamed(std::get<std::string>(value)).value();
        break;
    case Replicas:
        scenario.server.replicas = replicasNamed(std::get<std::string>(value)).value();
        break;
    case ReplicaLag:
        scenario.server.replicaLag = std::get<Duration>(value);
        break;
    case Patience:
        scenario.lockKeys[static_cast<std::size_t>(binding.index)].patience = std::get<Duration>(value);
        break;
    case Start:
        actor().start = instantAt(std::get<Duration>(value));
        break;
    case RequestLatency:
        actor().requestLatency = std::get<Duration>(value);
        break;
    case ReplyLatency:
        actor().replyLatency = std::get<Duration>(value);
        break;
    case ClientTimeout:
        actor().clientTimeout = std::get<Duration>(value);
        break;
    }
}

constexpr Duration kApart = millis(20);

/// In `scenario`, which holds what does not depend on knobs.
Result<void> setKnobs(const Lesson& lesson, const std::vector<KnobSetting>& knobs, bool inRange,
                      Scenario& scenario) {
    for (const KnobSetting& setting : knobs) {
        const Knob* knob = lesson.knob(setting.name);
        if (knob == nullptr) {
            std::vector<std::string> names;
            for (const Knob& other : lesson.knobs)
                names.push_back(other.name);
            return Error{fmt::format("lesson {} has no knob '{}'; allowed: {}", lesson.id, setting.name,
                                     names.empty() ? "it has none" : listed(names))};
        }
        if (const Result<void> checked = checkKnobValue(*knob, setting.value); inRange && !checked)
            return checked.error();
        for (KnobSetting& slot : scenario.knobs)
            if (slot.name == setting.name) slot.value = setting.value;
    }
    for (const KnobBinding& binding : lesson.bindings)
        for (const KnobSetting& setting : scenario.knobs)
            if (setting.name == binding.knob) apply(binding, setting.value, scenario);
    return {};
}

Result<void> setInterventions(const Lesson& lesson, const std::vector<Intervention>& interventions,
                              Scenario& scenario) {
    for (const Intervention& intervention : interventions) {
        const InterventionTarget target = infoOf(intervention.kind).target;
        if (!hasTargetOf(scenario, intervention))
            return Error{fmt::format("lesson {} has no {} '{}'; allowed: {}", lesson.id,
                                     target == InterventionTarget::Server ? "server" : "actor",
                                     intervention.actor, listed(targetsIn(scenario, target)))};
        if (const std::string_view why = whyImpossible(scenario, intervention.kind); !why.empty())
            return Error{fmt::format("'{}': {}", formatIntervention(intervention), why)};
        if (intervention.at > scenario.horizon)
            return Error{fmt::format("'{}' lies after the end of the run; allowed: 0s to {}",
                                     formatIntervention(intervention),
                                     formatDuration(scenario.horizon.time_since_epoch()))};
    }
    scenario.interventions = interventions;
    return {};
}

Result<void> setPrograms(const Lesson& lesson, const Programs& programs, Scenario& scenario) {
    for (const auto& program : programs) {
        if (programNamed(lesson, program->name) == nullptr) {
            std::vector<std::string> names;
            for (const auto& other : lesson.programs)
                names.push_back(other->name);
            return Error{fmt::format("lesson {} has no program '{}'; allowed: {}", lesson.id, program->name,
                                     listed(names))};
        }
        for (ActorSpec& actor : scenario.actors)
            if (actor.program->name == program->name) actor.program = program;
    }
    return {};
}

/// A part of a length of time, in whole milliseconds, and no less than one unless it is nothing.
Duration part(Duration length, double factor) {
    const auto scaled =
        millis(static_cast<std::int64_t>(std::llround(static_cast<double>(length.count()) * factor / 1000)));
    return length > Duration{0} ? std::max(scaled, millis(1)) : scaled;
}

Instant part(Instant at, double factor) {
    return at == kNever ? at : instantAt(part(at.time_since_epoch(), factor));
}

/// What stands in the front matter, at the lesson's pace. A latency is the network's own. Those who start in
/// the same instant do so in the order of the lesson when they are simulated; in real time it would be up to
/// chance, so each keeps a little distance.
Scenario quickened(const Lesson& lesson) {
    Scenario scenario = lesson.base;
    const double factor = 1 / lesson.pace;
    scenario.horizon = part(scenario.horizon, factor);
    scenario.server.failoverAfter = part(scenario.server.failoverAfter, factor);
    for (TraceLockKey& key : scenario.lockKeys)
        key.patience = part(key.patience, factor);
    for (ActorSpec& actor : scenario.actors) {
        actor.start = part(actor.start, factor);
        actor.clientTimeout = part(actor.clientTimeout, factor);
        actor.clockOffset = part(actor.clockOffset, factor);
        const auto together = std::count_if(
            lesson.base.actors.begin(), lesson.base.actors.begin() + (&actor - scenario.actors.data()),
            [&](const ActorSpec& other) {
                return other.start ==
                       lesson.base.actors[static_cast<std::size_t>(&actor - scenario.actors.data())].start;
            });
        actor.start += kApart * together;
    }
    return scenario;
}

/// What does not come from knobs. It goes before what does: a latency may be bound to one.
void setVariant(const LiveVariant& variant, Scenario& scenario) {
    if (variant.horizon) scenario.horizon = *variant.horizon;
    if (variant.patience)
        for (TraceLockKey& key : scenario.lockKeys)
            key.patience = *variant.patience;
    if (variant.clientTimeout)
        for (ActorSpec& actor : scenario.actors)
            actor.clientTimeout = *variant.clientTimeout;
    for (const LiveVariant::Actor& own : variant.actors)
        for (ActorSpec& actor : scenario.actors) {
            if (actor.name != own.name) continue;
            if (own.start) actor.start = *own.start;
            if (own.latency) actor.requestLatency = actor.replyLatency = *own.latency;
        }
}

Result<Scenario> liveScenario(const Lesson& lesson, const LiveVariant& ofStep,
                              const std::vector<KnobSetting>& knobs,
                              const std::vector<Intervention>& interventions, std::uint64_t seed,
                              const Programs& programs) {
    Scenario scenario = quickened(lesson);
    scenario.seed = seed;
    for (const Knob& knob : lesson.knobs)
        scenario.knobs.push_back({knob.name, liveValue(lesson, knob, knob.initial)});
    for (const std::vector<KnobSetting>* settings : {&lesson.live.knobs, &knobs, &ofStep.knobs})
        if (const Result<void> set = setKnobs(lesson, *settings, false, scenario); !set) return set.error();
    for (const LiveVariant* variant : {&lesson.live, &ofStep})
        setVariant(*variant, scenario);
    if (const Result<void> set = setInterventions(lesson, interventions, scenario); !set) return set.error();
    if (const Result<void> set = setPrograms(lesson, programs, scenario); !set) return set.error();
    return scenario;
}

} // namespace

const Knob* Lesson::knob(std::string_view name) const {
    for (const Knob& candidate : knobs)
        if (candidate.name == name) return &candidate;
    return nullptr;
}

Result<Scenario> makeScenario(const Lesson& lesson, const std::vector<KnobSetting>& knobs,
                              const std::vector<Intervention>& interventions, std::uint64_t seed,
                              const Programs& programs) {
    Scenario scenario = lesson.base;
    scenario.seed = seed;
    for (const Knob& knob : lesson.knobs)
        scenario.knobs.push_back({knob.name, knob.initial});
    if (const Result<void> set = setKnobs(lesson, knobs, true, scenario); !set) return set.error();
    if (const Result<void> set = setInterventions(lesson, interventions, scenario); !set) return set.error();
    if (const Result<void> set = setPrograms(lesson, programs, scenario); !set) return set.error();
    return scenario;
}

Result<Scenario> makeScenario(const Lesson& lesson, const Step& step) {
    return makeScenario(lesson, step.knobs, step.interventions, lesson.base.seed, step.programs);
}

KnobValue liveValue(const Lesson& lesson, const Knob& knob, const KnobValue& value) {
    if (value == knob.initial && knob.namesLive) return knob.live;
    const Duration* length = std::get_if<Duration>(&value);
    if (length == nullptr) return value;
    const auto initial = std::get<Duration>(knob.initial).count();
    const double factor =
        knob.namesLive && initial > 0
            ? static_cast<double>(std::get<Duration>(knob.live).count()) / static_cast<double>(initial)
            : 1 / lesson.pace;
    return part(*length, factor);
}

Result<Scenario> makeLiveScenario(const Lesson& lesson, const Step& step) {
    std::vector<KnobSetting> knobs;
    for (const KnobSetting& setting : step.knobs)
        knobs.push_back({setting.name, liveValue(lesson, *lesson.knob(setting.name), setting.value)});
    std::vector<Intervention> interventions = step.interventions;
    for (Intervention& intervention : interventions) {
        intervention.at = part(intervention.at, 1 / lesson.pace);
        intervention.length = part(intervention.length, 1 / lesson.pace);
    }
    return liveScenario(lesson, step.live, knobs, step.live.interventions.value_or(interventions),
                        lesson.base.seed, step.programs);
}

Result<Scenario> makeLiveScenario(const Lesson& lesson, const std::vector<KnobSetting>& knobs,
                                  const std::vector<Intervention>& interventions, std::uint64_t seed,
                                  const Programs& programs) {
    return liveScenario(lesson, {}, knobs, interventions, seed, programs);
}

} // namespace lockscope
