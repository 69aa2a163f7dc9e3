// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/explain.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/trace/wording.h"
#include "core/world/intervention.h"

namespace lockscope {

namespace {

std::string timeOf(Instant t) {
    return formatSecondsExact(t.time_since_epoch());
}

class Explainer {
public:
    Explainer(const Trace& trace, const Analysis& analysis) : m_trace(trace), m_analysis(analysis) {}

    std::vector<Cause> explain(const Violation& violation) {
        add(violation.at, sentenceFor(m_trace, m_analysis, violation));
        const bool grantIsOthers = violation.invariant == Invariant::ForeignDelete ||
                                   violation.invariant == Invariant::ForeignExtend;
        if (violation.request != kNone) sayRequest(violation.request, violation.at);
        if (violation.invariant == Invariant::StuckLock) {
            sayStuck(violation);
        } else if (violation.invariant == Invariant::Starvation) {
            sayFaultsOf(violation.actors[0], violation.at);
        } else {
            // Whoever acts as holder without being the owner: that claim lost its lock some time before.
            const int late = violation.claims[0];
            if (grantIsOthers && violation.grant != kNone) sayGrant(violation.grant);
            if (late != kNone) sayLoss(late, violation.at);
        }
        return std::move(m_out);
    }

private:
    std::string name(ActorIndex actor) const {
        return actor == kNone ? std::string("somebody")
                              : m_trace.actors[static_cast<std::size_t>(actor)].name;
    }
    std::string keyName(StringId key) const { return std::string(m_trace.text(key)); }

    void sayRequest(RequestIndex request, Instant at) {
        const RequestTimes& times = m_analysis.requests[static_cast<std::size_t>(request)];
        const TraceRequest& what = m_trace.requests[static_cast<std::size_t>(request)];
        if (times.sent == kNever) return;
        add(times.sent, fmt::format("{} had sent {} at {}; Redis executed it at {}.", name(what.actor),
                                    m_trace.text(what.command), timeOf(times.sent), timeOf(at)));
        sayMessageFaults(request);
    }

    void sayGrant(int grant) {
        const Grant& g = m_analysis.grants[static_cast<std::size_t>(grant)];
        add(g.from, fmt::format("By then {} was the owner of {}, since {}.", name(g.actor), keyName(g.key),
                                timeOf(g.from)));
    }

    /// Why the claim was open although its grant was gone.
    void sayLoss(int claim, Instant by) {
        const Claim& c = m_analysis.claims[static_cast<std::size_t>(claim)];
        if (c.base == kNone) {
            add(c.from, fmt::format("{} acted as the holder from {} without having been granted the lock.",
                                    name(c.actor), timeOf(c.from)));
            return;
        }
        const Grant& g = m_analysis.grants[static_cast<std::size_t>(c.base)];
        if (g.until != kNever) {
            if (g.end == EndReason::LeaseEnded)
                add(g.until, fmt::format("{}'s own lease had ended at {}, {} after it was granted{}.",
                                         name(c.actor), timeOf(g.until), formatSecondsExact(g.until - g.from),
                                         renewed(c.base) ? " and later renewed" : ""));
            else
                add(g.until, fmt::format("{}'s own ownership had ended at {}: {}{}.", name(c.actor),
                                         timeOf(g.until), wordFor(g.end), by_(g)));
        }
        const std::size_t before = m_out.size();
        for (const Freeze& freeze : m_analysis.freezes) {
            if (freeze.process != c.process || freeze.from >= by) continue;
            if (freeze.until != kNever && freeze.until <= c.from) continue;
            add(freeze.from, freeze.until == kNever || freeze.until > by
                                 ? fmt::format("{} was paused at {}.", name(c.actor), timeOf(freeze.from))
                                 : fmt::format("{} had been paused from {} to {}.", name(c.actor),
                                               timeOf(freeze.from), timeOf(freeze.until)));
        }
        for (std::size_t r = 0; r < m_trace.requests.size(); ++r)
            if (m_trace.requests[r].actor == c.actor && m_analysis.requests[r].sent < by)
                sayMessageFaults(static_cast<RequestIndex>(r));
        sayJumpsOf(name(c.actor), Instant{}, by);
        sayServerFaults(g.node, g.from, by);
        if (m_out.size() == before && g.end == EndReason::LeaseEnded)
            add(g.until,
                fmt::format("Nothing held {} up: its program takes longer than its lease, and nothing "
                            "renewed it in time.",
                            name(c.actor)));
    }

    bool renewed(int grant) const {
        return std::any_of(m_analysis.deadlines.begin(), m_analysis.deadlines.end(),
                           [&](const DeadlineStep& step) {
                               // A clock that jumps moves deadlines too, by no command.
                               return step.grant == grant && step.request != kNone &&
                                      step.at > m_analysis.grants[static_cast<std::size_t>(grant)].from;
                           });
    }

