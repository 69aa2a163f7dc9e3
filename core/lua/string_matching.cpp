// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// string.find, match, gmatch and the plain half of gsub, over Matcher.

#include <cctype>
#include <cstring>
#include <string>

#include "core/lua/libraries.h"
#include "core/lua/pattern.h"
#include "core/lua/sandbox.h"

namespace lockscope::lua {

namespace {

std::string_view textArgument(lua_State* L, int index) {
    std::size_t length = 0;
    const char* text = luaL_checklstring(L, index, &length);
    return {text, length};
}

// A position as programs write it, 1 for the first and negative from the end, as an offset within the text.
std::size_t startOffset(lua_State* L, int index, std::size_t length) {
    lua_Integer at = luaL_optinteger(L, index, 1);
    if (at < 0) at += static_cast<lua_Integer>(length) + 1;
    if (at < 1) at = 1;
    const auto offset = static_cast<std::size_t>(at - 1);
    return offset > length ? length : offset;
}

const char* findPlain(lua_State* L, std::string_view text, std::size_t from, std::string_view wanted) {
    Sandbox& box = Sandbox::of(L);
    box.charge(L, static_cast<std::int64_t>((text.size() - from) / 64));
    if (wanted.empty()) return text.data() + from;
    const char* s = text.data() + from;
    const char* end = text.data() + text.size();
    while (static_cast<std::size_t>(end - s) >= wanted.size()) {
        const std::size_t places = static_cast<std::size_t>(end - s) - wanted.size() + 1;
        const auto* hit = static_cast<const char*>(std::memchr(s, wanted[0], places));
        if (hit == nullptr) return nullptr;
        box.charge(L, static_cast<std::int64_t>(1 + wanted.size() / 64));
        if (std::memcmp(hit, wanted.data(), wanted.size()) == 0) return hit;
        s = hit + 1;
    }
    return nullptr;
}

int find(lua_State* L, bool positions) {
    const std::string_view text = textArgument(L, 1);
    const std::string_view pattern = textArgument(L, 2);
    const std::size_t from = startOffset(L, 3, text.size());
    if (positions &&
        (lua_toboolean(L, 4) != 0 || pattern.find_first_of("^$*+?.([%-") == std::string_view::npos)) {
        const char* hit = findPlain(L, text, from, pattern);
        if (hit == nullptr) {
            lua_pushnil(L);
            return 1;
        }
        lua_pushinteger(L, hit - text.data() + 1);
        lua_pushinteger(L, hit - text.data() + static_cast<std::ptrdiff_t>(pattern.size()));
        return 2;
    }
    Matcher matcher(L, text, pattern);
    const char* end = nullptr;
    const char* start = matcher.findFrom(text.data() + from, end);
    if (start == nullptr) {
        lua_pushnil(L);
        return 1;
    }
    if (!positions) return matcher.pushCaptures(start, end, true);
    lua_pushinteger(L, start - text.data() + 1);
    lua_pushinteger(L, end - text.data());
    return matcher.pushCaptures(start, end, false) + 2;
}

// Upvalues: text, pattern, offset of the next attempt.
int gmatchStep(lua_State* L) {
    const std::string_view text = textArgument(L, lua_upvalueindex(1));
    const std::string_view pattern = textArgument(L, lua_upvalueindex(2));
    const auto from = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(3)));
    if (from > text.size()) return 0;
    Matcher matcher(L, text, pattern);
    const char* end = nullptr;
    const char* start = matcher.findFrom(text.data() + from, end);
    if (start == nullptr) return 0;
    // An empty match would be found again: go on behind it.
    lua_pushinteger(L, end - text.data() + (end == start ? 1 : 0));
    lua_replace(L, lua_upvalueindex(3));
    return matcher.pushCaptures(start, end, true);
}

void appendReplacement(lua_State* L, Matcher& matcher, const char* from, const char* to, std::string& out) {
    if (lua_type(L, 3) == LUA_TTABLE) {
        matcher.pushCapture(0, from, to);
        lua_gettable(L, 3);
        if (lua_toboolean(L, -1) == 0) {
            out.append(from, to);
        } else if (lua_isstring(L, -1) != 0) {
            std::size_t length = 0;
            const char* text = lua_tolstring(L, -1, &length);
            out.append(text, length);
        } else {
            luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
        }
        lua_pop(L, 1);
        return;
    }
    const std::string_view text = textArgument(L, 3);
    Sandbox& box = Sandbox::of(L);
    box.charge(L, static_cast<std::int64_t>(1 + text.size() / 8));
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%' || i + 1 == text.size()) {
            if (text[i] != '%') out.push_back(text[i]);
            continue;
        }
        const char c = text[++i];
        if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
            out.push_back(c);
        } else if (c == '0') {
            out.append(from, to);
        } else {
            matcher.pushCapture(c - '1', from, to);
            std::size_t length = 0;
            const char* piece = lua_tolstring(L, -1, &length);
            box.charge(L, static_cast<std::int64_t>(length / 16));
            box.checkLength(L, static_cast<double>(out.size() + length));
            out.append(piece, length);
            lua_pop(L, 1);
        }
    }
}

} // namespace

int stringFind(lua_State* L) {
    return find(L, true);
}
int stringMatch(lua_State* L) {
    return find(L, false);
}

int stringGmatch(lua_State* L) {
    textArgument(L, 1);
    textArgument(L, 2);
    lua_settop(L, 2);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, gmatchStep, 3);
    return 1;
}

int stringMatchFrom(lua_State* L) {
    const std::string_view text = textArgument(L, 1);
    const std::string_view pattern = textArgument(L, 2);
    const std::size_t from = startOffset(L, 3, text.size());
    Matcher matcher(L, text, pattern);
    const char* end = nullptr;
    const char* start = matcher.findFrom(text.data() + from, end);
    if (start == nullptr) return 0;
    lua_pushinteger(L, start - text.data() + 1);
    lua_pushinteger(L, end - text.data());
    return matcher.pushCaptures(start, end, true) + 2;
}

int stringGsubPlain(lua_State* L) {
    const std::string_view text = textArgument(L, 1);
    const std::string_view pattern = textArgument(L, 2);
    const int type = lua_type(L, 3);
    luaL_argcheck(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TTABLE, 3,
                  "string/function/table expected");
    const lua_Integer most = luaL_optinteger(L, 4, static_cast<lua_Integer>(text.size() + 1));
    Sandbox& box = Sandbox::of(L);
    Matcher matcher(L, text, pattern);
    std::string out;
    lua_Integer count = 0;
    const char* s = matcher.begin();
    while (count < most) {
        box.charge(L, 1);
        const char* end = matcher.matchAt(s);
        if (end != nullptr) {
            ++count;
            appendReplacement(L, matcher, s, end, out);
            box.checkLength(L, static_cast<double>(out.size()));
        }
        if (end != nullptr && end > s)
            s = end;
        else if (s < matcher.end())
            out.push_back(*s++);
        else
            break;
        if (matcher.anchored()) break;
    }
    out.append(s, matcher.end());
    box.checkLength(L, static_cast<double>(out.size()));
    lua_pushlstring(L, out.data(), out.size());
    lua_pushinteger(L, count);
    return 2;
}

} // namespace lockscope::lua
