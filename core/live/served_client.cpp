// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/served_client.h"

#include <QHostAddress>

#include "core/live/store_server.h"
#include "core/redis/numbers.h"

namespace lockscope::live {

namespace {

/// Read in one turn, as Redis does it in the same order of size: a long pipeline does not starve the others.
constexpr std::size_t kTurnBytes = 64 * 1024;
/// Qt reads no more than this ahead; the rest waits in the kernel, and then at the sender.
constexpr qint64 kReadAhead = 256 * 1024;
constexpr std::size_t kWriteChunk = 64 * 1024;

std::string addressOf(const QTcpSocket& socket) {
    const QString host = socket.peerAddress().toString();
    return (host.contains(':') ? "[" + host + "]" : host).toStdString() + ":" +
           std::to_string(socket.peerPort());
}

/// A web page can make a browser send a request to a local port; whatever commands hide in its body must not
/// run. Redis hangs up on these names, which no command has.
bool looksLikeHttp(std::string_view name) {
    return redis::equalsIgnoringCase(name, "post") || redis::equalsIgnoringCase(name, "host:");
}

} // namespace

ServedClient::ServedClient(StoreServer& server, QTcpSocket* socket, redis::ClientId id)
    : QObject(&server), m_server(server), m_socket(socket), m_id(id), m_address(addressOf(*socket)),
      m_parser(server.limits().request) {
    m_socket->setParent(this);
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_socket->setReadBufferSize(kReadAhead);
    m_authenticated = server.m_options.password.isEmpty();
    if (!m_authenticated) m_parser.setLimits(redis::RequestLimits::beforeAuthentication());
    m_lastRead.start();
    connect(m_socket, &QTcpSocket::readyRead, this, &ServedClient::read);
    connect(m_socket, &QTcpSocket::bytesWritten, this, [this] { m_lastRead.restart(); });
    connect(m_socket, &QTcpSocket::disconnected, this, &ServedClient::leave);
    // Bytes that came before this object was there are not announced again.
    QMetaObject::invokeMethod(this, &ServedClient::read, Qt::QueuedConnection);
}

ServedClient::~ServedClient() {
    m_socket->disconnect(this);
}

void ServedClient::deliver(const redis::Reply& reply) {
    if (m_gone || !m_waiting) return;
    m_waiting = false;
    answer(reply);
    runCommands();
}

void ServedClient::push(const redis::Reply& reply) {
    if (m_gone) return;
    answer(reply);
    if (m_goOnQueued) return;
    m_goOnQueued = true;
    QMetaObject::invokeMethod(this, &ServedClient::goOn, Qt::QueuedConnection);
}

/// Sends what was pushed, and reads on if the client has what it waited for.
void ServedClient::goOn() {
    m_goOnQueued = false;
    if (m_gone) return;
    const bool wasBlocked = m_blocked;
    noteFacts();
    if (wasBlocked && !m_blocked)
        runCommands();
    else
        write();
}

void ServedClient::closeAfterWriting() {
    write();
    if (m_gone) return;
    m_closing = true;
    m_socket->disconnectFromHost();
}

void ServedClient::cutOff() {
    if (m_gone) return;
    m_socket->abort();
    leave(); // in case the socket did not say so
}

void ServedClient::cutOffSoon() {
    m_closing = true; // the store knows it no more: what it still sends must not make it a new client
    QMetaObject::invokeMethod(this, &ServedClient::cutOff, Qt::QueuedConnection);
}

void ServedClient::leave() {
    if (m_gone) return;
    m_gone = true;
    emit closed();
}

std::size_t ServedClient::held() const {
    return m_accounted;
}

std::chrono::milliseconds ServedClient::stuckFor() const {
    return std::chrono::milliseconds(m_socket->bytesToWrite() > 0 ? m_lastRead.elapsed() : 0);
}

void ServedClient::read() {
    m_turnQueued = false;
    // A client that waits for its reply is not read either: what it sends meanwhile stays with it.
    if (m_gone || m_closing || m_waiting || m_blocked) return;
    const std::span<char> room = m_parser.prepare(kTurnBytes);
    const qint64 came = m_socket->read(room.data(), static_cast<qint64>(room.size()));
    m_parser.commit(came > 0 ? static_cast<std::size_t>(came) : 0);
    if (came > 0) runCommands();
}

void ServedClient::runCommands() {
    using Outcome = redis::RequestParser::Outcome;
    while (!m_gone && !m_closing && !m_waiting && !m_blocked) {
        const Outcome outcome = m_parser.next();
        if (outcome == Outcome::NeedMore) break;
        if (outcome == Outcome::Error) {
            answer(redis::Reply::error(m_parser.error()));
            return closeAfterWriting();
        }
        run(m_parser.arguments());
        if (m_out.size() >= kWriteChunk) write();
    }
    if (m_gone) return;
    if (m_closing) return closeAfterWriting();
    write();
    if (m_gone || m_waiting || m_blocked || m_turnQueued || m_socket->bytesAvailable() == 0) return;
    m_turnQueued = true;
    QMetaObject::invokeMethod(this, &ServedClient::read, Qt::QueuedConnection);
}

void ServedClient::run(std::span<const std::string_view> args) {
    if (looksLikeHttp(args[0])) return cutOff();
    const redis::Reply* reply = m_server.host().execute(m_id, args);
    if (!reply) {
        m_waiting = true;
        return;
    }
    noteFacts(); // before the answer: HELLO's own reply is in the new protocol
    answer(*reply);
}

void ServedClient::noteFacts() {
    const redis::Store::ClientFacts facts = m_server.host().factsOf(m_id);
    m_protocol = facts.protocol;
    m_blocked = facts.blocked;
    m_closing = m_closing || facts.closing;
    if (facts.authenticated != m_authenticated) {
        m_authenticated = facts.authenticated;
        m_parser.setLimits(m_authenticated ? m_server.limits().request
                                           : redis::RequestLimits::beforeAuthentication());
    }
    if (facts.name != m_name) {
        m_name = facts.name;
        m_server.host().renamed(m_id, m_name);
    }
}

void ServedClient::answer(const redis::Reply& reply) {
    redis::encodeReply(reply, m_protocol, m_out);
}

/// Gives the replies to the socket, and sees to it that they do not pile up there.
void ServedClient::write() {
    if (m_gone) return;
    if (!m_out.empty()) {
        if (m_socket->bytesToWrite() == 0) m_lastRead.restart();
        m_socket->write(m_out.data(), static_cast<qint64>(m_out.size()));
        m_out.clear();
        m_socket->flush();
        if (m_gone) return;
    }
    const auto unread = static_cast<std::size_t>(m_socket->bytesToWrite());
    const std::size_t held = m_parser.held() + unread;
    const bool fits = m_server.account(m_accounted, held);
    m_accounted = held;
    if (fits && unread <= m_server.limits().replyBytes && m_parser.held() <= m_server.limits().queryBytes)
        return;
    emit m_server.clientCutOff(StoreServer::tr("%1 took too much memory: %2 MiB.")
                                   .arg(QString::fromStdString(m_address))
                                   .arg(held / 1024 / 1024));
    cutOff();
}

} // namespace lockscope::live
