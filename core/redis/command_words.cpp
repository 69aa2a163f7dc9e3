// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <utility>

#include "core/redis/command_table.h"

// What Redis calls the flags, groups and ACL categories of a command.

namespace lockscope::redis {

namespace {

constexpr std::pair<CommandFlag, std::string_view> kFlagNames[] = {
    {kWrite, "write"},
    {kReadOnly, "readonly"},
    {kDenyOom, "denyoom"},
    {kAdmin, "admin"},
    {kPubSub, "pubsub"},
    {kNoScript, "noscript"},
    {kBlocking, "blocking"},
    {kLoading, "loading"},
    {kStale, "stale"},
    {kSkipMonitor, "skip_monitor"},
    {kSkipSlowlog, "skip_slowlog"},
    {kFast, "fast"},
    {kNoAuth, "no_auth"},
    {kNoMulti, "no_multi"},
    {kNoMandatoryKeys, "no_mandatory_keys"},
    {kMovableKeys, "movablekeys"},
    {kAllowBusy, "allow_busy"},
    {kNoAsyncLoading, "no_async_loading"},
};

// Harm that no flag of theirs tells.
constexpr std::array<std::string_view, 6> kDangerous = {"flushall", "flushdb",  "info",
                                                        "keys",     "lastsave", "role"};

} // namespace

std::string_view nameOf(Group group) {
    switch (group) {
    case Group::Cluster:
        return "cluster";
    case Group::Connection:
        return "connection";
    case Group::Generic:
        return "generic";
    case Group::Hash:
        return "hash";
    case Group::List:
        return "list";
    case Group::PubSub:
        return "pubsub";
    case Group::Scripting:
        return "scripting";
    case Group::Server:
        return "server";
    case Group::Set:
        return "set";
    case Group::SortedSet:
        return "sorted-set";
    case Group::String:
        return "string";
    case Group::Transactions:
        return "transactions";
    }
    return {};
}

std::vector<std::string_view> flagNames(const Command& command) {
    std::vector<std::string_view> names;
    for (const auto& [flag, name] : kFlagNames)
        if (command.has(flag)) names.push_back(name);
    return names;
}

std::vector<std::string> categoriesOf(const Command& command) {
    std::vector<std::string> names;
    const bool admin = command.has(kAdmin);
    if (command.has(kWrite)) names.emplace_back("write");
    if (command.has(kReadOnly) && command.group != Group::Scripting) names.emplace_back("read");
    switch (command.group) {
    case Group::Generic:
        names.emplace_back("keyspace");
        break;
    case Group::SortedSet:
        names.emplace_back("sortedset");
        break;
    case Group::Transactions:
        names.emplace_back("transaction");
        break;
    case Group::Server:
    case Group::Cluster:
        break;
    default:
        names.emplace_back(nameOf(command.group));
    }
    if (admin) names.emplace_back("admin");
    names.emplace_back(command.has(kFast) ? "fast" : "slow");
    if (admin || std::ranges::find(kDangerous, command.name) != kDangerous.end())
        names.emplace_back("dangerous");
    if (command.has(kBlocking)) names.emplace_back("blocking");
    return names;
}

} // namespace lockscope::redis
