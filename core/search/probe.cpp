// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/probe.h"

#include <algorithm>

#include "core/base/assert.h"
#include "core/search/longer_fault.h"

namespace lockscope {

Break breakOf(const Violation& v) {
    return {v.invariant, v.actors[0], v.actors[1]};
}

bool isNew(const Violation& violation, const std::vector<Break>& before) {
    return !std::binary_search(before.begin(), before.end(), breakOf(violation));
}

std::vector<Break> breaksOf(const std::vector<Violation>& violations) {
    std::vector<Break> out;
    out.reserve(violations.size());
    for (const Violation& v : violations)
        out.push_back(breakOf(v));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

InvariantMask maskOf(const std::vector<Break>& breaks) {
    InvariantMask mask = 0;
    for (const Break& b : breaks)
        mask |= maskOf(b.invariant);
    return mask;
}

const std::vector<Violation>& Probe::run(const Scenario& scenario) {
    m_simulator.run(scenario, m_trace);
    return judge();
}

const std::vector<Violation>& Probe::runLonger(const Scenario& scenario) {
    const Intervention& fault = scenario.interventions.back();
    const TraceIntervention& before = m_trace.interventions.back();
    LOCKSCOPE_ASSERT(m_trace.interventions.size() == scenario.interventions.size() &&
                     before.target == fault.actor && before.at == fault.at);
    if (!makeLonger(m_trace, m_simulator, scenario.interventions.back().length))
        m_simulator.run(scenario, m_trace);
    return judge();
}

const std::vector<Violation>& Probe::judge() {
    analyse(m_trace, m_analysis);
    m_judge.judge(m_trace, m_analysis, m_violations);
    return m_violations;
}

InvariantMask Probe::added(const std::vector<Break>& before) const {
    InvariantMask mask = 0;
    for (const Violation& v : m_violations)
        if (isNew(v, before)) mask |= maskOf(v.invariant);
    return mask;
}

} // namespace lockscope
