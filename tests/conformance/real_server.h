// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <hiredis/hiredis.h>

#include "core/redis/reply.h"

namespace lockscope::redis {

/// A keyspace notification: which database, which event, which key.
struct KeyspaceEvent {
    int database = 0;
    std::string event;
    std::string key;

    bool operator==(const KeyspaceEvent&) const = default;
    bool operator<(const KeyspaceEvent& other) const {
        if (database != other.database) return database < other.database;
        return event != other.event ? event < other.event : key < other.key;
    }
    std::string text() const { return std::to_string(database) + ":" + event + ":" + key; }
};

/// A redis-server of the test's own, with a clock that stands where the test puts it. It dies with this
/// object, and with the test however that ends.
class RealServer {
public:
    RealServer() = default;
    ~RealServer();
    RealServer(const RealServer&) = delete;
    RealServer& operator=(const RealServer&) = delete;

    /// Empty if it runs, else why not.
    QString start();

    void setClock(std::int64_t unixMicros) { m_clock->store(unixMicros); }
    /// Runs a command on one of the connections and returns its reply; `events` are those it caused, in
    /// order.
    Reply execute(int connection, const std::vector<std::string>& args, std::vector<KeyspaceEvent>& events);
    Reply execute(const std::vector<std::string>& args);

    static constexpr int kConnections = 2;

private:
    struct Disconnect {
        void operator()(redisContext* context) const { redisFree(context); }
    };
    using Connection = std::unique_ptr<redisContext, Disconnect>;

    QString connectTo(const QString& socket);
    QString complaint(const QString& what);
    void readEventsUpToFence(std::vector<KeyspaceEvent>& events);

    QTemporaryDir m_folder;
    QProcess m_process;
    std::atomic<std::int64_t>* m_clock = nullptr;
    std::vector<Connection> m_connections;
    Connection m_subscriber;
    std::int64_t m_fence = 0;
};

} // namespace lockscope::redis
