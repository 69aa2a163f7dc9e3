// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/live/secret.h"
#include "core/redis/reply.h"
#include "core/redis/resp.h"
#include "core/redis/store.h"

namespace lockscope::live {

/// What a served connection is, apart from the keys it works on.
struct ConnectionState {
    redis::ClientId id = 0;
    std::string address; ///< "127.0.0.1:50123"
    std::string name;    ///< by CLIENT SETNAME
    redis::Protocol protocol = redis::Protocol::Resp2;
    bool authenticated = false;
    bool closing = false; ///< it said QUIT: no more commands of it are run
};

/// What a server answers about itself.
struct ServerFacts {
    std::string_view version = "7.0.15";
    Secret password; ///< of the default user; empty lets everybody in
    std::string bindAddress;
    std::uint16_t port = 0;
    std::size_t clients = 0;
    std::int64_t uptimeSeconds = 0;
};

/// Whether a command is answered here and not by the keyspace: it is about the connection (HELLO, AUTH,
/// CLIENT, QUIT, RESET) or about the server as clients ask when they connect (COMMAND, INFO, CONFIG GET).
/// Every command of a client that has yet to authenticate is, to be refused.
bool isForConnection(const ConnectionState& connection, std::string_view name);

/// Answers such a command as redis-server 7.0 does.
redis::Reply runConnectionCommand(ConnectionState& connection, const ServerFacts& server,
                                  std::span<const std::string_view> args);

/// A web page can make a browser send a request to a local port; whatever commands hide in its body must not
/// run. Redis hangs up on these names, which no command has.
bool looksLikeHttp(std::string_view name);

} // namespace lockscope::live
