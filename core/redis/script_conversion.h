// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include <lua.hpp>

#include "core/redis/reply.h"

// Between Redis' replies and the values of Lua, in both directions and with Redis' losses: a nil becomes
// false, a false becomes nil, a number loses its fraction, a table ends at its first nil.

namespace lockscope::redis {

/// Pushes what redis.call() gives a script for a reply. `protocol` 2 or 3 decides which types of RESP it can
/// get. An error becomes its table too; raising it is up to the caller.
void pushReply(lua_State* L, const Reply& reply, int protocol);

/// What a script answers by returning the value on top of the stack; the value is popped. Nested tables are
/// read up to a depth and a size that no honest script reaches; beyond, the reply is an error. With protocol
/// 3, booleans stay such.
void popReply(lua_State* L, Reply& reply, int protocol);

/// Pushes the table for an error that has its code in front: {err = "ERR …"}.
void pushErrorTable(lua_State* L, std::string_view text);
/// The text of an error table on top of the stack, as the client gets it.
std::string errorText(lua_State* L);

} // namespace lockscope::redis
