// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/resp.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/base/assert.h"
#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

// ---- replies
// ---------------------------------------------------------------------------------------------------

void appendNumber(std::string& out, std::int64_t n) {
    char digits[24];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), n).ptr;
    out.append(digits, end);
}

void appendHeader(std::string& out, char type, std::int64_t n) {
    out += type;
    appendNumber(out, n);
    out += "\r\n";
}

void appendLine(std::string& out, char type, std::string_view text) {
    out += type;
    const std::size_t start = out.size();
    out += text;
    if (text.find_first_of("\r\n") != std::string_view::npos) {
        std::replace_if(
            out.begin() + static_cast<std::ptrdiff_t>(start), out.end(),
            [](char c) { return c == '\r' || c == '\n'; }, ' ');
    }
    out += "\r\n";
}

void appendBulk(std::string& out, std::string_view text) {
    appendHeader(out, '$', static_cast<std::int64_t>(text.size()));
    out += text;
    out += "\r\n";
}

std::string doubleText(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    return formatDouble(number);
}

void appendItems(const Reply& reply, Protocol protocol, char type, std::size_t count, std::string& out) {
    appendHeader(out, type, static_cast<std::int64_t>(count));
    for (const Reply& item : reply.items)
        encodeReply(item, protocol, out);
}

// ---- inline commands
// -------------------------------------------------------------------------------------------

bool isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

char escaped(char c) {
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

/// Reads the inside of a quoted part, `at` standing after the opening quote, and leaves `at` after the
/// closing one.
bool readQuoted(std::string_view line, std::size_t& at, char quote, std::string& into) {
    while (at < line.size() && line[at] != quote) {
        if (quote == '"' && line[at] == '\\' && at + 3 < line.size() && line[at + 1] == 'x' &&
            hexDigit(line[at + 2]) >= 0 && hexDigit(line[at + 3]) >= 0) {
            into += static_cast<char>(hexDigit(line[at + 2]) * 16 + hexDigit(line[at + 3]));
            at += 4;
        } else if (quote == '"' && line[at] == '\\' && at + 1 < line.size()) {
            into += escaped(line[at + 1]);
            at += 2;
        } else if (quote == '\'' && line[at] == '\\' && at + 1 < line.size() && line[at + 1] == '\'') {
            into += '\'';
            at += 2;
        } else {
            into += line[at++];
        }
    }
    if (at == line.size()) return false;
    ++at;
    return at == line.size() || isBlank(line[at]);
}

constexpr std::size_t kKeptBuffer = 1024 * 1024;

} // namespace

void encodeReply(const Reply& reply, Protocol protocol, std::string& out) {
    const bool resp3 = protocol == Protocol::Resp3;
    switch (reply.type) {
    case Reply::Type::Status:
        return appendLine(out, '+', reply.text);
    case Reply::Type::Error:
        return appendLine(out, '-', reply.text);
    case Reply::Type::Integer:
        return appendHeader(out, ':', reply.integer);
    case Reply::Type::Bulk:
        return appendBulk(out, reply.text);
    case Reply::Type::Null:
        out += resp3 ? "_\r\n" : "$-1\r\n";
        return;
    case Reply::Type::NullArray:
        out += resp3 ? "_\r\n" : "*-1\r\n";
        return;
    case Reply::Type::Array:
        return appendItems(reply, protocol, '*', reply.items.size(), out);
    case Reply::Type::Set:
        return appendItems(reply, protocol, resp3 ? '~' : '*', reply.items.size(), out);
    case Reply::Type::Push:
        return appendItems(reply, protocol, resp3 ? '>' : '*', reply.items.size(), out);
    case Reply::Type::Map:
        LOCKSCOPE_ASSERT(reply.items.size() % 2 == 0);
        return appendItems(reply, protocol, resp3 ? '%' : '*', reply.items.size() / (resp3 ? 2 : 1), out);
    case Reply::Type::Double:
        return resp3 ? appendLine(out, ',', doubleText(reply.number))
                     : appendBulk(out, doubleText(reply.number));
    case Reply::Type::Boolean:
        if (!resp3) return appendHeader(out, ':', reply.integer != 0 ? 1 : 0);
        out += reply.integer != 0 ? "#t\r\n" : "#f\r\n";
        return;
    case Reply::Type::BigNumber:
        return resp3 ? appendLine(out, '(', reply.text) : appendBulk(out, reply.text);
    case Reply::Type::Verbatim:
        if (!resp3) return appendBulk(out, std::string_view(reply.text).substr(reply.text.find(':') + 1));
        appendHeader(out, '=', static_cast<std::int64_t>(reply.text.size()));
        out += reply.text;
        out += "\r\n";
        return;
    case Reply::Type::None:
        return;
    }
}

bool splitArguments(std::string_view line, std::vector<std::string>& arguments) {
    arguments.clear();
    std::size_t at = 0;
    while (true) {
        while (at < line.size() && isBlank(line[at]))
            ++at;
        if (at == line.size()) return true;
        std::string& argument = arguments.emplace_back();
        // A quoted part may start within a word and ends it; the other blanks are ordinary characters there.
        while (at < line.size() && line[at] != ' ' && line[at] != '\n' && line[at] != '\r' &&
               line[at] != '\t') {
            if (line[at] == '"' || line[at] == '\'') {
                const char quote = line[at++];
                if (!readQuoted(line, at, quote, argument)) return false;
                break;
            }
            argument += line[at++];
        }
    }
}

// ---- requests
// --------------------------------------------------------------------------------------------------

void RequestParser::feed(std::string_view bytes) {
    const std::span<char> room = prepare(bytes.size());
    std::copy(bytes.begin(), bytes.end(), room.begin());
    commit(bytes.size());
}

