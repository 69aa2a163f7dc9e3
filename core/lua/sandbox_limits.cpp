// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How a run is kept within its bounds.
//
// Lua calls a hook every kHookInterval instructions of a thread, and the hook takes them from the budget.
// That alone is no bound, because one instruction can be arbitrarily dear: a call of a library function
// (these charge for themselves), a concatenation, a comparison or a conversion of a long string. The latter
// three cannot be replaced in a stock Lua, so instructions become dearer with the longest string that the run
// has made. What is allocated costs steps as well, since somebody must fill it.
//
// Lua's own collector is off. Where it ran would depend on what earlier runs left behind, and Lua 5.1 has no
// emergency collection: a plain byte limit trips over garbage. So the allocator asks for a full collection
// when a run has grown beyond the soft limit. It cannot collect on the spot, but it can make the hook come
// with the next instruction.

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "core/lua/sandbox.h"

namespace lockscope::lua {

namespace {

constexpr int kHookInterval = 1000;
constexpr std::int64_t kStepsBetweenHooks = 20'000; // while instructions are dear
constexpr std::size_t kBytesPerStep = 8;            // what is allocated
constexpr std::size_t kScannedBytesPerStep = 16;    // what one instruction may read of a long string
constexpr std::size_t kShort = 128;                 // up to here a string costs nothing extra
constexpr std::int64_t kCollectedBytesPerStep = 16;
constexpr std::int64_t kStepsPerError = 400;       // to throw, to catch
constexpr std::int64_t kStepsPerUnwoundCall = 100; // a call that C++ has to leave

bool isPowerOfTwo(std::size_t n) {
    return (n & (n - 1)) == 0;
}

// The parts of a table come in these sizes: a power of two of nodes with 40 bytes each, or of slots with 16.
// So does the table of all strings. Anything else that is large and new is a string.
bool isTablePart(std::size_t bytes) {
    return isPowerOfTwo(bytes) || (bytes % 40 == 0 && isPowerOfTwo(bytes / 40));
}

} // namespace

// --- memory

void* Sandbox::allocate(void* box, void* block, std::size_t before, std::size_t after) {
    Sandbox& self = *static_cast<Sandbox*>(box);
    if (after == 0) {
        self.m_bytes -= static_cast<std::int64_t>(before);
        self.m_pool.give(block, before);
        return nullptr;
    }
    if (after > before && self.m_current != nullptr && !self.mayGrow(block, before, after)) return nullptr;
    void* moved = self.m_pool.resize(block, before, after);
    if (moved != nullptr)
        self.m_bytes += static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
    return moved;
}

bool Sandbox::mayGrow(void* block, std::size_t before, std::size_t after) {
    const std::size_t growth = after - before;
    m_left -= static_cast<std::int64_t>(growth / kBytesPerStep);
    if (block == nullptr && !isTablePart(after)) noteLength(after);
    if (block == nullptr && after > m_limits.largestValue + 64) {
        exhaust(fmt::format("a single value would take more than {} KiB", m_limits.largestValue / 1024));
        return false;
    }
    const std::int64_t grown = m_bytes + static_cast<std::int64_t>(growth) - m_bytesAtRefill;
    if (grown > static_cast<std::int64_t>(m_limits.hardBytes)) {
        exhaust(fmt::format("it used more than {} MiB of memory", m_limits.hardBytes >> 20));
        return false;
    }
    if (grown > m_collectAt && !m_collectDue) {
        m_collectDue = true;
        lua_sethook(m_current, &Sandbox::onCount, LUA_MASKCOUNT, 1);
    }
    return true;
}

void Sandbox::noteLength(std::size_t bytes) {
    if (bytes <= m_longest) return;
    m_longest = bytes;
    const auto interval = static_cast<int>(
        std::clamp<std::int64_t>(kStepsBetweenHooks / stepsPerInstruction(), 1, kHookInterval));
    if (interval == m_interval) return;
    m_interval = interval;
    if (m_current != nullptr) hookAgain(m_current);
}

void Sandbox::checkLength(lua_State* L, double bytes) {
    if (bytes > static_cast<double>(m_limits.largestValue))
        luaL_error(L, "result too large: a string may have %d bytes",
                   static_cast<int>(m_limits.largestValue));
}

// --- steps

void Sandbox::refill(std::int64_t steps) {
    m_budget = steps;
    m_left = steps;
    m_bytesAtRefill = m_bytes;
    m_collectAt = static_cast<std::int64_t>(m_limits.softBytes);
    m_longest = 0;
    m_interval = kHookInterval;
    m_collections = 0;
}

std::int64_t Sandbox::stepsPerInstruction() const {
    const std::size_t scanned = m_longest < kShort ? 0 : m_longest / kScannedBytesPerStep;
    return static_cast<std::int64_t>(1 + scanned);
}

void Sandbox::hookAgain(lua_State* L) {
    lua_sethook(L, &Sandbox::onCount, LUA_MASKCOUNT, m_interval);
}

void Sandbox::onCount(lua_State* L, lua_Debug* where) {
    Sandbox& self = of(L);
    self.m_left -= lua_gethookcount(L) * self.stepsPerInstruction();
    if (self.m_collectDue && !self.m_exhausted) self.collectInRun(L);
    if (self.m_left >= 0 && !self.m_exhausted) return;
    if (!self.m_exhausted) self.exhaust(fmt::format("it ran on for more than {} steps", self.m_budget));
    lua_sethook(L, &Sandbox::onCount, LUA_MASKCOUNT, 1);
    lua_getinfo(L, "Sl", where);
    lua_pushfstring(L, "%s:%d: stopped: %s", where->short_src, where->currentline, self.m_exhaustion.c_str());
    lua_error(L);
}

void Sandbox::collectInRun(lua_State* L) {
    m_collectDue = false;
    hookAgain(L);
    m_left -= m_bytes / kCollectedBytesPerStep;
    ++m_collections;
    collectOn(L);
    // What lives is left alone until it has grown by half again.
    const std::int64_t lives = m_bytes - m_bytesAtRefill;
    m_collectAt = std::max(static_cast<std::int64_t>(m_limits.softBytes), lives + lives / 2);
}

void Sandbox::chargeError(lua_State* L) {
    // How deep the calls are: the first level that is not there, by doubling and halving.
    lua_Debug level;
    int deep = 1;
    while (lua_getstack(L, deep, &level) != 0)
        deep *= 2;
    int there = deep / 2;
    while (deep - there > 1) {
        const int middle = there + (deep - there) / 2;
        (lua_getstack(L, middle, &level) != 0 ? there : deep) = middle;
    }
    m_left -= kStepsPerError + kStepsPerUnwoundCall * deep;
}

// --- the end of a run

void Sandbox::exhaust(std::string why) {
    if (m_exhausted) return;
    m_exhausted = true;
    m_exhaustion = std::move(why);
    if (m_current != nullptr) lua_sethook(m_current, &Sandbox::onCount, LUA_MASKCOUNT, 1);
}

void Sandbox::overrun(lua_State* L) {
    if (!m_exhausted) exhaust(fmt::format("it ran on for more than {} steps", m_budget));
    luaL_error(L, "stopped: %s", m_exhaustion.c_str());
    std::abort(); // luaL_error does not return
}

} // namespace lockscope::lua
