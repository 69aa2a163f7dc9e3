// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include <lua.hpp>

#include "core/base/time.h"
#include "core/redis/reply.h"

namespace lockscope {

/// Everything that a program can do beside Lua itself. Both add to the table on top of the stack.
///
/// enter leave work compute sleep every spawn thread cancel wait storage uuid random now wall log; pcall and
/// xpcall that can be waited in.
void addProgramApi(lua_State* L);
/// redis.call pcall subscribe node sha1hex error_reply status_reply
void addRedisApi(lua_State* L);

/// Pushes what redis.call makes of a reply: Redis' own conversion to Lua (RESP2). An error becomes a table
/// with the text in `err`.
void pushReply(lua_State* L, const redis::Reply& reply);
/// Pushes such an error. `unknown`: the outcome of the command is not known.
void pushRedisError(lua_State* L, std::string_view text, bool unknown);

/// The handle of a task, as spawn() returns it, or of a subscription; see TaskScheduler.
struct TaskHandle {
    const void* scheduler;
    unsigned long long run;
    unsigned task;
};
void pushTaskHandle(lua_State* L, const TaskHandle& handle);

/// The function subscribe() of a node, counted from 0.
void pushSubscribe(lua_State* L, int node);
void pushSubscriptionHandle(lua_State* L, const TaskHandle& handle);
/// Makes known what a subscription can do.
void addSubscriptionType(lua_State* L);

/// A length of time among the arguments: whole milliseconds, not negative, and no longer than a run can be.
Duration checkMillis(lua_State* L, int index);

/// The line of the program from which the function that is running was called; 0 if there is none.
int callLine(lua_State* L);
/// The line at which the innermost function of the program stands, from that level of the stack on.
int programLine(lua_State* L, int depth);

} // namespace lockscope
