// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lua/sandbox.h"
#include "core/redis/call.h"
#include "core/redis/hash_table.h"
#include "core/redis/ownership.h"

namespace lockscope::redis {

class Server;

/// What a script that runs may do, and whether it has done it.
struct ScriptRights {
    bool mayWrite = true;
    bool mayTakeMemory = false; ///< even from a server that is over its limit: allow-oom
    bool hasWritten = false;
};

/// A script that was seen, whether or not EVALSHA may find it just now.
struct Script {
    /// Its SHA-1, under which the table of names knows it.
    struct Name {
        std::string key;
        std::uint64_t hash = 0;
        Script* script = nullptr;
        Name* next = nullptr;
    };

    std::string key; ///< its text
    std::uint64_t hash = 0;
    Script* next = nullptr;
    Name name;

    std::string_view program; ///< the part of the text that is Lua: all but a shebang's first line
    bool hasHeader = false;   ///< begins with #!lua, and so declares what it does
    bool noWrites = false;    ///< declared so
    bool allowsOom = false;   ///< declared so
    ScriptEffects effects;
    int function = LUA_NOREF; ///< compiled, in the Lua state number `state`
    std::uint32_t state = 0;
    std::uint32_t loadedIn = 0; ///< the life of the script cache in which it was loaded
};

/// EVAL and its kin: the script cache and the Lua state in which scripts run, with Redis' environment around
/// them.
///
/// Invariants:
///  1. No script leaves anything behind that a later one could see, except in the keyspace.
///  2. A script that overran its budget ends with an error; what it wrote before stays. The Lua state is new
///  after it.
///  3. What the cache answers does not depend on what was compiled in an earlier life of the store.
class ScriptEngine {
public:
    explicit ScriptEngine(Server& server) : m_server(server) {}

    /// An empty cache. Compiled scripts are kept aside while they are few.
    void reset(const lua::Limits& limits, Profile profile);

    /// The loaded script of this name, in any case of its digits; null if there is none.
    Script* find(std::string_view sha);
    const Script* find(std::string_view sha) const;
    /// Loads the script, if it is not. Null (and the reply is the error) if it cannot be compiled.
    Script* load(std::string_view text, Reply& reply);
    /// SCRIPT FLUSH.
    void forgetAll() {
        ++m_life;
        m_memory = 0;
    }

    struct Arguments {
        std::span<const std::string_view> keys;
        std::span<const std::string_view> values;
    };
    void run(Call& call, Script& script, const Arguments& arguments, bool readOnly);

    /// What a script that is not known yet would do, without loading it.
    const Script* peek(std::string_view text) const;

    /// Whether a full server must refuse this EVAL or EVALSHA: its script has a header, which does not say
    /// that it writes nothing or may run all the same. One without a header is let in, and its commands are
    /// judged.
    bool couldTakeMemory(std::span<const std::string_view> args) const;
    /// What the cache takes in a redis-server.
    std::size_t memory() const { return m_memory; }

    /// A script used so much since reset() that an earlier life could have influenced where it ended.
    bool strained() const { return m_strained; }

private:
    friend struct ScriptApi; // script_environment.cpp: the functions that scripts call

    void renewState();
    bool compile(Script& script, Reply& reply);
    void noteLoaded(Script& script);
    void setGlobal(const char* name, std::span<const std::string_view> values);
    std::string position(const Script& script) const;
    void answerFailure(Reply& reply, const Script& script, int status);

    Server& m_server;
    lua::Limits m_limits;
    Profile m_profile = Profile::Redis70;
    std::unique_ptr<lua::Sandbox> m_box; // made for the first script
    std::uint32_t m_state = 0;           // counts Lua states
    std::size_t m_bytesAfterCollection = 0;
    int m_environment = LUA_NOREF; // what scripts see: reads from m_globals, cannot be written to
    int m_globals = LUA_NOREF;

    HashTable<Script, &Script::next> m_byText;
    HashTable<Script::Name, &Script::Name::next> m_byName;
    std::deque<Script> m_scripts;
    std::uint32_t m_life = 1;
    std::size_t m_memory = 0; // of the scripts that are loaded in this life
    bool m_strained = false;

    // Of the script that runs.
    Client m_client;
    ScriptRights m_rights;
    int m_protocol = 2;         // which of RESP's types redis.call() gives: setresp()
    int m_failedLine = 0;       // where an error was raised
    std::uint64_t m_chance = 0; // of math.random
    Reply m_inner;              // of the commands that it calls
    std::vector<std::string_view> m_args;
    std::vector<std::array<char, 32>> m_numbers; // arguments that are numbers, as text
};

} // namespace lockscope::redis
