// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ui/bridge/run_model.h"
#include "ui/timeline/track.h"

namespace lockscope::ui {

/// How an actor's state ranks when several fold into one mark: the worst is shown.
enum class DoesRank : std::uint8_t { Finished, Waiting, Work, Compute, CannotRun, Paused, Dead };
DoesRank rankOf(DoesKind kind);

/// How a request's fate ranks likewise.
enum class RequestRank : std::uint8_t { Plain, Refused, Failed, Unknown, Lost };

/// A run's lanes as tracks: one for every row that is drawn. `source` of an entry is named beside its track.
struct ActorTracks {
    std::vector<SpanTrack> does;    ///< by row; index into ActorLane::does
    std::vector<SpanTrack> hatches; ///< by row; index into ActorLane::hatches
    std::vector<SpanTrack> thinks;  ///< by row; index into ActorLane::thinks
    SpanTrack refusals;             ///< index into ActorLane::refusals
    std::vector<int> refusalRows;   ///< parallel to ActorLane::refusals: the row that waits
    PointTrack refused;             ///< RequestIndex of every refused ask, at the instant it was executed
    SpanTrack requests;             ///< RequestIndex; from sent to the last that is known of it
    PointTrack ticks;               ///< RequestIndex of those that stand alone while zoomed out
    PointTrack flags;               ///< index into Analysis::claims, at the claim's own deadline
    PointTrack births;              ///< ProcessIndex of every life after the first
    PointTrack violations;          ///< index into Run::violations of those this actor is the first in
};

struct KeyTracks {
    SpanTrack owners;      ///< index into KeyLane::owners
    SpanTrack outages;     ///< index into KeyLane::outages
    SpanTrack ttl;         ///< index into KeyLane::ttl
    PointTrack leaseEnds;  ///< index into Trace::events
    PointTrack removals;   ///< index into Trace::events
    PointTrack violations; ///< index into Run::violations of those without an actor
    Duration mostLeft{0};  ///< the top of the TTL scale
};

/// Everything that is worked out once for a run so that a frame costs pixels, not events. Immutable.
///
/// Invariant: violations are in a track of an actor or of a key, or in `looseViolations` if neither has a
/// lane.
class PreparedRun {
public:
    explicit PreparedRun(std::shared_ptr<const Run> run);

    const Run& run() const { return *m_run; }
    std::shared_ptr<const Run> sharedRun() const { return m_run; }
    const Trace& trace() const { return *m_run->trace; }
    const Lanes& lanes() const { return m_run->lanes; }
    const Analysis& analysis() const { return m_run->analysis; }

    /// Parallel to Lanes::actors and Lanes::keys.
    const std::vector<ActorTracks>& actors() const { return m_actors; }
    const std::vector<KeyTracks>& keys() const { return m_keys; }
    const PointTrack& resource() const { return m_resource; } ///< index into Lanes::resource
    const PointTrack& looseViolations() const { return m_loose; }
    const PointTrack& interventions() const { return m_interventions; } ///< index into Trace::interventions

    /// Index into Lanes::actors, or -1.
    int laneOf(ActorIndex actor) const;
    /// The last instant at which something is known of a request.
    Instant lastKnown(RequestIndex request) const;
    RequestRank fateOf(RequestIndex request) const;
    /// The event of `kind` that the task wrote at `at`, as an index into Trace::events, or -1.
    int eventAt(Instant at, EventKind kind, TaskIndex task) const;

private:
    void prepareActor(const ActorLane& lane, ActorTracks& tracks);
    void prepareKey(const KeyLane& lane, KeyTracks& tracks);
    void prepareEvents();
    void prepareViolations();

    std::shared_ptr<const Run> m_run;
    std::vector<ActorTracks> m_actors;
    std::vector<KeyTracks> m_keys;
    std::vector<int> m_laneOfActor;
    PointTrack m_resource;
    PointTrack m_loose;
    PointTrack m_interventions;
};

} // namespace lockscope::ui
