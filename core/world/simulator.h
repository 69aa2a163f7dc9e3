// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "core/trace/trace.h"
#include "core/world/scenario.h"

namespace lockscope {

/// The Unix time of a simulated server at the start of a run, µs: 2023-11-14T22:13:20Z.
inline constexpr std::int64_t kEpochMicros = 1'700'000'000'000'000;

/// Runs scenarios in virtual time, one after another, on one Lua state and one set of buffers.
/// The same scenario gives the same trace, byte for byte, whatever was run before. Not thread-safe: one a
/// thread.
class Simulator {
public:
    Simulator();
    ~Simulator();
    Simulator(Simulator&&) noexcept;
    Simulator& operator=(Simulator&&) noexcept;

    /// Runs to the horizon. A program that fails or overruns its budget is an event of the trace
    /// (and, for an overrun, Trace::failure), not an error here.
    void run(const Scenario& scenario, Trace& into);

    /// The same in steps: begin(), then runUntil() with rising instants. The trace grows.
    void begin(const Scenario& scenario, Trace& into);
    void runUntil(Instant t);

    /// Whether no process of the actor had anything to do in the last run from `from` to `to`, both included:
    /// nothing came for it, no timer of its ran out, no work ended, and no server closed a connection of it.
    /// False also if that is not known any more.
    bool idle(ActorIndex actor, Instant from, Instant to) const;
    /// Of a run that goes on in steps: where its visitors' replies go from now on, what their connections
    /// are like, and when something is due next. See VisitedRun.
    void deliverTo(VisitorPort* port);
    redis::Store::ClientFacts factsOfVisitor(int visitor) const;
    Instant nextDue() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Whether every program compiles and every intervention names an actor of the scenario.
Result<void> validate(const Scenario& scenario);
/// Whether it runs to its horizon, so that something can be said of it: no program overruns its budget.
Result<void> runsToItsEnd(const Scenario& scenario);

} // namespace lockscope
