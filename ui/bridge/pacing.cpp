// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/pacing.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr double kShortestGap = 0.3; // seconds of playing
constexpr double kLongestGap = 1.2;
constexpr double kMinuteTakes = 8.0;
/// Above this much over the aim, neighbouring beats are taken together.
constexpr double kPatience = 1.5;

bool aboutItselfOnly(EventKind kind) {
    switch (kind) {
    case EventKind::TaskStarted:
    case EventKind::TaskEnded:
    case EventKind::SleepStarted:
    case EventKind::SleepEnded:
    case EventKind::KeyspaceEvent:
    case EventKind::Logged:
        return true;
    default:
        return false;
    }
}

} // namespace

std::vector<Instant> beatsOf(const Trace& trace, const Analysis& analysis) {
    std::vector<Instant> beats;
    std::vector<char> refusedBefore(trace.actors.size(), 0);
    std::vector<char> folded(trace.requests.size(), 0);
    for (const Event& event : trace.events) {
        if (aboutItselfOnly(event.kind)) continue;
        if (event.request != kNone) {
            const auto r = static_cast<std::size_t>(event.request);
            if (event.kind == EventKind::RequestSent && event.actor != kNone) {
                char& before = refusedBefore[static_cast<std::size_t>(event.actor)];
                const bool refused = r < analysis.requests.size() && analysis.requests[r].refusal;
                folded[r] = refused && before;
                before = refused;
            }
            if (folded[r]) continue;
        }
        if (beats.empty() || beats.back() != event.at) beats.push_back(event.at);
    }
    return beats;
}

Pacing::Pacing(const std::vector<Instant>& beats, Instant end) {
    if (end <= Instant{}) return;
    const double runSeconds = std::chrono::duration<double>(end.time_since_epoch()).count();
    const double aim = runSeconds * kMinuteTakes / 60.0;
    Duration apart = millis(50);
    for (;;) {
        m_knots.assign(1, Knot{});
        const auto put = [&](Instant at) {
            const double run = std::chrono::duration<double>(at - m_knots.back().at).count();
            m_knots.push_back(
                {at, m_knots.back().wall + std::clamp(run * kMinuteTakes / 60.0, kShortestGap, kLongestGap)});
        };
        for (const Instant at : beats)
            if (at - m_knots.back().at >= apart && end - at >= apart) put(at);
        put(end);
        if (total() <= std::max(aim * kPatience, 4 * kLongestGap) || apart > end.time_since_epoch() / 8)
            return;
        apart *= 2;
    }
}

std::size_t Pacing::segmentAt(Instant at) const {
    const auto after = std::upper_bound(m_knots.begin(), m_knots.end(), at,
                                        [](Instant t, const Knot& knot) { return t < knot.at; });
    const auto index = static_cast<std::size_t>(after - m_knots.begin());
    return std::clamp<std::size_t>(index, 1, m_knots.size() - 1) - 1;
}

double Pacing::wallAt(Instant at) const {
    if (m_knots.size() < 2) return 0;
    const std::size_t i = segmentAt(at);
    const Knot &a = m_knots[i], &b = m_knots[i + 1];
    const double share =
        std::chrono::duration<double>(at - a.at) / std::chrono::duration<double>(b.at - a.at);
    return a.wall + std::clamp(share, 0.0, 1.0) * (b.wall - a.wall);
}

Instant Pacing::instantAt(double wall) const {
    if (m_knots.size() < 2) return {};
    const auto after = std::upper_bound(m_knots.begin(), m_knots.end(), wall,
                                        [](double w, const Knot& knot) { return w < knot.wall; });
    const auto i =
        std::clamp<std::size_t>(static_cast<std::size_t>(after - m_knots.begin()), 1, m_knots.size() - 1) - 1;
    const Knot &a = m_knots[i], &b = m_knots[i + 1];
    const double share = std::clamp((wall - a.wall) / (b.wall - a.wall), 0.0, 1.0);
    return a.at + Duration{std::llround(share * static_cast<double>((b.at - a.at).count()))};
}

double Pacing::ratioAt(Instant at) const {
    if (m_knots.size() < 2) return 1;
    const std::size_t i = segmentAt(at);
    const Knot &a = m_knots[i], &b = m_knots[i + 1];
    return std::chrono::duration<double>(b.at - a.at).count() / (b.wall - a.wall);
}

Instant Pacing::beatAfter(Instant at) const {
    if (m_knots.empty()) return at;
    const auto after = std::upper_bound(m_knots.begin(), m_knots.end(), at,
                                        [](Instant t, const Knot& knot) { return t < knot.at; });
    return after == m_knots.end() ? m_knots.back().at : after->at;
}

} // namespace lockscope::ui
