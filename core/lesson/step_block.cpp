// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/step_block.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/lesson/expectation.h"
#include "core/lesson/fields.h"
#include "core/lesson/front_matter.h"

namespace lockscope {

namespace {

struct PanelName {
    Panel panel;
    std::string_view name;
};
constexpr std::array<PanelName, 11> kPanels{{{Panel::Lights, "lights"},
                                             {Panel::Key, "key"},
                                             {Panel::Code, "code"},
                                             {Panel::Events, "events"},
                                             {Panel::Knobs, "knobs"},
                                             {Panel::Strip, "strip"},
                                             {Panel::Ttl, "ttl"},
                                             {Panel::Resource, "resource"},
                                             {Panel::Arrows, "arrows"},
                                             {Panel::Matrix, "matrix"},
                                             {Panel::Odds, "odds"}}};

constexpr std::string_view kFirstGrant = "first grant of ";
constexpr std::string_view kLeaseEnd = "lease end of ";

class StepBlock {
public:
    StepBlock(const YamlNode& node, const Lesson& lesson, Problems& problems)
        : m_problems(problems), m_lesson(lesson),
          m_top(node, "",
                {"knobs", "faults", "show", "hide", "view", "until", "predict", "expect", "challenge",
                 "hints", "live", "notes"},
                problems) {}

    StepReading read(const std::vector<Panel>& shown) {
        if (const YamlNode* knobs = m_top.find("knobs"))
            m_out.step.knobs = readKnobSettings(*knobs, m_lesson, m_problems);
        readFaults();
        readPanels(shown);
        readView();
        readUntil();
        readPrediction();
        for (const YamlNode* node : m_top.list("expect"))
            if (std::optional<Expectation> one = readExpectation(*node, m_lesson, m_problems))
                m_out.step.expectations.push_back(std::move(*one));
        if (const YamlNode* node = m_top.find("challenge"))
            m_out.step.challenge = readChallenge(*node, m_top.list("hints"), m_lesson, m_problems);
        else if (const YamlNode* hints = m_top.find("hints"))
            m_problems.add(hints->line, "hints: they belong to a 'challenge'");
        const YamlNode* live = m_top.find("live");
        if (live != nullptr && live->kind == YamlNode::Kind::Map)
            readLive(*live);
        else
            m_out.step.notLive = m_top.text("live");
        m_out.step.notes = m_top.text("notes");
        return std::move(m_out);
    }

private:
    void readFaults() {
        for (const YamlNode* node : m_top.list("faults")) {
            const std::optional<std::string> text = scalarOf(*node, "faults", m_problems);
            if (!text) continue;
            const Result<Intervention> parsed = parseIntervention(*text);
            if (!parsed) {
                m_problems.add(node->line, "faults: " + parsed.error().message);
                continue;
            }
            std::vector<Intervention> one{*parsed};
            if (const Result<Scenario> tried = makeScenario(m_lesson, m_out.step.knobs, one, 1); !tried)
                m_problems.add(node->line, "faults: " + tried.error().message);
            m_out.step.interventions.push_back(*parsed);
        }
    }

    void readLive(const YamlNode& node) {
        m_out.step.live = readLiveVariantOfStep(node, m_lesson, m_problems);
        if (!m_problems.none()) return;
        if (const Result<Scenario> tried = makeLiveScenario(m_lesson, m_out.step); !tried)
            m_problems.add(node.line, "live: " + tried.error().message);
    }

    std::vector<Panel> panels(std::string_view key) {
        std::vector<Panel> out;
        for (const YamlNode* node : m_top.list(key)) {
            Panel panel{};
            if (panelNamed(node->text, panel)) {
                out.push_back(panel);
                continue;
            }
            std::vector<std::string> names;
            for (const PanelName& each : kPanels)
                names.emplace_back(each.name);
            m_problems.add(node->line, fmt::format("{}: there is no panel '{}'; allowed: {}", key, node->text,
                                                   listed(names)));
        }
        return out;
    }

    void readPanels(const std::vector<Panel>& shown) {
        std::vector<Panel>& show = m_out.step.show;
        show = shown;
        for (const Panel panel : panels("hide"))
            std::erase(show, panel);
        for (const Panel panel : panels("show"))
            if (std::find(show.begin(), show.end(), panel) == show.end()) show.push_back(panel);
        std::sort(show.begin(), show.end());
    }

