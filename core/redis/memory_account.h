// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/redis/entry.h"
#include "core/redis/memory_settings.h"

namespace lockscope::redis {

/// What the keys take, summed up as they change. Nothing is counted until somebody asks: then all keys are
/// gone over once, and from there on each write costs one addition.
class MemoryAccount {
public:
    void reset() { *this = {}; }

    const MemorySettings& settings() const { return m_settings; }
    void configure(const MemorySettings& settings) {
        m_settings = settings;
        // With LRU and LFU each value needs a head of its own, to note its use in.
        m_sharesNumbers =
            settings.limit == 0 || (!evictsByRecency(settings.policy) && !evictsByFrequency(settings.policy));
    }
    bool sharesNumbers() const { return m_sharesNumbers; }

    bool isOn() const { return m_on; }
    void turnOn() { m_on = true; }

    /// After its value came or changed.
    void count(Entry& entry) {
        if (m_on) recount(entry);
    }
    /// Before it goes.
    void release(Entry& entry) {
        m_entries -= entry.memory;
        entry.memory = 0;
    }
    std::size_t entries() const { return m_entries; }

    /// What the server takes apart from its keys.
    void setElsewhere(std::size_t bytes) { m_elsewhere = bytes; }
    std::size_t elsewhere() const { return m_elsewhere; }

private:
    void recount(Entry& entry);

    MemorySettings m_settings;
    std::size_t m_entries = 0;
    std::size_t m_elsewhere = 0;
    bool m_on = false;
    bool m_sharesNumbers = true;
};

} // namespace lockscope::redis
