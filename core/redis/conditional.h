// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/redis/profile.h"

namespace lockscope::redis {

/// What SET and DELEX may want of the value that a key has: IFEQ and its kin.
struct ValueCondition {
    enum class Kind : std::uint8_t { Equal, Unequal, DigestEqual, DigestUnequal };
    Kind kind = Kind::Equal;
    std::string_view text; ///< the value, or the digest in hexadecimal digits

    bool isDigest() const;
    /// Why it can be no condition; empty if it can.
    std::string_view complaint() const;
    /// Of a key without a value (null) only the unequal ones hold.
    bool holds(const std::string* value) const;
};

/// The condition of that name, if a server of this profile knows it.
std::optional<ValueCondition::Kind> conditionNamed(std::string_view word, Profile profile);

/// XXH3-64 of a value in 16 hexadecimal digits, as DIGEST answers it (Redis 8.4).
std::string digestOf(std::string_view value);

} // namespace lockscope::redis
