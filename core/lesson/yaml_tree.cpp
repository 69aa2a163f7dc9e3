// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/yaml_tree.h"

#include <optional>
#include <sstream>
#include <unordered_set>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace lockscope {

namespace {

constexpr std::size_t kDeepest = 16;
constexpr std::size_t kMostValues = 10'000;

/// Leaves yaml-cpp's parser from inside a callback. It never gets out of parseYaml().
struct BadYaml {
    int line;
    std::string message;
};

/// Builds the tree from the parser's events, bottom up: a value joins its parent when it is complete.
class TreeBuilder : public YAML::EventHandler {
public:
    explicit TreeBuilder(int firstLine) : m_firstLine(firstLine) {}

    YamlNode take() { return std::move(m_root); }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(begin(YamlNode::Kind::Null, mark, "?", anchor));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        throw BadYaml{lineOf(mark), "aliases (*name) are not allowed: write the value out"};
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        YamlNode node = begin(YamlNode::Kind::Scalar, mark, tag, anchor);
        node.text = value;
        add(std::move(node));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(begin(YamlNode::Kind::List, mark, tag, anchor));
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(begin(YamlNode::Kind::Map, mark, tag, anchor));
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        YamlNode node;
        std::optional<YamlNode> key; // of a map, while its value is awaited
        std::unordered_set<std::string> seen;
    };

    int lineOf(const YAML::Mark& mark) const { return m_firstLine + (mark.line < 0 ? 0 : mark.line); }

    YamlNode begin(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
                   YAML::anchor_t anchor) {
        const int line = lineOf(mark);
        if (anchor != 0) throw BadYaml{line, "anchors (&name) are not allowed: write the value out"};
        if (tag != "?" && tag != "!" && !tag.empty())
            throw BadYaml{line, fmt::format("the tag '{}' is not allowed", tag)};
        if (++m_values > kMostValues)
            throw BadYaml{line, fmt::format("more than {} values in one block", kMostValues)};
        YamlNode node;
        node.kind = kind;
        node.line = line;
        return node;
    }

    void open(YamlNode node) {
        if (m_open.size() == kDeepest)
            throw BadYaml{node.line, fmt::format("nested deeper than {} levels", kDeepest)};
        if (!m_open.empty() && m_open.back().node.kind == YamlNode::Kind::Map && !m_open.back().key)
            throw BadYaml{node.line, "a key must be a plain word or text, not a list or a map"};
        m_open.push_back({std::move(node), std::nullopt, {}});
    }

    void close() {
        YamlNode node = std::move(m_open.back().node);
        m_open.pop_back();
        add(std::move(node));
    }

    void add(YamlNode node) {
        if (m_open.empty()) {
            m_root = std::move(node);
            return;
        }
        Open& parent = m_open.back();
        if (parent.node.kind == YamlNode::Kind::List) {
            parent.node.items.push_back(std::move(node));
        } else if (!parent.key) {
            if (node.text.empty()) throw BadYaml{node.line, "a key is empty"};
            if (!parent.seen.insert(node.text).second)
                throw BadYaml{node.line, fmt::format("the key '{}' stands here twice", node.text)};
            parent.key = std::move(node);
        } else {
            parent.node.keys.push_back(std::move(*parent.key));
            parent.node.items.push_back(std::move(node));
            parent.key.reset();
        }
    }

    int m_firstLine;
    std::size_t m_values = 0;
    std::vector<Open> m_open;
    YamlNode m_root;
};

} // namespace

Result<YamlNode> parseYaml(std::string_view text, int firstLine, const std::string& file) {
    try {
        std::istringstream in{std::string(text)};
        YAML::Parser parser(in);
        TreeBuilder builder(firstLine);
        if (!parser.HandleNextDocument(builder)) { // nothing but blanks and comments
            YamlNode nothing;
            nothing.line = firstLine;
            return nothing;
        }
        TreeBuilder further(firstLine);
        if (parser.HandleNextDocument(further))
            return Error{"a second YAML document begins here: one block holds one", file,
                         further.take().line};
        return builder.take();
    } catch (const BadYaml& bad) {
        return Error{bad.message, file, bad.line};
    } catch (const YAML::Exception& problem) {
        const int line = problem.mark.line < 0 ? 0 : problem.mark.line;
        return Error{fmt::format("this is not valid YAML: {}", problem.msg), file, firstLine + line};
    }
}

} // namespace lockscope
