// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/connection_commands.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/redis/glob.h"
#include "core/redis/numbers.h"

namespace lockscope::live {

namespace {

using redis::Reply;
using Arguments = std::span<const std::string_view>;

constexpr std::string_view kDefaultUser = "default";
constexpr std::string_view kWrongPassword = "WRONGPASS invalid username-password pair or user is disabled.";

struct Call {
    ConnectionState& connection;
    const ServerFacts& server;
    Arguments args;
};

Reply syntaxError() {
    return Reply::error("ERR syntax error");
}
Reply wrongCount(std::string_view name) {
    return Reply::error(fmt::format("ERR wrong number of arguments for '{}' command", name));
}
Reply unknownSubcommand(std::string_view sub, std::string_view command) {
    return Reply::error(fmt::format("ERR unknown subcommand '{:.128}'. Try {} HELP.", sub, command));
}
Reply mapOf(std::vector<Reply> items) {
    return {Reply::Type::Map, 0, 0, {}, std::move(items)};
}

/// Empty if the pair opens the door, else the error.
std::optional<Reply> authenticate(Call& call, std::string_view user, std::string_view password) {
    const bool right =
        user == kDefaultUser && (call.server.password.isEmpty() ||
                                 call.server.password.matches(QByteArray(password.data(), password.size())));
    if (!right) return Reply::error(std::string(kWrongPassword));
    call.connection.authenticated = true;
    return std::nullopt;
}

Reply auth(Call& call) {
    if (call.args.size() > 3) return syntaxError();
    if (call.args.size() == 2) {
        if (call.server.password.isEmpty()) {
            return Reply::error(
                "ERR AUTH <password> called without any password configured for the default user. "
                "Are you sure your configuration is correct?");
        }
        return authenticate(call, kDefaultUser, call.args[1]).value_or(Reply::status("OK"));
    }
    return authenticate(call, call.args[1], call.args[2]).value_or(Reply::status("OK"));
}

/// As Redis: a name must not have blanks or anything that would break the lines of CLIENT LIST.
std::optional<Reply> setName(Call& call, std::string_view name) {
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) { return c >= '!' && c <= '~'; });
    if (!plain)
        return Reply::error("ERR Client names cannot contain spaces, newlines or special characters.");
    call.connection.name = name;
    return std::nullopt;
}

Reply hello(Call& call) {
    const Arguments args = call.args;
    std::optional<std::int64_t> version;
    if (args.size() > 1) {
        version = redis::parseInteger(args[1]);
        if (!version) return Reply::error("ERR Protocol version is not an integer or out of range");
        if (*version != 2 && *version != 3) return Reply::error("NOPROTO unsupported protocol version");
    }
    std::optional<std::string_view> name;
    for (std::size_t i = 2; i < args.size();) {
        if (redis::equalsIgnoringCase(args[i], "auth") && i + 2 < args.size()) {
            if (auto refused = authenticate(call, args[i + 1], args[i + 2])) return *std::move(refused);
            i += 3;
        } else if (redis::equalsIgnoringCase(args[i], "setname") && i + 1 < args.size()) {
            name = args[i + 1];
            i += 2;
        } else {
            return Reply::error(fmt::format("ERR Syntax error in HELLO option '{}'", args[i]));
        }
    }
    if (!call.connection.authenticated) {
        return Reply::error(
            "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
            "<proto> AUTH <user> <pass> option can be used to authenticate the client and select the "
            "RESP protocol version at the same time");
    }
    if (name) {
        if (auto refused = setName(call, *name)) return *std::move(refused);
    }
    if (version) call.connection.protocol = static_cast<redis::Protocol>(*version);
    return mapOf({Reply::bulk("server"), Reply::bulk("redis"), Reply::bulk("version"),
                  Reply::bulk(std::string(call.server.version)), Reply::bulk("proto"),
                  Reply::integerOf(static_cast<int>(call.connection.protocol)), Reply::bulk("id"),
                  Reply::integerOf(call.connection.id), Reply::bulk("mode"), Reply::bulk("standalone"),
                  Reply::bulk("role"), Reply::bulk("master"), Reply::bulk("modules"), Reply::array({})});
}

Reply client(Call& call) {
    const Arguments args = call.args;
    if (args.size() < 2) return wrongCount("client");
    const std::string sub = redis::lowered(args[1]);
    const auto takes = [&](std::size_t count) { return args.size() == count; };
    if (sub == "setname") {
        if (!takes(3)) return wrongCount("client|setname");
        return setName(call, args[2]).value_or(Reply::status("OK"));
    }
    if (sub == "getname") {
        if (!takes(2)) return wrongCount("client|getname");
        return call.connection.name.empty() ? Reply::null() : Reply::bulk(call.connection.name);
    }
    if (sub == "id") return takes(2) ? Reply::integerOf(call.connection.id) : wrongCount("client|id");
    if (sub == "info") {
        if (!takes(2)) return wrongCount("client|info");
        return {Reply::Type::Verbatim,
                0,
                0,
                fmt::format("txt:id={} addr={} laddr={}:{} name={} resp={} user=default\n", call.connection.id,
                            call.connection.address, call.server.bindAddress, call.server.port,
                            call.connection.name, static_cast<int>(call.connection.protocol)),
                {}};
    }
    return unknownSubcommand(args[1], "CLIENT");
}

