// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QTimer>

#include <algorithm>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/live_place.h"
#include "app/console.h"
#include "core/live/key_watch.h"

namespace lockscope::app {

namespace {

/// Prints each observation as it is made, and ends with the time, or when the key cannot be watched.
int watch(const live::RedisEndpoint& endpoint, const std::string& key, std::optional<Duration> length) {
    int count = 1;
    char name[] = "lockscope";
    char* arguments[] = {name, nullptr};
    QCoreApplication application(count, arguments);
    live::KeyWatch watched(endpoint, QByteArray::fromStdString(key));
    std::size_t printed = 0;
    QObject::connect(&watched, &live::KeyWatch::observed, &application, [&] {
        for (; printed < watched.observations().size(); ++printed) {
            const live::Observation& seen = watched.observations()[printed];
            if (print(fmt::format("{:>10}  {}\n", formatDuration(seen.at.time_since_epoch()),
                                  describe(seen))) != kDone)
                QCoreApplication::exit(kFailed);
        }
    });
    QObject::connect(&watched, &live::KeyWatch::gaveUp, &application, [](const QString& why) {
        QCoreApplication::exit(complain("lockscope observe: " + why.toStdString(), kFailed));
    });
    if (length)
        QTimer::singleShot(std::chrono::ceil<std::chrono::milliseconds>(*length), &application,
                           &QCoreApplication::quit);
    watched.start();
    const int code = QCoreApplication::exec();
    const auto& all = watched.observations();
    const bool learned = std::any_of(all.begin(), all.end(), [](const live::Observation& seen) {
        return seen.kind != live::Observation::Kind::Disconnected &&
               seen.kind != live::Observation::Kind::Connected;
    });
    if (code != kDone || learned) return code;
    return complain("lockscope observe: nothing was learned of the key", kFailed);
}

} // namespace

int observeCommand(const ObserveOptions& options) {
    const Result<std::optional<live::LivePlace>> place = readPlace(options.redis);
    if (!place) return complain("lockscope observe: " + place.error().text());
    if (!*place || (*place)->isOurs())
        return complain(
            "lockscope observe: --redis: what is observed is somebody's server; allowed: a URL such as "
            "redis://127.0.0.1:6379");
    std::optional<Duration> length;
    if (!options.length.empty()) {
        const Result<Duration> read = parseDuration(options.length);
        if (!read) return complain("lockscope observe: --for: " + read.error().text());
        length = *read;
    }
    return watch((*place)->endpoint, options.key, length);
}

} // namespace lockscope::app
