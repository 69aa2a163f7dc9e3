// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/expectation.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "core/lesson/fields.h"

namespace lockscope {

namespace {

constexpr const char* kForms =
    "violations, never, count, made, refused, owner @ TIME, claims @ TIME, works @ TIME, "
    "ttl @ TIME, key @ TIME, load @ TIME, outcome, ACTOR executes COMMAND, ACTOR writes NAME, "
    "ACTOR fails";

constexpr auto kLoadWords = std::to_array<std::pair<std::string_view, ExpectationForm::OfLoad::Of>>(
    {{"answered", ExpectationForm::OfLoad::Of::Answered},
     {"refused", ExpectationForm::OfLoad::Of::Refused},
     {"first refused", ExpectationForm::OfLoad::Of::FirstRefused},
     {"evicted", ExpectationForm::OfLoad::Of::Evicted}});

std::string_view trim(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

/// Cuts `text` at the first of `marks` that occurs; the second part is empty if none does.
std::pair<std::string_view, std::string_view> cut(std::string_view text,
                                                  std::initializer_list<std::string_view> marks) {
    for (const std::string_view mark : marks) {
        const std::size_t at = text.find(mark);
        if (at != std::string_view::npos)
            return {trim(text.substr(0, at)), trim(text.substr(at + mark.size()))};
    }
    return {trim(text), {}};
}

/// Reads one entry; the first thing wrong is reported at the entry's line.
class Reading {
public:
    Reading(const YamlNode& node, const Lesson& lesson, Problems& problems)
        : m_node(node), m_lesson(lesson), m_problems(problems) {}

    std::optional<Expectation> read() {
        ExpectationForm form;
        std::string text;
        if (m_node.kind == YamlNode::Kind::Scalar) {
            text = m_node.text;
            form.what = act(text);
        } else if (m_node.kind == YamlNode::Kind::Map && m_node.items.size() == 1) {
            const YamlNode& value = m_node.items.front();
            text = fmt::format("{}: {}", m_node.keys.front().text, written(value));
            readEntry(trim(m_node.keys.front().text), value, form);
        } else {
            complain(fmt::format("one expectation is one line; allowed: {}", kForms));
        }
        if (!m_problems.none()) return std::nullopt;
        return Expectation{std::move(text), m_node.line,
                           std::make_shared<const ExpectationForm>(std::move(form))};
    }

private:
    void complain(std::string message) { m_problems.add(m_node.line, "expect: " + std::move(message)); }

    static std::string written(const YamlNode& value) {
        if (value.kind != YamlNode::Kind::List) return value.text;
        std::vector<std::string> texts;
        for (const YamlNode& item : value.items)
            texts.push_back(item.text);
        return "[" + listed(texts) + "]";
    }

    std::vector<std::string> textsOf(const YamlNode& value) {
        std::vector<std::string> out;
        if (value.kind == YamlNode::Kind::Scalar) out.push_back(value.text);
        for (const YamlNode& item : value.items) {
            if (value.kind != YamlNode::Kind::List || item.kind != YamlNode::Kind::Scalar)
                complain("single values belong in this list");
            out.push_back(item.text);
        }
        return out;
    }

    void readEntry(std::string_view name, const YamlNode& value, ExpectationForm& form) {
        if (name == "violations")
            form.what = violations(value);
        else if (name == "never")
            form.what = never(value);
        else if (name == "count" || name == "made" || name == "refused")
            form.what = count(name, value);
        else if (name == "outcome")
            form.what = ExpectationForm::OutcomeLine{single(value)};
        else
            readMoment(name, value, form);
    }

    std::string single(const YamlNode& value) {
        if (value.kind != YamlNode::Kind::Scalar) complain("a single value belongs here");
        return std::string(trim(value.text));
    }

    ExpectationForm::Violations violations(const YamlNode& value) {
        ExpectationForm::Violations out;
        if (value.kind == YamlNode::Kind::Scalar && value.text == "none") return out;
        for (const std::string& text : textsOf(value))
            out.episodes.push_back(episode(text));
        if (out.episodes.empty())
            complain("violations: write 'none', or a list of INVARIANT ACTOR [+ ACTOR] @ TIME");
        return out;
    }

    ExpectationForm::Violations::Episode episode(const std::string& text) {
        ExpectationForm::Violations::Episode out;
        out.text = text;
        std::string_view head = moment(text, out.when);
        const std::size_t gap = head.find(' ');
        out.invariant = invariant(head.substr(0, gap));
        head = gap == std::string_view::npos ? std::string_view{} : trim(head.substr(gap));
        const auto [who, key] = cut(head, {" on "});
        if (!key.empty()) out.key = lockKey(key);
        out.actors = actors(who, false);
        if (out.actors.empty() || out.actors.size() > 2)
            complain(fmt::format("'{}': write INVARIANT ACTOR [+ ACTOR] [on KEY] [@ TIME [± D]]", text));
        return out;
    }

    ExpectationForm::Never never(const YamlNode& value) {
        ExpectationForm::Never out;
        for (const std::string& text : textsOf(value))
            out.invariants.push_back(invariant(trim(text)));
        if (out.invariants.empty()) complain("never: name at least one invariant");
        return out;
    }

    ExpectationForm::Count count(std::string_view name, const YamlNode& value) {
        using Count = ExpectationForm::Count;
        Count out;
        const std::string text = single(value);
        std::string_view relation = "=";
        for (const std::string_view candidate : {">=", "<=", "="})
            if (relation == "=" && text.find(candidate) != std::string::npos) relation = candidate;
        const auto [subject, number] = cut(text, {relation});
        out.relation = relation == ">="   ? Count::Relation::AtLeast
                       : relation == "<=" ? Count::Relation::AtMost
                                          : Count::Relation::Equal;
        out.subject = std::string(subject);
        const auto [stop, problem] =
            std::from_chars(number.data(), number.data() + number.size(), out.number);
        if (number.empty() || problem != std::errc{} || stop != number.data() + number.size())
            complain(fmt::format("{}: '{}': write NAME = NUMBER, with =, >= or <=", name, text));
        if (name == "count") {
            invariant(subject);
        } else if (name == "refused") {
            out.of = Count::Of::Refused;
            actor(subject);
        } else {
            out.of = Count::Of::Made;
            std::vector<std::string> labels;
            for (const TraceGoal& goal : m_lesson.base.goals)
                labels.push_back(goal.label);
            known(subject, labels, "goal");
        }
        return out;
    }

    /// `owner @ T`, `owner of KEY @ T`, `owner on Redis 3 @ T` and its like.
    void readMoment(std::string_view name, const YamlNode& value, ExpectationForm& form) {
        using Who = ExpectationForm::Who;
        When when;
        const auto [what, nodeName] = cut(moment(name, when), {" on "});
        const auto [row, keyName] = cut(what, {" of "});
        const std::optional<NodeIndex> node = server(nodeName);
        if (row == "load" && keyName.empty()) {
            form.what = ofLoad(single(value), when);
            return;
        }
        const bool isWho = row == "owner" || row == "claims" || row == "works";
        if (node && (row == "claims" || row == "works"))
            complain(fmt::format("'{}': that is so for no server in particular", name));
        if (!isWho && row != "ttl" && row != "key") {
            complain(fmt::format("unknown expectation '{}'; allowed: {}", name, kForms));
            return;
        }
        if (!when.at) complain(fmt::format("'{}' needs a time: {} @ 31.5s", name, row));
        const Instant at = when.at.value_or(Instant{});
        const std::string key = keyName.empty() ? firstKey() : lockKey(keyName);
        if (row == "ttl") {
            form.what = ttl(single(value), key, node, at);
        } else if (row == "key") {
            using State = ExpectationForm::Key::State;
            const std::string state = single(value);
            if (state != "exists" && state != "in memory" && state != "gone")
                complain(fmt::format("key: '{}' is not allowed; allowed: exists, in memory, gone", state));
            form.what = ExpectationForm::Key{state == "exists" ? State::Exists
                                             : state == "gone" ? State::Gone
                                                               : State::InMemory,
                                             key, node, at};
        } else {
            const Who::Row which = row == "owner"    ? Who::Row::Owner
                                   : row == "claims" ? Who::Row::Claims
                                                     : Who::Row::Works;
            form.what = Who{which, key, node, at, actors(single(value), true)};
        }
    }

    ExpectationForm::OfLoad ofLoad(const std::string& text, const When& when) {
        ExpectationForm::OfLoad out;
        if (!when.at) complain("'load' needs the time of a load: load @ 10s");
        out.at = when.at.value_or(Instant{});
        const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), out.number);
        const std::string_view word =
            trim(std::string_view(text).substr(static_cast<std::size_t>(stop - text.data())));
        const auto row = std::find_if(kLoadWords.begin(), kLoadWords.end(),
                                      [&](const auto& known) { return known.first == word; });
        if (problem != std::errc{} || row == kLoadWords.end())
            complain(fmt::format(
                "load: '{}': write NUMBER and one of: answered, refused, first refused, evicted", text));
        else
            out.of = row->second;
        return out;
    }

