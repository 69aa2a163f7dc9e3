// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/world/simulator.h"
#include "tests/trace/trace_builder.h"
#include "tests/world/scenario_builder.h"

namespace lockscope::test {

/// A case from the field, run and judged.
struct Replay {
    explicit Replay(const Scenario& scenario) {
        const Result<void> valid = validate(scenario);
        if (!valid) problem = valid.error().text();
        Simulator().run(scenario, trace);
        analyse(trace, analysis);
        for (const Event& e : trace.events)
            if (e.kind == EventKind::ProgramFailed) problem += std::string(trace.text(e.text)) + "; ";
        problem += trace.failure;
        line = problem.empty() ? verdict(trace) : "cannot run: " + problem;
    }
    /// Whom Redis called the owner, in turn: "A B nobody".
    std::string owners() const {
        std::string out;
        Instant free{};
        for (const Grant& g : analysis.grants) {
            if (!out.empty() && g.from > free) out += "nobody ";
            out += trace.actors[static_cast<std::size_t>(g.actor)].name + " ";
            free = g.until;
        }
        if (free < trace.reached) out += "nobody ";
        if (!out.empty()) out.pop_back();
        return out;
    }
    /// What Redis answered to the n-th command of that name, from 1.
    std::string reply(std::string_view command, int n = 1) const {
        for (std::size_t r = 0; r < trace.requests.size(); ++r)
            if (trace.text(trace.requests[r].command) == command && --n == 0)
                return std::string(trace.text(analysis.requests[r].reply));
        return "never sent";
    }

    Trace trace;
    Analysis analysis;
    std::string problem;
    std::string line;
};

inline std::string broken(const Scenario& scenario) {
    return Replay(scenario).line;
}

inline ScenarioBuilder story(Duration horizon) {
    ScenarioBuilder s;
    s.lock("L").horizon(horizon);
    return s;
}

} // namespace lockscope::test

#define COMPARE_TEXT(actual, expected) QCOMPARE(QString::fromStdString(actual), QString::fromUtf8(expected))
