// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/sweep.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/assert.h"
#include "core/trace/wording.h"

namespace lockscope {

namespace {

constexpr Duration kInstantStep{1};
constexpr Duration kBorder = millis(1);
constexpr int kCoarsePoints = 48;

/// The samples known so far and the ones to come.
class Sampler {
public:
    Sampler(ProbePool& pool, const SweepRequest& request, Sweep& result, const std::atomic<bool>* cancel)
        : m_pool(pool), m_request(request), m_result(result), m_cancel(cancel) {}

    /// Simulates every instant that is not known yet. False if it was cancelled.
    bool sample(std::vector<Instant> instants) {
        std::sort(instants.begin(), instants.end());
        instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
        std::erase_if(instants, [&](Instant t) {
            return t < Instant{} || t >= m_request.scenario.horizon || m_known.contains(t);
        });
        std::vector<InvariantMask> adds(instants.size(), 0);
        std::vector<char> done(instants.size(), 0);
        const std::size_t mine = m_request.scenario.interventions.size();
        const bool whole =
            m_pool.forEach(m_request.scenario, instants.size(), m_cancel,
                           [&](Probe& probe, Scenario& scenario, std::size_t i) {
                               scenario.interventions.resize(mine + 1);
                               scenario.interventions[mine] = {InterventionKind::Pause, m_request.actor,
                                                               instants[i], m_request.pause};
                               probe.run(scenario);
                               adds[i] = probe.added(m_before);
                               done[i] = 1;
                           });
        for (std::size_t i = 0; i < instants.size(); ++i) {
            if (!done[i]) continue;
            m_known.emplace(instants[i], adds[i]);
            ++m_result.simulations;
        }
        publish();
        return whole;
    }

    void setBefore(std::vector<Break> before) { m_before = std::move(before); }

    /// Neighbours that differ and lie further apart than a border may be wide: the instants half way between
    /// them.
    std::vector<Instant> halves() const {
        std::vector<Instant> out;
        for (auto it = m_known.begin(); it != m_known.end(); ++it) {
            const auto next = std::next(it);
            if (next == m_known.end()) break;
            if (it->second != next->second && next->first - it->first > kBorder)
                out.push_back(it->first + (next->first - it->first) / 2);
        }
        return out;
    }

private:
    void publish() {
        m_result.points.clear();
        m_result.points.reserve(m_known.size());
        for (const auto& [at, adds] : m_known)
            m_result.points.push_back({at, adds});
    }

