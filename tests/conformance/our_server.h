// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <string>
#include <vector>

#include "core/redis/resp.h"
#include "core/redis/store.h"
#include "tests/conformance/real_server.h"
#include "tests/conformance/resp_reader.h"

namespace lockscope::redis {

using Words = std::vector<std::string>;
using Commands = std::vector<Words>;

inline constexpr std::int64_t kStart = 1'700'000'000'000'000;

/// A store with a clock, fed with words.
class OurServer {
public:
    explicit OurServer(std::uint64_t seed = 1) {
        StoreOptions options;
        options.seed = seed;
        options.activeExpiry = false;
        m_store.reset(options);
    }
    Store& store() { return m_store; }
    std::int64_t now() const { return m_now; }
    void setClock(std::int64_t micros) {
        m_now = micros;
        m_store.advance(micros);
    }
    Reply execute(const Words& words, ClientId client = 0) {
        const Reply& reply =
            m_store.execute(client, std::vector<std::string_view>(words.begin(), words.end()), m_now);
        if (reply.type == Reply::Type::None) return reply; // it comes later
        std::string bytes;
        encodeReply(reply, Protocol::Resp2, bytes);
        return takeReply(bytes).value();
    }
    std::int64_t used() { return static_cast<std::int64_t>(m_store.memoryUse().used); }
    std::int64_t evicted() { return static_cast<std::int64_t>(m_store.memoryUse().evictedKeys); }

private:
    Store m_store;
    std::int64_t m_now = kStart;
};

/// A real server as just started: empty, without a limit, and none of its keys expires by itself.
inline void startAfresh(RealServer& real) {
    real.setClock(kStart);
    for (const Words& words : Commands{{"CONFIG", "SET", "maxmemory", "0"},
                                       {"CONFIG", "SET", "maxmemory-policy", "noeviction"},
                                       {"DEBUG", "SET-ACTIVE-EXPIRE", "0"},
                                       // Messages that nobody reads would take memory as well.
                                       {"CONFIG", "SET", "notify-keyspace-events", ""},
                                       {"FLUSHALL"},
                                       {"SCRIPT", "FLUSH"},
                                       {"CONFIG", "RESETSTAT"}})
        if (real.execute(words).type != Reply::Type::Status) qFatal("redis-server does not start afresh");
}

/// Runs the same commands on both, in order. Empty if all replies are equal, else the first that is not.
inline QByteArray firstDifference(RealServer& real, OurServer& ours, const Commands& commands) {
    for (const Words& words : commands) {
        const std::string theirs = display(real.execute(words), 400);
        const std::string reply = display(ours.execute(words), 400);
        if (reply == theirs) continue;
        std::string line;
        for (const std::string& word : words)
            line += word.substr(0, 100) + " ";
        return QByteArray::fromStdString(line + "\n  redis-server: " + theirs + "\n  store:        " + reply);
    }
    return {};
}

} // namespace lockscope::redis
