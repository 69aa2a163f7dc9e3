// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/live_place.h"

#include <fmt/format.h>

#include "app/lesson_library.h"
#include "core/lesson/run_file.h"

namespace lockscope::app {

Result<std::optional<live::LivePlace>> readPlace(const std::string& redis) {
    using Kind = live::LivePlace::Kind;
    if (redis == "simulated") return std::optional<live::LivePlace>();
    if (redis == "private") return std::optional<live::LivePlace>({Kind::Private, {}});
    if (redis == "embedded") return std::optional<live::LivePlace>({Kind::Embedded, {}});
    // It may hold a password, so it is not quoted.
    if (redis.find("://") == std::string::npos)
        return Error{fmt::format("--redis: '{}' is not known; allowed: {}",
                                 redis.find('@') == std::string::npos ? redis : "…", kAllowedRedis)};
    Result<live::RedisEndpoint> endpoint = live::parseRedisUrl(QString::fromStdString(redis));
    if (!endpoint)
        return Error{fmt::format("--redis: {}; allowed: {}", endpoint.error().message, kAllowedRedis)};
    live::takeCredentials(*endpoint, QProcessEnvironment::systemEnvironment());
    return std::optional<live::LivePlace>({Kind::Foreign, *endpoint});
}

Result<void> mayRunThere(const std::string& lesson, const live::LivePlace& place) {
    // A run that was saved may have programs of its own, wherever it lies.
    if (place.isOurs() || (isShipped(lesson) && !namesRunFile(lesson))) return {};
    return Error{
        fmt::format("'{}' does not come with Lockscope, and a script of a lesson can write any key: on a "
                    "server of yours it is not run; use --redis private",
                    lesson)};
}

} // namespace lockscope::app
