// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/lesson/fields.h"
#include "core/lesson/front_matter.h"

namespace lockscope {

namespace {

constexpr std::size_t kMostPrograms = 12;
constexpr std::size_t kMostFailures = 12;

class MatrixReader {
public:
    MatrixReader(const YamlNode& node, const Lesson& lesson, Problems& problems)
        : m_problems(problems), m_lesson(lesson), m_node(node),
          m_fields(node, "matrix", {"programs", "failures"}, problems) {}

    LessonMatrix read() {
        for (const YamlNode* node : entries("programs", kMostPrograms)) {
            const Fields fields(*node, "matrix.programs", {"label", "knobs"}, m_problems);
            m_matrix.programs.push_back({fields.requiredText("label"), knobsIn(fields)});
        }
        for (const YamlNode* node : entries("failures", kMostFailures)) {
            const Fields fields(*node, "matrix.failures", {"label", "knobs", "try"}, m_problems);
            m_matrix.failures.push_back({fields.requiredText("label"), knobsIn(fields), triesIn(fields)});
        }
        return std::move(m_matrix);
    }

private:
    std::vector<const YamlNode*> entries(std::string_view key, std::size_t most) {
        m_fields.require(key);
        std::vector<const YamlNode*> nodes = m_fields.list(key);
        if (nodes.empty() || nodes.size() > most)
            m_problems.add(m_node.line, fmt::format("matrix.{}: 1 to {} entries belong here, here are {}",
                                                    key, most, nodes.size()));
        return nodes;
    }

    std::vector<KnobSetting> knobsIn(const Fields& fields) {
        const YamlNode* node = fields.find("knobs");
        return node == nullptr ? std::vector<KnobSetting>{} : readKnobSettings(*node, m_lesson, m_problems);
    }

    /// `KIND` for any instant, length and actor; of a server's kinds what follows the instant belongs to it:
    /// `server-stall +5s`, `admin DEL lock:report`.
    std::vector<Intervention> triesIn(const Fields& fields) {
        std::vector<Intervention> out;
        for (const YamlNode* node : fields.list("try")) {
            const std::optional<std::string> text = scalarOf(*node, "matrix.failures.try", m_problems);
            if (!text) continue;
            if (std::optional<Intervention> fault = faultFrom(*text, node->line)) out.push_back(*fault);
        }
        return out;
    }

    std::optional<Intervention> faultFrom(const std::string& text, int line) {
        const std::size_t space = std::min(text.find(' '), text.size());
        std::vector<std::string> ids;
        for (const InterventionKindInfo& info : interventionKinds()) {
            ids.emplace_back(info.id);
            if (info.id != text.substr(0, space)) continue;
            const std::string rest = text.substr(std::min(space + 1, text.size()));
            if (info.target == InterventionTarget::Actor && rest.empty())
                return Intervention{info.kind, {}, {}};
            const Result<Intervention> parsed = parseIntervention(
                info.kind, fmt::format("{}@0s{}{}", serverName(0), info.hasCommand ? " " : "", rest));
            if (!parsed || info.target == InterventionTarget::Actor) {
                m_problems.add(line,
                               fmt::format("matrix.failures.try: '{}' is not allowed: an actor's kind "
                                           "stands alone, as in 'pause'; a server's has what follows the "
                                           "time, as in 'admin DEL lock:report' or 'server-stall +5s'",
                                           text));
                return std::nullopt;
            }
            return *parsed;
        }
        m_problems.add(line, fmt::format("matrix.failures.try: '{}' is no kind of fault; allowed: {}", text,
                                         listed(ids)));
        return std::nullopt;
    }

    Problems& m_problems;
    const Lesson& m_lesson;
    const YamlNode& m_node;
    Fields m_fields;
    LessonMatrix m_matrix;
};

} // namespace

LessonMatrix readMatrix(const YamlNode& node, const Lesson& lesson, Problems& problems) {
    return MatrixReader(node, lesson, problems).read();
}

std::vector<KnobSetting> knobsOf(const LessonMatrix& matrix, std::size_t program, std::size_t failure) {
    std::vector<KnobSetting> knobs = matrix.programs[program].knobs;
    const std::vector<KnobSetting>& more = matrix.failures[failure].knobs;
    knobs.insert(knobs.end(), more.begin(), more.end()); // later ones win
    return knobs;
}

FailurePlan failurePlanOf(const Lesson& lesson, const Programs& programs) {
    FailurePlan plan;
    plan.invariants = lesson.lights;
    for (const LessonMatrix::Failure& failure : lesson.matrix.failures)
        plan.failures.push_back({failure.label, failure.tries});
    for (std::size_t program = 0; program < lesson.matrix.programs.size(); ++program) {
        plan.programs.push_back(lesson.matrix.programs[program].label);
        for (std::size_t failure = 0; failure < lesson.matrix.failures.size(); ++failure) {
            Result<Scenario> scenario = makeScenario(lesson, knobsOf(lesson.matrix, program, failure), {},
                                                     lesson.base.seed, programs);
            LOCKSCOPE_ASSERT(scenario.ok()); // its knobs were checked when the lesson was read
            plan.scenarios.push_back(std::move(*scenario));
        }
    }
    return plan;
}

} // namespace lockscope
