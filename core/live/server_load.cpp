// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/server_load.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/live/info_number.h"

namespace lockscope::live {

namespace {

/// So many are under way at once. A longer pipeline is no faster, and takes memory of the server's own.
constexpr int kUnderWay = 256;

/// What the buffers of a handful of connections give back when they are not used: 16 KB each way.
constexpr std::int64_t kOfBuffers = 256 << 10;

} // namespace

ServerLoad::ServerLoad(const RedisEndpoint& endpoint, const Load& load, int first, QObject* parent)
    : QObject(parent), m_load(load), m_first(first), m_value(static_cast<std::size_t>(load.bytes), 'x'),
      m_ttl(std::to_string(load.ttl.count() / 1000)) {
    m_told.writes = load.writes;
    connect(&m_connection, &RedisConnection::ready, this, [this] { askForCounts(&ServerLoad::begin); });
    connect(&m_connection, &RedisConnection::failed, this,
            [this, endpoint](const ConnectionFailure& failure) { emit failed(describe(failure, endpoint)); });
    m_connection.open(endpoint);
}

void ServerLoad::askForCounts(void (ServerLoad::*then)(const std::string& info)) {
    constexpr std::array<std::string_view, 1> kInfo{"INFO"};
    m_connection.send(kInfo, [this, then](const CallResult& result) {
        if (result.reply) (this->*then)(result.reply->text);
    });
}

void ServerLoad::begin(const std::string& info) {
    m_evictedBefore = infoNumber(info, "evicted_keys");
    m_clock.start();
    sendMore();
}

void ServerLoad::sendMore() {
    for (; m_sent < m_load.writes && m_sent - m_answered < kUnderWay; ++m_sent) {
        const std::string key = std::string(kLoadPrefix) + std::to_string(m_first + m_sent);
        std::vector<std::string_view> command{"SET", key, m_value};
        if (m_load.ttl > Duration{0}) command.insert(command.end(), {"PX", m_ttl});
        m_connection.send(command, [this](const CallResult& result) { onAnswer(result); });
    }
}

void ServerLoad::onAnswer(const CallResult& result) {
    if (!result.reply) return; // the connection is gone, and failed() says so
    ++m_answered;
    if (result.reply->isError() && ++m_told.refused == 1) m_told.firstRefused = m_answered;
    if (m_answered == m_load.writes) return askForCounts(&ServerLoad::end);
    if (m_sent - m_answered <= kUnderWay / 2) sendMore();
}

void ServerLoad::end(const std::string& info) {
    // From here on the connection only takes its place.
    disconnect(&m_connection, &RedisConnection::failed, this, nullptr);
    m_told.evicted = infoNumber(info, "evicted_keys") - m_evictedBefore;
    m_told.usedBytes = infoNumber(info, "used_memory");
    m_told.limitBytes = infoNumber(info, "maxmemory");
    m_told.took = std::chrono::duration_cast<Duration>(std::chrono::nanoseconds(m_clock.nsecsElapsed()));
    if (m_told.refused > 0) keepFull();
    emit finished(m_told);
}

void ServerLoad::keepFull() {
    const std::string limit = std::to_string(std::max<std::int64_t>(m_told.limitBytes - kOfBuffers, 1));
    const std::array<std::string_view, 4> args{"CONFIG", "SET", "maxmemory", limit};
    m_connection.send(args, [](const CallResult&) {});
}

} // namespace lockscope::live
