// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the world knows in advance of polls.
//
// Virtual time has no surprises: what is due next stands in the queue, and when a lease ends in the store. Up
// to that instant a command that was just answered without an effect is answered so again. Its scheduler then
// writes the polls into the trace and sends none (see repeated_asks.cpp).
//
// A store would still count them and remember when its key was last used. So they are owed: before anything
// else happens to that store, the last of them is run and the others are counted.

#include <algorithm>

#include "core/world/world.h"

namespace lockscope {

Foreseen World::foresee(const SimulatedProcess& from, redis::ClientId client, const Command& command,
                        NodeIndex node) {
    const ActorIndex actor = from.actor();
    const bool touched =
        swallowed(actor, m_now) || nodeAt(node).down || m_stalls[static_cast<std::size_t>(node)].stalled ||
        std::any_of(m_armed.begin(), m_armed.end(), [&](const Armed& a) { return a.actor == actor; });
    if (touched || !primaryOf(node).hasNoEffectAgain(client, m_runtime.commands().arguments(command)))
        return {};
    std::int64_t until = std::min(m_storesDue, std::min(nextVisit(), micros(m_until)) + 1);
    m_queue.forEach([&](const Due& due) {
        const bool late =
            due.kind == Due::Kind::Timer && due.process != kNone &&
            m_processes[static_cast<std::size_t>(due.process)]->scheduler().comesTooLate(due.wake);
        if (!late) until = std::min(until, due.at);
    });
    return {from.spec().requestLatency, from.spec().replyLatency, instantAt(Duration{until})};
}

void World::repeated(redis::ClientId client, const Command& command, NodeIndex node, Instant lastExecuted,
                     unsigned times) {
    std::vector<Unrun>& unrun = m_servers[static_cast<std::size_t>(node)].unrun;
    const std::uint32_t number = m_runtime.commands().numberOf(command);
    std::erase_if(unrun, [&](const Unrun& before) {
        const bool same = before.client == client && before.command == number;
        if (same) times += before.times;
        return same;
    });
    unrun.push_back({client, number, lastExecuted, times}); // the latest is the last
}

void World::settle(NodeIndex node) {
    const auto index = static_cast<std::size_t>(node);
    for (const Unrun& owed : m_servers[index].unrun)
        primaryOf(node).executeAgain(owed.client,
                                     m_runtime.commands().arguments(m_runtime.commands()[owed.command]),
                                     kEpochMicros + micros(owed.last), owed.times);
    m_servers[index].unrun.clear();
}

} // namespace lockscope
