// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script_environment.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/redis/command_table.h"
#include "core/redis/script_conversion.h"
#include "core/redis/script_engine.h"
#include "core/redis/script_libraries.h"
#include "core/redis/server.h"
#include "core/redis/sha1.h"

// What a script finds around it, after redis-server 7.0.15. Left out, because a bounded and deterministic
// sandbox cannot have it: coroutine, load, loadstring, collectgarbage, gcinfo, rawset, string.dump, and the
// functions of math that differ in their last digit between machines. Not there: cmsgpack,
// struct, and the functions that set up cjson.

namespace lockscope::redis {

namespace {

constexpr std::int64_t kCallSteps = 100;  // what a command costs at least
constexpr std::size_t kBytesPerStep = 16; // of arguments and replies
constexpr std::int64_t kProtectedSteps = 50;
constexpr std::int64_t kCaughtSteps = 500;

ScriptEngine& engineOf(lua_State* L) {
    return lua::Sandbox::of(L).owner<ScriptEngine>();
}

/// Raises an error with its code and without a position in its text: what Redis' own functions raise.
[[noreturn]] void raise(lua_State* L, std::string_view text) {
    pushErrorTable(L, text);
    lua_error(L);
    std::abort(); // lua_error does not return
}

/// "-CODE text" and "CODE text" keep their code; a single word gets ERR in front.
std::string withCode(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return text.find(' ') == std::string_view::npos ? "ERR " + std::string(text) : std::string(text);
}

std::string_view stringAt(lua_State* L, int index) {
    std::size_t length = 0;
    const char* text = lua_tolstring(L, index, &length);
    return {text, length};
}

/// The one string argument of error_reply() and status_reply(). False, with an error table pushed, for
/// anything else.
bool takesOneString(lua_State* L) {
    if (lua_gettop(L) == 1 && lua_type(L, 1) == LUA_TSTRING) return true;
    pushErrorTable(L, "ERR wrong number or type of arguments");
    return false;
}

/// Sets the fields of the table at `from` in the table at `to`.
void copyFields(lua_State* L, int from, int to) {
    lua_pushnil(L);
    while (lua_next(L, from) != 0) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, to);
    }
}

void setFunction(lua_State* L, const char* name, lua_CFunction function) {
    lua_pushcfunction(L, function);
    lua_setfield(L, -2, name);
}

void setNumber(lua_State* L, const char* name, int number) {
    lua_pushinteger(L, number);
    lua_setfield(L, -2, name);
}

void setText(lua_State* L, const char* name, std::string_view text) {
    lua_pushlstring(L, text.data(), text.size());
    lua_setfield(L, -2, name);
}

void pushRedisTable(lua_State* L, const ProfileFacts& facts) {
    lua_newtable(L);
    setFunction(L, "call", ScriptApi::call);
    setFunction(L, "pcall", ScriptApi::protectedCall);
    setFunction(L, "error_reply", ScriptApi::errorReply);
    setFunction(L, "status_reply", ScriptApi::statusReply);
    setFunction(L, "sha1hex", ScriptApi::sha1);
    setFunction(L, "log", ScriptApi::log);
    setFunction(L, "setresp", ScriptApi::setProtocol);
    setFunction(L, "set_repl", ScriptApi::setReplication);
    setFunction(L, "replicate_commands", ScriptApi::replicateCommands);
    setFunction(L, "breakpoint", ScriptApi::breakpoint);
    setFunction(L, "debug", ScriptApi::debug);
    setFunction(L, "acl_check_cmd", ScriptApi::checkCommand);
    setNumber(L, "LOG_DEBUG", 0);
    setNumber(L, "LOG_VERBOSE", 1);
    setNumber(L, "LOG_NOTICE", 2);
    setNumber(L, "LOG_WARNING", 3);
    setNumber(L, "REPL_NONE", 0);
    setNumber(L, "REPL_AOF", 1);
    setNumber(L, "REPL_SLAVE", 2);
    setNumber(L, "REPL_REPLICA", 2);
    setNumber(L, "REPL_ALL", 3);
    setText(L, "REDIS_VERSION", facts.redisVersion);
    setNumber(L, "REDIS_VERSION_NUM", Version::of(facts.redisVersion).number());
    if (facts.product == Product::Valkey) {
        setText(L, "SERVER_NAME", "valkey");
        setText(L, "SERVER_VERSION", facts.version);
        setNumber(L, "SERVER_VERSION_NUM", Version::of(facts.version).number());
    }
    lua::Sandbox::freeze(L);
}

/// Redis' math.random in place of whatever the library of `globals` (on top) has.
void replaceRandom(lua_State* L) {
    const int globals = lua_gettop(L);
    lua_getfield(L, globals, "math");
    lua::Sandbox::thaw(L, globals + 1);
    lua_newtable(L);
    copyFields(L, globals + 1, globals + 2);
    setFunction(L, "random", ScriptApi::random);
    setFunction(L, "randomseed", ScriptApi::seedRandom);
    lua::Sandbox::freeze(L);
    lua_setfield(L, globals, "math");
    lua_settop(L, globals);
}

} // namespace

