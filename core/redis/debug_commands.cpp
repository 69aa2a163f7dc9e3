// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

// DEBUG, of which tests of other people's programs use a few: to make a server stand still, to keep dead keys
// in memory, to look at a value's encoding. As in Redis since 7.0 it is closed unless `enable-debug-command`
// opens it.

namespace lockscope::redis::commands {

namespace {

constexpr std::string_view kDebugClosed =
    "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you can run it "
    "from a "
    "local connection, otherwise you need to set this option in the configuration file, and then restart the "
    "server.";

constexpr std::string_view kDebugHelp[] = {
    "DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
    "LOG <message>",
    "    Write <message> to the server log.",
    "OBJECT <key>",
    "    Show low level info about `key` and associated value.",
    "SET-ACTIVE-EXPIRE <0|1>",
    "    Setting it to 0 disables expiring keys in background when they are not",
    "    accessed (otherwise the Redis behavior). Setting it to 1 reenables back the",
    "    default.",
    "SLEEP <seconds>",
    "    Stop the server for <seconds>. Decimals allowed.",
    "HELP",
    "    Prints this help.",
};

bool isOpenTo(const Client& client, DebugCommand access) {
    const std::string_view address = client.address;
    const bool local =
        address.starts_with("127.") || address.starts_with("::1") || address.starts_with("[::1]");
    return access == DebugCommand::Open || (access == DebugCommand::Local && local);
}

/// In an RDB file, where a small number takes as many bytes as it needs. Without compression.
std::size_t savedLength(std::string_view text) {
    if (const std::optional<std::int64_t> number = parseInteger(text)) {
        if (*number >= -128 && *number <= 127) return 2;
        if (*number >= -32768 && *number <= 32767) return 3;
        if (*number >= std::numeric_limits<std::int32_t>::min() &&
            *number <= std::numeric_limits<std::int32_t>::max())
            return 5;
    }
    return text.size() + (text.size() < 64 ? 1 : text.size() < 16384 ? 2 : 5);
}

/// Element by element.
std::size_t savedLengthOf(const Value& value) {
    constexpr std::size_t kCount = 1;
    constexpr std::size_t kScore = 8;
    std::size_t bytes = kCount;
    if (const auto* text = valueAs<std::string>(value)) return savedLength(*text);
    if (const auto* list = valueAs<List>(value))
        for (const std::string& item : list->items)
            bytes += savedLength(item);
    if (const auto* set = valueAs<Set>(value))
        set->forEach([&](std::string_view member) { bytes += savedLength(member); });
    if (const auto* sorted = valueAs<SortedSet>(value))
        sorted->forEach([&](const Member& member) { bytes += savedLength(member.key) + kScore; });
    if (const auto* hash = valueAs<Hash>(value))
        hash->forEach(
            [&](const Member& field) { bytes += savedLength(field.key) + savedLength(field.value); });
    return bytes;
}

/// Sees a dead key too, and counts as no use of it. Nothing here has an address.
void debugObject(Call& call) {
    const Entry* const entry = call.keyspace.look(call.database(), call.arg(2));
    if (!entry) return call.reply.becomeError(errors::kNoSuchKey);
    constexpr std::int64_t kLruClock = 0xFFFFFF;
    const std::int64_t idle = call.keyspace.idleSeconds(*entry);
    const std::int64_t used = call.keyspace.clockMicros() / 1'000'000 - idle;
    call.reply.becomeStatus(fmt::format(
        "Value at:0x000000000000 refcount:1 encoding:{} serializedlength:{} lru:{} lru_seconds_idle:{}",
        encodingName(*entry), savedLengthOf(entry->value), used & kLruClock, idle));
}

/// As C's strtod reads it: what is no number is none.
double secondsIn(std::string_view text) {
    double seconds = 0;
    std::from_chars(text.data(), text.data() + text.size(), seconds);
    return seconds;
}

void debugSleep(Call& call) {
    constexpr double kMost = 1e9;
    const double seconds = secondsIn(call.arg(2));
    if (seconds > 0) call.server.fallAsleep(static_cast<std::int64_t>(std::min(seconds, kMost) * 1e6));
    call.reply.becomeStatus("OK");
}

} // namespace

void debug(Call& call) {
    if (!isOpenTo(call.client, call.server.settings().debugCommand))
        return call.reply.becomeError(kDebugClosed);
    const std::string sub = lowered(call.arg(1));
    if (sub == "help" && call.count() == 2) {
        call.reply.becomeArray();
        for (const std::string_view line : kDebugHelp)
            call.reply.items.emplace_back().becomeStatus(line);
        return;
    }
    if (sub == "object" && call.count() == 3) return debugObject(call);
    if (sub == "sleep" && call.count() == 3) return debugSleep(call);
    if (sub == "set-active-expire" && call.count() == 3)
        call.server.setActiveExpiry(parseInteger(call.arg(2)).value_or(0) != 0);
    else if (sub != "log" || call.count() != 3)
        return call.reply.becomeError(errors::onOneLine(
            fmt::format("ERR unknown subcommand or wrong number of arguments for '{}'. Try DEBUG HELP.",
                        errors::printed(call.arg(1), 128))));
    call.reply.becomeStatus("OK");
}

} // namespace lockscope::redis::commands
