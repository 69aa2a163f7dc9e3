// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/redis/entry.h"

namespace lockscope::redis {

/// The keys whose lease has not ended, or whose end was not told yet, by deadline. Redis has nothing of the
/// kind (it finds dead keys by touching or sampling them): this is how a run knows the instant at which a
/// lease ends.
///
/// A binary heap. Equal deadlines stand in the order in which they were set. Each entry knows its slot, so
/// that a renewal moves it in logarithmic time.
class LeaseQueue {
public:
    bool empty() const { return m_heap.empty(); }
    Entry& first() const { return *m_heap.front(); }

    /// Puts `entry` in, or to its new place after its deadline or order changed.
    void place(Entry& entry);
    /// Takes `entry` out if it is in.
    void remove(Entry& entry);
    void clear() { m_heap.clear(); }

private:
    static bool before(const Entry& a, const Entry& b) {
        return a.deadline != b.deadline ? a.deadline < b.deadline : a.order < b.order;
    }
    void set(std::size_t slot, Entry& entry) {
        m_heap[slot] = &entry;
        entry.queueSlot = slot;
    }
    void rise(std::size_t slot);
    void sink(std::size_t slot);

    std::vector<Entry*> m_heap;
};

} // namespace lockscope::redis