std::pair<int, int> buildScriptEnvironment(lua::Sandbox& box, Profile profile) {
    lua_State* L = box.state();
    lua_newtable(L);
    const int globals = lua_gettop(L);
    box.pushBase(L);
    copyFields(L, globals + 1, globals);
    lua_settop(L, globals);
    replaceRandom(L);
    setFunction(L, "pcall", ScriptApi::pcall);
    pushRedisTable(L, factsOf(profile));
    if (factsOf(profile).product == Product::Valkey) { // the same by another name
        lua_pushvalue(L, -1);
        lua_setfield(L, globals, "server");
    }
    lua_setfield(L, globals, "redis");
    pushJsonLibrary(L);
    lua_setfield(L, globals, "cjson");
    pushBitLibrary(L);
    lua_setfield(L, globals, "bit");

    lua_createtable(L, 0, 1);
    setFunction(L, "__index", ScriptApi::missingGlobal);
    lua_setmetatable(L, globals);

    lua_pushvalue(L, globals);
    lua::Sandbox::freeze(L);
    lua_pushliteral(L, "_G");
    lua_pushvalue(L, -2);
    lua_rawset(L, globals);
    const int environment = luaL_ref(L, LUA_REGISTRYINDEX);
    return {environment, luaL_ref(L, LUA_REGISTRYINDEX)};
}

int ScriptApi::notePosition(lua_State* L) {
    lua_Debug at;
    if (lua_getstack(L, 1, &at) != 0 && lua_getinfo(L, "Sl", &at) != 0) {
        const bool inC = std::string_view(at.what) == "C";
        if (inC && (lua_getstack(L, 2, &at) == 0 || lua_getinfo(L, "Sl", &at) == 0)) return 1;
        engineOf(L).m_failedLine = at.currentline;
    }
    return 1;
}

/// Runs the command that the arguments make and pushes its reply. True if that is an error.
bool ScriptApi::callRedis(lua_State* L) {
    ScriptEngine& engine = engineOf(L);
    const int count = lua_gettop(L);
    if (count == 0) {
        pushErrorTable(L, "ERR Please specify at least one argument for this redis lib call");
        return true;
    }
    engine.m_args.clear();
    engine.m_numbers.resize(std::max(engine.m_numbers.size(), static_cast<std::size_t>(count)));
    std::size_t bytes = 0;
    for (int i = 1; i <= count; ++i) {
        if (lua_type(L, i) == LUA_TNUMBER) {
            auto& digits = engine.m_numbers[static_cast<std::size_t>(i - 1)];
            const auto end =
                fmt::format_to_n(digits.data(), digits.size(), "{:.17g}", lua_tonumber(L, i)).out;
            engine.m_args.emplace_back(digits.data(), static_cast<std::size_t>(end - digits.data()));
        } else if (lua_type(L, i) == LUA_TSTRING) {
            engine.m_args.push_back(stringAt(L, i));
        } else {
            pushErrorTable(L, "ERR Lua redis lib command arguments must be strings or integers");
            return true;
        }
        bytes += engine.m_args.back().size();
    }
    lua::Sandbox& box = lua::Sandbox::of(L);
    const std::uint64_t effortBefore = engine.m_server.keyspace().effort();
    box.charge(L, kCallSteps + static_cast<std::int64_t>(bytes / kBytesPerStep));
    engine.m_server.executeFromScript(engine.m_client, engine.m_args, engine.m_rights, engine.m_inner);
    box.charge(L, static_cast<std::int64_t>(engine.m_server.keyspace().effort() - effortBefore));
    pushReply(L, engine.m_inner, engine.m_protocol);
    return engine.m_inner.isError();
}

int ScriptApi::call(lua_State* L) {
    return callRedis(L) ? lua_error(L) : 1;
}

int ScriptApi::protectedCall(lua_State* L) {
    callRedis(L);
    return 1;
}

int ScriptApi::errorReply(lua_State* L) {
    if (takesOneString(L)) pushErrorTable(L, withCode(stringAt(L, 1)));
    return 1;
}

int ScriptApi::statusReply(lua_State* L) {
    if (!takesOneString(L)) return 1;
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "ok");
    return 1;
}

int ScriptApi::sha1(lua_State* L) {
    if (lua_gettop(L) != 1) raise(L, "ERR wrong number of arguments");
    const std::string_view text = lua_isstring(L, 1) != 0 ? stringAt(L, 1) : std::string_view();
    lua::Sandbox::of(L).charge(L, static_cast<std::int64_t>(text.size() / kBytesPerStep));
    const std::string hex = sha1Hex(text);
    lua_pushlstring(L, hex.data(), hex.size());
    return 1;
}

