// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/client_socket.h"

#include <QHostAddress>

#include <cerrno>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lockscope::live {

namespace {

/// What a call of the kernel gave: -1 only if it will never be better.
std::ptrdiff_t outcomeOf(ssize_t result) {
    if (result >= 0) return result;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
}

} // namespace

ClientSocket::ClientSocket(qintptr descriptor)
    : m_descriptor(static_cast<int>(descriptor)), m_reads(descriptor, QSocketNotifier::Read),
      m_writes(descriptor, QSocketNotifier::Write) {
    ::fcntl(m_descriptor, F_SETFL, ::fcntl(m_descriptor, F_GETFL) | O_NONBLOCK);
    ::fcntl(m_descriptor, F_SETFD, FD_CLOEXEC);
    const int on = 1;
    ::setsockopt(m_descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    m_writes.setEnabled(false);
    QObject::connect(&m_reads, &QSocketNotifier::activated, [this] { readable(); });
    QObject::connect(&m_writes, &QSocketNotifier::activated, [this] { writable(); });
}

ClientSocket::~ClientSocket() {
    close();
}

void ClientSocket::close() {
    if (!isOpen()) return;
    m_reads.setEnabled(false);
    m_writes.setEnabled(false);
    ::close(m_descriptor);
    m_descriptor = -1;
}

std::string ClientSocket::peer() const {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getpeername(m_descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return "?:0";
    const QString host = QHostAddress(reinterpret_cast<sockaddr*>(&address)).toString();
    const int port =
        ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                                            : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
    return (host.contains(':') ? "[" + host + "]" : host).toStdString() + ":" + std::to_string(port);
}

std::ptrdiff_t ClientSocket::read(std::span<char> room) {
    if (!isOpen()) return -1;
    const ssize_t came = ::recv(m_descriptor, room.data(), room.size(), 0);
    return came == 0 ? -1 : outcomeOf(came);
}

std::ptrdiff_t ClientSocket::send(std::string_view bytes) {
    if (!isOpen()) return -1;
    const std::ptrdiff_t took = outcomeOf(::send(m_descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    const bool more = took >= 0 && static_cast<std::size_t>(took) < bytes.size();
    if (m_writes.isEnabled() != more) m_writes.setEnabled(more);
    return took;
}

} // namespace lockscope::live
