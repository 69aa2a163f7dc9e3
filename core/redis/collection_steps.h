// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/redis/call.h"

namespace lockscope::redis {

// What the commands on lists and sorted sets share with those that block.

/// "LEFT" or "RIGHT", in any case.
std::optional<ListEnd> listEndOf(std::string_view word);
inline std::string_view pushEvent(ListEnd end) {
    return end == ListEnd::Left ? "lpush" : "rpush";
}
inline std::string_view popEvent(ListEnd end) {
    return end == ListEnd::Left ? "lpop" : "rpop";
}

/// The list is not empty.
std::string popFrom(List& list, ListEnd end);
void pushTo(List& list, ListEnd end, std::string_view item);

/// Pops from the list that was found and answers [key, item].
void popItem(Call& call, std::string_view key, const Found& found, ListEnd end);
/// Moves an item from the list that was found to the one under `target` and answers it; WRONGTYPE if either
/// is none.
void moveItem(Call& call, const Found& from, std::string_view target, ListEnd fromEnd, ListEnd toEnd);
/// Takes the lowest or highest member of the sorted set that was found and answers [key, member, score].
void popScored(Call& call, std::string_view key, const Found& found, bool highest);

/// Positions `first` to `last`, both included and negative ones counted from the end, cut to what is there.
struct IndexRange {
    std::int64_t first = 0;
    std::int64_t count = 0;
};
IndexRange indexRange(std::int64_t first, std::int64_t last, std::int64_t length);

} // namespace lockscope::redis
