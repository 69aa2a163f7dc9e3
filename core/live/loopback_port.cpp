// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/loopback_port.h"

#include <QRandomGenerator>
#include <QTcpServer>

#include <algorithm>
#include <cstddef>
#include <string>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockscope::live {

namespace {

constexpr int kFirst = 20'000;
constexpr int kBehind = 32'000; // from 32768 on they are the system's

/// An abstract name, which has no file and goes with its socket. -1 if another process has it.
int claim(quint16 port) {
    const std::string name = "lockscope-port-" + std::to_string(port);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy(name.begin(), name.end(), address.sun_path + 1); // the first byte stays 0
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    const int handle = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (handle >= 0 && ::bind(handle, reinterpret_cast<const sockaddr*>(&address), size) == 0) return handle;
    if (handle >= 0) ::close(handle);
    return -1;
}

} // namespace

Result<LoopbackPort> LoopbackPort::take() {
    QString why = QStringLiteral("all are taken");
    for (int tries = 0; tries < 100; ++tries) {
        const auto number = static_cast<quint16>(QRandomGenerator::system()->bounded(kFirst, kBehind));
        LoopbackPort port(number, claim(number));
        QTcpServer listens;
        if (port.m_claim >= 0 && listens.listen(QHostAddress::LocalHost, number)) return port;
        if (!listens.errorString().isEmpty()) why = listens.errorString();
    }
    return Error{"there is no free port: " + why.toStdString()};
}

LoopbackPort::~LoopbackPort() {
    if (m_claim >= 0) ::close(m_claim);
}

} // namespace lockscope::live
