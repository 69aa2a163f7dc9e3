// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/key_watch.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/assert.h"

namespace lockscope::live {

namespace {

using Kind = Observation::Kind;

/// What is drawn ahead of the newest instant, so that there is room to grow into.
constexpr Duration kAhead = seconds(10);
constexpr Duration kLeastShown = seconds(60);
/// A lock can be watched for days: of more than this the older half is forgotten.
constexpr std::size_t kMostSeen = 2000;
/// Two sightings of one deadline may differ by the round trip.
constexpr Duration kDeadlineSlack = millis(60);

Event eventOf(EventKind kind, const Observation& seen, StringId key) {
    Event event;
    event.kind = kind;
    event.at = seen.at;
    event.key = key;
    return event;
}

/// A token, a re-entrant hash, a semaphore: the types whose values are read.
bool canBeLock(const QByteArray& type) {
    return type == "string" || type == "hash" || type == "zset";
}

/// Makes the trace of what was seen.
class WatchTrace {
public:
    WatchTrace(Trace& trace, std::string_view key) : m_trace(trace) {
        m_key = trace.strings.intern(key);
        trace.lockKeys.emplace_back().name = m_key;
    }

    void add(const Observation& seen) {
        switch (seen.kind) {
        case Kind::Held:
            return write(seen);
        case Kind::Renewed:
            return renew(seen);
        case Kind::LeaseOver:
            m_trace.events.push_back(eventOf(EventKind::LeaseEnded, seen, m_key));
            return;
        case Kind::Absent:
        case Kind::NoLock:
            return remove(seen);
        case Kind::Disconnected:
            m_trace.events.push_back(eventOf(EventKind::ServerUnavailable, seen, StringId::Empty));
            m_trace.events.back().text = m_trace.strings.intern(seen.value);
            return;
        case Kind::Connected:
            m_trace.events.push_back(eventOf(EventKind::ServerAvailable, seen, StringId::Empty));
            return;
        }
    }

private:
    void write(const Observation& seen) {
        m_value = m_trace.strings.intern(seen.value);
        m_deadline = seen.deadline;
        const RequestIndex request = requestOf(seen.value);
        Event event = eventOf(EventKind::KeyWritten, seen, m_key);
        event.request = request;
        event.actor = m_trace.requests[static_cast<std::size_t>(request)].actor;
        event.text = m_value;
        event.text2 = m_trace.strings.intern("string");
        event.a = micros(seen.deadline);
        m_trace.events.push_back(event);
        m_there = true;
    }
    void renew(const Observation& seen) {
        Event event = eventOf(EventKind::DeadlineChanged, seen, m_key);
        event.a = micros(seen.deadline);
        event.b = micros(m_deadline);
        m_deadline = seen.deadline;
        m_trace.events.push_back(event);
    }
    void remove(const Observation& seen) {
        if (!std::exchange(m_there, false)) return;
        Event event = eventOf(EventKind::KeyRemoved, seen, m_key);
        event.text = m_value;
        event.reason = seen.evicted            ? EndReason::Evicted
                       : m_deadline <= seen.at ? EndReason::LeaseEnded
                                               : EndReason::Deleted;
        m_trace.events.push_back(event);
    }
    /// Nobody has seen the command. This one stands for it, so that the value has an author.
    RequestIndex requestOf(const std::string& value) {
        const auto [known, isNew] =
            m_actors.try_emplace(m_value, static_cast<ActorIndex>(m_trace.actors.size()));
        if (isNew) m_trace.actors.push_back({value, true});
        TraceRequest request;
        request.actor = known->second;
        request.key = m_key;
        request.ask = true;
        m_trace.requests.push_back(request);
        return static_cast<RequestIndex>(m_trace.requests.size() - 1);
    }

