// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/world/session.h"
#include "ui/live/live_host.h"

namespace lockscope::ui {

/// A live run as a session: its past is fixed, it can only go on. Where and when it runs is the live window's
/// business, so it is started there and not here.
class LiveSession final : public Session {
public:
    explicit LiveSession(LiveHost& host) : m_host(host) {}

    WorldKind world() const override { return m_trace ? m_trace->world : WorldKind::LiveReal; }
    bool pastEditable() const override { return false; }
    /// Shows what the host has of a run that has begun.
    Result<void> start(const Scenario& scenario) override;
    Result<void> intervene(const Intervention& intervention) override;
    void advance() override { m_trace = m_host.trace(); }
    const Scenario& scenario() const override { return m_host.scenario(); }
    std::shared_ptr<const Trace> trace() const override { return m_trace; }

private:
    LiveHost& m_host;
    std::shared_ptr<const Trace> m_trace;
};

/// A key that is observed, as a session: nothing of it is ours to change.
class ObserveSession final : public Session {
public:
    explicit ObserveSession(LiveHost& host) : m_host(host) {}

    WorldKind world() const override { return WorldKind::LiveReal; }
    bool pastEditable() const override { return false; }
    Result<void> start(const Scenario& scenario) override;
    Result<void> intervene(const Intervention& intervention) override;
    void advance() override;
    const Scenario& scenario() const override { return m_none; }
    std::shared_ptr<const Trace> trace() const override { return m_trace; }

private:
    LiveHost& m_host;
    Scenario m_none;
    std::shared_ptr<const Trace> m_trace;
};

} // namespace lockscope::ui
