// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/thread_pool.h"

namespace lockscope {

ThreadPool::ThreadPool(lua::Sandbox& box) : m_box(box) {
    lua_State* L = m_box.state();
    lua_newtable(L);
    m_anchors = luaL_ref(L, LUA_REGISTRYINDEX);
}

PooledThread ThreadPool::take() {
    if (!m_idle.empty()) {
        const PooledThread thread = m_idle.back();
        m_idle.pop_back();
        return thread;
    }
    PooledThread thread;
    if (m_emptyPlaces.empty()) {
        thread.place = ++m_places;
    } else {
        thread.place = m_emptyPlaces.back();
        m_emptyPlaces.pop_back();
    }
    lua_State* L = m_box.state();
    lua_rawgeti(L, LUA_REGISTRYINDEX, m_anchors);
    thread.L = lua_newthread(L);
    lua_rawseti(L, -2, thread.place);
    lua_pop(L, 1);
    return thread;
}

void ThreadPool::giveBack(PooledThread thread) {
    lua_settop(thread.L, 0);
    m_idle.push_back(thread);
}

void ThreadPool::drop(PooledThread thread) {
    lua_State* L = m_box.state();
    lua_rawgeti(L, LUA_REGISTRYINDEX, m_anchors);
    lua_pushnil(L);
    lua_rawseti(L, -2, thread.place);
    lua_pop(L, 1);
    m_emptyPlaces.push_back(thread.place);
}

} // namespace lockscope
