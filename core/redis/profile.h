// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace lockscope::redis {

/// Which server the store answers as. What a program may use follows from it: a compare-and-delete of its own
/// is a command in some of them and a script in the others.
enum class Profile : std::uint8_t { Redis70, Redis72, Redis84, Valkey81, Valkey90 };

inline constexpr std::array kProfiles = {Profile::Redis70, Profile::Redis72, Profile::Redis84,
                                         Profile::Valkey81, Profile::Valkey90};

struct Version {
    int major = 0;
    int minor = 0;
    int patch = 0;

    /// "7.2.0"; whatever is no number counts as 0.
    static constexpr Version of(std::string_view text) {
        std::array<int, 3> parts{};
        std::size_t part = 0;
        for (const char c : text) {
            if (c == '.')
                ++part;
            else if (part < parts.size() && c >= '0' && c <= '9')
                parts[part] = parts[part] * 10 + (c - '0');
        }
        return {parts[0], parts[1], parts[2]};
    }
    /// As scripts see it: 0x00070204.
    constexpr int number() const { return (major << 16) | (minor << 8) | patch; }
    auto operator<=>(const Version&) const = default;
};

enum class Product : std::uint8_t { Redis, Valkey };

/// Which conditions on the value SET takes: none, IFEQ alone, or IFNE and those on digests too.
enum class ValueConditions : std::uint8_t { None, Equal, All };

/// What a profile says of itself, and in what it differs besides its commands. Only the first is compared
/// with a real server; the others are written after documentation and sources, and must be labelled so
/// wherever they are shown: see titleOf().
struct ProfileFacts {
    std::string_view name;  ///< as lessons and command lines write it
    std::string_view title; ///< "Redis 7.0"
    Product product = Product::Redis;
    std::string_view version;      ///< its own, as INFO and HELLO tell it
    std::string_view redisVersion; ///< whose commands it has: of Valkey the Redis that it came from
    bool measured = false;         ///< the tests compare it with a real server
    ValueConditions conditions = ValueConditions::None;
    /// With the memory full, MULTI's queue takes no command at all, not even one that frees memory.
    bool refusesToQueueWhenFull = true;
    /// The active cycle takes a key in the very millisecond of its deadline, in which commands still find it.
    bool cycleTakesDeadline = false;
    /// The event of a key that EXPIRE gives a deadline in the past.
    std::string_view pastDeadlineEvent = "del";
};

inline constexpr std::array kProfileFacts = {
    ProfileFacts{
        .name = "7.0", .title = "Redis 7.0", .version = "7.0.15", .redisVersion = "7.0.15", .measured = true},
    ProfileFacts{.name = "7.2", .title = "Redis 7.2", .version = "7.2.4", .redisVersion = "7.2.4"},
    ProfileFacts{.name = "8.4",
                 .title = "Redis 8.4",
                 .version = "8.4.0",
                 .redisVersion = "8.4.0",
                 .conditions = ValueConditions::All,
                 .refusesToQueueWhenFull = false,
                 .cycleTakesDeadline = true},
    ProfileFacts{.name = "valkey-8.1",
                 .title = "Valkey 8.1",
                 .product = Product::Valkey,
                 .version = "8.1.0",
                 .redisVersion = "7.2.4",
                 .conditions = ValueConditions::Equal,
                 .pastDeadlineEvent = "expired"},
    ProfileFacts{.name = "valkey-9.0",
                 .title = "Valkey 9.0",
                 .product = Product::Valkey,
                 .version = "9.0.0",
                 .redisVersion = "7.2.4",
                 .conditions = ValueConditions::Equal,
                 .pastDeadlineEvent = "expired"},
};
static_assert(kProfileFacts.size() == kProfiles.size());

constexpr const ProfileFacts& factsOf(Profile profile) {
    return kProfileFacts[static_cast<std::size_t>(profile)];
}
/// What its errors call the server: "Redis", "Valkey".
std::string_view productTitle(Profile profile);
/// For people: "Redis 7.0", "Valkey 9.0 (from documentation)".
std::string titleOf(Profile profile);

std::optional<Profile> profileNamed(std::string_view name);
/// Those that there are, for messages: "7.0, 7.2, …".
std::string profileNames();
/// The profile of that name; the error says which are allowed.
Result<Profile> parseProfile(std::string_view name);

} // namespace lockscope::redis
