// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/watch_list.h"

#include <algorithm>

namespace lockscope::redis {

void WatchList::add(Client& client, int database, std::string_view key, std::uint64_t hash, bool dead) {
    const bool known = std::ranges::any_of(m_watches, [&](const Watch& watch) {
        return watch.client == &client && watch.database == database && watch.key == key;
    });
    if (!known) m_watches.push_back({&client, database, std::string(key), hash, dead});
}

void WatchList::removeAllOf(const Client& client) {
    std::erase_if(m_watches, [&](const Watch& watch) { return watch.client == &client; });
}

void WatchList::changed(int database, std::string_view key, std::uint64_t hash, bool gone) {
    bool marked = false;
    for (Watch& watch : m_watches) {
        if (watch.hash != hash || watch.database != database || watch.key != key) continue;
        if (!watch.dead) {
            watch.client->state |= kDirtyKeys;
            marked = true;
        } else if (gone) {
            watch.dead = false;
        }
    }
    // A marked client needs its watches no more: its EXEC will do nothing.
    if (marked) std::erase_if(m_watches, [](const Watch& watch) { return watch.client->is(kDirtyKeys); });
}

} // namespace lockscope::redis
