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
/// Of a client that waits no more than this is read ahead; the rest waits in the kernel, and then at the
/// sender.
constexpr std::size_t kReadAhead = 256 * 1024;
constexpr std::size_t kWriteChunk = 64 * 1024;

/// A web page can make a browser send a request to a local port; whatever commands hide in its body must not
/// run. Redis hangs up on these names, which no command has.
bool looksLikeHttp(std::string_view name) {
    return redis::equalsIgnoringCase(name, "post") || redis::equalsIgnoringCase(name, "host:");
}

} // namespace

ServedClient::ServedClient(StoreServer& server, qintptr descriptor, redis::ClientId id)
    : QObject(&server), m_server(server), m_socket(descriptor), m_id(id), m_address(m_socket.peer()),
      m_parser(server.limits().request) {
    m_authenticated = server.m_options.password.isEmpty();
    if (!m_authenticated) m_parser.setLimits(redis::RequestLimits::beforeAuthentication());
    m_lastRead.start();
    m_socket.readable = [this] { read(); };
    m_socket.writable = [this] { write(); };
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
    m_closing = true;
    m_socket.setReading(false);
    write();
}

void ServedClient::cutOff() {
    leave();
}

void ServedClient::cutOffSoon() {
    m_closing = true; // the store knows it no more: what it still sends must not make it a new client
    QMetaObject::invokeMethod(this, &ServedClient::cutOff, Qt::QueuedConnection);
}

void ServedClient::leave() {
    if (m_gone) return;
    m_gone = true;
    m_socket.close();
    emit closed();
}

std::size_t ServedClient::held() const {
    return m_accounted;
}

std::chrono::milliseconds ServedClient::stuckFor() const {
    return std::chrono::milliseconds(unsent() > 0 ? m_lastRead.elapsed() : 0);
}

// A client that waits for its reply is read too, to notice when it leaves; what it sends runs when it has it.
void ServedClient::read() {
    if (m_gone || m_closing) return;
    if (m_blocked && m_parser.held() >= kReadAhead) return m_socket.setReading(false);
    const std::ptrdiff_t came = m_socket.read(m_parser.prepare(kTurnBytes));
    if (came < 0) return leave();
    m_parser.commit(static_cast<std::size_t>(came));
    if (came > 0 && !m_blocked) runCommands();
}

void ServedClient::runCommands() {
    using Outcome = redis::RequestParser::Outcome;
    m_socket.setReading(true);
    while (!m_gone && !m_closing && !m_blocked) {
        const Outcome outcome = m_parser.next();
        if (outcome == Outcome::NeedMore) break;
        if (outcome == Outcome::Error) {
            answer(redis::Reply::error(m_parser.error()));
            return closeAfterWriting();
        }
        run(m_parser.arguments());
        if (unsent() >= kWriteChunk) write();
    }
    if (m_gone) return;
    if (m_closing) return closeAfterWriting();
    write();
}

void ServedClient::run(std::span<const std::string_view> args) {
    if (looksLikeHttp(args[0])) return cutOff();
    const redis::Reply& reply = m_server.host().execute(m_id, args);
    noteFacts(); // before the answer: HELLO's own reply is in the new protocol
    answer(reply);
}

void ServedClient::noteFacts() {
    const redis::Store::ClientFacts facts = m_server.host().factsOf(m_id);
    m_protocol = facts.protocol;
    m_blocked = facts.blocked;
    m_closing = m_closing || facts.closing;
    m_queued = facts.queuedBytes;
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

/// Sends what the peer takes of its replies, and sees to it that the rest does not pile up.
void ServedClient::write() {
    if (m_gone) return;
    if (unsent() > 0) {
        const std::ptrdiff_t took = m_socket.send(std::string_view(m_out).substr(m_sent));
        if (took < 0) return leave();
        if (took > 0) m_lastRead.restart();
        m_sent += static_cast<std::size_t>(took);
        if (unsent() == 0) {
            m_out.clear();
            m_sent = 0;
        } else if (m_sent > kWriteChunk) {
            m_out.erase(0, m_sent);
            m_sent = 0;
        }
    }
    if (m_closing && unsent() == 0) return leave();
    const std::size_t held = m_parser.held() + unsent() + m_queued;
    const bool fits = m_server.account(m_accounted, held);
    m_accounted = held;
    const ServingLimits& limits = m_server.limits();
    if (fits && unsent() <= limits.replyBytes && m_parser.held() + m_queued <= limits.queryBytes) return;
    emit m_server.clientCutOff(StoreServer::tr("%1 took too much memory: %2 MiB.")
                                   .arg(QString::fromStdString(m_address))
                                   .arg(held / 1024 / 1024));
    cutOff();
}

} // namespace lockscope::live
