// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/judged_run.h"

namespace lockscope {

void judge(JudgedRun& run) {
    Judge judge;
    analyse(run.trace, run.analysis);
    judge.judge(run.trace, run.analysis, run.violations);
    run.outcome = outcomeOf(run.trace, run.analysis);
}

Result<void> Runner::run(const Scenario& scenario, JudgedRun& into) {
    if (const Result<void> valid = validate(scenario); !valid) return valid.error();
    m_simulator.run(scenario, into.trace);
    analyse(into.trace, into.analysis);
    m_judge.judge(into.trace, into.analysis, into.violations);
    into.outcome = outcomeOf(into.trace, into.analysis);
    return {};
}

} // namespace lockscope
