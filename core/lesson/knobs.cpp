// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "core/lesson/fields.h"
#include "core/lesson/front_matter.h"

namespace lockscope {

namespace {

// A knob becomes a global of the programs, so its name must be one, and must not hide a word of the language.
// Names of the program API are free: a program reaches a knob that is called like a function through the
// table `knobs`.
constexpr std::array<std::string_view, 21> kLuaWords{
    "and",   "break", "do",  "else", "elseif", "end",    "false", "for",  "function", "if",   "in",
    "local", "nil",   "not", "or",   "repeat", "return", "then",  "true", "until",    "while"};
constexpr std::array<std::string_view, 6> kTakenNames{"actor", "lock", "knobs", "redis", "storage", "_G"};

bool isIdentifier(std::string_view name) {
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front()))) return false;
    return std::all_of(name.begin(), name.end(),
                       [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool hasUnit(std::string_view text) {
    return !text.empty() && std::isalpha(static_cast<unsigned char>(text.back())) != 0;
}

Result<KnobValue> valueOfKind(KnobKind kind, std::string_view text) {
    if (kind == KnobKind::Choice) return KnobValue{std::string(text)};
    if (kind == KnobKind::Time) {
        const Result<Duration> parsed = parseDuration(text);
        if (!parsed) return parsed.error();
        return KnobValue{*parsed};
    }
    if (const std::optional<double> number = numberFrom(text)) return KnobValue{*number};
    return Error{fmt::format("'{}' is not a number", text)};
}

bool isOfKind(KnobKind kind, const KnobValue& value) {
    switch (kind) {
    case KnobKind::Time:
        return std::holds_alternative<Duration>(value);
    case KnobKind::Number:
        return std::holds_alternative<double>(value);
    case KnobKind::Choice:
        return std::holds_alternative<std::string>(value);
    }
    return false;
}

bool within(const Knob& knob, const KnobValue& value) {
    if (const Duration* d = std::get_if<Duration>(&value))
        return *d >= std::get<Duration>(knob.least) && *d <= std::get<Duration>(knob.most);
    if (const double* n = std::get_if<double>(&value))
        return *n >= std::get<double>(knob.least) && *n <= std::get<double>(knob.most);
    return std::find(knob.choices.begin(), knob.choices.end(), std::get<std::string>(value)) !=
           knob.choices.end();
}

/// "5s to 2m", "DEL, GET then DEL"
std::string allowedValues(const Knob& knob) {
    if (knob.kind == KnobKind::Choice) return listed(knob.choices);
    return fmt::format("{} to {}", formatKnobValue(knob.least), formatKnobValue(knob.most));
}

Knob readKnob(const YamlNode& node, Problems& problems) {
    const Fields fields(node, "knobs", {"name", "label", "help", "default", "range", "choices", "live"},
                        problems);
    Knob knob;
    knob.line = node.line;
    knob.name = fields.requiredText("name");
    if (!isIdentifier(knob.name) ||
        std::find(kLuaWords.begin(), kLuaWords.end(), knob.name) != kLuaWords.end())
        problems.add(node.line,
                     fmt::format("knobs.name: '{}' cannot name a Lua variable: write letters, digits "
                                 "and _, and no word of the language",
                                 knob.name));
    if (std::find(kTakenNames.begin(), kTakenNames.end(), knob.name) != kTakenNames.end())
        problems.add(node.line, fmt::format("knobs.name: '{}' means something else in programs; taken: {}",
                                            knob.name, fmt::join(kTakenNames, ", ")));
    knob.label = fields.text("label", knob.name);
    knob.help = fields.text("help");

    const std::string initial = fields.requiredText("default");
    std::string least, most;
    if (fields.find("choices") != nullptr) {
        knob.kind = KnobKind::Choice;
        for (const YamlNode* choice : fields.list("choices")) {
            const std::string text = scalarOf(*choice, "knobs.choices", problems).value_or("");
            if (std::find(knob.choices.begin(), knob.choices.end(), text) != knob.choices.end())
                problems.add(choice->line, fmt::format("knobs.choices: '{}' stands here twice", text));
            knob.choices.push_back(text);
        }
        if (fields.find("range") != nullptr)
            problems.add(node.line,
                         fmt::format("knob {}: it takes 'choices' or a 'range', not both", knob.name));
    } else {
        const std::string range = fields.requiredText("range");
        const std::size_t dots = range.find("..");
        if (dots == std::string::npos) {
            problems.add(node.line,
                         fmt::format("knobs.range: '{}' is not a range: write 5s..2m or 1..10", range));
            return knob;
        }
        least = range.substr(0, dots);
        most = range.substr(dots + 2);
        knob.kind = hasUnit(initial) || hasUnit(least) || hasUnit(most) ? KnobKind::Time : KnobKind::Number;
    }

    const auto value = [&](std::string_view key, const std::string& text, KnobValue& into) {
        const Result<KnobValue> parsed = valueOfKind(knob.kind, text);
        if (parsed)
            into = *parsed;
        else
            problems.add(node.line, fmt::format("knobs.{}: {}", key, parsed.error().message));
    };
    const KnobValue none = knob.kind == KnobKind::Time     ? KnobValue{Duration{0}}
                           : knob.kind == KnobKind::Number ? KnobValue{0.0}
                                                           : KnobValue{std::string{}};
    knob.initial = knob.least = knob.most = knob.live = none;
    if (knob.kind != KnobKind::Choice) {
        value("range", least, knob.least);
        value("range", most, knob.most);
        if (knob.least >= knob.most)
            problems.add(node.line, fmt::format("knobs.range: '{}..{}' does not rise", least, most));
    }
    value("default", initial, knob.initial);
    if (const Result<void> checked = checkKnobValue(knob, knob.initial); !checked)
        problems.add(node.line, fmt::format("knobs.default: {}", checked.error().message));
    // A live run may be shorter than any value the slider offers, so `live` need not lie in the range.
    knob.namesLive = fields.find("live") != nullptr;
    value("live", fields.text("live", initial), knob.live);
    if (knob.kind == KnobKind::Choice && !within(knob, knob.live))
        problems.add(node.line, fmt::format("knobs.live: allowed: {}", allowedValues(knob)));
    return knob;
}

} // namespace

std::vector<KnobSetting> readKnobSettings(const YamlNode& node, const Lesson& lesson, Problems& problems) {
    std::vector<std::string> names;
    for (const Knob& knob : lesson.knobs)
        names.push_back(knob.name);
    const Fields fields(node, "knobs", names, problems);
    std::vector<KnobSetting> settings;
    for (const Knob& knob : lesson.knobs) {
        const YamlNode* value = fields.find(knob.name);
        if (value == nullptr) continue;
        const std::optional<std::string> text = scalarOf(*value, fields.path(knob.name), problems);
        if (!text) continue;
        const Result<KnobValue> parsed = parseKnobValue(knob, *text);
        if (parsed)
            settings.push_back({knob.name, *parsed});
        else
            problems.add(value->line, parsed.error().message);
    }
    return settings;
}

std::vector<Knob> readKnobs(const std::vector<const YamlNode*>& nodes, Problems& problems) {
    std::vector<Knob> knobs;
    for (const YamlNode* node : nodes) {
        Knob knob = readKnob(*node, problems);
        if (std::any_of(knobs.begin(), knobs.end(),
                        [&](const Knob& other) { return other.name == knob.name; }))
            problems.add(node->line, fmt::format("knobs: there is already a knob '{}'", knob.name));
        knobs.push_back(std::move(knob));
    }
    return knobs;
}

Result<void> checkKnobValue(const Knob& knob, const KnobValue& value) {
    const auto refused = [&](std::string_view why) {
        return Error{fmt::format("knob {}: '{}' {}; allowed: {}", knob.name, formatKnobValue(value), why,
                                 allowedValues(knob))};
    };
    if (!isOfKind(knob.kind, value)) return refused("is of another kind");
    if (!within(knob, value)) return refused("is not allowed");
    const Duration* length = std::get_if<Duration>(&value);
    if (length != nullptr && length->count() % 1000 != 0) return refused("is finer than a millisecond");
    return {};
}

Result<KnobValue> parseKnobValue(const Knob& knob, std::string_view text) {
    Result<KnobValue> parsed = valueOfKind(knob.kind, text);
    if (!parsed)
        return Error{
            fmt::format("knob {}: {}; allowed: {}", knob.name, parsed.error().message, allowedValues(knob))};
    if (const Result<void> checked = checkKnobValue(knob, *parsed); !checked) return checked.error();
    return parsed;
}

Result<KnobValue> parseLiveKnobValue(const Knob& knob, std::string_view text) {
    Result<KnobValue> parsed = valueOfKind(knob.kind, text);
    const auto* length = parsed ? std::get_if<Duration>(&*parsed) : nullptr;
    if (length == nullptr) return parseKnobValue(knob, text);
    if (*length <= std::get<Duration>(knob.most) && length->count() % 1000 == 0) return parsed;
    return Error{fmt::format("knob {}: '{}' is not allowed; allowed: whole milliseconds up to {}", knob.name,
                             text, formatKnobValue(knob.most))};
}

} // namespace lockscope
