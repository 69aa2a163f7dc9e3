// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace lockscope::lua {

/// Memory for one Lua state. Nearly all its objects are small and die together at a collection, which is
/// where a general allocator is at its slowest; here taking and giving back is one step. Small blocks come
/// from chunks that stay until the pool goes; large ones from the system.
///
/// Lua tells the size of a block when it gives it back, so none has a header.
class BlockPool {
public:
    BlockPool() = default;
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    /// As the lua_Alloc of the manual, with `before` 0 for a new block: null if there is no memory.
    void* resize(void* block, std::size_t before, std::size_t after);
    void give(void* block, std::size_t size);

private:
    static constexpr std::size_t kUnit = 16;
    static constexpr std::size_t kLargestSmall = 1024;
    static constexpr std::size_t kChunkBytes = 32 * 1024;

    struct Free {
        Free* next;
    };

    static std::size_t classOf(std::size_t size) { return (size + kUnit - 1) / kUnit; }
    void* take(std::size_t size);
    void* fresh(std::size_t sizeClass);

    std::array<Free*, kLargestSmall / kUnit + 1> m_free{};
    std::vector<std::unique_ptr<char[]>> m_chunks;
    char* m_next = nullptr; ///< the unused rest of the last chunk
    std::size_t m_rest = 0;
};

} // namespace lockscope::lua
