// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/ownership.h"

#include "core/redis/command_table.h"
#include "core/redis/numbers.h"
#include "core/redis/store.h"

namespace lockscope::redis {

ScriptEffects effectsOf(std::string_view script) {
    ScriptEffects effects;
    for (std::size_t at = 0; at < script.size(); ++at) {
        const char quote = script[at];
        if (quote != '\'' && quote != '"') continue;
        const std::size_t end = script.find(quote, at + 1);
        if (end == std::string_view::npos) break;
        if (const Command* command = findCommand(script.substr(at + 1, end - at - 1))) {
            effects.puts |= command->effect == Effect::Puts;
            // A semaphore's ask begins by throwing out those whose time is over.
            effects.deletes |= command->effect == Effect::Deletes && command->name != "zremrangebyscore";
        }
        at = end;
    }
    return effects;
}

std::string_view firstKeyOf(std::span<const std::string_view> args) {
    if (args.empty()) return {};
    const Command* command = resolveCommand(args);
    if (!command || command->isContainer()) return {};
    if (command->has(kMovableKeys)) {
        const bool hasKey = args.size() > 3 && parseInteger(args[2]).value_or(0) > 0;
        return hasKey ? args[3] : std::string_view{};
    }
    if (command->keys.first == 0 || !command->takes(args.size())) return {};
    return args[static_cast<unsigned char>(command->keys.first)];
}

bool canGrant(std::span<const std::string_view> args) {
    if (args.empty()) return false;
    const Command* command = resolveCommand(args);
    if (!command || !command->takes(args.size())) return false;
    if (command->name == "eval") return effectsOf(args[1]).canGrant();
    // With its own value for a condition it can renew a lock, but not take one.
    if (command->name == "set")
        for (std::size_t i = 3; i + 1 < args.size(); ++i)
            if (equalsIgnoringCase(args[i], "ifeq") && args[i + 1] == args[2]) return false;
    return command->effect == Effect::Puts;
}

} // namespace lockscope::redis
