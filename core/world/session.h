// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/trace/trace.h"
#include "core/world/scenario.h"

namespace lockscope {

/// One run of a scenario as the window sees it: simulated, or live. The window knows no other door to a run.
///
/// A simulated session recomputes the whole run when the scenario changes. A live one can only go on: its
/// past is fixed, and interventions take effect now.
class Session {
public:
    virtual ~Session() = default;

    virtual WorldKind world() const = 0;
    /// Whether an intervention may lie before `trace()->reached`.
    virtual bool pastEditable() const = 0;

    /// Starts from the beginning. What was wrong with the scenario comes back as an error; the old run then
    /// stays.
    virtual Result<void> start(const Scenario& scenario) = 0;
    /// Adds to the running scenario. Simulated: the same as start() with it appended.
    virtual Result<void> intervene(const Intervention& intervention) = 0;
    /// Live: takes in what has happened. Simulated: nothing to do.
    virtual void advance() = 0;

    virtual const Scenario& scenario() const = 0;
    /// Never null after a successful start(). A new object whenever anything changed; the old one stays valid
    /// for whoever still holds it.
    virtual std::shared_ptr<const Trace> trace() const = 0;
};

/// The session over the simulator.
std::unique_ptr<Session> makeSimulatedSession();

} // namespace lockscope
