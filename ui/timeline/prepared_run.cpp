// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/prepared_run.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace lockscope::ui {

namespace {

std::uint32_t index(std::size_t i) {
    return static_cast<std::uint32_t>(i);
}

/// Owned and healthy folds under what needs looking at.
std::uint8_t ownerRank(const OwnerSpan& span) {
    if (span.grant == kNone) return span.lingering ? 1 : 0;
    return span.nobodyHome ? 3 : 2;
}

std::uint8_t thinksRank(const ThinksSpan& span) {
    if (span.unknown) return 3;
    if (span.dormant) return 2;
    return span.frozen ? 1 : 0;
}

/// Splits spans that carry a `row` into one track a row.
template <typename Span, typename Rank>
void byRow(const std::vector<Span>& spans, int rows, std::vector<SpanTrack>& tracks, Rank rank) {
    tracks.resize(static_cast<std::size_t>(std::max(1, rows)));
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const auto row = std::min(static_cast<std::size_t>(std::max(0, spans[i].row)), tracks.size() - 1);
        tracks[row].add(spans[i].from, spans[i].until, index(i), rank(spans[i]));
    }
    for (SpanTrack& track : tracks)
        track.finish();
}

} // namespace

DoesRank rankOf(DoesKind kind) {
    switch (kind) {
    case DoesKind::Work:
        return DoesRank::Work;
    case DoesKind::Compute:
        return DoesRank::Compute;
    case DoesKind::CannotRun:
        return DoesRank::CannotRun;
    case DoesKind::Waiting:
        return DoesRank::Waiting;
    case DoesKind::Paused:
        return DoesRank::Paused;
    case DoesKind::Dead:
        return DoesRank::Dead;
    case DoesKind::Finished:
        return DoesRank::Finished;
    }
    return DoesRank::Finished;
}

PreparedRun::PreparedRun(std::shared_ptr<const Run> run) : m_run(std::move(run)) {
    m_laneOfActor.assign(trace().actors.size(), -1);
    m_actors.resize(lanes().actors.size());
    for (std::size_t i = 0; i < m_actors.size(); ++i) {
        m_laneOfActor[static_cast<std::size_t>(lanes().actors[i].actor)] = static_cast<int>(i);
        prepareActor(lanes().actors[i], m_actors[i]);
    }
    m_keys.resize(lanes().keys.size());
    for (std::size_t i = 0; i < m_keys.size(); ++i)
        prepareKey(lanes().keys[i], m_keys[i]);

    const std::vector<ResourceMark>& marks = lanes().resource;
    for (std::size_t i = 0; i < marks.size(); ++i)
        m_resource.add(marks[i].at, index(i), marks[i].accepted ? 0 : 1);
    m_resource.finish();

    std::vector<std::uint32_t> order(trace().interventions.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
        return trace().interventions[a].at < trace().interventions[b].at;
    });
    for (const std::uint32_t i : order)
        if (!trace().interventions[i].takenBack) m_interventions.add(trace().interventions[i].at, i);
    m_interventions.finish();

    prepareEvents();
    prepareViolations();
}

void PreparedRun::prepareActor(const ActorLane& lane, ActorTracks& tracks) {
    byRow(lane.does, lane.doesRows, tracks.does,
          [](const DoesSpan& span) { return static_cast<std::uint8_t>(rankOf(span.kind)); });
    byRow(lane.hatches, lane.doesRows, tracks.hatches, [](const HatchSpan&) { return std::uint8_t{0}; });
    byRow(lane.thinks, lane.thinksRows, tracks.thinks, thinksRank);

    // A refusal run is drawn on the row where its task waits.
    std::map<TaskIndex, int> rowOfTask;
    std::map<TaskIndex, std::vector<const RefusalRun*>> runsOfTask;
    std::size_t next = 0;
    for (std::size_t i = 0; i < lane.refusals.size(); ++i) {
        const RefusalRun& run = lane.refusals[i];
        for (; next < lane.does.size() && lane.does[next].from <= run.last; ++next)
            if (lane.does[next].kind == DoesKind::Waiting)
                rowOfTask[lane.does[next].task] = lane.does[next].row;
        const auto row = rowOfTask.find(run.task);
        tracks.refusalRows.push_back(row == rowOfTask.end() ? 0 : row->second);
        tracks.refusals.add(run.first, run.last, index(i));
        runsOfTask[run.task].push_back(&run);
    }
    tracks.refusals.finish();

    std::vector<std::pair<Instant, std::uint32_t>> refused;
    std::map<TaskIndex, std::size_t> at; // which run of the task the requests have come to
    for (const RequestIndex request : lane.requests) {
        const RequestTimes& times = analysis().requests[static_cast<std::size_t>(request)];
        if (times.sent == kNever) continue;
        const RequestRank rank = fateOf(request);
        const Instant last = lastKnown(request);
        tracks.requests.add(times.sent, last, static_cast<std::uint32_t>(request),
                            static_cast<std::uint8_t>(rank));
        if (times.refusal && times.executed != kNever)
            refused.emplace_back(times.executed, static_cast<std::uint32_t>(request));

        // Of a run of refusals the first and the last stand alone; those between are in its count.
        const TaskIndex task = trace().requests[static_cast<std::size_t>(request)].task;
        const std::vector<const RefusalRun*>& runs = runsOfTask[task];
        std::size_t& run = at[task];
        while (run < runs.size() && runs[run]->last < times.sent)
            ++run;
        const bool within =
            times.refusal && run < runs.size() && runs[run]->first < times.sent && last < runs[run]->last;
        if (!within)
            tracks.ticks.add(times.sent, static_cast<std::uint32_t>(request),
                             static_cast<std::uint8_t>(rank));
    }
    // Sent in order, but not always executed so.
    std::sort(refused.begin(), refused.end());
    for (const auto& [executed, request] : refused)
        tracks.refused.add(executed, request);
    tracks.refused.finish();
    tracks.requests.finish();
    tracks.ticks.finish();

    std::vector<std::pair<Instant, std::uint32_t>> flags;
    std::vector<int> seen;
    for (const ThinksSpan& span : lane.thinks)
        if (span.claim != kNone) seen.push_back(span.claim);
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    for (const int claim : seen) {
        const Instant deadline = analysis().claims[static_cast<std::size_t>(claim)].deadline;
        if (deadline != kNever) flags.emplace_back(deadline, static_cast<std::uint32_t>(claim));
    }
    std::sort(flags.begin(), flags.end());
    for (const auto& [deadline, claim] : flags)
        tracks.flags.add(deadline, claim);
    tracks.flags.finish();
}

