// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include <chrono>
#include <span>
#include <string>

#include "core/live/client_socket.h"
#include "core/redis/resp.h"
#include "core/redis/store.h"

namespace lockscope::live {

class StoreServer;

/// One attached client: its socket, what it has sent and not yet been answered, what it has not yet read.
/// Made and owned by the StoreServer; closed() comes once, and nothing is run for it afterwards.
class ServedClient : public QObject {
    Q_OBJECT

public:
    ServedClient(StoreServer& server, qintptr descriptor, redis::ClientId id);

    redis::ClientId id() const { return m_id; }
    /// "127.0.0.1:50123"
    const std::string& address() const { return m_address; }
    /// Something it did not ask for now: a message, a line of MONITOR, what a BLPOP waited for. Sent in the
    /// next turn of the event loop, because it may come from within the store.
    void push(const redis::Reply& reply);
    /// Not heard any more; what it has been answered still goes out.
    void closeAfterWriting();
    /// At once, without a word.
    void cutOff();
    /// In the next turn of the event loop.
    void cutOffSoon();

    /// Bytes of memory that its requests and unread replies take.
    std::size_t held() const;
    /// How long it has left replies unread without taking any of them; zero if it has none.
    std::chrono::milliseconds stuckFor() const;

signals:
    void closed();

private:
    void read();
    void runCommands();
    void run(std::span<const std::string_view> args);
    void noteFacts();
    void answer(const redis::Reply& reply);
    void goOn();
    void write();
    void leave();
    /// For a reply, so that no further command may run.
    std::size_t unsent() const { return m_out.size() - m_sent; }

    StoreServer& m_server;
    ClientSocket m_socket;
    redis::ClientId m_id;
    std::string m_address;
    std::string m_name; ///< by CLIENT SETNAME
    redis::Protocol m_protocol = redis::Protocol::Resp2;
    bool m_authenticated = true;
    bool m_closing = false; ///< it said QUIT: no more commands of it are run
    redis::RequestParser m_parser;
    std::string m_out;        ///< answered …
    std::size_t m_sent = 0;   ///< … and that much of it sent
    QElapsedTimer m_lastRead; ///< since the peer last took some bytes, or all were taken
    std::size_t m_queued = 0; ///< that its transaction takes in the store
    std::size_t m_accounted = 0;
    bool m_blocked = false; ///< by a command that waits in the store
    bool m_goOnQueued = false;
    bool m_gone = false;
};

} // namespace lockscope::live
