// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_text.h"

#include <algorithm>
#include <memory>

#include <cmark-gfm.h>
#include <fmt/format.h>

#include "core/lesson/translation.h"

namespace lockscope {

namespace {

constexpr std::size_t kLargestFrontMatter = 64 * 1024;

/// The length of the UTF-8 sequence that begins here, 0 if none does. Overlong forms and surrogates are none.
std::size_t sequenceLength(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        if (!follows(1) || !follows(2)) return 0;
        if (first == 0xE0 && byte(1) < 0xA0) return 0;
        if (first == 0xED && byte(1) >= 0xA0) return 0;
        return 3;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        if (!follows(1) || !follows(2) || !follows(3)) return 0;
        if (first == 0xF0 && byte(1) < 0x90) return 0;
        if (first == 0xF4 && byte(1) >= 0x90) return 0;
        return 4;
    }
    return 0;
}

/// The lines of the file without their ends. Only text comes through: what a terminal or a parser could trip
/// over is refused here, once.
Result<std::vector<std::string_view>> linesOf(std::string_view text, const std::string& file) {
    if (text.size() > kLargestLesson)
        return Error{fmt::format("a lesson file may have {} bytes at most, this one has {}", kLargestLesson,
                                 text.size()),
                     file};
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::vector<std::string_view> lines;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto line = static_cast<int>(lines.size() + 1);
        const unsigned char c = static_cast<unsigned char>(text[i]);
        if (c == '\n' || c == '\r') {
            lines.push_back(text.substr(start, i - start));
            i += c == '\r' && text.substr(i + 1).starts_with('\n') ? 2 : 1;
            start = i;
            continue;
        }
        if ((c < 0x20 && c != '\t') || c == 0x7F)
            return Error{fmt::format("a control character (byte 0x{:02x}) does not belong in a lesson", c),
                         file, line};
        const std::size_t length = sequenceLength(text.substr(i));
        if (length == 0) return Error{fmt::format("this is not UTF-8 (byte 0x{:02x})", c), file, line};
        i += length;
    }
    if (start < text.size()) lines.push_back(text.substr(start));
    return lines;
}

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Collects the lines that stay as prose; what was cut out leaves one blank line, not two.
class Prose {
public:
    void add(std::string_view line) {
        if (trimmed(line).empty()) {
            m_gap = !m_text.empty();
            return;
        }
        if (m_gap) m_text += '\n';
        m_gap = false;
        m_text += line;
        m_text += '\n';
    }
    std::string take() {
        m_gap = false;
        return std::exchange(m_text, {});
    }

private:
    std::string m_text;
    bool m_gap = false;
};

/// The words of a heading, without its marks.
std::string plainText(cmark_node* heading) {
    std::string out;
    const std::unique_ptr<cmark_iter, decltype(&cmark_iter_free)> walk(cmark_iter_new(heading),
                                                                       &cmark_iter_free);
    while (cmark_iter_next(walk.get()) != CMARK_EVENT_DONE) {
        cmark_node* node = cmark_iter_get_node(walk.get());
        const cmark_node_type type = cmark_node_get_type(node);
        if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) out += ' ';
        if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) out += cmark_node_get_literal(node);
    }
    return out;
}

bool closesFence(std::string_view line) {
    const std::string_view bare = trimmed(line);
    return bare.size() >= 3 && (bare.find_first_not_of('`') == std::string_view::npos ||
                                bare.find_first_not_of('~') == std::string_view::npos);
}

/// Takes the top-level blocks of the Markdown in order and sorts their lines.
class Splitter {
public:
    Splitter(const std::vector<std::string_view>& lines, const std::string& file)
        : m_lines(lines), m_file(file) {}

    /// Stops at the first error.
    Result<void> take(cmark_node* block) {
        const int from = cmark_node_get_start_line(block);
        const int to = std::min(cmark_node_get_end_line(block), static_cast<int>(m_lines.size()));
        if (cmark_node_get_type(block) == CMARK_NODE_HEADING && cmark_node_get_heading_level(block) == 2) {
            proseUpTo(from);
            m_next = to + 1;
            closeSection();
            LessonSection section;
            section.title = plainText(block);
            section.line = from;
            if (section.title.empty()) return Error{"a step needs a title after '##'", m_file, from};
            m_text.sections.push_back(std::move(section));
            return {};
        }
        if (isTitle(block)) {
            proseUpTo(from);
            m_next = to + 1;
            return {};
        }
        if (cmark_node_get_type(block) != CMARK_NODE_CODE_BLOCK) return {};
        const std::string_view info = trimmed(cmark_node_get_fence_info(block));
        const std::size_t gap = info.find_first_of(" \t");
        const std::string_view language = info.substr(0, gap);
        const std::string_view rest =
            gap == std::string_view::npos ? std::string_view{} : trimmed(info.substr(gap));
        const bool program = !rest.empty() && (language == "lua" || languageNamed(language) != nullptr);
        if (!program && language != "step") return {};
        if (to == from || !closesFence(m_lines[static_cast<std::size_t>(to - 1)]))
            return Error{fmt::format("the {} block that begins here has no closing fence", language), m_file,
                         from};
        proseUpTo(from);
        m_next = to + 1;
        FencedBlock found{std::string(rest), cmark_node_get_literal(block), std::string(language), from};
        return program ? takeProgram(std::move(found)) : takeStep(std::move(found));
    }

