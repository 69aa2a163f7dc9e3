// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Commands that come again and change nothing.

#include <algorithm>
#include <array>

#include "core/redis/commands.h"
#include "core/redis/server.h"

namespace lockscope::redis {

bool Server::hasNoEffectAgain(ClientId id, std::span<const std::string_view> args) const {
    // Their answers depend on data alone, not on the time, on chance, on settings or on who asks.
    static constexpr std::array kAskForData = {&commands::set,    &commands::setNx,  &commands::get,
                                               &commands::exists, &commands::strLen, &commands::hGet};
    const Command* command = m_lastCommand && args[0] == m_lastName ? m_lastCommand : known(args);
    const Client* asking = findClient(id);
    // A limit of memory is looked after before each command, and uses are counted by chance.
    const MemorySettings& memory = m_settings.memory;
    if (memory.limit > 0 || memory.policy == EvictionPolicy::AllKeysLfu ||
        memory.policy == EvictionPolicy::VolatileLfu)
        return false;
    // A server that loads, or whose replicas fall silent, changes its mind by itself.
    if (m_guarded) return false;
    return command && asking && asking->state == 0 && !m_standstill.any() && m_monitors.empty() &&
           !m_notifications.isOn() &&
           std::find(kAskForData.begin(), kAskForData.end(), command->handler) != kAskForData.end();
}

void Server::executeAgain(ClientId id, std::span<const std::string_view> args, std::int64_t nowMicros,
                          std::uint64_t times) {
    const std::uint64_t hits = m_keyspace.hits();
    const std::uint64_t misses = m_keyspace.misses();
    execute(id, args, nowMicros);
    m_statistics.commands += times - 1;
    m_keyspace.countAgain((m_keyspace.hits() - hits) * (times - 1),
                          (m_keyspace.misses() - misses) * (times - 1));
}

} // namespace lockscope::redis
