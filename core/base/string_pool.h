// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope {

/// Names a string of a StringPool. Zero is the empty string in every pool.
enum class StringId : std::uint32_t { Empty = 0 };

/// Strings of one trace, each kept once. Ids are given in order of first use, so equal runs get equal ids.
///
/// Invariants:
///  1. view(id) stays valid until clear(), also while further strings are added.
///  2. intern(view(id)) == id.
/// clear() keeps the memory, so that a pool that is used again allocates nothing.
class StringPool {
public:
    StringPool();

    StringId intern(std::string_view text);
    /// The id of a string that is already in the pool, or Empty.
    StringId find(std::string_view text) const;
    std::string_view view(StringId id) const;
    std::size_t size() const { return m_spans.size(); }
    void clear();

private:
    struct Span {
        const char* data;
        std::uint32_t length;
        std::uint32_t hash;
    };
    struct Block {
        std::vector<char> bytes;
        std::size_t used = 0;
    };

    static std::uint32_t hashOf(std::string_view text);
    std::size_t slotOf(std::string_view text, std::uint32_t hash) const;
    const char* store(std::string_view text);
    void grow();

    std::vector<Span> m_spans;
    std::vector<std::uint32_t> m_slots; // index into m_spans plus one; zero is free
    std::deque<Block> m_blocks;
    std::size_t m_block = 0;
};

} // namespace lockscope
