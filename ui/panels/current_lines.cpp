// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/current_lines.h"

#include <algorithm>

namespace lockscope::ui {

CurrentLines::CurrentLines(const Trace& trace) {
    m_strands.resize(trace.tasks.size());
    for (std::size_t i = 0; i < trace.tasks.size(); ++i) {
        Place& place = m_strands[i].place;
        const ProcessIndex process = trace.tasks[i].process;
        place.actor =
            process == kNone ? ActorIndex{kNone} : trace.processes[static_cast<std::size_t>(process)].actor;
        place.task = static_cast<TaskIndex>(i);
        place.main = trace.tasks[i].kind == TaskKind::Main;
    }
    for (const Event& event : trace.events) {
        if (event.kind == EventKind::ProcessKilled || event.kind == EventKind::ProcessEnded) {
            for (std::size_t i = 0; i < trace.tasks.size(); ++i)
                if (trace.tasks[i].process == event.process) m_strands[i].marks.push_back({event.at, 0});
            continue;
        }
        TaskIndex task = event.task;
        if (task == kNone && event.request != kNone)
            task = trace.requests[static_cast<std::size_t>(event.request)].task;
        // What a server does with a request moves nobody in a program.
        if (task == kNone || event.kind == EventKind::RequestExecuted ||
            event.kind == EventKind::RequestLost || event.kind == EventKind::ReplyLost)
            continue;
        auto& marks = m_strands[static_cast<std::size_t>(task)].marks;
        if (event.kind == EventKind::TaskEnded)
            marks.push_back({event.at, 0});
        else if (event.line > 0 && event.request == kNone)
            marks.push_back({event.at, event.line});
        else if (event.kind == EventKind::RequestSent)
            marks.push_back({event.at, trace.requests[static_cast<std::size_t>(event.request)].line});
    }
}

std::vector<CurrentLines::Place> CurrentLines::at(Instant t) const {
    std::vector<Place> places;
    for (const Strand& strand : m_strands) {
        const auto after = std::upper_bound(strand.marks.begin(), strand.marks.end(), t,
                                            [](Instant at, const Mark& mark) { return at < mark.at; });
        if (after == strand.marks.begin() || (after - 1)->line == 0) continue;
        Place place = strand.place;
        place.line = (after - 1)->line;
        places.push_back(place);
    }
    return places;
}

} // namespace lockscope::ui
