// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/lesson/fields.h"
#include "core/lesson/programs.h"
#include "core/lesson/step_block.h"

namespace lockscope {

namespace {

constexpr int kMostSchedules = 1'000'000;
constexpr int kUsualSchedules = 5'000;
constexpr std::size_t kMostHints = 6;

/// The kinds that the search works out by itself.
std::vector<InterventionKind> readTries(const Fields& fields, Problems& problems) {
    using enum InterventionKind;
    constexpr std::array kSearched{Pause, Kill, LostRequest, LostReply, Delay, DelayReply, Partition};
    std::vector<InterventionKind> out;
    for (const YamlNode* node : fields.list("try")) {
        const auto found = std::find_if(kSearched.begin(), kSearched.end(),
                                        [&](InterventionKind kind) { return infoOf(kind).id == node->text; });
        if (found != kSearched.end()) {
            out.push_back(*found);
            continue;
        }
        std::vector<std::string> names;
        for (const InterventionKind kind : kSearched)
            names.emplace_back(infoOf(kind).id);
        problems.add(node->line, fmt::format("challenge.try: '{}' is not allowed; allowed: {}", node->text,
                                             listed(names)));
    }
    return out;
}

} // namespace

Challenge readChallenge(const YamlNode& node, const std::vector<const YamlNode*>& hints, const Lesson& lesson,
                        Problems& problems) {
    Challenge challenge;
    challenge.line = node.line;
    const auto actors = static_cast<int>(lesson.base.actors.size());
    const Fields fields(node, "challenge", {"never", "done", "despite", "try", "faults", "schedules"},
                        problems);
    fields.require("never");
    for (const YamlNode* one : fields.list("never")) {
        Invariant invariant{};
        if (invariantNamed(one->text, invariant)) {
            challenge.never.push_back(invariant);
            continue;
        }
        std::vector<std::string> names;
        for (const Invariant each : kInvariants)
            names.emplace_back(nameOf(each));
        problems.add(one->line, fmt::format("challenge.never: '{}' is no invariant; allowed: {}", one->text,
                                            listed(names)));
    }
    std::sort(challenge.never.begin(), challenge.never.end());
    challenge.done = fields.integer("done", actors, 1, actors);
    challenge.despite = fields.integer("despite", std::max(0, challenge.done - 1), 0, actors);
    challenge.tries = readTries(fields, problems);
    challenge.faults = fields.integer("faults", 2, 1, 3);
    challenge.schedules =
        static_cast<std::uint64_t>(fields.integer("schedules", kUsualSchedules, 100, kMostSchedules));
    if (lesson.base.goals.empty())
        problems.add(node.line, "challenge: without 'goals' in the front matter nothing says what is to be "
                                "done");
    if (hints.size() > kMostHints)
        problems.add(hints.front()->line,
                     fmt::format("hints: {} at most, here are {}", kMostHints, hints.size()));
    for (const YamlNode* hint : hints)
        challenge.hints.push_back(scalarOf(*hint, "hints", problems).value_or(""));
    return challenge;
}

Result<ChallengePlan> challengePlanOf(const Lesson& lesson, const Step& step, const Programs& programs) {
    const Challenge& challenge = *step.challenge;
    Result<Scenario> scenario =
        makeScenario(lesson, step.knobs, step.interventions, lesson.base.seed, programs);
    if (!scenario) return scenario.error();
    Result<Scenario> original = makeScenario(lesson, step);
    if (!original) return original.error();
    return ChallengePlan{std::move(*scenario), std::move(*original), challenge.never,  challenge.done,
                         challenge.despite,    challenge.tries,      challenge.faults, challenge.schedules};
}

std::vector<CheckFinding> checkChallenges(const Lesson& lesson,
                                          const std::function<ChallengeTrial(const ChallengePlan&)>& trial) {
    std::vector<CheckFinding> findings;
    for (const Step& step : lesson.steps) {
        if (!step.challenge) continue;
        const auto expect = [&](const char* what, const Programs& programs, bool passes) {
            const Result<ChallengePlan> plan = challengePlanOf(lesson, step, programs);
            const ChallengeTrial tried = plan ? trial(*plan) : ChallengeTrial{!passes, plan.error().message};
            findings.push_back({lesson.file, step.challenge->line, step.title, what, tried.passed == passes,
                                tried.sentence});
        };
        Programs solved = step.programs;
        for (const auto& program : step.challenge->solution)
            solved = withText(lesson, step, std::move(solved), program->name, program->source);
        expect("the solution to pass the challenge", solved, true);
        expect("the programs as they begin not to pass it", step.programs, false);
        expect("programs that do nothing not to pass it", doingNothing(*step.challenge), false);
    }
    return findings;
}

} // namespace lockscope
