// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/settings.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/redis/collections.h"
#include "core/redis/notifications.h"
#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

std::string setInteger(int& setting, int least, std::string_view value) {
    const std::optional<std::int64_t> number = parseInteger(value);
    if (!number) return "argument couldn't be parsed into an integer";
    if (*number < least || *number > std::numeric_limits<std::int32_t>::max())
        return fmt::format("argument must be between {} and 2147483647 inclusive", least);
    setting = static_cast<int>(*number);
    return {};
}

std::string setHz(Settings& settings, std::string_view value) {
    std::string complaint = setInteger(settings.hz, 0, value);
    settings.hz = std::clamp(settings.hz, 1, 500);
    return complaint;
}

/// A setting of the memory that is a number, from `Least` on.
template <int MemorySettings::*Field, int Least>
std::string setOfMemory(Settings& settings, std::string_view value) {
    return setInteger(settings.memory.*Field, Least, value);
}
template <int MemorySettings::*Field>
std::string showOfMemory(const Settings& settings) {
    return std::to_string(settings.memory.*Field);
}

std::string setMemoryLimit(Settings& settings, std::string_view value) {
    const std::optional<std::uint64_t> bytes = parseMemoryAsConfig(value);
    if (!bytes) return "argument must be a memory value";
    settings.memory.limit = *bytes;
    return {};
}

std::string setEvictionPolicy(Settings& settings, std::string_view value) {
    const std::optional<EvictionPolicy> policy = evictionPolicyNamed(value);
    if (!policy) return "argument(s) must be one of the following: " + evictionPolicyNames();
    settings.memory.policy = *policy;
    return {};
}

std::string setNotifications(Settings& settings, std::string_view value) {
    const std::optional<std::uint32_t> classes = Notifications::classesOf(value);
    if (!classes) return "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.";
    settings.notifications = Notifications::lettersOf(*classes);
    return {};
}

std::string setPassword(Settings& settings, std::string_view value) {
    if (value.empty() && settings.needsPassword)
        return "other machines can reach this server, so it keeps a password";
    settings.password = value;
    return {};
}

std::string showBusyAfter(const Settings& settings) {
    return std::to_string(settings.busyAfterMillis);
}
std::string setBusyAfter(Settings& settings, std::string_view value) {
    const std::optional<std::int64_t> millis = parseInteger(value);
    if (!millis) return "argument couldn't be parsed into an integer";
    if (*millis < 0) return "argument must be between 0 and 9223372036854775807 inclusive";
    settings.busyAfterMillis = *millis;
    return {};
}

std::string showSync(const Settings& settings) {
    return settings.persistence.sync == PersistenceOptions::Sync::Always ? "always" : "everysec";
}

std::string setSavePoints(Settings& settings, std::string_view value) {
    std::optional<std::vector<SavePoint>> points = parseSavePoints(value);
    if (!points) return "Invalid save parameters";
    settings.persistence.savePoints = std::move(*points);
    return {};
}

std::string showDebugCommand(const Settings& settings) {
    switch (settings.debugCommand) {
    case DebugCommand::Closed:
        break;
    case DebugCommand::Local:
        return "local";
    case DebugCommand::Open:
        return "yes";
    }
    return "no";
}

template <const char* Text>
std::string constant(const Settings&) {
    return Text;
}
constexpr char kNo[] = "no";
constexpr char kYes[] = "yes";
constexpr char kZero[] = "0";
constexpr char kDatabaseCount[] = "16";
constexpr char kListSize[] = "-2";

template <std::size_t Number>
std::string number(const Settings&) {
    return std::to_string(Number);
}

template <std::size_t Settings::*Field>
std::string showSize(const Settings& settings) {
    return std::to_string(settings.*Field);
}

/// As Redis has it by default, or one limit for all clients: who listens to channels is no exception.
std::string showOutputLimits(const Settings& settings) {
    constexpr std::string_view kReplica = "slave 268435456 67108864 60";
    if (settings.unreadBytes == 0) return fmt::format("normal 0 0 0 {} pubsub 33554432 8388608 60", kReplica);
    return fmt::format("normal {0} 0 0 {1} pubsub {0} 0 0", settings.unreadBytes, kReplica);
}

