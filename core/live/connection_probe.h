// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <chrono>
#include <optional>

#include "core/live/redis_connection.h"

namespace lockscope::live {

/// Whether the user may run a command. Unknown where the server cannot be asked without running it.
enum class Permission : std::uint8_t { Unknown, Permitted, Denied };

/// What a test of a connection found.
struct ProbeReport {
    /// Why no lesson can run there; what was found before it stands in the rest.
    std::optional<ConnectionFailure> failure;

    QString product; ///< "Redis", "Valkey", "KeyDB", "Dragonfly"; empty if it does not say
    QString version;
    QString mode;            ///< "standalone", "cluster", "sentinel"
    QString role;            ///< "master", "slave" (Redis' own words)
    QString maxMemoryPolicy; ///< as INFO says it
    qint64 maxMemory = 0;    ///< bytes; 0: no limit
    Permission info = Permission::Unknown;
    Permission config = Permission::Unknown;
    Permission monitor = Permission::Unknown;

    /// What was found in a line, or the failure in a sentence.
    QString sentence(const RedisEndpoint& endpoint) const;
};

/// Tries an endpoint and says what is there, within a limit of its own. It asks only what harms nobody: INFO,
/// HELLO, and ACL DRYRUN for what else would be permitted. Each of these may be refused.
class ConnectionProbe : public QObject {
    Q_OBJECT

public:
    explicit ConnectionProbe(QObject* parent = nullptr);

    void start(const RedisEndpoint& endpoint,
               std::chrono::milliseconds limit = std::chrono::milliseconds(4500));

signals:
    /// Once for each start().
    void finished(const ProbeReport& report);

private:
    void ask();
    void onInfo(const redis::Reply& reply);
    void onHello(const redis::Reply& reply);
    void onDryRun(Permission& permission, const redis::Reply& reply);
    void finish(std::optional<ConnectionFailure> failure = {});

    RedisConnection m_connection;
    RedisEndpoint m_endpoint;
    QTimer m_limit;
    ProbeReport m_report;
    int m_open = 0; ///< questions without an answer
    bool m_running = false;
};

} // namespace lockscope::live
