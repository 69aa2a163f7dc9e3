// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What of `math` is exact on every machine. Transcendental functions may differ in the last bit between C
// libraries, and math.random would be a source of chance beside the run's own.

#include <cmath>
#include <limits>

#include "core/lua/libraries.h"

namespace lockscope::lua {

namespace {

int mathAbs(lua_State* L) {
    lua_pushnumber(L, std::fabs(luaL_checknumber(L, 1)));
    return 1;
}

int mathCeil(lua_State* L) {
    lua_pushnumber(L, std::ceil(luaL_checknumber(L, 1)));
    return 1;
}

int mathFloor(lua_State* L) {
    lua_pushnumber(L, std::floor(luaL_checknumber(L, 1)));
    return 1;
}

int mathFmod(lua_State* L) {
    lua_pushnumber(L, std::fmod(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
    return 1;
}

int mathModf(lua_State* L) {
    double whole = 0;
    const double fraction = std::modf(luaL_checknumber(L, 1), &whole);
    lua_pushnumber(L, whole);
    lua_pushnumber(L, fraction);
    return 2;
}

int mathSqrt(lua_State* L) {
    lua_pushnumber(L, std::sqrt(luaL_checknumber(L, 1)));
    return 1;
}

int mathMax(lua_State* L) {
    lua_Number most = luaL_checknumber(L, 1);
    for (int i = 2; i <= lua_gettop(L); ++i)
        most = std::fmax(most, luaL_checknumber(L, i));
    lua_pushnumber(L, most);
    return 1;
}

int mathMin(lua_State* L) {
    lua_Number least = luaL_checknumber(L, 1);
    for (int i = 2; i <= lua_gettop(L); ++i)
        least = std::fmin(least, luaL_checknumber(L, i));
    lua_pushnumber(L, least);
    return 1;
}

} // namespace

void addMathLibrary(lua_State* L) {
    static constexpr luaL_Reg kFunctions[] = {{"abs", mathAbs},   {"ceil", mathCeil}, {"floor", mathFloor},
                                              {"fmod", mathFmod}, {"max", mathMax},   {"min", mathMin},
                                              {"modf", mathModf}, {"sqrt", mathSqrt}};
    lua_newtable(L);
    for (const luaL_Reg& function : kFunctions) {
        lua_pushcfunction(L, function.func);
        lua_setfield(L, -2, function.name);
    }
    lua_pushnumber(L, std::numeric_limits<lua_Number>::infinity());
    lua_setfield(L, -2, "huge");
    lua_setfield(L, -2, "math");
}

} // namespace lockscope::lua
