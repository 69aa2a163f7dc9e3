// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include <string>

#include "core/live/redis_connection.h"
#include "core/trace/trace.h"
#include "core/world/load.h"

namespace lockscope::live {

/// Fills a cache on a real server: the SETs of a Load, one behind the other in a pipeline, on a connection of
/// its own. That one stays open afterwards, since what it takes counts as memory of the server: closed, it
/// would make room again. A server that refused some stays full: what buffers of its connections give back in
/// the course of time would let a few writes in, so its limit is put down by what they can give.
class ServerLoad : public QObject {
    Q_OBJECT

public:
    /// The keys are `cache:FIRST` and on. finished() or failed() follows, and nothing after it.
    ServerLoad(const RedisEndpoint& endpoint, const Load& load, int first, QObject* parent = nullptr);

signals:
    /// What the server answered, and what its INFO says of it.
    void finished(const lockscope::TraceLoad& told);
    void failed(const QString& why);

private:
    void askForCounts(void (ServerLoad::*then)(const std::string& info));
    void begin(const std::string& info);
    void sendMore();
    void onAnswer(const CallResult& result);
    void end(const std::string& info);
    void keepFull();

    Load m_load;
    int m_first;
    int m_sent = 0;
    int m_answered = 0;
    std::string m_value;
    std::string m_ttl;
    std::int64_t m_evictedBefore = 0;
    QElapsedTimer m_clock;
    TraceLoad m_told;
    RedisConnection m_connection;
};

} // namespace lockscope::live
