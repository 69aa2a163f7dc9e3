// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/message_faults.h"

#include <algorithm>

#include "core/base/assert.h"

namespace lockscope::ui {

namespace {

InterventionKind delayOf(Leg leg) {
    return leg == Leg::Request ? InterventionKind::Delay : InterventionKind::DelayReply;
}
InterventionKind lossOf(Leg leg) {
    return leg == Leg::Request ? InterventionKind::LostRequest : InterventionKind::LostReply;
}

} // namespace

MessageFault::MessageFault(const Run& run, const std::vector<Intervention>& faults, RequestIndex request,
                           Leg leg)
    : m_others(faults), m_request(request), m_leg(leg) {
    const TraceRequest& told = run.trace->requests[static_cast<std::size_t>(request)];
    LOCKSCOPE_ASSERT(told.actor != kNone);
    m_actor = run.trace->actors[static_cast<std::size_t>(told.actor)].name;
    m_at = run.analysis.requests[static_cast<std::size_t>(request)].sent;
    for (std::size_t i = 0; i < m_others.size(); ++i) {
        const Intervention& fault = m_others[i];
        if (fault.actor != m_actor || fault.at != m_at) continue;
        if (fault.kind != delayOf(leg) && fault.kind != lossOf(leg)) continue;
        m_lost = fault.kind == lossOf(leg);
        m_delay = fault.length;
        m_place = static_cast<int>(i);
        m_others.erase(m_others.begin() + m_place);
        return;
    }
}

std::vector<Intervention> MessageFault::with(InterventionKind kind, Duration length, int& index) const {
    std::vector<Intervention> all = m_others;
    // Where it stood before, so that its number stays the same.
    const auto place = m_place >= 0 ? all.begin() + m_place : all.end();
    index = static_cast<int>(place - all.begin());
    all.insert(place, Intervention{kind, m_actor, m_at, length});
    return all;
}

std::vector<Intervention> MessageFault::delayed(Duration by, int& index) const {
    index = -1;
    return by > Duration{0} ? with(delayOf(m_leg), by, index) : m_others;
}

std::vector<Intervention> MessageFault::withLoss(int& index) const {
    return with(lossOf(m_leg), Duration{0}, index);
}

bool MessageFault::hits(const Run& run, int index) const {
    // A fault that waited for a message says that it took effect right behind the sending of that message.
    const std::vector<Event>& events = run.trace->events;
    auto event = std::lower_bound(events.begin(), events.end(), m_at,
                                  [](const Event& e, Instant at) { return e.at < at; });
    bool sentJustNow = false;
    for (; event != events.end() && event->at == m_at; ++event) {
        if (event->kind == EventKind::RequestSent)
            sentJustNow = event->request == m_request;
        else if (event->kind == EventKind::InterventionApplied && event->a == index)
            return sentJustNow;
    }
    return false;
}

} // namespace lockscope::ui