void PreparedRun::prepareKey(const KeyLane& lane, KeyTracks& tracks) {
    std::int32_t group = kNone;
    for (std::size_t i = 0; i < lane.owners.size(); ++i) {
        const OwnerSpan& span = lane.owners[i];
        if (span.grant != kNone) group = analysis().grants[static_cast<std::size_t>(span.grant)].actor;
        tracks.owners.add(span.from, span.until, index(i), ownerRank(span), group);
    }
    tracks.owners.finish();
    for (std::size_t i = 0; i < lane.outages.size(); ++i)
        tracks.outages.add(lane.outages[i].from, lane.outages[i].until, index(i));
    tracks.outages.finish();
    for (std::size_t i = 0; i < lane.ttl.size(); ++i) {
        const TtlSegment& segment = lane.ttl[i];
        tracks.ttl.add(segment.from, segment.until, index(i), segment.unlimited ? 1 : 0);
        tracks.mostLeft = std::max(tracks.mostLeft, segment.left);
    }
    tracks.ttl.finish();
}

void PreparedRun::prepareEvents() {
    const auto keyLane = [this](const Event& event) -> KeyTracks* {
        for (std::size_t i = 0; i < m_keys.size(); ++i)
            if (lanes().keys[i].key == event.key && lanes().keys[i].node == event.node) return &m_keys[i];
        return nullptr;
    };
    for (std::size_t i = 0; i < trace().events.size(); ++i) {
        const Event& event = trace().events[i];
        if (event.kind == EventKind::LeaseEnded) {
            if (KeyTracks* key = keyLane(event)) key->leaseEnds.add(event.at, index(i));
        } else if (event.kind == EventKind::KeyRemoved) {
            if (KeyTracks* key = keyLane(event)) key->removals.add(event.at, index(i));
        } else if (event.kind == EventKind::ProcessStarted && event.process >= 0) {
            const int lane = laneOf(event.actor);
            if (lane >= 0 && trace().processes[static_cast<std::size_t>(event.process)].incarnation > 1)
                m_actors[static_cast<std::size_t>(lane)].births.add(
                    event.at, static_cast<std::uint32_t>(event.process));
        }
    }
    for (KeyTracks& key : m_keys) {
        key.leaseEnds.finish();
        key.removals.finish();
    }
    for (ActorTracks& actor : m_actors)
        actor.births.finish();
}

void PreparedRun::prepareViolations() {
    for (std::size_t i = 0; i < run().violations.size(); ++i) {
        const Violation& violation = run().violations[i];
        const auto rank =
            static_cast<std::uint8_t>(kInvariantCount - static_cast<std::size_t>(violation.invariant));
        PointTrack* track = &m_loose;
        const int lane = laneOf(violation.actors[0]);
        if (lane >= 0) {
            track = &m_actors[static_cast<std::size_t>(lane)].violations;
        } else {
            for (std::size_t k = 0; k < m_keys.size(); ++k)
                if (lanes().keys[k].key == violation.key) track = &m_keys[k].violations;
        }
        track->add(violation.at, index(i), rank);
    }
    for (ActorTracks& actor : m_actors)
        actor.violations.finish();
    for (KeyTracks& key : m_keys)
        key.violations.finish();
    m_loose.finish();
}

int PreparedRun::laneOf(ActorIndex actor) const {
    return actor < 0 || static_cast<std::size_t>(actor) >= m_laneOfActor.size()
               ? -1
               : m_laneOfActor[static_cast<std::size_t>(actor)];
}

Instant PreparedRun::lastKnown(RequestIndex request) const {
    const RequestTimes& times = analysis().requests[static_cast<std::size_t>(request)];
    Instant last = times.sent;
    for (const Instant t : {times.executed, times.replied, times.gaveUp, times.requestLost, times.replyLost})
        if (t != kNever) last = std::max(last, t);
    return last;
}

RequestRank PreparedRun::fateOf(RequestIndex request) const {
    const RequestTimes& times = analysis().requests[static_cast<std::size_t>(request)];
    if (times.requestLost != kNever || times.replyLost != kNever) return RequestRank::Lost;
    if (times.gaveUp != kNever) return RequestRank::Unknown;
    if (times.failed) return RequestRank::Failed;
    return times.refusal ? RequestRank::Refused : RequestRank::Plain;
}

int PreparedRun::eventAt(Instant at, EventKind kind, TaskIndex task) const {
    const std::vector<Event>& events = trace().events;
    auto it = std::lower_bound(events.begin(), events.end(), at,
                               [](const Event& event, Instant t) { return event.at < t; });
    for (; it != events.end() && it->at == at; ++it)
        if (it->kind == kind && it->task == task) return static_cast<int>(it - events.begin());
    return -1;
}

} // namespace lockscope::ui
