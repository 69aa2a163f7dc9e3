// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/lease_queue.h"

namespace lockscope::redis {

void LeaseQueue::place(Entry& entry) {
    if (entry.queueSlot == Entry::kNotQueued) {
        m_heap.push_back(&entry);
        entry.queueSlot = m_heap.size() - 1;
    }
    rise(entry.queueSlot);
    sink(entry.queueSlot);
}

void LeaseQueue::remove(Entry& entry) {
    const std::size_t slot = entry.queueSlot;
    if (slot == Entry::kNotQueued) return;
    Entry& last = *m_heap.back();
    m_heap.pop_back();
    entry.queueSlot = Entry::kNotQueued;
    if (&last == &entry) return;
    set(slot, last);
    rise(slot);
    sink(last.queueSlot);
}

void LeaseQueue::rise(std::size_t slot) {
    Entry& entry = *m_heap[slot];
    while (slot > 0 && before(entry, *m_heap[(slot - 1) / 2])) {
        set(slot, *m_heap[(slot - 1) / 2]);
        slot = (slot - 1) / 2;
    }
    set(slot, entry);
}

void LeaseQueue::sink(std::size_t slot) {
    Entry& entry = *m_heap[slot];
    while (true) {
        std::size_t child = 2 * slot + 1;
        if (child >= m_heap.size()) break;
        if (child + 1 < m_heap.size() && before(*m_heap[child + 1], *m_heap[child])) ++child;
        if (!before(*m_heap[child], entry)) break;
        set(slot, *m_heap[child]);
        slot = child;
    }
    set(slot, entry);
}

} // namespace lockscope::redis
