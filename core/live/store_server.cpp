// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/store_server.h"

#include "core/live/served_client.h"

namespace lockscope::live {

namespace {

/// That may wait to be taken, as in redis-server; the system may allow fewer.
constexpr int kWaitingConnections = 511;

constexpr std::chrono::milliseconds kWatchInterval{250};

} // namespace

StoreServer::StoreServer(std::shared_ptr<CommandHost> host, QObject* parent)
    : QObject(parent), m_host(std::move(host)) {
    m_host->deliverTo(this);
    m_listener.arrived = [this](qintptr descriptor) { accept(descriptor); };
    connect(&m_watch, &QTimer::timeout, this, &StoreServer::cutStuckClients);
}

StoreServer::~StoreServer() {
    close();
    m_host->deliverTo(nullptr);
}

Result<void> StoreServer::listen(const ListenOptions& options) {
    close();
    if (!options.address.isLoopback() && options.password.isEmpty()) {
        return Error{"serving on " + options.address.toString().toStdString() +
                     " lets other machines in: that needs a password; without one only 127.0.0.1 is served"};
    }
    m_listener.setListenBacklogSize(kWaitingConnections);
    if (!m_listener.listen(options.address, options.port)) {
        return Error{"cannot serve on " + options.address.toString().toStdString() + " port " +
                     std::to_string(options.port) + ": " + m_listener.errorString().toStdString()};
    }
    m_options = options;
    const std::string where = address().toString().toStdString();
    m_host->serveAs({.address = where,
                     .port = port(),
                     .needsPassword = !address().isLoopback(),
                     .clients = limits().clients,
                     .argumentBytes = limits().request.argumentBytes,
                     .queryBytes = limits().queryBytes,
                     .unreadBytes = limits().replyBytes},
                    options.password);
    m_watch.start(kWatchInterval);
    return {};
}

void StoreServer::close() {
    m_listener.close();
    m_watch.stop();
    while (!m_clients.empty())
        m_clients.begin()->second->cutOff();
}

QString StoreServer::exposureOf(const QHostAddress& address, std::uint16_t port) {
    if (address.isLoopback()) {
        return tr("Every program on this machine can read and change the keys of this run by port %1.")
            .arg(port);
    }
    const bool any =
        address == QHostAddress::AnyIPv4 || address == QHostAddress::AnyIPv6 || address == QHostAddress::Any;
    return tr("Everybody who reaches %1 port %2 and knows the password can read and change the keys of this "
              "run. "
              "What they send, the password too, is not encrypted.")
        .arg(any ? tr("any address of this machine,") : address.toString())
        .arg(port);
}

void StoreServer::accept(qintptr descriptor) {
    if (m_clients.size() >= limits().clients) {
        ClientSocket(descriptor).send("-ERR max number of clients reached\r\n");
        return;
    }
    const redis::ClientId id = ++m_lastId;
    auto* client = new ServedClient(*this, descriptor, id);
    m_clients.emplace(id, client);
    connect(client, &ServedClient::closed, this, [this, client] { remove(client); });
    m_host->attached(id, client->address());
    emit clientCountChanged();
}

void StoreServer::remove(ServedClient* client) {
    account(client->held(), 0);
    m_clients.erase(client->id());
    m_host->detached(client->id());
    client->deleteLater();
    emit clientCountChanged();
}

void StoreServer::cutStuckClients() {
    std::vector<ServedClient*> stuck;
    for (const auto& [id, client] : m_clients) {
        if (client->stuckFor() > limits().stuck) stuck.push_back(client);
    }
    for (ServedClient* client : stuck) {
        emit clientCutOff(tr("%1 read none of its replies for %2 s.")
                              .arg(QString::fromStdString(client->address()))
                              .arg(static_cast<double>(limits().stuck.count()) / 1000));
        client->cutOff();
    }
}

ServedClient* StoreServer::find(redis::ClientId client) const {
    const auto found = m_clients.find(client);
    return found == m_clients.end() ? nullptr : found->second;
}

void StoreServer::push(redis::ClientId client, const redis::Reply& message) {
    if (ServedClient* found = find(client)) found->push(message);
}

void StoreServer::onHangUp(redis::ClientId client) {
    if (ServedClient* found = find(client)) found->cutOffSoon();
}

bool StoreServer::onShutDown() {
    if (m_mayShutDown) QMetaObject::invokeMethod(this, &StoreServer::shutDown, Qt::QueuedConnection);
    return m_mayShutDown;
}

bool StoreServer::account(std::size_t before, std::size_t now) {
    m_heldBytes = m_heldBytes - before + now;
    return m_heldBytes <= limits().totalBytes;
}

} // namespace lockscope::live
