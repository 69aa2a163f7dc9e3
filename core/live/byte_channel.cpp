// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/byte_channel.h"

#include <QSslConfiguration>
#include <QTcpSocket>

namespace lockscope::live {

using Transport = RedisEndpoint::Transport;

/// Marks that the socket is on the stack.
class ByteChannel::Telling {
public:
    explicit Telling(ByteChannel& channel) : m_channel(channel) { ++m_channel.m_telling; }
    ~Telling() { --m_channel.m_telling; }
    Telling(const Telling&) = delete;
    Telling& operator=(const Telling&) = delete;

private:
    ByteChannel& m_channel;
};

void ByteChannel::Release::operator()(ByteChannel* channel) const {
    if (channel->m_telling == 0) {
        delete channel;
    } else {
        channel->deleteLater();
    }
}

ByteChannel::ByteChannel(const RedisEndpoint& endpoint) : m_endpoint(endpoint) {
    switch (endpoint.transport) {
    case Transport::UnixSocket:
        m_device = m_local = new QLocalSocket(this);
        break;
    case Transport::Tls:
        m_device = m_tcp = new QSslSocket(this);
        break;
    case Transport::Tcp:
        m_device = m_tcp = new QTcpSocket(this);
        break;
    }
    connect(m_device, &QIODevice::readyRead, this, [this] {
        if (m_over) return;
        const Telling telling(*this);
        emit readable();
    });
    if (m_local) {
        connect(m_local, &QLocalSocket::connected, this, &ByteChannel::openUp);
        connect(m_local, &QLocalSocket::errorOccurred, this, &ByteChannel::onLocalError);
        connect(m_local, &QLocalSocket::disconnected, this, [this] { breakUp(FailureKind::Closed, {}); });
    } else {
        connect(m_tcp, &QAbstractSocket::errorOccurred, this, &ByteChannel::onTcpError);
        connect(m_tcp, &QAbstractSocket::disconnected, this, [this] { breakUp(FailureKind::Closed, {}); });
    }
}

ByteChannel::~ByteChannel() {
    // A socket that is destroyed says goodbye by signals, to an object that is half gone.
    m_device->disconnect(this);
}

QString ByteChannel::localName() const {
    if (!m_tcp) return {};
    const QString address = m_tcp->localAddress().toString();
    return QStringLiteral("%1:%2")
        .arg(address.contains(':') ? '[' + address + ']' : address)
        .arg(m_tcp->localPort());
}

void ByteChannel::open() {
    QMetaObject::invokeMethod(this, &ByteChannel::start, Qt::QueuedConnection);
}

void ByteChannel::start() {
    const Telling telling(*this); // a unix socket fails within the call
    if (m_local) return m_local->connectToServer(m_endpoint.socketPath);
    if (auto* tls = qobject_cast<QSslSocket*>(m_tcp)) return startTls(*tls);
    connect(m_tcp, &QAbstractSocket::connected, this, &ByteChannel::openUp);
    m_tcp->connectToHost(m_endpoint.host, m_endpoint.port);
}

void ByteChannel::startTls(QSslSocket& socket) {
    if (!m_endpoint.caFile.isEmpty()) {
        const QList<QSslCertificate> authorities = QSslCertificate::fromPath(m_endpoint.caFile, QSsl::Pem);
        if (authorities.isEmpty()) return breakUp(FailureKind::CertificateFile, {});
        QSslConfiguration configuration = socket.sslConfiguration();
        configuration.setCaCertificates(authorities);
        socket.setSslConfiguration(configuration);
    }
    connect(&socket, &QAbstractSocket::connected, this, [this] { m_stage = ConnectionStage::Securing; });
    connect(&socket, &QSslSocket::encrypted, this, &ByteChannel::openUp);
    // Nothing is ignored: with any error the handshake ends. This only keeps the words for it.
    connect(&socket, &QSslSocket::sslErrors, this, [this](const QList<QSslError>& errors) {
        m_certificateProblem = errors.isEmpty() ? QString() : errors.first().errorString();
    });
    const QString name = m_endpoint.serverName.isEmpty() ? m_endpoint.host : m_endpoint.serverName;
    socket.connectToHostEncrypted(m_endpoint.host, m_endpoint.port, name);
}

void ByteChannel::openUp() {
    m_stage = ConnectionStage::Greeting;
    if (m_tcp) m_tcp->setSocketOption(QAbstractSocket::LowDelayOption, 1); // no effect before
    const Telling telling(*this);
    emit opened();
}

void ByteChannel::breakUp(FailureKind kind, const QString& detail) {
    if (m_over) return;
    m_over = true;
    const Telling telling(*this);
    emit broke({kind, m_stage, detail});
}

void ByteChannel::onTcpError(QAbstractSocket::SocketError error) {
    switch (error) {
    case QAbstractSocket::HostNotFoundError:
        return breakUp(FailureKind::Unresolvable, {});
    case QAbstractSocket::ConnectionRefusedError:
        return breakUp(FailureKind::Refused, {});
    case QAbstractSocket::RemoteHostClosedError:
        return breakUp(FailureKind::Closed, {});
    case QAbstractSocket::SocketTimeoutError:
        return breakUp(FailureKind::TimedOut, {});
    case QAbstractSocket::NetworkError:
        return breakUp(FailureKind::Unreachable, m_tcp->errorString());
    case QAbstractSocket::SslHandshakeFailedError:
        if (!m_certificateProblem.isEmpty()) return breakUp(FailureKind::Certificate, m_certificateProblem);
        return breakUp(FailureKind::NoTls, m_tcp->errorString());
    default:
        return breakUp(FailureKind::Unreachable, m_tcp->errorString());
    }
}

void ByteChannel::onLocalError(QLocalSocket::LocalSocketError error) {
    switch (error) {
    case QLocalSocket::ServerNotFoundError:
        return breakUp(FailureKind::NoSocket, {});
    case QLocalSocket::ConnectionRefusedError:
        return breakUp(FailureKind::Refused, {});
    case QLocalSocket::SocketAccessError:
        return breakUp(FailureKind::SocketForbidden, {});
    case QLocalSocket::PeerClosedError:
        return breakUp(FailureKind::Closed, {});
    default:
        return breakUp(FailureKind::Unreachable, m_local->errorString());
    }
}

} // namespace lockscope::live
