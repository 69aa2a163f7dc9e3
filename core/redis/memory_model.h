// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/redis/allocation.h"
#include "core/redis/entry.h"

namespace lockscope::redis {

/// What a key and its value take in a redis-server 7.0.15, in bytes, without its deadline. `sharesNumbers`:
/// 0 to 9999 exist once for the whole server, and take nothing more. `before` is what the key took until its
/// last change: a string that grew in place keeps the room it was given.
std::size_t memoryOf(const Entry& entry, bool sharesNumbers, std::size_t before);
/// What MEMORY USAGE answers, which is not quite the same.
std::size_t reportedMemory(const Entry& entry, std::size_t samples);

/// 0 and up to here exist once for the whole server.
inline constexpr std::int64_t kSharedNumbers = 10'000;

/// What a server that holds nothing takes, and each client that is connected beside the one that talks.
inline constexpr std::size_t kEmptyServer = 876'240;
inline constexpr std::size_t kIdleClient = 1'800;
inline constexpr std::size_t kTalkingClient = 38'096;
/// For each command that was called since the start, a histogram of the time it took.
inline constexpr std::size_t kCalledCommand = 24'688;
/// What a script of this many bytes takes in the script cache.
std::size_t scriptMemory(std::size_t length);

} // namespace lockscope::redis
