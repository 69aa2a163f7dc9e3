// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/search/explore.h"
#include "core/trace/wording.h"

namespace lockscope {

namespace {

using Json = nlohmann::ordered_json;

/// The failure played once more, for its violations.
const std::vector<Violation>& replay(Probe& probe, const ExploreRequest& request, const Exploration& found) {
    return probe.run(withFailure(request, found));
}

Json actorNames(const Trace& trace, const Violation& violation) {
    Json names = Json::array();
    for (const ActorIndex actor : violation.actors)
        if (actor != kNone) names.push_back(trace.actors[static_cast<std::size_t>(actor)].name);
    return names;
}

} // namespace

std::string toJson(const ExploreRequest& request, const Exploration& e, double elapsedSeconds) {
    Json out;
    out["found"] = e.found;
    out["invariant"] = e.found             ? Json(nameOf(e.invariant))
                       : request.invariant ? Json(nameOf(*request.invariant))
                                           : Json(nullptr);
    out["broken_anyway"] = e.brokenAnyway;
    out["interventions"] = Json::array();
    for (const Intervention& fault : e.interventions)
        out["interventions"].push_back({{"kind", infoOf(fault.kind).id},
                                        {"actor", fault.actor},
                                        {"at_us", micros(fault.at)},
                                        {"length_us", fault.length.count()},
                                        {"do", formatIntervention(fault)}});
    out["violations"] = Json::array();
    if (e.found) {
        Probe probe;
        for (const Violation& v : replay(probe, request, e))
            out["violations"].push_back({{"invariant", nameOf(v.invariant)},
                                         {"key", probe.trace().text(v.key)},
                                         {"at_us", micros(v.at)},
                                         {"until_us", micros(v.until)},
                                         {"actors", actorNames(probe.trace(), v)}});
    }
    out["schedules"] = e.schedules;
    const ExploreCoverage& c = e.coverage;
    out["bounds"] = {{"budget", request.budget},
                     {"instants", c.instants},
                     {"messages", c.messages},
                     {"ones", {{"schedules", c.ones}, {"complete", c.onesComplete}}},
                     {"twos", {{"schedules", c.twos}, {"complete", c.twosComplete}}},
                     {"threes", {{"schedules", c.threes}, {"complete", false}}},
                     {"shrinking", c.shrinking},
                     {"over_budget", e.overBudget}};
    out["seconds"] = elapsedSeconds;
    out["why"] = Json::array();
    for (const Cause& cause : e.why)
        out["why"].push_back(cause.sentence);
    out["covered"] = sentenceFor(e);
    return out.dump(2) + "\n";
}

std::string toText(const ExploreRequest& request, const Exploration& e, bool markdown) {
    const std::string item = markdown ? "- " : "  ";
    const std::string quote = markdown ? "`" : "";
    std::string out;
    if (e.found) {
        out += fmt::format("{}{}\n\n", markdown ? "## " : "", titleOf(e.invariant));
        if (!e.interventions.empty()) {
            out += "What it takes:\n";
            for (const Intervention& fault : e.interventions)
                out += item + (quote + formatIntervention(fault)) + quote + "\n";
            out += "\n";
        }
        out += "Why, from the end backwards:\n";
        for (const Cause& cause : e.why)
            out += fmt::format("{}{}\n", item, cause.sentence);
        out += "\nThe whole run breaks:\n";
        Probe probe;
        for (const Violation& v : replay(probe, request, e))
            out += fmt::format("{}{}\n", item, sentenceFor(probe.trace(), probe.analysis(), v));
        out += "\n";
    }
    return out + sentenceFor(e) + "\n";
}

} // namespace lockscope
