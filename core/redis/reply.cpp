// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/reply.h"

#include <fmt/format.h>

#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr std::string_view kCut = "…";

/// Appends at most `most` bytes of `text`, escaped as redis-cli does.
void appendEscaped(std::string& to, std::string_view text, std::size_t most) {
    const bool cut = text.size() > most;
    for (const char c : text.substr(0, most)) {
        switch (c) {
        case '\\':
        case '"':
            to += '\\';
            to += c;
            break;
        case '\n':
            to += "\\n";
            break;
        case '\r':
            to += "\\r";
            break;
        case '\t':
            to += "\\t";
            break;
        case '\a':
            to += "\\a";
            break;
        case '\b':
            to += "\\b";
            break;
        default:
            if (c >= ' ' && c <= '~') {
                to += c;
            } else {
                to += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
            }
        }
    }
    if (cut) to += kCut;
}

void appendPlain(std::string& to, std::string_view text, std::size_t most) {
    for (const char c : text.substr(0, most))
        to += c == '\n' || c == '\r' ? ' ' : c;
    if (text.size() > most) to += kCut;
}

void appendReply(std::string& to, const Reply& reply, std::size_t most) {
    using Type = Reply::Type;
    switch (reply.type) {
    case Type::Status:
        appendPlain(to, reply.text, most);
        break;
    case Type::Error:
        to += "(error) ";
        appendPlain(to, reply.text, most);
        break;
    case Type::Integer:
        to += fmt::format("(integer) {}", reply.integer);
        break;
    case Type::Bulk:
        to += '"';
        appendEscaped(to, reply.text, most);
        to += '"';
        break;
    case Type::Verbatim:
        appendPlain(to, std::string_view(reply.text).substr(reply.text.find(':') + 1), most);
        break;
    case Type::BigNumber:
        appendPlain(to, reply.text, most);
        break;
    case Type::Null:
    case Type::NullArray:
        to += "(nil)";
        break;
    case Type::None:
        to += "(nothing yet)";
        break;
    case Type::Double:
        to += fmt::format("(double) {}", formatDouble(reply.number));
        break;
    case Type::Boolean:
        to += reply.integer ? "(true)" : "(false)";
        break;
    case Type::Array:
    case Type::Set:
    case Type::Push:
    case Type::Map: {
        const bool map = reply.type == Type::Map;
        to += '[';
        for (std::size_t i = 0; i < reply.items.size(); ++i) {
            if (map && i % 2 == 1) {
                to += " => ";
            } else {
                to += fmt::format("{}{}{} ", i == 0 ? "" : " ", map ? i / 2 + 1 : i + 1,
                                  map                       ? "#"
                                  : reply.type == Type::Set ? "~"
                                                            : ")");
            }
            appendReply(to, reply.items[i], most);
        }
        to += ']';
        break;
    }
    }
}

} // namespace

std::string display(const Reply& reply, std::size_t most) {
    std::string text;
    appendReply(text, reply, most);
    return text;
}

Reply foldedForResp2(const Reply& reply) {
    using Type = Reply::Type;
    switch (reply.type) {
    case Type::Double:
        return Reply::bulk(formatDouble(reply.number));
    case Type::Boolean:
        return Reply::integerOf(reply.integer);
    case Type::BigNumber:
        return Reply::bulk(reply.text);
    case Type::Verbatim:
        return Reply::bulk(reply.text.substr(reply.text.find(':') + 1));
    case Type::Array:
    case Type::Map:
    case Type::Set:
    case Type::Push: {
        Reply folded = Reply::array({});
        folded.items.reserve(reply.items.size());
        for (const Reply& item : reply.items)
            folded.items.push_back(foldedForResp2(item));
        return folded;
    }
    default:
        return reply;
    }
}

} // namespace lockscope::redis
