// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A typed command, split into its words by the rules of redis-cli (checked with 7.0.15).

#include <optional>

#include "core/world/intervention.h"

namespace lockscope {

namespace {

bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

std::optional<int> hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

class Splitter {
public:
    explicit Splitter(std::string_view line) : m_line(line) {}

    Result<std::vector<std::string>> split() {
        std::vector<std::string> words;
        while (true) {
            while (!atEnd() && blank(m_line[m_at]))
                ++m_at;
            if (atEnd()) break;
            std::string& word = words.emplace_back();
            while (!atEnd() && !blank(m_line[m_at])) {
                const char c = m_line[m_at];
                if (c != '"' && c != '\'') {
                    word += c;
                    ++m_at;
                    continue;
                }
                ++m_at;
                const bool closed = c == '"' ? readDouble(word) : readSingle(word);
                if (!closed) return Error{"a quote is not closed"};
                if (!atEnd() && !blank(m_line[m_at])) return Error{"a closing quote must end its word"};
            }
        }
        if (words.empty()) return Error{"the command is missing"};
        return words;
    }

private:
    bool atEnd() const { return m_at >= m_line.size(); }
    char peek(std::size_t by) const { return m_at + by < m_line.size() ? m_line[m_at + by] : '\0'; }

    bool readDouble(std::string& word) {
        for (; !atEnd(); ++m_at) {
            const char c = m_line[m_at];
            if (c == '"') {
                ++m_at;
                return true;
            }
            if (c != '\\' || m_at + 1 >= m_line.size()) {
                word += c;
                continue;
            }
            const auto high = hexDigit(peek(2));
            const auto low = hexDigit(peek(3));
            if (peek(1) == 'x' && high && low) {
                word += static_cast<char>(*high * 16 + *low);
                m_at += 3;
                continue;
            }
            ++m_at;
            word += unescaped(m_line[m_at]);
        }
        return false;
    }

    bool readSingle(std::string& word) {
        for (; !atEnd(); ++m_at) {
            if (m_line[m_at] == '\\' && peek(1) == '\'') {
                word += '\'';
                ++m_at;
            } else if (m_line[m_at] == '\'') {
                ++m_at;
                return true;
            } else {
                word += m_line[m_at];
            }
        }
        return false;
    }

    static char unescaped(char c) {
        switch (c) {
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        case 'b':
            return '\b';
        case 'a':
            return '\a';
        default:
            return c;
        }
    }

    std::string_view m_line;
    std::size_t m_at = 0;
};

} // namespace

Result<std::vector<std::string>> splitCommand(std::string_view line) {
    return Splitter(line).split();
}

} // namespace lockscope
