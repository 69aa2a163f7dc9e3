// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/live/byte_channel.h"
#include "core/live/connection_failure.h"
#include "core/live/redis_url.h"
#include "core/live/reply_reader.h"
#include "core/redis/reply.h"

namespace lockscope::live {

/// What became of a command.
struct CallResult {
    enum class Outcome : std::uint8_t {
        Replied,
        TimedOut,  ///< no reply yet: it may have run, may run later, or never
        LateReply, ///< after TimedOut the reply did come
        Lost,      ///< the connection went before the reply: as unknown as after TimedOut, and now for good
    };
    Outcome outcome = Outcome::Replied;
    const redis::Reply* reply = nullptr; ///< with Replied and LateReply; valid during the call only

    bool isUnknown() const { return outcome == Outcome::TimedOut || outcome == Outcome::Lost; }
};

/// Called once with Replied, TimedOut or Lost, and after TimedOut perhaps a second time, with LateReply or
/// Lost. It may send, close and delete the connection.
using ReplyHandler = std::function<void(const CallResult&)>;

/// One connection to a Redis, from the greeting (AUTH, SELECT, CLIENT SETNAME, PING) on. Any number of
/// commands may be under way; replies come in their order. It does not reconnect: that is the Reconnector's.
///
/// Signals and handlers come from the event loop, never from within a call of open() or send(). When it is
/// destroyed nobody is called any more; after close() each open call is told that it is Lost.
class RedisConnection : public QObject {
    Q_OBJECT

public:
    explicit RedisConnection(QObject* parent = nullptr);
    ~RedisConnection() override;

    /// Leaves any connection there was, as close() does.
    void open(const RedisEndpoint& endpoint);
    void close();
    ConnectionStage stage() const { return m_stage; }
    bool isReady() const { return m_stage == ConnectionStage::Ready; }
    const RedisEndpoint& endpoint() const { return m_endpoint; }
    /// Of this end, as the server's MONITOR and CLIENT LIST show it; empty when closed or on a unix socket.
    QString localName() const { return m_channel ? m_channel->localName() : QString(); }

    /// False, and the handler is never called, unless the connection is ready. A time-out of zero waits for
    /// ever.
    bool send(std::span<const std::string_view> args, ReplyHandler handler,
              std::chrono::milliseconds timeout = {});
    /// SUBSCRIBE, PSUBSCRIBE or their opposites with at least one name: what they bring comes by signals.
    bool sendSubscription(std::span<const std::string_view> args);
    /// Turns the connection into one that only listens: every line of MONITOR comes by monitored().
    bool sendMonitor();

signals:
    void ready();
    /// Opening failed, or the connection that was ready went (then the failure's stage is Ready). Not after
    /// close().
    void failed(const ConnectionFailure& failure);
    /// `pattern` is empty for a plain subscription.
    void message(const QByteArray& pattern, const QByteArray& channel, const QByteArray& payload);
    /// The server confirmed a subscription or its end; `remaining` are open now.
    void subscriptionChanged(const QByteArray& channel, bool subscribed, qint64 remaining);
    void subscriptionRefused(const QByteArray& error);
    void monitored(const QByteArray& line);

private:
    using Clock = std::chrono::steady_clock;
    struct Pending {
        ReplyHandler handler;
        std::optional<Clock::time_point> giveUpAt =
            std::nullopt;              ///< none: it waits for ever, or has timed out
        std::size_t confirmations = 0; ///< of a subscription: how many are to come yet
        bool timedOut = false;
    };

    void write(std::span<const std::string_view> args);
    void enqueue(std::span<const std::string_view> args, ReplyHandler handler,
                 std::chrono::milliseconds timeout);
    void greet();
    void onGreeting(FailureKind orElse, const redis::Reply& reply);
    void read();
    bool takePush(const redis::Reply& reply);
    void fail(ConnectionFailure failure);
    void drop();
    void giveUpOverdue();
    void armTimer();

    RedisEndpoint m_endpoint;
    ByteChannel::Owner m_channel; ///< null when closed
    std::unique_ptr<ReplyReader> m_reader;
    std::deque<Pending> m_pending;
    QTimer m_openTimer;
    QTimer m_callTimer;
    std::optional<Clock::time_point> m_callTimerAt;
    ConnectionStage m_stage = ConnectionStage::Closed;
    std::uint64_t m_generation = 0; ///< counts connections, so that a loop sees when its own is over
    bool m_heard = false;           ///< it answered something
    bool m_subscriber = false;
    bool m_monitor = false;
};

} // namespace lockscope::live
