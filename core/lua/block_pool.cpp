// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lua/block_pool.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace lockscope::lua {

void* BlockPool::resize(void* block, std::size_t before, std::size_t after) {
    if (block == nullptr) return take(after);
    const bool wasSmall = before <= kLargestSmall;
    if (!wasSmall && after > kLargestSmall) return std::realloc(block, after);
    if (wasSmall && after <= kLargestSmall && classOf(before) == classOf(after)) return block;
    void* moved = take(after);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, block, std::min(before, after));
    give(block, before);
    return moved;
}

void BlockPool::give(void* block, std::size_t size) {
    if (block == nullptr) return;
    if (size > kLargestSmall) return std::free(block);
    Free*& list = m_free[classOf(size)];
    list = new (block) Free{list};
}

void* BlockPool::take(std::size_t size) {
    if (size > kLargestSmall) return std::malloc(size);
    const std::size_t sizeClass = classOf(size);
    Free*& list = m_free[sizeClass];
    if (list == nullptr) return fresh(sizeClass);
    Free* block = list;
    list = block->next;
    return block;
}

void* BlockPool::fresh(std::size_t sizeClass) {
    const std::size_t bytes = sizeClass * kUnit;
    if (m_rest < bytes) {
        // What is left of the old chunk serves a smaller class.
        if (m_rest >= kUnit) give(m_next, m_rest / kUnit * kUnit);
        m_chunks.push_back(std::make_unique_for_overwrite<char[]>(kChunkBytes));
        m_next = m_chunks.back().get();
        m_rest = kChunkBytes;
    }
    void* block = m_next;
    m_next += bytes;
    m_rest -= bytes;
    return block;
}

} // namespace lockscope::lua
