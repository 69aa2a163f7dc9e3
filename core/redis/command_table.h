// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/profile.h"

namespace lockscope::redis {

struct Call;

enum class Group : std::uint8_t {
    Cluster,
    Connection,
    Generic,
    Hash,
    List,
    PubSub,
    Scripting,
    Server,
    Set,
    SortedSet,
    String,
    Transactions
};
/// As COMMAND DOCS names it: "string".
std::string_view nameOf(Group group);

/// What a command is, in Redis' own words: COMMAND INFO shows these. Combined by or.
enum CommandFlag : std::uint32_t {
    kWrite = 1u << 0,
    kReadOnly = 1u << 1,
    kDenyOom = 1u << 2, ///< refused while the server is over its memory limit
    kNoScript = 1u << 3,
    kLoading = 1u << 4, ///< allowed while the server loads its data
    kStale = 1u << 5,
    kSkipMonitor = 1u << 6,
    kFast = 1u << 7,
    kNoMandatoryKeys = 1u << 8,
    kMovableKeys = 1u << 9, ///< where the keys stand is said by an argument
    kAllowBusy = 1u << 10,  ///< allowed while a script runs too long
    kPubSub = 1u << 11,
    kBlocking = 1u << 12, ///< may wait before it answers
    kSkipSlowlog = 1u << 13,
    kAdmin = 1u << 14,
    kNoAuth = 1u << 15, ///< allowed before AUTH
    kNoMulti = 1u << 16,
    kNoAsyncLoading = 1u << 17,
};

/// What a command can do to ownership: our own words, from which canGrant() is answered.
enum class Effect : std::uint8_t {
    None,    ///< reads, or changes deadlines alone
    Puts,    ///< can put a value under a key
    Deletes, ///< can take a key away, and puts none
};

/// Positions of the keys among the arguments; `last` counts from the end if negative. All 0: no fixed keys.
struct KeyPositions {
    std::int8_t first = 0;
    std::int8_t last = 0;
    std::int8_t step = 0;
};

/// One row of the table from which dispatch, arity errors, what scripts may call and what can make an owner
/// derive.
struct Command {
    std::string_view name; ///< in lower case; a subcommand with its container: "script|load"
    int arity = 0;         ///< number of arguments with the name; -n: at least n
    std::uint32_t flags = 0;
    KeyPositions keys;
    std::string_view since; ///< the version of `product` that brought it
    Group group = Group::Generic;
    Effect effect = Effect::None;
    void (*handler)(Call&) = nullptr; ///< null: a container, its subcommands do the work
    Product product = Product::Redis; ///< Valkey: no Redis has it. Valkey has what its Redis had

    bool has(CommandFlag flag) const { return (flags & flag) != 0; }
    bool isContainer() const { return handler == nullptr; }
    bool takes(std::size_t arguments) const {
        const auto n = static_cast<int>(arguments);
        return arity >= 0 ? n == arity : n >= -arity;
    }
};

/// As COMMAND INFO names them, without the @ of a category.
std::vector<std::string_view> flagNames(const Command& command);
std::vector<std::string> categoriesOf(const Command& command);

/// A container, or COMMAND, which works alone too.
bool hasSubcommands(const Command& command);

/// Every command of any profile, subcommands after their container.
std::span<const Command> commandTable();

/// Whether a server of this profile knows it.
bool isIn(const Command& command, Profile profile);

/// The command called so, in any case; null if there is none. `name` may be a full name of a subcommand.
const Command* findCommand(std::string_view name);
/// The command that `args` call: of a container the subcommand, if one is named. Null if there is none; then
/// a container itself may still be called args[0].
const Command* resolveCommand(std::span<const std::string_view> args);

} // namespace lockscope::redis
