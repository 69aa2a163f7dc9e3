// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/translation.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/assert.h"

namespace lockscope {

namespace {

constexpr std::string_view kLuaComment = "--";

bool labelPart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

/// The label at the end of a line, or nothing.
std::string_view labelOf(std::string_view line, std::string_view comment) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t'))
        line.remove_suffix(1);
    std::size_t begin = line.size();
    while (begin > 0 && labelPart(line[begin - 1]))
        --begin;
    const std::string_view label = line.substr(begin);
    if (label.empty() || begin == 0 || line[begin - 1] != '@') return {};
    std::string_view before = line.substr(0, begin - 1);
    while (!before.empty() && before.back() == ' ')
        before.remove_suffix(1);
    // Right behind the mark of a comment, or behind its words: "-- once more @ask".
    return before.find(comment) != std::string_view::npos ? label : std::string_view{};
}

} // namespace

const std::vector<Language>& languages() {
    static const std::vector<Language> all{{"js", "JavaScript", "ioredis", "//"},
                                           {"python", "Python", "redis-py", "#"}};
    return all;
}

const Language* languageNamed(std::string_view id) {
    for (const Language& language : languages())
        if (language.id == id) return &language;
    return nullptr;
}

Result<std::map<std::string, int>> labelsIn(std::string_view source, std::string_view comment,
                                            int firstLine) {
    std::map<std::string, int> labels;
    int number = 1;
    for (std::size_t from = 0; from < source.size(); ++number) {
        const std::size_t end = std::min(source.find('\n', from), source.size());
        if (const std::string_view label = labelOf(source.substr(from, end - from), comment); !label.empty())
            if (!labels.emplace(label, number).second)
                return Error{fmt::format("the label '@{}' stands at line {} already", label,
                                         labels[std::string(label)] + firstLine - 1),
                             {},
                             number + firstLine - 1};
        from = end + 1;
    }
    return labels;
}

Result<void> checkLabels(const Program& program, const Translation& translation) {
    const Language& language = *languageNamed(translation.language);
    const auto lua = labelsIn(program.source, kLuaComment, program.firstLine);
    if (!lua) return Error{lua.error().message, program.file, lua.error().line};
    const auto told = labelsIn(translation.source, language.comment, translation.firstLine);
    if (!told) return Error{told.error().message, program.file, told.error().line};
    const auto missing = [&](const auto& here, const auto& there, int firstLine,
                             std::string_view where) -> Result<void> {
        for (const auto& [label, line] : here)
            if (!there.contains(label))
                return Error{fmt::format("the label '@{}' has no partner in the {} of '{}'", label, where,
                                         program.name),
                             program.file, line + firstLine - 1};
        return {};
    };
    if (const Result<void> all = missing(*told, *lua, translation.firstLine, "Lua"); !all) return all;
    if (told->empty())
        return Error{
            fmt::format("the {} of '{}' has no labels ('{} @name'), so no line of it could be marked",
                        language.name, program.name, language.comment),
            program.file, translation.firstLine};
    return missing(*lua, *told, program.firstLine, language.name);
}

int translatedLine(const Program& program, const Translation& translation, int line) {
    const auto lua = labelsIn(program.source, kLuaComment, 1);
    const auto told = labelsIn(translation.source, languageNamed(translation.language)->comment, 1);
    if (!lua || !told) return 0; // a program that somebody is editing
    int best = 0, answer = 0;
    for (const auto& [label, at] : *lua) {
        const auto partner = told->find(label);
        if (at > line || at < best || partner == told->end()) continue;
        best = at;
        answer = partner->second;
    }
    return answer;
}

} // namespace lockscope
