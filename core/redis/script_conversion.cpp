// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script_conversion.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/redis/call.h"
#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr int kDeepestReply = 200;
constexpr std::size_t kMostBytes = 8u << 20; // of one reply, as memory
constexpr std::size_t kBytesPerItem = sizeof(Reply);

void pushText(lua_State* L, std::string_view text) {
    lua_pushlstring(L, text.data(), text.size());
}

/// Pushes {name = text}.
void pushField(lua_State* L, const char* name, std::string_view text) {
    lua_createtable(L, 0, 1);
    pushText(L, text);
    lua_setfield(L, -2, name);
}

void pushItems(lua_State* L, const Reply& reply, int protocol) {
    lua_createtable(L, static_cast<int>(reply.items.size()), 0);
    for (std::size_t i = 0; i < reply.items.size(); ++i) {
        pushReply(L, reply.items[i], protocol);
        lua_rawseti(L, -2, static_cast<int>(i + 1));
    }
}

/// As a conversion of C does it here, and without its undefined cases.
std::int64_t truncated(double number) {
    constexpr double kBeyond = 9223372036854775808.0;
    if (!(number >= -kBeyond && number < kBeyond)) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(number);
}

std::string_view textAt(lua_State* L, int index) {
    std::size_t length = 0;
    const char* text = lua_tolstring(L, index, &length);
    return {text, length};
}

/// Reads one value with all that is in it.
class Reader {
public:
    Reader(lua_State* L, int protocol) : m_lua(L), m_protocol(protocol) {}

    bool tooLarge() const { return m_bytes > kMostBytes; }

    void pop(Reply& reply, int depth) {
        m_bytes += kBytesPerItem;
        if (depth > kDeepestReply || lua_checkstack(m_lua, 4) == 0) {
            reply.becomeError("ERR reached lua stack limit");
        } else {
            switch (lua_type(m_lua, -1)) {
            case LUA_TSTRING:
                reply.becomeBulk(counted(textAt(m_lua, -1)));
                break;
            case LUA_TBOOLEAN:
                if (m_protocol == 3)
                    reply.become(Reply::Type::Boolean).integer = lua_toboolean(m_lua, -1);
                else if (lua_toboolean(m_lua, -1) != 0)
                    reply.becomeInteger(1);
                else
                    reply.becomeNull();
                break;
            case LUA_TNUMBER:
                reply.becomeInteger(truncated(lua_tonumber(m_lua, -1)));
                break;
            case LUA_TTABLE:
                readTable(reply, depth);
                break;
            default:
                reply.becomeNull();
            }
        }
        lua_pop(m_lua, 1);
    }

private:
    std::string_view counted(std::string_view text) {
        m_bytes += text.size();
        return text;
    }

    /// Pushes the field if it is of that type.
    bool field(const char* name, int type) {
        lua_pushstring(m_lua, name);
        lua_rawget(m_lua, -2);
        if (lua_type(m_lua, -1) == type) return true;
        lua_pop(m_lua, 1);
        return false;
    }

    void readTable(Reply& reply, int depth) {
        if (field("err", LUA_TSTRING)) {
            lua_pop(m_lua, 1);
            reply.becomeError(errors::onOneLine(errorText(m_lua)));
        } else if (field("ok", LUA_TSTRING)) {
            reply.becomeStatus(textAt(m_lua, -1));
            std::ranges::replace_if(
                reply.text, [](char c) { return c == '\r' || c == '\n'; }, ' ');
            lua_pop(m_lua, 1);
        } else if (field("double", LUA_TNUMBER)) {
            reply.become(Reply::Type::Double).number = lua_tonumber(m_lua, -1);
            lua_pop(m_lua, 1);
        } else if (field("map", LUA_TTABLE)) {
            readPairs(reply, depth, Reply::Type::Map);
        } else if (field("set", LUA_TTABLE)) {
            readPairs(reply, depth, Reply::Type::Set);
        } else if (field("big_number", LUA_TSTRING)) {
            reply.become(Reply::Type::BigNumber, errors::onOneLine(textAt(m_lua, -1)));
            lua_pop(m_lua, 1);
        } else if (field("verbatim_string", LUA_TTABLE)) {
            readVerbatim(reply);
        } else {
            readArray(reply, depth);
        }
    }

    /// The table on top is a map, or a set whose elements are the keys. Pops it. Lua has no order among its
    /// keys, so they are put in one.
    void readPairs(Reply& reply, int depth, Reply::Type type) {
        struct Pair {
            Reply key, value;
        };
        std::vector<Pair> pairs;
        lua_pushnil(m_lua);
        while (!tooLarge() && lua_next(m_lua, -2) != 0) {
            Pair& pair = pairs.emplace_back();
            pop(pair.value, depth + 1);
            lua_pushvalue(m_lua, -1);
            pop(pair.key, depth + 1);
        }
        lua_settop(m_lua, lua_gettop(m_lua) - (tooLarge() ? 2 : 1));
        std::ranges::sort(pairs, [](const Pair& a, const Pair& b) {
            if (a.key.type != b.key.type) return a.key.type < b.key.type;
            return a.key.integer != b.key.integer ? a.key.integer < b.key.integer : a.key.text < b.key.text;
        });
        reply.become(type);
        for (Pair& pair : pairs) {
            reply.items.push_back(std::move(pair.key));
            if (type == Reply::Type::Map) reply.items.push_back(std::move(pair.value));
        }
    }

