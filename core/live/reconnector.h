// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <chrono>

#include "core/base/random.h"
#include "core/live/redis_connection.h"

namespace lockscope::live {

/// How long to wait before the next try: twice as long each time up to `most`, and up to a fifth less by
/// chance, so that many clients of one server do not come back at the same moment.
struct BackOff {
    std::chrono::milliseconds first{100};
    std::chrono::milliseconds most{5000};
};

/// Keeps a connection to a server up for as long as it is wanted. What is wrong for good (a password, a
/// certificate) is not tried again.
class Reconnector : public QObject {
    Q_OBJECT

public:
    explicit Reconnector(BackOff backOff = {}, std::uint64_t seed = 1, QObject* parent = nullptr);

    void open(const RedisEndpoint& endpoint);
    void close();
    /// From its next try on. A connection that there is stays.
    void redirect(const RedisEndpoint& endpoint) { m_endpoint = endpoint; }
    RedisConnection& connection() { return m_connection; }
    /// Waits no longer, if it waits.
    void tryNow();

signals:
    /// First of all, and after each gap.
    void up();
    /// Once at the start of each gap.
    void down(const ConnectionFailure& failure);
    /// Each failed try, with the wait before the next.
    void waiting(const ConnectionFailure& failure, std::chrono::milliseconds nextTry);
    /// It will not be tried again; down() came before unless it never was up.
    void gaveUp(const ConnectionFailure& failure);

private:
    void onFailed(const ConnectionFailure& failure);
    std::chrono::milliseconds nextWait();

    BackOff m_backOff;
    Random m_random;
    RedisConnection m_connection;
    RedisEndpoint m_endpoint;
    QTimer m_timer;
    int m_tries = 0;
};

} // namespace lockscope::live
