// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/store_recorder.h"

#include <algorithm>
#include <utility>

#include "core/world/load.h"
#include "core/world/shown_text.h"

namespace lockscope {

namespace {

constexpr std::size_t kLongestValue = 120;

EndReason reasonOf(redis::Removal why) {
    switch (why) {
    case redis::Removal::Deleted:
        return EndReason::Deleted;
    case redis::Removal::DeadlineInPast:
        return EndReason::DeadlineInPast;
    case redis::Removal::Expired:
        return EndReason::LeaseEnded;
    case redis::Removal::Evicted:
        return EndReason::Evicted;
    case redis::Removal::Flushed:
        return EndReason::Flushed;
    }
    return EndReason::None;
}

} // namespace

bool StoreRecorder::untold(std::string_view key) const {
    if (m_muted) return true;
    if (!key.starts_with(kLoadPrefix)) return false;
    return std::ranges::none_of(m_trace->lockKeys,
                                [&](const TraceLockKey& lock) { return m_trace->text(lock.name) == key; });
}

Event& StoreRecorder::record(EventKind kind, std::string_view key) {
    // A lease ends at its deadline, but is told of when time has gone on; what happened in between stands
    // already.
    Instant at = instantAt(Duration{m_store->observerTime() - m_epochMicros});
    if (!m_trace->events.empty()) at = std::max(at, m_trace->events.back().at);
    Event& event = m_trace->events.emplace_back();
    event.at = at;
    event.kind = kind;
    event.node = m_node;
    if (m_trace->text(m_lastKey) != key) m_lastKey = m_trace->strings.intern(key);
    event.key = m_lastKey;
    if (m_cause != kNone) {
        const TraceRequest& request = m_trace->requests[static_cast<std::size_t>(m_cause)];
        event.request = m_cause;
        event.actor = request.actor;
        event.task = request.task;
        if (request.task != kNone)
            event.process = m_trace->tasks[static_cast<std::size_t>(request.task)].process;
        event.line = request.line;
    }
    return event;
}

std::int64_t StoreRecorder::runMicros(std::optional<redis::UnixMillis> deadline) const {
    if (!deadline) return micros(kNever);
    return *deadline > micros(kNever) / 1000 ? micros(kNever) : *deadline * 1000 - m_epochMicros;
}

StringId StoreRecorder::shown(std::string_view value) {
    m_text.clear();
    appendShown(value, kLongestValue, m_text);
    return m_trace->strings.intern(m_text);
}

void StoreRecorder::onWritten(std::string_view key, std::string_view type, std::string_view value,
                              std::optional<redis::UnixMillis> deadline, Before before) {
    if (untold(key)) return;
    const StringId text = shown(value);
    Event& event = record(EventKind::KeyWritten, key);
    event.text = text;
    event.text2 = m_trace->strings.intern(type);
    event.a = runMicros(deadline);
    event.b = static_cast<std::int64_t>(before == Before::Absent    ? KeyBefore::Absent
                                        : before == Before::Expired ? KeyBefore::Expired
                                                                    : KeyBefore::Live);
}

void StoreRecorder::onDeadlineChanged(std::string_view key, std::optional<redis::UnixMillis> before,
                                      std::optional<redis::UnixMillis> after) {
    if (untold(key)) return;
    Event& event = record(EventKind::DeadlineChanged, key);
    event.a = runMicros(after);
    event.b = runMicros(before);
}

void StoreRecorder::onLeaseEnded(std::string_view key, redis::UnixMillis deadline) {
    if (untold(key)) return;
    Event& event = record(EventKind::LeaseEnded, key);
    event.a = runMicros(deadline);
    event.reason = EndReason::LeaseEnded;
}

void StoreRecorder::onRemoved(std::string_view key, redis::Removal why, std::string_view value) {
    if (untold(key)) return;
    const StringId text = shown(value);
    // To make room is the server's own doing, whoever's command wanted it.
    const RequestIndex cause =
        why == redis::Removal::Evicted ? std::exchange(m_cause, RequestIndex{kNone}) : m_cause;
    Event& event = record(EventKind::KeyRemoved, key);
    event.text = text;
    event.reason = reasonOf(why);
    m_cause = cause;
}

/// Also of a server that is muted: it may answer for its node one day.
void StoreRecorder::onLots() {
    if (m_trace != nullptr) m_trace->drewLots = true;
}

void StoreRecorder::onServing(redis::ClientId client) {
    if (m_connections == nullptr) return;
    m_causeAtHand = std::exchange(m_cause, (*m_connections)[client].waits);
    record(EventKind::RequestExecuted,
           m_trace->text(m_trace->requests[static_cast<std::size_t>(m_cause)].key));
    m_served = m_trace->events.size() - 1;
    m_answered = false;
}

void StoreRecorder::onServed(redis::ClientId) {
    if (m_connections == nullptr) return;
    m_cause = m_causeAtHand;
    if (!m_answered) m_trace->events[m_served].kind = EventKind::RequestWaits; // once more
}

void StoreRecorder::lost(std::string_view key, EndReason why, std::string_view value) {
    if (untold(key)) return;
    const StringId text = shown(value);
    Event& event = record(EventKind::KeyRemoved, key);
    event.text = text;
    event.reason = why;
}

RequestIndex StoreRecorder::authorOf(std::string_view key, std::string_view value) {
    const StringId name = m_trace->strings.intern(key);
    const StringId text = shown(value);
    const auto wrote = [&](const Event& event) {
        return event.kind == EventKind::KeyWritten && event.node == m_node && event.key == name &&
               event.text == text;
    };
    const auto last = std::find_if(m_trace->events.rbegin(), m_trace->events.rend(), wrote);
    return last == m_trace->events.rend() ? RequestIndex{kNone} : last->request;
}

void StoreRecorder::onStandstill(std::string_view why) {
    if (m_muted) return;
    Event& event = record(why.empty() ? EventKind::ServerAvailable : EventKind::ServerUnavailable, {});
    event.key = StringId::Empty;
    event.text = m_trace->strings.intern(why);
}

void StoreRecorder::onKeyspaceEvent(std::string_view name, std::string_view key) {
    if (untold(key)) return;
    record(EventKind::KeyspaceEvent, key).text = m_trace->strings.intern(name);
}

} // namespace lockscope
