// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace lockscope {

/// Whom to wake, and what for. A task that has gone on in the meantime has another serial, so that a wake-up
/// which comes too late finds nobody: timers are never taken back.
struct Wake {
    enum class Kind : std::uint8_t {
        Run,     ///< a task that was held up by its loop
        Sleep,   ///< sleep() is over
        Tick,    ///< every() is due
        TimeOut, ///< a reply has not come in time
        Work,    ///< work() or compute() is finished
        Reply,   ///< a reply has come
        Message, ///< a message that a task listens for may be there
    };

    std::uint32_t task = 0; ///< number within its scheduler
    std::uint32_t serial = 0;
    Kind kind = Kind::Run;

    bool operator==(const Wake&) const = default;
};

} // namespace lockscope
