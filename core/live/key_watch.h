// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/live/key_observer.h"
#include "core/trace/trace.h"

namespace lockscope::live {

/// Something that became known of an observed key, or of the connection over which it is.
struct Observation {
    enum class Kind : std::uint8_t {
        Absent,       ///< it is not there; or no longer
        Held,         ///< it is there: `value`, `deadline`
        Renewed,      ///< the same value, another deadline
        LeaseOver,    ///< its deadline has passed. It may still lie in memory
        NoLock,       ///< what lies there is of a type that no lock has; `value` is its name
        Disconnected, ///< nothing is known from here on; `value` says why
        Connected,
    };
    Kind kind = Kind::Absent;
    FactSource source = FactSource::Reply;
    Instant at{};      ///< since watching began
    std::string value; ///< as redis-cli shows it
    Instant deadline = kNever;
    bool evicted = false;
};

/// The word for it: reply, notification, poll, computed.
std::string_view nameOf(FactSource source);
/// One line: `held by "5f3a", 29.9s left (reply)`.
std::string describe(const Observation& observation);

/// A lock key of any server, watched without writing (KeyObserver), and what was seen of it so far as a
/// Trace: each value that the key has had is somebody, since that is all that can be seen of a holder.
class KeyWatch : public QObject {
    Q_OBJECT

public:
    KeyWatch(const RedisEndpoint& server, const QByteArray& key, ObserverOptions options = {},
             QObject* parent = nullptr);

    void start();
    void stop();
    const ObservedKey& key() const { return m_observer.key(); }
    const QByteArray& name() const { return m_observer.name(); }
    /// Since start().
    Instant now() const;
    Instant instantOf(FactClock::time_point at) const;
    bool connected() const { return !m_away && key().state; }
    /// The latest ones; of a long time not all. The last is the one that observed() is about.
    const std::vector<Observation>& observations() const { return m_seen; }
    std::shared_ptr<Trace> trace() const;

signals:
    /// Something was added to the observations.
    void observed();
    /// A fact was seen again: it is younger now, or a little more exact.
    void refreshed();
    /// It cannot be watched: not permitted, wrong password.
    void gaveUp(const QString& why);

private:
    void onChanged();
    void onGap(const ConnectionFailure& failure);
    void onGapEnd();
    void add(Observation observation);
    void forgetTheOldest();
    Observation current(Observation::Kind kind, FactSource source, FactClock::time_point at) const;

    RedisEndpoint m_server;
    KeyObserver m_observer;
    FactClock::time_point m_start{};
    std::vector<Observation> m_seen;
    std::optional<Observation> m_last; ///< of the key itself
    QByteArray m_event;                ///< the latest notification
    bool m_away = false;
};

} // namespace lockscope::live
