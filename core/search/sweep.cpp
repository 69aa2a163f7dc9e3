// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/sweep.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/assert.h"
#include "core/trace/phrases.h"
#include "core/trace/wording.h"

namespace lockscope {

namespace {

constexpr Duration kInstantStep{1};
constexpr Duration kBorder = millis(1);
constexpr int kCoarsePoints = 48;

/// A start of a pause that is to be tried.
struct Sample {
    std::size_t actor = 0; ///< index into the request's actors
    Sweep::Point point;
    bool done = false;
};

/// The sweeps of all actors as far as they are known, and the samples to come.
class Sampler {
public:
    Sampler(ProbePool& pool, const SweepRequest& request, const std::atomic<bool>* cancel)
        : m_pool(pool), m_request(request), m_cancel(cancel) {
        for (const std::string& actor : request.actors) {
            Sweep& one = m_sweeps.emplace_back();
            one.actor = actor;
            one.pause = request.pause;
            one.horizon = request.scenario.horizon;
        }
    }

    /// What the run breaks without any further pause.
    void setBefore(std::vector<Break> before) {
        m_before = std::move(before);
        for (Sweep& one : m_sweeps) {
            one.brokenAnyway = maskOf(m_before);
            ++one.simulations;
        }
    }

    std::vector<Sweep>& sweeps() { return m_sweeps; }

    /// Lines up the instants that are not known yet. They need not be sorted.
    void add(std::size_t actor, std::vector<Instant> instants) {
        std::sort(instants.begin(), instants.end());
        instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
        auto known = m_sweeps[actor].points.begin();
        for (const Instant t : instants) {
            while (known != m_sweeps[actor].points.end() && known->at < t)
                ++known;
            const bool have = known != m_sweeps[actor].points.end() && known->at == t;
            if (!have && t >= Instant{} && t < m_request.scenario.horizon)
                m_samples.push_back({actor, {t, 0}, false});
        }
    }

    /// Simulates what is lined up. False if it was cancelled.
    bool take() {
        const std::size_t mine = m_request.scenario.interventions.size();
        const bool whole = m_pool.forEach(m_request.scenario, m_samples.size(), m_cancel,
                                          [&](Probe& probe, Scenario& scenario, std::size_t i) {
                                              Sample& sample = m_samples[i];
                                              scenario.interventions.resize(mine + 1);
                                              Intervention& pause = scenario.interventions[mine];
                                              pause.actor = m_request.actors[sample.actor];
                                              pause.at = sample.point.at;
                                              pause.length = m_request.pause;
                                              probe.run(scenario);
                                              sample.point.adds = probe.added(m_before);
                                              sample.done = true;
                                          });
        settle();
        return whole;
    }

    /// Lines up the instants half way between neighbours that differ and lie further apart than a border may
    /// be wide. False if there are none.
    bool addHalves() {
        for (std::size_t actor = 0; actor < m_sweeps.size(); ++actor) {
            const std::vector<Sweep::Point>& points = m_sweeps[actor].points;
            for (std::size_t i = 1; i < points.size(); ++i) {
                const Duration apart = points[i].at - points[i - 1].at;
                if (points[i].adds != points[i - 1].adds && apart > kBorder)
                    m_samples.push_back({actor, {points[i - 1].at + apart / 2, 0}, false});
            }
        }
        return !m_samples.empty();
    }

private:
    /// Puts what was simulated among what was known.
    void settle() {
        const auto earlier = [](const Sweep::Point& a, const Sweep::Point& b) { return a.at < b.at; };
        for (auto from = m_samples.begin(); from != m_samples.end();) {
            Sweep& one = m_sweeps[from->actor];
            const auto known = static_cast<std::ptrdiff_t>(one.points.size());
            auto until = from;
            for (; until != m_samples.end() && until->actor == from->actor; ++until)
                if (until->done) one.points.push_back(until->point);
            one.simulations += one.points.size() - static_cast<std::size_t>(known);
            std::inplace_merge(one.points.begin(), one.points.begin() + known, one.points.end(), earlier);
            from = until;
        }
        m_samples.clear();
    }

    ProbePool& m_pool;
    const SweepRequest& m_request;
    const std::atomic<bool>* m_cancel;
    std::vector<Break> m_before;
    std::vector<Sweep> m_sweeps;
    std::vector<Sample> m_samples; ///< by actor, then by instant
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

std::vector<Sweep> sweep(ProbePool& pool, const SweepRequest& request, const std::atomic<bool>* cancel,
                         const std::function<void(const std::vector<Sweep>&)>& progress) {
    LOCKSCOPE_ASSERT(request.points > 0);
    Sampler sampler(pool, request, cancel);
    std::vector<Instant> critical;
    pool.forEach(request.scenario, 1, nullptr, [&](Probe& probe, Scenario& scenario, std::size_t) {
        sampler.setBefore(breaksOf(probe.run(scenario)));
        critical = criticalInstants(probe.trace(), request.pause);
    });

    const auto round = [&](const std::vector<Instant>& instants) {
        for (std::size_t actor = 0; actor < request.actors.size(); ++actor)
            sampler.add(actor, instants);
        const bool whole = sampler.take();
        if (whole && progress) progress(sampler.sweeps());
        return whole;
    };
    const Instant horizon = request.scenario.horizon;
    if (!round(evenGrid(horizon, std::min(kCoarsePoints, request.points)))) return sampler.sweeps();
    if (!round(critical)) return sampler.sweeps();
    if (!round(evenGrid(horizon, request.points))) return sampler.sweeps();
    while (sampler.addHalves())
        if (!sampler.take()) return sampler.sweeps();
    for (Sweep& one : sampler.sweeps())
        one.complete = true;
    if (progress) progress(sampler.sweeps());
    return std::move(sampler.sweeps());
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
                               formatSecondsExact(region.until - region.from));
    }
    const std::string end = sayTime(sweep.horizon);
    if (any)
        out +=
            fmt::format("{:<{}}{:<{}}{}\n", "", kCaption, "0 s", columns - static_cast<int>(end.size()), end);
    else
        out += "adds nothing, wherever it begins\n";
    if (sweep.brokenAnyway != 0) {
        out += "\nbroken anyway:";
        for (const Invariant invariant : kInvariants)
            if (sweep.brokenAnyway & maskOf(invariant)) out += fmt::format(" {};", titleOf(invariant));
        out.back() = '\n';
    }
    out += fmt::format("\n{} simulations\n", sweep.simulations);
    return out;
}

} // namespace lockscope
