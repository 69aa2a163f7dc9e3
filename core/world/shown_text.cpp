// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/shown_text.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace lockscope {

namespace {

bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// How many bytes the UTF-8 character at the beginning has; 0 if there is none. Surrogates, overlong forms and
// what lies beyond Unicode are none.
std::size_t characterAt(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if (!isContinuation(text[i])) return 0;
    const auto second = static_cast<unsigned char>(text[1]);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90))
        return 0;
    return length;
}

// Nothing in it needs an escape: printing ASCII without a backslash or a double quote. Eight bytes at a time;
// a byte with its upper bit set, one below a blank (which borrows from it) or a zero after `xor` shows there.
bool isPlain(std::string_view bytes) {
    constexpr std::uint64_t kOnes = 0x0101010101010101u;
    constexpr std::uint64_t kUpper = 0x80 * kOnes;
    const auto zeroIn = [](std::uint64_t word) { return (word - kOnes) & ~word; };
    std::uint64_t escapes = 0;
    for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(bytes.size(), 8))) {
        std::uint64_t word = ' ' * kOnes;
        std::memcpy(&word, bytes.data(), std::min<std::size_t>(bytes.size(), 8));
        escapes |= word | (word - 0x20 * kOnes) | zeroIn(word ^ 0x7F * kOnes) | zeroIn(word ^ '"' * kOnes) |
                   zeroIn(word ^ '\\' * kOnes);
    }
    return (escapes & kUpper) == 0;
}

} // namespace

void appendShown(std::string_view bytes, std::size_t most, std::string& out) {
    const bool cut = bytes.size() > most;
    if (cut) {
        std::size_t end = most;
        while (end > 0 && isContinuation(bytes[end]))
            --end;
        bytes = bytes.substr(0, end);
    }
    if (isPlain(bytes)) {
        out.append(bytes);
    } else {
        while (!bytes.empty()) {
            const char c = bytes[0];
            const std::size_t length = characterAt(bytes);
            if (c == '\n')
                out += "\\n";
            else if (c == '\r')
                out += "\\r";
            else if (c == '\t')
                out += "\\t";
            else if (c == '\\' || c == '"')
                (out += '\\') += c;
            else if (length == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
                out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
            else
                out.append(bytes.substr(0, length));
            bytes.remove_prefix(std::max<std::size_t>(length, 1));
        }
    }
    if (cut) out += "…";
}

void appendTyped(std::string_view bytes, std::size_t most, std::string& out) {
    const bool quoted = bytes.empty() || bytes.find_first_of(" \t\n\r\"'\\") != std::string_view::npos;
    if (quoted) out.push_back('"');
    appendShown(bytes, most, out);
    if (quoted) out.push_back('"');
}

StringId internShown(Trace& trace, std::string_view bytes, std::size_t most) {
    std::string text;
    appendShown(bytes, most, text);
    return trace.strings.intern(text);
}

std::int64_t replyFlags(const redis::Reply& reply) {
    constexpr std::int64_t kFailed = 1;
    constexpr std::int64_t kNothing = 2;
    using Type = redis::Reply::Type;
    switch (reply.type) {
    case Type::Error:
        return kFailed;
    case Type::Null:
    case Type::NullArray:
        return kNothing;
    case Type::Integer:
    case Type::Boolean:
        return reply.integer == 0 ? kNothing : 0;
    default:
        return 0;
    }
}

} // namespace lockscope
