// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/key_observer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::live {

namespace {

using redis::Reply;
using State = ObservedKey::State;
using std::chrono::milliseconds;

/// A poll comes this long before the deadline, so that a renewal at the last moment is seen.
constexpr milliseconds kBeforeDeadline{40};
/// Two sightings of one deadline differ by what the network makes them differ.
constexpr milliseconds kSameDeadline{30};
/// Where the server tells what happens, it is asked only in case a notification got lost.
constexpr milliseconds kSafetyInterval{5000};
constexpr milliseconds kAnswerWithin{3000};

std::string_view viewOf(const QByteArray& bytes) {
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

} // namespace

KeyObserver::KeyObserver(const RedisEndpoint& server, const QByteArray& key, ObserverOptions options,
                         QObject* parent)
    : QObject(parent), m_server(server), m_name(key), m_options(options) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &KeyObserver::onTimer);
    connect(&m_queries, &Reconnector::up, this, &KeyObserver::onUp);
    connect(&m_queries, &Reconnector::down, this, &KeyObserver::reconnectSeen);
    connect(&m_queries, &Reconnector::waiting, this, &KeyObserver::reconnectSeen);
    connect(&m_queries, &Reconnector::gaveUp, this, &KeyObserver::gaveUp);
    connect(&m_events, &Reconnector::up, this, [this] {
        const QByteArray channel =
            QStringLiteral("__keyspace@%1__:").arg(m_server.database).toLatin1() + m_name;
        const std::array<std::string_view, 2> args{"SUBSCRIBE", viewOf(channel)};
        m_events.connection().sendSubscription(args);
        if (m_queries.connection().isReady()) look(FactSource::Poll); // what happened before is not told
    });
    connect(&m_events.connection(), &RedisConnection::message, this,
            [this](const QByteArray&, const QByteArray&, const QByteArray& event) { onNotification(event); });
}

void KeyObserver::start() {
    m_running = true;
    m_queries.open(m_server);
    m_events.open(m_server);
}

void KeyObserver::stop() {
    m_running = false;
    m_timer.stop();
    m_queries.close();
    m_events.close();
    m_looking = m_lookAgain = false;
}

void KeyObserver::onUp() {
    ask({"CLIENT", "NO-TOUCH", "ON"}, {}); // unknown before 7.2, and no matter
    if (std::exchange(m_gap, false)) emit gapEnded();
    m_looking = false;
    look(FactSource::Poll);
}

void KeyObserver::reconnectSeen(const ConnectionFailure& failure) {
    m_timer.stop();
    m_looking = m_lookAgain = false;
    if (!std::exchange(m_gap, true)) emit gapBegan(failure);
}

bool KeyObserver::ask(std::initializer_list<std::string_view> args, ReplyHandler handler) {
    return m_queries.connection().send({args.begin(), args.size()}, std::move(handler), kAnswerWithin);
}

// ---- what the server tells
// -------------------------------------------------------------------------------------

void KeyObserver::onNotification(const QByteArray& event) {
    m_notified = true;
    emit eventSeen(event);
    const bool gone = event == "del" || event == "expired" || event == "evicted" || event == "rename_from";
    if (gone) return becomeAbsent(FactSource::Notification);
    if (event == "expire" || event == "persist")
        return askRemaining(FactSource::Reply); // the value is the same
    look(FactSource::Reply);
}

// ---- what it is asked
// ------------------------------------------------------------------------------------------

/// Type, value and deadline. Once at the start, and when something changed.
void KeyObserver::look(FactSource source) {
    if (m_looking) {
        m_lookAgain = true;
        return;
    }
    m_timer.stop();
    m_looking = ask({"TYPE", viewOf(m_name)}, [this, source](const CallResult& result) {
        if (!result.reply) return void(m_looking = false);
        onType(*result.reply, source);
    });
}

void KeyObserver::onType(const Reply& reply, FactSource source) {
    m_looking = false;
    if (reply.text == "none") {
        becomeAbsent(source);
    } else if (!reply.isError()) {
        const QByteArray type = QByteArray::fromStdString(reply.text);
        m_view.type = {type, source, FactClock::now()};
        m_view.value.reset(); // until the one that belongs to the deadline is there
        askRemaining(source);
        readValue(type, source);
        askMemory();
    }
    if (std::exchange(m_lookAgain, false)) look(FactSource::Reply);
}

void KeyObserver::readValue(const QByteArray& type, FactSource source) {
    const std::string_view key = viewOf(m_name);
    const auto keep = [this, source](const CallResult& result) {
        if (!result.reply || result.reply->isError()) return; // it may have become another type meanwhile
        m_view.value = {*result.reply, source, FactClock::now()};
        emit changed();
    };
    if (type == "string") ask({"GETRANGE", key, "0", "65535"}, keep);
    if (type == "hash") {
        ask({"HSCAN", key, "0", "COUNT", "64"}, [keep](const CallResult& result) {
            if (!result.reply || result.reply->items.size() != 2) return;
            keep({result.outcome, &result.reply->items[1]});
        });
    }
    if (type == "zset") ask({"ZRANGE", key, "0", "63", "WITHSCORES"}, keep);
}

