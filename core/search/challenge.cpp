// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/challenge.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/search/faults.h"
#include "core/search/shrink.h"
#include "core/trace/phrases.h"
#include "core/trace/wording.h"

namespace lockscope {

namespace {

using Verdict = ChallengeResult::Verdict;

/// A claim on a grant of its own, in force for a task at an instant.
bool holds(const Trace& trace, const Analysis& analysis, TaskIndex task, Instant at) {
    return std::any_of(trace.lockKeys.begin(), trace.lockKeys.end(), [&](const TraceLockKey& key) {
        const int claim = claimInForce(trace, analysis, task, key.name, at);
        return claim != kNone && analysis.claims[static_cast<std::size_t>(claim)].base != kNone;
    });
}

/// What each actor of a run got done.
struct Deeds {
    std::vector<Duration> worked; ///< of finished work, as long as it was planned
    std::vector<bool> reached;    ///< a goal, as the holder
    int count() const { return static_cast<int>(std::count(reached.begin(), reached.end(), true)); }
};

Deeds deedsOf(const Trace& trace, const Analysis& analysis) {
    Deeds deeds{std::vector<Duration>(trace.actors.size()), std::vector<bool>(trace.actors.size())};
    const auto isGoal = [&](StringId name, std::string TraceGoal::*kind) {
        return std::any_of(trace.goals.begin(), trace.goals.end(), [&](const TraceGoal& goal) {
            return !(goal.*kind).empty() && trace.text(name) == goal.*kind;
        });
    };
    std::vector<Instant> begun(trace.tasks.size());
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
        const Event& e = trace.events[i];
        if (e.actor == kNone || e.task == kNone) continue;
        const auto actor = static_cast<std::size_t>(e.actor);
        Instant& start = begun[static_cast<std::size_t>(e.task)];
        if (e.kind == EventKind::WorkStarted || e.kind == EventKind::ComputeStarted) start = e.at;
        const bool worked = (e.kind == EventKind::WorkEnded || e.kind == EventKind::ComputeEnded) && e.b == 1;
        // The claim is asked for a moment before: leave() may follow in the same instant.
        if (worked) {
            deeds.worked[actor] += e.at - start;
            if (isGoal(e.text, &TraceGoal::work) && holds(trace, analysis, e.task, e.at - Duration{1}))
                deeds.reached[actor] = true;
        }
    }
    for (const AcceptedWrite& write : analysis.writes) {
        const Event& e = trace.events[write.event];
        if (e.actor != kNone && write.claim != kNone &&
            analysis.claims[static_cast<std::size_t>(write.claim)].base != kNone &&
            isGoal(e.text, &TraceGoal::write))
            deeds.reached[static_cast<std::size_t>(e.actor)] = true;
    }
    return deeds;
}

class Trial {
public:
    Trial(ProbePool& pool, const ChallengePlan& plan, const std::atomic<bool>* cancel,
          const std::function<void(const ExploreProgress&)>& progress)
        : m_pool(pool), m_plan(plan), m_cancel(cancel), m_progress(progress) {
        if (!plan.tries.empty()) m_choice.kinds = 0;
        for (const InterventionKind kind : plan.tries)
            m_choice.kinds |= FaultChoice::bit(kind);
    }

    ChallengeResult run() {
        if (!works()) return std::move(m_result);
        ExploreRequest request;
        request.scenario = m_plan.scenario;
        request.budget = m_plan.schedules;
        request.faults = m_plan.faults;
        request.choice = m_choice;
        for (const Invariant invariant : m_plan.never)
            request.among |= maskOf(invariant);
        m_result.search = explore(m_pool, request, m_cancel, m_progress);
        if (m_result.search.found)
            m_result.verdict = Verdict::Breaks;
        else if (m_result.search.cancelled)
            m_result.verdict = Verdict::Cancelled;
        else
            countUnderFaults();
        return std::move(m_result);
    }

private:
    /// The run in which nothing more interferes: it comes to its end, breaks nothing at all, everybody works
    /// as long as there is to work, and enough of them as holders.
    bool works() {
        Deeds before;
        m_pool.forEach(m_plan.original, 1, nullptr, [&](Probe& probe, Scenario& scenario, std::size_t) {
            probe.run(scenario);
            before = deedsOf(probe.trace(), probe.analysis());
        });
        m_pool.forEach(m_plan.scenario, 1, nullptr, [&](Probe& probe, Scenario& scenario, std::size_t) {
            probe.run(scenario);
            judge(probe, before);
            m_places = faultPlaces(probe, scenario, Instant{});
        });
        return m_result.verdict == Verdict::Passed;
    }