    ExpectationForm::Ttl ttl(const std::string& text, const std::string& key, std::optional<NodeIndex> node,
                             Instant at) {
        ExpectationForm::Ttl out{key, node, at, std::nullopt, millis(50)};
        if (text == "none") return out;
        const auto [left, tolerance] = cut(text, {"±", "+-"});
        out.left = duration(left);
        if (!tolerance.empty()) out.tolerance = duration(tolerance);
        return out;
    }

    ExpectationForm::Act act(std::string_view text) {
        using Verb = ExpectationForm::Act::Verb;
        ExpectationForm::Act out;
        out.actor = leadingActor(text);
        if (out.actor.empty()) {
            complain(fmt::format("'{}' begins with no actor and is no known form; actors: {}; allowed: {}",
                                 text, listed(actorNames()), kForms));
            return out;
        }
        std::string_view rest = trim(text.substr(out.actor.size()));
        if (rest.starts_with("never ")) {
            out.never = true;
            rest = trim(rest.substr(6));
        }
        rest = moment(rest, out.when);
        const std::size_t gap = rest.find(' ');
        const std::string_view verb = rest.substr(0, gap);
        rest = gap == std::string_view::npos ? std::string_view{} : trim(rest.substr(gap));
        if (verb == "executes" || verb == "execute")
            out.verb = Verb::Executes;
        else if (verb == "writes" || verb == "write")
            out.verb = Verb::Writes;
        else if (verb == "fails")
            out.verb = Verb::Fails;
        else
            complain(fmt::format("'{}' is no verb; allowed: executes, writes, fails", verb));
        const auto [subject, result] = cut(rest, {"→", "->"});
        out.subject = std::string(subject);
        out.result = std::string(result);
        if (out.verb != Verb::Fails && subject.empty())
            complain(fmt::format("'{}': what does it {}?", text, verb));
        if (out.verb == Verb::Writes && !result.empty() && result != "accepted" && result != "rejected")
            complain(fmt::format("'{}' is not allowed; allowed: accepted, rejected", result));
        return out;
    }

