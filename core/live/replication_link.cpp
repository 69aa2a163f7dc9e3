// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/replication_link.h"

#include <QTcpSocket>

#include <algorithm>

namespace lockscope::live {

namespace {

/// A loopback connection and two turns of an event loop take about that long by themselves.
constexpr std::chrono::milliseconds kOwnLag{1};

bool isOpen(const QTcpSocket& socket) {
    return socket.state() == QAbstractSocket::ConnectedState;
}

void release(QTcpSocket* socket) {
    socket->disconnect();
    socket->abort();
    socket->deleteLater(); // it may be in the middle of a signal
}

} // namespace

/// What one end has said and the other has not heard yet.
struct ReplicationLink::Way {
    QTcpSocket* from = nullptr;
    QTcpSocket* to = nullptr;
    struct Bytes {
        QByteArray bytes;
        Clock::time_point due;
    };
    std::deque<Bytes> under;
};

struct ReplicationLink::Pair {
    Way toPrimary;
    Way toReplica;

    Pair(QTcpSocket* replica, QTcpSocket* primary)
        : toPrimary{replica, primary, {}}, toReplica{primary, replica, {}} {}
    ~Pair() {
        release(toPrimary.from);
        release(toPrimary.to);
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;
};

ReplicationLink::ReplicationLink(quint16 primaryPort, QObject* parent)
    : QObject(parent), m_primaryPort(primaryPort) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, qOverload<>(&ReplicationLink::flush));
    connect(&m_server, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket* replica = m_server.nextPendingConnection())
            take(replica);
    });
}

ReplicationLink::~ReplicationLink() = default;

Result<void> ReplicationLink::listen() {
    if (m_server.isListening() || m_server.listen(QHostAddress::LocalHost)) return {};
    return Error{"there is no free port: " + m_server.errorString().toStdString()};
}

/// A new connection of the replica's takes the place of its last one.
void ReplicationLink::take(QTcpSocket* replica) {
    auto* primary = new QTcpSocket(this);
    replica->setParent(this);
    m_pair = std::make_unique<Pair>(replica, primary);
    replica->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    for (QTcpSocket* end : {replica, primary}) {
        connect(end, &QTcpSocket::disconnected, this, &ReplicationLink::drop);
        connect(end, &QTcpSocket::errorOccurred, this, &ReplicationLink::drop);
    }
    connect(replica, &QTcpSocket::readyRead, this, [this] { carry(m_pair->toPrimary); });
    connect(primary, &QTcpSocket::readyRead, this, [this] { carry(m_pair->toReplica); });
    connect(primary, &QTcpSocket::connected, this, [this, primary] {
        primary->setSocketOption(QAbstractSocket::LowDelayOption, 1); // before that there is nothing to set
        flush();
    });
    primary->connectToHost(QHostAddress(QHostAddress::LocalHost), m_primaryPort);
}

void ReplicationLink::carry(Way& way) {
    const auto due = Clock::now() + (m_lag > kOwnLag ? m_lag : std::chrono::microseconds{0});
    way.under.push_back({way.from->readAll(), due});
    flush();
}

void ReplicationLink::flush() {
    if (!m_pair || m_cut) return;
    const auto now = Clock::now();
    flush(m_pair->toPrimary, now);
    flush(m_pair->toReplica, now);
    auto next = Clock::time_point::max();
    for (const Way* way : {&m_pair->toPrimary, &m_pair->toReplica})
        if (!way->under.empty() && isOpen(*way->to)) next = std::min(next, way->under.front().due);
    if (next != Clock::time_point::max())
        m_timer.start(
            std::max(std::chrono::milliseconds{0}, std::chrono::ceil<std::chrono::milliseconds>(next - now)));
}

void ReplicationLink::flush(Way& way, Clock::time_point now) {
    if (!isOpen(*way.to)) return;
    while (!way.under.empty() && way.under.front().due <= now) {
        way.to->write(way.under.front().bytes);
        way.under.pop_front();
    }
}

void ReplicationLink::cut() {
    m_cut = true;
    m_timer.stop();
}

void ReplicationLink::mend() {
    m_cut = false;
    flush();
}

void ReplicationLink::drop() {
    m_pair.reset();
}

} // namespace lockscope::live
