// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What of an actor's lane is waiting: for a lock, for a message, for a command that is answered later.

#include <algorithm>

#include "core/trace/lanes_builder.h"
#include "core/trace/stretches.h"

namespace lockscope {

void ActorLanes::addWaits() {
    for (const Waiting& wait : m_analysis.waits)
        addWaiting(wait.from, wait.until, wait.key, wait.task, wait.process, wait.actor);
}

void ActorLanes::addWaiting(Instant from, Instant until, StringId what, TaskIndex task, ProcessIndex process,
                            ActorIndex actor) {
    std::vector<DoesSpan>& spans = m_out[static_cast<std::size_t>(actor)].does;
    Strand strand{from, std::min(until, m_trace.reached), spans.size(), 0};
    awakeParts(freezesOf(process), process, strand.from, strand.until, [&](Instant begin, Instant end) {
        DoesSpan span;
        span.from = begin;
        span.until = end;
        span.kind = DoesKind::Waiting;
        span.label = what;
        span.task = task;
        span.process = process;
        span.begins = spans.size() == strand.first;
        span.finishes = false;
        spans.push_back(span);
    });
    strand.count = spans.size() - strand.first;
    if (strand.count == 0) return;
    spans.back().finishes = true;
    m_does[static_cast<std::size_t>(actor)].push_back(strand);
}

/// A command that waits in a server, or a task that listens to a channel: until its answer, its message, or
/// the end of its task.
void ActorLanes::endListening(TaskIndex task, Instant until) {
    Doing& listening = m_listening[static_cast<std::size_t>(task)];
    if (!listening.open) return;
    listening.open = false;
    const Event& begin = m_trace.events[listening.event];
    const StringId what = begin.kind == EventKind::ReceiveStarted ? begin.text : begin.key;
    addWaiting(begin.at, until, what, task, begin.process, begin.actor);
}

void ActorLanes::addRefusals() {
    // The run a task is in, and the wait it belongs to.
    std::vector<std::pair<int, int>> last(m_trace.tasks.size(), {kNone, kNone});
    for (const Refusal& refusal : m_analysis.refusals) {
        const TraceRequest& ask = m_trace.requests[static_cast<std::size_t>(refusal.request)];
        std::vector<RefusalRun>& runs = m_out[static_cast<std::size_t>(ask.actor)].refusals;
        if (ask.task != kNone) {
            auto& [run, wait] = last[static_cast<std::size_t>(ask.task)];
            if (run != kNone && wait == refusal.wait) {
                runs[static_cast<std::size_t>(run)].last = refusal.at;
                ++runs[static_cast<std::size_t>(run)].count;
                continue;
            }
            run = static_cast<int>(runs.size());
            wait = refusal.wait;
        }
        runs.push_back({refusal.at, refusal.at, 1, ask.task});
    }
}

} // namespace lockscope
