// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/command_table.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/redis/commands.h"
#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr KeyPositions kNoKeys{};
constexpr KeyPositions kOneKey{1, 1, 1};
constexpr KeyPositions kTwoKeys{1, 2, 1};
constexpr KeyPositions kAllKeys{1, -1, 1};
constexpr KeyPositions kPairs{1, -1, 2};
constexpr std::uint32_t kEvalFlags = kNoScript | kStale | kSkipMonitor | kNoMandatoryKeys | kMovableKeys;

using enum Group;
constexpr Effect kNone = Effect::None;
constexpr Effect kPuts = Effect::Puts;
constexpr Effect kDeletes = Effect::Deletes;

// clang-format off
constexpr Command kCommands[] = {
    {"append",      3,  kWrite | kDenyOom | kFast, kOneKey,  "2.0.0", String, kPuts,    commands::append},
    {"dbsize",      1,  kReadOnly | kFast,         kNoKeys,  "1.0.0", Group::Server, kNone,    commands::dbSize},
    {"decr",        2,  kWrite | kDenyOom | kFast, kOneKey,  "1.0.0", String, kPuts,    commands::decr},
    {"decrby",      3,  kWrite | kDenyOom | kFast, kOneKey,  "1.0.0", String, kPuts,    commands::decrBy},
    {"del",         -2, kWrite,                    kAllKeys, "1.0.0", Generic, kDeletes, commands::del},
    {"echo",        2,  kLoading | kStale | kFast, kNoKeys,  "1.0.0", Connection, kNone, commands::echo},
    {"eval",        -3, kEvalFlags,                kNoKeys,  "2.6.0", Scripting, kNone, commands::eval},
    {"eval_ro",     -3, kEvalFlags | kReadOnly,    kNoKeys,  "7.0.0", Scripting, kNone, commands::evalReadOnly},
    {"evalsha",     -3, kEvalFlags,                kNoKeys,  "2.6.0", Scripting, kNone, commands::evalSha},
    {"evalsha_ro",  -3, kEvalFlags | kReadOnly,    kNoKeys,  "7.0.0", Scripting, kNone, commands::evalShaReadOnly},
    {"exists",      -2, kReadOnly | kFast,         kAllKeys, "1.0.0", Generic, kNone,   commands::exists},
    {"expire",      -3, kWrite | kFast,            kOneKey,  "1.0.0", Generic, kNone,   commands::expire},
    {"expireat",    -3, kWrite | kFast,            kOneKey,  "1.2.0", Generic, kNone,   commands::expireAt},
    {"expiretime",  2,  kReadOnly | kFast,         kOneKey,  "7.0.0", Generic, kNone,   commands::expireTime},
    {"flushall",    -1, kWrite,                    kNoKeys,  "1.0.0", Group::Server, kDeletes, commands::flushAll},
    {"flushdb",     -1, kWrite,                    kNoKeys,  "1.0.0", Group::Server, kDeletes, commands::flushDb},
    {"get",         2,  kReadOnly | kFast,         kOneKey,  "1.0.0", String, kNone,    commands::get},
    {"getdel",      2,  kWrite | kFast,            kOneKey,  "6.2.0", String, kDeletes, commands::getDel},
    {"getex",       -2, kWrite | kFast,            kOneKey,  "6.2.0", String, kNone,    commands::getEx},
    {"getrange",    4,  kReadOnly,                 kOneKey,  "2.4.0", String, kNone,    commands::getRange},
    {"getset",      3,  kWrite | kDenyOom | kFast, kOneKey,  "1.0.0", String, kPuts,    commands::getSet},
    {"incr",        2,  kWrite | kDenyOom | kFast, kOneKey,  "1.0.0", String, kPuts,    commands::incr},
    {"incrby",      3,  kWrite | kDenyOom | kFast, kOneKey,  "1.0.0", String, kPuts,    commands::incrBy},
    {"incrbyfloat", 3,  kWrite | kDenyOom | kFast, kOneKey,  "2.6.0", String, kPuts,    commands::incrByFloat},
    {"keys",        2,  kReadOnly,                 kNoKeys,  "1.0.0", Generic, kNone,   commands::keys},
    {"mget",        -2, kReadOnly | kFast,         kAllKeys, "1.0.0", String, kNone,    commands::mGet},
    {"mset",        -3, kWrite | kDenyOom,         kPairs,   "1.0.1", String, kPuts,    commands::mSet},
    {"msetnx",      -3, kWrite | kDenyOom,         kPairs,   "1.0.1", String, kPuts,    commands::mSetNx},
    {"persist",     2,  kWrite | kFast,            kOneKey,  "2.2.0", Generic, kNone,   commands::persist},
    {"pexpire",     -3, kWrite | kFast,            kOneKey,  "2.6.0", Generic, kNone,   commands::pExpire},
    {"pexpireat",   -3, kWrite | kFast,            kOneKey,  "2.6.0", Generic, kNone,   commands::pExpireAt},
    {"pexpiretime", 2,  kReadOnly | kFast,         kOneKey,  "7.0.0", Generic, kNone,   commands::pExpireTime},
    {"ping",        -1, kFast,                     kNoKeys,  "1.0.0", Connection, kNone, commands::ping},
    {"psetex",      4,  kWrite | kDenyOom,         kOneKey,  "2.6.0", String, kPuts,    commands::pSetEx},
    {"pttl",        2,  kReadOnly | kFast,         kOneKey,  "2.6.0", Generic, kNone,   commands::pTtl},
    {"randomkey",   1,  kReadOnly,                 kNoKeys,  "1.0.0", Generic, kNone,   commands::randomKey},
    {"rename",      3,  kWrite,                    kTwoKeys, "1.0.0", Generic, kPuts,   commands::rename},
    {"renamenx",    3,  kWrite | kFast,            kTwoKeys, "1.0.0", Generic, kPuts,   commands::renameNx},
    {"scan",        -2, kReadOnly,                 kNoKeys,  "2.8.0", Generic, kNone,   commands::scan},
    {"script",      -2, 0,                         kNoKeys,  "2.6.0", Scripting, kNone, nullptr},
    {"script|exists", -3, kNoScript,               kNoKeys,  "2.6.0", Scripting, kNone, commands::scriptExists},
    {"script|flush", -2, kNoScript,                kNoKeys,  "2.6.0", Scripting, kNone, commands::scriptFlush},
    {"script|kill", 2,  kNoScript | kAllowBusy,    kNoKeys,  "2.6.0", Scripting, kNone, commands::scriptKill},
    {"script|load", 3,  kNoScript | kStale,        kNoKeys,  "2.6.0", Scripting, kNone, commands::scriptLoad},
    {"select",      2,  kLoading | kStale | kFast, kNoKeys,  "1.0.0", Connection, kNone, commands::select},
    {"set",         -3, kWrite | kDenyOom,         kOneKey,  "1.0.0", String, kPuts,    commands::set},
    {"setex",       4,  kWrite | kDenyOom,         kOneKey,  "2.0.0", String, kPuts,    commands::setEx},
    {"setnx",       3,  kWrite | kDenyOom | kFast, kOneKey,  "1.0.0", String, kPuts,    commands::setNx},
    {"setrange",    4,  kWrite | kDenyOom,         kOneKey,  "2.2.0", String, kPuts,    commands::setRange},
    {"strlen",      2,  kReadOnly | kFast,         kOneKey,  "2.2.0", String, kNone,    commands::strLen},
    {"substr",      4,  kReadOnly,                 kOneKey,  "1.0.0", String, kNone,    commands::getRange},
    {"time",        1,  kLoading | kStale | kFast, kNoKeys,  "2.6.0", Group::Server, kNone,    commands::time},
    {"touch",       -2, kReadOnly | kFast,         kAllKeys, "3.2.1", Generic, kNone,   commands::touch},
    {"ttl",         2,  kReadOnly | kFast,         kOneKey,  "1.0.0", Generic, kNone,   commands::ttl},
    {"type",        2,  kReadOnly | kFast,         kOneKey,  "1.0.0", Generic, kNone,   commands::type},
    {"unlink",      -2, kWrite | kFast,            kAllKeys, "4.0.0", Generic, kDeletes, commands::unlink},
};
// clang-format on

