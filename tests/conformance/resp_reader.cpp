// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/resp_reader.h"

#include <QtGlobal>

#include <cstdlib>
#include <string_view>

namespace lockscope::redis {

namespace {

/// Reads on from a place in the bytes; false as soon as they end.
class Reader {
public:
    explicit Reader(std::string_view bytes) : m_bytes(bytes) {}

    std::size_t taken() const { return m_at; }

    bool read(Reply& reply) {
        using Type = Reply::Type;
        std::string line;
        if (!readLine(line)) return false;
        const std::string text = line.substr(1);
        switch (line[0]) {
        case '+':
            return reply.becomeStatus(text), true;
        case '-':
            return reply.becomeError(text), true;
        case ':':
            return reply.becomeInteger(std::stoll(text)), true;
        case '_':
            return reply.becomeNull(), true;
        case '#':
            return reply.become(Type::Boolean).integer = text == "t", true;
        case ',':
            return reply.becomeDouble(std::strtod(text.c_str(), nullptr)), true;
        case '(':
            return reply.become(Type::BigNumber, text), true;
        case '$':
            return readBulk(reply, Type::Bulk, std::stoll(text));
        case '=':
            return readBulk(reply, Type::Verbatim, std::stoll(text));
        case '*':
            return readItems(reply, Type::Array, std::stoll(text));
        case '~':
            return readItems(reply, Type::Set, std::stoll(text));
        case '>':
            return readItems(reply, Type::Push, std::stoll(text));
        case '%':
            return readItems(reply, Type::Map, 2 * std::stoll(text));
        default:
            qFatal("not a reply: %s", line.c_str());
        }
    }

private:
    bool readLine(std::string& line) {
        const std::size_t end = m_bytes.find("\r\n", m_at);
        if (end == std::string_view::npos) return false;
        line = m_bytes.substr(m_at, end - m_at);
        m_at = end + 2;
        return true;
    }

    bool readBulk(Reply& reply, Reply::Type type, std::int64_t length) {
        if (length < 0) return reply.becomeNull(), true;
        const auto size = static_cast<std::size_t>(length);
        if (m_bytes.size() < m_at + size + 2) return false;
        reply.become(type, m_bytes.substr(m_at, size));
        m_at += size + 2;
        return true;
    }

    bool readItems(Reply& reply, Reply::Type type, std::int64_t count) {
        reply.become(count < 0 ? Reply::Type::NullArray : type);
        for (; count > 0; --count)
            if (!read(reply.items.emplace_back())) return false;
        return true;
    }

    std::string_view m_bytes;
    std::size_t m_at = 0;
};

} // namespace

std::optional<Reply> takeReply(std::string& bytes) {
    Reader reader(bytes);
    Reply reply;
    if (bytes.empty() || !reader.read(reply)) return std::nullopt;
    bytes.erase(0, reader.taken());
    return reply;
}

} // namespace lockscope::redis
