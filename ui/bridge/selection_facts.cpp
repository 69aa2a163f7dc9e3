// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/selection_facts.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

template <typename T>
const T* entry(const std::vector<T>& table, int index) {
    return index >= 0 && index < static_cast<int>(table.size()) ? &table[static_cast<std::size_t>(index)]
                                                                : nullptr;
}

/// The first event at or after `from` that fits; -1 if none does.
template <typename Fits>
int findEvent(const Trace& trace, Instant from, Fits fits) {
    auto at = std::lower_bound(trace.events.begin(), trace.events.end(), from,
                               [](const Event& event, Instant t) { return event.at < t; });
    at = std::find_if(at, trace.events.end(), fits);
    return at == trace.events.end() ? -1 : static_cast<int>(at - trace.events.begin());
}

void takeEvent(const Run& run, int index, SelectionFacts& facts) {
    const Event* event = entry(run.trace->events, index);
    if (event == nullptr) return;
    facts.event = index;
    facts.at = event->at;
    facts.request = event->request;
    facts.actor = event->actor;
    facts.key = event->key;
    facts.line = event->line;
    const TraceRequest* request = entry(run.trace->requests, event->request);
    if (request == nullptr) return;
    if (facts.actor == kNone) facts.actor = request->actor;
    if (facts.key == StringId::Empty) facts.key = request->key;
    if (facts.line == 0) facts.line = request->line;
    facts.grant = entry(run.analysis.requests, event->request) != nullptr
                      ? run.analysis.requests[static_cast<std::size_t>(event->request)].grant
                      : kNone;
}

void takeRequest(const Run& run, RequestIndex index, EventKind kind, SelectionFacts& facts) {
    const auto* times = entry(run.analysis.requests, index);
    if (times == nullptr) return;
    const Instant from =
        kind == EventKind::RequestExecuted && times->executed != kNever ? times->executed : times->sent;
    const EventKind wanted =
        from == times->executed && kind == EventKind::RequestExecuted ? kind : EventKind::RequestSent;
    takeEvent(
        run,
        findEvent(*run.trace, from, [&](const Event& e) { return e.request == index && e.kind == wanted; }),
        facts);
}

} // namespace

SelectionFacts factsOf(const Run& run, Selection selection) {
    SelectionFacts facts;
    switch (selection.kind) {
    case Selection::Kind::None:
        break;
    case Selection::Kind::Event:
        takeEvent(run, selection.index, facts);
        break;
    case Selection::Kind::Request:
        takeRequest(run, selection.index, EventKind::RequestSent, facts);
        break;
    case Selection::Kind::Grant:
        if (const Grant* grant = entry(run.analysis.grants, selection.index)) {
            takeEvent(run, static_cast<int>(grant->firstEvent), facts);
            facts.grant = selection.index;
            facts.actor = grant->actor;
        }
        break;
    case Selection::Kind::Claim:
        if (const Claim* claim = entry(run.analysis.claims, selection.index)) {
            takeEvent(run, static_cast<int>(claim->enterEvent), facts);
            facts.claim = selection.index;
            facts.grant = claim->base;
        }
        break;
    case Selection::Kind::Violation:
        if (const Violation* violation = entry(run.violations, selection.index)) {
            if (violation->request != kNone)
                takeRequest(run, violation->request, EventKind::RequestExecuted, facts);
            else
                takeEvent(run, findEvent(*run.trace, violation->at, [](const Event&) { return true; }),
                          facts);
            facts.actor = violation->actors[0];
            facts.claim = violation->claims[0];
            facts.grant = violation->grant;
            facts.key = violation->key;
            facts.at = violation->at;
        }
        break;
    case Selection::Kind::Intervention:
        if (const TraceIntervention* done = entry(run.trace->interventions, selection.index)) {
            takeEvent(run,
                      findEvent(*run.trace, done->at,
                                [&](const Event& e) {
                                    return e.kind == EventKind::InterventionApplied && e.a == selection.index;
                                }),
                      facts);
            facts.at = done->at;
        }
        break;
    case Selection::Kind::Actor:
        if (entry(run.trace->actors, selection.index) != nullptr)
            facts.actor = static_cast<ActorIndex>(selection.index);
        break;
    }
    return facts;
}

std::pair<Instant, Instant> spanOf(const Run& run, Selection selection, Instant otherwise) {
    const auto whole = [&](Instant from, Instant until) {
        return std::pair(from, std::max(from, std::min(until, run.trace->reached)));
    };
    if (selection.kind == Selection::Kind::Intervention) {
        if (const TraceIntervention* done = entry(run.trace->interventions, selection.index))
            return whole(done->at, done->at + std::max(done->length, Duration{0}));
    } else if (selection.kind == Selection::Kind::Claim) {
        if (const Claim* claim = entry(run.analysis.claims, selection.index))
            return whole(claim->from, claim->until);
    } else if (selection.kind == Selection::Kind::Grant) {
        if (const Grant* grant = entry(run.analysis.grants, selection.index))
            return whole(grant->from, grant->until);
    } else if (selection.kind == Selection::Kind::Violation) {
        if (const Violation* violation = entry(run.violations, selection.index))
            return whole(violation->at, violation->until);
    }
    const Instant at = factsOf(run, selection).at;
    return at == kNever ? std::pair(otherwise, otherwise) : std::pair(at, at);
}

} // namespace lockscope::ui
