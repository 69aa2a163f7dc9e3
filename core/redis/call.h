// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/redis/client.h"
#include "core/redis/command_table.h"
#include "core/redis/keyspace.h"
#include "core/redis/reply.h"

namespace lockscope::redis {

class Server;

namespace errors {
inline constexpr std::string_view kSyntax = "ERR syntax error";
inline constexpr std::string_view kNotAnInteger = "ERR value is not an integer or out of range";
inline constexpr std::string_view kNotAFloat = "ERR value is not a valid float";
inline constexpr std::string_view kWrongType =
    "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr std::string_view kNoSuchKey = "ERR no such key";
inline constexpr std::string_view kStringTooLong =
    "ERR string exceeds maximum allowed size (proto-max-bulk-len)";
inline constexpr std::string_view kOutOfMemory = "OOM command not allowed when used memory > 'maxmemory'.";
inline constexpr std::string_view kNoScript = "NOSCRIPT No matching script. Please use EVAL.";
/// "ERR wrong number of arguments for 'get' command", which some handlers find out for themselves.
std::string wrongArity(const Command& command);
/// "ERR unknown subcommand or wrong number of arguments for 'FLUSH'. Try FUNCTION HELP.", of a subcommand
/// that counts its arguments itself.
std::string wrongSubcommand(const Command& command, std::string_view subcommand);
/// "ERR invalid expire time in 'set' command".
std::string invalidExpireTime(const Command& command);
/// A text with something of the client's in it: an error must stay on one line.
std::string onOneLine(std::string_view text);
/// What C prints of an argument: up to a zero byte, and no more than `most` bytes.
std::string_view printed(std::string_view text, std::size_t most = std::string_view::npos);
} // namespace errors

/// One command while it runs. The clock of the keyspace stands still meanwhile.
struct Call {
    Server& server;
    Keyspace& keyspace;
    Client& client;
    const Command& command;
    std::span<const std::string_view> args;
    Reply& reply;

    /// Which server it is that runs it.
    Profile profile() const;
    Database& database() const { return keyspace.database(client.database); }
    std::string_view arg(std::size_t index) const { return args[index]; }
    std::size_t count() const { return args.size(); }

    /// The access of a command that uses the key.
    Found find(std::string_view key) const {
        const Found found = glanceAt(key);
        if (found && !client.is(kNoTouch)) keyspace.touch(*found.entry);
        return found;
    }
    /// As find(), for commands that do not count as a use of the key.
    Found glanceAt(std::string_view key) const {
        const Found found = keyspace.find(database(), key);
        if (command.has(kReadOnly)) keyspace.countLookUp(database(), key, found);
        return found;
    }
    void notify(std::string_view event, std::string_view key) const {
        keyspace.notify(event, key, database());
    }

    // Each answers the error and returns nothing if it cannot.
    std::optional<std::int64_t> integerArg(std::size_t index) const;
    /// A number of elements: not negative.
    std::optional<std::int64_t> countArg(std::size_t index) const;
    std::optional<double> doubleArg(std::size_t index) const;
    /// The string under a live key; WRONGTYPE for any other type.
    std::string* stringIn(Entry& entry) const;

    /// Puts a string under a key, in place of whatever was there. Its deadline becomes `deadline`.
    Entry& putString(std::string_view key, const Found& found, std::string_view value,
                     UnixMillis deadline) const;
    /// Tells that the value of a key changed or came into being, under its old deadline.
    void changed(Entry& entry, const Found& found, std::string_view event) const;

    /// The collection under a key, null if there is none; nothing (and the reply is the error) if the key
    /// holds another type.
    template <typename T>
    std::optional<T*> lookUp(const Found& found) const {
        if (!found) return nullptr;
        if (T* value = valueAs<T>(found.entry->value)) return value;
        reply.becomeError(errors::kWrongType);
        return std::nullopt;
    }
    /// Puts an empty collection, made with `from`, under a key that is absent. To be filled, and told by
    /// changed().
    template <typename T, typename... Made>
    Entry& make(std::string_view key, const Found& found, Made&&... from) const {
        Entry& entry = keyspace.create(database(), key, found);
        entry.value = std::make_unique<T>(std::forward<Made>(from)...);
        return entry;
    }
    /// Where the next pair of the reply goes: RESP3 has an array of its own for each.
    Reply& nextPair() const {
        if (client.protocol != Protocol::Resp3) return reply;
        return reply.items.emplace_back().become(Reply::Type::Array);
    }
    /// Tells that elements were taken away: a collection that is empty now leaves with its key.
    void taken(Entry& entry, const Found& found, std::string_view event, bool empty) const;
};

} // namespace lockscope::redis
