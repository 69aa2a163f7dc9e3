// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/live/redis_connection.h"
#include "core/redis/stored_command.h"

namespace lockscope::live {

/// Asks a server for all keys that it has, but those of loads, as commands that make them anew. It reads each
/// of them, so it is for a server that nobody uses yet. Nothing if the connection fails. Streams are left
/// out. Deadlines are exact, before Redis 7.0 to a millisecond.
void askForKeys(RedisConnection& connection,
                std::function<void(std::optional<std::vector<redis::StoredCommand>>)> then);

} // namespace lockscope::live