void KeyObserver::askRemaining(FactSource source) {
    const TimePoint sent = FactClock::now();
    ask({"PTTL", viewOf(m_name)}, [this, sent, source](const CallResult& result) {
        if (result.reply) onRemaining(*result.reply, sent, source);
        schedule();
    });
}

void KeyObserver::onRemaining(const Reply& reply, TimePoint sent, FactSource source) {
    if (reply.type != Reply::Type::Integer) return;
    if (reply.integer == -2) return becomeAbsent(source);
    // It was true at some moment between the question and the answer.
    const TimePoint now = FactClock::now();
    std::optional<TimePoint> deadline;
    if (reply.integer >= 0) deadline = sent + (now - sent) / 2 + milliseconds(reply.integer);

    const bool knew = m_view.deadline.has_value() && m_view.state && m_view.state->value != State::Absent;
    const std::optional<TimePoint> before = knew ? m_view.deadline->value : std::nullopt;
    const auto tolerance = kSameDeadline + (now - sent);
    const bool same = knew && before.has_value() == deadline.has_value() &&
                      (!deadline || (*deadline - *before < tolerance && *before - *deadline < tolerance));
    if (!same) m_settled = false;
    m_view.deadline = {deadline, source, now};
    m_view.state = {State::Held, source, now};
    // Somebody changed the key unseen: the same one, or another owner. Where that is told, it was not unseen.
    const bool unseen = !same && knew && source == FactSource::Poll && !m_notified;
    if (unseen) m_view.value.reset(); // it may be another's by now
    emit changed();
    if (unseen) look(FactSource::Reply);
}

/// Whether the key lies in memory, dead or alive. Removes nothing and touches nothing.
void KeyObserver::askMemory() {
    ask({"MEMORY", "USAGE", viewOf(m_name), "SAMPLES", "0"}, [this](const CallResult& result) {
        if (result.reply) onMemory(*result.reply);
        schedule();
    });
}

void KeyObserver::onMemory(const Reply& reply) {
    if (reply.isError()) return; // not permitted
    if (reply.type != Reply::Type::Integer) return becomeAbsent(FactSource::Poll);
    const bool otherSize = m_view.memoryBytes && m_view.memoryBytes->value != reply.integer;
    m_view.memoryBytes = {reply.integer, FactSource::Poll, FactClock::now()};
    if (pastDeadline() && otherSize) look(FactSource::Reply); // it is another value: alive
}

void KeyObserver::becomeAbsent(FactSource source) {
    const bool was = m_view.state && m_view.state->value == State::Absent;
    const TimePoint now = FactClock::now();
    m_view.state = {State::Absent, source, now};
    m_view.type.reset();
    m_view.value.reset();
    m_view.deadline.reset();
    m_view.memoryBytes.reset();
    m_settled = false;
    if (!was) emit changed();
    schedule();
}

// ---- when it is asked
// ------------------------------------------------------------------------------------------

bool KeyObserver::pastDeadline() const {
    return m_view.deadline && m_view.deadline->value && FactClock::now() > *m_view.deadline->value;
}

void KeyObserver::schedule() {
    if (!m_running || !m_queries.connection().isReady()) return;
    const bool told = m_notified || m_options.notificationsAreOn;
    const TimePoint now = FactClock::now();
    TimePoint next = now + (told ? kSafetyInterval : m_options.pollInterval);
    if (m_view.deadline && m_view.deadline->value) {
        const TimePoint deadline = *m_view.deadline->value;
        if (now <= deadline) next = std::min(next, deadline + milliseconds(1));
        if (!told && now < deadline - kBeforeDeadline) next = std::min(next, deadline - kBeforeDeadline);
        if (now > deadline && told) next = now + m_options.pollInterval;
    }
    m_timer.start(std::max(std::chrono::ceil<milliseconds>(next - now), milliseconds(1)));
}

void KeyObserver::onTimer() {
    if (!m_view.state || m_view.state->value == State::Absent || !m_view.deadline)
        return look(FactSource::Poll);
    if (!pastDeadline()) return askRemaining(FactSource::Poll);
    if (m_view.state->value != State::LeaseEnded) {
        m_view.state = {State::LeaseEnded, FactSource::Computed, FactClock::now()};
        emit changed();
    }
    const bool told = m_notified || m_options.notificationsAreOn;
    const bool doubtful = FactClock::now() > *m_view.deadline->value + m_options.settleAfter;
    if (!told && doubtful && !m_settled) {
        m_settled = true;
        return askRemaining(FactSource::Poll);
    }
    askMemory();
}

} // namespace lockscope::live