/// Checks what it is given. There is no log file to write to.
int ScriptApi::log(lua_State* L) {
    if (lua_gettop(L) < 2) raise(L, "ERR redis.log() requires two arguments or more.");
    if (lua_isnumber(L, 1) == 0) raise(L, "ERR First argument must be a number (log level).");
    const auto level = lua_tonumber(L, 1);
    if (level < 0 || level > 3) raise(L, "ERR Invalid debug level.");
    return 0;
}

int ScriptApi::setProtocol(lua_State* L) {
    if (lua_gettop(L) != 1) raise(L, "ERR redis.setresp() requires one argument.");
    const auto version = lua_tonumber(L, 1);
    if (version != 2 && version != 3) raise(L, "ERR RESP version must be 2 or 3.");
    engineOf(L).m_protocol = static_cast<int>(version);
    engineOf(L).m_client.protocol = version == 3 ? Protocol::Resp3 : Protocol::Resp2;
    return 0;
}

/// Checks what it is given. Nothing is replicated.
int ScriptApi::setReplication(lua_State* L) {
    if (lua_gettop(L) != 1) raise(L, "ERR redis.set_repl() requires two arguments.");
    const auto flags = lua_tonumber(L, 1);
    if (flags != 0 && flags != 1 && flags != 2 && flags != 3)
        raise(L, "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
    return 0;
}

int ScriptApi::replicateCommands(lua_State* L) {
    lua_pushboolean(L, 1);
    return 1;
}

/// False: no debugger is attached.
int ScriptApi::breakpoint(lua_State* L) {
    lua_pushboolean(L, 0);
    return 1;
}

int ScriptApi::debug(lua_State*) {
    return 0;
}

/// Every user may call every command.
int ScriptApi::checkCommand(lua_State* L) {
    const int count = lua_gettop(L);
    if (count == 0) raise(L, "ERR Please specify at least one argument for this redis lib call");
    std::array<std::string_view, 2> name;
    for (int i = 1; i <= count; ++i) {
        if (lua_isstring(L, i) == 0)
            raise(L, "ERR Lua redis lib command arguments must be strings or integers");
        if (i <= 2) name[static_cast<std::size_t>(i - 1)] = stringAt(L, i);
    }
    const Command* command =
        engineOf(L).m_server.known({name.data(), static_cast<std::size_t>(std::min(count, 2))});
    if (!command) raise(L, "ERR Invalid command passed to redis.acl_check_cmd()");
    lua_pushboolean(L, 1);
    return 1;
}

/// Lua's, but an error table of Redis comes out as its text.
int ScriptApi::pcall(lua_State* L) {
    luaL_checkany(L, 1);
    lua::Sandbox& box = lua::Sandbox::of(L);
    box.charge(L, kProtectedSteps);
    const bool failed = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0) != 0;
    if (failed) {
        if (box.exhausted()) box.overrun(L);
        box.charge(L, kCaughtSteps);
        if (lua_istable(L, -1)) {
            lua_getfield(L, -1, "err");
            if (lua_isstring(L, -1) != 0)
                lua_replace(L, -2);
            else
                lua_pop(L, 1);
        }
    }
    lua_pushboolean(L, failed ? 0 : 1);
    lua_insert(L, 1);
    return lua_gettop(L);
}

/// Redis' own generator, which is drand48 with its usual beginning: the same numbers after every start.
int ScriptApi::random(lua_State* L) {
    std::uint64_t& state = engineOf(L).m_chance;
    state = (state * 0x5DEECE66Dull + 0xB) & 0xFFFF'FFFF'FFFFull;
    constexpr std::int64_t kMost = 0x7FFFFFFF;
    const auto drawn = static_cast<std::int64_t>(state >> 17);
    const double part = static_cast<double>(drawn % kMost) / static_cast<double>(kMost);
    const int count = lua_gettop(L);
    if (count > 2) return luaL_error(L, "wrong number of arguments");
    if (count == 0) {
        lua_pushnumber(L, part);
        return 1;
    }
    const int low = count == 1 ? 1 : luaL_checkint(L, 1);
    const int high = luaL_checkint(L, count);
    luaL_argcheck(L, low <= high, count, "interval is empty");
    const double width = static_cast<double>(high) - low + 1;
    lua_pushnumber(L, static_cast<double>(static_cast<std::int64_t>(part * width)) + low);
    return 1;
}

int ScriptApi::seedRandom(lua_State* L) {
    const auto seed = static_cast<std::uint32_t>(luaL_checkint(L, 1));
    engineOf(L).m_chance = static_cast<std::uint64_t>(seed) << 16 | 0x330E;
    return 0;
}

int ScriptApi::missingGlobal(lua_State* L) {
    // 1: the table, 2: the name
    const char* name = lua_tostring(L, 2);
    return luaL_error(L, "Script attempted to access nonexistent global variable '%s'", name ? name : "?");
}

} // namespace lockscope::redis
