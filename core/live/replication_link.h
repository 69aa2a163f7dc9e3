// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QTcpServer>
#include <QTimer>

#include <chrono>
#include <deque>
#include <memory>

#include "core/base/result.h"

class QTcpSocket;

namespace lockscope::live {

/// The way from a replica to its primary and back, which can be made long, and be cut: the replica connects
/// to a loopback port of this process, and what the two say to each other is carried from here.
///
/// What is on the way when the link is cut comes when it is whole again, in order, as what Redis keeps in its
/// backlog does. When the primary dies, what is on the way is lost with it.
class ReplicationLink : public QObject {
    Q_OBJECT

public:
    /// To a primary on that port of the loopback address, whoever it is and even if nobody is there yet.
    explicit ReplicationLink(quint16 primaryPort, QObject* parent = nullptr);
    ~ReplicationLink() override;

    Result<void> listen();
    /// Where the replica finds its primary.
    quint16 port() const { return m_server.serverPort(); }

    /// So long everything is under way from now on, each way. What is nearer than a loopback connection by
    /// itself is not kept back at all.
    void setLag(std::chrono::microseconds lag) { m_lag = lag; }
    void cut();
    void mend();
    /// The primary has died: what is under way is lost, and the replica's connection ends.
    void drop();

private:
    using Clock = std::chrono::steady_clock;
    /// Both ends of one connection.
    struct Pair;
    struct Way;

    void take(QTcpSocket* replica);
    void carry(Way& way);
    void flush();
    void flush(Way& way, Clock::time_point now);

    quint16 m_primaryPort;
    QTcpServer m_server;
    QTimer m_timer;
    std::chrono::microseconds m_lag{0};
    bool m_cut = false;
    std::unique_ptr<Pair> m_pair; ///< a replica has one connection
};

} // namespace lockscope::live
