// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/explore.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/search/faults.h"
#include "core/search/shrink.h"
#include "core/trace/phrases.h"
#include "core/trace/wording.h"

namespace lockscope {

namespace {

using Faults = std::vector<Intervention>;

/// Jobs are handed out in lots of this size; budget and progress are looked at between lots, so that what is
/// covered does not depend on the number of threads.
constexpr std::size_t kLot = 64;
/// How many pairs triples are built on.
constexpr std::size_t kClosePairs = 256;

/// What one job of a stage brings back.
struct Harvest {
    std::uint64_t schedules = 0;
    Faults best;                  ///< a failure, or empty
    std::vector<Faults> harmless; ///< what did not break it, in order, if they are wanted
    Faults closest;               ///< of the harmless ones, the first that broke most of anything else
    int closestBreaks = 0;
};

class Search {
public:
    Search(ProbePool& pool, const ExploreRequest& request, const std::atomic<bool>* cancel,
           const std::function<void(const ExploreProgress&)>& progress)
        : m_pool(pool), m_request(request), m_cancel(cancel), m_progress(progress) {}

    Exploration run() {
        if (examineAsItIs()) return std::move(m_result);
        std::vector<Faults> ones;
        if (!stageOne(ones) || m_request.faults < 2) return finish();
        std::vector<Faults> close;
        m_result.coverage.twosComplete = stage(2, ones, m_result.coverage.twos, &close);
        if (m_result.coverage.twosComplete && m_best.empty() && m_request.faults > 2)
            stage(3, close, m_result.coverage.threes, nullptr);
        return finish();
    }

private:
    /// The run without further faults. True if it is broken already.
    bool examineAsItIs() {
        m_pool.forEach(m_request.scenario, 1, nullptr, [&](Probe& probe, Scenario& scenario, std::size_t) {
            m_before = breaksOf(probe.run(scenario));
            m_places = faultPlaces(probe, scenario, Instant{});
            if (const InvariantMask broken = maskOf(m_before) & named()) {
                m_result.found = m_result.brokenAnyway = true;
                m_result.invariant = mostSevere(broken);
                m_result.why = whyOf(probe);
            }
        });
        m_result.schedules = 1;
        m_result.coverage.instants = m_places.starts.size();
        m_result.coverage.messages = m_places.messages.size();
        m_result.coverage.kinds = m_request.choice.kinds;
        return m_result.found;
    }

    bool cancelled() const { return m_cancel != nullptr && m_cancel->load(std::memory_order_relaxed); }
    bool breaks(const Probe& probe) const { return (probe.added(m_before) & wanted()) != 0; }
    /// What the request names; 0 if anything will do.
    InvariantMask named() const {
        return m_request.among != 0 || !m_request.invariant ? m_request.among : maskOf(*m_request.invariant);
    }
    InvariantMask wanted() const { return named() != 0 ? named() : InvariantMask{0xFF}; }
    static Invariant mostSevere(InvariantMask mask) {
        return *std::find_if(kInvariants.begin(), kInvariants.end(),
                             [mask](Invariant invariant) { return (mask & maskOf(invariant)) != 0; });
    }

    void note(Probe& probe, const Faults& faults, bool keepHarmless, Harvest& harvest) const {
        ++harvest.schedules;
        if (breaks(probe)) {
            if (harvest.best.empty() || plainer(faults, harvest.best)) harvest.best = faults;
            return;
        }
        if (keepHarmless) harvest.harmless.push_back(faults);
        int others = 1; // something that broke nothing counts too, as the least close
        for (const Violation& v : probe.violations())
            others += isNew(v, m_before) ? 1 : 0;
        if (others > harvest.closestBreaks) {
            harvest.closestBreaks = others;
            harvest.closest = faults;
        }
    }

