// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/memory_account.h"

#include "core/redis/memory_model.h"

namespace lockscope::redis {

void MemoryAccount::recount(Entry& entry) {
    const std::size_t now = memoryOf(entry, m_sharesNumbers, entry.memory);
    m_entries += now - entry.memory;
    entry.memory = now;
}

} // namespace lockscope::redis