    LessonText finish() {
        proseUpTo(static_cast<int>(m_lines.size()) + 1);
        closeSection();
        return std::move(m_text);
    }

private:
    /// The `#` heading that gives the page a title where it is read as a page. The lesson has its title
    /// already.
    bool isTitle(cmark_node* block) const {
        return cmark_node_get_type(block) == CMARK_NODE_HEADING && cmark_node_get_heading_level(block) == 1 &&
               m_text.sections.empty();
    }

    Result<void> takeProgram(FencedBlock program) {
        const std::size_t gap = program.name.find_first_of(" \t");
        const std::string use =
            gap == std::string::npos ? std::string() : std::string(trimmed(program.name.substr(gap)));
        const bool lua = program.language == "lua";
        if (!use.empty() && !(lua && (use == "start" || use == "solution")))
            return Error{fmt::format("'{}' is not allowed after '{}': {}", program.name, program.language,
                                     lua ? "the program's name, and in a step with a challenge 'start' or "
                                           "'solution'"
                                         : "the name of a program"),
                         m_file, program.line};
        if (!use.empty() && m_text.sections.empty())
            return Error{fmt::format("a '{}' belongs under a '##' heading", use), m_file, program.line};
        program.name.resize(std::min(gap, program.name.size()));
        std::vector<FencedBlock>& place = use == "start"      ? m_text.sections.back().programs
                                          : use == "solution" ? m_text.sections.back().solutions
                                          : lua               ? m_text.programs
                                                              : m_text.translations;
        for (const FencedBlock& other : place)
            if (other.name == program.name && other.language == program.language)
                return Error{fmt::format("there is already a {} '{}' at line {}",
                                         use.empty() ? "program" : use, program.name, other.line),
                             m_file, program.line};
        place.push_back(std::move(program));
        return {};
    }

    Result<void> takeStep(FencedBlock block) {
        if (!block.name.empty())
            return Error{fmt::format("a step block takes no name ('{}')", block.name), m_file, block.line};
        if (m_text.sections.empty())
            return Error{"a step block belongs under a '##' heading", m_file, block.line};
        std::optional<FencedBlock>& place = m_text.sections.back().setUp;
        if (place)
            return Error{fmt::format("this step has a step block already, at line {}", place->line), m_file,
                         block.line};
        place = std::move(block);
        return {};
    }

    void proseUpTo(int line) {
        for (; m_next < line; ++m_next)
            m_prose.add(m_lines[static_cast<std::size_t>(m_next - 1)]);
    }

    void closeSection() {
        std::string prose = m_prose.take();
        if (m_text.sections.empty())
            m_text.intro = std::move(prose);
        else
            m_text.sections.back().prose = std::move(prose);
    }

    const std::vector<std::string_view>& m_lines;
    const std::string& m_file;
    int m_next = 1; // the first line that has not been sorted yet
    Prose m_prose;
    LessonText m_text;
};

} // namespace

Result<LessonText> splitLesson(std::string_view text, const std::string& file) {
    Result<std::vector<std::string_view>> read = linesOf(text, file);
    if (!read) return read.error();
    std::vector<std::string_view> lines = std::move(*read);

    const auto isRule = [](std::string_view line) {
        return line.starts_with("---") && trimmed(line) == "---";
    };
    if (lines.empty() || !isRule(lines.front()))
        return Error{"a lesson begins with its front matter: a line '---', YAML, and another line '---'",
                     file, 1};
    const auto end = std::find_if(lines.begin() + 1, lines.end(), isRule);
    if (end == lines.end())
        return Error{"the front matter that begins here has no closing line '---'", file, 1};

    FencedBlock frontMatter;
    frontMatter.line = 1;
    for (auto line = lines.begin() + 1; line != end; ++line) {
        frontMatter.text += *line;
        frontMatter.text += '\n';
    }
    if (frontMatter.text.size() > kLargestFrontMatter)
        return Error{fmt::format("the front matter may have {} bytes at most", kLargestFrontMatter), file, 1};
    // Blank lines in its place keep the numbers of the lines below.
    std::fill(lines.begin(), end + 1, std::string_view{});

    std::string body;
    body.reserve(text.size());
    for (const std::string_view line : lines) {
        body += line;
        body += '\n';
    }
    const std::unique_ptr<cmark_node, decltype(&cmark_node_free)> document(
        cmark_parse_document(body.data(), body.size(), CMARK_OPT_DEFAULT), &cmark_node_free);
    Splitter splitter(lines, file);
    for (cmark_node* block = cmark_node_first_child(document.get()); block != nullptr;
         block = cmark_node_next(block))
        if (const Result<void> taken = splitter.take(block); !taken) return taken.error();
    LessonText out = splitter.finish();
    out.frontMatter = std::move(frontMatter);
    return out;
}

} // namespace lockscope
