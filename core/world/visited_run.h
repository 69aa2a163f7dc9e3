// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/world/scenario.h"
#include "core/world/simulator.h"

namespace lockscope {

/// A simulated run that clients from outside take part in, at its frontier: the instant up to which it has
/// been run. It only goes forward. What they do is kept with the scenario, so that the run can be run again
/// without them; who says how fast time goes is somebody else.
///
/// Invariant: trace() is what a Simulator makes of scenario() up to reached(), byte for byte.
class VisitedRun {
public:
    VisitedRun();
    ~VisitedRun();
    VisitedRun(VisitedRun&&) noexcept;
    VisitedRun& operator=(VisitedRun&&) noexcept;

    /// Begins, and runs to `from`. Visits that the scenario has are done again as far as they lie before it;
    /// the others never happened. An error if the scenario is not a valid one.
    Result<void> start(const Scenario& scenario, Instant from = Instant{});
    /// Time goes on; calls come to `port` meanwhile. Does nothing if `t` is reached already.
    void runUntil(Instant t);
    void deliverTo(VisitorPort* port);

    /// Each of these happens now: at reached(). Gives back the number of the visitor.
    int come(int node, std::string_view address);
    /// onAnswer() comes at once or later, and names this act by its number.
    void send(int visitor, std::vector<std::string> words);
    void leave(int visitor);
    /// A run keeps a limited number of commands. When it is full, nobody may come or send any more.
    bool isFull() const;

    /// A microsecond from now, so that it comes before everything else at its instant and nothing that was
    /// answered changes.
    Result<void> intervene(Intervention intervention);
    /// Ends the pauses of an actor that cover this instant, in the same way.
    void resume(std::string_view actor);

    Instant reached() const;
    bool isOver() const;
    /// When something is due next, or kNever.
    Instant nextDue() const;
    redis::Store::ClientFacts factsOf(int visitor) const;
    const Trace& trace() const;
    /// With all that has happened so far. The visits in it are a copy.
    Scenario scenario() const;
    /// How many there are: the next one gets this number.
    std::size_t acts() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace lockscope