    /// Every single fault. Returns false if it ended early; `harmless` are the ones that broke nothing
    /// wanted.
    bool stageOne(std::vector<Faults>& harmless) {
        const std::size_t jobs = m_places.starts.size() + m_places.messages.size();
        const bool whole = inLots(
            1, jobs, m_result.coverage.ones,
            [&](Probe& probe, Scenario& scenario, std::size_t i) {
                FaultPlaces one;
                if (i < m_places.starts.size())
                    one.starts.push_back(m_places.starts[i]);
                else
                    one.messages.push_back(m_places.messages[i - m_places.starts.size()]);
                Harvest harvest;
                forEachFault(probe, scenario, one, m_request.choice, [&](const Intervention& fault) {
                    note(probe, {fault}, true, harvest);
                    return !cancelled();
                });
                return harvest;
            },
            [&](Harvest&& harvest) {
                std::move(harvest.harmless.begin(), harvest.harmless.end(), std::back_inserter(harmless));
            });
        m_result.coverage.onesComplete = whole;
        return whole && m_best.empty();
    }

    /// One more fault on top of each of `bases`, at or after its last one. Returns whether all were tried.
    bool stage(int faults, const std::vector<Faults>& bases, std::uint64_t& counted,
               std::vector<Faults>* close) {
        std::vector<std::pair<int, Faults>> closest;
        const std::size_t mine = m_request.scenario.interventions.size();
        const bool whole = inLots(
            faults, bases.size(), counted,
            [&](Probe& probe, Scenario& scenario, std::size_t i) {
                scenario.interventions.resize(mine);
                scenario.interventions.insert(scenario.interventions.end(), bases[i].begin(), bases[i].end());
                probe.run(scenario);
                const FaultPlaces places = faultPlaces(probe, scenario, bases[i].back().at);
                Harvest harvest;
                Faults tried = bases[i];
                forEachFault(probe, scenario, places, m_request.choice, [&](const Intervention& fault) {
                    tried.push_back(fault);
                    note(probe, tried, false, harvest);
                    tried.pop_back();
                    return !cancelled();
                });
                return harvest;
            },
            [&](Harvest&& harvest) {
                if (close != nullptr && !harvest.closest.empty())
                    closest.emplace_back(harvest.closestBreaks, std::move(harvest.closest));
            });
        if (close != nullptr) {
            std::stable_sort(closest.begin(), closest.end(),
                             [](const auto& a, const auto& b) { return a.first > b.first; });
            if (closest.size() > kClosePairs) closest.resize(kClosePairs);
            for (auto& [broke, pair] : closest)
                close->push_back(std::move(pair));
        }
        return whole;
    }

    template <typename Work, typename Take>
    bool inLots(int faults, std::size_t jobs, std::uint64_t& counted, Work&& work, Take&& take) {
        for (std::size_t from = 0; from < jobs; from += kLot) {
            const std::size_t count = std::min(kLot, jobs - from);
            std::vector<Harvest> harvests(count);
            const bool whole = m_pool.forEach(m_request.scenario, count, m_cancel,
                                              [&](Probe& probe, Scenario& scenario, std::size_t i) {
                                                  harvests[i] = work(probe, scenario, from + i);
                                              });
            for (Harvest& harvest : harvests) {
                counted += harvest.schedules;
                m_result.schedules += harvest.schedules;
                if (!harvest.best.empty() && (m_best.empty() || plainer(harvest.best, m_best)))
                    m_best = harvest.best;
                take(std::move(harvest));
            }
            if (!whole || cancelled()) {
                m_result.cancelled = true;
                return false;
            }
            if (m_progress)
                m_progress({faults, m_result.schedules,
                            static_cast<double>(from + count) / static_cast<double>(jobs)});
            if (m_result.schedules >= m_request.budget && from + count < jobs) {
                m_result.overBudget = true;
                return false;
            }
        }
        return true;
    }

