// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/key_sweeper.h"

#include <array>
#include <string>
#include <vector>

#include "core/base/assert.h"

namespace lockscope::live {

namespace {

constexpr std::chrono::milliseconds kPatience{2000};

} // namespace

KeySweeper::KeySweeper(const RedisEndpoint& server, const QByteArray& prefix, QObject* parent)
    : QObject(parent), m_server(server), m_prefix(prefix) {
    LOCKSCOPE_ASSERT(!prefix.isEmpty());
    connect(&m_connection, &RedisConnection::ready, this, [this] { scan("0"); });
    connect(&m_connection, &RedisConnection::failed, this, [this] { finish(false); });
}

void KeySweeper::start() {
    m_connection.open(m_server);
}

std::string KeySweeper::patternFor(const QByteArray& prefix) {
    std::string pattern;
    for (const char c : prefix) {
        if (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\' || c == '^') pattern += '\\';
        pattern += c;
    }
    return pattern + '*';
}

void KeySweeper::scan(const std::string& cursor) {
    const std::string pattern = patternFor(m_prefix);
    const std::array<std::string_view, 6> args{"SCAN", cursor, "MATCH", pattern, "COUNT", "500"};
    m_connection.send(
        args, [this](const CallResult& result) { onScanned(result); }, kPatience);
}

void KeySweeper::onScanned(const CallResult& result) {
    if (result.outcome != CallResult::Outcome::Replied) return finish(false);
    const redis::Reply& reply = *result.reply;
    if (reply.items.size() != 2) return finish(false);
    const std::string cursor = reply.items[0].text;
    const std::vector<redis::Reply>& keys = reply.items[1].items;
    const auto goOn = [this, cursor] { cursor == "0" ? finish(true) : scan(cursor); };
    if (keys.empty()) return goOn();
    std::vector<std::string_view> args{"DEL"};
    for (const redis::Reply& key : keys)
        args.push_back(key.text);
    m_connection.send(
        args,
        [this, goOn](const CallResult& removed) {
            if (removed.outcome != CallResult::Outcome::Replied || removed.reply->isError())
                return finish(false);
            m_deleted += removed.reply->integer;
            goOn();
        },
        kPatience);
}

void KeySweeper::finish(bool ok) {
    if (m_finished) return;
    m_finished = true;
    emit finished(ok);
}

} // namespace lockscope::live