    Trace& m_trace;
    std::map<StringId, ActorIndex> m_actors; ///< by the value that each is
    StringId m_key = StringId::Empty;
    StringId m_value = StringId::Empty;
    Instant m_deadline = kNever;
    bool m_there = false;
};

} // namespace

std::string_view nameOf(FactSource source) {
    switch (source) {
    case FactSource::Reply:
        return "reply";
    case FactSource::Notification:
        return "notification";
    case FactSource::Poll:
        return "poll";
    case FactSource::Computed:
        return "computed";
    }
    LOCKSCOPE_ASSERT(false);
    return {};
}

std::string describe(const Observation& seen) {
    const auto lease = [&] {
        if (seen.deadline == kNever) return std::string("no deadline");
        return formatDuration(std::max(seen.deadline - seen.at, Duration{0})) + " left";
    };
    switch (seen.kind) {
    case Kind::Absent:
        return fmt::format("{} ({})", seen.evicted ? "dropped to make room" : "not there",
                           nameOf(seen.source));
    case Kind::Held:
        return fmt::format("held by {}, {} ({})", seen.value, lease(), nameOf(seen.source));
    case Kind::Renewed:
        return fmt::format("renewed by {}, {} ({})", seen.value, lease(), nameOf(seen.source));
    case Kind::LeaseOver:
        return fmt::format("the lease of {} is over ({})", seen.value, nameOf(seen.source));
    case Kind::NoLock:
        return fmt::format("a {}: no shape of a lock that is known ({})", seen.value, nameOf(seen.source));
    case Kind::Disconnected:
        return seen.value;
    case Kind::Connected:
        return "connected";
    }
    LOCKSCOPE_ASSERT(false);
    return {};
}

KeyWatch::KeyWatch(const RedisEndpoint& server, const QByteArray& key, ObserverOptions options,
                   QObject* parent)
    : QObject(parent), m_server(server), m_observer(server, key, options) {
    connect(&m_observer, &KeyObserver::changed, this, &KeyWatch::onChanged);
    connect(&m_observer, &KeyObserver::eventSeen, this, [this](const QByteArray& event) { m_event = event; });
    connect(&m_observer, &KeyObserver::gapBegan, this, &KeyWatch::onGap);
    connect(&m_observer, &KeyObserver::gapEnded, this, &KeyWatch::onGapEnd);
    connect(&m_observer, &KeyObserver::gaveUp, this,
            [this](const ConnectionFailure& failure) { emit gaveUp(describe(failure, m_server)); });
}

void KeyWatch::start() {
    m_start = FactClock::now();
    m_observer.start();
}

void KeyWatch::stop() {
    m_observer.stop();
}

Instant KeyWatch::instantOf(FactClock::time_point at) const {
    return instantAt(std::chrono::duration_cast<Duration>(std::max(at, m_start) - m_start));
}

Instant KeyWatch::now() const {
    return instantOf(FactClock::now());
}

void KeyWatch::onGap(const ConnectionFailure& failure) {
    if (std::exchange(m_away, true)) return;
    Observation lost;
    lost.kind = Kind::Disconnected;
    lost.at = now();
    lost.value = describe(failure, m_server).toStdString();
    add(lost);
}

void KeyWatch::onGapEnd() {
    m_away = false;
    Observation back;
    back.kind = Kind::Connected;
    back.at = now();
    add(back);
}

Observation KeyWatch::current(Kind kind, FactSource source, FactClock::time_point at) const {
    const ObservedKey& key = m_observer.key();
    Observation seen;
    seen.kind = kind;
    seen.source = source;
    seen.at = instantOf(at);
    if (key.value) seen.value = redis::display(key.value->value);
    if (key.deadline && key.deadline->value) seen.deadline = instantOf(*key.deadline->value);
    return seen;
}

void KeyWatch::onChanged() {
    const ObservedKey& key = m_observer.key();
    if (!key.state) return;
    using State = ObservedKey::State;
    const auto as = [&](Kind kind) { return current(kind, key.state->source, key.state->at); };
    if (key.state->value == State::Absent) {
        if (m_last && m_last->kind == Kind::Absent) return;
        Observation gone = as(Kind::Absent);
        gone.evicted = gone.source == FactSource::Notification && m_event == "evicted";
        return add(gone);
    }
    if (key.type && !canBeLock(key.type->value)) {
        Observation other = as(Kind::NoLock);
        other.value = key.type->value.toStdString();
        if (!m_last || m_last->kind != Kind::NoLock || m_last->value != other.value) add(other);
        return;
    }
    if (!key.value || !key.deadline) return; // the rest of the answers is on its way
    if (key.state->value == State::LeaseEnded) {
        if (m_last && m_last->kind == Kind::LeaseOver) return;
        Observation over = as(Kind::LeaseOver);
        over.at = std::min(over.at, over.deadline);
        return add(over);
    }
    const Observation now = current(Kind::Held, key.value->source, std::max(key.value->at, key.deadline->at));
    const bool held =
        m_last && m_last->kind != Kind::Absent && m_last->kind != Kind::NoLock && m_last->value == now.value;
    if (!held) return add(now);
    const bool dated = m_last->deadline != kNever && now.deadline != kNever;
    const bool same =
        m_last->deadline == now.deadline || (dated && now.deadline - m_last->deadline < kDeadlineSlack &&
                                             m_last->deadline - now.deadline < kDeadlineSlack);
    if (same) return void(emit refreshed());
    Observation renewed = now;
    renewed.kind = Kind::Renewed;
    renewed.source = key.deadline->source;
    add(renewed);
}

void KeyWatch::add(Observation observation) {
    const bool ofKey = observation.kind != Kind::Disconnected && observation.kind != Kind::Connected;
    // A lease can be seen to be over only after what was seen before.
    if (!m_seen.empty()) observation.at = std::max(observation.at, m_seen.back().at);
    if (ofKey) m_last = observation;
    m_seen.push_back(std::move(observation));
    if (m_seen.size() > kMostSeen) forgetTheOldest();
    emit observed();
}

/// What is kept begins with a state that stands by itself.
void KeyWatch::forgetTheOldest() {
    const auto standsAlone = [](const Observation& seen) {
        return seen.kind == Kind::Held || seen.kind == Kind::Absent;
    };
    const auto middle = m_seen.begin() + static_cast<std::ptrdiff_t>(m_seen.size() / 2);
    m_seen.erase(m_seen.begin(), std::find_if(middle, std::prev(m_seen.end()), standsAlone));
}

std::shared_ptr<Trace> KeyWatch::trace() const {
    auto trace = std::make_shared<Trace>();
    trace->world = WorldKind::LiveReal;
    WatchTrace made(*trace, {name().data(), static_cast<std::size_t>(name().size())});
    for (const Observation& seen : m_seen)
        made.add(seen);
    trace->reached = now();
    trace->horizon = std::max(trace->reached + kAhead, instantAt(kLeastShown));
    return trace;
}

} // namespace lockscope::live
