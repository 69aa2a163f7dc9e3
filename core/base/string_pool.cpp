// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/string_pool.h"

#include <algorithm>
#include <cstring>

#include "core/base/assert.h"

namespace lockscope {

namespace {
constexpr std::size_t kFirstSlots = 256;
constexpr std::size_t kBlockBytes = 16 * 1024;
} // namespace

StringPool::StringPool() : m_slots(kFirstSlots, 0) { m_spans.push_back({"", 0, hashOf({})}); }

std::uint32_t StringPool::hashOf(std::string_view text) {
    // FNV-1a over eight bytes at a time: the strings are short and the hash only has to spread them.
    std::uint64_t h = 0xCBF29CE484222325ull ^ text.size();
    std::size_t i = 0;
    for (; i + 8 <= text.size(); i += 8) {
        std::uint64_t word;
        std::memcpy(&word, text.data() + i, 8);
        h = (h ^ word) * 0x9E3779B97F4A7C15ull;
        h ^= h >> 29;
    }
    for (; i < text.size(); ++i) h = (h ^ static_cast<unsigned char>(text[i])) * 0x100000001B3ull;
    return static_cast<std::uint32_t>(h ^ (h >> 32));
}

std::size_t StringPool::slotOf(std::string_view text, std::uint32_t hash) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = hash & mask;
    while (m_slots[slot] != 0) {
        const Span& span = m_spans[m_slots[slot] - 1];
        if (span.hash == hash && std::string_view(span.data, span.length) == text) break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

StringId StringPool::intern(std::string_view text) {
    if (text.empty()) return StringId::Empty;
    const std::uint32_t hash = hashOf(text);
    std::size_t slot = slotOf(text, hash);
    if (m_slots[slot] != 0) return static_cast<StringId>(m_slots[slot] - 1);
    if ((m_spans.size() + 1) * 2 > m_slots.size()) {
        grow();
        slot = slotOf(text, hash);
    }
    m_spans.push_back({store(text), static_cast<std::uint32_t>(text.size()), hash});
    m_slots[slot] = static_cast<std::uint32_t>(m_spans.size());
    return static_cast<StringId>(m_spans.size() - 1);
}

StringId StringPool::find(std::string_view text) const {
    if (text.empty()) return StringId::Empty;
    const std::uint32_t at = m_slots[slotOf(text, hashOf(text))];
    return at == 0 ? StringId::Empty : static_cast<StringId>(at - 1);
}

std::string_view StringPool::view(StringId id) const {
    const auto index = static_cast<std::size_t>(id);
    LOCKSCOPE_ASSERT(index < m_spans.size());
    return {m_spans[index].data, m_spans[index].length};
}

const char* StringPool::store(std::string_view text) {
    while (m_block < m_blocks.size() && m_blocks[m_block].bytes.size() - m_blocks[m_block].used < text.size())
        ++m_block;
    if (m_block == m_blocks.size())
        m_blocks.push_back({std::vector<char>(std::max(kBlockBytes, text.size())), 0});
    Block& block = m_blocks[m_block];
    char* to = block.bytes.data() + block.used;
    std::memcpy(to, text.data(), text.size());
    block.used += text.size();
    return to;
}

void StringPool::grow() {
    m_slots.assign(m_slots.size() * 2, 0);
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t i = 1; i < m_spans.size(); ++i) {
        std::size_t slot = m_spans[i].hash & mask;
        while (m_slots[slot] != 0) slot = (slot + 1) & mask;
        m_slots[slot] = static_cast<std::uint32_t>(i + 1);
    }
}

void StringPool::clear() {
    for (std::size_t i = 1; i < m_spans.size(); ++i) {
        // Only the slots in use are wiped: a run uses a few dozen of them.
        const std::size_t mask = m_slots.size() - 1;
        std::size_t slot = m_spans[i].hash & mask;
        while (m_slots[slot] != 0) {
            m_slots[slot] = 0;
            slot = (slot + 1) & mask;
        }
    }
    m_spans.resize(1);
    for (Block& block : m_blocks) block.used = 0;
    m_block = 0;
}

} // namespace lockscope
