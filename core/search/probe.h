// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/invariants.h"
#include "core/world/simulator.h"

namespace lockscope {

/// What broke, between whom: the unit in which runs are compared. An overlap of A and B is the same break
/// wherever in the run it lies and however often it happens.
struct Break {
    Invariant invariant = Invariant::StaleWrite;
    ActorIndex first = kNone;
    ActorIndex second = kNone;

    auto operator<=>(const Break&) const = default;
};

Break breakOf(const Violation& violation);
/// Not among the breaks of another run, which are sorted.
bool isNew(const Violation& violation, const std::vector<Break>& before);

/// The breaks of a run, sorted, each once.
std::vector<Break> breaksOf(const std::vector<Violation>& violations);

/// A set of invariants: bit i stands for kInvariants[i].
using InvariantMask = std::uint8_t;
constexpr InvariantMask maskOf(Invariant invariant) {
    return static_cast<InvariantMask>(1u << static_cast<unsigned>(invariant));
}
InvariantMask maskOf(const std::vector<Break>& breaks);

/// Runs scenarios for their verdict, on buffers of its own that are used again and again. One a thread.
class Probe {
public:
    /// The verdict stays valid until the next run.
    const std::vector<Violation>& run(const Scenario& scenario);
    /// The same for the scenario of the run before but that its last intervention, a pause or a partition, is
    /// longer now. Often that run can be told from the one before: longer_fault.h.
    const std::vector<Violation>& runLonger(const Scenario& scenario);

    const Trace& trace() const { return m_trace; }
    const Analysis& analysis() const { return m_analysis; }
    const std::vector<Violation>& violations() const { return m_violations; }

    /// The invariants that the last run broke in a way that `before` (sorted) does not have.
    InvariantMask added(const std::vector<Break>& before) const;

private:
    const std::vector<Violation>& judge();

    Simulator m_simulator;
    Trace m_trace;
    Analysis m_analysis;
    Judge m_judge;
    std::vector<Violation> m_violations;
};

} // namespace lockscope
