// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How punctual a live run was. Real time cannot be commanded, but it can be measured: a run in which nothing
// came late is evidence for or against a lesson, and any other one is not.
#include "core/live/live_trace.h"

#include "core/redis/command_table.h"

namespace lockscope::live {

/// Whether something that was done on purpose lay between the sending and the answer.
bool LiveTrace::heldUp(const Sent& sent, Instant answered) const {
    const std::vector<std::string_view> args(sent.args.begin(), sent.args.end());
    const redis::Command* command = redis::resolveCommand(args);
    if (command == nullptr || command->has(redis::kBlocking)) return true;
    const TraceRequest& request = m_base.requests[static_cast<std::size_t>(sent.request)];
    const ProcessIndex process =
        request.task == kNone ? kNone : m_base.tasks[static_cast<std::size_t>(request.task)].process;
    bool stopped = false;
    bool away = false;
    for (const Event& event : m_base.events) {
        if (event.at > answered) break;
        const bool ofIt = event.process == process && process != kNone;
        const bool before = event.at < sent.at;
        if (ofIt && event.kind == EventKind::ProcessPaused) stopped = true;
        if (ofIt && event.kind == EventKind::ProcessResumed && before) stopped = false;
        if (event.node == sent.node && event.kind == EventKind::ServerUnavailable) away = true;
        if (event.node == sent.node && event.kind == EventKind::ServerAvailable && before) away = false;
    }
    return stopped || away;
}

Duration LiveTrace::lateness() const {
    Duration late = m_late;
    for (const Sent& sent : m_sent) {
        const Instant answered = answeredAt(sent);
        if (answered == kNever || answered - sent.at <= late) continue;
        if (!heldUp(sent, answered)) late = answered - sent.at;
    }
    return late;
}

} // namespace lockscope::live
