// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

#include <lua.hpp>

namespace lockscope::redis {

// The libraries that Redis adds to Lua's own, each pushed as a frozen table. Their functions keep nothing
// between scripts and charge the sandbox for what they do.

/// encode(), decode() and null, after lua-cjson 2.1.0 with its defaults.
void pushJsonLibrary(lua_State* L);
/// Operations on 32 bits, after LuaBitOp.
void pushBitLibrary(lua_State* L);

/// cjson.decode, in a file of its own.
int decodeJson(lua_State* L);

/// Text that grows in memory of the Lua state, so that an error of Lua on the way leaves nothing behind and
/// the sandbox's limit holds. It lives in one slot of the stack.
class LuaText {
public:
    /// Takes a new slot on top of the stack.
    explicit LuaText(lua_State* L);

    void append(std::string_view more);
    void append(char c) { append(std::string_view(&c, 1)); }
    void clear() { m_size = 0; }
    std::string_view view() const { return {m_data, m_size}; }

private:
    lua_State* m_lua;
    int m_slot;
    char* m_data;
    std::size_t m_size = 0;
    std::size_t m_capacity;
};

} // namespace lockscope::redis
