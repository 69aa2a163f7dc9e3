// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/lua/sandbox.h"

namespace lockscope::test {

/// What a script came to: its first result as text, or its error.
struct Outcome {
    bool ok = false;
    std::string text;
};

/// Runs a script as the chunk "script" in an environment of its own.
inline Outcome runScript(lua::Sandbox& box, std::string_view source) {
    lua_State* L = box.state();
    lua_settop(L, 0);
    box.refill();
    const Result<void> compiled = box.compile(source, "script");
    if (!compiled.ok()) return {false, compiled.error().text()};
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    box.pushBase(L);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setfenv(L, -2);
    Outcome outcome;
    outcome.ok = box.call(0, 1) == 0;
    if (lua_isboolean(L, -1))
        outcome.text = lua_toboolean(L, -1) != 0 ? "true" : "false";
    else if (const char* text = lua_tostring(L, -1))
        outcome.text = text;
    else
        outcome.text = luaL_typename(L, -1);
    lua_settop(L, 0);
    return outcome;
}

} // namespace lockscope::test
