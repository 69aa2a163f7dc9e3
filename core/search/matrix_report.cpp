// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/search/matrix.h"
#include "core/trace/phrases.h"

namespace lockscope {

namespace {

using Json = nlohmann::ordered_json;

/// A table's cell ends at a bar.
std::string cellText(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.insert(at, "\\");
    return text;
}

} // namespace

std::string sentenceFor(const MatrixCell& cell) {
    if (cell.broken.empty() && cell.schedules == 1) return "not broken";
    if (cell.broken.empty()) return fmt::format("not broken in {} schedules", sayNumber(cell.schedules));
    std::string out;
    for (const MatrixCell::Broken& broken : cell.broken) {
        out += (out.empty() ? "" : ", ") + std::string(nameOf(broken.invariant));
        if (broken.interventions.size() > 1) out += fmt::format(" ({} faults)", broken.interventions.size());
    }
    return out;
}

std::string toJson(const FailurePlan& plan, const Matrix& matrix, double elapsedSeconds) {
    Json out;
    out["programs"] = plan.programs;
    out["failures"] = Json::array();
    for (const FailurePlan::Failure& failure : plan.failures)
        out["failures"].push_back(failure.label);
    out["cells"] = Json::array();
    for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
        const MatrixCell& cell = matrix.cells[i];
        Json broken = Json::array();
        for (const MatrixCell::Broken& one : cell.broken) {
            Json faults = Json::array();
            for (const Intervention& fault : one.interventions)
                faults.push_back(formatIntervention(fault));
            broken.push_back({{"invariant", nameOf(one.invariant)}, {"do", faults}});
        }
        out["cells"].push_back({{"program", plan.programs[i / plan.failures.size()]},
                                {"failure", plan.failures[i % plan.failures.size()].label},
                                {"broken", broken},
                                {"schedules", cell.schedules},
                                {"complete", cell.complete}});
    }
    out["schedules"] = matrix.schedules();
    out["seconds"] = elapsedSeconds;
    return out.dump(2) + "\n";
}

std::string toMarkdown(const FailurePlan& plan, const Matrix& matrix) {
    std::string out = "| |";
    std::string line = "|---|";
    for (const FailurePlan::Failure& failure : plan.failures) {
        out += fmt::format(" {} |", cellText(failure.label));
        line += "---|";
    }
    out += "\n" + line + "\n";
    for (std::size_t program = 0; program < plan.programs.size(); ++program) {
        out += fmt::format("| **{}** |", cellText(plan.programs[program]));
        for (std::size_t failure = 0; failure < plan.failures.size(); ++failure)
            out += fmt::format(" {} |", sentenceFor(matrix.cells[program * plan.failures.size() + failure]));
        out += "\n";
    }
    return out + fmt::format("\n{} schedules.\n", sayNumber(matrix.schedules()));
}

std::string toText(const FailurePlan& plan, const Matrix& matrix) {
    std::string out;
    for (std::size_t program = 0; program < plan.programs.size(); ++program) {
        out += plan.programs[program] + "\n";
        for (std::size_t failure = 0; failure < plan.failures.size(); ++failure) {
            const MatrixCell& cell = matrix.cells[program * plan.failures.size() + failure];
            out += fmt::format("  {:<24}  {}\n", plan.failures[failure].label, sentenceFor(cell));
            for (const MatrixCell::Broken& one : cell.broken)
                for (const Intervention& fault : one.interventions)
                    out += fmt::format("  {:<24}    {}: {}\n", "", nameOf(one.invariant),
                                       formatIntervention(fault));
        }
        out += "\n";
    }
    return out + fmt::format("{} schedules.\n", sayNumber(matrix.schedules()));
}

} // namespace lockscope
