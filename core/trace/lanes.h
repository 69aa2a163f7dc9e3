// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/trace/invariants.h"

namespace lockscope {

/// What an actor does for a stretch of time.
enum class DoesKind : std::uint8_t {
    Work,      ///< makes progress; label
    Compute,   ///< makes progress and stalls its event loop; label
    CannotRun, ///< has something to run, but its loop is stalled by a compute
    Waiting,   ///< wants the lock and does not have it
    Paused,    ///< frozen; label = ""
    Dead,      ///< killed or ended by an error, until a restart or the end of the run
    Finished,  ///< its program came to its end
};

struct DoesSpan {
    Instant from{};
    Instant until{};
    DoesKind kind = DoesKind::Work;
    StringId label = StringId::Empty;
    TaskIndex task = kNone;
    ProcessIndex process = kNone;
    int row = 0;          ///< parallel strands of one actor stack: 0 is the first that is free
    bool begins = true;   ///< a work that was cut by a pause goes on in further spans: the first has this …
    bool finishes = true; ///< … and the last this
};

/// Work done without the lock: the part of a work span to be hatched.
struct HatchSpan {
    Instant from{};
    Instant until{};
    int row = 0;
    int claim = kNone;
};

struct ThinksSpan {
    int claim = kNone; ///< index into Analysis::claims
    Instant from{};
    Instant until{};
    bool frozen = false;  ///< in this part its process is frozen
    bool dormant = false; ///< frozen and past its own deadline
    bool unknown =
        false; ///< not a claim: an ask whose outcome is not known (claim is kNone, `request` names it)
    RequestIndex request = kNone;
    int row = 0;
};

/// Refused asks in a row, drawn as one mark.
struct RefusalRun {
    Instant first{};
    Instant last{};
    int count = 0;
    TaskIndex task = kNone;
};

struct ActorLane {
    ActorIndex actor = kNone;
    std::vector<DoesSpan> does;
    std::vector<HatchSpan> hatches;
    std::vector<ThinksSpan> thinks;
    std::vector<RefusalRun> refusals;
    std::vector<RequestIndex> requests; ///< all of this actor's, in order of sending
    int doesRows = 1;
    int thinksRows = 1;
};

/// What Redis says of one lock key.
struct OwnerSpan {
    Instant from{};
    Instant until{};
    int grant = kNone;               ///< kNone: nobody
    bool nobodyHome = false;         ///< the owner is dead, or not aware that it owns
    EndReason end = EndReason::None; ///< why it ended; None if it goes on or was nobody's
    int others = 0;                  ///< so many more hold it at the same time, as of a semaphore
    bool lingering = false;          ///< nobody's, but the dead key still lies in memory until it is removed
};

/// A straight piece of the TTL curve: what PTTL would say, from `left` at `from` falling one second a second.
struct TtlSegment {
    Instant from{};
    Instant until{};
    Duration left{0};
    bool unlimited = false; ///< no deadline
    int grant = kNone;
};

/// The server answers nothing, or only errors: nobody can say who owns the key.
struct OutageSpan {
    Instant from{};
    Instant until{};
    StringId why = StringId::Empty; ///< in a word
};

struct KeyLane {
    StringId key = StringId::Empty;
    NodeIndex node = 0;            ///< kMajority: what most of them say; that lane comes first
    std::vector<OwnerSpan> owners; ///< without gaps from 0 to trace.reached
    std::vector<TtlSegment> ttl;
    std::vector<OutageSpan>
        outages; ///< of its server; over owners, which tell what will turn out to have been
};

struct ResourceMark {
    Instant at{};
    bool accepted = true;
    ActorIndex actor = kNone;
    std::uint32_t event = 0;
    StringId sql = StringId::Empty; ///< what was really executed, in a live run
};

/// What the timeline draws, ready for painting: sorted, clipped to [0, trace.reached], free of any widget's
/// units.
struct Lanes {
    std::vector<ActorLane> actors;
    std::vector<KeyLane> keys;
    std::vector<ResourceMark> resource;
};

Lanes layOut(const Trace& trace, const Analysis& analysis);

} // namespace lockscope
