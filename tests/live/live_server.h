// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSignalSpy>
#include <QTest>

#include <optional>
#include <string>
#include <vector>

#include "core/live/private_server.h"

namespace lockscope::live::test {

/// Starts a server and waits until it answers; says why not.
inline QString startAndWait(PrivateServer& server) {
    QString failure;
    const auto failed = QObject::connect(&server, &PrivateServer::failed, &server,
                                         [&](const QString& why) { failure = why; });
    server.start();
    const bool settled = QTest::qWaitFor([&] { return server.isReady() || !failure.isEmpty(); }, 10'000);
    QObject::disconnect(failed);
    return settled ? failure : QStringLiteral("neither ready nor failed");
}

inline bool openAndWait(RedisConnection& connection, const RedisEndpoint& endpoint) {
    connection.open(endpoint);
    return QTest::qWaitFor([&] { return connection.isReady(); });
}

/// One command and what became of it, on one line, as redis-cli would show it.
inline std::string call(RedisConnection& connection, const std::vector<std::string>& words,
                        std::chrono::milliseconds timeout = {}) {
    const std::vector<std::string_view> args(words.begin(), words.end());
    std::optional<std::string> said;
    // Kept by the handler: it may be called again, when this function is long over.
    auto kept = std::make_shared<std::optional<std::string>*>(&said);
    const bool sent = connection.send(
        args,
        [kept](const CallResult& result) {
            if (!*kept) return;
            **kept = result.reply
                         ? redis::display(*result.reply)
                         : std::string(result.outcome == CallResult::Outcome::Lost ? "lost" : "timed out");
        },
        timeout);
    if (!sent) return "not connected";
    const bool settled = QTest::qWaitFor([&] { return said.has_value(); }, 10'000);
    *kept = nullptr;
    return settled ? *said : "no reply";
}

} // namespace lockscope::live::test
