// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where two runs part. Rows are compared span by span by their looks, not by the events behind them: what
// the eye cannot tell apart is the same.
#include "core/trace/difference.h"

#include <algorithm>

namespace lockscope {

namespace {

/// How a span looks: equal ones cannot be told apart. Negative kinds have no looks.
struct Look {
    int kind = -1;
    std::string_view text;
    bool operator==(const Look&) const = default;
};

Look lookOf(const ToldRun& run, const DoesSpan& span) {
    if (span.kind == DoesKind::Finished) return {};
    return {static_cast<int>(span.kind), run.trace.text(span.label)};
}

Look lookOf(const ToldRun&, const ThinksSpan& span) {
    return {span.unknown ? 3 : span.dormant ? 2 : span.frozen ? 1 : 0, {}};
}

Look lookOf(const ToldRun& run, const OwnerSpan& span) {
    if (span.grant == kNone) return {};
    const ActorIndex actor = run.analysis.grants[static_cast<std::size_t>(span.grant)].actor;
    const std::string_view name =
        actor == kNone ? std::string_view() : run.trace.actors[static_cast<std::size_t>(actor)].name;
    return {span.nobodyHome ? 1 : 0, name};
}

int rowOf(const OwnerSpan&) {
    return 0;
}
template <typename Span>
int rowOf(const Span& span) {
    return span.row;
}

template <typename Span>
std::vector<std::vector<const Span*>> byRow(const std::vector<Span>& spans) {
    std::vector<std::vector<const Span*>> rows;
    for (const Span& span : spans) {
        const auto row = static_cast<std::size_t>(std::max(0, rowOf(span)));
        if (rows.size() <= row) rows.resize(row + 1);
        rows[row].push_back(&span);
    }
    return rows;
}

/// The pieces of `one` that no span of `other` in the same row covers with the same looks. Spans of a row
/// come in order and do not overlap, so one walk through both is enough.
template <typename Span>
std::vector<ApartSpan> apart(const ToldRun& oneRun, const std::vector<Span>& one, const ToldRun& otherRun,
                             const std::vector<Span>& other) {
    std::vector<ApartSpan> pieces;
    const auto rows = byRow(other);
    std::vector<std::size_t> next(rows.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        const Span& span = one[i];
        const Look look = lookOf(oneRun, span);
        if (look.kind < 0 || span.until <= span.from) continue;
        Instant from = span.from;
        const auto add = [&](Instant until) {
            if (until > from) pieces.push_back({from, until, rowOf(span), static_cast<std::uint32_t>(i)});
        };
        const auto row = static_cast<std::size_t>(std::max(0, rowOf(span)));
        if (row < rows.size()) {
            const std::vector<const Span*>& against = rows[row];
            while (next[row] < against.size() && against[next[row]]->until <= span.from)
                ++next[row];
            for (std::size_t k = next[row]; k < against.size() && against[k]->from < span.until; ++k) {
                if (lookOf(otherRun, *against[k]) != look) continue;
                add(std::max(from, against[k]->from));
                from = std::max(from, against[k]->until);
            }
        }
        add(span.until);
    }
    return pieces;
}

std::string_view nameOf(const ToldRun& run, const ActorLane& lane) {
    return run.trace.actors[static_cast<std::size_t>(lane.actor)].name;
}

const ActorLane& twinOf(const ToldRun& run, const ActorLane& lane, const ToldRun& other,
                        const ActorLane& none) {
    for (const ActorLane& candidate : other.lanes.actors)
        if (nameOf(other, candidate) == nameOf(run, lane)) return candidate;
    return none;
}

const KeyLane& twinOf(const ToldRun& run, const KeyLane& lane, const ToldRun& other, const KeyLane& none) {
    for (const KeyLane& candidate : other.lanes.keys)
        if (candidate.node == lane.node && other.trace.text(candidate.key) == run.trace.text(lane.key))
            return candidate;
    return none;
}

bool same(const Trace& one, const Event& a, const Trace& other, const Event& b) {
    return a.at == b.at && a.kind == b.kind && a.a == b.a && a.b == b.b && a.reason == b.reason &&
           a.actor == b.actor && a.process == b.process && a.node == b.node && a.task == b.task &&
           one.text(a.key) == other.text(b.key) && one.text(a.text) == other.text(b.text) &&
           one.text(a.text2) == other.text(b.text2);
}

} // namespace

bool LanesApart::any() const {
    return std::any_of(actors.begin(), actors.end(),
                       [](const ActorApart& a) { return !a.does.empty() || !a.thinks.empty(); }) ||
           std::any_of(keys.begin(), keys.end(), [](const auto& pieces) { return !pieces.empty(); });
}

LanesApart lanesApart(const ToldRun& one, const ToldRun& other) {
    LanesApart all;
    const ActorLane noActor;
    const KeyLane noKey;
    for (const ActorLane& lane : one.lanes.actors) {
        const ActorLane& twin = twinOf(one, lane, other, noActor);
        all.actors.push_back(
            {apart(one, lane.does, other, twin.does), apart(one, lane.thinks, other, twin.thinks)});
    }
    for (const KeyLane& lane : one.lanes.keys)
        all.keys.push_back(apart(one, lane.owners, other, twinOf(one, lane, other, noKey).owners));
    return all;
}

Instant firstDifference(const Trace& one, const Trace& other) {
    // That an intervention took effect is told by what it did; its number says nothing.
    const auto skip = [](const Trace& trace, std::size_t& i) {
        while (i < trace.events.size() && trace.events[i].kind == EventKind::InterventionApplied)
            ++i;
        return i < trace.events.size();
    };
    for (std::size_t i = 0, k = 0;; ++i, ++k) {
        const bool here = skip(one, i);
        const bool there = skip(other, k);
        if (!here && !there) return kNever;
        if (here && there && same(one, one.events[i], other, other.events[k])) continue;
        return std::min(here ? one.events[i].at : kNever, there ? other.events[k].at : kNever);
    }
}

} // namespace lockscope
