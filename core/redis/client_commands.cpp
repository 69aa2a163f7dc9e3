// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis::commands {

namespace {

/// CLIENT SETINFO came with it, and what it sets into CLIENT LIST.
constexpr Version kKnowsLibraries{7, 2, 0};

/// Without blanks or anything that would break the lines of CLIENT LIST.
bool fitsOneWord(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '!' && c <= '~'; });
}

std::string_view typeOf(const Client& client) {
    return client.is(kSubscribed) ? "pubsub" : "normal";
}

bool isClientType(std::string_view word) {
    return equalsIgnoringCase(word, "normal") || equalsIgnoringCase(word, "pubsub") ||
           equalsIgnoringCase(word, "master") || equalsIgnoringCase(word, "replica") ||
           equalsIgnoringCase(word, "slave");
}

std::string flagsOf(const Client& client) {
    std::string flags;
    if (client.is(kMonitoring)) flags += 'O';
    if (client.is(kSubscribed)) flags += 'P';
    if (client.is(kInTransaction)) flags += 'x';
    if (client.is(kBlocked)) flags += 'b';
    if (client.is(kDirtyKeys)) flags += 'd';
    if (client.is(kClosing)) flags += 'c';
    if (client.is(kNoTouch)) flags += 'T';
    return flags.empty() ? "N" : flags;
}

/// A line of CLIENT LIST, with what is known here: buffers belong to whoever serves the client.
std::string lineOf(const Client& client, const Call& call) {
    const Settings& settings = call.server.settings();
    const std::int64_t now = call.keyspace.clockMicros();
    std::string line =
        fmt::format("id={} addr={} laddr={}:{} fd={} name={} age={} idle={} flags={} db={} sub={} psub={} "
                    "ssub=0 multi={} cmd={} user={} redir=-1 resp={}",
                    client.id, client.address, settings.address, settings.port, client.id, client.name,
                    (now - client.connectedAt) / 1'000'000, (now - client.lastCommandAt) / 1'000'000,
                    flagsOf(client), client.database, client.channels.size(), client.patterns.size(),
                    client.is(kInTransaction) ? static_cast<std::int64_t>(client.queue.size()) : -1,
                    client.lastCommand ? client.lastCommand->name : "NULL", kDefaultUser,
                    static_cast<int>(client.protocol));
    if (Version::of(factsOf(call.profile()).redisVersion) >= kKnowsLibraries)
        line += fmt::format(" lib-name={} lib-ver={}", client.libraryName, client.libraryVersion);
    return line + '\n';
}

/// The number of another client; nothing (and the reply is the error) if it cannot be one.
std::optional<std::int64_t> idArg(const Call& call, std::size_t index, std::string_view complaint) {
    const std::optional<std::int64_t> id = parseInteger(call.arg(index));
    if (id && *id > 0) return id;
    call.reply.becomeError(complaint);
    return std::nullopt;
}

/// Whom CLIENT KILL is after. All of its words must fit.
struct Filter {
    std::optional<std::int64_t> id;
    std::optional<std::string_view> address, localAddress, type, user;
    bool skipMe = true;

    bool fits(const Client& client, const Call& call) const {
        const Settings& settings = call.server.settings();
        if (id && *id != client.id) return false;
        if (address && *address != client.address) return false;
        if (localAddress && *localAddress != fmt::format("{}:{}", settings.address, settings.port))
            return false;
        if (type && !equalsIgnoringCase(*type, typeOf(client))) return false;
        if (user && *user != kDefaultUser) return false;
        return !(skipMe && &client == &call.client);
    }
};

std::optional<Filter> readFilter(const Call& call) {
    Filter filter;
    const auto fail = [&](std::string_view complaint) {
        call.reply.becomeError(complaint);
        return std::nullopt;
    };
    for (std::size_t i = 2; i < call.count(); i += 2) {
        if (i + 1 == call.count()) return fail(errors::kSyntax);
        const std::string_view value = call.arg(i + 1);
        const std::string word = lowered(call.arg(i));
        if (word == "id") {
            filter.id = idArg(call, i + 1, "ERR client-id should be greater than 0");
            if (!filter.id) return std::nullopt;
        } else if (word == "addr") {
            filter.address = value;
        } else if (word == "laddr") {
            filter.localAddress = value;
        } else if (word == "type") {
            if (!isClientType(value))
                return fail(
                    errors::onOneLine(fmt::format("ERR Unknown client type '{}'", errors::printed(value))));
            filter.type = value;
        } else if (word == "user") {
            if (value != kDefaultUser)
                return fail(errors::onOneLine(fmt::format("ERR No such user '{}'", errors::printed(value))));
            filter.user = value;
        } else if (word == "skipme" && equalsIgnoringCase(value, "yes")) {
            filter.skipMe = true;
        } else if (word == "skipme" && equalsIgnoringCase(value, "no")) {
            filter.skipMe = false;
        } else {
            return fail(errors::kSyntax);
        }
    }
    return filter;
}

} // namespace

void clientId(Call& call) {
    call.reply.becomeInteger(call.client.id);
}

bool setClientName(Call& call, std::string_view name) {
    if (fitsOneWord(name)) {
        call.client.name = name;
        return true;
    }
    call.reply.becomeError("ERR Client names cannot contain spaces, newlines or special characters.");
    return false;
}

void clientSetName(Call& call) {
    if (setClientName(call, call.arg(2))) call.reply.becomeStatus("OK");
}

void clientGetName(Call& call) {
    if (call.client.name.empty()) return call.reply.becomeNull();
    call.reply.becomeBulk(call.client.name);
}

void clientInfo(Call& call) {
    call.reply.become(Reply::Type::Verbatim, "txt:" + lineOf(call.client, call));
}

