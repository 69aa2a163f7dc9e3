// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/profile.h"

#include <fmt/format.h>

#include "core/redis/numbers.h"

// Where the differences come from: the files src/commands/*.json, expire.c and server.c of the two products,
// and the release notes. TIME is frozen within a script since 7.2; here no script takes time, so that it
// always was.

namespace lockscope::redis {

std::string_view productTitle(Profile profile) {
    return factsOf(profile).product == Product::Redis ? "Redis" : "Valkey";
}

std::string titleOf(Profile profile) {
    const ProfileFacts& facts = factsOf(profile);
    return fmt::format("{}{}", facts.title, facts.measured ? "" : " (from documentation)");
}

std::optional<Profile> profileNamed(std::string_view name) {
    for (const Profile profile : kProfiles)
        if (equalsIgnoringCase(name, factsOf(profile).name)) return profile;
    return std::nullopt;
}

std::string profileNames() {
    std::string names;
    for (const Profile profile : kProfiles)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", factsOf(profile).name);
    return names;
}

Result<Profile> parseProfile(std::string_view name) {
    if (const std::optional<Profile> profile = profileNamed(name)) return *profile;
    return Error{fmt::format("'{}' is no profile of a server; allowed: {}", name, profileNames())};
}

} // namespace lockscope::redis
