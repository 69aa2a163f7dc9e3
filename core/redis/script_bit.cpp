// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/lua/sandbox.h"
#include "core/redis/script_libraries.h"

namespace lockscope::redis {

namespace {

using Bits = std::uint32_t;

/// Any number, modulo 2^32, rounded to the nearest as LuaBitOp does.
Bits bitsAt(lua_State* L, int index) {
    constexpr double kModulus = 4294967296.0;
    const double number = std::nearbyint(luaL_checknumber(L, index));
    const double rest = std::fmod(number, kModulus); // NaN for what is infinite
    if (!(std::abs(rest) < kModulus)) return 0;
    return static_cast<Bits>(static_cast<std::int64_t>(rest));
}

/// As a signed number.
int answer(lua_State* L, Bits bits) {
    lua_pushnumber(L, static_cast<double>(static_cast<std::int32_t>(bits)));
    return 1;
}

int toBit(lua_State* L) {
    return answer(L, bitsAt(L, 1));
}
int bitNot(lua_State* L) {
    return answer(L, ~bitsAt(L, 1));
}
int bitSwap(lua_State* L) {
    return answer(L, __builtin_bswap32(bitsAt(L, 1)));
}

template <typename Combine>
int combineAll(lua_State* L, Combine combine) {
    Bits bits = bitsAt(L, 1);
    for (int i = lua_gettop(L); i > 1; --i)
        bits = combine(bits, bitsAt(L, i));
    return answer(L, bits);
}
int bitAnd(lua_State* L) {
    return combineAll(L, [](Bits a, Bits b) { return a & b; });
}
int bitOr(lua_State* L) {
    return combineAll(L, [](Bits a, Bits b) { return a | b; });
}
int bitXor(lua_State* L) {
    return combineAll(L, [](Bits a, Bits b) { return a ^ b; });
}

/// The low five bits of the distance count.
template <typename Shift>
int shift(lua_State* L, Shift by) {
    const Bits bits = bitsAt(L, 1);
    return answer(L, by(bits, bitsAt(L, 2) & 31));
}
int leftShift(lua_State* L) {
    return shift(L, [](Bits bits, Bits n) { return bits << n; });
}
int rightShift(lua_State* L) {
    return shift(L, [](Bits bits, Bits n) { return bits >> n; });
}
int arithmeticRightShift(lua_State* L) {
    return shift(L,
                 [](Bits bits, Bits n) { return static_cast<Bits>(static_cast<std::int32_t>(bits) >> n); });
}
int rotateLeft(lua_State* L) {
    return shift(L, [](Bits bits, Bits n) { return std::rotl(bits, static_cast<int>(n)); });
}
int rotateRight(lua_State* L) {
    return shift(L, [](Bits bits, Bits n) { return std::rotr(bits, static_cast<int>(n)); });
}

/// So many hexadecimal digits, the last ones; in capitals if the number of digits is negative.
int toHex(lua_State* L) {
    Bits bits = bitsAt(L, 1);
    const auto asked = lua_isnone(L, 2) ? 8 : static_cast<std::int32_t>(bitsAt(L, 2));
    const char* digits = asked < 0 ? "0123456789ABCDEF" : "0123456789abcdef";
    const std::int64_t wanted = asked < 0 ? -std::int64_t{asked} : asked;
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(wanted, 8));
    char text[8];
    for (std::size_t i = count; i > 0; --i, bits >>= 4)
        text[i - 1] = digits[bits & 15];
    lua_pushlstring(L, text, count);
    return 1;
}

} // namespace

void pushBitLibrary(lua_State* L) {
    static constexpr luaL_Reg kFunctions[] = {
        {"tobit", toBit},      {"bnot", bitNot},       {"bswap", bitSwap},
        {"band", bitAnd},      {"bor", bitOr},         {"bxor", bitXor},
        {"lshift", leftShift}, {"rshift", rightShift}, {"arshift", arithmeticRightShift},
        {"rol", rotateLeft},   {"ror", rotateRight},   {"tohex", toHex},
    };
    lua_newtable(L);
    for (const luaL_Reg& function : kFunctions) {
        lua_pushcfunction(L, function.func);
        lua_setfield(L, -2, function.name);
    }
    lua::Sandbox::freeze(L);
}

} // namespace lockscope::redis
