// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHostAddress>
#include <QTimer>

#include <chrono>
#include <memory>
#include <unordered_map>

#include "core/base/result.h"
#include "core/live/client_socket.h"
#include "core/live/command_host.h"
#include "core/live/secret.h"
#include "core/redis/resp.h"
#include "core/redis/store.h"

namespace lockscope::live {

class ServedClient;

/// How much a server takes and keeps, so that no client can hurt the program it runs in.
struct ServingLimits {
    std::size_t clients = 512;
    redis::RequestLimits request = {1024 * 1024, 64 * 1024 * 1024, 64 * 1024};
    std::size_t queryBytes = 128 * 1024 * 1024; ///< of one command while it arrives, and what MULTI queues
    std::size_t replyBytes = 64 * 1024 * 1024;  ///< that a client leaves unread: then it is cut off
    std::size_t totalBytes = 512 * 1024 * 1024; ///< both, of all clients: then who asks for more is cut off
    std::chrono::milliseconds stuck{30'000};    ///< reading nothing of what waits for it so long: cut off
};

struct ListenOptions {
    QHostAddress address{QHostAddress::LocalHost};
    std::uint16_t port = 0; ///< 0: any free one
    Secret password;        ///< of the user `default`; must be there unless the address is a loopback one
    ServingLimits limits = {};
};

/// Serves a keyspace over RESP2 and RESP3 to whoever connects. One event loop, no thread of its own: all of
/// one client's pipelined commands that have arrived run in one turn, then it is another's.
///
/// Only the loopback address can be served without a password. The host is kept alive as long as the server
/// is.
class StoreServer : public QObject, private redis::DeliveryPort {
    Q_OBJECT

public:
    explicit StoreServer(std::shared_ptr<CommandHost> host, QObject* parent = nullptr);
    ~StoreServer() override;

    Result<void> listen(const ListenOptions& options);
    /// Cuts all clients off and stops listening.
    void close();
    bool isListening() const { return m_listener.isListening(); }
    std::uint16_t port() const { return m_listener.serverPort(); }
    QHostAddress address() const { return m_listener.serverAddress(); }
    std::size_t clientCount() const { return m_clients.size(); }

    /// Something that no command of the client asked for just now. Ignored if it has left.
    void push(redis::ClientId client, const redis::Reply& message);

    /// Whether a client may end it all by SHUTDOWN: then shutDown() is emitted, in the next turn of the event
    /// loop.
    void allowShutDown() { m_mayShutDown = true; }

    /// Who can do what by this address and port, in a sentence.
    static QString exposureOf(const QHostAddress& address, std::uint16_t port);

signals:
    void clientCountChanged();
    /// A client was cut off for taking too much; a sentence for the log.
    void clientCutOff(const QString& why);
    void shutDown();

private:
    friend class ServedClient;

    void onDelivery(redis::ClientId client, const redis::Reply& reply) override { push(client, reply); }
    void onHangUp(redis::ClientId client) override;
    bool onShutDown() override;
    void accept(qintptr descriptor);
    void remove(ServedClient* client);
    void cutStuckClients();
    ServedClient* find(redis::ClientId client) const;
    /// False if the total is over the limit now.
    bool account(std::size_t before, std::size_t now);
    CommandHost& host() { return *m_host; }
    const ServingLimits& limits() const { return m_options.limits; }

    std::shared_ptr<CommandHost> m_host;
    ListenOptions m_options;
    Listener m_listener;
    QTimer m_watch;
    bool m_mayShutDown = false;
    std::unordered_map<redis::ClientId, ServedClient*> m_clients;
    redis::ClientId m_lastId = 0;
    std::size_t m_heldBytes = 0;
};

} // namespace lockscope::live