void clientList(Call& call) {
    std::optional<std::string_view> type;
    std::vector<std::int64_t> ids;
    if (call.count() == 4 && equalsIgnoringCase(call.arg(2), "type")) {
        type = call.arg(3);
        if (!isClientType(*type))
            return call.reply.becomeError(
                errors::onOneLine(fmt::format("ERR Unknown client type '{}'", errors::printed(*type))));
    } else if (call.count() > 3 && equalsIgnoringCase(call.arg(2), "id")) {
        for (std::size_t i = 3; i < call.count(); ++i) {
            const std::optional<std::int64_t> id = idArg(call, i, "ERR Invalid client ID");
            if (!id) return;
            ids.push_back(*id);
        }
    } else if (call.count() > 2) {
        return call.reply.becomeError(errors::kSyntax);
    }
    std::string lines = "txt:";
    call.server.forEachClient([&](const Client& client) {
        const bool asked = ids.empty() || std::ranges::find(ids, std::int64_t{client.id}) != ids.end();
        if (asked && (!type || equalsIgnoringCase(*type, typeOf(client)))) lines += lineOf(client, call);
    });
    call.reply.become(Reply::Type::Verbatim, lines);
}

void clientKill(Call& call) {
    Filter filter;
    const bool byAddressAlone = call.count() == 3;
    if (byAddressAlone) {
        filter.address = call.arg(2);
        filter.skipMe = false;
    } else {
        const std::optional<Filter> read = readFilter(call);
        if (!read) return;
        filter = *read;
    }
    std::vector<Client*> killed;
    call.server.forEachClient([&](Client& client) {
        if (filter.fits(client, call)) killed.push_back(&client);
    });
    for (Client* client : killed)
        call.server.kill(*client, call.client);
    if (!byAddressAlone) return call.reply.becomeInteger(static_cast<std::int64_t>(killed.size()));
    if (killed.empty()) return call.reply.becomeError("ERR No such client");
    call.reply.becomeStatus("OK");
}

/// Its own buffers are nobody's to evict here.
void clientNoEvict(Call& call) {
    if (!equalsIgnoringCase(call.arg(2), "on") && !equalsIgnoringCase(call.arg(2), "off"))
        return call.reply.becomeError(errors::kSyntax);
    call.reply.becomeStatus("OK");
}

void clientNoTouch(Call& call) {
    if (equalsIgnoringCase(call.arg(2), "on"))
        call.client.state |= kNoTouch;
    else if (equalsIgnoringCase(call.arg(2), "off"))
        call.client.state &= ~kNoTouch;
    else
        return call.reply.becomeError(errors::kSyntax);
    call.reply.becomeStatus("OK");
}

void clientSetInfo(Call& call) {
    const std::string option = lowered(call.arg(2));
    if (option != "lib-name" && option != "lib-ver")
        return call.reply.becomeError(
            errors::onOneLine(fmt::format("ERR Unrecognized option '{}'", errors::printed(call.arg(2)))));
    if (!fitsOneWord(call.arg(3)))
        return call.reply.becomeError(
            fmt::format("ERR {} cannot contain spaces, newlines or special characters.", option));
    (option == "lib-name" ? call.client.libraryName : call.client.libraryVersion) = call.arg(3);
    call.reply.becomeStatus("OK");
}

void clientReply(Call& call) {
    constexpr std::uint32_t kAll = kSilent | kSkipNextReply | kSkipThisReply;
    if (equalsIgnoringCase(call.arg(2), "on")) {
        call.client.state &= ~kAll;
        call.reply.becomeStatus("OK");
    } else if (equalsIgnoringCase(call.arg(2), "off")) {
        call.client.state |= kSilent;
    } else if (equalsIgnoringCase(call.arg(2), "skip")) {
        if (!call.client.is(kSilent)) call.client.state |= kSkipNextReply | kSkipThisReply;
    } else {
        call.reply.becomeError(errors::kSyntax);
    }
}

void clientPause(Call& call) {
    if (call.count() > 4) return call.reply.becomeError(errors::wrongSubcommand(call.command, call.arg(1)));
    const bool writes = call.count() == 4 && equalsIgnoringCase(call.arg(3), "write");
    if (call.count() == 4 && !writes && !equalsIgnoringCase(call.arg(3), "all"))
        return call.reply.becomeError("ERR CLIENT PAUSE mode must be WRITE or ALL");
    const std::optional<std::int64_t> millis = parseInteger(call.arg(2));
    if (!millis) return call.reply.becomeError("ERR timeout is not an integer or out of range");
    if (*millis < 0) return call.reply.becomeError("ERR timeout is negative");
    // One that would last beyond the end of time lasts no time at all.
    UnixMillis until = 0;
    if (!__builtin_add_overflow(*millis, call.keyspace.clockMillis(), &until))
        call.server.standstill().pause(until, !writes);
    call.reply.becomeStatus("OK");
}

void clientUnpause(Call& call) {
    call.server.standstill().unpause();
    call.reply.becomeStatus("OK");
}

void clientUnblock(Call& call) {
    if (call.count() > 4) return call.reply.becomeError(errors::wrongSubcommand(call.command, call.arg(1)));
    const bool asError = call.count() == 4 && equalsIgnoringCase(call.arg(3), "error");
    if (call.count() == 4 && !asError && !equalsIgnoringCase(call.arg(3), "timeout"))
        return call.reply.becomeError("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    const std::optional<std::int64_t> id = call.integerArg(2);
    if (!id) return;
    call.reply.becomeInteger(call.server.blocked().giveUp(*id, asError) ? 1 : 0);
}

} // namespace lockscope::redis::commands
