// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a change did to a run, in one line.
#include <algorithm>
#include <array>

#include "core/trace/difference.h"
#include "core/trace/phrases.h"
#include "core/trace/wording.h"

namespace lockscope {

namespace {

std::array<int, kInvariantCount> episodesOf(const ToldRun& run, Instant told) {
    std::array<int, kInvariantCount> counts{};
    for (const Violation& violation : run.violations)
        if (violation.at <= told) ++counts[static_cast<std::size_t>(violation.invariant)];
    return counts;
}

/// "“Two act as holder”", with how often if it is more than once.
std::string named(Invariant invariant, int episodes) {
    const std::string title = say("“{0}”", titleOf(invariant));
    return episodes > 1 ? fmt::format("{} ×{}", title, episodes) : title;
}

/// Nothing to say for what is unbroken in both.
std::string partFor(Invariant invariant, int before, int now) {
    if (before == 0 && now == 0) return {};
    if (now == 0) return say("{0} is gone", named(invariant, before));
    if (before == 0) return say("{0} is new", named(invariant, now));
    if (before == now) return say("{0} remains", named(invariant, now));
    return say("{0} remains, {1}× instead of {2}×", named(invariant, 1), now, before);
}

} // namespace

std::string sentenceForDifference(const ToldRun& before, const ToldRun& now, Instant told) {
    std::vector<std::string> changed;
    std::vector<std::string> unchanged;
    const auto were = episodesOf(before, told);
    const auto are = episodesOf(now, told);
    for (const Invariant invariant : kInvariants) {
        const auto i = static_cast<std::size_t>(invariant);
        if (std::string part = partFor(invariant, were[i], are[i]); !part.empty())
            (were[i] != are[i] ? changed : unchanged).push_back(std::move(part));
    }
    const bool allTold = told >= std::max(before.trace.reached, now.trace.reached);
    const auto &goals = now.outcome.goals, &oldGoals = before.outcome.goals;
    for (std::size_t i = 0; allTold && i < goals.size() && i < oldGoals.size(); ++i)
        if (goals[i].made != oldGoals[i].made && goals[i].label == oldGoals[i].label)
            changed.push_back(
                say("{0} made {1}× instead of {2}×", goals[i].label, goals[i].made, oldGoals[i].made));

    const Instant first = firstDifference(before.trace, now.trace);
    if (changed.empty() && (first == kNever || first > told))
        return allTold ? translated("No difference.") : translated("No difference so far.");
    if (changed.empty() && unchanged.empty())
        return allTold ? translated("Nothing is broken in either run.")
                       : translated("Nothing is broken in either run so far.");
    std::string line;
    for (const auto* parts : {&changed, &unchanged})
        for (const std::string& part : *parts)
            line += (line.empty() ? "" : "; ") + part;
    return line + ".";
}

} // namespace lockscope
