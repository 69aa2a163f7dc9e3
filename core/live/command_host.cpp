// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/command_host.h"

#include <algorithm>
#include <chrono>

namespace lockscope::live {

WallClockHost::WallClockHost(redis::StoreOptions options, redis::StoreObserver* observer)
    : m_store(options, observer) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &WallClockHost::letTimePass);
}

void WallClockHost::serveAs(const redis::Serving& serving, const Secret& password) {
    const QByteArray& text = password.reveal();
    m_store.serveAs(serving, {text.data(), static_cast<std::size_t>(text.size())});
}

void WallClockHost::attached(redis::ClientId client, std::string_view address) {
    m_store.connect(client, address, now());
    armTimer();
}

const redis::Reply& WallClockHost::execute(redis::ClientId client, std::span<const std::string_view> args) {
    m_store.advance(now());
    const redis::Reply& reply = m_store.execute(client, args, m_now);
    armTimer();
    return reply;
}

std::int64_t WallClockHost::now() {
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    m_now =
        std::max(m_now, std::int64_t{std::chrono::duration_cast<std::chrono::microseconds>(wall).count()});
    return m_now;
}

void WallClockHost::letTimePass() {
    m_due = 0;
    m_store.advance(now());
    armTimer();
}

void WallClockHost::armTimer() {
    const std::int64_t due = m_store.nextDeadline().value_or(0);
    if (due == m_due) return; // most commands leave it as it was
    m_due = due;
    if (due == 0) return m_timer.stop();
    const std::int64_t wait = std::max<std::int64_t>(0, due - m_now);
    m_timer.start(std::chrono::milliseconds(std::min<std::int64_t>(wait / 1000 + 1, 60'000)));
}

} // namespace lockscope::live
