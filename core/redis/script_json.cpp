// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "core/lua/sandbox.h"
#include "core/redis/script_libraries.h"

namespace lockscope::redis {

namespace {

constexpr int kDeepestEncoded = 1000;
// A table whose greatest index is more than so many times the number of its elements is not written as an
// array, once it is beyond a few.
constexpr double kSparseRatio = 2;
constexpr double kSparseSafe = 10;
constexpr std::size_t kFirstCapacity = 256;
constexpr std::size_t kEncodedBytesPerStep = 16;

[[noreturn]] void refuse(lua_State* L, int index, const char* why) {
    luaL_error(L, "Cannot serialise %s: %s", luaL_typename(L, index), why);
    std::abort(); // luaL_error does not return
}

void appendString(LuaText& text, std::string_view raw) {
    text.append('"');
    for (const char c : raw) {
        switch (c) {
        case '"':
            text.append("\\\"");
            break;
        case '\\':
            text.append("\\\\");
            break;
        case '/':
            text.append("\\/");
            break;
        case '\b':
            text.append("\\b");
            break;
        case '\f':
            text.append("\\f");
            break;
        case '\n':
            text.append("\\n");
            break;
        case '\r':
            text.append("\\r");
            break;
        case '\t':
            text.append("\\t");
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
                char escape[8];
                std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(c));
                text.append(escape);
            } else {
                text.append(c);
            }
        }
    }
    text.append('"');
}

void appendNumber(lua_State* L, LuaText& text, int index) {
    const double number = lua_tonumber(L, index);
    if (!std::isfinite(number)) refuse(L, index, "must not be NaN or Inf");
    char digits[32];
    const int length = std::snprintf(digits, sizeof digits, "%.14g", number);
    text.append({digits, static_cast<std::size_t>(length)});
}

std::string_view bytesAt(lua_State* L, int index) {
    std::size_t length = 0;
    const char* text = lua_tolstring(L, index, &length);
    return {text, length};
}

/// The greatest index of the table on top if all its keys are indexes, else -1.
int arrayLength(lua_State* L) {
    double greatest = 0;
    double count = 0;
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
        const double key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
        if (key < 1 || key != std::floor(key)) {
            lua_pop(L, 2);
            return -1;
        }
        greatest = std::max(greatest, key);
        ++count;
        lua_pop(L, 1);
    }
    if (greatest > count * kSparseRatio && greatest > kSparseSafe) refuse(L, -1, "excessively sparse array");
    return static_cast<int>(greatest);
}

void appendValue(lua_State* L, LuaText& text, int depth);

void appendArray(lua_State* L, LuaText& text, int length, int depth) {
    text.append('[');
    for (int i = 1; i <= length; ++i) {
        if (i > 1) text.append(',');
        lua_rawgeti(L, -1, i);
        appendValue(L, text, depth);
        lua_pop(L, 1);
    }
    text.append(']');
}

void appendObject(lua_State* L, LuaText& text, int depth) {
    text.append('{');
    bool first = true;
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
        if (!first) text.append(',');
        first = false;
        if (lua_type(L, -2) == LUA_TNUMBER) {
            text.append('"');
            appendNumber(L, text, -2);
            text.append('"');
        } else if (lua_type(L, -2) == LUA_TSTRING) {
            appendString(text, bytesAt(L, -2));
        } else {
            refuse(L, -2, "table key must be a number or string");
        }
        text.append(':');
        appendValue(L, text, depth);
        lua_pop(L, 1);
    }
    text.append('}');
}

/// Appends the value on top of the stack, and leaves it there.
void appendValue(lua_State* L, LuaText& text, int depth) {
    lua::Sandbox::of(L).charge(L, 1);
    switch (lua_type(L, -1)) {
    case LUA_TSTRING:
        lua::Sandbox::of(L).charge(L,
                                   static_cast<std::int64_t>(bytesAt(L, -1).size() / kEncodedBytesPerStep));
        return appendString(text, bytesAt(L, -1));
    case LUA_TNUMBER:
        return appendNumber(L, text, -1);
    case LUA_TBOOLEAN:
        return text.append(lua_toboolean(L, -1) != 0 ? "true" : "false");
    case LUA_TNIL:
        return text.append("null");
    case LUA_TLIGHTUSERDATA:
        if (!lua_touserdata(L, -1)) return text.append("null");
        refuse(L, -1, "type not supported");
    case LUA_TTABLE: {
        ++depth;
        if (depth > kDeepestEncoded || lua_checkstack(L, 4) == 0)
            luaL_error(L, "Cannot serialise, excessive nesting (%d)", depth);
        const int length = arrayLength(L);
        return length > 0 ? appendArray(L, text, length, depth) : appendObject(L, text, depth);
    }
    default:
        refuse(L, -1, "type not supported");
    }
}

int encodeJson(lua_State* L) {
    luaL_argcheck(L, lua_gettop(L) == 1, 1, "expected 1 argument");
    LuaText text(L);
    lua_pushvalue(L, 1);
    appendValue(L, text, 0);
    lua_pushlstring(L, text.view().data(), text.view().size());
    return 1;
}

} // namespace

LuaText::LuaText(lua_State* L)
    : m_lua(L), m_data(static_cast<char*>(lua_newuserdata(L, kFirstCapacity))), m_capacity(kFirstCapacity) {
    m_slot = lua_gettop(L);
}

void LuaText::append(std::string_view more) {
    if (more.size() > m_capacity - m_size) {
        const std::size_t capacity = std::max(m_capacity * 2, m_size + more.size());
        luaL_checkstack(m_lua, 1, "a text is too large");
        auto* larger = static_cast<char*>(lua_newuserdata(m_lua, capacity));
        std::memcpy(larger, m_data, m_size);
        lua_replace(m_lua, m_slot);
        m_data = larger;
        m_capacity = capacity;
    }
    if (!more.empty()) std::memcpy(m_data + m_size, more.data(), more.size());
    m_size += more.size();
}

void pushJsonLibrary(lua_State* L) {
    lua_newtable(L);
    lua_pushcfunction(L, encodeJson);
    lua_setfield(L, -2, "encode");
    lua_pushcfunction(L, decodeJson);
    lua_setfield(L, -2, "decode");
    lua_pushlightuserdata(L, nullptr);
    lua_setfield(L, -2, "null");
    lua_pushliteral(L, "cjson");
    lua_setfield(L, -2, "_NAME");
    lua_pushliteral(L, "2.1.0");
    lua_setfield(L, -2, "_VERSION");
    lua::Sandbox::freeze(L);
}

} // namespace lockscope::redis
