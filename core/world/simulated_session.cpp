// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/session.h"

#include "core/world/simulator.h"

namespace lockscope {

namespace {

/// Every change is a new run of the whole scenario: that takes less than a millisecond.
class SimulatedSession final : public Session {
public:
    WorldKind world() const override { return WorldKind::Simulated; }
    bool pastEditable() const override { return true; }

    Result<void> start(const Scenario& scenario) override {
        const Result<void> valid = validate(scenario);
        if (!valid) return valid.error();
        auto trace = std::make_shared<Trace>();
        m_simulator.run(scenario, *trace);
        m_scenario = scenario;
        m_trace = std::move(trace);
        return {};
    }

    Result<void> intervene(const Intervention& intervention) override {
        Scenario changed = m_scenario;
        changed.interventions.push_back(intervention);
        return start(changed);
    }

    void advance() override {}

    const Scenario& scenario() const override { return m_scenario; }
    std::shared_ptr<const Trace> trace() const override { return m_trace; }

private:
    Simulator m_simulator;
    Scenario m_scenario;
    std::shared_ptr<const Trace> m_trace;
};

} // namespace

std::unique_ptr<Session> makeSimulatedSession() {
    return std::make_unique<SimulatedSession>();
}

} // namespace lockscope
