// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace lockscope {

namespace {

const char* nounOf(YamlNode::Kind kind) {
    switch (kind) {
    case YamlNode::Kind::Null:
        return "nothing";
    case YamlNode::Kind::Scalar:
        return "a single value";
    case YamlNode::Kind::List:
        return "a list";
    case YamlNode::Kind::Map:
        return "a map";
    }
    return "";
}

} // namespace

void Problems::add(int line, std::string message) {
    if (!m_first) m_first = Error{std::move(message), m_file, line};
}

void Problems::add(const Error& error) {
    if (!m_first) m_first = error;
}

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) {
        if (!out.empty()) out += ", ";
        out += name;
    }
    return out;
}

Error onOneLine(Error error) {
    constexpr std::size_t kLongest = 600;
    std::string& text = error.message;
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
    if (text.size() > kLongest) {
        std::size_t end = kLongest;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
            --end;
        text = text.substr(0, end) + " …";
    }
    return error;
}

Fields::Fields(const YamlNode& node, std::string where, const std::vector<std::string>& allowed,
               Problems& problems)
    : m_node(node), m_where(std::move(where)), m_problems(problems) {
    if (node.kind != YamlNode::Kind::Map) {
        const std::string subject = m_where.empty() ? std::string("this block") : m_where;
        m_problems.add(node.line, fmt::format("{}: a map with the keys {} belongs here, not {}", subject,
                                              listed(allowed), nounOf(node.kind)));
        return;
    }
    for (const YamlNode& key : node.keys)
        if (std::find(allowed.begin(), allowed.end(), key.text) == allowed.end())
            m_problems.add(key.line,
                           fmt::format("unknown key '{}'; allowed: {}", path(key.text), listed(allowed)));
}

std::string Fields::path(std::string_view key) const {
    return m_where.empty() ? std::string(key) : fmt::format("{}.{}", m_where, key);
}

const YamlNode* Fields::find(std::string_view key) const {
    for (std::size_t i = 0; i < m_node.keys.size(); ++i)
        if (m_node.keys[i].text == key && m_node.items[i].kind != YamlNode::Kind::Null)
            return &m_node.items[i];
    return nullptr;
}

const YamlNode* Fields::require(std::string_view key) const {
    const YamlNode* node = find(key);
    if (node == nullptr) m_problems.add(m_node.line, fmt::format("the key '{}' is missing", path(key)));
    return node;
}

std::string Fields::text(std::string_view key, std::string otherwise) const {
    const YamlNode* node = find(key);
    if (node == nullptr) return otherwise;
    return scalarOf(*node, path(key), m_problems).value_or(std::move(otherwise));
}

std::string Fields::requiredText(std::string_view key) const {
    const YamlNode* node = require(key);
    if (node == nullptr) return {};
    const std::string found = scalarOf(*node, path(key), m_problems).value_or("");
    if (found.empty()) m_problems.add(node->line, fmt::format("{} is empty", path(key)));
    return found;
}

Duration Fields::duration(std::string_view key, Duration otherwise, Duration least, Duration most) const {
    const YamlNode* node = find(key);
    if (node == nullptr) return otherwise;
    const std::optional<Duration> found = durationOf(*node, path(key), m_problems);
    if (!found) return otherwise;
    if (*found < least || *found > most) {
        m_problems.add(node->line,
                       fmt::format("{}: {} is out of range; allowed: {} to {}", path(key),
                                   formatDuration(*found), formatDuration(least), formatDuration(most)));
        return otherwise;
    }
    return *found;
}

int Fields::integer(std::string_view key, int otherwise, int least, int most) const {
    const YamlNode* node = find(key);
    if (node == nullptr) return otherwise;
    const std::optional<std::string> found = scalarOf(*node, path(key), m_problems);
    if (!found) return otherwise;
    int value = 0;
    const char* end = found->data() + found->size();
    const auto [stop, problem] = std::from_chars(found->data(), end, value);
    if (problem != std::errc{} || stop != end || value < least || value > most) {
        m_problems.add(node->line,
                       fmt::format("{}: '{}' is not allowed; allowed: whole numbers from {} to {}", path(key),
                                   *found, least, most));
        return otherwise;
    }
    return value;
}

bool Fields::flag(std::string_view key, bool otherwise) const {
    const YamlNode* node = find(key);
    if (node == nullptr) return otherwise;
    const std::string found = scalarOf(*node, path(key), m_problems).value_or("");
    if (found == "true" || found == "on" || found == "yes") return true;
    if (found == "false" || found == "off" || found == "no") return false;
    m_problems.add(node->line,
                   fmt::format("{}: '{}' is not allowed; allowed: true, false", path(key), found));
    return otherwise;
}

std::vector<const YamlNode*> Fields::list(std::string_view key) const {
    std::vector<const YamlNode*> out;
    const YamlNode* node = find(key);
    if (node == nullptr) return out;
    if (node->kind == YamlNode::Kind::List)
        for (const YamlNode& item : node->items)
            out.push_back(&item);
    else if (node->kind == YamlNode::Kind::Scalar)
        out.push_back(node);
    else
        m_problems.add(node->line,
                       fmt::format("{}: a list belongs here, not {}", path(key), nounOf(node->kind)));
    return out;
}

std::optional<std::string> scalarOf(const YamlNode& node, const std::string& where, Problems& problems) {
    if (node.kind == YamlNode::Kind::Scalar) return node.text;
    problems.add(node.line, fmt::format("{}: a single value belongs here, not {}", where, nounOf(node.kind)));
    return std::nullopt;
}

std::optional<Duration> durationOf(const YamlNode& node, const std::string& where, Problems& problems) {
    const std::optional<std::string> text = scalarOf(node, where, problems);
    if (!text) return std::nullopt;
    const Result<Duration> parsed = parseDuration(*text);
    if (parsed) return *parsed;
    problems.add(node.line, fmt::format("{}: {}", where, parsed.error().message));
    return std::nullopt;
}

std::optional<double> numberFrom(std::string_view text) {
    double value = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || stop != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

} // namespace lockscope
