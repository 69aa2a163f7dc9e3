// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/redis/store.h"
#include "core/trace/trace.h"

namespace lockscope {

inline constexpr unsigned kNoSubscription = ~0u;
/// What a program is told of a command whose connection ended, or that there was none for. Whether it was
/// executed is not known.
inline constexpr const char* kConnectionClosed = "CLOSED the server has closed the connection";

/// A connection to one server: of a loop of a process, of a task that listens to a channel, of one command of
/// an administrator, or of a visitor. What comes by it is executed in the order in which it arrives.
struct Connection {
    ProcessIndex process = kNone; ///< kNone: an administrator's or a visitor's
    NodeIndex node = 0;
    unsigned subscription = kNoSubscription; ///< of its process, if it was made to listen
    RequestIndex waits = kNone;              ///< what the store answers later
    std::uint32_t waitingFlight = 0;         ///< that request
    std::vector<std::uint32_t> behind;       ///< flights that have arrived since, in order
    int visitor = kNone;                     ///< if it is one's
    bool left = false;                       ///< its process has closed it
    Instant leftAt{};

    bool listens() const { return subscription != kNoSubscription; }
};

/// All connections of a run, by the number that the stores know them by. The memory of earlier runs stays.
class Connections {
public:
    void clear() { m_count = 1; }
    redis::ClientId add(ProcessIndex process, NodeIndex node, unsigned subscription = kNoSubscription) {
        if (m_count == m_all.size()) m_all.emplace_back();
        Connection& made = m_all[m_count];
        made.process = process;
        made.node = node;
        made.subscription = subscription;
        made.waits = kNone;
        made.visitor = kNone;
        made.behind.clear();
        made.left = false;
        return m_count++;
    }
    /// One more than the highest number there is; they begin with 1.
    redis::ClientId end() const { return m_count; }
    Connection& operator[](redis::ClientId client) { return m_all[client]; }
    const Connection& operator[](redis::ClientId client) const { return m_all[client]; }

private:
    std::vector<Connection> m_all{1}; ///< the first is nobody's
    redis::ClientId m_count = 1;
};

/// A message of a channel on its way to the process that listens.
struct Message {
    redis::ClientId client = 0;
    bool hungUp = false; ///< none: the server has closed the connection
    RequestIndex cause = kNone;
    StringId channel = StringId::Empty;
    StringId shown = StringId::Empty;
    std::string text;
    Instant leftAt{};
};

} // namespace lockscope
