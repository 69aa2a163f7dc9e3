// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <utility>

#include <lua.hpp>

#include "core/lua/sandbox.h"
#include "core/redis/profile.h"

namespace lockscope::redis {

/// Where math.random begins after a start of the server.
inline constexpr std::uint64_t kChanceSeed = 0x1234ABCD330E;

/// Builds what scripts see in a new sandbox: Lua's libraries, `redis`, Redis' own pcall, and globals that can
/// neither be made nor be read unless they are there. Returns two references in the registry: the environment
/// for setfenv, and the table behind it, into which KEYS and ARGV are put. The sandbox's owner is a
/// ScriptEngine.
std::pair<int, int> buildScriptEnvironment(lua::Sandbox& box, Profile profile);

/// The functions that scripts call, and the one that notes where an error was raised.
struct ScriptApi {
    static int notePosition(lua_State* L);

    static int call(lua_State* L);
    static int protectedCall(lua_State* L); ///< redis.pcall
    static int errorReply(lua_State* L);
    static int statusReply(lua_State* L);
    static int sha1(lua_State* L);
    static int log(lua_State* L);
    static int setProtocol(lua_State* L);
    static int setReplication(lua_State* L);
    static int replicateCommands(lua_State* L);
    static int breakpoint(lua_State* L);
    static int debug(lua_State* L);
    static int checkCommand(lua_State* L);

    static int pcall(lua_State* L);
    static int random(lua_State* L);
    static int seedRandom(lua_State* L);
    static int missingGlobal(lua_State* L);

private:
    static bool callRedis(lua_State* L);
};

} // namespace lockscope::redis
