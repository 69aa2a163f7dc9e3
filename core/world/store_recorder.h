// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/redis/store.h"
#include "core/trace/trace.h"

namespace lockscope {

/// Writes what happens in one server's store into the trace, with the request that caused it.
class StoreRecorder final : public redis::StoreObserver {
public:
    explicit StoreRecorder(NodeIndex node) : m_node(node) {}

    /// A run begins. The store is asked for the instants of what it tells.
    void begin(Trace& trace, const redis::Store& store) {
        m_trace = &trace;
        m_store = &store;
        m_cause = kNone;
        m_lastKey = StringId::Empty;
    }
    /// From here on that request is what causes things; kNone: nobody's.
    void causedBy(RequestIndex request) { m_cause = request; }

    void onWritten(std::string_view key, std::string_view type, std::string_view value,
                   std::optional<redis::UnixMillis> deadline, Before before) override;
    void onDeadlineChanged(std::string_view key, std::optional<redis::UnixMillis> before,
                           std::optional<redis::UnixMillis> after) override;
    void onLeaseEnded(std::string_view key, redis::UnixMillis deadline) override;
    void onRemoved(std::string_view key, redis::Removal why, std::string_view value) override;
    void onKeyspaceEvent(std::string_view event, std::string_view key) override;

private:
    Event& record(EventKind kind, std::string_view key);
    StringId shown(std::string_view value);

    NodeIndex m_node;
    Trace* m_trace = nullptr;
    const redis::Store* m_store = nullptr;
    RequestIndex m_cause = kNone;
    StringId m_lastKey = StringId::Empty; ///< what is told mostly concerns the same key again
    std::string m_text;
};

} // namespace lockscope
