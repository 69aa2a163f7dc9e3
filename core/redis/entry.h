// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/redis/store.h"
#include "core/redis/value.h"

namespace lockscope::redis {

inline constexpr UnixMillis kNoDeadline = -1; // every deadline that a command can set is later

/// How a string came to be, as far as OBJECT ENCODING shows it.
enum class StringForm : std::uint8_t {
    Set,    ///< put as a whole: "int" if it is a number
    Text,   ///< "embstr" or "raw" by its length, even if it is a number
    Changed ///< in place: "raw"
};

/// A key with what belongs to it. It lies in its database's table of keys and, while it has a deadline, in
/// the table of volatile keys and (until its lease's end is told) in the lease queue as well.
struct Entry {
    static constexpr std::size_t kNotQueued = static_cast<std::size_t>(-1);

    std::string key;
    Value value;
    std::uint64_t hash = 0;
    UnixMillis deadline = kNoDeadline;
    std::uint64_t order = 0; ///< among equal deadlines: which was set first
    std::int64_t usedAt = 0; ///< when a command last read or wrote it, on the machine's clock in microseconds
    std::size_t queueSlot = kNotQueued;
    Entry* nextKey = nullptr;
    Entry* nextVolatile = nullptr;
    std::size_t memory = 0; ///< what it was last counted with; 0 while nobody counts
    int database = 0;
    StringForm form = StringForm::Set; ///< of a string
    std::uint8_t uses = 0;             ///< how often it is used, as LFU counts; kept while that decides
    std::uint16_t usedMinute = 0;      ///< when that count was last looked at

    bool isVolatile() const { return deadline != kNoDeadline; }
    /// Redis' rule on the access path, and up to 7.0 in the active cycle too: alive at the deadline itself.
    bool deadAt(UnixMillis now) const { return isVolatile() && now > deadline; }
    /// Its lease has ended and was told, yet it lies in memory.
    bool lingers() const { return isVolatile() && queueSlot == kNotQueued; }
    std::optional<UnixMillis> deadlineOrNone() const {
        return isVolatile() ? std::optional<UnixMillis>(deadline) : std::nullopt;
    }
};

/// The number that Redis keeps in place of a string's digits; nothing if it keeps the text.
std::optional<std::int64_t> storedNumber(const Entry& entry);
/// As OBJECT ENCODING answers it.
std::string_view encodingName(const Entry& entry);

} // namespace lockscope::redis
