// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/probe_pool.h"

#include <algorithm>

namespace lockscope {

struct ProbePool::Job {
    const Scenario& base;
    std::size_t count;
    const std::atomic<bool>* cancel;
    const std::function<void(Probe&, Scenario&, std::size_t)>& work;
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stopped{false};
};

ProbePool::ProbePool(unsigned threads) {
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < threads; ++i)
        m_probes.push_back(std::make_unique<Probe>());
    for (unsigned i = 1; i < threads; ++i)
        m_helpers.emplace_back([this, i] { help(i); });
}

ProbePool::~ProbePool() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    for (std::thread& helper : m_helpers)
        helper.join();
}

bool ProbePool::forEach(const Scenario& base, std::size_t count, const std::atomic<bool>* cancel,
                        const std::function<void(Probe&, Scenario&, std::size_t)>& work) {
    Job job{base, count, cancel, work};
    {
        const std::lock_guard lock(m_mutex);
        m_job = &job;
        ++m_round;
        m_busy = static_cast<unsigned>(m_helpers.size());
    }
    m_wake.notify_all();
    drain(job, *m_probes[0]);
    std::unique_lock lock(m_mutex);
    m_idle.wait(lock, [this] { return m_busy == 0; });
    m_job = nullptr;
    return !job.stopped;
}

void ProbePool::help(std::size_t slot) {
    std::uint64_t seen = 0;
    for (;;) {
        Job* job = nullptr;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [&] { return m_stop || m_round != seen; });
            if (m_stop) return;
            seen = m_round;
            job = m_job;
        }
        drain(*job, *m_probes[slot]);
        {
            const std::lock_guard lock(m_mutex);
            --m_busy;
        }
        m_idle.notify_one();
    }
}

void ProbePool::drain(Job& job, Probe& probe) {
    // A copy per thread and round, not per run: only its interventions change from run to run.
    Scenario scenario = job.base;
    for (;;) {
        const std::size_t i = job.next.fetch_add(1, std::memory_order_relaxed);
        if (i >= job.count) return;
        if (job.cancel != nullptr && job.cancel->load(std::memory_order_relaxed)) {
            job.stopped = true;
            return;
        }
        job.work(probe, scenario, i);
    }
}

} // namespace lockscope
