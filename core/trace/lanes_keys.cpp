// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/trace/lanes_builder.h"
#include "core/trace/statements.h"

namespace lockscope {

namespace {

/// A real process needs some microseconds from one statement to the next: to leave, and then to send the
/// release.
constexpr Duration kBlink = millis(2);

/// Lays out one lock key on one node.
class KeyLaneBuilder {
public:
    KeyLaneBuilder(const Trace& trace, const Analysis& analysis, KeyLane& out)
        : m_trace(trace), m_analysis(analysis), m_out(out) {}

    void build() {
        for (const Event& e : m_trace.events)
            if (e.key == m_out.key && e.node == m_out.node &&
                (e.kind == EventKind::KeyRemoved || e.kind == EventKind::KeyWritten))
                m_gone.push_back(e.at);
        for (std::size_t g = 0; g < m_analysis.grants.size(); ++g)
            if (const Grant& grant = m_analysis.grants[g]; grant.key == m_out.key && grant.node == m_out.node)
                add(static_cast<int>(g), grant);
        nobody(m_trace.reached);
        countOthers();
        addTtl();
        for (const Outage& o : m_analysis.outages)
            if (o.node == m_out.node && o.from < m_trace.reached)
                m_out.outages.push_back({o.from, std::min(o.until, m_trace.reached), o.why});
    }

private:
    void add(int index, const Grant& grant) {
        // Of several holders at a time the lane shows one, with the number of the others: the next when the
        // one before it has gone.
        if (grant.from < m_at) m_shared = true;
        Instant from = std::max(grant.from, m_at);
        const Instant until = std::min(grant.until, m_trace.reached);
        if (from > grant.from && from >= until) return;
        nobody(std::min(from, m_trace.reached));
        auto u = std::lower_bound(m_analysis.unattended.begin(), m_analysis.unattended.end(), from,
                                  [](const Unattended& a, Instant t) { return a.from < t; });
        for (; u != m_analysis.unattended.end() && u->from < until; ++u) {
            if (u->grant != index || u->until - u->from < kBlink) continue;
            owned(from, u->from, index, false);
            from = std::min(u->until, until);
            owned(u->from, from, index, true);
        }
        owned(from, until, index, false);
        if (grant.until <= m_trace.reached && !m_out.owners.empty() && m_out.owners.back().grant == index)
            m_out.owners.back().end = grant.end;
        m_at = until;
        m_leaseEnded = grant.end == EndReason::LeaseEnded && m_out.node != kMajority;
    }

    void owned(Instant from, Instant until, int grant, bool nobodyHome) {
        if (from >= until) return;
        OwnerSpan span;
        span.from = from;
        span.until = until;
        span.grant = grant;
        span.nobodyHome = nobodyHome;
        m_out.owners.push_back(span);
    }

    /// Nobody's until `until`; at first the dead key may still lie in memory.
    void nobody(Instant until) {
        Instant from = m_at;
        if (m_leaseEnded && from < until) {
            const auto gone = std::lower_bound(m_gone.begin(), m_gone.end(), from);
            const Instant left = gone == m_gone.end() ? until : std::min(*gone, until);
            if (from < left) {
                owned(from, left, kNone, false);
                m_out.owners.back().lingering = true;
                from = left;
            }
        }
        owned(from, until, kNone, false);
        m_at = std::max(m_at, until);
    }

    /// Cuts the spans where others came or went.
    void countOthers() {
        if (!m_shared) return;
        std::vector<OwnerSpan> cut;
        for (const OwnerSpan& span : m_out.owners) {
            if (span.grant == kNone) {
                cut.push_back(span);
                continue;
            }
            std::vector<Instant> changes{span.until};
            for (const Grant& other : m_analysis.grants)
                if (other.key == m_out.key && other.node == m_out.node)
                    for (const Instant at : {other.from, other.until})
                        if (at > span.from && at < span.until) changes.push_back(at);
            std::sort(changes.begin(), changes.end());
            OwnerSpan part = span;
            part.end = EndReason::None;
            for (const Instant until : changes) {
                if (until <= part.from) continue;
                part.until = until;
                part.others = static_cast<int>(
                    m_analysis.beside(m_analysis.grants[static_cast<std::size_t>(span.grant)], part.from)
                        .size());
                const bool same = !cut.empty() && cut.back().grant == part.grant &&
                                  cut.back().until == part.from && cut.back().others == part.others &&
                                  cut.back().nobodyHome == part.nobodyHome;
                if (same)
                    cut.back().until = until;
                else
                    cut.push_back(part);
                part.from = until;
            }
            cut.back().end = span.end;
        }
        m_out.owners = std::move(cut);
    }

    void addTtl() {
        int last = kNone; // its segment goes on until the next step
        for (const DeadlineStep& step : m_analysis.deadlines) {
            if (step.key != m_out.key || step.node != m_out.node) continue;
            if (last != kNone && step.grant == last)
                m_out.ttl.back().until = std::min(step.at, m_trace.reached);
            TtlSegment segment;
            segment.from = step.at;
            segment.until =
                std::min(m_analysis.grants[static_cast<std::size_t>(step.grant)].until, m_trace.reached);
            segment.unlimited = step.deadline == kNever;
            if (!segment.unlimited) segment.left = step.deadline - step.at;
            segment.grant = step.grant;
            m_out.ttl.push_back(segment);
            last = step.grant;
        }
        std::erase_if(m_out.ttl, [](const TtlSegment& s) { return s.from >= s.until; });
    }

    const Trace& m_trace;
    const Analysis& m_analysis;
    KeyLane& m_out;
    std::vector<Instant> m_gone; ///< when it left the memory or was written anew
    Instant m_at{};
    bool m_leaseEnded = false;
    bool m_shared = false; ///< by several holders at a time
};

} // namespace

void layOutKeys(const Trace& trace, const Analysis& analysis, std::vector<KeyLane>& out) {
    for (const TraceLockKey& lock : trace.lockKeys) {
        const auto add = [&](NodeIndex node) {
            out.push_back({lock.name, node, {}, {}, {}});
            KeyLaneBuilder(trace, analysis, out.back()).build();
        };
        if (analysis.majority) add(kMajority);
        NodeIndex last = static_cast<NodeIndex>(std::max(0, trace.majorityOf - 1));
        for (const TraceRequest& r : trace.requests)
            if (r.key == lock.name) last = std::max(last, r.node);
        for (NodeIndex node = 0; node <= last; ++node)
            add(node);
    }
}

Lanes layOut(const Trace& trace, const Analysis& analysis) {
    Lanes lanes;
    ActorLanes(trace, analysis, lanes.actors).build();
    layOutKeys(trace, analysis, lanes.keys);
    const Statements statements(trace);
    for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
        const Event& e = trace.events[i];
        if (e.kind == EventKind::WriteAccepted || e.kind == EventKind::WriteRejected)
            lanes.resource.push_back(
                {e.at, e.kind == EventKind::WriteAccepted, e.actor, i, statements.of(i)});
    }
    return lanes;
}

} // namespace lockscope