    ProbePool& m_pool;
    const SweepRequest& m_request;
    Sweep& m_result;
    const std::atomic<bool>* m_cancel;
    std::vector<Break> m_before;
    std::map<Instant, InvariantMask> m_known;
};

std::vector<Instant> evenGrid(Instant horizon, int points) {
    std::vector<Instant> out;
    for (int i = 0; i < points; ++i)
        out.push_back(Instant{} + (horizon - Instant{}) * i / points);
    return out;
}

std::vector<Instant> criticalInstants(const Trace& trace, Duration pause) {
    std::vector<Instant> out;
    Instant last{Duration{-1}};
    for (const Event& event : trace.events) {
        if (event.at == last) continue;
        last = event.at;
        for (const Instant t : {event.at, event.at - pause}) {
            out.push_back(t);
            out.push_back(t + kInstantStep);
        }
    }
    return out;
}

} // namespace

InvariantMask Sweep::addsAt(Instant t) const {
    const auto after = std::upper_bound(points.begin(), points.end(), t,
                                        [](Instant at, const Point& p) { return at < p.at; });
    return after == points.begin() ? InvariantMask{0} : std::prev(after)->adds;
}

std::vector<Sweep::Region> Sweep::regions(Invariant invariant) const {
    std::vector<Region> out;
    bool open = false;
    for (const Point& point : points) {
        const bool adds = (point.adds & maskOf(invariant)) != 0;
        if (adds && !open) out.push_back({point.at, horizon});
        if (!adds && open) out.back().until = point.at;
        open = adds;
    }
    return out;
}

Sweep sweep(ProbePool& pool, const SweepRequest& request, const std::atomic<bool>* cancel,
            const std::function<void(const Sweep&)>& progress) {
    LOCKSCOPE_ASSERT(request.points > 0);
    Sweep result;
    result.actor = request.actor;
    result.pause = request.pause;
    result.horizon = request.scenario.horizon;

    Sampler sampler(pool, request, result, cancel);
    std::vector<Instant> critical;
    pool.forEach(request.scenario, 1, nullptr, [&](Probe& probe, Scenario& scenario, std::size_t) {
        std::vector<Break> before = breaksOf(probe.run(scenario));
        result.brokenAnyway = maskOf(before);
        sampler.setBefore(std::move(before));
        critical = criticalInstants(probe.trace(), request.pause);
    });
    ++result.simulations;

    const auto round = [&](std::vector<Instant> instants) {
        const bool whole = sampler.sample(std::move(instants));
        if (whole && progress) progress(result);
        return whole;
    };
    if (!round(evenGrid(request.scenario.horizon, std::min(kCoarsePoints, request.points)))) return result;
    if (!round(std::move(critical))) return result;
    if (!round(evenGrid(request.scenario.horizon, request.points))) return result;
    for (std::vector<Instant> halves = sampler.halves(); !halves.empty(); halves = sampler.halves())
        if (!sampler.sample(std::move(halves))) return result;
    result.complete = true;
    if (progress) progress(result);
    return result;
}

std::string toJson(const Sweep& sweep, double elapsedSeconds) {
    nlohmann::ordered_json out;
    out["actor"] = sweep.actor;
    out["pause_us"] = sweep.pause.count();
    const auto names = [](InvariantMask mask) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const Invariant invariant : kInvariants)
            if (mask & maskOf(invariant)) list.push_back(nameOf(invariant));
        return list;
    };
    out["broken_anyway"] = names(sweep.brokenAnyway);
    out["points"] = nlohmann::ordered_json::array();
    for (const Sweep::Point& point : sweep.points)
        out["points"].push_back({{"at_us", micros(point.at)}, {"adds", names(point.adds)}});
    out["until_us"] = micros(sweep.horizon);
    out["simulations"] = sweep.simulations;
    out["seconds"] = elapsedSeconds;
    return out.dump(2) + "\n";
}

std::string toText(const Sweep& sweep, int width) {
    std::string out =
        fmt::format("If {} is paused {} here:\n\n", sweep.actor, formatSecondsExact(sweep.pause));
    constexpr int kCaption = 32;
    const int columns = std::max(20, width - kCaption);
    const Duration whole = sweep.horizon - Instant{};
    bool any = false;
    for (const Invariant invariant : kInvariants) {
        const std::vector<Sweep::Region> regions = sweep.regions(invariant);
        if (regions.empty()) continue;
        any = true;
        std::string row(static_cast<std::size_t>(columns), '.');
        for (const Sweep::Region& region : regions) {
            const auto column = [&](Instant t) {
                return std::clamp<std::int64_t>((t - Instant{}) * columns / whole, 0, columns - 1);
            };
            for (std::int64_t i = column(region.from); i <= column(region.until - kInstantStep); ++i)
                row[static_cast<std::size_t>(i)] = '#';
        }
        out += fmt::format("{:<{}}{}\n", titleOf(invariant), kCaption, row);
        for (const Sweep::Region& region : regions)
            out += fmt::format("{:<{}}from {} for {}\n", "", kCaption,
                               formatSecondsExact(region.from.time_since_epoch()),
                               formatDuration(region.until - region.from));
    }
    if (!any) out += "adds nothing, wherever it begins\n";
    if (sweep.brokenAnyway != 0) {
        out += "\nbroken anyway:";
        for (const Invariant invariant : kInvariants)
            if (sweep.brokenAnyway & maskOf(invariant)) out += fmt::format(" {}", nameOf(invariant));
        out += "\n";
    }
    out += fmt::format("\n{} simulations\n", sweep.simulations);
    return out;
}

} // namespace lockscope
