// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/redis/call.h"

namespace lockscope::redis {

// What the commands on lists share, those that block among them.

enum class ListEnd : std::uint8_t { Left, Right };

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

/// Moves an item from the list under args[1] to the one under args[2] and answers it; nil if there is none.
void moveItem(Call& call, ListEnd fromEnd, ListEnd toEnd);

/// Positions `first` to `last`, both included and negative ones counted from the end, cut to what is there.
struct IndexRange {
    std::int64_t first = 0;
    std::int64_t count = 0;
};
IndexRange indexRange(std::int64_t first, std::int64_t last, std::int64_t length);

} // namespace lockscope::redis
