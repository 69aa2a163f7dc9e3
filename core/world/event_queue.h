// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/time.h"
#include "core/world/wake.h"

namespace lockscope {

/// Something that is going to happen in the world.
struct Due {
    enum class Kind : std::uint8_t {
        Intervention, ///< id: its index in the scenario
        Start,        ///< id: the actor whose first process begins
        Thaw,         ///< process: its pause may be over
        Timer,        ///< process, wake
        Work,         ///< process, wake: a work may be finished
        Execute,      ///< id: the request that reaches its server
        Answer,       ///< process, id: the request whose reply reaches the client
    };

    std::int64_t at = 0; ///< µs of the run
    std::uint32_t sequence = 0;
    std::uint32_t id = 0;
    Wake wake{};
    std::int16_t process = -1;
    Kind kind = Kind::Timer;
};

/// What is due, ordered by (time, sequence): equal times come in the order in which they were scheduled.
/// A heap of plain values; nothing is allocated per event once it has grown.
class EventQueue {
public:
    void push(Due due) {
        due.sequence = m_sequence++;
        m_heap.push_back(due);
        std::push_heap(m_heap.begin(), m_heap.end(), later);
    }
    Due pop() {
        std::pop_heap(m_heap.begin(), m_heap.end(), later);
        const Due due = m_heap.back();
        m_heap.pop_back();
        return due;
    }
    bool empty() const { return m_heap.empty(); }
    std::int64_t next() const { return m_heap.front().at; }
    void clear() {
        m_heap.clear();
        m_sequence = 0;
    }

private:
    static bool later(const Due& a, const Due& b) {
        return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
    }

    std::vector<Due> m_heap;
    std::uint32_t m_sequence = 0;
};

} // namespace lockscope
