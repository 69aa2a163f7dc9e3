// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

#include "core/live/redis_url.h"

namespace lockscope::live {

/// How far a connection has come. It fails in one of these.
enum class ConnectionStage : std::uint8_t { Closed, Connecting, Securing, Greeting, Ready };

/// Why there is no connection, or no use in it.
enum class FailureKind : std::uint8_t {
    Unresolvable,    ///< no such host name
    Refused,         ///< nobody listens there
    Unreachable,     ///< the network says no
    NoSocket,        ///< no such socket file
    SocketForbidden, ///< its permissions keep us out
    TimedOut,        ///< no answer; the stage says to what
    CertificateFile, ///< the CA file cannot be read
    Certificate,     ///< the server's certificate does not hold
    NoTls,           ///< what answers does not speak TLS
    NotARedis,       ///< what answers does not speak Redis' protocol
    PasswordNeeded,
    WrongPassword,
    NoPasswordThere, ///< one was given, but the server has none
    NoPermission,    ///< of the user; also Redis' protected mode
    Loading,         ///< the server is still reading its data
    ReadOnlyReplica, ///< locks cannot be taken there
    NoSuchDatabase,
    TooManyClients,
    Closed, ///< by the server, without a word
    Broken, ///< it answered what no Redis answers
};

struct ConnectionFailure {
    FailureKind kind = FailureKind::Closed;
    ConnectionStage stage = ConnectionStage::Closed;
    QString detail; ///< what the system, TLS or the server said; may be empty, never holds a password

    /// Whether trying again later, with nothing changed here, could help.
    bool mayPass() const;
};

/// One sentence for people: where it failed and why.
QString describe(const ConnectionFailure& failure, const RedisEndpoint& endpoint);

} // namespace lockscope::live