/// No table of commands is told: clients then send what their user asks for.
Reply command(Call& call) {
    if (call.args.size() < 2) return Reply::array({});
    const std::string sub = redis::lowered(call.args[1]);
    if (sub == "count") return Reply::integerOf(0);
    if (sub == "docs") return mapOf({});
    if (sub == "list") return Reply::array({});
    if (sub == "info")
        return Reply::array(std::vector<Reply>(call.args.size() - 2, {Reply::Type::NullArray, 0, 0, {}, {}}));
    return unknownSubcommand(call.args[1], "COMMAND");
}

Reply info(Call& call) {
    const auto wants = [&](std::string_view section) {
        if (call.args.size() < 2) return true;
        return std::any_of(call.args.begin() + 1, call.args.end(), [&](std::string_view asked) {
            const std::string a = redis::lowered(asked);
            return a == section || a == "all" || a == "default" || a == "everything";
        });
    };
    std::string text;
    const auto begin = [&](std::string_view section) {
        if (!wants(redis::lowered(section))) return false;
        text += fmt::format("{}# {}\r\n", text.empty() ? "" : "\r\n", section);
        return true;
    };
    if (begin("Server")) {
        text +=
            fmt::format("redis_version:{}\r\nredis_mode:standalone\r\ntcp_port:{}\r\nuptime_in_seconds:{}\r\n"
                        "uptime_in_days:{}\r\nhz:10\r\n",
                        call.server.version, call.server.port, call.server.uptimeSeconds,
                        call.server.uptimeSeconds / 86400);
    }
    if (begin("Clients")) text += fmt::format("connected_clients:{}\r\n", call.server.clients);
    if (begin("Memory")) text += "maxmemory:0\r\nmaxmemory_policy:noeviction\r\n";
    if (begin("Persistence")) text += "loading:0\r\n";
    if (begin("Replication")) text += "role:master\r\nconnected_slaves:0\r\n";
    if (begin("Cluster")) text += "cluster_enabled:0\r\n";
    return {Reply::Type::Verbatim, 0, 0, "txt:" + text, {}};
}

Reply config(Call& call) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kSettings{{
        {"appendonly", "no"},
        {"databases", "16"},
        {"maxmemory", "0"},
        {"maxmemory-policy", "noeviction"},
        {"save", ""},
        {"timeout", "0"},
        {"hz", "10"},
    }};
    if (call.args.size() < 2) return wrongCount("config");
    if (!redis::equalsIgnoringCase(call.args[1], "get")) return unknownSubcommand(call.args[1], "CONFIG");
    if (call.args.size() < 3) return wrongCount("config|get");
    Reply found = mapOf({});
    for (const auto& [name, value] : kSettings) {
        const bool asked =
            std::any_of(call.args.begin() + 2, call.args.end(), [&, name = name](std::string_view pattern) {
                return redis::matchesGlob(redis::lowered(pattern), name);
            });
        if (!asked) continue;
        found.items.push_back(Reply::bulk(std::string(name)));
        found.items.push_back(Reply::bulk(std::string(value)));
    }
    return found;
}

Reply quit(Call& call) {
    call.connection.closing = true;
    return Reply::status("OK");
}

Reply reset(Call& call) {
    call.connection.name.clear();
    call.connection.protocol = redis::Protocol::Resp2;
    call.connection.authenticated = call.server.password.isEmpty();
    return Reply::status("RESET");
}

struct Command {
    std::string_view name;
    Reply (*run)(Call&);
    std::size_t least; ///< arguments, its name among them
    bool beforeAuthentication;
};

constexpr std::array<Command, 8> kCommands{{
    {"auth", auth, 2, true},
    {"client", client, 1, false},
    {"command", command, 1, false},
    {"config", config, 1, false},
    {"hello", hello, 1, true},
    {"info", info, 1, false},
    {"quit", quit, 1, true},
    {"reset", reset, 1, true},
}};

const Command* find(std::string_view name) {
    for (const Command& c : kCommands) {
        if (c.name.size() == name.size() && redis::equalsIgnoringCase(name, c.name)) return &c;
    }
    return nullptr;
}

} // namespace

bool looksLikeHttp(std::string_view name) {
    return (name.size() == 4 && redis::equalsIgnoringCase(name, "post")) ||
           (name.size() == 5 && redis::equalsIgnoringCase(name, "host:"));
}

bool isForConnection(const ConnectionState& connection, std::string_view name) {
    return !connection.authenticated || find(name) != nullptr;
}

redis::Reply runConnectionCommand(ConnectionState& connection, const ServerFacts& server, Arguments args) {
    const Command* command = find(args[0]);
    if (!connection.authenticated && (!command || !command->beforeAuthentication)) {
        return Reply::error("NOAUTH Authentication required.");
    }
    LOCKSCOPE_ASSERT(command);
    if (args.size() < command->least) return wrongCount(command->name);
    Call call{connection, server, args};
    return command->run(call);
}

} // namespace lockscope::live
