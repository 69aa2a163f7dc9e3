// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/latest_job.h"

#include "core/search/probe_pool.h"

namespace lockscope::ui {

const std::atomic<bool>& LatestJob::Task::cancelled() const {
    return m_order->cancelled;
}

void LatestJob::Task::tell(std::function<void()> what) const {
    QMetaObject::invokeMethod(
        m_job.m_owner,
        [&job = m_job, order = m_order, what = std::move(what)] {
            if (order == job.m_latest) what();
        },
        Qt::QueuedConnection);
}

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
    cancel();
    m_latest = std::make_shared<Order>();
    m_latest->job = std::move(job);
    {
        const std::lock_guard lock(m_mutex);
        m_next = m_latest;
    }
    if (!m_thread.joinable()) m_thread = std::thread([this] { work(); });
    m_wake.notify_one();
}

void LatestJob::cancel() {
    if (m_latest) m_latest->cancelled = true;
}

void LatestJob::drop() {
    cancel();
    m_latest.reset();
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
        order->job(pool, Task(*this, order));
    }
}

} // namespace lockscope::ui
