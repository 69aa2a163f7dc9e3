// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/reconnector.h"

#include <QPointer>

#include <algorithm>

namespace lockscope::live {

Reconnector::Reconnector(BackOff backOff, std::uint64_t seed, QObject* parent)
    : QObject(parent), m_backOff(backOff), m_random(seed) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { m_connection.open(m_endpoint); });
    connect(&m_connection, &RedisConnection::failed, this, &Reconnector::onFailed);
    connect(&m_connection, &RedisConnection::ready, this, [this] {
        m_tries = 0;
        emit up();
    });
}

void Reconnector::open(const RedisEndpoint& endpoint) {
    close();
    m_endpoint = endpoint;
    m_connection.open(endpoint);
}

void Reconnector::close() {
    m_timer.stop();
    m_tries = 0;
    m_connection.close();
}

void Reconnector::tryNow() {
    if (m_timer.isActive()) m_timer.start(0);
}

void Reconnector::onFailed(const ConnectionFailure& failure) {
    const QPointer<Reconnector> alive(this);
    if (failure.stage == ConnectionStage::Ready) emit down(failure);
    // Whoever heard that may have closed or reopened it, or let it go.
    if (!alive || m_connection.stage() != ConnectionStage::Closed) return;
    if (!failure.mayPass()) {
        emit gaveUp(failure);
        return;
    }
    const std::chrono::milliseconds wait = nextWait();
    m_timer.start(wait);
    emit waiting(failure, wait);
}

std::chrono::milliseconds Reconnector::nextWait() {
    const int doublings = std::min(m_tries++, 20);
    const std::int64_t full =
        std::min<std::int64_t>(m_backOff.first.count() << doublings, m_backOff.most.count());
    return std::chrono::milliseconds(
        full - static_cast<std::int64_t>(m_random.below(static_cast<std::uint64_t>(full) / 5 + 1)));
}

} // namespace lockscope::live
