// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/trace/trace.h"

namespace lockscope {

/// A step of the server that made an ask's value the current one on a key that was absent, or over another's
/// value. Its author is the ask, never the text of a token. On a key that allows several holders it is what
/// put a new member into a set, a sorted set or a hash, and it ends when that member goes.
///
/// Where a lock belongs to whoever has it on most nodes, what one node grants is a vote: a Grant too, which
/// says nothing of an owner by itself. The votes of one author for one value make the grant of the majority
/// (node kMajority), from the one that makes them most until too few are left.
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
    RequestIndex endedBy = kNone; ///< the command that ended it, if one did
    Instant deadlineWhenGranted = kNever;
    std::int64_t fence = -1;      ///< from the claim that was entered on it
    int claim = kNone;            ///< the first claim with this grant as its base
    std::uint32_t firstEvent = 0; ///< the event that made it
    StringId value = StringId::Empty;
    /// When its author began to want it: its first refused ask if it had to wait, else when it sent the ask.
    Instant came{};
    /// When the last claim on it ended; kNever if none was entered or one is open.
    Instant leftAt = kNever;
    /// The deadline that stood then, as put by commands sent until then.
    Instant deadlineWhenLeft = kNever;
    int whole = kNone;         ///< of a vote: the grant of the majority that it is a part of
    bool kept = false;         ///< that claim was left with {keep = true}
    bool endedByOther = false; ///< endedBy is a command of somebody who has no part in this grant
    /// When it ended its author was alive, with a claim on it open or the reply to its ask outstanding.
    bool authorHeld = false;
};

/// From enter(key) to leave(key), death or restart: its owner acts as the holder.
struct Claim {
    StringId key = StringId::Empty;
    TaskIndex task = kNone; ///< that entered; tasks made by it inherit the claim. kNone if inferred
    ProcessIndex process = kNone;
    ActorIndex actor = kNone;
    Instant from{};
    Instant until = kNever;    ///< kNever while it is open
    Instant deadline = kNever; ///< its own, given to enter
    std::int64_t fence = -1;
    int base = kNone;      ///< index of the grant whose reply it was entered on
    bool keep = false;     ///< left with {keep = true}
    bool inferred = false; ///< an outside client's
    std::uint32_t enterEvent = 0;
};

/// A stretch in which a process was frozen.
struct Freeze {
    ProcessIndex process = kNone;
    Instant from{};
    Instant until = kNever;
};

/// A stretch in which a server answered nothing, or only errors: who owns a lock there is unknown.
struct Outage {
    NodeIndex node = 0;
    Instant from{};
    Instant until = kNever;
    StringId why = StringId::Empty; ///< in a word
};

/// A stretch in which a task wanted the lock: from its first refused ask to its enter, its end or its death.
/// A task that acts as the holder does not wait, even if a renewal of its is refused.
struct Waiting {
    StringId key = StringId::Empty;
    NodeIndex node = 0;
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
    Instant replied = kNever; ///< also a late reply to a client that had given up
    Instant gaveUp = kNever;  ///< timed out
    Instant requestLost = kNever;
    Instant replyLost = kNever;
    StringId reply = StringId::Empty;
    bool failed = false;  ///< an error reply
    bool refusal = false; ///< an ask that made no grant
    int grant = kNone;    ///< the grant it made, or put its value over while that was its own
};

/// A change of a lock key's deadline.
struct DeadlineStep {
    StringId key = StringId::Empty;
    NodeIndex node = 0;
    Instant at{};
    Instant deadline = kNever; ///< kNever: none
    int grant = kNone;
    RequestIndex request = kNone;
    bool byOther = false; ///< the command is of somebody who has no part in the grant
    bool changed = true;  ///< the deadline really became another one
};

/// An ask that was refused.
struct Refusal {
    RequestIndex request = kNone;
    Instant at{};      ///< when it was executed
    int grant = kNone; ///< the live grant that refused it; kNone if the key was free and the server would not
    int wait = kNone;  ///< index of the waiting it belongs to, if any
};

/// A stretch in which a live grant has nobody behind it: no open claim has it as its base, its ask is
/// answered or given up (death counts), its author is not frozen and has no command on the key under way
/// except later asks, nor a WAIT.
struct Unattended {
    int grant = kNone;
    Instant from{};
    Instant until = kNever;
    /// Until when the lock was to be held by what its holder last knew of it: the deadline that stood when
    /// the claim ended, or, if none was entered, when it was granted. kNever: without end.
    Instant deadlineStood = kNever;
    bool kept = false; ///< the claim was left with {keep = true}
};

/// A stretch in which an open claim is asleep: its process is frozen and the claim's own deadline has passed.
struct Dormancy {
    int claim = kNone;
    Instant from{};
    Instant until = kNever;
};

/// A write that the resource accepted, and the claim its writer acts under; one entry for each lock key on
/// which there is one, or a single one without.
struct AcceptedWrite {
    std::uint32_t event = 0;
    int claim = kNone; ///< kNone: nobody's
};

