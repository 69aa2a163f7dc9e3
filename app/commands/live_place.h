// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/live/live_server.h"

namespace lockscope::app {

/// What --redis allows, for messages.
inline constexpr const char* kAllowedRedis =
    "simulated, private, embedded, or a URL such as redis://127.0.0.1:6379";

/// What --redis names: nothing if it is `simulated`. User and password may also come from the environment.
Result<std::optional<live::LivePlace>> readPlace(const std::string& redis);

/// On somebody's server only lessons that come with Lockscope run: a script can write keys that it does not
/// declare.
Result<void> mayRunThere(const std::string& lesson, const live::LivePlace& place);

} // namespace lockscope::app
