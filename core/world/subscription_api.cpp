// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// redis.subscribe(channel) in programs, and what it returns: s:receive(timeout) and s:close().

#include "core/lua/sandbox.h"
#include "core/world/program_api.h"
#include "core/world/program_runtime.h"
#include "core/world/task_scheduler.h"

namespace lockscope {

namespace {

constexpr char kSubscriptionType[] = "lockscope.subscription";
constexpr std::int64_t kSubscriptionSteps = 200;
constexpr std::int64_t kReceiveSteps = 20;

unsigned checkSubscription(lua_State* L, const TaskScheduler& scheduler) {
    const auto* handle = static_cast<const TaskHandle*>(luaL_checkudata(L, 1, kSubscriptionType));
    luaL_argcheck(L, scheduler.owns(*handle), 1, "a subscription of another process");
    return handle->task;
}

/// Without a time-out it waits for ever; with 0 it only looks.
int subscriptionReceive(lua_State* L) {
    lua::Sandbox::of(L).charge(L, kReceiveSteps);
    TaskScheduler& scheduler = ProgramRuntime::runningIn(L);
    Operation operation;
    operation.kind = Operation::Kind::Receive;
    operation.subscription = checkSubscription(L, scheduler);
    operation.length = lua_isnoneornil(L, 2) ? kForEver : checkMillis(L, 2);
    operation.line = callLine(L);
    return scheduler.suspend(L, operation, 0);
}

int subscriptionClose(lua_State* L) {
    lua::Sandbox::of(L).charge(L, kReceiveSteps);
    TaskScheduler& scheduler = ProgramRuntime::runningIn(L);
    scheduler.unsubscribe(checkSubscription(L, scheduler));
    return 0;
}

int subscriptionText(lua_State* L) {
    lua_pushliteral(L, "subscription");
    return 1;
}

/// Upvalue: the number of the node.
int subscribe(lua_State* L) {
    lua::Sandbox& box = lua::Sandbox::of(L);
    box.charge(L, kSubscriptionSteps);
    luaL_checkstring(L, 1);
    lua_settop(L, 1);
    lua_pushliteral(L, "SUBSCRIBE");
    lua_insert(L, 1);
    ProgramRuntime& runtime = box.owner<ProgramRuntime>();
    TaskScheduler& scheduler = *runtime.running;
    Operation operation;
    operation.kind = Operation::Kind::Call;
    operation.line = callLine(L);
    operation.node = static_cast<NodeIndex>(lua_tointeger(L, lua_upvalueindex(1)));
    operation.command = static_cast<std::uint32_t>(runtime.commands().commandAt(L, 1, 2, scheduler.trace()));
    operation.raises = true;
    std::size_t length = 0;
    const char* channel = lua_tolstring(L, 2, &length);
    operation.subscription = scheduler.newSubscription(scheduler.shown({channel, length}));
    return scheduler.suspend(L, operation, 0);
}

} // namespace

void pushSubscribe(lua_State* L, int node) {
    lua_pushinteger(L, node);
    lua_pushcclosure(L, subscribe, 1);
}

void pushSubscriptionHandle(lua_State* L, const TaskHandle& handle) {
    *static_cast<TaskHandle*>(lua_newuserdata(L, sizeof(TaskHandle))) = handle;
    luaL_getmetatable(L, kSubscriptionType);
    lua_setmetatable(L, -2);
}

void addSubscriptionType(lua_State* L) {
    luaL_newmetatable(L, kSubscriptionType);
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, subscriptionReceive);
    lua_setfield(L, -2, "receive");
    lua_pushcfunction(L, subscriptionClose);
    lua_setfield(L, -2, "close");
    lua::Sandbox::freeze(L);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushcfunction(L, subscriptionText);
    lua_setfield(L, -2, "__tostring");
    lua_pop(L, 1);
}

} // namespace lockscope
