// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/lua/sandbox.h"

namespace lockscope {

/// A Lua thread together with the place where the pool keeps it alive.
struct PooledThread {
    lua_State* L = nullptr;
    int place = 0;
};

/// Lua threads to run tasks on. One that ended well is used again; Lua 5.1 cannot revive one that failed or
/// was left suspended, so those are dropped and become garbage.
class ThreadPool {
public:
    explicit ThreadPool(lua::Sandbox& box);

    PooledThread take();
    /// Its function has returned.
    void giveBack(PooledThread thread);
    /// It failed, or nobody will resume it.
    void drop(PooledThread thread);

private:
    lua::Sandbox& m_box;
    int m_anchors = LUA_NOREF; ///< registry: the table that holds the threads
    int m_places = 0;
    std::vector<int> m_emptyPlaces;
    std::vector<PooledThread> m_idle;
};

} // namespace lockscope
