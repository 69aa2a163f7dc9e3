// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/run_facts.h"

#include <QCoreApplication>

#include <algorithm>

#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {

struct FactWords {
    Q_DECLARE_TR_FUNCTIONS(RunFacts)
};

/// A command's effect is known for certain with its reply. Before that, or without one, by what was seen of
/// the server, if it tells.
QString sourceOf(const Run& run, const Event& event, Instant at) {
    if (event.kind == EventKind::LeaseEnded) return FactWords::tr("computed");
    if (event.request == kNone) return FactWords::tr("notification");
    const auto request = static_cast<std::size_t>(event.request);
    if (run.analysis.requests[request].replied <= at)
        return FactWords::tr("reply to %1").arg(qstr(run.trace->text(run.trace->requests[request].command)));
    return run.trace->world == WorldKind::LiveEmbedded ? FactWords::tr("the store itself")
                                                       : FactWords::tr("seen at the server");
}

QString leaseText(Instant deadline, Instant at) {
    if (deadline == kNever) return FactWords::tr("has no end");
    if (deadline < at) return FactWords::tr("ended at %1").arg(exactSeconds(deadline));
    return FactWords::tr("ends at %1, in %2").arg(exactSeconds(deadline), exactSeconds(deadline - at));
}

/// The latest events that tell of a key.
struct LatestOfKey {
    const Event* written = nullptr;  ///< the value
    const Event* deadline = nullptr; ///< what set the deadline
    const Event* ended = nullptr;    ///< the lease
    const Event* removed = nullptr;
};

/// From the newest back to what wrote the value that lies, or lay, there last.
LatestOfKey latestOf(const Trace& trace, StringId key, Instant at) {
    LatestOfKey latest;
    const auto keep = [](const Event*& known, const Event& event) {
        if (known == nullptr) known = &event;
    };
    const auto end = std::upper_bound(trace.events.begin(), trace.events.end(), at,
                                      [](Instant when, const Event& event) { return when < event.at; });
    for (auto event = std::make_reverse_iterator(end); event != trace.events.rend(); ++event) {
        if (event->key != key) continue;
        if (event->kind == EventKind::DeadlineChanged) keep(latest.deadline, *event);
        if (event->kind == EventKind::LeaseEnded) keep(latest.ended, *event);
        if (event->kind == EventKind::KeyRemoved && event->reason != EndReason::Overwritten)
            keep(latest.removed, *event);
        if (event->kind != EventKind::KeyWritten) continue;
        keep(latest.deadline, *event);
        latest.written = &*event;
        break;
    }
    return latest;
}

} // namespace

QList<KnownFact> knownFacts(const Run& run, Instant at) {
    const Trace& trace = *run.trace;
    QList<KnownFact> facts;
    if (trace.world == WorldKind::Simulated || trace.lockKeys.empty()) return facts;
    const LatestOfKey latest = latestOf(trace, trace.lockKeys.front().name, at);
    if (latest.written == nullptr) return facts;
    const auto add = [&](const QString& name, const QString& value, const Event& event) {
        facts += {name, value, sourceOf(run, event, at), at - event.at};
    };
    add(FactWords::tr("Value"), qstr(trace.text(latest.written->text)), *latest.written);
    const Instant deadline = instantAt(Duration{latest.deadline->a});
    if (latest.removed == nullptr || deadline <= latest.removed->at)
        add(FactWords::tr("Lease"), leaseText(deadline, at), *latest.deadline);
    if (latest.ended != nullptr)
        add(FactWords::tr("Lease over"), FactWords::tr("since %1").arg(exactSeconds(latest.ended->at)),
            *latest.ended);
    if (latest.removed != nullptr)
        add(FactWords::tr("Key removed"), FactWords::tr("at %1").arg(exactSeconds(latest.removed->at)),
            *latest.removed);
    return facts;
}

} // namespace lockscope::ui
