// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/redis/store.h"
#include "core/trace/trace.h"
#include "core/world/connections.h"

namespace lockscope {

/// Writes what happens in one server's store into the trace, with the request that caused it. The keys of
/// loads are not told one by one: there are too many of them, and a trace keeps what became of a load.
class StoreRecorder final : public redis::StoreObserver {
public:
    explicit StoreRecorder(NodeIndex node) : m_node(node) {}

    /// A run begins. The store is asked for the instants of what it tells; `epochMicros` is its Unix time at
    /// the run's zero. The connections know the requests that wait; without them none may.
    void begin(Trace& trace, const redis::Store& store, std::int64_t epochMicros,
               const Connections* connections = nullptr) {
        m_trace = &trace;
        m_store = &store;
        m_epochMicros = epochMicros;
        m_connections = connections;
        m_cause = m_causeAtHand = kNone;
        m_muted = false;
        m_lastKey = StringId::Empty;
    }
    /// From here on that request is what causes things; kNone: nobody's.
    void causedBy(RequestIndex request) { m_cause = request; }
    RequestIndex cause() const { return m_cause; }
    /// From here on what it tells is of that node.
    void answerFor(NodeIndex node) { m_node = node; }
    /// A server that does not answer for its node has nothing to tell.
    void mute(bool muted) { m_muted = muted; }
    /// A key is not there, though nobody has removed it: the server that had it is another one, or was.
    void lost(std::string_view key, EndReason why, std::string_view value);
    /// The last command that put this value under this key; kNone: nobody's.
    RequestIndex authorOf(std::string_view key, std::string_view value);
    /// The command that is served has its reply. The event that tells of its execution.
    std::size_t answered() {
        m_answered = true;
        return m_served;
    }

    void onWritten(std::string_view key, std::string_view type, std::string_view value,
                   std::optional<redis::UnixMillis> deadline, Before before) override;
    void onDeadlineChanged(std::string_view key, std::optional<redis::UnixMillis> before,
                           std::optional<redis::UnixMillis> after) override;
    void onLeaseEnded(std::string_view key, redis::UnixMillis deadline) override;
    void onRemoved(std::string_view key, redis::Removal why, std::string_view value) override;
    void onKeyspaceEvent(std::string_view event, std::string_view key) override;
    void onServing(redis::ClientId client) override;
    void onServed(redis::ClientId client) override;
    void onStandstill(std::string_view why) override;
    void onLots() override;

private:
    bool untold(std::string_view key) const;
    Event& record(EventKind kind, std::string_view key);
    StringId shown(std::string_view value);
    std::int64_t runMicros(std::optional<redis::UnixMillis> deadline) const;

    NodeIndex m_node;
    Trace* m_trace = nullptr;
    const redis::Store* m_store = nullptr;
    const Connections* m_connections = nullptr;
    std::int64_t m_epochMicros = 0;
    RequestIndex m_cause = kNone;
    RequestIndex m_causeAtHand = kNone; ///< while another one is served
    std::size_t m_served = 0;
    bool m_answered = false;
    bool m_muted = false;
    StringId m_lastKey = StringId::Empty; ///< what is told mostly concerns the same key again
    std::string m_text;
};

} // namespace lockscope
