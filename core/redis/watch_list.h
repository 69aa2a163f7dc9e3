// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/client.h"

namespace lockscope::redis {

/// The keys that clients WATCH, and what becomes of them.
///
/// A key that was dead when it was watched is a special case, as in Redis: that it leaves the memory changes
/// nothing for the client, who saw it gone; anything else does.
class WatchList {
public:
    bool empty() const { return m_watches.empty(); }
    /// Watching a key twice is the same as once.
    void add(Client& client, int database, std::string_view key, std::uint64_t hash, bool dead);
    void removeAllOf(const Client& client);
    void clear() { m_watches.clear(); }

    /// A key was written, got another deadline, or left (`gone`): whoever watches it is marked.
    void changed(int database, std::string_view key, std::uint64_t hash, bool gone);

    /// Of the keys that `client` watches and that lived then: whether `isDead(database, key)` says of one
    /// that it is dead now.
    template <typename IsDead>
    bool anyDied(const Client& client, IsDead isDead) const {
        for (const Watch& watch : m_watches)
            if (watch.client == &client && !watch.dead && isDead(watch.database, watch.key)) return true;
        return false;
    }

private:
    struct Watch {
        Client* client;
        int database;
        std::string key;
        std::uint64_t hash;
        bool dead; ///< when it was watched, and it still lies there
    };

    std::vector<Watch> m_watches;
};

} // namespace lockscope::redis
