// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

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
/// A member of the object that it works for, and its last one, so that it ends before what it tells changes.
/// All but the job itself is called on that object's thread.
class LatestJob {
    struct Order;

public:
    /// What a job knows of the order that it carries out.
    class Task {
    public:
        /// Stop soon: looked at between two simulations.
        const std::atomic<bool>& cancelled() const;
        /// Runs `what` on the owner's thread, unless start() or drop() has been called by then.
        void tell(std::function<void()> what) const;

    private:
        friend class LatestJob;
        Task(LatestJob& job, std::shared_ptr<Order> order) : m_job(job), m_order(std::move(order)) {}
        LatestJob& m_job;
        std::shared_ptr<Order> m_order;
    };

    /// Runs away from the owner's thread, so it owns all that it reads.
    using Job = std::function<void(ProbePool& pool, const Task& task)>;

    explicit LatestJob(QObject* owner) : m_owner(owner) {}
    /// Cancels, and waits for the simulation that is under way.
    ~LatestJob();
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    void start(Job job);
    /// Ends it early. What it has to tell of how far it came still arrives.
    void cancel();
    /// Ends it early, and nothing of it arrives any more.
    void drop();

private:
    struct Order {
        Job job;
        std::atomic<bool> cancelled{false};
    };
    void work();

    QObject* m_owner;
    std::shared_ptr<Order> m_latest; ///< whose news are wanted; of the owner's thread
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::shared_ptr<Order> m_next; ///< not begun yet
    bool m_stop = false;
    std::thread m_thread; ///< from the first start() on
};

} // namespace lockscope::ui
