// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// `redis` in programs: the calling convention of Redis' own scripts, with a network in between.

#include <string>

#include "core/lua/sandbox.h"
#include "core/redis/sha1.h"
#include "core/world/program_api.h"
#include "core/world/program_runtime.h"
#include "core/world/task_scheduler.h"

namespace lockscope {

namespace {

constexpr char kErrorType[] = "lockscope.redis.error";
constexpr std::int64_t kRoundTripSteps = 20;

using redis::Reply;

int roundTrip(lua_State* L, NodeIndex node, bool raises) {
    lua::Sandbox& box = lua::Sandbox::of(L);
    box.charge(L, kRoundTripSteps);
    ProgramRuntime& runtime = box.owner<ProgramRuntime>();
    const int count = lua_gettop(L);
    const int command = runtime.commands().commandAt(L, 1, count, runtime.running->trace());
    if (command < 0) {
        pushRedisError(L,
                       count == 0 ? "ERR Please specify at least one argument for this redis.call"
                                  : "ERR Lua redis lib command arguments must be strings or integers",
                       false);
        return raises ? lua_error(L) : 1;
    }
    if (!runtime.commands()[static_cast<std::uint32_t>(command)].hasOneReply) {
        const std::string name(runtime.commands()[static_cast<std::uint32_t>(command)].nameText);
        pushRedisError(L,
                       "ERR " + name +
                           " has not one reply, for which redis.call could wait; "
                           "redis.subscribe(channel) listens to a channel",
                       false);
        return raises ? lua_error(L) : 1;
    }
    Operation operation;
    operation.kind = Operation::Kind::Call;
    operation.line = callLine(L);
    operation.node = node;
    operation.command = static_cast<std::uint32_t>(command);
    operation.raises = raises;
    return runtime.running->suspend(L, operation, 0);
}

NodeIndex upvalueNode(lua_State* L) {
    return static_cast<NodeIndex>(lua_tointeger(L, lua_upvalueindex(1)));
}

int redisCall(lua_State* L) {
    return roundTrip(L, 0, true);
}
int redisPcall(lua_State* L) {
    return roundTrip(L, 0, false);
}
int nodeCall(lua_State* L) {
    return roundTrip(L, upvalueNode(L), true);
}
int nodePcall(lua_State* L) {
    return roundTrip(L, upvalueNode(L), false);
}

// Upvalue: the tables of the nodes that were asked for so far.
int redisNode(lua_State* L) {
    const int nodes = ProgramRuntime::runningIn(L).host().nodes();
    const lua_Number number = luaL_checknumber(L, 1);
    if (!(number >= 1 && number <= nodes) || number != static_cast<int>(number))
        return luaL_error(L, "redis.node: there are %d nodes, counted from 1", nodes);
    const int node = static_cast<int>(number);
    lua_rawgeti(L, lua_upvalueindex(1), node);
    if (!lua_isnil(L, -1)) return 1;
    lua_pop(L, 1);
    lua_createtable(L, 0, 3);
    pushSubscribe(L, node - 1);
    lua_setfield(L, -2, "subscribe");
    lua_pushinteger(L, node - 1);
    lua_pushcclosure(L, nodeCall, 1);
    lua_setfield(L, -2, "call");
    lua_pushinteger(L, node - 1);
    lua_pushcclosure(L, nodePcall, 1);
    lua_setfield(L, -2, "pcall");
    lua::Sandbox::freeze(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, lua_upvalueindex(1), node);
    return 1;
}

int redisSha1hex(lua_State* L) {
    std::size_t length = 0;
    const char* text = luaL_checklstring(L, 1, &length);
    lua::Sandbox::of(L).charge(L, static_cast<std::int64_t>(20 + length));
    const std::string digits = redis::sha1Hex({text, length});
    lua_pushlstring(L, digits.data(), digits.size());
    return 1;
}

// Redis 7: a text without a code gets ERR in front, and a leading '-' is dropped.
int redisErrorReply(lua_State* L) {
    std::size_t length = 0;
    const char* text = luaL_checklstring(L, 1, &length);
    std::string_view given{text, length};
    if (given.starts_with('-')) given.remove_prefix(1);
    pushRedisError(
        L, given.find(' ') == std::string_view::npos ? "ERR " + std::string(given) : std::string(given),
        false);
    return 1;
}

int redisStatusReply(lua_State* L) {
    luaL_checkstring(L, 1);
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "ok");
    return 1;
}

int errorText(lua_State* L) {
    lua_pushliteral(L, "err");
    lua_rawget(L, 1);
    return 1;
}

void pushItems(lua_State* L, const Reply& reply) {
    luaL_checkstack(L, 4, "a reply is nested too deep");
    lua_createtable(L, static_cast<int>(reply.items.size()), 0);
    int index = 0;
    for (const Reply& item : reply.items) {
        pushReply(L, item);
        lua_rawseti(L, -2, ++index);
    }
}

} // namespace

void pushRedisError(lua_State* L, std::string_view text, bool unknown) {
    lua_createtable(L, 0, 2);
    lua_pushlstring(L, text.data(), text.size());
    lua_setfield(L, -2, "err");
    if (unknown) {
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, "unknown");
    }
    luaL_getmetatable(L, kErrorType);
    lua_setmetatable(L, -2);
}

void pushReply(lua_State* L, const Reply& reply) {
    switch (reply.type) {
    case Reply::Type::Null:
    case Reply::Type::NullArray:
        lua_pushboolean(L, 0);
        return;
    case Reply::Type::Integer:
        lua_pushnumber(L, static_cast<lua_Number>(reply.integer));
        return;
    case Reply::Type::Status:
        lua_createtable(L, 0, 1);
        lua_pushlstring(L, reply.text.data(), reply.text.size());
        lua_setfield(L, -2, "ok");
        return;
    case Reply::Type::Error:
        return pushRedisError(L, reply.text, false);
    case Reply::Type::Bulk:
        return lua::Sandbox::of(L).pushText(L, reply.text);
    case Reply::Type::Array:
        return pushItems(L, reply);
    default:
        return pushReply(L, redis::foldedForResp2(reply)); // what RESP2 cannot say
    }
}

void addRedisApi(lua_State* L) {
    addSubscriptionType(L);
    lua_createtable(L, 0, 7);
    pushSubscribe(L, 0);
    lua_setfield(L, -2, "subscribe");
    lua_newtable(L);
    lua_pushcclosure(L, redisNode, 1);
    lua_setfield(L, -2, "node");
    static constexpr luaL_Reg kFunctions[] = {{"call", redisCall},
                                              {"pcall", redisPcall},
                                              {"sha1hex", redisSha1hex},
                                              {"error_reply", redisErrorReply},
                                              {"status_reply", redisStatusReply}};
    for (const luaL_Reg& function : kFunctions) {
        lua_pushcfunction(L, function.func);
        lua_setfield(L, -2, function.name);
    }
    lua::Sandbox::freeze(L);
    lua_setfield(L, -2, "redis");

    luaL_newmetatable(L, kErrorType);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushcfunction(L, errorText);
    lua_setfield(L, -2, "__tostring");
    lua_pop(L, 1);
}

} // namespace lockscope
