// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/redis/store.h"

namespace lockscope::redis {

/// What lies under a key: one alternative for each of Redis' types. A further type is a further alternative
/// here, its name in typeName() and its rendering in shown().
using Value = std::variant<std::string>;

/// As TYPE answers it.
std::string_view typeName(const Value& value);
/// For observers and inspectors: a string itself, a short rendering of any other type (made in `scratch`).
std::string_view shown(const Value& value, std::string& scratch);

inline constexpr UnixMillis kNoDeadline = -1; // every deadline that a command can set is later

/// A key with what belongs to it. It lies in its database's table of keys and, while it has a deadline, in
/// the table of volatile keys and (until its lease's end is told) in the lease queue as well.
struct Entry {
    static constexpr std::size_t kNotQueued = static_cast<std::size_t>(-1);

    std::string key;
    Value value;
    std::uint64_t hash = 0;
    UnixMillis deadline = kNoDeadline;
    std::uint64_t order = 0; ///< among equal deadlines: which was set first
    std::size_t queueSlot = kNotQueued;
    Entry* nextKey = nullptr;
    Entry* nextVolatile = nullptr;
    int database = 0;

    bool isVolatile() const { return deadline != kNoDeadline; }
    /// Redis' rule on the access path, and up to 7.0 in the active cycle too: alive at the deadline itself.
    bool deadAt(UnixMillis now) const { return isVolatile() && now > deadline; }
    /// Its lease has ended and was told, yet it lies in memory.
    bool lingers() const { return isVolatile() && queueSlot == kNotQueued; }
    std::optional<UnixMillis> deadlineOrNone() const {
        return isVolatile() ? std::optional<UnixMillis>(deadline) : std::nullopt;
    }
};

} // namespace lockscope::redis