    std::string by_(const Grant& g) const {
        if (g.endedBy == kNone) return {};
        return " by " + name(m_trace.requests[static_cast<std::size_t>(g.endedBy)].actor);
    }

    void sayMessageFaults(RequestIndex request) {
        const RequestTimes& times = m_analysis.requests[static_cast<std::size_t>(request)];
        const TraceRequest& what = m_trace.requests[static_cast<std::size_t>(request)];
        if (times.requestLost != kNever)
            once(times.sent, fmt::format("{}'s {}, sent at {}, had been lost on its way.", name(what.actor),
                                         m_trace.text(what.command), timeOf(times.sent)));
        if (times.replyLost != kNever)
            once(times.sent, fmt::format("The reply to {}'s {}, sent at {}, had been lost.", name(what.actor),
                                         m_trace.text(what.command), timeOf(times.sent)));
        for (const TraceIntervention& fault : m_trace.interventions) {
            if (!fault.applied || (fault.kind != "delay" && fault.kind != "delay-reply")) continue;
            if (fault.target != name(what.actor) || fault.at != times.sent) continue;
            once(times.sent, fmt::format("{} {} had been delayed by {}.", name(what.actor) + "'s",
                                         std::string(m_trace.text(what.command)) +
                                             (fault.kind == "delay" ? "" : " reply"),
                                         formatSecondsExact(fault.length)));
        }
    }

    void sayStuck(const Violation& violation) {
        if (violation.grant != kNone) {
            const Grant& g = m_analysis.grants[static_cast<std::size_t>(violation.grant)];
            add(g.from, fmt::format("It was granted to {} at {}{}.", name(g.actor), timeOf(g.from),
                                    g.deadlineWhenGranted == kNever ? " without a deadline" : ""));
            if (g.ask != kNone) sayMessageFaults(g.ask);
        }
        sayFaultsOf(violation.actors[0], violation.at);
    }

    /// What was done to the machine of an actor or of a server: its clock.
    void sayJumpsOf(const std::string& whose, Instant from, Instant by) {
        for (const TraceIntervention& fault : m_trace.interventions)
            if (fault.applied && fault.target == whose && fault.at >= from && fault.at <= by &&
                (fault.kind == "clock-jump" || fault.kind == "server-clock-jump"))
                once(fault.at,
                     fmt::format("The clock of {} was put {} by {} at {}.", whose,
                                 fault.length < Duration{0} ? "back" : "forward",
                                 formatSecondsExact(std::chrono::abs(fault.length)), timeOf(fault.at)));
    }

    /// What was done to a server that mattered between two instants.
    void sayServerFaults(NodeIndex node, Instant from, Instant by) {
        sayJumpsOf(serverName(node), from, by);
        for (const TraceIntervention& fault : m_trace.interventions) {
            if (!fault.applied || serverNode(fault.target) != node || fault.at > by) continue;
            if (fault.kind == "server-stall" && fault.at + fault.length >= from)
                once(fault.at, fmt::format("{} could not answer from {} to {}.", fault.target,
                                           timeOf(fault.at), timeOf(fault.at + fault.length)));
            if (fault.kind == "admin" && fault.at >= from)
                once(fault.at, fmt::format("{} ran {} at {}.", kAdminName, fault.command, timeOf(fault.at)));
        }
    }

    /// Everything that was done to an actor, and to the servers that it asks.
    void sayFaultsOf(ActorIndex actor, Instant by) {
        std::set<NodeIndex> nodes;
        for (const TraceIntervention& fault : m_trace.interventions) {
            if (!fault.applied || fault.at > by) continue;
            if (const int node = serverNode(fault.target); node >= 0)
                nodes.insert(static_cast<NodeIndex>(node));
            else if (actor == kNone || fault.target == name(actor))
                once(fault.at, fmt::format("{}: {} at {}.", fault.target, fault.kind, timeOf(fault.at)));
        }
        for (const NodeIndex node : nodes)
            sayServerFaults(node, Instant{}, by);
    }

    void add(Instant at, std::string sentence) { m_out.push_back({std::move(sentence), at}); }
    void once(Instant at, std::string sentence) {
        if (std::none_of(m_out.begin(), m_out.end(), [&](const Cause& c) { return c.sentence == sentence; }))
            add(at, std::move(sentence));
    }

    const Trace& m_trace;
    const Analysis& m_analysis;
    std::vector<Cause> m_out;
};

} // namespace

std::vector<Cause> explain(const Trace& trace, const Analysis& analysis, const Violation& violation) {
    return Explainer(trace, analysis).explain(violation);
}

} // namespace lockscope
