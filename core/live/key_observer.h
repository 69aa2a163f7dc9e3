// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <chrono>
#include <optional>

#include "core/live/reconnector.h"

namespace lockscope::live {

/// How something about a watched key came to be known.
enum class FactSource : std::uint8_t {
    Reply,        ///< we asked because something had changed
    Notification, ///< the server told it
    Poll,         ///< we asked because it was time to
    Computed,     ///< it follows from what was known: a deadline passes
};

using FactClock = std::chrono::steady_clock;

/// A fact never comes without where it came from and when.
template <typename T>
struct Fact {
    T value{};
    FactSource source = FactSource::Reply;
    FactClock::time_point at{};
};

/// A lock key as it is known from outside.
struct ObservedKey {
    enum class State : std::uint8_t {
        Absent,
        Held,
        LeaseEnded, ///< its deadline passed; whether it still lies in memory is not known, and nobody is the
                    ///< owner
    };
    std::optional<Fact<State>> state; ///< none: not known yet
    std::optional<Fact<QByteArray>> type;
    /// Of a string, its first 64 KiB; of a hash or a sorted set, its first fields as an array.
    std::optional<Fact<redis::Reply>> value;
    /// No time point: it has no deadline. Known as exactly as the round trip allows.
    std::optional<Fact<std::optional<FactClock::time_point>>> deadline;
    std::optional<Fact<qint64>> memoryBytes;
};

struct ObserverOptions {
    /// The server is known to send keyspace events (a private one does): then it is hardly ever asked.
    bool notificationsAreOn = false;
    std::chrono::milliseconds pollInterval{500};
    /// So long after the computed deadline one PTTL settles whether somebody has renewed the key unseen. It
    /// may remove a dead key early. Not used where notifications are on.
    std::chrono::milliseconds settleAfter{1500};
};

/// Watches one key on any server and writes nothing. Watching disturbs, and this is how it does not:
///
///  1. PTTL removes a key whose time is up, and makes its `expired` event early. It is asked only before the
///  deadline
///     that is known; past it MEMORY USAGE tells whether the key still lies there, which removes nothing.
///  2. Reading a value makes the key look used, which changes what is evicted. It is read only when something
///  changed,
///     and where the server can (7.2 and later) the connection is told not to touch.
///  3. The lease's end is computed from the deadline. The `expired` event, which may come much later, says
///  only that
///     the key was removed.
///  4. CONFIG is never asked: whether notifications are on shows by the first that comes.
class KeyObserver : public QObject {
    Q_OBJECT

public:
    KeyObserver(const RedisEndpoint& server, const QByteArray& key, ObserverOptions options = {},
                QObject* parent = nullptr);

    void start();
    void stop();
    const ObservedKey& key() const { return m_view; }
    const QByteArray& name() const { return m_name; }
    bool notificationsSeen() const { return m_notified; }

signals:
    void changed();
    /// By a notification: "set", "expire", "del", "expired", "evicted" …
    void eventSeen(const QByteArray& event);
    /// The connection went, or there was none to begin with; it is tried again and again.
    void gapBegan(const ConnectionFailure& failure);
    void gapEnded();
    void gaveUp(const ConnectionFailure& failure);

private:
    using TimePoint = FactClock::time_point;

    void onUp();
    void onNotification(const QByteArray& event);
    void look(FactSource source);
    void onType(const redis::Reply& reply, FactSource source);
    void readValue(const QByteArray& type, FactSource source);
    void askRemaining(FactSource source);
    void onRemaining(const redis::Reply& reply, TimePoint sent, FactSource source);
    void askMemory();
    void onMemory(const redis::Reply& reply);
    void becomeAbsent(FactSource source);
    void onTimer();
    void schedule();
    bool pastDeadline() const;
    bool ask(std::initializer_list<std::string_view> args, ReplyHandler handler);
    void reconnectSeen(const ConnectionFailure& failure);

    RedisEndpoint m_server;
    QByteArray m_name;
    ObserverOptions m_options;
    Reconnector m_queries;
    Reconnector m_events;
    QTimer m_timer;
    ObservedKey m_view;
    bool m_running = false;
    bool m_notified = false;
    bool m_gap = false;
    bool m_looking = false;   ///< TYPE, value and PTTL are under way
    bool m_lookAgain = false; ///< something changed meanwhile
    bool m_settled = false;   ///< the doubt of this deadline has been asked about
};

} // namespace lockscope::live
