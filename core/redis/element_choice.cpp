// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/element_choice.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace lockscope::redis {

namespace {

// One reply must not take the memory of the whole program; Redis would try.
constexpr std::int64_t kMostDrawn = 1 << 20;

} // namespace

std::optional<std::int64_t> drawCountArg(const Call& call, std::size_t index) {
    const std::optional<std::int64_t> count = call.integerArg(index);
    if (!count || *count != std::numeric_limits<std::int64_t>::min()) return count;
    call.reply.becomeError(
        "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807");
    return std::nullopt;
}

std::optional<std::vector<std::size_t>> chooseElements(const Call& call, std::size_t size,
                                                       std::int64_t count) {
    if (size > 0 && count < -kMostDrawn) {
        call.reply.becomeError("ERR value is out of range");
        return std::nullopt;
    }
    std::vector<std::size_t> chosen;
    if (size == 0) return chosen;
    if (count < 0) {
        for (; count < 0; ++count)
            chosen.push_back(call.keyspace.chance().below(size));
        return chosen;
    }
    chosen.resize(size);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    if (static_cast<std::uint64_t>(count) >= size) return chosen;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        std::swap(chosen[i], chosen[i + call.keyspace.chance().below(size - i)]);
    chosen.resize(static_cast<std::size_t>(count));
    return chosen;
}

} // namespace lockscope::redis
