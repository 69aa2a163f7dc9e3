// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <lua.hpp>

namespace lockscope::lua {

/// Fills the table on top of the stack with everything that programs get from Lua itself. Each adds to that
/// table.
void addLibraries(lua_State* L);
void addBaseFunctions(lua_State* L);
void addStringLibrary(lua_State* L);
void addTableLibrary(lua_State* L);
void addMathLibrary(lua_State* L);
/// What must be able to call back into the program, and therefore is written in Lua: table.sort, string.gsub
/// with a function. Expects the tables `string` and `table` as fields of the table on top, not yet frozen.
void addPrelude(lua_State* L);
/// Pushes a function in Lua that calls its first argument with the others.
void addCaller(lua_State* L);
/// Whether a level of the stack is one of those functions, and so no line of the program. `level` has its
/// current line (lua_getinfo "l").
bool isLibrary(lua_State* L, lua_Debug& level);

/// `pairs` and `next`, in an order that does not depend on addresses or on history.
int orderedPairs(lua_State* L);
int orderedNext(lua_State* L);

/// string.find and its kin.
int stringFind(lua_State* L);
int stringMatch(lua_State* L);
int stringGmatch(lua_State* L);
/// gsub with a string or a table as replacement; the prelude does the rest.
int stringGsubPlain(lua_State* L);
/// matchFrom(s, pattern, init) → first, last, captures…: the first match at or after init, nil if there is
/// none.
int stringMatchFrom(lua_State* L);
int stringFormat(lua_State* L);

/// A table that may be written to; raises otherwise.
void checkWritable(lua_State* L, int index);
/// A string for a value as `tostring` gives it: pushes it. Tables and functions have no address in it.
void pushAsText(lua_State* L, int index);

} // namespace lockscope::lua
