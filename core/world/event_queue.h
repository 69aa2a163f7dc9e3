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
        ServerBack,   ///< id: the node whose stall may be over
        Message,      ///< process, id: the message that reaches it
        Goodbye,      ///< id: the connection whose end reaches its server
        Replicate,    ///< id: the replica that something reaches of its primary's
        Acknowledge,  ///< id: the replica of which its primary hears how far it is
        Promotion,    ///< id: the node that may have been without a primary for long enough
        Loaded,       ///< id: the server that may have read its disk
        SavesWork,    ///< id: the node whose snapshots may be written again
    };

    std::int64_t at = 0; ///< µs of the run
    std::uint32_t sequence = 0;
    std::uint32_t id = 0;
    Wake wake{};
    std::int16_t process = -1;
    Kind kind = Kind::Timer;
};

/// What is due, ordered by (time, sequence): equal times come in the order in which they were scheduled.
///
/// A run of a lesson has a handful of things due at any time, so the earliest few are kept sorted, and only
/// what is beyond them in a heap. Nothing is allocated per event once both have grown.
///
/// Invariant: nothing in m_later comes before anything in m_soon.
class EventQueue {
public:
    EventQueue() { m_soon.reserve(kMostSoon + 1); }

    void push(Due due) {
        due.sequence = m_sequence++;
        // Most often it comes before all the rest: a message takes less time than anything else.
        if (!m_soon.empty() && m_soon.size() < kMostSoon && due.at < m_soon.back().at) {
            m_soon.push_back(due);
            return;
        }
        if (!m_later.empty() && (m_soon.empty() || later(due, m_soon.front()))) return pushLater(due);
        std::size_t place = m_soon.size();
        m_soon.push_back(due);
        for (; place > 0 && later(due, m_soon[place - 1]); --place)
            m_soon[place] = m_soon[place - 1];
        m_soon[place] = due;
        if (m_soon.size() <= kMostSoon) return;
        pushLater(m_soon.front());
        m_soon.erase(m_soon.begin());
    }
    Due pop() {
        if (m_soon.empty()) refill();
        const Due due = m_soon.back();
        m_soon.pop_back();
        return due;
    }
    /// Everything in it, in no particular order.
    template <typename Visit>
    void forEach(Visit visit) const {
        for (const Due& due : m_soon)
            visit(due);
        for (const Due& due : m_later)
            visit(due);
    }
    bool empty() const { return m_soon.empty() && m_later.empty(); }
    std::int64_t next() const { return m_soon.empty() ? m_later.front().at : m_soon.back().at; }
    void clear() {
        m_soon.clear();
        m_later.clear();
        m_sequence = 0;
    }

private:
    static constexpr std::size_t kMostSoon = 16;

    static bool later(const Due& a, const Due& b) {
        return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
    }

    void pushLater(const Due& due) {
        m_later.push_back(due);
        std::push_heap(m_later.begin(), m_later.end(), later);
    }
    void refill() {
        while (!m_later.empty() && m_soon.size() < kMostSoon / 2) {
            std::pop_heap(m_later.begin(), m_later.end(), later);
            m_soon.push_back(m_later.back());
            m_later.pop_back();
        }
        std::reverse(m_soon.begin(), m_soon.end());
    }

    std::vector<Due> m_soon;  ///< the earliest last
    std::vector<Due> m_later; ///< a heap, the earliest first
    std::uint32_t m_sequence = 0;
};

} // namespace lockscope