// Those without a setter are what this server always does.
constexpr Setting kSettings[] = {
    {"appendfsync", showSync, nullptr},
    {"appendonly", [](const Settings& s) { return std::string(s.persistence.appendOnly ? kYes : kNo); },
     nullptr},
    {"bind", [](const Settings& s) { return s.address; }, nullptr},
    {"busy-reply-threshold", showBusyAfter, setBusyAfter},
    {"client-output-buffer-limit", showOutputLimits, nullptr},
    {"client-query-buffer-limit", showSize<&Settings::queryBytes>, nullptr},
    {"databases", constant<kDatabaseCount>, nullptr},
    {"enable-debug-command", showDebugCommand, nullptr},
    {"hash-max-listpack-entries", number<kFlatHashFields>, nullptr},
    {"hash-max-listpack-value", number<kFlatElementBytes>, nullptr},
    {"hz", [](const Settings& s) { return std::to_string(s.hz); }, setHz},
    {"lazyfree-lazy-eviction", constant<kNo>, nullptr},
    {"lfu-decay-time", showOfMemory<&MemorySettings::lfuDecayMinutes>,
     setOfMemory<&MemorySettings::lfuDecayMinutes, 0>},
    {"lfu-log-factor", showOfMemory<&MemorySettings::lfuLogFactor>,
     setOfMemory<&MemorySettings::lfuLogFactor, 0>},
    {"list-max-listpack-size", constant<kListSize>, nullptr},
    {"lua-time-limit", showBusyAfter, setBusyAfter}, // its older name
    {"maxclients", showSize<&Settings::clientLimit>, nullptr},
    {"maxmemory", [](const Settings& s) { return std::to_string(s.memory.limit); }, setMemoryLimit},
    {"maxmemory-policy", [](const Settings& s) { return std::string(nameOf(s.memory.policy)); },
     setEvictionPolicy},
    {"maxmemory-samples", showOfMemory<&MemorySettings::samples>, setOfMemory<&MemorySettings::samples, 1>},
    {"min-replicas-max-lag", [](const Settings& s) { return std::to_string(s.minReplicasMaxLag); },
     [](Settings& s, std::string_view value) { return setInteger(s.minReplicasMaxLag, 0, value); }},
    {"min-replicas-to-write", [](const Settings& s) { return std::to_string(s.minReplicasToWrite); },
     [](Settings& s, std::string_view value) { return setInteger(s.minReplicasToWrite, 0, value); }},
    {"notify-keyspace-events", [](const Settings& s) { return s.notifications; }, setNotifications},
    {"port", [](const Settings& s) { return std::to_string(s.port); }, nullptr},
    {"proto-max-bulk-len", showSize<&Settings::longestString>, nullptr},
    {"replica-read-only", constant<kYes>, nullptr},
    {"requirepass", [](const Settings& s) { return s.password; }, setPassword},
    {"save", [](const Settings& s) { return showSavePoints(s.persistence.savePoints); }, setSavePoints},
    {"set-max-intset-entries", number<kFlatSetNumbers>, nullptr},
    {"timeout", constant<kZero>, nullptr},
    {"zset-max-listpack-entries", number<kFlatSortedMembers>, nullptr},
    {"zset-max-listpack-value", number<kFlatElementBytes>, nullptr},
};
static_assert(std::ranges::is_sorted(kSettings, {}, &Setting::name));

} // namespace

std::span<const Setting> settingsTable() {
    return kSettings;
}

const Setting* findSetting(std::string_view name) {
    const auto found = std::ranges::find_if(
        kSettings, [&](const Setting& setting) { return equalsIgnoringCase(name, setting.name); });
    return found == std::end(kSettings) ? nullptr : found;
}

} // namespace lockscope::redis
