// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Functions that call back into the program. In stock Lua 5.1 nobody can yield across a function in C, so a
// comparison that waits for a reply, or a replacement that does, would fail. Written in Lua they can. What
// they do is counted by the hook like any other instruction.

#include <cstring>
#include <string>

#include "core/base/assert.h"
#include "core/lua/libraries.h"

namespace lockscope::lua {

namespace {

constexpr char kChunk[] = "=(library)";

// The lines of the library are counted from here on, beyond those of most programs: see isLibrary().
constexpr int kFirstLine = 4000;

constexpr char kPrelude[] = R"lua(
local type, error, checkWritable, matchFrom, plainGsub, sub, concat = ...

-- A merge sort: it ends after n log n comparisons whatever the comparison says, and equal elements keep their order.
local function sort(list, less)
    checkWritable(list)
    if less ~= nil and type(less) ~= "function" then
        error("bad argument #2 to 'sort' (function expected, got " .. type(less) .. ")", 2)
    end
    less = less or function(a, b) return a < b end
    local n = #list
    local from, to = {}, {}
    for i = 1, n do from[i] = list[i] end
    local width = 1
    while width < n do
        for left = 1, n, 2 * width do
            local middle = left + width
            if middle > n + 1 then middle = n + 1 end
            local right = left + 2 * width
            if right > n + 1 then right = n + 1 end
            local i, j = left, middle
            for k = left, right - 1 do
                if i < middle and (j >= right or not less(from[j], from[i])) then
                    to[k] = from[i]
                    i = i + 1
                else
                    to[k] = from[j]
                    j = j + 1
                end
            end
        end
        from, to = to, from
        width = 2 * width
    end
    for i = 1, n do list[i] = from[i] end
end

local function gsub(text, pattern, by, most)
    if type(by) ~= "function" then return plainGsub(text, pattern, by, most) end
    text, pattern = sub(text, 1), sub(pattern, 1) -- numbers become strings
    local pieces, n, at, count = {}, 0, 1, 0
    local anchored = sub(pattern, 1, 1) == "^"
    local function put(piece)
        n = n + 1
        pieces[n] = piece
    end
    -- Takes one match; true if there may be another.
    local function take(first, last, ...)
        if not first then return false end
        put(sub(text, at, first - 1))
        count = count + 1
        local value = by(...)
        if not value then
            put(sub(text, first, last))
        elseif type(value) == "string" or type(value) == "number" then
            put(value)
        else
            error("invalid replacement value (a " .. type(value) .. ")", 3)
        end
        if last >= first then
            at = last + 1
        else -- an empty match: one character is passed over
            put(sub(text, first, first))
            at = first + 1
        end
        return not anchored
    end
    while (not most or count < most) and at <= #text + 1 and take(matchFrom(text, pattern, at)) do end
    put(sub(text, at))
    return concat(pieces), count
end

return sort, gsub
)lua";

int checkWritableFirst(lua_State* L) {
    checkWritable(L, 1);
    return 0;
}

} // namespace

bool isLibrary(lua_State* L, lua_Debug& level) {
    // Asking for the source takes three times as long as asking for the line, and most programs are short.
    if (level.currentline <= kFirstLine) return false;
    lua_getinfo(L, "S", &level);
    return std::strcmp(level.source, kChunk) == 0;
}

void addCaller(lua_State* L) {
    const std::string source =
        std::string(kFirstLine, '\n') + "return function(call, ...) return call(...) end";
    const bool failed =
        luaL_loadbuffer(L, source.data(), source.size(), kChunk) != 0 || lua_pcall(L, 0, 1, 0) != 0;
    LOCKSCOPE_ASSERT(!failed);
}

void addPrelude(lua_State* L) {
    const int base = lua_gettop(L);
    const std::string text = std::string(kFirstLine, '\n') + kPrelude;
    const int loaded = luaL_loadbuffer(L, text.data(), text.size(), kChunk);
    LOCKSCOPE_ASSERT(loaded == 0);
    lua_getfield(L, base, "type");
    lua_getfield(L, base, "error");
    lua_pushcfunction(L, checkWritableFirst);
    lua_pushcfunction(L, stringMatchFrom);
    lua_pushcfunction(L, stringGsubPlain);
    lua_getfield(L, base, "string");
    lua_getfield(L, -1, "sub");
    lua_replace(L, -2);
    lua_getfield(L, base, "table");
    lua_getfield(L, -1, "concat");
    lua_replace(L, -2);
    const int failed = lua_pcall(L, 7, 2, 0);
    LOCKSCOPE_ASSERT(failed == 0);
    // sort, gsub
    lua_getfield(L, base, "string");
    lua_insert(L, -2);
    lua_setfield(L, -2, "gsub");
    lua_pop(L, 1);
    lua_getfield(L, base, "table");
    lua_insert(L, -2);
    lua_setfield(L, -2, "sort");
    lua_pop(L, 1);
}

} // namespace lockscope::lua
