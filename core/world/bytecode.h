// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <lua.hpp>

namespace lockscope {

/// Whether the function on top of the stack can change nothing by itself: its instructions read variables and
/// fields, compute, compare and jump forwards, and at most one of them calls something. What that call does
/// is not looked into. False for functions in C.
///
/// It rests on nobody having given a value a metatable: then reading a field could call a function too.
bool readsAndCallsOnce(lua_State* L);

} // namespace lockscope
