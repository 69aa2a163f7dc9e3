// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The functions of Lua that stand alone, as in the reference manual of Lua 5.1 except where the sandbox has a
// reason. Missing on purpose: collectgarbage, coroutine, dofile, getfenv, load, loadfile, loadstring, module,
// newproxy, print, rawset, require, setfenv, _G.

#include <cctype>
#include <cstdlib>
#include <cstring>

#include "core/lua/libraries.h"
#include "core/lua/sandbox.h"

namespace lockscope::lua {

namespace {

constexpr std::int64_t kProtectedCallSteps = 50;

int baseAssert(lua_State* L) {
    luaL_checkany(L, 1);
    if (!lua_toboolean(L, 1)) {
        // An error value of any kind goes through as it is, so that its fields survive.
        if (lua_gettop(L) >= 2 && !lua_isstring(L, 2)) {
            lua_settop(L, 2);
            return lua_error(L);
        }
        return luaL_error(L, "%s", luaL_optstring(L, 2, "assertion failed!"));
    }
    return lua_gettop(L);
}

int baseError(lua_State* L) {
    const int level = luaL_optint(L, 2, 1);
    lua_settop(L, 1);
    if (lua_isstring(L, 1) && level > 0) {
        luaL_where(L, level);
        lua_pushvalue(L, 1);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

// Called where an error is raised; it only counts, and hands the error on.
int onError(lua_State* L) {
    Sandbox::of(L).chargeError(L);
    return 1;
}

// Calls the function under its arguments on top of the stack, as lua_pcall does. Nobody catches the end of a
// budget.
int protectedCall(lua_State* L, int arguments, int results) {
    Sandbox& box = Sandbox::of(L);
    box.charge(L, kProtectedCallSteps);
    const int handler = lua_gettop(L) - arguments;
    lua_pushcfunction(L, onError);
    lua_insert(L, handler);
    const int status = lua_pcall(L, arguments, results, handler);
    lua_remove(L, handler);
    if (status != 0) box.charge(L, 0);
    return status;
}

int basePcall(lua_State* L) {
    luaL_checkany(L, 1);
    const int status = protectedCall(L, lua_gettop(L) - 1, LUA_MULTRET);
    lua_pushboolean(L, status == 0);
    lua_insert(L, 1);
    return lua_gettop(L);
}

// The handler is called after the error has unwound. Lua would call it inside, also for an error that the
// count hook raised, and then without any hook: an endless handler would never be stopped. There is no
// traceback to look at.
int baseXpcall(lua_State* L) {
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    lua_pushvalue(L, 1);
    if (protectedCall(L, 0, LUA_MULTRET) == 0) {
        lua_pushboolean(L, 1);
        lua_replace(L, 2);
        return lua_gettop(L) - 1;
    }
    lua_pushvalue(L, 2);
    lua_insert(L, -2);
    if (protectedCall(L, 1, 1) != 0) {
        lua_pop(L, 1);
        lua_pushliteral(L, "error in error handling");
    }
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

int baseGetmetatable(lua_State* L) {
    luaL_checkany(L, 1);
    if (lua_getmetatable(L, 1) == 0) {
        lua_pushnil(L);
        return 1;
    }
    luaL_getmetafield(L, 1, "__metatable"); // pushes it instead, if there is one
    return 1;
}

int baseSetmetatable(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    const int type = lua_type(L, 2);
    luaL_argcheck(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table expected");
    if (luaL_getmetafield(L, 1, "__metatable") != 0)
        return luaL_error(L, "cannot change a protected metatable");
    lua_settop(L, 2);
    if (type == LUA_TTABLE) {
        if (Sandbox::isFrozen(L, 2)) return luaL_error(L, "a library cannot be a metatable");
        lua_pushliteral(L, "__mode");
        lua_rawget(L, 2);
        if (!lua_isnil(L, -1)) return luaL_error(L, "__mode is not available: there are no weak tables");
        lua_pop(L, 1);
        Sandbox::of(L).watchMetatable(L, 2);
    }
    lua_setmetatable(L, 1);
    return 1;
}

int ipairsStep(lua_State* L) {
    const int i = luaL_checkint(L, 2) + 1;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushinteger(L, i);
    lua_rawgeti(L, 1, i);
    return lua_isnil(L, -1) ? 0 : 2;
}

int baseIpairs(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    Sandbox::thaw(L, 1);
    lua_pushcfunction(L, ipairsStep);
    lua_insert(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

int baseRawequal(lua_State* L) {
    luaL_checkany(L, 1);
    luaL_checkany(L, 2);
    lua_pushboolean(L, lua_rawequal(L, 1, 2));
    return 1;
}

int baseRawget(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    lua_rawget(L, 1);
    return 1;
}

int baseSelect(lua_State* L) {
    const int count = lua_gettop(L);
    if (lua_type(L, 1) == LUA_TSTRING && *lua_tostring(L, 1) == '#') {
        lua_pushinteger(L, count - 1);
        return 1;
    }
    int first = luaL_checkint(L, 1);
    if (first < 0)
        first = count + first;
    else if (first > count)
        first = count;
    luaL_argcheck(L, 1 <= first, 1, "index out of range");
    return count - first;
}

int baseTonumber(lua_State* L) {
    const int base = luaL_optint(L, 2, 10);
    if (base == 10) {
        luaL_checkany(L, 1);
        if (lua_isnumber(L, 1))
            lua_pushnumber(L, lua_tonumber(L, 1));
        else
            lua_pushnil(L);
        return 1;
    }
    std::size_t length = 0;
    const char* text = luaL_checklstring(L, 1, &length);
    luaL_argcheck(L, 2 <= base && base <= 36, 2, "base out of range");
    Sandbox::of(L).charge(L, static_cast<std::int64_t>(length / 4));
    char* end = nullptr;
    const unsigned long number = std::strtoul(text, &end, base);
    const char* stop = end;
    while (std::isspace(static_cast<unsigned char>(*stop)) != 0)
        ++stop;
    if (end == text || *stop != '\0')
        lua_pushnil(L);
    else
        lua_pushnumber(L, static_cast<lua_Number>(number));
    return 1;
}

int baseTostring(lua_State* L) {
    luaL_checkany(L, 1);
    pushAsText(L, 1);
    return 1;
}

int baseType(lua_State* L) {
    luaL_checkany(L, 1);
    lua_pushstring(L, luaL_typename(L, 1));
    return 1;
}

int baseUnpack(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    const int first = luaL_optint(L, 2, 1);
    const int last = luaL_opt(L, luaL_checkint, 3, static_cast<int>(lua_objlen(L, 1)));
    if (first > last) return 0;
    const std::int64_t count = static_cast<std::int64_t>(last) - first + 1;
    if (count > LUAI_MAXCSTACK || lua_checkstack(L, static_cast<int>(count)) == 0)
        return luaL_error(L, "too many results to unpack");
    Sandbox::of(L).charge(L, count);
    for (std::int64_t i = first; i <= last; ++i)
        lua_rawgeti(L, 1, static_cast<int>(i));
    return static_cast<int>(count);
}

} // namespace

void checkWritable(lua_State* L, int index) {
    luaL_checktype(L, index, LUA_TTABLE);
    if (Sandbox::isFrozen(L, index)) luaL_error(L, "Attempt to modify a readonly table");
}

void pushAsText(lua_State* L, int index) {
    if (luaL_callmeta(L, index, "__tostring") != 0) {
        if (lua_isstring(L, -1) == 0) luaL_error(L, "'__tostring' must return a string");
        return;
    }
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
        lua_pushvalue(L, index);
        lua_tostring(L, -1);
        return;
    case LUA_TBOOLEAN:
        if (lua_toboolean(L, index) != 0)
            lua_pushliteral(L, "true");
        else
            lua_pushliteral(L, "false");
        return;
    case LUA_TNIL:
        lua_pushliteral(L, "nil");
        return;
    default:
        lua_pushstring(L, luaL_typename(L, index)); // stock Lua adds the address
    }
}

void addBaseFunctions(lua_State* L) {
    static constexpr luaL_Reg kFunctions[] = {{"assert", baseAssert},
                                              {"error", baseError},
                                              {"getmetatable", baseGetmetatable},
                                              {"ipairs", baseIpairs},
                                              {"next", orderedNext},
                                              {"pairs", orderedPairs},
                                              {"pcall", basePcall},
                                              {"rawequal", baseRawequal},
                                              {"rawget", baseRawget},
                                              {"select", baseSelect},
                                              {"setmetatable", baseSetmetatable},
                                              {"tonumber", baseTonumber},
                                              {"tostring", baseTostring},
                                              {"type", baseType},
                                              {"unpack", baseUnpack},
                                              {"xpcall", baseXpcall}};
    for (const luaL_Reg& function : kFunctions) {
        lua_pushcfunction(L, function.func);
        lua_setfield(L, -2, function.name);
    }
    lua_pushliteral(L, LUA_VERSION);
    lua_setfield(L, -2, "_VERSION");
}

void addLibraries(lua_State* L) {
    addBaseFunctions(L);
    addStringLibrary(L);
    addTableLibrary(L);
    addMathLibrary(L);
    addPrelude(L);

    // Strings find their methods in the library, and nobody can reach this metatable.
    lua_pushliteral(L, "");
    lua_createtable(L, 0, 2);
    lua_getfield(L, -3, "string");
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);

    for (const char* name : {"string", "table", "math"}) {
        lua_getfield(L, -1, name);
        Sandbox::freeze(L);
        lua_setfield(L, -2, name);
    }
}

} // namespace lockscope::lua
