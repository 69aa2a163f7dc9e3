// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/key_history.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

/// Walks the events of one key and, along with them, what the analysis made of each.
class Historian {
public:
    Historian(const Trace& trace, const Analysis& analysis, StringId key, NodeIndex node)
        : m_trace(trace), m_analysis(analysis), m_key(key), m_node(node) {}

    void take(std::uint32_t index) {
        const Event& e = m_trace.events[index];
        if (e.key != m_key || e.node != m_node) return;
        switch (e.kind) {
        case EventKind::KeyWritten:
            return written(e, index);
        case EventKind::DeadlineChanged:
            return deadlineChanged(e, index);
        case EventKind::LeaseEnded:
            add(KeyMoment::Kind::LeaseEnded, e, index, EndReason::LeaseEnded).actor = kNone;
            m_live = kNone;
            return;
        case EventKind::KeyRemoved:
            return removed(e, index);
        default:
            return;
        }
    }

    std::vector<KeyMoment> told() { return std::move(m_moments); }

private:
    KeyMoment& add(KeyMoment::Kind kind, const Event& e, std::uint32_t index,
                   EndReason reason = EndReason::None) {
        KeyMoment m;
        m.at = e.at;
        m.kind = kind;
        m.reason = reason;
        m.actor = e.request == kNone ? e.actor : m_trace.requests[static_cast<std::size_t>(e.request)].actor;
        m.grant = m_live;
        m.request = e.request;
        m.deadline = m_deadline;
        m.event = index;
        m_moments.push_back(m);
        return m_moments.back();
    }

    void written(const Event& e, std::uint32_t index) {
        const int made = grantMadeBy(index);
        if (made != kNone && m_live != kNone &&
            m_analysis.grants[static_cast<std::size_t>(m_live)].until <= e.at) // not beside another holder
            add(KeyMoment::Kind::Ended, e, index, EndReason::Overwritten);
        m_deadline = instantAt(Duration{e.a});
        if (made != kNone) m_live = made;
        add(made != kNone ? KeyMoment::Kind::Granted : KeyMoment::Kind::Rewritten, e, index);
    }

    void deadlineChanged(const Event& e, std::uint32_t index) {
        m_deadline = instantAt(Duration{e.a});
        const bool somebody = e.request != kNone || e.actor != kNone; // else it was a clock that jumped
        const bool renewed = somebody && m_live != kNone && m_deadline != kNever && !byOther(e);
        add(renewed ? KeyMoment::Kind::Renewed : KeyMoment::Kind::DeadlineChanged, e, index);
    }

    void removed(const Event& e, std::uint32_t index) {
        m_deadline = kNever;
        const bool ends = m_live != kNone && e.reason != EndReason::LeaseEnded;
        add(ends ? KeyMoment::Kind::Ended : KeyMoment::Kind::Removed, e, index, e.reason);
        m_live = kNone;
    }

    int grantMadeBy(std::uint32_t event) {
        const auto& grants = m_analysis.grants;
        while (m_nextGrant < grants.size() && grants[m_nextGrant].firstEvent < event)
            ++m_nextGrant;
        const bool made = m_nextGrant < grants.size() && grants[m_nextGrant].firstEvent == event;
        return made ? static_cast<int>(m_nextGrant) : kNone;
    }

    bool byOther(const Event& e) const {
        const auto& steps = m_analysis.deadlines;
        auto s = std::lower_bound(steps.begin(), steps.end(), e.at,
                                  [](const DeadlineStep& step, Instant t) { return step.at < t; });
        for (; s != steps.end() && s->at == e.at; ++s)
            if (s->key == m_key && s->node == m_node && s->request == e.request && s->byOther) return true;
        return false;
    }

    const Trace& m_trace;
    const Analysis& m_analysis;
    StringId m_key;
    NodeIndex m_node;
    std::vector<KeyMoment> m_moments;
    Instant m_deadline = kNever;
    int m_live = kNone;
    std::size_t m_nextGrant = 0;
};

