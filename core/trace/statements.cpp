// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/statements.h"

#include <algorithm>

namespace lockscope {

Statements::Statements(const Trace& trace) {
    if (trace.statements.empty()) return;
    std::vector<std::vector<StringId>> told(trace.processes.size());
    for (const TraceStatement& statement : trace.statements)
        told[static_cast<std::size_t>(statement.process)].push_back(statement.sql);
    std::vector<std::size_t> next(trace.processes.size(), 0);
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
        const Event& e = trace.events[i];
        const bool isWrite = e.kind == EventKind::WriteAccepted || e.kind == EventKind::WriteRejected;
        if (!isWrite || e.process == kNone) continue;
        const auto process = static_cast<std::size_t>(e.process);
        if (next[process] < told[process].size()) m_ofWrites.emplace_back(i, told[process][next[process]++]);
    }
}

StringId Statements::of(std::size_t event) const {
    const auto found = std::lower_bound(m_ofWrites.begin(), m_ofWrites.end(), event,
                                        [](const auto& write, std::size_t e) { return write.first < e; });
    return found != m_ofWrites.end() && found->first == event ? found->second : StringId::Empty;
}

} // namespace lockscope
