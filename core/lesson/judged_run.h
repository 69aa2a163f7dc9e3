// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/invariants.h"
#include "core/world/simulator.h"

namespace lockscope {

/// A finished run with everything that is judged of it.
struct JudgedRun {
    Trace trace;
    Analysis analysis;
    std::vector<Violation> violations;
    Outcome outcome;
};

/// Judges the trace that `run` holds, whoever made it.
void judge(JudgedRun& run);

/// Runs scenarios on the simulator and judges them, one after another, keeping its memory.
class Runner {
public:
    /// What is wrong with the scenario is an error; what goes wrong in the run is part of the run.
    Result<void> run(const Scenario& scenario, JudgedRun& into);

private:
    Simulator m_simulator;
    Judge m_judge;
};

} // namespace lockscope
