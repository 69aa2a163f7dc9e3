// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/faults.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr Duration kJustAfter{1};

bool isStep(EventKind kind) {
    switch (kind) {
    case EventKind::ProcessStarted:
    case EventKind::WorkStarted:
    case EventKind::WorkEnded:
    case EventKind::ComputeStarted:
    case EventKind::ComputeEnded:
    case EventKind::SleepEnded:
    case EventKind::Entered:
    case EventKind::Left:
    case EventKind::RequestSent:
    case EventKind::RequestExecuted:
    case EventKind::ReplyReceived:
    case EventKind::RequestTimedOut:
    case EventKind::WriteAccepted:
    case EventKind::WriteRejected:
        return true;
    default:
        return false;
    }
}

/// Marks the requests that stand for others like them: a refused ask that has a refused ask of the same task
/// right before it and right after it.
std::vector<char> foldedRequests(const Trace& trace, const Analysis& analysis) {
    std::vector<char> folded(trace.requests.size(), 0);
    std::vector<RequestIndex> last(trace.actors.size(), kNone); // the actor's request before this one
    std::vector<RequestIndex> beforeLast(trace.actors.size(), kNone);
    const auto refused = [&](RequestIndex r) {
        return r != kNone && analysis.requests[static_cast<std::size_t>(r)].refusal;
    };
    for (std::size_t i = 0; i < trace.requests.size(); ++i) {
        const auto actor = static_cast<std::size_t>(trace.requests[i].actor);
        const auto r = static_cast<RequestIndex>(i);
        if (refused(beforeLast[actor]) && refused(last[actor]) && refused(r))
            folded[static_cast<std::size_t>(last[actor])] = 1;
        beforeLast[actor] = last[actor];
        last[actor] = r;
    }
    return folded;
}

void keepEach(std::vector<Duration>& lengths, Duration longest) {
    std::erase_if(lengths, [&](Duration d) { return d <= Duration{0} || d >= longest; });
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
}

} // namespace

FaultPlaces faultPlaces(const Probe& probe, const Scenario& scenario, Instant from) {
    const Trace& trace = probe.trace();
    const Analysis& analysis = probe.analysis();
    const std::vector<char> folded = foldedRequests(trace, analysis);
    FaultPlaces places;

    for (std::size_t a = 0; a < trace.actors.size(); ++a) {
        if (trace.actors[a].outside) continue;
        const ActorSpec* spec = nullptr;
        for (const ActorSpec& candidate : scenario.actors)
            if (candidate.name == trace.actors[a].name) spec = &candidate;
        if (spec == nullptr) continue;

        // The instants of its steps, and whether it makes progress from each to the next.
        struct Moment {
            Instant at;
            bool working;
        };
        std::vector<Moment> moments;
        int working = 0;
        for (const Event& event : trace.events) {
            if (event.actor != static_cast<ActorIndex>(a)) continue;
            if (event.kind == EventKind::WorkStarted || event.kind == EventKind::ComputeStarted) ++working;
            if (event.kind == EventKind::WorkEnded || event.kind == EventKind::ComputeEnded) --working;
            if (!isStep(event.kind)) continue;
            if (event.request != kNone && folded[static_cast<std::size_t>(event.request)]) continue;
            if (moments.empty() || moments.back().at != event.at) moments.push_back({event.at, false});
            moments.back().working = working > 0;
        }
        for (std::size_t i = 0; i < moments.size(); ++i) {
            const Instant at = moments[i].at + kJustAfter;
            const bool more = i + 1 < moments.size();
            if (at >= scenario.horizon) continue;
            if (at >= from)
                places.starts.push_back({spec->name, at,
                                         moments[i].working && more ? moments[i + 1].at - at : Duration{0},
                                         spec->requestLatency});
            if (moments[i].working && more && moments[i + 1].at >= from && moments[i + 1].at > at &&
                moments[i + 1].at < scenario.horizon)
                places.starts.push_back({spec->name, moments[i + 1].at, Duration{0}, spec->requestLatency});
        }
    }

    for (std::size_t i = 0; i < trace.requests.size(); ++i) {
        const RequestTimes& times = analysis.requests[i];
        const ActorIndex actor = trace.requests[i].actor;
        if (folded[i] || times.sent < from || actor == kNone ||
            trace.actors[static_cast<std::size_t>(actor)].outside)
            continue;
        places.messages.push_back(
            {trace.actors[static_cast<std::size_t>(actor)].name, times.sent, times.executed, times.replied});
    }
    return places;
}

std::vector<Instant> othersInstants(const Probe& probe, const std::string& actor, Instant from,
                                    std::size_t most) {
    const Trace& trace = probe.trace();
    const Analysis& analysis = probe.analysis();
    ActorIndex self = kNone;
    for (std::size_t i = 0; i < trace.actors.size(); ++i)
        if (trace.actors[i].name == actor) self = static_cast<ActorIndex>(i);

    std::vector<Instant> out;
    const auto add = [&](Instant t) {
        if (t > from && t < trace.reached) out.push_back(t);
    };
    for (const Grant& grant : analysis.grants) {
        if (grant.actor != self) add(grant.from);
        add(grant.until); // the actor's own lease ends without it
    }
    for (const Claim& claim : analysis.claims) {
        if (claim.actor == self) continue;
        add(claim.from);
        add(claim.until);
    }
    for (const Event& event : trace.events)
        if (event.kind == EventKind::WriteAccepted && event.actor != self) add(event.at);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    if (out.size() > most) out.resize(most);
    return out;
}

std::vector<Duration> pauseLengths(const FaultStart& start, const std::vector<Instant>& others,
                                   Instant horizon) {
    std::vector<Duration> lengths;
    for (const Instant other : others) {
        const Duration until = other - start.at;
        for (const Duration ahead :
             {Duration{0}, start.requestLatency, start.toNextStep, start.toNextStep + start.requestLatency}) {
            lengths.push_back(until - ahead - kJustAfter);
            lengths.push_back(until - ahead + kJustAfter);
        }
    }
    keepEach(lengths, horizon - start.at);
    return lengths;
}

std::vector<Duration> delayLengths(Instant arrival, const std::vector<Instant>& others, Instant horizon) {
    std::vector<Duration> lengths;
    for (const Instant other : others) {
        lengths.push_back(other - arrival - kJustAfter);
        lengths.push_back(other - arrival + kJustAfter);
    }
    keepEach(lengths, horizon - arrival);
    return lengths;
}

} // namespace lockscope
