// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/live/reconnector.h"

namespace lockscope::live {

/// Hears of keys that a server removes by itself, if it sends keyspace events. A lost connection is taken up
/// again.
class RemovalListener : public QObject {
    Q_OBJECT

public:
    RemovalListener();

    /// Before open(): keys of loads are not told of. The server has to send keyspace events of all kinds.
    void leaveLoadsOut() { m_besideLoads = true; }
    /// Only keys with that prefix, which is taken off.
    void open(const RedisEndpoint& endpoint, const QByteArray& prefix = {});
    void close() { m_link.close(); }
    /// The server is found there from now on. A connection that there is stays.
    void redirect(const RedisEndpoint& endpoint) { m_link.redirect(endpoint); }

signals:
    void keyRemoved(qint64 unixMicros, const QByteArray& key, bool evicted);

private:
    void listen();
    void listenBesideLoads(int database);
    void hear(const QByteArray& channel, const QByteArray& payload);

    Reconnector m_link;
    QByteArray m_prefix;
    bool m_besideLoads = false;
};

} // namespace lockscope::live
