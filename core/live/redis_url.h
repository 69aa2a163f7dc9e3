// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcessEnvironment>
#include <QString>

#include <chrono>
#include <cstdint>

#include "core/base/result.h"
#include "core/live/secret.h"

namespace lockscope::live {

/// Where a Redis is and how to get in.
struct RedisEndpoint {
    enum class Transport : std::uint8_t { Tcp, Tls, UnixSocket };

    Transport transport = Transport::Tcp;
    QString host = QStringLiteral("127.0.0.1"); ///< not for a socket
    std::uint16_t port = 6379;
    QString socketPath;
    QString user; ///< empty: the server's default user
    Secret password;
    int database = 0;
    QString caFile;     ///< TLS: whom to trust, in PEM; empty: the system's authorities
    QString serverName; ///< TLS: the name that the certificate must bear; empty: the host
    QString clientName; ///< for CLIENT SETNAME; empty: none
    std::chrono::milliseconds connectTimeout{3000}; ///< until it has answered the greeting

    /// As a URL, with `***` in place of the password.
    QString shown() const;
};

/// Reads
///   redis://[user:password@]host[:port][/database][?options]      rediss:// the same over TLS
///   unix:///path/of/socket[?options]                              also redis+unix:// and redis+socket://
/// As for redis-cli, what stands alone before the `@` is the password. Options: db, user, password, name,
/// timeout (as `500ms`), and for rediss:// cafile and servername. An error never quotes a part that could
/// hold the password.
Result<RedisEndpoint> parseRedisUrl(const QString& url);

/// Fills in what the endpoint leaves open: LOCKSCOPE_REDIS_USER and LOCKSCOPE_REDIS_PASSWORD, or else
/// redis-cli's REDISCLI_AUTH. What the URL says wins.
void takeCredentials(RedisEndpoint& endpoint, const QProcessEnvironment& environment);

} // namespace lockscope::live
