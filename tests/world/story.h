// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/world/simulator.h"
#include "tests/world/scenario_builder.h"
#include "tests/world/transcript.h"

namespace lockscope::test {

/// Runs a scenario that must be valid.
inline Trace played(const Scenario& scenario) {
    Trace trace;
    const Result<void> valid = validate(scenario);
    if (!valid) {
        trace.failure = valid.error().text();
        return trace;
    }
    Simulator().run(scenario, trace);
    return trace;
}

/// What the programs logged, and where they failed: "1.0 text; 2.5 failed in line 3: message".
inline std::string logOf(const Trace& trace) {
    std::string out;
    for (const Event& e : trace.events) {
        if (e.kind != EventKind::Logged && e.kind != EventKind::ProgramFailed) continue;
        if (!out.empty()) out += "; ";
        const std::string at = formatSecondsExact(e.at.time_since_epoch());
        out += at.substr(0, at.size() - 2) + " ";
        if (e.kind == EventKind::ProgramFailed) out += "failed in line " + std::to_string(e.line) + ": ";
        out += trace.text(e.text);
    }
    return trace.failure.empty() ? out : out + " | " + trace.failure;
}

} // namespace lockscope::test
