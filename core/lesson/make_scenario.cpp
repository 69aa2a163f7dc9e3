// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/lesson/fields.h"
#include "core/lesson/front_matter.h"
#include "core/lesson/lesson.h"

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

} // namespace

const Knob* Lesson::knob(std::string_view name) const {
    for (const Knob& candidate : knobs)
        if (candidate.name == name) return &candidate;
    return nullptr;
}

Result<Scenario> makeScenario(const Lesson& lesson, const std::vector<KnobSetting>& knobs,
                              const std::vector<Intervention>& interventions, std::uint64_t seed) {
    Scenario scenario = lesson.base;
    scenario.seed = seed;
    for (const Knob& knob : lesson.knobs)
        scenario.knobs.push_back({knob.name, knob.initial});
    for (const KnobSetting& setting : knobs) {
        const Knob* knob = lesson.knob(setting.name);
        if (knob == nullptr) {
            std::vector<std::string> names;
            for (const Knob& other : lesson.knobs)
                names.push_back(other.name);
            return Error{fmt::format("lesson {} has no knob '{}'; allowed: {}", lesson.id, setting.name,
                                     names.empty() ? "it has none" : listed(names))};
        }
        if (const Result<void> checked = checkKnobValue(*knob, setting.value); !checked)
            return checked.error();
        for (KnobSetting& slot : scenario.knobs)
            if (slot.name == setting.name) slot.value = setting.value;
    }
    for (const KnobBinding& binding : lesson.bindings)
        for (const KnobSetting& setting : scenario.knobs)
            if (setting.name == binding.knob) apply(binding, setting.value, scenario);

    for (const Intervention& intervention : interventions) {
        const InterventionTarget target = infoOf(intervention.kind).target;
        if (!hasTargetOf(scenario, intervention))
            return Error{fmt::format("lesson {} has no {} '{}'; allowed: {}", lesson.id,
                                     target == InterventionTarget::Server ? "server" : "actor",
                                     intervention.actor, listed(targetsIn(scenario, target)))};
        if (intervention.at > scenario.horizon)
            return Error{fmt::format("'{}' lies after the end of the run; allowed: 0s to {}",
                                     formatIntervention(intervention),
                                     formatDuration(scenario.horizon.time_since_epoch()))};
    }
    scenario.interventions = interventions;
    return scenario;
}

Result<Scenario> makeScenario(const Lesson& lesson, const Step& step) {
    return makeScenario(lesson, step.knobs, step.interventions, lesson.base.seed);
}

} // namespace lockscope
