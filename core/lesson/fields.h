// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/lesson/yaml_tree.h"

namespace lockscope {

/// The first thing that is wrong with a lesson file. Readers go on with default values after it, so that they
/// need no check after each field; whoever asked looks here in the end.
class Problems {
public:
    explicit Problems(std::string file) : m_file(std::move(file)) {}

    bool none() const { return !m_first; }
    const Error& first() const { return *m_first; }
    const std::string& file() const { return m_file; }

    void add(int line, std::string message);
    void add(const Error& error);

private:
    std::string m_file;
    std::optional<Error> m_first;
};

/// `a, b, c`, for messages that say what is allowed.
std::string listed(const std::vector<std::string>& names);

/// A message may quote a file, which may hold anything: what comes out is one line of bearable length.
Error onOneLine(Error error);

/// The entries of one YAML map. Making it reports a node that is no map and every key that is not allowed.
class Fields {
public:
    /// `where` is the path of keys that leads here, for messages: "server"; empty at the top.
    Fields(const YamlNode& node, std::string where, const std::vector<std::string>& allowed,
           Problems& problems);

    /// Null if the key is not there, or has no value.
    const YamlNode* find(std::string_view key) const;
    /// As find(); what is missing is reported.
    const YamlNode* require(std::string_view key) const;
    /// The path of a key, for messages: "server.hz".
    std::string path(std::string_view key) const;
    Problems& problems() const { return m_problems; }

    // Typed values. A key that is not there gives `otherwise`; a wrong value is reported and gives
    // `otherwise` too.
    std::string text(std::string_view key, std::string otherwise = {}) const;
    std::string requiredText(std::string_view key) const;
    Duration duration(std::string_view key, Duration otherwise, Duration least, Duration most) const;
    int integer(std::string_view key, int otherwise, int least, int most) const;
    bool flag(std::string_view key, bool otherwise) const;
    /// A list, or a single scalar for a list of one.
    std::vector<const YamlNode*> list(std::string_view key) const;

private:
    const YamlNode& m_node;
    std::string m_where;
    Problems& m_problems;
};

/// A scalar's text; anything else is reported.
std::optional<std::string> scalarOf(const YamlNode& node, const std::string& where, Problems& problems);
std::optional<Duration> durationOf(const YamlNode& node, const std::string& where, Problems& problems);
std::optional<double> numberFrom(std::string_view text);

} // namespace lockscope
