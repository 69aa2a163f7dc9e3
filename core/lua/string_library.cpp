// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// `string` without what matches patterns (string_matching.cpp) and without dump.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "core/lua/libraries.h"
#include "core/lua/sandbox.h"

namespace lockscope::lua {

namespace {

std::string_view checkText(lua_State* L, int index) {
    std::size_t length = 0;
    const char* text = luaL_checklstring(L, index, &length);
    return {text, length};
}

void chargeBytes(lua_State* L, std::size_t bytes) {
    Sandbox::of(L).charge(L, static_cast<std::int64_t>(bytes / 16));
}

// Negative positions count from the end.
lua_Integer relative(lua_Integer at, std::size_t length) {
    if (at < 0) at += static_cast<lua_Integer>(length) + 1;
    return std::max<lua_Integer>(at, 0);
}

int stringLen(lua_State* L) {
    lua_pushinteger(L, static_cast<lua_Integer>(checkText(L, 1).size()));
    return 1;
}

int stringSub(lua_State* L) {
    const std::string_view text = checkText(L, 1);
    const lua_Integer first = std::max<lua_Integer>(1, relative(luaL_checkinteger(L, 2), text.size()));
    const lua_Integer last =
        std::min(relative(luaL_optinteger(L, 3, -1), text.size()), static_cast<lua_Integer>(text.size()));
    if (first > last) {
        lua_pushliteral(L, "");
        return 1;
    }
    lua_pushlstring(L, text.data() + first - 1, static_cast<std::size_t>(last - first + 1));
    return 1;
}

template <typename F>
int mapped(lua_State* L, F&& f) {
    const std::string_view text = checkText(L, 1);
    chargeBytes(L, text.size() * 8);
    std::string out(text);
    f(out);
    lua_pushlstring(L, out.data(), out.size());
    return 1;
}

int stringLower(lua_State* L) {
    return mapped(L, [](std::string& s) {
        for (char& c : s)
            c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
}

int stringUpper(lua_State* L) {
    return mapped(L, [](std::string& s) {
        for (char& c : s)
            c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    });
}

int stringReverse(lua_State* L) {
    return mapped(L, [](std::string& s) { std::reverse(s.begin(), s.end()); });
}

int stringRep(lua_State* L) {
    const std::string_view text = checkText(L, 1);
    const lua_Number times = luaL_checknumber(L, 2);
    if (text.empty() || !(times >= 1)) {
        lua_pushliteral(L, "");
        return 1;
    }
    const double length = std::floor(times) * static_cast<double>(text.size());
    Sandbox::of(L).checkLength(L, length);
    chargeBytes(L, static_cast<std::size_t>(length));
    std::string out;
    out.reserve(static_cast<std::size_t>(length));
    out.append(text);
    while (out.size() < static_cast<std::size_t>(length)) // what is there, again
        out.append(out.data(), std::min(out.size(), static_cast<std::size_t>(length) - out.size()));
    lua_pushlstring(L, out.data(), out.size());
    return 1;
}

int stringByte(lua_State* L) {
    const std::string_view text = checkText(L, 1);
    const lua_Integer from = luaL_optinteger(L, 2, 1);
    const lua_Integer first = std::max<lua_Integer>(1, relative(from, text.size()));
    const lua_Integer last =
        std::min(relative(luaL_optinteger(L, 3, from), text.size()), static_cast<lua_Integer>(text.size()));
    if (first > last) return 0;
    const lua_Integer count = last - first + 1;
    if (count > LUAI_MAXCSTACK) return luaL_error(L, "string slice too long");
    luaL_checkstack(L, static_cast<int>(count), "string slice too long");
    chargeBytes(L, static_cast<std::size_t>(count) * 16);
    for (lua_Integer i = first; i <= last; ++i)
        lua_pushinteger(L, static_cast<unsigned char>(text[static_cast<std::size_t>(i - 1)]));
    return static_cast<int>(count);
}

int stringChar(lua_State* L) {
    std::string out;
    for (int i = 1; i <= lua_gettop(L); ++i) {
        const int code = luaL_checkint(L, i);
        luaL_argcheck(L, code >= 0 && code <= 255, i, "invalid value");
        out.push_back(static_cast<char>(code));
    }
    chargeBytes(L, out.size() * 16);
    lua_pushlstring(L, out.data(), out.size());
    return 1;
}

// --- format
// -------------------------------------------------------------------------------------------------------

void appendQuoted(std::string_view text, std::string& out) {
    out.push_back('"');
    for (const char c : text) {
        switch (c) {
        case '"':
        case '\\':
        case '\n':
            out.push_back('\\');
            out.push_back(c);
            break;
        case '\r':
            out.append("\\r");
            break;
        case '\0':
            out.append("\\000");
            break;
        default:
            out.push_back(c);
        }
    }
    out.push_back('"');
}

// What follows a '%': flags, two digits of width, two of precision.
struct FormatSpec {
    char text[32] = "%";
    std::size_t length = 1;
    bool precise = false;
    char conversion = '\0';

    void add(char c) { text[length++] = c; }
    // The length modifier that printf wants for our integers, then the conversion.
    void finish(const char* modifier) {
        while (*modifier != '\0')
            add(*modifier++);
        add(conversion);
        add('\0');
    }
};

const char* readSpec(lua_State* L, const char* p, const char* end, FormatSpec& spec) {
    const auto digits = [&](int most) {
        int n = 0;
        while (p < end && std::isdigit(static_cast<unsigned char>(*p)) != 0) {
            if (++n > most) luaL_error(L, "invalid format (width or precision too long)");
            spec.add(*p++);
        }
    };
    int flags = 0;
    while (p < end && *p != '\0' && std::strchr("-+ #0", *p) != nullptr) {
        if (++flags > 5) luaL_error(L, "invalid format (repeated flags)");
        spec.add(*p++);
    }
    digits(2);
    if (p < end && *p == '.') {
        spec.precise = true;
        spec.add(*p++);
        digits(2);
    }
    spec.conversion = p < end ? *p++ : '\0';
    return p;
}

long long toWhole(lua_Number number) {
    if (std::isnan(number)) return 0;
    if (number >= 9223372036854775808.0) return std::numeric_limits<long long>::max();
    if (number < -9223372036854775808.0) return std::numeric_limits<long long>::min();
    return static_cast<long long>(number);
}

unsigned long long toUnsigned(lua_Number number) {
    if (number >= 18446744073709551616.0) return std::numeric_limits<unsigned long long>::max();
    if (number >= 9223372036854775808.0) return static_cast<unsigned long long>(number);
    return static_cast<unsigned long long>(toWhole(number));
}

void appendFormatted(lua_State* L, int argument, FormatSpec& spec, std::string& out) {
    char buffer[512]; // %f of the largest double with 99 decimals takes 409
    int length = 0;
    switch (spec.conversion) {
    case 'c':
        spec.finish("");
        length = std::snprintf(buffer, sizeof buffer, spec.text, luaL_checkint(L, argument));
        break;
    case 'd':
    case 'i':
        spec.finish("ll");
        length = std::snprintf(buffer, sizeof buffer, spec.text, toWhole(luaL_checknumber(L, argument)));
        break;
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        spec.finish("ll");
        length = std::snprintf(buffer, sizeof buffer, spec.text, toUnsigned(luaL_checknumber(L, argument)));
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
        spec.finish("");
        length = std::snprintf(buffer, sizeof buffer, spec.text, luaL_checknumber(L, argument));
        break;
    case 'q':
        appendQuoted(checkText(L, argument), out);
        return;
    case 's': {
        const std::string_view text = checkText(L, argument);
        if (!spec.precise && text.size() >= 100) {
            out.append(text); // no width of two digits pads it
            return;
        }
        spec.finish("");
        length = std::snprintf(buffer, sizeof buffer, spec.text, text.data());
        break;
    }
    default:
        luaL_error(L, "invalid option '%%%c' to 'format'", spec.conversion);
    }
    out.append(buffer, static_cast<std::size_t>(length));
}

} // namespace

int stringFormat(lua_State* L) {
    const std::string_view format = checkText(L, 1);
    Sandbox& box = Sandbox::of(L);
    std::string out;
    int argument = 1;
    const char* p = format.data();
    const char* end = p + format.size();
    while (p < end) {
        const char c = *p++;
        if (c != '%') {
            out.push_back(c);
            continue;
        }
        if (p < end && *p == '%') {
            out.push_back(*p++);
            continue;
        }
        FormatSpec spec;
        p = readSpec(L, p, end, spec);
        // Decimals of floating point numbers take long arithmetic.
        box.charge(L, std::strchr("eEfgG", spec.conversion) != nullptr ? 300 : 10);
        appendFormatted(L, ++argument, spec, out);
        box.checkLength(L, static_cast<double>(out.size()));
    }
    chargeBytes(L, out.size());
    box.checkLength(L, static_cast<double>(out.size()));
    lua_pushlstring(L, out.data(), out.size());
    return 1;
}

void addStringLibrary(lua_State* L) {
    static constexpr luaL_Reg kFunctions[] = {
        {"byte", stringByte},     {"char", stringChar},       {"find", stringFind},
        {"format", stringFormat}, {"gmatch", stringGmatch},   {"gsub", stringGsubPlain},
        {"len", stringLen},       {"lower", stringLower},     {"match", stringMatch},
        {"rep", stringRep},       {"reverse", stringReverse}, {"sub", stringSub},
        {"upper", stringUpper}};
    lua_newtable(L);
    for (const luaL_Reg& function : kFunctions) {
        lua_pushcfunction(L, function.func);
        lua_setfield(L, -2, function.name);
    }
    lua_setfield(L, -2, "string");
}

} // namespace lockscope::lua
