// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/reply.h"

namespace lockscope::redis {

/// The protocol's version that a connection speaks; HELLO changes it.
enum class Protocol : std::uint8_t { Resp2 = 2, Resp3 = 3 };

/// Appends a reply in the protocol's bytes. RESP2 has five types, the others are folded into them as Redis
/// does: maps, sets and pushes become arrays, doubles, big numbers and verbatim texts become bulks, a boolean
/// becomes 0 or 1. A line break inside a status or an error, which would end it, is sent as a blank.
void encodeReply(const Reply& reply, Protocol protocol, std::string& out);

/// What a client may send. Redis' own figures, but for the count of arguments, where Redis 7 stops only at
/// 2^31.
struct RequestLimits {
    std::size_t arguments = 1024 * 1024;
    std::size_t argumentBytes = 512 * 1024 * 1024;
    std::size_t lineBytes = 64 * 1024; ///< an inline command, or a line that says how long something is

    /// For a client that has yet to authenticate: enough for AUTH, too little to fill the memory.
    static RequestLimits beforeAuthentication() { return {10, 16 * 1024, 64 * 1024}; }
};

/// Cuts the bytes of one client into commands: arrays of bulk strings, and inline commands as one types them
/// into a terminal, quoted as Redis quotes. Bytes may come in any pieces, and several commands in one.
///
///     parser.feed(bytes);
///     while (parser.next() == RequestParser::Outcome::Command) run(parser.arguments());
///
/// Invariants:
///  1. How the bytes were cut into pieces changes nothing in the commands.
///  2. Arguments are views into the parser's own buffer, valid until the next call of next(), feed() or
///  prepare().
///  3. After an error the stream has lost its beat: next() answers Error for ever, and the client is to be
///  told
///     error() and then disconnected.
///  4. Memory is taken for bytes that arrived, never for a length that was only announced.
class RequestParser {
public:
    enum class Outcome : std::uint8_t { Command, NeedMore, Error };

    explicit RequestParser(RequestLimits limits = {}) : m_limits(limits) {}

    void setLimits(RequestLimits limits) { m_limits = limits; }
    void feed(std::string_view bytes);
    /// Room for `most` bytes to read into, without a copy; commit() says how many came.
    std::span<char> prepare(std::size_t most);
    void commit(std::size_t came);

    Outcome next();
    std::span<const std::string_view> arguments() const { return m_arguments; }
    /// As the client gets it: "ERR Protocol error: …".
    const std::string& error() const { return m_error; }
    /// Bytes kept because their command is not whole, or not given out yet.
    std::size_t held() const { return m_end - m_commandStart; }

private:
    struct Piece {
        std::size_t offset; ///< from m_commandStart
        std::size_t length;
    };

    Outcome nextArray();
    Outcome nextInline();
    Outcome fail(std::string why);
    enum class Line : std::uint8_t { Whole, Partial, TooLong };
    Line findLine(char end, std::string_view& line) const;
    Outcome giveOut();

    RequestLimits m_limits;
    std::vector<char> m_buffer;
    std::size_t m_end = 0;          ///< bytes before it were fed
    std::size_t m_position = 0;     ///< bytes before it were understood
    std::size_t m_commandStart = 0; ///< bytes before it are of commands that were given out
    std::int64_t m_argumentsLeft = 0;
    std::int64_t m_bulkLength = -1; ///< of the argument whose length was read; -1 before that
    std::vector<Piece> m_pieces;
    std::vector<std::string> m_inlineTexts;
    std::vector<std::string_view> m_arguments;
    std::string m_error;
};

/// Splits a line as redis-cli and inline commands do: blanks part, "double quotes" know \n \r \t \b \a \xhh
/// and \c, 'single quotes' only \'. False if a quote stays open or something other than a blank follows one.
bool splitArguments(std::string_view line, std::vector<std::string>& arguments);

} // namespace lockscope::redis
