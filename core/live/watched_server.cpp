// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/watched_server.h"

#include <array>
#include <optional>
#include <utility>

#include "core/redis/resp.h"

namespace lockscope::live {

namespace {

/// `1339518083.107412 [0 127.0.0.1:60866] "keys" "*"`. Nothing for what a script called: the script itself
/// has its own line.
std::optional<SeenCommand> parseMonitorLine(const QByteArray& line) {
    const qsizetype open = line.indexOf('[');
    const qsizetype close = line.indexOf("] ", open);
    const qsizetype dot = line.indexOf('.');
    if (open < 0 || close < 0 || dot < 0 || dot > open) return std::nullopt;
    SeenCommand seen;
    seen.unixMicros = line.left(dot).toLongLong() * 1'000'000 + line.mid(dot + 1, 6).toLongLong();
    const QByteArray source = line.mid(open + 1, close - open - 1);
    seen.address = QString::fromLatin1(source.mid(source.indexOf(' ') + 1));
    if (seen.address == QLatin1String("lua")) return std::nullopt;
    const QByteArray words = line.mid(close + 2);
    const std::string_view bytes{words.data(), static_cast<std::size_t>(words.size())};
    if (!redis::splitArguments(bytes, seen.args) || seen.args.empty()) return std::nullopt;
    return seen;
}

} // namespace

WatchedServer::WatchedServer(PrivateServerOptions options, bool activeExpiry,
                             std::shared_ptr<Janitor> janitor)
    : m_activeExpiry(activeExpiry), m_server(std::move(options), std::move(janitor)) {
    connect(&m_server, &PrivateServer::ready, this, &WatchedServer::onReady);
    connect(&m_server, &PrivateServer::failed, this, &WatchedServer::failed);
    connect(&m_server, &PrivateServer::died, this, &WatchedServer::onDied);
    connect(&m_monitor, &RedisConnection::ready, this, [this] {
        m_monitor.sendMonitor();
        m_look = Look::There;
        mark([this] {
            if (const auto again = std::exchange(m_again, {})) again();
        });
    });
    connect(&m_monitor, &RedisConnection::failed, this, &WatchedServer::onMonitorFailed);
    connect(&m_monitor, &RedisConnection::monitored, this, &WatchedServer::onLine);
    connect(&m_removals, &RemovalListener::keyRemoved, this, &WatchedServer::keyRemoved);
    m_repeat.setSingleShot(true);
    connect(&m_repeat, &QTimer::timeout, this, &WatchedServer::sendMark);
    m_removals.leaveLoadsOut();
}

void WatchedServer::onReady() {
    if (!m_activeExpiry) {
        constexpr std::array<std::string_view, 3> kOff{"DEBUG", "SET-ACTIVE-EXPIRE", "0"};
        control().send(kOff, {});
    }
    emit ready();
}

/// The monitor's connection ends by itself, when what the server said before has been read.
void WatchedServer::onDied() {
    m_removals.close();
    m_again = {};
    emit died();
}

void WatchedServer::look(std::function<void()> then) {
    if (m_look == Look::There) return then();
    m_removals.open(m_server.endpoint());
    lookAgain(std::move(then));
}

void WatchedServer::settle(std::function<void()> then) {
    if (m_look != Look::There) return then();
    mark(std::move(then));
}

void WatchedServer::lookAway(std::function<void()> then) {
    m_again = {};
    if (m_look != Look::There) {
        m_look = Look::Away;
        m_monitor.close(); // it may be about to look again
        return then();
    }
    mark([this, then = std::move(then)] {
        m_look = Look::Away;
        m_monitor.close();
        then();
    });
}

void WatchedServer::lookAgain(std::function<void()> then) {
    m_again = std::move(then);
    m_look = Look::Opening;
    m_monitor.open(m_server.endpoint());
}

/// No mark is shown any more, so nobody waits for one. A server that has just died is not known to have yet.
void WatchedServer::onMonitorFailed(const ConnectionFailure& failure) {
    m_look = Look::Away;
    m_again = {};
    m_repeat.stop();
    const qint64 pid = m_server.pid();
    QTimer::singleShot(kDiesWithin, this, [this, pid, why = describe(failure, m_server.endpoint())] {
        if (m_server.isReady() && m_server.pid() == pid && m_look == Look::Away) emit unwatched(why);
    });
    if (const auto then = std::exchange(m_onMark, {})) then();
}

/// Calls `then` when whatever was executed before has been shown.
void WatchedServer::mark(std::function<void()> then) {
    m_onMark = std::move(then);
    sendMark();
}

/// A command of our own that MONITOR shows.
void WatchedServer::sendMark() {
    m_mark = std::string(kMark) + std::to_string(++m_marks);
    const std::array<std::string_view, 2> args{"ECHO", m_mark};
    if (!control().send(args, {})) return std::exchange(m_onMark, {})(); // it tells nothing more
    m_repeat.start(kMarkAgain); // MONITOR itself may have come after it
}

void WatchedServer::onLine(const QByteArray& line) {
    const auto seen = parseMonitorLine(line);
    if (!seen) return;
    if (seen->address != control().localName()) return void(emit executed(*seen));
    if (seen->args.size() != 2 || seen->args[1] != m_mark || !m_onMark) return;
    m_repeat.stop();
    std::exchange(m_onMark, {})();
}

} // namespace lockscope::live