// Where a name stands in the table: open addressing, worked out by the compiler.
constexpr std::size_t kSlots = 256;
constexpr std::uint8_t kFree = 255;
static_assert(std::size(kCommands) < kSlots / 2);

constexpr std::uint32_t nameHash(std::string_view name) {
    std::uint32_t hash = 2166136261u;
    for (const char c : name)
        hash = (hash ^ static_cast<std::uint32_t>(c | 0x20)) * 16777619u;
    return hash ^ (hash >> 15);
}

constexpr std::array<std::uint8_t, kSlots> makeIndex() {
    std::array<std::uint8_t, kSlots> index{};
    index.fill(kFree);
    for (std::size_t i = 0; i < std::size(kCommands); ++i) {
        std::size_t slot = nameHash(kCommands[i].name) % kSlots;
        while (index[slot] != kFree)
            slot = (slot + 1) % kSlots;
        index[slot] = static_cast<std::uint8_t>(i);
    }
    return index;
}
constexpr std::array<std::uint8_t, kSlots> kIndex = makeIndex();

} // namespace

std::string_view nameOf(Group group) {
    switch (group) {
    case Connection:
        return "connection";
    case Generic:
        return "generic";
    case Scripting:
        return "scripting";
    case Group::Server:
        return "server";
    case String:
        return "string";
    }
    return {};
}

std::span<const Command> commandTable() {
    return kCommands;
}

const Command* findCommand(std::string_view name) {
    for (std::size_t slot = nameHash(name) % kSlots; kIndex[slot] != kFree; slot = (slot + 1) % kSlots) {
        const Command& command = kCommands[kIndex[slot]];
        if (equalsIgnoringCase(name, command.name)) return &command;
    }
    return nullptr;
}

const Command* resolveCommand(std::span<const std::string_view> args) {
    const Command* command = findCommand(args[0]);
    if (!command || args[0].find('|') != std::string_view::npos) return nullptr;
    if (!command->isContainer() || args.size() < 2) return command;
    // The full name in a buffer: no subcommand is longer.
    std::array<char, 32> full{};
    const std::size_t length = args[0].size() + 1 + args[1].size();
    if (length > full.size()) return nullptr;
    auto end = std::ranges::copy(args[0], full.begin()).out;
    *end++ = '|';
    std::ranges::copy(args[1], end);
    return findCommand({full.data(), length});
}

} // namespace lockscope::redis
