// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/world/session.h"
#include "ui/live/serve_host.h"

namespace lockscope::ui {

/// A served lesson as a session, so that the views of a simulated run show it unchanged: its past is fixed,
/// it can only go on. Where it is served is the serve window's business, so it is started there and not here.
class ServeSession final : public Session {
public:
    explicit ServeSession(ServeHost& host) : m_host(host) {}

    WorldKind world() const override { return WorldKind::Simulated; }
    bool pastEditable() const override { return false; }
    /// Shows what the host has of a run that it serves.
    Result<void> start(const Scenario& scenario) override {
        m_scenario = scenario;
        advance();
        if (m_trace == nullptr) return Error{"nothing is served"};
        return {};
    }
    Result<void> intervene(const Intervention& intervention) override {
        if (const QString why = m_host.intervene(intervention); !why.isEmpty())
            return Error{why.toStdString()};
        m_scenario = m_host.scenario();
        advance();
        return {};
    }
    void advance() override { m_trace = m_host.trace(); }
    /// As it was served first, and with the interventions since; clients are in the host's.
    const Scenario& scenario() const override { return m_scenario; }
    std::shared_ptr<const Trace> trace() const override { return m_trace; }

private:
    ServeHost& m_host;
    Scenario m_scenario;
    std::shared_ptr<const Trace> m_trace;
};

} // namespace lockscope::ui
