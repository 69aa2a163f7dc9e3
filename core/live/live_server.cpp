// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/live_server.h"

#include "core/live/key_sweeper.h"
#include "core/live/private_node.h"
#include "core/live/reconnector.h"
#include "core/live/removal_listener.h"
#include "core/live/store_server.h"
#include "core/live/unix_time.h"

namespace lockscope::live {

namespace {

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
        : m_endpoint(endpoint), m_prefix(prefix), m_janitor(std::move(janitor)), m_sweeper(endpoint, prefix) {
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
        connect(&m_removals, &RemovalListener::keyRemoved, this, &LiveServer::keyRemoved);
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

std::unique_ptr<LiveServer> LiveServer::make(const LivePlace& place, const ServerSpec& spec,
                                             const QByteArray& keyPrefix, std::shared_ptr<Janitor> janitor) {
    switch (place.kind) {
    case LivePlace::Kind::Private:
        return std::make_unique<PrivateNode>(spec, std::move(janitor));
    case LivePlace::Kind::Embedded:
        return std::make_unique<EmbeddedLiveServer>(spec);
    case LivePlace::Kind::Foreign:
        break;
    }
    return std::make_unique<ForeignLiveServer>(place.endpoint, keyPrefix, std::move(janitor));
}

} // namespace lockscope::live