    /// Takes `@ TIME [± D]` off the end.
    std::string_view moment(std::string_view text, When& when) {
        const std::size_t at = text.rfind('@');
        if (at == std::string_view::npos) return trim(text);
        const auto [time, tolerance] = cut(text.substr(at + 1), {"±", "+-"});
        when.at = instantAt(duration(time));
        if (!tolerance.empty()) when.tolerance = duration(tolerance);
        return trim(text.substr(0, at));
    }

    Duration duration(std::string_view text) {
        const Result<Duration> parsed = parseDuration(text);
        if (parsed) return *parsed;
        complain(parsed.error().message);
        return Duration{0};
    }

    Invariant invariant(std::string_view name) {
        Invariant out{};
        if (invariantNamed(name, out)) return out;
        std::vector<std::string> names;
        for (const Invariant each : kInvariants)
            names.emplace_back(nameOf(each));
        known(name, names, "invariant");
        return out;
    }

    std::vector<std::string> actorNames() const {
        std::vector<std::string> names;
        for (const ActorSpec& each : m_lesson.base.actors)
            names.push_back(each.name);
        return names;
    }

    void actor(std::string_view name) { known(name, actorNames(), "actor"); }

    std::vector<std::string> actors(std::string_view text, bool maybeNobody) {
        std::vector<std::string> out;
        if (maybeNobody && text == "nobody") return out;
        while (!text.empty()) {
            const auto [first, rest] = cut(text, {"+"});
            actor(first);
            out.emplace_back(first);
            text = rest;
        }
        if (out.empty() && maybeNobody) complain("write 'nobody' or actors joined by +");
        return out;
    }

    /// The longest actor name that `text` begins with.
    std::string leadingActor(std::string_view text) const {
        std::string best;
        for (const ActorSpec& each : m_lesson.base.actors)
            if (text.starts_with(each.name + " ") && each.name.size() > best.size()) best = each.name;
        return best;
    }

    std::string firstKey() const {
        return m_lesson.base.lockKeyNames.empty() ? std::string{} : m_lesson.base.lockKeyNames.front();
    }

    std::optional<NodeIndex> server(std::string_view name) {
        if (name.empty()) return std::nullopt;
        known(name, targetsIn(m_lesson.base, InterventionTarget::Server), "server");
        return static_cast<NodeIndex>(serverNode(name));
    }

    std::string lockKey(std::string_view name) {
        known(name, m_lesson.base.lockKeyNames, "lock key");
        return std::string(name);
    }

    void known(std::string_view name, const std::vector<std::string>& names, std::string_view noun) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            complain(fmt::format("there is no {} '{}'; allowed: {}", noun, name,
                                 names.empty() ? "none is declared" : listed(names)));
    }

    const YamlNode& m_node;
    const Lesson& m_lesson;
    Problems& m_problems;
};

} // namespace

bool When::fits(Instant found, const Leniency& leniency) const {
    if (!at) return true;
    const Instant wanted = leniency.of(*at);
    const Duration off = found >= wanted ? found - wanted : wanted - found;
    return off <= std::max(leniency.of(tolerance), leniency.instants);
}

Duration Leniency::of(Duration written) const {
    return pace == 1 ? written
                     : Duration{static_cast<std::int64_t>(static_cast<double>(written.count()) / pace)};
}

std::optional<Expectation> readExpectation(const YamlNode& node, const Lesson& lesson, Problems& problems) {
    return Reading(node, lesson, problems).read();
}

} // namespace lockscope