/// The life of a process.
struct Life {
    Instant from = kNever; ///< kNever if it never started
    Instant until = kNever;
    bool killed = false; ///< rather than come to its end
    int freeze = kNone;  ///< the freeze it is in
    bool aliveAt(Instant t) const { return from <= t && t < until; }
};

/// What the pass over the events keeps in mind. Here only so that its memory serves the next trace too.
struct AnalysisScratch {
    struct Slot { ///< a lock key on a node; one that allows several holders has one for each member
        StringId key = StringId::Empty;
        NodeIndex node = 0;
        std::string member; ///< of a set, a sorted set or a hash with several holders; else empty
        int lock = 0;       ///< index into Trace::lockKeys
        int grant = kNone;  ///< the live one
        int claims = 0;     ///< open claims with it as base
        Instant deadline = kNever;
        int granted = 0;            ///< votes so far: their numbers
        Instant bareSince = kNever; ///< since when it has been unattended
    };
    struct OpenClaim {
        int claim = kNone;
        int depth = 1; ///< how many enters have not been left
    };
    struct Attempt { ///< the same ask of a process to several nodes, each once
        StringId key = StringId::Empty;
        StringId text = StringId::Empty;
        ProcessIndex process = kNone;
        ActorIndex actor = kNone;
        TaskIndex task = kNone;    ///< who sent the first
        bool severalTasks = false; ///< and others by tasks beside it
        std::uint32_t asked = 0;   ///< bit i: node i
        std::uint32_t failed = 0;  ///< those that will grant nothing, as far as the client can know
        bool refused = false;      ///< one of them has really refused
        bool told = false;         ///< that it came to nothing
        int vote = kNone;          ///< the last that it got
        Instant sent{};            ///< the first
    };
    std::vector<Slot> places;
    std::vector<int> numbers; ///< grants so far, parallel to Trace::lockKeys
    std::vector<OpenClaim> openClaims;
    std::vector<int> openWaits;
    std::vector<RequestIndex> underWay; ///< commands that could speak for a grant
    std::vector<RequestIndex> answered; ///< asks whose reply reached the program
    std::vector<Attempt> attempts;      ///< where the majority decides
    std::vector<int> attemptOf;         ///< parallel to Trace::requests then: index into attempts, or kNone
    std::uint32_t silent = 0;           ///< bit i: node i answers nothing
    std::vector<Instant> voteDeadlines;
};

/// Who owned, who thought so, who waited: the shared ground of invariants, lanes, key history and exports.
/// Everything is in order of `from`. reset-and-fill: one object serves many traces without allocating.
struct Analysis {
    std::vector<Grant> grants;
    std::vector<Claim> claims;
    std::vector<Freeze> freezes;
    std::vector<Outage> outages;
    std::vector<Waiting> waits;
    std::vector<RequestTimes> requests; ///< parallel to Trace::requests
    std::vector<DeadlineStep> deadlines;
    std::vector<Refusal> refusals;
    std::vector<Unattended> unattended;
    std::vector<Dormancy> dormancies;
    std::vector<AcceptedWrite> writes;
    std::vector<Life> lives;       ///< parallel to Trace::processes
    std::vector<Instant> taskEnds; ///< parallel to Trace::tasks
    bool majority = false;         ///< a lock belongs to whoever has it on most nodes
    AnalysisScratch scratch;

    /// The live grant on key at t by the store's own rule, or kNone: of whoever says to whom it belongs.
    int ownerAt(StringId key, Instant t) const { return ownerAt(key, t, authority()); }
    /// The same of one node, or of the majority.
    int ownerAt(StringId key, Instant t, NodeIndex node) const;
    /// The other grants on the same key and node that are live at t, as of a semaphore.
    std::vector<int> beside(const Grant& grant, Instant t) const;
    /// Who says to whom a lock belongs; where each node speaks for itself, the first.
    NodeIndex authority() const { return majority ? kMajority : NodeIndex{0}; }
    /// Whether it makes its author the owner. A vote does not.
    bool decides(const Grant& grant) const { return !majority || grant.node == kMajority; }
    bool frozenAt(ProcessIndex process, Instant t) const;
};

/// Whether one is the other, or an ancestor of the other. Two threads of one process are strangers.
inline bool related(const Trace& trace, TaskIndex a, TaskIndex b) {
    const TaskIndex older = a < b ? a : b;
    TaskIndex younger = a < b ? b : a;
    if (older == kNone) return false;
    while (younger > older)
        younger = trace.tasks[static_cast<std::size_t>(younger)].parent; // it stands before its children
    return younger == older;
}

/// The claim on key that a task acts under at t: its own that is open, else the nearest one it inherits, else
/// one that a task of its making entered and left to it by ending; kNone.
int claimInForce(const Trace& trace, const Analysis& analysis, TaskIndex task, StringId key, Instant t);
/// The task's current or last claim on key at t, else its parent's, and so on; kNone.
int lastClaimOf(const Trace& trace, const Analysis& analysis, TaskIndex task, StringId key, Instant t);
/// Index into Trace::lockKeys, or kNone.
int lockIndexOf(const Trace& trace, StringId key);

/// Reads a trace, finished or growing, up to trace.reached.
void analyse(const Trace& trace, Analysis& into);

} // namespace lockscope
