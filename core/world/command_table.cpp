// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/command_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "core/redis/store.h"
#include "core/world/shown_text.h"

namespace lockscope {

namespace {

constexpr std::size_t kLongestArgument = 48; // bytes of one argument that a trace shows

std::uint64_t mixed(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 29);
}

} // namespace

void CommandTable::beginRun() {
    ++m_run;
    if (m_commands.size() <= kMostCommands) return;
    m_bytes.clear();
    m_arguments.clear();
    m_commands.clear();
    forgetPointers();
}

void CommandTable::forgetPointers() {
    m_words.clear();
    m_entries.clear();
    std::fill(m_slots.begin(), m_slots.end(), 0);
    m_collections = m_box.collections();
}

int CommandTable::commandAt(lua_State* L, int first, int last, Trace& trace) {
    if (m_collections != m_box.collections()) forgetPointers();
    const int count = last - first + 1;
    if (count < 1) return -1;
    std::array<Word, kMostRemembered> words;
    bool known = count <= kMostRemembered;
    for (int i = 0; i < count; ++i) {
        Word word = 0;
        const int type = lua_type(L, first + i);
        if (type == LUA_TSTRING) {
            word = reinterpret_cast<std::uintptr_t>(lua_tostring(L, first + i));
        } else if (type == LUA_TNUMBER) {
            const lua_Number number = lua_tonumber(L, first + i);
            std::memcpy(&word, &number, sizeof number);
            word = ~word;
            known = known && number == number;
        } else {
            return -1;
        }
        if (i < kMostRemembered) words[static_cast<std::size_t>(i)] = word;
    }
    if (!known) return used(build(L, first, last), trace);

    // Most often it is what the thread sent last time.
    std::uint32_t& guess = m_guesses[(reinterpret_cast<std::uintptr_t>(L) / 64) % m_guesses.size()];
    const auto is = [&](std::uint32_t entry) {
        return m_entries[entry].count == static_cast<std::uint32_t>(count) &&
               std::equal(words.begin(), words.begin() + count, m_words.begin() + m_entries[entry].firstWord);
    };
    if (guess < m_entries.size() && is(guess)) return used(m_entries[guess].command, trace);

    std::uint64_t hash = static_cast<std::uint64_t>(count);
    for (int i = 0; i < count; ++i)
        hash = mixed(hash, words[static_cast<std::size_t>(i)]);
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t slot = hash & mask; m_slots[slot] != 0; slot = (slot + 1) & mask) {
        const std::uint32_t entry = m_slots[slot] - 1;
        if (m_entries[entry].hash != hash || !is(entry)) continue;
        guess = entry;
        return used(m_entries[entry].command, trace);
    }
    const std::uint32_t command = build(L, first, last);
    remember(hash, words.data(), static_cast<std::size_t>(count), command);
    return used(command, trace);
}

void CommandTable::remember(std::uint64_t hash, const Word* words, std::size_t count, std::uint32_t command) {
    m_entries.push_back(
        {hash, static_cast<std::uint32_t>(m_words.size()), static_cast<std::uint32_t>(count), command});
    m_words.insert(m_words.end(), words, words + count);
    const auto place = [this](std::size_t index) {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t slot = m_entries[index].hash & mask;
        while (m_slots[slot] != 0)
            slot = (slot + 1) & mask;
        m_slots[slot] = static_cast<std::uint32_t>(index + 1);
    };
    if (m_entries.size() * 2 <= m_slots.size()) return place(m_entries.size() - 1);
    m_slots.assign(m_slots.size() * 2, 0);
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        place(i);
}

// The command is sent: its texts must stand in this run's trace.
int CommandTable::used(std::uint32_t number, Trace& trace) {
    Command& command = m_commands[number];
    if (command.run != m_run) {
        command.run = m_run;
        command.text = trace.strings.intern(command.typedText);
        command.name = trace.strings.intern(command.nameText);
        command.key = trace.strings.intern(command.keyText);
        command.onLockKey =
            std::any_of(trace.lockKeys.begin(), trace.lockKeys.end(), [&](const TraceLockKey& lock) {
                return lock.name == command.key && command.key != StringId::Empty;
            });
    }
    return static_cast<int>(number);
}

std::uint32_t CommandTable::build(lua_State* L, int first, int last) {
    const std::size_t before = m_arguments.size();
    for (int i = first; i <= last; ++i) {
        char digits[32];
        std::string_view bytes;
        if (lua_type(L, i) == LUA_TNUMBER) {
            // As Redis writes the numbers of its scripts.
            const int length = std::snprintf(digits, sizeof digits, "%.17g", lua_tonumber(L, i));
            bytes = {digits, static_cast<std::size_t>(length)};
        } else {
            std::size_t length = 0;
            const char* text = lua_tolstring(L, i, &length);
            bytes = {text, length};
        }
        m_arguments.push_back(keep(bytes));
    }
    return finish(before);
}

std::uint32_t CommandTable::add(std::span<const std::string> words, Trace& trace) {
    const std::size_t before = m_arguments.size();
    for (const std::string& word : words)
        m_arguments.push_back(keep(word));
    const std::uint32_t number = finish(before);
    used(number, trace);
    return number;
}

/// Makes a command of the arguments from `firstArgument` on.
std::uint32_t CommandTable::finish(std::size_t firstArgument) {
    const auto arguments = std::span<const std::string_view>(m_arguments).subspan(firstArgument);
    Command command;
    command.first = static_cast<std::uint32_t>(firstArgument);
    command.count = static_cast<std::uint32_t>(arguments.size());
    m_text.clear();
    for (const std::string_view argument : arguments) {
        if (!m_text.empty()) m_text.push_back(' ');
        appendTyped(argument, kLongestArgument, m_text);
    }
    command.typedText = keep(m_text);
    command.keyText = keep(redis::firstKeyOf(arguments));
    m_text.assign(arguments[0].substr(0, kLongestArgument));
    for (char& c : m_text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    command.nameText = keep(m_text);
    command.needsStore = m_text == "EVALSHA";
    command.canGrant = redis::canGrant(arguments);
    command.hasOneReply = redis::hasOneReply(arguments);
    command.mayClose = m_text == "QUIT" || m_text == "CLIENT" || m_text == "EXEC";
    m_commands.push_back(command);
    return static_cast<std::uint32_t>(m_commands.size() - 1);
}

} // namespace lockscope
