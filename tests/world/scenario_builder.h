// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "core/world/scenario.h"

namespace lockscope::test {

/// Puts a scenario together as a story tells it:
///
///     Scenario s = ScenarioBuilder()
///                      .lock("lock:report")
///                      .knob("ttl", 30s)
///                      .actor("Server A", kProgram).starts(200ms)
///                      .actor("Server B", kProgram).latency(2ms).timeout(500ms)
///                      .horizon(65s)
///                      .does("pause Server A@10s+25s");
///
/// What follows actor() and says nothing of the world concerns that actor.
class ScenarioBuilder {
public:
    ScenarioBuilder& lesson(std::string id) {
        m_scenario.lesson = std::move(id);
        return *this;
    }
    ScenarioBuilder& lock(std::string name, int holders = 1, Duration patience = seconds(2)) {
        TraceLockKey key;
        key.holders = holders;
        key.patience = patience;
        m_scenario.lockKeys.push_back(key);
        m_scenario.lockKeyNames.push_back(std::move(name));
        return *this;
    }
    ScenarioBuilder& knob(std::string name, KnobValue value) {
        for (KnobSetting& knob : m_scenario.knobs)
            if (knob.name == name) return knob.value = std::move(value), *this;
        m_scenario.knobs.push_back({std::move(name), std::move(value)});
        return *this;
    }
    ScenarioBuilder& goal(std::string label, std::string work, int wanted = 1) {
        m_scenario.goals.push_back({std::move(label), std::move(work), {}, wanted});
        return *this;
    }
    ScenarioBuilder& nodes(int count) {
        m_scenario.server.nodes = count;
        return *this;
    }
    /// maxmemory, as CONFIG takes it, and its policy.
    ScenarioBuilder& memory(std::string_view limit, redis::EvictionPolicy policy) {
        m_scenario.server.memory.limit = redis::parseMemory(limit).value();
        m_scenario.server.memory.policy = policy;
        return *this;
    }
    ScenarioBuilder& resource(bool enforceFence = false) {
        m_scenario.resource.present = true;
        m_scenario.resource.enforceFence = enforceFence;
        return *this;
    }
    ScenarioBuilder& horizon(Duration d) {
        m_scenario.horizon = instantAt(d);
        return *this;
    }
    ScenarioBuilder& seed(std::uint64_t seed) {
        m_scenario.seed = seed;
        return *this;
    }

    ScenarioBuilder& actor(std::string name, std::string source) {
        auto program = std::make_shared<Program>();
        program->name = name;
        program->source = std::move(source);
        program->file = "story.md";
        ActorSpec spec;
        spec.name = std::move(name);
        spec.program = std::move(program);
        m_scenario.actors.push_back(std::move(spec));
        return *this;
    }
    ScenarioBuilder& starts(Duration d) {
        m_scenario.actors.back().start = instantAt(d);
        return *this;
    }
    ScenarioBuilder& latency(Duration request, Duration reply) {
        m_scenario.actors.back().requestLatency = request;
        m_scenario.actors.back().replyLatency = reply;
        return *this;
    }
    ScenarioBuilder& latency(Duration eachWay) { return latency(eachWay, eachWay); }
    ScenarioBuilder& timeout(Duration d) {
        m_scenario.actors.back().clientTimeout = d;
        return *this;
    }
    ScenarioBuilder& clockOff(Duration d) {
        m_scenario.actors.back().clockOffset = d;
        return *this;
    }

    /// Interventions, as after --do.
    ScenarioBuilder& does(std::string_view text) {
        m_scenario.interventions.push_back(parseIntervention(text).value());
        return *this;
    }

    operator Scenario() const { return m_scenario; }
    Scenario& scenario() { return m_scenario; }

private:
    Scenario m_scenario;
};

} // namespace lockscope::test
