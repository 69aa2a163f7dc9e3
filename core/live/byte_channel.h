// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIODevice>
#include <QLocalSocket>
#include <QSslSocket>

#include <memory>

#include "core/live/connection_failure.h"
#include "core/live/redis_url.h"

namespace lockscope::live {

/// A stream of bytes to an endpoint, whatever carries it: TCP, TLS or a unix socket. One channel lives for
/// one connection. Its owner hears of exactly one of opened() and broke() first, and of nothing after
/// broke().
class ByteChannel : public QObject {
    Q_OBJECT

public:
    explicit ByteChannel(const RedisEndpoint& endpoint);
    ~ByteChannel() override;

    /// Deletes it: at once, or later if it is just telling its owner something, since a socket must not go in
    /// the middle of its own signal.
    struct Release {
        void operator()(ByteChannel* channel) const;
    };
    using Owner = std::unique_ptr<ByteChannel, Release>;

    /// Nothing is signalled before control is back in the event loop.
    void open();
    void write(const char* bytes, qint64 size) { m_device->write(bytes, size); }
    QByteArray readAll() { return m_device->readAll(); }
    /// Connecting, Securing or Greeting: how far it has come by itself.
    ConnectionStage stage() const { return m_stage; }
    /// This end's address and port, as a server shows its clients; empty on a unix socket.
    QString localName() const;

signals:
    void opened();
    void readable();
    void broke(const ConnectionFailure& failure);

private:
    class Telling;

    void start();
    void startTls(QSslSocket& socket);
    void openUp();
    void breakUp(FailureKind kind, const QString& detail);
    void onTcpError(QAbstractSocket::SocketError error);
    void onLocalError(QLocalSocket::LocalSocketError error);

    RedisEndpoint m_endpoint;
    QIODevice* m_device = nullptr; ///< a child
    QAbstractSocket* m_tcp = nullptr;
    QLocalSocket* m_local = nullptr;
    ConnectionStage m_stage = ConnectionStage::Connecting;
    QString m_certificateProblem;
    int m_telling = 0; ///< depth of signals that are being delivered
    bool m_over = false;
};

} // namespace lockscope::live
