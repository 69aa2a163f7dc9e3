// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/search/odds.h"
#include "core/trace/phrases.h"

namespace lockscope {

namespace {

std::string percent(double share) {
    return fmt::format("{:.1f} %", share * 100);
}

std::string totals(const Odds& odds) {
    const std::uint64_t runs = odds.points.empty() ? 0 : odds.points.front().runs;
    return fmt::format("{} runs a value, each once more with a crash of the owner; {} simulations.\n",
                       sayNumber(runs), sayNumber(odds.simulations));
}

} // namespace

std::string toJson(const OddsPlan& plan, const Odds& odds, double elapsedSeconds) {
    nlohmann::ordered_json out;
    out["knob"] = plan.knob;
    out["points"] = nlohmann::ordered_json::array();
    for (const OddsPoint& point : odds.points)
        out["points"].push_back({{"value_us", point.value.count()},
                                 {"runs", point.runs},
                                 {"runs_with_overlap", point.brokenRuns},
                                 {"turns", point.turns},
                                 {"turns_overlapped", point.overlapped},
                                 {"crashes", point.recoveries.size()},
                                 {"recovery_mean_us", point.meanRecovery().count()},
                                 {"recovery_p10_us", point.recoveryOf(10).count()},
                                 {"recovery_p50_us", point.recoveryOf(50).count()},
                                 {"recovery_p90_us", point.recoveryOf(90).count()}});
    out["simulations"] = odds.simulations;
    out["seconds"] = elapsedSeconds;
    return out.dump(2) + "\n";
}

std::string toMarkdown(const OddsPlan& plan, const Odds& odds) {
    std::string out =
        fmt::format("| {} | turns beside another's | runs with an overlap | a crash blocks for, mean | "
                    "9 of 10 up to |\n|---|---|---|---|---|\n",
                    plan.label);
    for (const OddsPoint& point : odds.points)
        out += fmt::format("| {} | {} | {} | {} | {} |\n", formatDuration(point.value),
                           percent(point.overlapShare()), percent(point.brokenShare()),
                           sayLength(point.meanRecovery()), sayLength(point.recoveryOf(90)));
    return out + "\n" + totals(odds);
}

std::string toText(const OddsPlan& plan, const Odds& odds) {
    std::string out =
        fmt::format("{:<12}  {:>22}  {:>20}  {:>18}  {:>14}\n", plan.knob, "turns beside another's",
                    "runs with an overlap", "a crash blocks for", "9 of 10 up to");
    for (const OddsPoint& point : odds.points)
        out += fmt::format("{:<12}  {:>22}  {:>20}  {:>18}  {:>14}\n", formatDuration(point.value),
                           percent(point.overlapShare()), percent(point.brokenShare()),
                           sayLength(point.meanRecovery()), sayLength(point.recoveryOf(90)));
    return out + "\n" + totals(odds);
}

} // namespace lockscope
