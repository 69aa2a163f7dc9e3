// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "core/lesson/fields.h"
#include "core/lesson/front_matter.h"

namespace lockscope {

namespace {
constexpr std::size_t kMostValues = 40;
} // namespace

LessonOdds readOdds(const YamlNode& node, const Lesson& lesson, Problems& problems) {
    LessonOdds odds;
    const Fields fields(node, "odds", {"knob", "values"}, problems);
    odds.knob = fields.requiredText("knob");
    const Knob* knob = lesson.knob(odds.knob);
    if (knob == nullptr || knob->kind != KnobKind::Time) {
        problems.add(node.line, fmt::format("odds.knob: '{}' is no duration knob of this lesson", odds.knob));
        return odds;
    }
    fields.require("values");
    for (const YamlNode* value : fields.list("values")) {
        const std::string text = scalarOf(*value, "odds.values", problems).value_or("");
        const Result<KnobValue> read = parseKnobValue(*knob, text);
        if (!read)
            problems.add(value->line, "odds.values: " + read.error().message);
        else
            odds.values.push_back(std::get<Duration>(*read));
    }
    if (odds.values.empty() || odds.values.size() > kMostValues)
        problems.add(node.line, fmt::format("odds.values: 1 to {} values belong here", kMostValues));
    std::sort(odds.values.begin(), odds.values.end());
    odds.values.erase(std::unique(odds.values.begin(), odds.values.end()), odds.values.end());
    return odds;
}

Result<OddsPlan> oddsPlanOf(const Lesson& lesson, std::vector<KnobSetting> knobs, std::uint64_t seed,
                            const Programs& programs) {
    OddsPlan plan;
    plan.knob = lesson.odds.knob;
    plan.label = lesson.knob(plan.knob)->label.empty() ? plan.knob : lesson.knob(plan.knob)->label;
    std::erase_if(knobs, [&](const KnobSetting& setting) { return setting.name == plan.knob; });
    knobs.push_back({plan.knob, Duration{0}});
    for (const Duration value : lesson.odds.values) {
        knobs.back().value = value;
        Result<Scenario> scenario = makeScenario(lesson, knobs, {}, seed, programs);
        if (!scenario) return scenario.error();
        plan.points.push_back({value, std::move(*scenario)});
    }
    return plan;
}

} // namespace lockscope
