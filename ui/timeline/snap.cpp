// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/snap.h"

#include <cmath>

#include "ui/bridge/fault_words.h"

namespace lockscope::ui {

namespace {

/// Enough for any picture with a few thousand events to a screen; beyond that nobody aims at one of them.
constexpr std::ptrdiff_t kMostEvents = 4096;

bool matters(const Scene& scene, const Event& event) {
    switch (event.kind) {
    case EventKind::LeaseEnded:
    case EventKind::KeyRemoved:
    case EventKind::KeyWritten:
    case EventKind::Entered:
    case EventKind::Left:
    case EventKind::WorkStarted:
    case EventKind::WorkEnded:
    case EventKind::ComputeStarted:
    case EventKind::ComputeEnded:
    case EventKind::WriteAccepted:
    case EventKind::WriteRejected:
    case EventKind::ProcessStarted:
    case EventKind::ProcessPaused:
    case EventKind::ProcessResumed:
    case EventKind::ProcessKilled:
    case EventKind::ProcessEnded:
        return true;
    case EventKind::RequestSent:
    case EventKind::RequestExecuted:
    case EventKind::ReplyReceived:
        // Asks that are refused by the dozen are no aim until they can be told apart.
        return event.request != kNone && drawnAsArrows(scene, event.request);
    default:
        return false;
    }
}

} // namespace

Duration roundStep(const Scene& scene, Instant at) {
    const double x = scene.scale.x(at);
    const double pixel =
        std::max(1.0, static_cast<double>((scene.scale.at(x + 1) - scene.scale.at(x)).count()));
    double step = std::pow(10, std::floor(std::log10(pixel)));
    for (const double times : {2.0, 2.5, 2.0}) {
        if (step >= pixel * 0.999) break;
        step *= times;
    }
    return Duration{static_cast<std::int64_t>(std::llround(step))};
}

std::vector<Instant> snapInstants(const Scene& scene) {
    std::vector<Instant> instants;
    for (const Event& event : scene.trace().events)
        if (matters(scene, event) && (instants.empty() || instants.back() != event.at))
            instants.push_back(event.at);
    return instants;
}

Snap snapAt(const Scene& scene, double x, const SnapTo& to) {
    const Instant last = std::min(scene.trace().horizon, scene.veil);
    const Instant raw = std::clamp(scene.scale.at(x), Instant{}, last);
    if (to.free) {
        const Duration step = std::min<Duration>(millis(1), roundStep(scene, raw));
        const auto count = std::llround(static_cast<double>(micros(raw)) / static_cast<double>(step.count()));
        return {std::min(instantAt(step * count), last), false};
    }
    double best = scene.style.px(6);
    Snap snap;
    const auto offer = [&](Instant at) {
        const double away = std::abs(scene.scale.x(at) - x);
        if (at > last || away >= best) return;
        best = away;
        snap = {at, true};
    };
    const auto& faults = scene.trace().interventions;
    for (std::size_t i = 0; i < faults.size(); ++i) {
        if (static_cast<int>(i) == to.ownFault) continue;
        offer(faults[i].at);
        if (faults[i].length > Duration{0}) offer(faults[i].at + faults[i].length);
    }
    const Instant from = scene.scale.at(x - best), until = scene.scale.at(x + best);
    if (to.instants != nullptr) {
        auto at = std::lower_bound(to.instants->begin(), to.instants->end(), from);
        for (auto left = kMostEvents; at != to.instants->end() && *at <= until && left > 0; ++at, --left)
            offer(*at);
    }
    const std::vector<Event>& events = scene.trace().events;
    auto event = std::lower_bound(events.begin(), events.end(), from,
                                  [](const Event& e, Instant at) { return e.at < at; });
    if (to.instants != nullptr) event = events.end();
    for (auto left = kMostEvents; event != events.end() && event->at <= until && left > 0; ++event, --left) {
        const bool own = event->actor == to.ownActor && event->actor != kNone && event->at >= to.ownFrom;
        if (!own && matters(scene, *event)) offer(event->at);
    }
    if (snap.onEvent) return snap;
    const Duration step = roundStep(scene, raw);
    const auto count = std::llround(static_cast<double>(micros(raw)) / static_cast<double>(step.count()));
    return {std::min(instantAt(step * count), last), false};
}

} // namespace lockscope::ui