    /// `true`, `step`, `0s..60s` or `step 29s..32s`
    void readView() {
        const YamlNode* node = m_top.find("view");
        if (node == nullptr) return;
        const std::string text = scalarOf(*node, "view", m_problems).value_or("true");
        std::string_view range = text;
        for (const std::string_view kind : {"true", "step"}) {
            if (text != kind && !text.starts_with(std::string(kind) + " ")) continue;
            m_out.step.stepView = kind == "step";
            range = text == kind ? std::string_view{} : std::string_view(text).substr(kind.size() + 1);
        }
        if (range.empty()) return;
        const std::size_t dots = range.find("..");
        const Result<Duration> from = parseDuration(range.substr(0, dots));
        const Result<Duration> until = dots == std::string_view::npos ? Result<Duration>(Error{})
                                                                      : parseDuration(range.substr(dots + 2));
        if (!from || !until || *from >= *until) {
            m_problems.add(node->line, fmt::format("view: '{}' is not allowed; allowed: true, step, 0s..60s, "
                                                   "step 29s..32s",
                                                   text));
            return;
        }
        m_out.step.viewFrom = instantAt(*from);
        m_out.step.viewUntil = instantAt(*until);
    }

    void readUntil() {
        const YamlNode* node = m_top.find("until");
        if (node == nullptr) return;
        m_out.untilLine = node->line;
        const std::string text = scalarOf(*node, "until", m_problems).value_or("end");
        if (const Result<Duration> time = parseDuration(text)) {
            m_out.step.runUntil = instantAt(*time);
            return;
        }
        Invariant known{};
        bool allowed = text == "end" || invariantNamed(text, known);
        for (const std::string_view event : {kFirstGrant, kLeaseEnd})
            for (const ActorSpec& actor : m_lesson.base.actors)
                allowed = allowed || text == std::string(event) + actor.name;
        m_out.untilEvent = text;
        if (!allowed)
            m_problems.add(node->line,
                           fmt::format("until: '{}' is not allowed; allowed: a time like 31.5s, end, an "
                                       "invariant, first grant of ACTOR, lease end of ACTOR",
                                       text));
    }

    void readPrediction() {
        const YamlNode* node = m_top.find("predict");
        if (node == nullptr) return;
        const Fields fields(*node, "predict", {"question", "gate", "options", "explain"}, m_problems);
        Prediction prediction;
        prediction.line = node->line;
        prediction.question = fields.requiredText("question");
        prediction.explanation = fields.text("explain");
        fields.require("gate");
        prediction.gate = instantAt(
            fields.duration("gate", Duration{0}, Duration{0}, m_lesson.base.horizon.time_since_epoch()));
        fields.require("options");
        int right = 0;
        for (const YamlNode* option : fields.list("options")) {
            const Fields one(*option, "predict.options", {"text", "right", "because"}, m_problems);
            prediction.options.push_back(
                {one.requiredText("text"), one.flag("right", false), one.text("because")});
            right += prediction.options.back().right ? 1 : 0;
        }
        if (prediction.options.size() < 2 || prediction.options.size() > 6)
            m_problems.add(node->line, fmt::format("predict.options: 2 to 6 options, here are {}",
                                                   prediction.options.size()));
        if (right != 1)
            m_problems.add(node->line,
                           fmt::format("predict.options: exactly one has 'right: true', here {}", right));
        m_out.step.predictions.push_back(std::move(prediction));
    }

    Problems& m_problems;
    const Lesson& m_lesson;
    Fields m_top;
    StepReading m_out;
};

} // namespace

std::string_view nameOf(Panel panel) {
    for (const PanelName& each : kPanels)
        if (each.panel == panel) return each.name;
    return {};
}

bool panelNamed(std::string_view name, Panel& out) {
    for (const PanelName& each : kPanels) {
        if (each.name != name) continue;
        out = each.panel;
        return true;
    }
    return false;
}

StepReading readStep(const YamlNode& node, const Lesson& lesson, const std::vector<Panel>& shown,
                     Problems& problems) {
    return StepBlock(node, lesson, problems).read(shown);
}

std::optional<Instant> findMoment(const std::string& event, const JudgedRun& run) {
    if (event == "end") return run.trace.reached;
    Invariant invariant{};
    if (invariantNamed(event, invariant)) {
        for (const Violation& violation : run.violations)
            if (violation.invariant == invariant) return violation.at;
        return std::nullopt;
    }
    const bool leaseEnd = event.starts_with(kLeaseEnd);
    const std::string actor = event.substr(leaseEnd ? kLeaseEnd.size() : kFirstGrant.size());
    for (const Grant& grant : run.analysis.grants) {
        if (grant.actor == kNone || !run.analysis.decides(grant) ||
            run.trace.actors[static_cast<std::size_t>(grant.actor)].name != actor)
            continue;
        if (!leaseEnd) return grant.from;
        if (grant.end == EndReason::LeaseEnded) return grant.until;
    }
    return std::nullopt;
}

} // namespace lockscope
