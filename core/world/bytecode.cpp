// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The instructions of a function are not to be had by Lua's interface, but lua_dump() writes them, in the
// format of Lua 5.1: a header of 12 bytes; then of the function its source's name (length and bytes), the
// lines where it begins and ends, four bytes of sizes, the number of instructions, and these.

#include "core/world/bytecode.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

namespace lockscope {

namespace {

constexpr std::size_t kHeader = 12;
constexpr std::uint32_t kMostInstructions = 100;

// The numbers of Lua 5.1's instructions.
enum Opcode : std::uint32_t {
    kMove = 0,
    kGetTable = 6, // from MOVE: LOADK, LOADBOOL, LOADNIL, GETUPVAL, GETGLOBAL
    kAdd = 12,
    kLength = 20, // from ADD: SUB, MUL, DIV, MOD, POW, UNM, NOT
    kJump = 22,
    kEqual = 23,
    kTestSet = 27, // from EQ: LT, LE, TEST
    kCall = 28,
    kTailCall = 29,
    kReturn = 30,
};
constexpr std::uint32_t kJumpToNext = 131071; // jumps count from here

/// What lua_dump() writes, up to the last instruction.
class Dump {
public:
    explicit Dump(lua_State* L) { lua_dump(L, &Dump::write, this); }

    /// The instructions; nothing if there are too many, or the function is none in Lua.
    bool read(std::array<std::uint32_t, kMostInstructions>& into, std::uint32_t& count) const {
        if (!complete()) return false;
        count = m_count;
        std::memcpy(into.data(), m_bytes.data() + m_code, count * sizeof(std::uint32_t));
        return true;
    }

private:
    static int write(lua_State*, const void* bytes, std::size_t size, void* self) {
        Dump& dump = *static_cast<Dump*>(self);
        dump.m_bytes.append(static_cast<const char*>(bytes), size);
        return dump.locate() ? 1 : 0; // what comes after is not wanted
    }

    /// True once all that is wanted has come, or never will.
    bool locate() {
        std::size_t nameLength = 0;
        if (m_bytes.size() < kHeader + sizeof nameLength) return false;
        std::memcpy(&nameLength, m_bytes.data() + kHeader, sizeof nameLength);
        const std::size_t count = kHeader + sizeof nameLength + nameLength + 2 * sizeof(int) + 4;
        m_code = count + sizeof m_count;
        if (m_bytes.size() < m_code) return false;
        std::memcpy(&m_count, m_bytes.data() + count, sizeof m_count);
        return m_count > kMostInstructions || complete();
    }
    bool complete() const {
        return m_code > 0 && m_count <= kMostInstructions &&
               m_bytes.size() >= m_code + m_count * sizeof(std::uint32_t);
    }

    std::string m_bytes;
    std::size_t m_code = 0;
    std::uint32_t m_count = 0;
};

} // namespace

bool readsAndCallsOnce(lua_State* L) {
    std::array<std::uint32_t, kMostInstructions> code;
    std::uint32_t count = 0;
    if (!Dump(L).read(code, count)) return false;
    int calls = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t opcode = code[i] & 63;
        const bool plain = opcode <= kGetTable || (opcode >= kAdd && opcode <= kLength) ||
                           (opcode >= kEqual && opcode <= kTestSet) || opcode == kReturn ||
                           (opcode == kJump && code[i] >> 14 >= kJumpToNext);
        const bool call = opcode == kCall || opcode == kTailCall;
        if (!plain && !(call && ++calls == 1)) return false;
    }
    return true;
}

} // namespace lockscope
