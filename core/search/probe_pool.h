// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/search/probe.h"

namespace lockscope {

/// A few probes on threads of their own, so that many small runs share the machine's cores.
/// The caller of forEach() works too; with one core there is no second thread at all.
class ProbePool {
public:
    /// `threads` 0: as many as the machine has cores.
    explicit ProbePool(unsigned threads = 0);
    ~ProbePool();
    ProbePool(const ProbePool&) = delete;
    ProbePool& operator=(const ProbePool&) = delete;

    /// Calls `work(probe, scenario, i)` for every i in [0, count), in any order, on all threads, and returns
    /// when all are done. `scenario` is a copy of `base` that belongs to the calling thread: `work` may
    /// change its interventions and nothing else. Stops early, between two calls, once `cancel` is true; then
    /// returns false.
    bool forEach(const Scenario& base, std::size_t count, const std::atomic<bool>* cancel,
                 const std::function<void(Probe&, Scenario&, std::size_t)>& work);

    unsigned threads() const { return static_cast<unsigned>(m_helpers.size()) + 1; }

private:
    struct Job;
    void help(std::size_t slot);
    void drain(Job& job, Probe& probe);

    std::vector<std::unique_ptr<Probe>> m_probes; ///< [0] is the caller's
    std::vector<std::thread> m_helpers;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_idle;
    Job* m_job = nullptr;
    std::uint64_t m_round = 0;
    unsigned m_busy = 0;
    bool m_stop = false;
};

} // namespace lockscope
