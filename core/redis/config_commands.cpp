// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/glob.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis::commands {

void configGet(Call& call) {
    call.reply.become(Reply::Type::Map);
    for (const Setting& setting : settingsTable()) {
        const bool asked = std::ranges::any_of(call.args.subspan(2), [&](std::string_view pattern) {
            return matchesGlob(lowered(pattern), setting.name);
        });
        if (!asked) continue;
        call.reply.items.emplace_back().becomeBulk(setting.name);
        call.reply.items.emplace_back().becomeBulk(setting.show(call.server.settings()));
    }
}

/// All of the values, or none if one cannot be. Every name is looked at before any value.
void configSet(Call& call) {
    if (call.count() % 2 != 0) return call.reply.becomeError(errors::kSyntax);
    const auto refuse = [&](std::string_view name, std::string_view why) {
        call.reply.becomeError(
            fmt::format("ERR CONFIG SET failed (possibly related to argument '{}') - {}", name, why));
    };
    std::vector<const Setting*> chosen;
    for (std::size_t i = 2; i < call.count(); i += 2) {
        const Setting* setting = findSetting(call.arg(i));
        if (!setting)
            return call.reply.becomeError(errors::onOneLine(
                fmt::format("ERR Unknown option or number of arguments for CONFIG SET - '{}'",
                            errors::printed(call.arg(i)))));
        if (!setting->set) return refuse(call.arg(i), "can't set immutable config");
        if (std::ranges::find(chosen, setting) != chosen.end())
            return refuse(call.arg(i), "duplicate parameter");
        chosen.push_back(setting);
    }
    Settings settings = call.server.settings();
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const std::string complaint = chosen[i]->set(settings, call.arg(2 * i + 3));
        if (!complaint.empty()) return refuse(chosen[i]->name, complaint);
    }
    call.server.configure(std::move(settings));
    call.reply.becomeStatus("OK");
}

void configResetStat(Call& call) {
    call.server.resetStatistics();
    call.reply.becomeStatus("OK");
}

void configRewrite(Call& call) {
    call.reply.becomeError("ERR The server is running without a config file");
}

} // namespace lockscope::redis::commands