std::span<char> RequestParser::prepare(std::size_t most) {
    m_arguments.clear();
    if (m_argumentsLeft == 0 && m_pieces.empty()) m_commandStart = m_position;
    if (m_position == m_end && m_commandStart == m_position) {
        m_commandStart = m_position = m_end = 0;
        if (m_buffer.size() > kKeptBuffer) std::vector<char>().swap(m_buffer);
    }
    if (m_end + most > m_buffer.size()) {
        std::copy(m_buffer.begin() + static_cast<std::ptrdiff_t>(m_commandStart),
                  m_buffer.begin() + static_cast<std::ptrdiff_t>(m_end), m_buffer.begin());
        m_end -= m_commandStart;
        m_position -= m_commandStart;
        m_commandStart = 0;
        if (m_end + most > m_buffer.size()) m_buffer.resize(std::max(m_end + most, m_buffer.size() * 2));
    }
    return {m_buffer.data() + m_end, most};
}

void RequestParser::commit(std::size_t came) {
    LOCKSCOPE_ASSERT(m_end + came <= m_buffer.size());
    m_end += came;
}

RequestParser::Outcome RequestParser::next() {
    m_arguments.clear();
    while (m_error.empty()) {
        if (m_argumentsLeft == 0 && m_pieces.empty()) {
            m_commandStart = m_position;
            if (m_position == m_end) return Outcome::NeedMore;
            if (m_buffer[m_position] != '*') {
                const Outcome outcome = nextInline();
                if (outcome == Outcome::Command && m_arguments.empty()) continue; // an empty line
                return outcome;
            }
            std::string_view line;
            const Line found = findLine('\r', line);
            if (found == Line::TooLong) return fail("too big mbulk count string");
            if (found == Line::Partial) return Outcome::NeedMore;
            const auto count = parseInteger(line.substr(1));
            if (!count || *count > static_cast<std::int64_t>(m_limits.arguments)) {
                const bool asIfUnknown =
                    count && *count <= static_cast<std::int64_t>(RequestLimits{}.arguments);
                return fail(asIfUnknown ? "unauthenticated multibulk length" : "invalid multibulk length");
            }
            m_position += line.size() + 2;
            if (*count <= 0) continue;
            m_argumentsLeft = *count;
        }
        return nextArray();
    }
    return Outcome::Error;
}

RequestParser::Outcome RequestParser::nextArray() {
    while (m_argumentsLeft > 0) {
        if (m_bulkLength < 0) {
            std::string_view line;
            const Line found = findLine('\r', line);
            if (found == Line::TooLong) return fail("too big bulk count string");
            if (found == Line::Partial) return Outcome::NeedMore;
            const char type = m_buffer[m_position];
            if (type != '$') {
                const char shown = type == '\r' || type == '\n' ? ' ' : type;
                return fail(std::string("expected '$', got '") + shown + "'");
            }
            const auto length = parseInteger(line.substr(1));
            if (!length || *length < 0 || *length > static_cast<std::int64_t>(m_limits.argumentBytes)) {
                const bool asIfUnknown =
                    length && *length >= 0 &&
                    *length <= static_cast<std::int64_t>(RequestLimits{}.argumentBytes) &&
                    m_limits.arguments < RequestLimits{}.arguments;
                return fail(asIfUnknown ? "unauthenticated bulk length" : "invalid bulk length");
            }
            m_bulkLength = *length;
            m_position += line.size() + 2;
        }
        const auto length = static_cast<std::size_t>(m_bulkLength);
        if (m_end - m_position < length + 2) return Outcome::NeedMore;
        m_pieces.push_back({m_position - m_commandStart, length});
        m_position += length + 2; // the two bytes after it are not looked at, as in Redis
        m_bulkLength = -1;
        --m_argumentsLeft;
    }
    return giveOut();
}

RequestParser::Outcome RequestParser::giveOut() {
    const char* base = m_buffer.data() + m_commandStart;
    for (const Piece& piece : m_pieces)
        m_arguments.emplace_back(base + piece.offset, piece.length);
    m_pieces.clear();
    return Outcome::Command;
}

RequestParser::Outcome RequestParser::nextInline() {
    std::string_view line;
    const Line found = findLine('\n', line);
    if (found == Line::TooLong) return fail("too big inline request");
    if (found == Line::Partial) return Outcome::NeedMore;
    m_position += line.size() + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!splitArguments(line, m_inlineTexts)) return fail("unbalanced quotes in request");
    m_arguments.assign(m_inlineTexts.begin(), m_inlineTexts.end());
    return Outcome::Command;
}

/// The line that starts at m_position, up to `end`, and for '\r' one byte more must be there. Redis looks for
/// the end as in a C string, so a zero byte hides whatever comes after it; the line then grows until it is
/// too long.
RequestParser::Line RequestParser::findLine(char end, std::string_view& line) const {
    const char* start = m_buffer.data() + m_position;
    const std::size_t there = m_end - m_position;
    const std::size_t looked = std::min(there, m_limits.lineBytes + 1);
    const void* found = looked > 0 ? std::memchr(start, end, looked) : nullptr;
    const std::size_t length =
        found ? static_cast<std::size_t>(static_cast<const char*>(found) - start) : looked;
    if (!found || std::memchr(start, '\0', length))
        return there > m_limits.lineBytes ? Line::TooLong : Line::Partial;
    if (end == '\r' && there < length + 2) return Line::Partial;
    line = {start, length};
    return Line::Whole;
}

RequestParser::Outcome RequestParser::fail(std::string why) {
    m_error = "ERR Protocol error: " + std::move(why);
    m_arguments.clear();
    return Outcome::Error;
}

} // namespace lockscope::redis
