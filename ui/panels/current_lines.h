// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/trace/trace.h"

namespace lockscope::ui {

/// Where the actors stand in their programs at any instant: for every task that has begun and not ended, the
/// line of the latest event that has one. Built once a run, asked at every move of the playhead.
class CurrentLines {
public:
    struct Place {
        ActorIndex actor = kNone;
        TaskIndex task = kNone;
        int line = 0;
        bool main = false; ///< of the task that the process began with
    };

    CurrentLines() = default;
    explicit CurrentLines(const Trace& trace);

    /// In order of the tasks' beginning.
    std::vector<Place> at(Instant t) const;

private:
    struct Mark {
        Instant at;
        int line; ///< 0: the task ends here
    };
    struct Strand {
        Place place;
        std::vector<Mark> marks;
    };
    std::vector<Strand> m_strands;
};

} // namespace lockscope::ui
