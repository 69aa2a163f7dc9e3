// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/call.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis {

Profile Call::profile() const {
    return server.options().profile;
}

std::optional<std::int64_t> Call::integerArg(std::size_t index) const {
    const std::optional<std::int64_t> number = parseInteger(args[index]);
    if (!number) reply.becomeError(errors::kNotAnInteger);
    return number;
}

std::optional<std::int64_t> Call::countArg(std::size_t index) const {
    const std::optional<std::int64_t> number = parseInteger(args[index]);
    if (number && *number >= 0) return number;
    reply.becomeError("ERR value is out of range, must be positive");
    return std::nullopt;
}

std::optional<double> Call::doubleArg(std::size_t index) const {
    const std::optional<double> number = parseDouble(args[index]);
    if (!number) reply.becomeError(errors::kNotAFloat);
    return number;
}

std::string* Call::stringIn(Entry& entry) const {
    auto* text = std::get_if<std::string>(&entry.value);
    if (!text) reply.becomeError(errors::kWrongType);
    return text;
}

Entry& Call::putString(std::string_view key, const Found& found, std::string_view value,
                       UnixMillis deadline) const {
    Entry& entry = found ? *found.entry : keyspace.create(database(), key, found);
    if (auto* text = std::get_if<std::string>(&entry.value))
        text->assign(value);
    else
        entry.value = std::string(value);
    entry.form = StringForm::Set;
    keyspace.setDeadline(entry, deadline);
    keyspace.tellWritten(entry, found.before);
    return entry;
}

void Call::changed(Entry& entry, const Found& found, std::string_view event) const {
    keyspace.tellWritten(entry, found.before);
    notify(event, entry.key);
    if (!server.blocked().empty()) server.blocked().cameInto(client.database, entry.key);
}

void Call::taken(Entry& entry, const Found& found, std::string_view event, bool empty) const {
    if (!empty) return changed(entry, found, event);
    const std::string key = entry.key;
    notify(event, key);
    keyspace.remove(entry, Removal::Deleted);
    notify("del", key);
}

namespace errors {

std::string wrongArity(const Command& command) {
    return fmt::format("ERR wrong number of arguments for '{}' command", command.name);
}

std::string wrongSubcommand(const Command& command, std::string_view subcommand) {
    constexpr std::size_t kShown = 128;
    return onOneLine(fmt::format("ERR unknown subcommand or wrong number of arguments for '{}'. Try {} HELP.",
                                 printed(subcommand, kShown),
                                 raised(command.name.substr(0, command.name.find('|')))));
}

std::string invalidExpireTime(const Command& command) {
    return fmt::format("ERR invalid expire time in '{}' command", command.name);
}

std::string onOneLine(std::string_view text) {
    while (text.ends_with('\n') || text.ends_with('\r'))
        text.remove_suffix(1);
    while (text.starts_with('\n') || text.starts_with('\r'))
        text.remove_prefix(1);
    std::string line(text);
    std::ranges::replace_if(
        line, [](char c) { return c == '\r' || c == '\n'; }, ' ');
    return line;
}

std::string_view printed(std::string_view text, std::size_t most) {
    return text.substr(0, std::min(text.find('\0'), most));
}

} // namespace errors

} // namespace lockscope::redis
