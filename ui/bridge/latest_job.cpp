// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/latest_job.h"

#include "core/search/probe_pool.h"

namespace lockscope::ui {

LatestJob::~LatestJob() {
    cancel();
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable()) m_thread.join();
}

void LatestJob::start(Job job) {
    auto order = std::make_shared<Order>();
    order->job = std::move(job);
    {
        const std::lock_guard lock(m_mutex);
        if (m_current) m_current->cancelled = true;
        m_current = order;
        m_next = std::move(order);
        if (!m_thread.joinable()) m_thread = std::thread([this] { work(); });
    }
    m_wake.notify_one();
}

void LatestJob::cancel() {
    const std::lock_guard lock(m_mutex);
    if (m_current) m_current->cancelled = true;
    m_current.reset();
    m_next.reset();
}

void LatestJob::work() {
    ProbePool pool;
    for (;;) {
        std::shared_ptr<Order> order;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_stop || m_next; });
            if (m_stop) return;
            order = std::move(m_next);
        }
        order->job(pool, order->cancelled);
    }
}

} // namespace lockscope::ui
