// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/trace/trace.h"

namespace lockscope {

/// A step of the server that made an ask's value the current one on a key that was absent, or over another's value.
/// Its author is the ask, never the text of a token.
struct Grant {
    StringId key = StringId::Empty;
    NodeIndex node = 0;
    int number = 0; ///< per key, in order of execution, from 1
    RequestIndex ask = kNone;
    TaskIndex task = kNone; ///< the author's task; kNone for an outside actor
    ProcessIndex process = kNone;
    ActorIndex actor = kNone;
    Instant from{};
    Instant until = kNever; ///< when it ended: lease end, deletion …; kNever while it lives
    EndReason end = EndReason::None;
    RequestIndex endedBy = kNone;  ///< the command that ended it, if one did
    Instant deadlineWhenGranted = kNever;
    std::int64_t fence = -1;       ///< from the claim that was entered on it
    int claim = kNone;             ///< the first claim with this grant as its base
    std::uint32_t firstEvent = 0;  ///< the event that made it
    StringId value = StringId::Empty;
};

/// From enter(key) to leave(key), death or restart: its owner acts as the holder.
struct Claim {
    StringId key = StringId::Empty;
    TaskIndex task = kNone; ///< that entered; tasks made by it inherit the claim. kNone if inferred
    ProcessIndex process = kNone;
    ActorIndex actor = kNone;
    Instant from{};
    Instant until = kNever; ///< kNever while it is open
    Instant deadline = kNever; ///< its own, given to enter
    std::int64_t fence = -1;
    int base = kNone;       ///< index of the grant whose reply it was entered on
    bool keep = false;      ///< left with {keep = true}
    bool inferred = false;  ///< an outside client's
    std::uint32_t enterEvent = 0;
};

/// A stretch in which a process was frozen.
struct Freeze {
    ProcessIndex process = kNone;
    Instant from{};
    Instant until = kNever;
};

/// A stretch in which a task wanted the lock: from its first refused ask to its enter, its end or its death.
struct Waiting {
    StringId key = StringId::Empty;
    TaskIndex task = kNone;
    ProcessIndex process = kNone;
    ActorIndex actor = kNone;
    Instant from{};
    Instant until = kNever;
    int refused = 0;
};

/// The instants of one request; kNever for what did not happen.
struct RequestTimes {
    Instant sent = kNever;
    Instant executed = kNever;
    Instant replied = kNever;  ///< also a late reply to a client that had given up
    Instant gaveUp = kNever;   ///< timed out
    Instant requestLost = kNever;
    Instant replyLost = kNever;
    StringId reply = StringId::Empty;
    bool failed = false;       ///< an error reply
    bool refusal = false;      ///< an ask that made no grant
    int grant = kNone;         ///< the grant it made
};

/// A change of a lock key's deadline.
struct DeadlineStep {
    StringId key = StringId::Empty;
    NodeIndex node = 0;
    Instant at{};
    Instant deadline = kNever; ///< kNever: none
    int grant = kNone;
    RequestIndex request = kNone;
};

/// Who owned, who thought so, who waited: the shared ground of invariants, lanes, key history and exports.
/// Everything is in order of `from`. reset-and-fill: one object serves many traces without allocating.
struct Analysis {
    std::vector<Grant> grants;
    std::vector<Claim> claims;
    std::vector<Freeze> freezes;
    std::vector<Waiting> waits;
    std::vector<RequestTimes> requests; ///< parallel to Trace::requests
    std::vector<DeadlineStep> deadlines;

    /// The live grant on key at t by the store's own rule, or kNone. `node` is the authority.
    int ownerAt(StringId key, Instant t, NodeIndex node = 0) const;
    bool frozenAt(ProcessIndex process, Instant t) const;
};

/// Reads a trace, finished or growing, up to trace.reached.
void analyse(const Trace& trace, Analysis& into);

} // namespace lockscope
