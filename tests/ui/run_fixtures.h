// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/bridge/run_model.h"

namespace lockscope::test {

/// Everything that the window computes from a trace.
std::shared_ptr<const ui::Run> runOf(Trace trace);

/// A session whose every run is the trace it was given, so that views can be tried on stories told by hand.
class ToldSession : public Session {
public:
    explicit ToldSession(Trace trace) : m_trace(std::make_shared<Trace>(std::move(trace))) {}

    WorldKind world() const override { return WorldKind::Simulated; }
    bool pastEditable() const override { return true; }
    Result<void> start(const Scenario& scenario) override {
        m_scenario = scenario;
        return {};
    }
    Result<void> intervene(const Intervention& intervention) override {
        m_scenario.interventions.push_back(intervention);
        return {};
    }
    void advance() override {}
    const Scenario& scenario() const override { return m_scenario; }
    std::shared_ptr<const Trace> trace() const override { return m_trace; }

private:
    std::shared_ptr<const Trace> m_trace;
    Scenario m_scenario;
};

/// A model that shows a trace told by hand.
std::unique_ptr<ui::RunModel> modelOf(Trace trace);

/// `actors` servers that take turns at one lock, work, are refused and paused, until the trace has about
/// `events` events. Lanes and analysis are made directly, so that a million events are ready in a second.
std::shared_ptr<const ui::Run> bigRun(int actors, std::size_t events);

} // namespace lockscope::test