    void readVerbatim(Reply& reply) {
        std::string format;
        if (field("format", LUA_TSTRING)) {
            format = textAt(m_lua, -1);
            lua_pop(m_lua, 1);
        }
        reply.become(Reply::Type::Verbatim, format + ':');
        if (field("string", LUA_TSTRING)) {
            reply.text += counted(textAt(m_lua, -1));
            lua_pop(m_lua, 1);
        }
        lua_pop(m_lua, 1);
    }

    void readArray(Reply& reply, int depth) {
        reply.becomeArray();
        for (int i = 1; !tooLarge(); ++i) {
            lua_rawgeti(m_lua, -1, i);
            if (lua_isnil(m_lua, -1)) {
                lua_pop(m_lua, 1);
                return;
            }
            pop(reply.items.emplace_back(), depth + 1);
        }
    }

    lua_State* m_lua;
    int m_protocol;
    std::size_t m_bytes = 0;
};

} // namespace

void pushReply(lua_State* L, const Reply& reply, int protocol) {
    using Type = Reply::Type;
    luaL_checkstack(L, 4, "a reply is nested too deeply");
    if (protocol == 2) {
        // What a script without setresp(3) gets is what RESP2 can say.
        if (reply.type == Type::Map || reply.type == Type::Set) return pushItems(L, reply, protocol);
        if (reply.type == Type::Double) return pushText(L, formatDouble(reply.number));
        if (reply.type == Type::Verbatim)
            return pushText(L, std::string_view(reply.text).substr(reply.text.find(':') + 1));
    }
    switch (reply.type) {
    case Type::Status:
        pushField(L, "ok", reply.text);
        break;
    case Type::Error:
        pushErrorTable(L, reply.text);
        break;
    case Type::Integer:
        lua_pushnumber(L, static_cast<lua_Number>(reply.integer));
        break;
    case Type::Bulk:
        pushText(L, reply.text);
        break;
    case Type::Null:
    case Type::NullArray:
    case Type::None:
        if (protocol == 2)
            lua_pushboolean(L, 0);
        else
            lua_pushnil(L);
        break;
    case Type::Array:
    case Type::Push:
        pushItems(L, reply, protocol);
        break;
    case Type::Map:
        lua_createtable(L, 0, 1);
        lua_createtable(L, 0, static_cast<int>(reply.items.size() / 2));
        for (std::size_t i = 0; i + 1 < reply.items.size(); i += 2) {
            pushReply(L, reply.items[i], protocol);
            pushReply(L, reply.items[i + 1], protocol);
            lua_rawset(L, -3);
        }
        lua_setfield(L, -2, "map");
        break;
    case Type::Set:
        lua_createtable(L, 0, 1);
        lua_createtable(L, 0, static_cast<int>(reply.items.size()));
        for (const Reply& item : reply.items) {
            pushReply(L, item, protocol);
            lua_pushboolean(L, 1);
            lua_rawset(L, -3);
        }
        lua_setfield(L, -2, "set");
        break;
    case Type::Double:
        lua_createtable(L, 0, 1);
        lua_pushnumber(L, reply.number);
        lua_setfield(L, -2, "double");
        break;
    case Type::Boolean:
        lua_pushboolean(L, reply.integer != 0);
        break;
    case Type::BigNumber:
        pushField(L, "big_number", reply.text);
        break;
    case Type::Verbatim: {
        const std::string_view text = reply.text;
        const std::size_t colon = text.find(':');
        lua_createtable(L, 0, 1);
        pushField(L, "format", text.substr(0, colon));
        pushText(L, text.substr(colon + 1));
        lua_setfield(L, -2, "string");
        lua_setfield(L, -2, "verbatim_string");
        break;
    }
    }
}

void popReply(lua_State* L, Reply& reply, int protocol) {
    Reader reader(L, protocol);
    const int top = lua_gettop(L);
    reader.pop(reply, 0);
    lua_settop(L, top - 1);
    if (reader.tooLarge()) reply.becomeError("ERR the reply of the script is too large");
}

void pushErrorTable(lua_State* L, std::string_view text) {
    pushField(L, "err", text);
}

std::string errorText(lua_State* L) {
    lua_pushliteral(L, "err");
    lua_rawget(L, -2);
    std::string text = lua_type(L, -1) == LUA_TSTRING ? std::string(textAt(L, -1)) : "ERR unknown error";
    lua_pop(L, 1);
    return text;
}

} // namespace lockscope::redis