    Exploration finish() {
        if (m_best.empty()) return std::move(m_result);
        m_pool.forEach(m_request.scenario, 1, nullptr, [&](Probe& probe, Scenario& scenario, std::size_t) {
            const std::size_t mine = scenario.interventions.size();
            const auto stillBreaks = [&](const Faults& faults) {
                scenario.interventions.resize(mine);
                scenario.interventions.insert(scenario.interventions.end(), faults.begin(), faults.end());
                probe.run(scenario);
                ++m_result.coverage.shrinking;
                return breaks(probe);
            };
            m_result.interventions = shrink(m_best, stillBreaks);
            stillBreaks(m_result.interventions); // the probe holds the failure now
            m_result.found = true;
            m_result.invariant = mostSevere(probe.added(m_before) & wanted());
            m_result.why = whyOf(probe);
        });
        m_result.schedules += m_result.coverage.shrinking;
        return std::move(m_result);
    }

    std::vector<Cause> whyOf(const Probe& probe) const {
        for (const Violation& v : probe.violations())
            if (v.invariant == m_result.invariant && (m_result.brokenAnyway || isNew(v, m_before)))
                return explain(probe.trace(), probe.analysis(), v);
        return {};
    }

    ProbePool& m_pool;
    const ExploreRequest& m_request;
    const std::atomic<bool>* m_cancel;
    const std::function<void(const ExploreProgress&)>& m_progress;
    std::vector<Break> m_before;
    FaultPlaces m_places;
    Faults m_best;
    Exploration m_result;
};

/// "; faults tried: pause, kill; not tried: lost request, …"
std::string kindsSentence(std::uint32_t kinds) {
    using enum InterventionKind;
    constexpr std::array<std::pair<InterventionKind, const char*>, 7> kNames{
        {{Pause, "pause"},
         {Kill, "kill"},
         {LostRequest, "lost request"},
         {LostReply, "lost reply"},
         {Delay, "delay of a request"},
         {DelayReply, "delay of a reply"},
         {Partition, "partition"}}};
    std::string tried, left;
    for (const auto& [kind, name] : kNames) {
        std::string& list = (kinds & FaultChoice::bit(kind)) != 0 ? tried : left;
        list += (list.empty() ? "" : ", ") + std::string(name);
    }
    return fmt::format(
        "; faults tried: {}; not tried: {}{}restart, clock jumps, server stalls, commands of an "
        "administrator, loads",
        tried, left, left.empty() ? "" : ", ");
}

} // namespace

Exploration explore(ProbePool& pool, const ExploreRequest& request, const std::atomic<bool>* cancel,
                    const std::function<void(const ExploreProgress&)>& progress) {
    return Search(pool, request, cancel, progress).run();
}

std::string sentenceFor(const Exploration& e) {
    if (e.brokenAnyway) return "Broken without any fault.";
    const ExploreCoverage& c = e.coverage;
    std::string out = e.found ? fmt::format("Found after {} schedules: ", sayNumber(e.schedules))
                              : fmt::format("Not broken in {} schedules: ", sayNumber(e.schedules));
    out += fmt::format("{} single faults ({}) at {} instants and on {} messages",
                       c.onesComplete ? "all" : "some", sayNumber(c.ones), c.instants, c.messages);
    if (c.twos > 0) out += fmt::format(", {} pairs ({})", c.twosComplete ? "all" : "some", sayNumber(c.twos));
    if (c.threes > 0)
        out += fmt::format(", {} triples built on the pairs that came closest", sayNumber(c.threes));
    out += kindsSentence(c.kinds);
    if (e.cancelled) out += "; stopped by hand";
    if (e.overBudget) out += "; stopped at the budget";
    return out + ".";
}

Scenario withFailure(const ExploreRequest& request, const Exploration& exploration) {
    Scenario scenario = request.scenario;
    scenario.interventions.insert(scenario.interventions.end(), exploration.interventions.begin(),
                                  exploration.interventions.end());
    return scenario;
}

} // namespace lockscope
