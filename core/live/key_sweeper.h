// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "core/live/redis_connection.h"

namespace lockscope::live {

/// Deletes the keys that start with a prefix, by SCAN, a handful at a time, and nothing else.
class KeySweeper : public QObject {
    Q_OBJECT

public:
    /// The prefix must not be empty.
    KeySweeper(const RedisEndpoint& server, const QByteArray& prefix, QObject* parent = nullptr);

    void start();
    qint64 deleted() const { return m_deleted; }
    /// A pattern for SCAN that matches just what starts with the prefix, whatever characters it holds.
    static std::string patternFor(const QByteArray& prefix);

signals:
    /// Once. `ok` is false if the server could not be reached or refused.
    void finished(bool ok);

private:
    void scan(const std::string& cursor);
    void onScanned(const CallResult& result);
    void finish(bool ok);

    RedisConnection m_connection;
    RedisEndpoint m_server;
    QByteArray m_prefix;
    qint64 m_deleted = 0;
    bool m_finished = false;
};

} // namespace lockscope::live
