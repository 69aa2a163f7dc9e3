// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>
#include <optional>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/memory_model.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

// OBJECT and MEMORY: how a value lies in memory, and how long nobody wanted it. None of these counts as a use
// of the key.

namespace lockscope::redis::commands {

namespace {

constexpr std::size_t kSamples = 5; // elements that MEMORY USAGE looks at

/// With less in use MEMORY DOCTOR does not look.
constexpr std::size_t kWorthLooking = 5 * 1024 * 1024;

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
    const bool shared =
        number && *number >= 0 && *number < kSharedNumbers && call.keyspace.memory().sharesNumbers();
    call.reply.becomeInteger(shared ? std::numeric_limits<std::int32_t>::max() : 1);
}

void objectIdleTime(Call& call) {
    const Found found = call.keyspace.find(call.database(), call.arg(2));
    if (!found) return call.reply.becomeNull();
    if (evictsByFrequency(call.keyspace.memory().settings().policy))
        return call.reply.becomeError(
            "ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when switching "
            "between policies at runtime LRU and LFU data will take some time to adjust.");
    call.reply.becomeInteger(call.keyspace.idleSeconds(*found.entry));
}

void objectFreq(Call& call) {
    const Found found = call.keyspace.find(call.database(), call.arg(2));
    if (!found) return call.reply.becomeNull();
    if (!evictsByFrequency(call.keyspace.memory().settings().policy))
        return call.reply.becomeError(
            "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that "
            "when "
            "switching between policies at runtime LRU and LFU data will take some time to adjust.");
    call.reply.becomeInteger(call.keyspace.useCount(*found.entry));
}

/// What it could complain about (fragmentation, buffers of clients) is not in the model.
void memoryDoctor(Call& call) {
    const bool small = call.server.usedMemory() < kWorthLooking;
    call.reply.become(
        Reply::Type::Verbatim,
        small ? "txt:Hi Sam, this instance is empty or is using very little memory, my issues detector "
                "can't be used in these conditions. Please, leave for your mission on Earth and fill it "
                "with some data. The new Sam and I will be back to our programming as soon as I "
                "finished rebooting.\n"
              : "txt:Hi Sam, I can't find any memory issue in your instance. I can only account for what "
                "occurs on this base.\n");
}

/// As a Redis says it that was built with another allocator than jemalloc.
void memoryMallocStats(Call& call) {
    call.reply.become(Reply::Type::Verbatim, "txt:Stats not supported for the current allocator");
}

void memoryPurge(Call& call) {
    call.reply.becomeStatus("OK");
}

/// Sees a dead key too.
void memoryUsage(Call& call) {
    std::size_t samples = kSamples;
    for (std::size_t i = 3; i < call.count(); i += 2) {
        if (!equalsIgnoringCase(call.arg(i), "samples") || i + 1 == call.count())
            return call.reply.becomeError(errors::kSyntax);
        const std::optional<std::int64_t> count = call.integerArg(i + 1);
        if (!count) return;
        if (*count < 0) return call.reply.becomeError(errors::kSyntax);
        samples = *count == 0 ? kAll : static_cast<std::size_t>(*count);
    }
    const Entry* const entry = call.keyspace.look(call.database(), call.arg(2));
    if (!entry) return call.reply.becomeNull();
    call.reply.becomeInteger(static_cast<std::int64_t>(reportedMemory(*entry, samples)));
}

} // namespace lockscope::redis::commands
