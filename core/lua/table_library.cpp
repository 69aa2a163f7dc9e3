// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// `table` without sort, which the prelude has. Every element that moves is a step or two.

#include <algorithm>
#include <string>

#include "core/lua/libraries.h"
#include "core/lua/sandbox.h"

namespace lockscope::lua {

namespace {

int lengthOf(lua_State* L, int index) {
    return static_cast<int>(lua_objlen(L, index));
}

int tableConcat(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    std::size_t separatorLength = 0;
    const char* separator = luaL_optlstring(L, 2, "", &separatorLength);
    const int first = luaL_optint(L, 3, 1);
    const int last = luaL_opt(L, luaL_checkint, 4, lengthOf(L, 1));
    Sandbox& box = Sandbox::of(L);
    std::string joined;
    for (std::int64_t i = first; i <= last; ++i) {
        lua_rawgeti(L, 1, static_cast<int>(i));
        if (lua_isstring(L, -1) == 0)
            return luaL_error(L, "invalid value (%s) at index %d in table for 'concat'", luaL_typename(L, -1),
                              static_cast<int>(i));
        std::size_t length = 0;
        const char* text = lua_tolstring(L, -1, &length);
        const std::size_t more = length + (i < last ? separatorLength : 0);
        box.charge(L, 3 + static_cast<std::int64_t>(more / 16));
        box.checkLength(L, static_cast<double>(joined.size() + more));
        joined.append(text, length);
        if (i < last) joined.append(separator, separatorLength);
        lua_pop(L, 1);
    }
    lua_pushlstring(L, joined.data(), joined.size());
    return 1;
}

int tableInsert(lua_State* L) {
    checkWritable(L, 1);
    const int end = lengthOf(L, 1) + 1;
    int position = end;
    switch (lua_gettop(L)) {
    case 2:
        break;
    case 3:
        position = luaL_checkint(L, 2);
        break;
    default:
        return luaL_error(L, "wrong number of arguments to 'insert'");
    }
    luaL_argcheck(L, position >= 1, 2, "position out of bounds");
    Sandbox::of(L).charge(L, 1 + 2 * std::max(0, end - position));
    for (int i = end; i > position; --i) {
        lua_rawgeti(L, 1, i - 1);
        lua_rawseti(L, 1, i);
    }
    lua_rawseti(L, 1, position);
    return 0;
}

int tableRemove(lua_State* L) {
    checkWritable(L, 1);
    const int end = lengthOf(L, 1);
    const int position = luaL_optint(L, 2, end);
    if (position < 1 || position > end) return 0;
    Sandbox::of(L).charge(L, 1 + 2 * (end - position));
    lua_rawgeti(L, 1, position);
    for (int i = position; i < end; ++i) {
        lua_rawgeti(L, 1, i + 1);
        lua_rawseti(L, 1, i);
    }
    lua_pushnil(L);
    lua_rawseti(L, 1, end);
    return 1;
}

int tableGetn(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushinteger(L, lengthOf(L, 1));
    return 1;
}

int tableMaxn(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Number most = 0;
    std::int64_t seen = 0;
    lua_pushnil(L);
    while (lua_next(L, 1) != 0) {
        lua_pop(L, 1);
        ++seen;
        if (lua_type(L, -1) == LUA_TNUMBER) most = std::max(most, lua_tonumber(L, -1));
    }
    Sandbox::of(L).charge(L, seen);
    lua_pushnumber(L, most);
    return 1;
}

} // namespace

void addTableLibrary(lua_State* L) {
    static constexpr luaL_Reg kFunctions[] = {{"concat", tableConcat},
                                              {"getn", tableGetn},
                                              {"insert", tableInsert},
                                              {"maxn", tableMaxn},
                                              {"remove", tableRemove}};
    lua_newtable(L);
    for (const luaL_Reg& function : kFunctions) {
        lua_pushcfunction(L, function.func);
        lua_setfield(L, -2, function.name);
    }
    lua_setfield(L, -2, "table");
}

} // namespace lockscope::lua