    void judge(const Probe& probe, const Deeds& before) {
        const Trace& trace = probe.trace();
        for (const Event& e : trace.events) {
            if (e.kind != EventKind::ProgramFailed || e.actor == kNone) continue;
            m_result.verdict = Verdict::Fails;
            m_result.who = trace.actors[static_cast<std::size_t>(e.actor)].name;
            m_result.message = trace.text(e.text);
            m_result.at = e.at;
            return;
        }
        if (!trace.failure.empty()) {
            m_result.verdict = Verdict::Fails;
            m_result.message = trace.failure;
            return;
        }
        if (!probe.violations().empty()) {
            const Violation& first = *std::min_element(
                probe.violations().begin(), probe.violations().end(),
                [](const Violation& a, const Violation& b) { return a.invariant < b.invariant; });
            m_result.verdict = Verdict::Breaks;
            m_result.search.found = m_result.search.brokenAnyway = true;
            m_result.search.schedules = 1;
            m_result.search.invariant = first.invariant;
            m_result.search.why = explain(trace, probe.analysis(), first);
            return;
        }
        const Deeds now = deedsOf(trace, probe.analysis());
        m_result.made = now.count();
        if (m_result.made < m_plan.done) {
            m_result.verdict = Verdict::TooLittle;
            return;
        }
        for (std::size_t i = 0; i < now.worked.size(); ++i)
            if (now.reached[i] && now.worked[i] < before.worked[i]) {
                m_result.verdict = Verdict::Shortened;
                m_result.who = trace.actors[i].name;
                return;
            }
    }

    void countUnderFaults() {
        struct Harvest {
            int fewest = 1 << 20;
            std::vector<Intervention> worst; ///< the plainest fault under which too little gets done
            std::uint64_t singles = 0;
        };
        const std::size_t starts = m_places.starts.size();
        std::vector<Harvest> harvests(starts + m_places.messages.size());
        const bool whole = m_pool.forEach(
            m_plan.scenario, harvests.size(), m_cancel, [&](Probe& probe, Scenario& scenario, std::size_t i) {
                FaultPlaces one;
                if (i < starts)
                    one.starts.push_back(m_places.starts[i]);
                else
                    one.messages.push_back(m_places.messages[i - starts]);
                Harvest& harvest = harvests[i];
                forEachFault(probe, scenario, one, m_choice, [&](const Intervention& fault) {
                    const int made = deedsOf(probe.trace(), probe.analysis()).count();
                    ++harvest.singles;
                    harvest.fewest = std::min(harvest.fewest, made);
                    if (made < m_plan.despite && (harvest.worst.empty() || plainer({fault}, harvest.worst)))
                        harvest.worst = {fault};
                    return m_cancel == nullptr || !m_cancel->load(std::memory_order_relaxed);
                });
            });
        if (!whole || (m_cancel != nullptr && m_cancel->load())) {
            m_result.verdict = Verdict::Cancelled;
            return;
        }
        m_result.fewest = m_result.made;
        for (const Harvest& harvest : harvests) {
            m_result.singles += harvest.singles;
            if (harvest.singles > 0) m_result.fewest = std::min(m_result.fewest, harvest.fewest);
            if (!harvest.worst.empty() && (m_result.fault.empty() || plainer(harvest.worst, m_result.fault)))
                m_result.fault = harvest.worst;
        }
        if (!m_result.fault.empty()) makeSmall();
    }

    void makeSmall() {
        m_result.verdict = Verdict::Undone;
        m_pool.forEach(m_plan.scenario, 1, nullptr, [&](Probe& probe, Scenario& scenario, std::size_t) {
            const auto tooLittle = [&](const std::vector<Intervention>& faults) {
                scenario.interventions = faults;
                probe.run(scenario);
                m_result.made = deedsOf(probe.trace(), probe.analysis()).count();
                return m_result.made < m_plan.despite;
            };
            m_result.fault = shrink(m_result.fault, tooLittle);
            tooLittle(m_result.fault);
        });
    }

    ProbePool& m_pool;
    const ChallengePlan& m_plan;
    const std::atomic<bool>* m_cancel;
    const std::function<void(const ExploreProgress&)>& m_progress;
    FaultChoice m_choice;
    FaultPlaces m_places;
    ChallengeResult m_result;
};

} // namespace

ChallengeResult tryChallenge(ProbePool& pool, const ChallengePlan& plan, const std::atomic<bool>* cancel,
                             const std::function<void(const ExploreProgress&)>& progress) {
    return Trial(pool, plan, cancel, progress).run();
}

std::string sentenceFor(const ChallengePlan& plan, const ChallengeResult& result) {
    const auto all = plan.scenario.actors.size();
    switch (result.verdict) {
    case Verdict::Passed:
        return say("Passed. {0} of {1} get their work done as holders, and at least {2} under each of {3} "
                   "single faults. {4}",
                   result.made, all, result.fewest, sayNumber(result.singles), sentenceFor(result.search));
    case Verdict::Fails:
        return result.who.empty()
                   ? say("The run does not come to its end: {0}.", result.message)
                   : say("{0} ends in an error at {1}: {2}", result.who, sayTime(result.at), result.message);
    case Verdict::TooLittle:
        return say("Nothing interferes, and only {0} of {1} get their work done while they hold the lock; "
                   "{2} should.",
                   result.made, all, plan.done);
    case Verdict::Shortened:
        return say("{0} works less than it has to.", result.who);
    case Verdict::Breaks:
        return say("{0}. {1}", titleOf(result.search.invariant), sentenceFor(result.search));
    case Verdict::Undone: {
        std::string faults;
        for (const Intervention& fault : result.fault)
            faults += (faults.empty() ? "" : ", ") + formatIntervention(fault);
        return say("With {0}, only {1} of {2} get their work done while they hold the lock; at least {3} "
                   "should.",
                   faults, result.made, all, plan.despite);
    }
    case Verdict::Cancelled:
        return say("Stopped. {0}", sentenceFor(result.search));
    }
    return {};
}

} // namespace lockscope
