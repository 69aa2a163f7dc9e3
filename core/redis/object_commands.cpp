// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>
#include <optional>

#include "core/redis/call.h"
#include "core/redis/commands.h"

// OBJECT: how a value lies in memory. None of these counts as a use of the key.

namespace lockscope::redis::commands {

namespace {

constexpr std::int64_t kSharedNumbers = 10'000; // 0 to 9999 exist once for the whole server

} // namespace

void objectEncoding(Call& call) {
    const Found found = call.keyspace.find(call.database(), call.arg(2));
    if (!found) return call.reply.becomeNull();
    call.reply.becomeBulk(encodingName(*found.entry));
}

void objectRefCount(Call& call) {
    const Found found = call.keyspace.find(call.database(), call.arg(2));
    if (!found) return call.reply.becomeNull();
    const std::optional<std::int64_t> number = storedNumber(*found.entry);
    const bool shared = number && *number >= 0 && *number < kSharedNumbers;
    call.reply.becomeInteger(shared ? std::numeric_limits<std::int32_t>::max() : 1);
}

void objectIdleTime(Call& call) {
    const Found found = call.keyspace.find(call.database(), call.arg(2));
    if (!found) return call.reply.becomeNull();
    call.reply.becomeInteger(call.keyspace.idleSeconds(*found.entry));
}

void objectFreq(Call& call) {
    const Found found = call.keyspace.find(call.database(), call.arg(2));
    if (!found) return call.reply.becomeNull();
    call.reply.becomeError(
        "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when "
        "switching between policies at runtime LRU and LFU data will take some time to adjust.");
}

} // namespace lockscope::redis::commands
