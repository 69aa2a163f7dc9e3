// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Parts of the front matter that refer to no other part.

#include <algorithm>

#include <fmt/format.h>

#include "core/lesson/fields.h"
#include "core/lesson/front_matter.h"

namespace lockscope {

std::optional<std::uint64_t> memoryLimitNamed(std::string_view text) {
    if (text == "none") return 0;
    if (text.empty() || text.front() < '1' || text.front() > '9') return std::nullopt;
    return redis::parseMemory(text);
}

std::optional<bool> expiresAtOnceNamed(std::string_view text) {
    if (text == "true" || text == "at once") return true;
    if (text == "false" || text == "as Redis does") return false;
    return std::nullopt;
}

std::optional<int> replicasNamed(std::string_view text) {
    const bool fits = text.size() == 1 && text.front() >= '0' && text.front() <= '3';
    return fits ? std::optional<int>(text.front() - '0') : std::nullopt;
}

bool majorityIn(const Fields& fields, const std::vector<TraceLockKey>& keys, Problems& problems) {
    const YamlNode* node = fields.find("authority");
    if (node == nullptr) return false;
    const std::string text = scalarOf(*node, fields.path("authority"), problems).value_or("node");
    if (text != "node" && text != "majority")
        problems.add(node->line,
                     fmt::format("server.authority: '{}' is not allowed; allowed: node, majority", text));
    const bool several =
        std::any_of(keys.begin(), keys.end(), [](const TraceLockKey& key) { return key.holders > 1; });
    if (text == "majority" && several)
        problems.add(node->line, "server.authority: most nodes have no say over a key of several holders");
    return text == "majority";
}

Duration clockIn(const Fields& fields, Problems& problems) {
    const YamlNode* node = fields.find("clock");
    if (node == nullptr) return Duration{0};
    std::string text = scalarOf(*node, fields.path("clock"), problems).value_or("0");
    const bool behind = text.starts_with('-');
    if (behind || text.starts_with('+')) text.erase(0, 1);
    const Result<Duration> parsed = parseDuration(text);
    if (!parsed) {
        problems.add(node->line, fmt::format("actors.clock: {}, with a '-' for a clock that is behind",
                                             parsed.error().message));
        return Duration{0};
    }
    return behind ? -*parsed : *parsed;
}

std::vector<TraceGoal> readGoals(const std::vector<const YamlNode*>& nodes, Problems& problems) {
    std::vector<TraceGoal> goals;
    for (const YamlNode* node : nodes) {
        const Fields fields(*node, "goals", {"label", "work", "write", "wanted"}, problems);
        TraceGoal goal;
        goal.label = fields.requiredText("label");
        goal.work = fields.text("work");
        goal.write = fields.text("write");
        goal.wanted = fields.integer("wanted", 1, 0, 1'000'000);
        if (goal.work.empty() == goal.write.empty())
            problems.add(node->line, "goals: exactly one of 'work' and 'write' says what is counted");
        goals.push_back(std::move(goal));
    }
    return goals;
}

} // namespace lockscope
