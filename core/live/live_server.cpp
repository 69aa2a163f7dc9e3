// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/live_server.h"

#include <QPointer>

#include <array>
#include <chrono>

#include "core/live/key_sweeper.h"
#include "core/live/private_server.h"
#include "core/live/reconnector.h"
#include "core/live/store_server.h"
#include "core/redis/resp.h"
#include "core/world/load.h"

namespace lockscope::live {

namespace {

std::string_view bytesView(const QByteArray& bytes) {
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

/// `1339518083.107412 [0 127.0.0.1:60866] "keys" "*"`. Nothing for what a script called: the script itself
/// has its own line.
std::optional<SeenCommand> parseMonitorLine(const QByteArray& line) {
    const qsizetype open = line.indexOf('[');
    const qsizetype close = line.indexOf("] ", open);
    const qsizetype dot = line.indexOf('.');
    if (open < 0 || close < 0 || dot < 0 || dot > open) return std::nullopt;
    SeenCommand seen;
    seen.unixMicros = line.left(dot).toLongLong() * 1'000'000 + line.mid(dot + 1, 6).toLongLong();
    const QByteArray source = line.mid(open + 1, close - open - 1);
    seen.address = QString::fromLatin1(source.mid(source.indexOf(' ') + 1));
    if (seen.address == QLatin1String("lua")) return std::nullopt;
    if (!redis::splitArguments(bytesView(line.mid(close + 2)), seen.args) || seen.args.empty())
        return std::nullopt;
    return seen;
}

/// Patterns that fit the keyspace channels of every key but those of loads: there may be many of these, and
/// nobody wants to hear of each. Redis' patterns cannot say "does not begin with", so one says for each
/// letter that the key differs there, and one that it ends there.
std::vector<QByteArray> channelsBesideLoads(const QByteArray& base) {
    std::vector<QByteArray> patterns;
    QByteArray same = base;
    for (const char letter : kLoadPrefix) {
        patterns.push_back(same);
        patterns.push_back(same + "[^" + letter + "]*");
        same += letter;
    }
    return patterns;
}

/// Hears of keys that a server removes by itself.
class RemovalListener : public QObject {
public:
    explicit RemovalListener(LiveServer& server) : m_server(server) {
        connect(&m_link, &Reconnector::up, this, [this] {
            const int database = m_link.connection().endpoint().database;
            if (m_besideLoads) return listenBesideLoads(database);
            const QByteArray base = QStringLiteral("__keyevent@%1__:").arg(database).toLatin1();
            const QByteArray expired = base + "expired";
            const QByteArray evicted = base + "evicted";
            const std::array<std::string_view, 3> args{"SUBSCRIBE", bytesView(expired), bytesView(evicted)};
            m_link.connection().sendSubscription(args);
        });
        connect(&m_link.connection(), &RedisConnection::message, this,
                [this](const QByteArray&, const QByteArray& channel, const QByteArray& payload) {
                    if (m_besideLoads) return hear(channel.mid(channel.indexOf(':') + 1), payload);
                    if (!payload.startsWith(m_prefix)) return;
                    emit m_server.keyRemoved(unixMicros(), payload.mid(m_prefix.size()),
                                             channel.endsWith("evicted"));
                });
    }
    /// Before open(): keys of loads are not told of. The server has to send keyspace events of all kinds.
    void leaveLoadsOut() { m_besideLoads = true; }
    void open(const RedisEndpoint& endpoint, const QByteArray& prefix = {}) {
        m_prefix = prefix;
        m_link.open(endpoint);
    }

private:
    void listenBesideLoads(int database) {
        const auto patterns =
            channelsBesideLoads(QStringLiteral("__keyspace@%1__:").arg(database).toLatin1());
        std::vector<std::string_view> args{"PSUBSCRIBE"};
        for (const QByteArray& pattern : patterns)
            args.push_back(bytesView(pattern));
        m_link.connection().sendSubscription(args);
    }
    void hear(const QByteArray& key, const QByteArray& event) {
        const bool evicted = event == "evicted";
        if (evicted || event == "expired") emit m_server.keyRemoved(unixMicros(), key, evicted);
    }

    LiveServer& m_server;
    Reconnector m_link;
    QByteArray m_prefix;
    bool m_besideLoads = false;
};

/// A redis-server of our own, on a loopback port: MONITOR tells clients apart by their addresses only.
class PrivateLiveServer final : public LiveServer {
public:
    PrivateLiveServer(const ServerSpec& spec, std::shared_ptr<Janitor> janitor)
        : m_spec(spec), m_server(optionsFor(spec), std::move(janitor)), m_removals(*this) {
        connect(&m_server, &PrivateServer::ready, this, &PrivateLiveServer::onReady);
        connect(&m_server, &PrivateServer::failed, this, &LiveServer::failed);
        connect(&m_server, &PrivateServer::died, this, [this] {
            m_repeat.stop();
            emit lost(QStringLiteral("the redis-server of this run has ended"));
        });
        connect(&m_monitor, &RedisConnection::ready, this, [this] {
            m_monitor.sendMonitor();
            m_looksAway = false;
            mark([this] {
                if (const auto again = std::exchange(m_again, {})) return again();
                m_wasReady = true;
                emit ready();
            });
        });
        connect(&m_monitor, &RedisConnection::failed, this, &PrivateLiveServer::onMonitorFailed);
        connect(&m_monitor, &RedisConnection::monitored, this, &PrivateLiveServer::onLine);
        m_repeat.setSingleShot(true);
        connect(&m_repeat, &QTimer::timeout, this, &PrivateLiveServer::sendMark);
        m_removals.leaveLoadsOut();
    }

    void start() override {
        if (redis::factsOf(m_spec.profile).measured) return m_server.start();
        // The program on this machine is what it is; only the embedded store can be another.
        const QString why =
            QStringLiteral("this run is for %1, and the redis-server here is another; the embedded "
                           "store can be it")
                .arg(QString::fromStdString(redis::titleOf(m_spec.profile)));
        QMetaObject::invokeMethod(
            this, [this, why] { emit failed(why); }, Qt::QueuedConnection);
    }
    RedisEndpoint endpoint() const override { return m_server.endpoint(); }
    bool isMonitored() const override { return true; }
    bool freeze() override {
        m_server.freeze();
        return m_server.isFrozen();
    }
    void thaw() override { m_server.thaw(); }
    void settle() override {
        if (m_looksAway)
            return void(QMetaObject::invokeMethod(this, &LiveServer::settled, Qt::QueuedConnection));
        mark([this] { emit settled(); });
    }
    void lookAway(std::function<void()> then) override {
        m_again = {};
        if (m_looksAway) {
            m_monitor.close(); // it may be about to look again
            return then();
        }
        mark([this, then = std::move(then)] {
            m_looksAway = true;
            m_monitor.close();
            then();
        });
    }
    void lookAgain(std::function<void()> then) override {
        m_again = std::move(then);
        m_monitor.open(m_server.endpoint());
    }

private:
    static constexpr std::chrono::milliseconds kMarkAgain{20};
    static constexpr std::string_view kMark = "lockscope:mark:";

    static PrivateServerOptions optionsFor(const ServerSpec& spec) {
        PrivateServerOptions options;
        options.loopbackPort = true;
        options.extraLines = {QStringLiteral("hz %1").arg(spec.hz), QStringLiteral("dynamic-hz no")};
        if (!spec.activeExpiry) options.extraLines += QStringLiteral("enable-debug-command local");
        const redis::MemorySettings& memory = spec.memory;
        const std::string_view policy = redis::nameOf(memory.policy);
        options.maxMemory = static_cast<qint64>(memory.limit);
        options.maxMemoryPolicy = QString::fromUtf8(policy.data(), qsizetype(policy.size()));
        options.extraLines += {QStringLiteral("maxmemory-samples %1").arg(memory.samples),
                               QStringLiteral("lfu-log-factor %1").arg(memory.lfuLogFactor),
                               QStringLiteral("lfu-decay-time %1").arg(memory.lfuDecayMinutes)};
        return options;
    }

    void onReady() {
        if (!m_spec.activeExpiry) {
            constexpr std::array<std::string_view, 3> kOff{"DEBUG", "SET-ACTIVE-EXPIRE", "0"};
            m_server.control().send(kOff, {});
        }
        m_removals.open(m_server.endpoint());
        m_monitor.open(m_server.endpoint());
    }

    /// No mark is shown any more, so nobody waits for one.
    void onMonitorFailed(const ConnectionFailure& failure) {
        const QString why = describe(failure, m_server.endpoint());
        if (!m_wasReady) return void(emit failed(why));
        m_looksAway = true;
        m_repeat.stop();
        const auto then = std::exchange(m_onMark, {});
        if (std::exchange(m_again, {})) return void(emit unwatched(why));
        if (then) then();
    }

    /// Calls `then` when whatever was executed before has been shown.
    void mark(std::function<void()> then) {
        m_onMark = std::move(then);
        sendMark();
    }

    /// A command of our own that MONITOR shows.
    void sendMark() {
        m_mark = std::string(kMark) + std::to_string(++m_marks);
        const std::array<std::string_view, 2> args{"ECHO", m_mark};
        if (!m_server.control().send(args, {})) return std::exchange(m_onMark, {})(); // it tells nothing more
        m_repeat.start(kMarkAgain); // MONITOR itself may have come after it
    }

    void onLine(const QByteArray& line) {
        const auto seen = parseMonitorLine(line);
        if (!seen) return;
        const bool marks = seen->args.size() == 2 && seen->args[1].starts_with(kMark);
        if (!marks) {
            emit executed(*seen);
            return;
        }
        if (seen->args[1] != m_mark) return;
        m_repeat.stop();
        std::exchange(m_onMark, {})();
    }

    ServerSpec m_spec;
    PrivateServer m_server;
    RedisConnection m_monitor;
    RemovalListener m_removals;
    QTimer m_repeat;
    std::function<void()> m_onMark; ///< when m_mark is seen
    std::function<void()> m_again;  ///< when it is looked at again
    std::string m_mark;
    int m_marks = 0;
    bool m_wasReady = false;
    bool m_looksAway = false;
};

/// The embedded store, served. It is in this process, so nothing has to be asked.
class EmbeddedLiveServer final : public LiveServer, private redis::StoreObserver {
public:
    explicit EmbeddedLiveServer(const ServerSpec& spec)
        : m_host(std::make_shared<Host>(*this, optionsFor(spec))), m_server(m_host) {}

    void start() override {
        const Result<void> listening = m_server.listen({});
        QMetaObject::invokeMethod(
            this,
            [this, listening] {
                if (listening)
                    emit ready();
                else
                    emit failed(QString::fromStdString(listening.error().message));
            },
            Qt::QueuedConnection);
    }
    RedisEndpoint endpoint() const override {
        RedisEndpoint endpoint;
        endpoint.port = m_server.port();
        return endpoint;
    }
    bool isMonitored() const override { return true; }
    void settle() override { QMetaObject::invokeMethod(this, &LiveServer::settled, Qt::QueuedConnection); }

private:
    /// Tells of each command before the store executes it.
    class Host final : public WallClockHost {
    public:
        Host(EmbeddedLiveServer& server, const redis::StoreOptions& options)
            : WallClockHost(options, &server), m_owner(server) {}
        void attached(redis::ClientId client, std::string_view address) override {
            m_addresses[client] = QString::fromUtf8(address.data(), qsizetype(address.size()));
            WallClockHost::attached(client, address);
        }
        void detached(redis::ClientId client) override {
            m_addresses.erase(client);
            WallClockHost::detached(client);
        }
        const redis::Reply& execute(redis::ClientId client, std::span<const std::string_view> args) override {
            SeenCommand seen{unixMicros(), m_addresses[client], {args.begin(), args.end()}};
            const redis::Reply& reply = WallClockHost::execute(client, args);
            emit m_owner.executed(seen);
            return reply;
        }

    private:
        EmbeddedLiveServer& m_owner;
        std::map<redis::ClientId, QString> m_addresses;
    };

    static redis::StoreOptions optionsFor(const ServerSpec& spec) {
        redis::StoreOptions options;
        options.profile = spec.profile;
        options.hz = spec.hz;
        options.activeExpiry = spec.activeExpiry;
        return options;
    }

    void onWritten(std::string_view, std::string_view, std::string_view, std::optional<redis::UnixMillis>,
                   Before) override {}
    void onDeadlineChanged(std::string_view, std::optional<redis::UnixMillis>,
                           std::optional<redis::UnixMillis>) override {}
    void onLeaseEnded(std::string_view, redis::UnixMillis) override {}
    void onRemoved(std::string_view key, redis::Removal why, std::string_view) override {
        if (why != redis::Removal::Expired && why != redis::Removal::Evicted) return;
        emit keyRemoved(m_host->store().observerTime(), QByteArray(key.data(), qsizetype(key.size())),
                        why == redis::Removal::Evicted);
    }
    void onKeyspaceEvent(std::string_view, std::string_view) override {}

    std::shared_ptr<Host> m_host;
    StoreServer m_server;
};

/// Somebody's server. Nothing is done to it but that the run's keys are written, and removed at the end. If
/// it sends keyspace events they are heard.
class ForeignLiveServer final : public LiveServer {
public:
    ForeignLiveServer(const RedisEndpoint& endpoint, const QByteArray& prefix,
                      std::shared_ptr<Janitor> janitor)
        : m_endpoint(endpoint), m_prefix(prefix), m_janitor(std::move(janitor)), m_removals(*this),
          m_sweeper(endpoint, prefix) {
        connect(&m_link, &Reconnector::up, this, [this] {
            if (std::exchange(m_wasReady, true)) return void(emit back());
            if (m_janitor) m_janitor->watchKeys(m_endpoint, m_prefix);
            m_watched = true;
            m_removals.open(m_endpoint, m_prefix);
            emit ready();
        });
        connect(&m_link, &Reconnector::down, this,
                [this](const ConnectionFailure& failure) { emit lost(describe(failure, m_endpoint)); });
        connect(&m_link.connection(), &RedisConnection::failed, this,
                [this](const ConnectionFailure& failure) {
                    if (m_wasReady) return;
                    m_link.close(); // a first try that fails is the user's to mend
                    emit failed(describe(failure, m_endpoint));
                });
        connect(&m_sweeper, &KeySweeper::finished, this, [this](bool ok) {
            // Otherwise the janitor tries once more when this process ends.
            if (ok && m_janitor && std::exchange(m_watched, false)) m_janitor->forgetKeys(m_prefix);
            emit gone();
        });
    }

    void start() override { m_link.open(m_endpoint); }
    RedisEndpoint endpoint() const override { return m_endpoint; }
    bool isMonitored() const override { return false; }
    void settle() override { QMetaObject::invokeMethod(this, &LiveServer::settled, Qt::QueuedConnection); }
    void leave() override { m_watched ? m_sweeper.start() : LiveServer::leave(); }

private:
    RedisEndpoint m_endpoint;
    QByteArray m_prefix;
    std::shared_ptr<Janitor> m_janitor;
    Reconnector m_link;
    RemovalListener m_removals;
    KeySweeper m_sweeper;
    bool m_wasReady = false;
    bool m_watched = false;
};

} // namespace

std::int64_t unixMicros() {
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(wall).count();
}

std::unique_ptr<LiveServer> LiveServer::make(const LivePlace& place, const ServerSpec& spec,
                                             const QByteArray& keyPrefix, std::shared_ptr<Janitor> janitor) {
    switch (place.kind) {
    case LivePlace::Kind::Private:
        return std::make_unique<PrivateLiveServer>(spec, std::move(janitor));
    case LivePlace::Kind::Embedded:
        return std::make_unique<EmbeddedLiveServer>(spec);
    case LivePlace::Kind::Foreign:
        break;
    }
    return std::make_unique<ForeignLiveServer>(place.endpoint, keyPrefix, std::move(janitor));
}

} // namespace lockscope::live
