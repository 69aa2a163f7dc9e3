// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace lockscope {
class ProbePool;
}

namespace lockscope::ui {

/// A thread with a pool of probes that works on one thing at a time: the latest that was asked of it. What it
/// worked on before is told to stop, and nobody waits for that.
///
/// A job runs away from the window's thread: it owns all that it reads, looks at `cancelled` often (pools and
/// searches do so between two simulations), and hands its results over as queued calls. Results of a job that
/// was replaced may still arrive after start(); whoever takes them must tell them apart.
class LatestJob {
public:
    using Job = std::function<void(ProbePool& pool, const std::atomic<bool>& cancelled)>;

    LatestJob() = default;
    /// Cancels, and waits for the simulation that is under way.
    ~LatestJob();
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    void start(Job job);
    void cancel();

private:
    struct Order {
        Job job;
        std::atomic<bool> cancelled{false};
    };
    void work();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::shared_ptr<Order> m_next;    ///< not begun yet
    std::shared_ptr<Order> m_current; ///< the latest, begun or not; null once it is cancelled
    bool m_stop = false;
    std::thread m_thread; ///< from the first start() on
};

} // namespace lockscope::ui
