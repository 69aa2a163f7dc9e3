// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lua/sandbox.h"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <utility>

#include <locale.h>

#include "core/base/assert.h"
#include "core/lua/libraries.h"

namespace lockscope::lua {

namespace {

// Keys of the registry; only the addresses count.
char kBaseKey;
char kMetatablesKey;
char kFrozenMark;
char kCallerKey;

locale_t cLocale() {
    static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
    return locale;
}

int refuseWrite(lua_State* L) {
    return luaL_error(L, "Attempt to modify a readonly table");
}

// Gives a text out as that many line ends and then itself, so that Lua counts lines as the file does.
struct Reader {
    std::string_view source;
    int lineEnds;
    static const char* next(lua_State*, void* self, std::size_t* size) {
        static const std::string ends(256, '\n');
        Reader& reader = *static_cast<Reader*>(self);
        if (reader.lineEnds > 0) {
            const int n = std::min(reader.lineEnds, static_cast<int>(ends.size()));
            reader.lineEnds -= n;
            *size = static_cast<std::size_t>(n);
            return ends.data();
        }
        *size = reader.source.size();
        return *size == 0 ? nullptr : std::exchange(reader.source, {}).data();
    }
};

} // namespace

CLocale::CLocale() : m_outer(uselocale(cLocale())) {}
CLocale::~CLocale() {
    uselocale(static_cast<locale_t>(m_outer));
}

Sandbox::Sandbox(Limits limits) : m_limits(limits) {
    m_main = lua_newstate(&Sandbox::allocate, this);
    LOCKSCOPE_ASSERT(m_main != nullptr);
    lua_State* L = m_main;
    lua_gc(L, LUA_GCSTOP, 0);

    lua_pushlightuserdata(L, &kMetatablesKey);
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX);

    lua_pushlightuserdata(L, &kBaseKey);
    lua_newtable(L);
    addLibraries(L);

    lua_pushlightuserdata(L, &kCallerKey);
    addCaller(L);
    lua_rawset(L, LUA_REGISTRYINDEX);

    lua_rawset(L, LUA_REGISTRYINDEX);

    refill();
    hookAgain(L);
}

Sandbox::~Sandbox() {
    lua_close(m_main);
}

Sandbox& Sandbox::of(lua_State* L) {
    void* box = nullptr;
    lua_getallocf(L, &box);
    return *static_cast<Sandbox*>(box);
}

void Sandbox::pushBase(lua_State* L) const {
    lua_pushlightuserdata(L, &kBaseKey);
    lua_rawget(L, LUA_REGISTRYINDEX);
}

void Sandbox::freeze(lua_State* L) {
    lua_newtable(L);
    lua_createtable(L, 0, 4);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuseWrite);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    // Where the real table is, for the functions that go round metatables: pairs() reads through it.
    lua_pushlightuserdata(L, &kFrozenMark);
    lua_pushvalue(L, -4);
    lua_rawset(L, -3);
    lua_setmetatable(L, -2);
    lua_replace(L, -2);
}

bool Sandbox::isFrozen(lua_State* L, int index) {
    if (lua_getmetatable(L, index) == 0) return false;
    lua_pushlightuserdata(L, &kFrozenMark);
    lua_rawget(L, -2);
    const bool frozen = !lua_isnil(L, -1);
    lua_pop(L, 2);
    return frozen;
}

void Sandbox::thaw(lua_State* L, int index) {
    if (lua_getmetatable(L, index) == 0) return;
    lua_pushlightuserdata(L, &kFrozenMark);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    if (lua_isnil(L, -1))
        lua_pop(L, 1);
    else
        lua_replace(L, index);
}

Result<void> Sandbox::compile(std::string_view source, const std::string& chunk, int firstLine) {
    if (!source.empty() && source.front() == LUA_SIGNATURE[0])
        return Error{"bytecode is not accepted: a program is text", chunk, firstLine};
    Reader reader{source, firstLine - 1};
    const std::size_t longest = m_longest;
    const int interval = m_interval;
    int status = 0;
    {
        const CLocale locale;
        const Running running(*this, m_main);
        status = lua_load(m_main, &Reader::next, &reader, ("=" + chunk).c_str());
    }
    m_longest = longest; // what the compiler needed is not the run's
    m_interval = interval;
    if (status == 0) return {};

    // "chunk:line: message"; Lua cuts long chunk names, so the position is taken off by its shape.
    std::size_t length = 0;
    const char* raw = lua_tolstring(m_main, -1, &length);
    std::string text(raw == nullptr ? "" : raw, length);
    lua_pop(m_main, 1);
    int line = firstLine;
    const std::string shown = chunk.substr(0, LUA_IDSIZE - 1);
    if (text.starts_with(shown + ":")) {
        std::size_t at = shown.size() + 1;
        int number = 0;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9')
            number = number * 10 + (text[at++] - '0');
        if (text.compare(at, 2, ": ") == 0) {
            line = number;
            text.erase(0, at + 2);
        }
    }
    return Error{std::move(text), chunk, line};
}

int Sandbox::call(int arguments, int results) {
    const CLocale locale;
    const Running running(*this, m_main);
    return lua_pcall(m_main, arguments, results, 0);
}

void Sandbox::collect() {
    collectOn(m_main);
}

void Sandbox::collectOn(lua_State* L) {
    stripWeakModes(L);
    lua_gc(L, LUA_GCCOLLECT, 0);
    lua_gc(L, LUA_GCSTOP, 0); // a full collection switches the automatic one on again
    ++m_allCollections;
}

void Sandbox::watchMetatable(lua_State* L, int index) {
    lua_pushvalue(L, index);
    lua_pushlightuserdata(L, &kMetatablesKey);
    lua_rawget(L, LUA_REGISTRYINDEX);
    lua_insert(L, -2);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

void Sandbox::stripWeakModes(lua_State* L) {
    // A weak table would show when garbage is collected. setmetatable refuses a __mode; one that was added
    // afterwards is taken out before the collector could see it.
    lua_pushlightuserdata(L, &kMetatablesKey);
    lua_rawget(L, LUA_REGISTRYINDEX);
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
        lua_pop(L, 1);
        lua_pushliteral(L, "__mode");
        lua_rawget(L, -2);
        const bool weak = !lua_isnil(L, -1);
        lua_pop(L, 1);
        if (!weak) continue;
        lua_pushliteral(L, "__mode");
        lua_pushnil(L);
        lua_rawset(L, -3);
    }
    lua_pop(L, 1);
}

void Sandbox::pushText(lua_State* L, std::string_view text) {
    noteLength(text.size());
    lua_pushlstring(L, text.data(), text.size());
}

void Sandbox::pushCaller(lua_State* L) const {
    lua_pushlightuserdata(L, &kCallerKey);
    lua_rawget(L, LUA_REGISTRYINDEX);
}

} // namespace lockscope::lua
