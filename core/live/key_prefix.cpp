// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/key_prefix.h"

#include <algorithm>
#include <array>

#include "core/redis/command_table.h"
#include "core/redis/numbers.h"

namespace lockscope::live {

namespace {

/// Those that name no key and harm nobody.
constexpr std::array<std::string_view, 5> kKeyless{"ping", "echo", "time", "script|load", "script|exists"};

} // namespace

Result<std::vector<std::string>> underPrefix(std::span<const std::string_view> args,
                                             std::string_view prefix) {
    std::vector<std::string> out(args.begin(), args.end());
    const redis::Command* command = redis::resolveCommand(args);
    const auto put = [&](std::size_t first, std::size_t last, std::size_t step) {
        for (std::size_t i = first; i <= last && i < out.size(); i += step)
            out[i].insert(0, prefix);
    };
    if (command && command->has(redis::kMovableKeys)) {
        // EVAL text count key…: a wrong count is the server's to refuse, and no key is then touched.
        const auto count = args.size() > 2 ? redis::parseInteger(args[2]).value_or(0) : 0;
        if (count > 0) put(3, std::min(static_cast<std::size_t>(count) + 2, out.size() - 1), 1);
        return out;
    }
    if (command && command->keys.first > 0) {
        const int last =
            command->keys.last < 0 ? static_cast<int>(args.size()) + command->keys.last : command->keys.last;
        const std::size_t step = command->keys.step > 0 ? static_cast<std::size_t>(command->keys.step) : 1;
        if (last > 0)
            put(static_cast<std::size_t>(command->keys.first), static_cast<std::size_t>(last), step);
        return out;
    }
    if (command && std::find(kKeyless.begin(), kKeyless.end(), command->name) != kKeyless.end()) return out;
    return Error{"'" + std::string(args.empty() ? std::string_view() : args[0].substr(0, 64)) +
                 "' is not sent to a server that is not Lockscope's own"};
}

} // namespace lockscope::live
