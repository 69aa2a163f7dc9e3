// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/string_pool.h"
#include "core/lua/sandbox.h"
#include "core/trace/trace.h"

namespace lockscope {

/// A command that a program sends, as sent and as a trace shows it.
struct Command {
    std::uint32_t first = 0; ///< its arguments within CommandTable
    std::uint32_t count = 0;
    bool canGrant = false;   ///< by its words alone; of EVALSHA only the store knows
    bool needsStore = false; ///< it is an EVALSHA
    bool hasOneReply = true; ///< see redis::hasOneReply()
    bool mayClose = false;   ///< after it the server may close the connection
    std::string_view nameText;
    std::string_view typedText;
    std::string_view keyText;
    // In the trace of the run that used it last.
    std::uint64_t run = 0;
    StringId name = StringId::Empty; ///< in capitals
    StringId text = StringId::Empty; ///< as one would type it
    StringId key = StringId::Empty;
    bool onLockKey = false;
};

/// The commands that programs send, each kept once: they send the same ones over and over, in one run and in
/// the next, and building the texts that a trace wants takes longer than running them.
///
/// A command is recognised by its Lua values. That strings are equal when their pointers are is Lua's own
/// invariant; a pointer can come to mean another string only after a garbage collection, so then the index is
/// emptied.
class CommandTable {
public:
    explicit CommandTable(lua::Sandbox& box) : m_box(box), m_slots(kFirstSlots, 0) {}

    /// Numbers of commands hold for one run.
    void beginRun();

    /// The number of the command whose arguments stand at [first, last] on the stack; -1 if there are none,
    /// or one is neither a string nor a number.
    int commandAt(lua_State* L, int first, int last, Trace& trace);

    /// The number of a command given as words.
    std::uint32_t add(std::span<const std::string> words, Trace& trace);

    const Command& operator[](std::uint32_t number) const { return m_commands[number]; }
    std::uint32_t numberOf(const Command& command) const {
        return static_cast<std::uint32_t>(&command - m_commands.data());
    }
    std::span<const std::string_view> arguments(const Command& command) const {
        return {m_arguments.data() + command.first, command.count};
    }

private:
    static constexpr std::size_t kFirstSlots = 64;
    static constexpr int kMostRemembered = 16;         ///< arguments; longer commands are built each time
    static constexpr std::size_t kMostCommands = 1024; ///< to be kept for a further run

    /// A Lua value that is an argument: a string's address, or the complement of a number's bits. The two
    /// never meet: the complement of a number that is not a NaN has one of its upper bits set, and an address
    /// has none.
    using Word = std::uint64_t;
    struct Entry {
        std::uint64_t hash = 0;
        std::uint32_t firstWord = 0;
        std::uint32_t count = 0;
        std::uint32_t command = 0;
    };

    std::uint32_t build(lua_State* L, int first, int last);
    std::uint32_t finish(std::size_t firstArgument);
    std::string_view keep(std::string_view text) { return m_bytes.view(m_bytes.intern(text)); }
    int used(std::uint32_t number, Trace& trace);
    void remember(std::uint64_t hash, const Word* words, std::size_t count, std::uint32_t command);
    void forgetPointers();

    lua::Sandbox& m_box;
    std::uint64_t m_run = 0;
    std::uint32_t m_collections = 0;
    StringPool m_bytes; ///< what the views point to
    std::vector<std::string_view> m_arguments;
    std::vector<Command> m_commands;
    std::vector<Word> m_words;
    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_slots;        ///< index into m_entries plus one
    std::array<std::uint32_t, 16> m_guesses{}; ///< per Lua thread, roughly: the entry it used last
    std::string m_text;
};

} // namespace lockscope
