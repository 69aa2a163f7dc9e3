// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script_engine.h"

#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/lua/libraries.h"
#include "core/redis/memory_model.h"
#include "core/redis/numbers.h"
#include "core/redis/script_conversion.h"
#include "core/redis/script_environment.h"
#include "core/redis/script_header.h"
#include "core/redis/server.h"
#include "core/redis/sha1.h"

namespace lockscope::redis {

namespace {

const std::string kChunk = "user_script";
constexpr std::size_t kShaDigits = 40;
// What a reset keeps of earlier lives, and how much garbage may lie about between runs.
constexpr std::size_t kMostKeptScripts = 256;
constexpr std::size_t kCollectAt = 2u << 20;
constexpr std::size_t kRenewAt = 16u << 20;

} // namespace

void ScriptEngine::reset(const lua::Limits& limits, Profile profile) {
    const bool sameServer = limits == m_limits && profile == m_profile;
    m_limits = limits;
    m_profile = profile;
    forgetAll();
    if (m_strained || !sameServer) m_box.reset();
    m_strained = false;
    m_chance = kChanceSeed;
    if (m_scripts.size() <= kMostKeptScripts) return;
    m_byText.clear();
    m_byName.clear();
    m_scripts.clear();
    m_box.reset();
}

const Script* ScriptEngine::peek(std::string_view text) const {
    return m_byText.find(text, hashOf(text, 0));
}

const Script* ScriptEngine::find(std::string_view sha) const {
    if (sha.size() != kShaDigits) return nullptr;
    const std::string name = lowered(sha);
    const Script::Name* found = m_byName.find(name, hashOf(name, 0));
    return found && found->script->loadedIn == m_life ? found->script : nullptr;
}

Script* ScriptEngine::find(std::string_view sha) {
    return const_cast<Script*>(std::as_const(*this).find(sha));
}

Script* ScriptEngine::load(std::string_view text, Reply& reply) {
    const std::uint64_t hash = hashOf(text, 0);
    if (Script* known = m_byText.find(text, hash)) {
        noteLoaded(*known);
        return known;
    }
    const Result<ScriptHeader> header = readScriptHeader(text);
    if (!header) {
        reply.becomeError("ERR " + header.error().message);
        return nullptr;
    }
    Script& script = m_scripts.emplace_back();
    script.key = text;
    script.hash = hash;
    script.program = std::string_view(script.key).substr(header->length);
    script.hasHeader = header->present;
    script.noWrites = header->noWrites;
    script.allowsOom = header->allowsOom;
    if (!compile(script, reply)) {
        m_scripts.pop_back();
        return nullptr;
    }
    script.effects = effectsOf(script.program);
    script.name.key = sha1Hex(text);
    script.name.hash = hashOf(script.name.key, 0);
    script.name.script = &script;
    noteLoaded(script);
    m_byText.insert(script);
    m_byName.insert(script.name);
    return &script;
}

void ScriptEngine::noteLoaded(Script& script) {
    if (std::exchange(script.loadedIn, m_life) != m_life) m_memory += scriptMemory(script.key.size());
}

bool ScriptEngine::couldTakeMemory(std::span<const std::string_view> args) const {
    if (args.size() < 2 || (args[0].front() | 0x20) != 'e') return false;
    const bool byText = equalsIgnoringCase(args[0], "eval") || equalsIgnoringCase(args[0], "eval_ro");
    const bool byName = equalsIgnoringCase(args[0], "evalsha") || equalsIgnoringCase(args[0], "evalsha_ro");
    if (!byText && !byName) return false;
    if (const Script* const script = byText ? peek(args[1]) : find(args[1]))
        return script->hasHeader && !script->noWrites && !script->allowsOom;
    if (byName) return false;
    const Result<ScriptHeader> header = readScriptHeader(args[1]);
    return header && header->present && !header->noWrites && !header->allowsOom;
}

bool ScriptEngine::compile(Script& script, Reply& reply) {
    if (!m_box) renewState();
    m_box->refill();
    const Result<void> compiled = m_box->compile(script.program, kChunk);
    m_strained = m_strained || m_box->strained();
    if (!compiled) {
        reply.becomeError(
            errors::onOneLine(fmt::format("ERR Error compiling script (new function): {}:{}: {}", kChunk,
                                          compiled.error().line, compiled.error().message)));
        if (m_box->exhausted()) renewState();
        return false;
    }
    lua_State* L = m_box->state();
    lua_rawgeti(L, LUA_REGISTRYINDEX, m_environment);
    lua_setfenv(L, -2);
    script.function = luaL_ref(L, LUA_REGISTRYINDEX);
    script.state = m_state;
    return true;
}

void ScriptEngine::renewState() {
    m_box = std::make_unique<lua::Sandbox>(m_limits);
    m_box->setOwner(this);
    ++m_state;
    m_bytesAfterCollection = m_box->bytes();
    std::tie(m_environment, m_globals) = buildScriptEnvironment(*m_box, m_profile);
}

void ScriptEngine::setGlobal(const char* name, std::span<const std::string_view> values) {
    lua_State* L = m_box->state();
    lua_rawgeti(L, LUA_REGISTRYINDEX, m_globals);
    lua_pushstring(L, name);
    lua_createtable(L, static_cast<int>(values.size()), 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        lua_pushlstring(L, values[i].data(), values[i].size());
        lua_rawseti(L, -2, static_cast<int>(i + 1));
    }
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

void ScriptEngine::run(Call& call, Script& script, const Arguments& arguments, bool readOnly) {
    if (script.hasHeader && readOnly && !script.noWrites)
        return call.reply.becomeError("ERR Can not execute a script with write flag using *_ro command.");
    // A script that says what it does is refused before it begins.
    const bool declaresWrites = script.hasHeader && !script.noWrites;
    if (const std::string_view refusal = declaresWrites ? call.server.writesRefused() : std::string_view();
        !refusal.empty())
        return call.reply.becomeError(refusal);
    if ((!m_box || script.state != m_state) && !compile(script, call.reply)) return;

    m_client.database = call.client.database;
    m_client.state = call.client.state & kNoTouch;
    m_client.protocol = Protocol::Resp2;
    m_rights = {!readOnly && !script.noWrites, script.allowsOom, false};
    m_protocol = 2;
    m_failedLine = 0;
    lua_State* L = m_box->state();
    setGlobal("KEYS", arguments.keys);
    setGlobal("ARGV", arguments.values);
    m_box->refill();
    lua_pushcfunction(L, ScriptApi::notePosition);
    lua_rawgeti(L, LUA_REGISTRYINDEX, script.function);
    int status = 0;
    {
        const lua::Sandbox::Running running(*m_box, L);
        status = lua_pcall(L, 0, 1, -2);
    }
    m_strained = m_strained || m_box->strained();
    // Nothing can wait within a transaction, so there a script that does not end ends with an error.
    const bool endless = m_box->exhausted() && m_box->left() < 0 && !call.client.is(kExecuting);
    if (status == 0)
        popReply(L, call.reply, m_protocol);
    else
        answerFailure(call.reply, script, status);
    lua_settop(L, 0);
    if (endless) {
        call.reply.become(Reply::Type::None);
        call.server.standstill().beginEndless(
            call.client, "ERR Script killed by user with SCRIPT KILL..." + position(script),
            m_rights.hasWritten);
    }

    if (m_box->exhausted()) {
        m_box.reset();
    } else if (m_box->bytes() > m_bytesAfterCollection + kCollectAt) {
        m_box->collect();
        m_bytesAfterCollection = m_box->bytes();
        if (m_box->bytes() > kRenewAt) m_box.reset();
    }
}

std::string ScriptEngine::position(const Script& script) const {
    if (m_failedLine <= 0) return {};
    return fmt::format(" script: {}, on @{}:{}.", script.name.key, kChunk, m_failedLine);
}

/// The error value on top of the stack, as Redis tells it to the client.
void ScriptEngine::answerFailure(Reply& reply, const Script& script, int status) {
    lua_State* L = m_box->state();
    std::string text;
    if (status == LUA_ERRMEM) { // raised where nothing more could be noted
        text = "ERR stopped: " + m_box->exhaustion();
    } else if (lua_istable(L, -1)) {
        text = errorText(L);
    } else {
        lua::pushAsText(L, -1);
        std::size_t length = 0;
        const char* message = lua_tolstring(L, -1, &length);
        text = "ERR " + std::string(message, length);
    }
    text += position(script);
    reply.becomeError(errors::onOneLine(text));
}

} // namespace lockscope::redis
