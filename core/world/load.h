// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/result.h"
#include "core/base/time.h"

namespace lockscope {

/// A load of a cache, all at one instant: so many SETs of `cache:0`, `cache:1` and so on, each with a value
/// of so many bytes. A further load goes on counting.
struct Load {
    int writes = 0;
    int bytes = 0;
    Duration ttl{0}; ///< of each key; 0: none

    static constexpr int kMostWrites = 200'000;
    static constexpr int kMostBytes = 1 << 20;
    static constexpr std::int64_t kMostTogether = std::int64_t{256} << 20; ///< writes × bytes

    bool operator==(const Load&) const = default;
};

/// What the keys of loads begin with.
inline constexpr std::string_view kLoadPrefix = "cache:";

/// Reads `60000 x 1024` and `2000 x 100 ttl 1h`: writes, bytes of a value (or `1kb`), and the keys' lease.
Result<Load> parseLoad(std::string_view text);

} // namespace lockscope
