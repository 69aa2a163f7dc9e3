// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The order of `pairs` and `next`.
//
// Stock Lua walks a hash table slot by slot, which depends on the history of the table, and for keys that are
// objects on their addresses. It does not remember in which order keys came in. So keys are put in an order
// that anybody can foretell from the table's contents alone:
//
//   1. the numbers 1, 2, 3 … up to the first that is missing,
//   2. all other numbers, ascending,
//   3. strings, byte by byte,
//   4. false, true.
//
// Tables, functions and other objects as keys have no such order; walking a table that has one is an error.
// Looking up with them is not.

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "core/lua/libraries.h"
#include "core/lua/sandbox.h"

namespace lockscope::lua {

namespace {

using Key = Sandbox::Key;

enum Kind { kSequence, kNumber, kString, kBoolean };

bool before(const Key& a, const Key& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.kind == kString) return std::string_view(a.text, a.length) < std::string_view(b.text, b.length);
    return a.number < b.number;
}

bool readKey(lua_State* L, int index, int sequence, Key& key) {
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        key.number = lua_tonumber(L, index);
        key.kind = key.number >= 1 && key.number <= sequence && key.number == static_cast<int>(key.number)
                       ? kSequence
                       : kNumber;
        return true;
    case LUA_TSTRING:
        key.kind = kString;
        key.text = lua_tolstring(L, index, &key.length);
        return true;
    case LUA_TBOOLEAN:
        key.kind = kBoolean;
        key.number = lua_toboolean(L, index);
        return true;
    default:
        return false;
    }
}

// How far 1, 2, 3 … goes without a gap.
int sequenceLength(lua_State* L, int table) {
    // objlen is a border, so nothing follows it; only what lies before can have gaps.
    const int border = static_cast<int>(lua_objlen(L, table));
    for (int i = 1; i <= border; ++i) {
        lua_rawgeti(L, table, i);
        const bool missing = lua_isnil(L, -1);
        lua_pop(L, 1);
        if (missing) return i - 1;
    }
    return border;
}

void pushKey(lua_State* L, const Key& key) {
    if (key.kind == kString)
        lua_pushlstring(L, key.text, key.length);
    else if (key.kind == kBoolean)
        lua_pushboolean(L, key.number != 0);
    else
        lua_pushnumber(L, key.number);
}

// Upvalues: the table, its keys in order, how many of them are done.
int pairsStep(lua_State* L) {
    int done = static_cast<int>(lua_tointeger(L, lua_upvalueindex(3)));
    while (true) {
        lua_rawgeti(L, lua_upvalueindex(2), ++done);
        if (lua_isnil(L, -1)) return 1;
        lua_pushvalue(L, -1);
        lua_rawget(L, lua_upvalueindex(1));
        if (!lua_isnil(L, -1)) break;
        lua_pop(L, 2); // removed while the loop ran
    }
    lua_pushinteger(L, done);
    lua_replace(L, lua_upvalueindex(3));
    return 2;
}

int keyError(lua_State* L) {
    return luaL_error(L, "a table with a %s among its keys has no fixed order to walk in",
                      luaL_typename(L, -2));
}

} // namespace

int orderedPairs(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    Sandbox::thaw(L, 1);
    Sandbox& box = Sandbox::of(L);

    const int sequence = sequenceLength(L, 1);
    box.charge(L, sequence);
    std::vector<Key>& keys = box.keyRoom();
    keys.clear();
    lua_pushnil(L);
    while (lua_next(L, 1) != 0) {
        Key key;
        if (!readKey(L, -2, sequence, key)) return keyError(L);
        keys.push_back(key);
        lua_pop(L, 1);
    }
    if (!std::is_sorted(keys.begin(), keys.end(), before)) std::sort(keys.begin(), keys.end(), before);

    const std::size_t count = keys.size();
    lua_createtable(L, static_cast<int>(std::bit_ceil(count)), 0); // a size that no string is taken for
    for (std::size_t i = 0; i < count; ++i) {
        pushKey(L, keys[i]);
        lua_rawseti(L, 2, static_cast<int>(i + 1));
    }
    box.charge(L, static_cast<std::int64_t>(2 * count * std::bit_width(count)));
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, pairsStep, 3);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

int orderedNext(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    Sandbox::thaw(L, 1);
    Sandbox& box = Sandbox::of(L);

    const bool first = lua_isnil(L, 2);
    if (first) {
        lua_rawgeti(L, 1, 1);
        if (!lua_isnil(L, -1)) {
            lua_pushinteger(L, 1);
            lua_insert(L, -2);
            return 2;
        }
        lua_settop(L, 2);
    }
    const int sequence = sequenceLength(L, 1);
    Key after;
    if (!first && !readKey(L, 2, sequence, after)) {
        lua_pushvalue(L, 2);
        lua_pushnil(L);
        return keyError(L);
    }
    Key best;
    bool found = false;
    std::int64_t seen = sequence;
    lua_pushnil(L);
    while (lua_next(L, 1) != 0) {
        Key key;
        if (!readKey(L, -2, sequence, key)) return keyError(L);
        ++seen;
        if ((first || before(after, key)) && (!found || before(key, best))) {
            best = key;
            found = true;
        }
        lua_pop(L, 1);
    }
    box.charge(L, 5 * seen);
    if (!found) {
        lua_pushnil(L);
        return 1;
    }
    pushKey(L, best);
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    return 2;
}

} // namespace lockscope::lua
