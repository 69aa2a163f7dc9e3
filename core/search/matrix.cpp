// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/matrix.h"

#include <algorithm>
#include <array>

#include "core/search/faults.h"
#include "core/search/shrink.h"

namespace lockscope {

namespace {

using Faults = std::vector<Intervention>;

FaultChoice choiceOf(const std::vector<Intervention>& tries) {
    const std::uint32_t searched = FaultChoice{}.kinds;
    FaultChoice choice{0, {}};
    for (const Intervention& one : tries)
        if ((searched & FaultChoice::bit(one.kind)) != 0)
            choice.kinds |= FaultChoice::bit(one.kind);
        else
            choice.asTheyStand.push_back(one);
    return choice;
}

/// One cell: which invariants break, each in the plainest way.
class CellSearch {
public:
    CellSearch(Probe& probe, Scenario scenario, const std::vector<Intervention>& tries,
               const std::vector<Invariant>& wanted, std::uint64_t budget, const std::atomic<bool>* cancel)
        : m_probe(probe), m_scenario(std::move(scenario)), m_mine(m_scenario.interventions.size()),
          m_choice(choiceOf(tries)), m_wanted(wanted), m_budget(budget), m_cancel(cancel) {}

    MatrixCell run() {
        m_before = breaksOf(m_probe.run(m_scenario));
        m_cell.schedules = 1;
        for (const Break& b : m_before)
            way(b.invariant).found = true;
        if (m_choice.kinds != 0 || !m_choice.asTheyStand.empty())
            searchFaults();
        else
            m_cell.complete = true;
        collect();
        return std::move(m_cell);
    }

private:
    struct Way {
        bool found = false;
        Faults faults;
    };

    Way& way(Invariant invariant) { return m_ways[static_cast<std::size_t>(invariant)]; }
    bool allFound() {
        return std::all_of(m_wanted.begin(), m_wanted.end(),
                           [this](Invariant invariant) { return way(invariant).found; });
    }
    bool mayGoOn() {
        return m_cell.schedules < m_budget &&
               (m_cancel == nullptr || !m_cancel->load(std::memory_order_relaxed));
    }

    void searchFaults() {
        std::vector<Faults> ones;
        const FaultPlaces places = faultPlaces(m_probe, m_scenario, Instant{});
        bool whole = forEachFault(m_probe, m_scenario, places, m_choice, [&](const Intervention& fault) {
            note({fault});
            ones.push_back({fault});
            return mayGoOn();
        });
        for (std::size_t i = 0; whole && i < ones.size() && !allFound(); ++i)
            whole = searchOnTopOf(ones[i]);
        m_cell.complete = whole;
    }

    bool searchOnTopOf(const Faults& base) {
        play(base);
        const FaultPlaces places = faultPlaces(m_probe, m_scenario, base.back().at);
        Faults pair = base;
        return forEachFault(m_probe, m_scenario, places, m_choice, [&](const Intervention& fault) {
            pair.push_back(fault);
            note(pair);
            pair.pop_back();
            return mayGoOn();
        });
    }

    const std::vector<Violation>& play(const Faults& faults) {
        m_scenario.interventions.resize(m_mine);
        m_scenario.interventions.insert(m_scenario.interventions.end(), faults.begin(), faults.end());
        return m_probe.run(m_scenario);
    }

    void note(const Faults& faults) {
        ++m_cell.schedules;
        for (const Violation& v : m_probe.violations()) {
            Way& known = way(v.invariant);
            // What it breaks by itself needs no fault; and one fault is plainer than two.
            if (known.found && (known.faults.empty() || known.faults.size() < faults.size())) continue;
            if (known.found && !plainer(faults, known.faults)) continue;
            known.found = true;
            known.faults = faults;
        }
    }

    void collect() {
        for (const Invariant invariant : m_wanted) {
            const Way& known = way(invariant);
            if (!known.found) continue;
            const auto stillBreaks = [&](const Faults& faults) {
                const std::vector<Violation>& violations = play(faults);
                return std::any_of(violations.begin(), violations.end(),
                                   [&](const Violation& v) { return v.invariant == invariant; });
            };
            m_cell.broken.push_back(
                {invariant, known.faults.empty() ? Faults{} : shrink(known.faults, stillBreaks)});
        }
    }

    Probe& m_probe;
    Scenario m_scenario;
    std::size_t m_mine; ///< interventions that are the scenario's own
    FaultChoice m_choice;
    const std::vector<Invariant>& m_wanted;
    std::uint64_t m_budget;
    const std::atomic<bool>* m_cancel;
    std::vector<Break> m_before;
    std::array<Way, kInvariantCount> m_ways;
    MatrixCell m_cell;
};

} // namespace

std::uint64_t Matrix::schedules() const {
    std::uint64_t sum = 0;
    for (const MatrixCell& cell : cells)
        sum += cell.schedules;
    return sum;
}

Matrix searchMatrix(ProbePool& pool, const FailurePlan& plan, std::uint64_t schedulesPerCell,
                    const std::atomic<bool>* cancel, const std::function<void(std::size_t)>& progress) {
    Matrix matrix;
    matrix.cells.resize(plan.scenarios.size());
    // A program at a time, so that there is something to tell in between.
    for (std::size_t first = 0; first < plan.scenarios.size(); first += plan.failures.size()) {
        const bool whole = pool.forEach(
            plan.scenarios[first], plan.failures.size(), cancel, [&](Probe& probe, Scenario&, std::size_t i) {
                matrix.cells[first + i] = CellSearch(probe, plan.scenarios[first + i], plan.failures[i].tries,
                                                     plan.invariants, schedulesPerCell, cancel)
                                              .run();
            });
        if (!whole || (cancel != nullptr && cancel->load(std::memory_order_relaxed))) {
            matrix.cancelled = true;
            break;
        }
        if (progress) progress(first + plan.failures.size());
    }
    return matrix;
}

} // namespace lockscope
