// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/removal_listener.h"

#include <array>

#include "core/live/unix_time.h"
#include "core/world/load.h"

namespace lockscope::live {

namespace {

std::string_view bytesView(const QByteArray& bytes) {
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

/// Patterns that fit the keyspace channels of every key but those of loads: there may be many of these, and
/// nobody wants to hear of each. Redis' patterns cannot say "does not begin with", so one says for each
/// letter that the key differs there, and one that it ends there.
std::vector<QByteArray> channelsBesideLoads(const QByteArray& base) {
    std::vector<QByteArray> patterns;
    QByteArray same = base;
    for (const char letter : kLoadPrefix) {
        patterns.push_back(same);
        patterns.push_back(same + "[^" + letter + "]*");
        same += letter;
    }
    return patterns;
}

} // namespace

RemovalListener::RemovalListener() {
    connect(&m_link, &Reconnector::up, this, &RemovalListener::listen);
    connect(&m_link.connection(), &RedisConnection::message, this,
            [this](const QByteArray&, const QByteArray& channel, const QByteArray& payload) {
                hear(channel, payload);
            });
}

void RemovalListener::open(const RedisEndpoint& endpoint, const QByteArray& prefix) {
    m_prefix = prefix;
    m_link.open(endpoint);
}

void RemovalListener::listen() {
    const int database = m_link.connection().endpoint().database;
    if (m_besideLoads) return listenBesideLoads(database);
    const QByteArray base = QStringLiteral("__keyevent@%1__:").arg(database).toLatin1();
    const QByteArray expired = base + "expired";
    const QByteArray evicted = base + "evicted";
    const std::array<std::string_view, 3> args{"SUBSCRIBE", bytesView(expired), bytesView(evicted)};
    m_link.connection().sendSubscription(args);
}

void RemovalListener::listenBesideLoads(int database) {
    const auto patterns = channelsBesideLoads(QStringLiteral("__keyspace@%1__:").arg(database).toLatin1());
    std::vector<std::string_view> args{"PSUBSCRIBE"};
    for (const QByteArray& pattern : patterns)
        args.push_back(bytesView(pattern));
    m_link.connection().sendSubscription(args);
}

/// Of a channel of the event it is the key that comes, of one of the key the event.
void RemovalListener::hear(const QByteArray& channel, const QByteArray& payload) {
    const QByteArray name = channel.mid(channel.indexOf(':') + 1);
    const QByteArray& event = m_besideLoads ? payload : name;
    const QByteArray& key = m_besideLoads ? name : payload;
    if ((event != "expired" && event != "evicted") || !key.startsWith(m_prefix)) return;
    emit keyRemoved(unixMicros(), key.mid(m_prefix.size()), event == "evicted");
}

} // namespace lockscope::live
