// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/random.h"
#include "core/world/scenario.h"

namespace lockscope::test {

/// A fault of any kind at any instant; mostly at one at which something may be going on.
inline Intervention anyFault(Random& chance, const Scenario& scenario) {
    const auto& kinds = interventionKinds();
    std::size_t kind = chance.below(kinds.size());
    while (!whyImpossible(scenario, kinds[kind].kind).empty())
        kind = chance.below(kinds.size());
    const InterventionKindInfo& info = kinds[kind];
    Intervention fault;
    fault.kind = info.kind;
    fault.actor = info.target == InterventionTarget::Server
                      ? serverName(0)
                      : scenario.actors[chance.below(scenario.actors.size())].name;
    const auto horizon = static_cast<std::uint64_t>(micros(scenario.horizon));
    fault.at = instantAt(Duration{static_cast<std::int64_t>(chance.below(horizon))});
    if (chance.below(2) == 0)
        fault.at = instantAt(seconds(millisFloor(fault.at) / 1000) + millis(chance.below(4)));
    if (info.hasLength()) fault.length = Duration{static_cast<std::int64_t>(chance.below(horizon / 2) + 1)};
    if (info.kind == InterventionKind::Admin)
        fault.command = chance.below(2) == 0 ? "DEL lock:report" : "SET lock:report x PX 4000";
    if (info.kind == InterventionKind::Load)
        fault.command = chance.below(2) == 0 ? "400 x 1024" : "50 x 100 ttl 3s";
    return fault;
}

/// The scenario, and the line in which two transcripts of it part.
inline std::string whereTheyPart(const Scenario& scenario, const char* nameA, const std::string& a,
                                 const char* nameB, const std::string& b) {
    std::string what = scenario.lesson + ":";
    for (const Intervention& i : scenario.interventions)
        what += " [" + formatIntervention(i) + "]";
    std::size_t at = 0;
    while (at < a.size() && at < b.size() && a[at] == b[at])
        ++at;
    const std::size_t line = a.rfind('\n', at) == std::string::npos ? 0 : a.rfind('\n', at) + 1;
    return what + "\n" + nameA + ": " + a.substr(line, 200) + "\n" + nameB + ": " + b.substr(line, 200);
}

} // namespace lockscope::test
