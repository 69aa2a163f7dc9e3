// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lua.hpp>

#include "core/base/result.h"
#include "core/lua/block_pool.h"

namespace lockscope::lua {

/// While one lives, this thread compares, reads and writes strings and numbers as the "C" locale does,
/// whatever the locale of the process is. Everything that runs in a sandbox does so under one.
class CLocale {
public:
    CLocale();
    ~CLocale();
    CLocale(const CLocale&) = delete;
    CLocale& operator=(const CLocale&) = delete;

private:
    void* m_outer;
};

/// What a run may use. A step is about one instruction of the Lua machine; functions in C++ charge what they
/// cost in the same coin, and so do memory and long strings.
struct Limits {
    std::int64_t steps = 3'000'000;
    std::size_t softBytes = 8u << 20;    ///< growth since refill() at which garbage is collected
    std::size_t hardBytes = 32u << 20;   ///< growth since refill() that ends the run
    std::size_t largestValue = 1u << 20; ///< bytes of one string or of the hash part of one table

    bool operator==(const Limits&) const = default;
};

/// A Lua 5.1 state for programs that nobody has vetted. It is bounded, frozen and deterministic.
///
/// Bounded: a run that uses up its steps or its memory is *exhausted*. From then on everything in it raises,
/// so that no pcall of the program can swallow that; the owner drops the sandbox and makes a new one. Frozen:
/// no file, process, network, bytecode, coroutine or debug access; programs cannot change libraries, the
/// metatable of strings, or anything else that a later run could see.
/// Deterministic: `pairs` has an order of its own (see README.md), nothing prints an address, garbage is
/// collected only where nobody can tell, and the locale is always "C".
///
/// One sandbox serves many runs: refill(), then run inside a Running. Not thread-safe.
///
/// Invariants:
///  1. exhausted() never becomes false again.
///  2. Outside of a Running the limits do not bind: the owner may build what it needs.
///  3. A run that is not strained() would go the same way in a new sandbox.
class Sandbox {
public:
    explicit Sandbox(Limits limits = {});
    ~Sandbox();
    Sandbox(const Sandbox&) = delete;
    Sandbox& operator=(const Sandbox&) = delete;

    /// The sandbox that a state or one of its threads belongs to.
    static Sandbox& of(lua_State* L);
    lua_State* state() const { return m_main; }

    /// For functions of the owner in C++, to find their way home.
    void setOwner(void* owner) { m_owner = owner; }
    template <typename T>
    T& owner() const {
        return *static_cast<T*>(m_owner);
    }

    /// Pushes the table of the standard library: `string`, `table`, `math`, `pairs`, `pcall` and so on. The
    /// owner adds to it, or replaces, before the first run. A program must never get hold of it itself: it
    /// sees it through the metatable of its environment, or a copy of what is in it.
    void pushBase(lua_State* L) const;
    /// Replaces the table on top of the stack by a stand-in that reads from it and cannot be written to.
    static void freeze(lua_State* L);
    static bool isFrozen(lua_State* L, int index);
    /// If the value at `index` is such a stand-in, puts what it stands for in its place.
    static void thaw(lua_State* L, int index);

    /// Pushes the main function of a program, with the globals of the state as its environment: set another
    /// one (lua_setfenv). `chunk` and `firstLine` say where the text stands, for messages as `chunk:line:`.
    /// Bytecode is refused. An error names chunk and line, and nothing is pushed then.
    Result<void> compile(std::string_view source, const std::string& chunk, int firstLine = 1);

    /// Begins a run: a full budget.
    void refill() { refill(m_limits.steps); }
    void refill(std::int64_t steps);

    /// While one lives, `L` (the main state or a thread) runs under the limits. The locale must be "C": see
    /// CLocale.
    class Running {
    public:
        Running(Sandbox& box, lua_State* L) : m_box(box), m_outer(box.m_current) {
            box.m_current = L;
            // A thread has the hook of the one that made it; it may come more often now, or less.
            if (lua_gethookcount(L) != box.m_interval) box.hookAgain(L);
        }
        ~Running() { m_box.m_current = m_outer; }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

