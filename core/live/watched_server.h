// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <functional>
#include <string>

#include "core/live/private_server.h"
#include "core/live/removal_listener.h"
#include "core/live/seen_command.h"

namespace lockscope::live {

/// A private server, and all that it is seen to do: the commands that it executes, in its order (MONITOR),
/// and the keys that it removes by itself. It has to listen on a port: MONITOR tells clients apart by their
/// addresses only. It can be started again after it died.
class WatchedServer : public QObject {
    Q_OBJECT

public:
    /// Without active expiry a dead key stays in its memory until somebody touches it.
    WatchedServer(PrivateServerOptions options, bool activeExpiry, std::shared_ptr<Janitor> janitor);

    PrivateServer& server() { return m_server; }
    RedisConnection& control() { return m_server.control(); }
    /// ready() or failed() follows.
    void start(PrivateServer::Readiness wanted = PrivateServer::Readiness::InStep) { m_server.start(wanted); }
    /// Begins to look at what it does, and calls `then` when it does; at once if it is looked at.
    void look(std::function<void()> then);
    /// It listens elsewhere now.
    void moved() { m_removals.redirect(m_server.endpoint()); }
    /// Calls `then` when all has been told that it executed before, or when it tells nothing more.
    void settle(std::function<void()> then);
    /// Stops looking at what it executes, when all has been told that it did before, and calls `then`.
    void lookAway(std::function<void()> then);
    /// Looks at it again, and calls `then` when it does; otherwise unwatched() comes.
    void lookAgain(std::function<void()> then);

signals:
    void ready();
    void failed(const QString& why);
    void died();
    /// It lives, and cannot be looked at any more: nobody knows what it executes from now on.
    void unwatched(const QString& why);
    void executed(const lockscope::live::SeenCommand& command);
    void keyRemoved(qint64 unixMicros, const QByteArray& key, bool evicted);

private:
    static constexpr std::chrono::milliseconds kMarkAgain{20};
    static constexpr std::chrono::milliseconds kDiesWithin{300};
    static constexpr std::string_view kMark = "lockscope:mark:";

    void onReady();
    void onDied();
    void onMonitorFailed(const ConnectionFailure& failure);
    void onLine(const QByteArray& line);
    void mark(std::function<void()> then);
    void sendMark();

    bool m_activeExpiry;
    PrivateServer m_server;
    RedisConnection m_monitor;
    RemovalListener m_removals;
    QTimer m_repeat;
    std::function<void()> m_onMark; ///< when m_mark is seen
    std::function<void()> m_again;  ///< when it is looked at again
    std::string m_mark;
    int m_marks = 0;
    enum class Look : std::uint8_t { Away, Opening, There };
    Look m_look = Look::Away;
};

} // namespace lockscope::live
