// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/glob.h"
#include "core/redis/numbers.h"

// COMMAND and ACL CAT: the command table, told. Key specifications and tips are left empty.

namespace lockscope::redis::commands {

namespace {

/// The rows that this server has.
std::vector<const Command*> tableOf(const Call& call) {
    std::vector<const Command*> rows;
    for (const Command& row : commandTable())
        if (isIn(row, call.profile())) rows.push_back(&row);
    return rows;
}

const Command* findIn(const Call& call, std::string_view name) {
    const Command* found = findCommand(name);
    return found && isIn(*found, call.profile()) ? found : nullptr;
}

bool isSubcommand(const Command& command) {
    return command.name.find('|') != std::string_view::npos;
}

void tellCommand(const Call& call, const Command& command, Reply& reply) {
    reply.becomeArray();
    reply.items.resize(10);
    reply.items[0].becomeBulk(command.name);
    reply.items[1].becomeInteger(command.arity);
    reply.items[2].become(Reply::Type::Set);
    for (const std::string_view flag : flagNames(command))
        reply.items[2].items.emplace_back().becomeStatus(flag);
    reply.items[3].becomeInteger(command.keys.first);
    reply.items[4].becomeInteger(command.keys.last);
    reply.items[5].becomeInteger(command.keys.step);
    reply.items[6].become(Reply::Type::Set);
    for (const std::string& category : categoriesOf(command))
        reply.items[6].items.emplace_back().becomeStatus("@" + category);
    reply.items[7].become(Reply::Type::Set);
    reply.items[8].become(Reply::Type::Set);
    reply.items[9].becomeArray();
    if (!command.isContainer()) return;
    const std::string prefix = std::string(command.name) + '|';
    for (const Command* sub : tableOf(call))
        if (sub->name.starts_with(prefix)) tellCommand(call, *sub, reply.items[9].items.emplace_back());
}

void tellDocs(const Command& command, Reply& reply) {
    reply.items.emplace_back().becomeBulk(command.name);
    Reply& facts = reply.items.emplace_back().become(Reply::Type::Map);
    facts.items.resize(4);
    facts.items[0].becomeBulk("since");
    facts.items[1].becomeBulk(command.since);
    facts.items[2].becomeBulk("group");
    facts.items[3].becomeBulk(nameOf(command.group));
}

} // namespace

void command(Call& call) {
    call.reply.becomeArray();
    for (const Command* known : tableOf(call))
        if (!isSubcommand(*known)) tellCommand(call, *known, call.reply.items.emplace_back());
}

void commandCount(Call& call) {
    call.reply.becomeInteger(
        std::ranges::count_if(tableOf(call), [](const Command* row) { return !isSubcommand(*row); }));
}

void commandInfo(Call& call) {
    if (call.count() == 2) return command(call);
    call.reply.becomeArray();
    for (const std::string_view name : call.args.subspan(2)) {
        Reply& item = call.reply.items.emplace_back();
        if (const Command* known = findIn(call, name))
            tellCommand(call, *known, item);
        else
            item.becomeNull();
    }
}

void commandDocs(Call& call) {
    call.reply.become(Reply::Type::Map);
    if (call.count() == 2) {
        for (const Command* known : tableOf(call))
            if (!isSubcommand(*known)) tellDocs(*known, call.reply);
        return;
    }
    for (const std::string_view name : call.args.subspan(2))
        if (const Command* known = findCommand(name)) tellDocs(*known, call.reply);
}

void commandList(Call& call) {
    const bool filtered = call.count() == 5 && equalsIgnoringCase(call.arg(2), "filterby");
    const bool byPattern = filtered && equalsIgnoringCase(call.arg(3), "pattern");
    const bool byCategory = filtered && equalsIgnoringCase(call.arg(3), "aclcat");
    const bool byModule = filtered && equalsIgnoringCase(call.arg(3), "module");
    if (call.count() != 2 && !byPattern && !byCategory && !byModule)
        return call.reply.becomeError(errors::kSyntax);
    call.reply.becomeArray();
    for (const Command* known : tableOf(call)) {
        if (isSubcommand(*known) || byModule) continue;
        if (byPattern && !matchesGlob(lowered(call.arg(4)), known->name)) continue;
        const std::vector<std::string> categories = categoriesOf(*known);
        if (byCategory && std::ranges::find(categories, lowered(call.arg(4))) == categories.end()) continue;
        call.reply.items.emplace_back().becomeBulk(known->name);
    }
}

void aclCat(Call& call) {
    if (call.count() > 3) return call.reply.becomeError(errors::wrongSubcommand(call.command, call.arg(1)));
    std::vector<std::string> found;
    const auto add = [&](std::string text) {
        if (std::ranges::find(found, text) == found.end()) found.push_back(std::move(text));
    };
    for (const Command* known : tableOf(call)) {
        for (const std::string& category : categoriesOf(*known)) {
            if (call.count() == 2) add(category);
            if (call.count() == 3 && equalsIgnoringCase(call.arg(2), category)) add(std::string(known->name));
        }
    }
    if (call.count() == 3 && found.empty())
        return call.reply.becomeError(
            errors::onOneLine(fmt::format("ERR Unknown category '{}'", errors::printed(call.arg(2)))));
    call.reply.becomeArray();
    for (const std::string& text : found)
        call.reply.items.emplace_back().becomeBulk(text);
}

} // namespace lockscope::redis::commands
