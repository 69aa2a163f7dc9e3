// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSocketNotifier>
#include <QTcpServer>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::live {

/// A listener that hands over connections as they are, without a socket object around them.
class Listener : public QTcpServer {
public:
    std::function<void(qintptr)> arrived;

protected:
    void incomingConnection(qintptr descriptor) override { arrived(descriptor); }
};

/// The TCP connection of a client that is served: on the event loop, with one system call to read and one to
/// write.
///
/// QTcpSocket reads ahead into a buffer of its own, asks the kernel before each read how much there is, and
/// takes its write notifier in and out of the loop for every reply: together two thirds of what a served
/// command cost (tests/bench/served tells). Here the bytes go straight between the kernel and the parser, and
/// the loop hears of writing only when a client reads too slowly.
class ClientSocket {
public:
    explicit ClientSocket(qintptr descriptor);
    ~ClientSocket();
    ClientSocket(const ClientSocket&) = delete;
    ClientSocket& operator=(const ClientSocket&) = delete;

    std::function<void()> readable; ///< there is something, or the end
    std::function<void()> writable; ///< after send() could not take everything

    /// "127.0.0.1:50123"
    std::string peer() const;
    /// How many bytes came; 0: none now; -1: the connection is at its end.
    std::ptrdiff_t read(std::span<char> room);
    /// How many bytes the kernel took; -1: nobody will read them any more.
    std::ptrdiff_t send(std::string_view bytes);
    /// Off: what comes stays with the kernel, and then with the sender.
    void setReading(bool on) { m_reads.setEnabled(on && isOpen()); }
    void close();
    bool isOpen() const { return m_descriptor >= 0; }

private:
    int m_descriptor;
    QSocketNotifier m_reads;
    QSocketNotifier m_writes;
};

} // namespace lockscope::live