    private:
        Sandbox& m_box;
        lua_State* m_outer;
    };
    /// For the owner: pushes a string from outside, which then counts as one that the run has made.
    void pushText(lua_State* L, std::string_view text);
    /// lua_pcall on the main state inside a Running and the "C" locale.
    int call(int arguments, int results);

    /// Takes steps from the budget; raises if there are none left. For functions that a program calls.
    void charge(lua_State* L, std::int64_t steps) {
        m_left -= steps;
        if (m_left < 0 || m_exhausted) overrun(L);
    }
    std::int64_t left() const { return m_left; }
    /// The same where nothing may be raised: the run ends at its next instruction.
    void spend(std::int64_t steps) { m_left -= steps; }

    /// Pushes `function(call, ...) return call(...) end`. In Lua 5.1 a thread whose main function is one in C
    /// cannot be resumed once that has yielded: it is to be started with this one, and the function in C as
    /// argument.
    void pushCaller(lua_State* L) const;

    bool exhausted() const { return m_exhausted; }
    /// What was used up, as a sentence without a position; empty if nothing was.
    const std::string& exhaustion() const { return m_exhaustion; }
    /// The run used so much that earlier runs could have influenced where it ends (half of its steps, or the
    /// soft limit of memory). Who needs certainty repeats it in a new sandbox.
    bool strained() const { return m_exhausted || m_collections > 0 || m_left < m_budget / 2; }
    /// How often garbage was collected since the sandbox was made. Pointers into Lua strings that only the
    /// program holds do not outlive a change of it.
    std::uint32_t collections() const { return m_allCollections; }

    /// Collects garbage. Between runs: a run never does so before its soft limit.
    void collect();
    std::size_t bytes() const { return static_cast<std::size_t>(m_bytes); }

    // For the libraries.

    /// Pays for unwinding from an error: the deeper the calls, the dearer. `L` still stands where the error
    /// was raised. Does not raise itself.
    void chargeError(lua_State* L);
    /// Remembers a metatable that a program uses, so that it never gets a weak mode.
    void watchMetatable(lua_State* L, int index);
    std::size_t largestValue() const { return m_limits.largestValue; }
    /// Raises "result too large" if a string of that many bytes may not be.
    void checkLength(lua_State* L, double bytes);
    [[noreturn]] void overrun(lua_State* L);

    /// Room for ordering keys, kept between calls. Nothing that can raise happens while it is in use.
    struct Key {
        int kind = 0; ///< place among the kinds; see ordered_keys.cpp
        double number = 0;
        const char* text = nullptr;
        std::size_t length = 0;
    };
    std::vector<Key>& keyRoom() { return m_keyRoom; }

private:
    static void* allocate(void* box, void* block, std::size_t before, std::size_t after);
    static void onCount(lua_State* L, lua_Debug* where);
    bool mayGrow(void* block, std::size_t before, std::size_t after);
    void exhaust(std::string why);
    std::int64_t stepsPerInstruction() const;
    void hookAgain(lua_State* L);
    void noteLength(std::size_t bytes);
    void collectInRun(lua_State* L);
    void collectOn(lua_State* L);
    void stripWeakModes(lua_State* L);

    BlockPool m_pool;
    Limits m_limits;
    lua_State* m_main = nullptr;
    lua_State* m_current = nullptr; ///< what runs; null outside of a Running
    void* m_owner = nullptr;

    std::int64_t m_budget = 0;
    std::int64_t m_left = 0;
    std::int64_t m_bytes = 0;
    std::int64_t m_bytesAtRefill = 0;
    std::int64_t m_collectAt = 0; ///< growth at which to collect next
    std::size_t m_longest = 0;    ///< the longest string made in this run, roughly
    int m_interval = 0;           ///< instructions from hook to hook
    bool m_collectDue = false;
    bool m_exhausted = false;
    std::uint32_t m_collections = 0; ///< in this run
    std::uint32_t m_allCollections = 0;
    std::string m_exhaustion;
    std::vector<Key> m_keyRoom;
};

} // namespace lockscope::lua