/// What most nodes say has no events of its own: its history is that of its grants.
std::vector<KeyMoment> historyOfMajority(const Trace& trace, const Analysis& analysis, StringId key) {
    std::vector<KeyMoment> moments;
    const auto add = [&](KeyMoment::Kind kind, Instant at, int grant, RequestIndex request) -> KeyMoment& {
        KeyMoment m;
        m.at = at;
        m.kind = kind;
        m.grant = grant;
        m.request = request;
        if (request != kNone) m.actor = trace.requests[static_cast<std::size_t>(request)].actor;
        const auto event = std::find_if(trace.events.begin(), trace.events.end(), [&](const Event& e) {
            return e.at == at && e.key == key && (request == kNone || e.request == request);
        });
        if (event != trace.events.end()) m.event = static_cast<std::uint32_t>(event - trace.events.begin());
        return moments.emplace_back(m);
    };
    for (const DeadlineStep& step : analysis.deadlines) {
        if (step.key != key || step.node != kMajority) continue;
        const Grant& grant = analysis.grants[static_cast<std::size_t>(step.grant)];
        const bool first = step.at == grant.from && step.request == grant.ask;
        const bool renewed = step.request != kNone && !step.byOther && step.deadline != kNever;
        add(first     ? KeyMoment::Kind::Granted
            : renewed ? KeyMoment::Kind::Renewed
                      : KeyMoment::Kind::DeadlineChanged,
            step.at, step.grant, step.request)
            .deadline = step.deadline;
    }
    for (std::size_t g = 0; g < analysis.grants.size(); ++g) {
        const Grant& grant = analysis.grants[g];
        if (grant.key != key || grant.node != kMajority || grant.end == EndReason::None) continue;
        const bool lease = grant.end == EndReason::LeaseEnded;
        add(lease ? KeyMoment::Kind::LeaseEnded : KeyMoment::Kind::Ended, grant.until, static_cast<int>(g),
            grant.endedBy)
            .reason = grant.end;
    }
    std::stable_sort(moments.begin(), moments.end(), [](const KeyMoment& a, const KeyMoment& b) {
        // At the same instant what ends comes before what begins.
        return a.at != b.at ? a.at < b.at : a.grant < b.grant;
    });
    return moments;
}

KeyState stateByMajority(const Analysis& analysis, StringId key, Instant t) {
    KeyState state;
    for (std::size_t g = 0; g < analysis.grants.size() && analysis.grants[g].from <= t; ++g) {
        const Grant& grant = analysis.grants[g];
        if (grant.key != key || grant.node != kMajority) continue;
        state.lastGrant = static_cast<int>(g);
        state.grant = t < grant.until ? state.lastGrant : kNone;
    }
    if (state.grant == kNone) return state;
    state.exists = state.inMemory = true;
    state.value = analysis.grants[static_cast<std::size_t>(state.grant)].value;
    for (const DeadlineStep& step : analysis.deadlines)
        if (step.grant == state.grant && step.at <= t) state.deadline = step.deadline;
    return state;
}

} // namespace

std::vector<KeyMoment> keyHistory(const Trace& trace, const Analysis& analysis, StringId key) {
    return keyHistory(trace, analysis, key, analysis.authority());
}

std::vector<KeyMoment> keyHistory(const Trace& trace, const Analysis& analysis, StringId key,
                                  NodeIndex node) {
    if (node == kMajority) return historyOfMajority(trace, analysis, key);
    Historian historian(trace, analysis, key, node);
    for (std::uint32_t i = 0; i < trace.events.size(); ++i)
        historian.take(i);
    return historian.told();
}

std::vector<KeyMoment> keyHistory(const Trace& trace, const Analysis& analysis, StringId key, NodeIndex node,
                                  const std::vector<std::uint32_t>& events) {
    Historian historian(trace, analysis, key, node);
    for (const std::uint32_t i : events)
        historian.take(i);
    return historian.told();
}

std::string_view nameOf(KeyMoment::Kind kind) {
    constexpr std::array<std::string_view, 7> kNames{
        "granted", "renewed", "rewritten", "deadline-changed", "lease-ended", "ended", "removed"};
    return kNames[static_cast<std::size_t>(kind)];
}

KeyState keyStateAt(const Trace& trace, const Analysis& analysis, StringId key, Instant t) {
    return keyStateAt(trace, analysis, key, t, analysis.authority());
}

KeyState keyStateAt(const Trace& trace, const Analysis& analysis, StringId key, Instant t, NodeIndex node) {
    if (node == kMajority) return stateByMajority(analysis, key, t);
    KeyState state;
    for (const Event& e : trace.events) {
        if (e.at > t) break;
        if (e.key != key || e.node != node) continue;
        switch (e.kind) {
        case EventKind::KeyWritten:
            state.exists = state.inMemory = true;
            state.value = e.text;
            state.type = e.text2;
            state.deadline = instantAt(Duration{e.a});
            break;
        case EventKind::DeadlineChanged:
            state.deadline = instantAt(Duration{e.a});
            break;
        case EventKind::LeaseEnded:
            state.exists = false;
            break;
        case EventKind::KeyRemoved:
            if (e.reason == EndReason::Overwritten) break; // what came over it is told by its own event
            state = KeyState{};
            break;
        default:
            break;
        }
    }
    for (std::size_t g = 0; g < analysis.grants.size() && analysis.grants[g].from <= t; ++g) {
        const Grant& grant = analysis.grants[g];
        if (grant.key != key || grant.node != node) continue;
        state.lastGrant = static_cast<int>(g);
        state.grant = t < grant.until ? state.lastGrant : kNone;
    }
    return state;
}

} // namespace lockscope
