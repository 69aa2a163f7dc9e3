// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/world/event_queue.h"
#include "core/world/task_scheduler.h"

namespace lockscope {

class World;

/// One process of the simulated world: a scheduler, and what freezing and killing does to it.
///
/// While it is frozen nothing of it runs. Timers and replies that fall due are put aside and handed over when
/// it goes on, in the order in which they fell due. Works stand still and end later by as long as the process
/// was frozen.
class SimulatedProcess final : public TaskHost {
public:
    SimulatedProcess(World& world, ProgramRuntime& runtime) : m_world(world), m_scheduler(runtime, *this) {}

    /// Its main function is on top of the runtime's main state.
    void start(const ProcessIdentity& identity, const ActorSpec& spec);

    bool alive() const { return m_alive && !m_scheduler.ended(); }
    bool frozen() const { return m_frozen; }
    ActorIndex actor() const { return m_identity.actor; }
    ProcessIndex index() const { return m_identity.process; }
    const ActorSpec& spec() const { return *m_spec; }
    TaskScheduler& scheduler() { return m_scheduler; }

    /// Frozen until then at least.
    void freeze(Instant until);
    /// A pause may be over.
    void thaw();
    void kill();
    /// Its connections end, if they have not yet.
    void hangUp();
    /// The world is about to forget it.
    void abandon();
    /// A timer, a work or a reply of its own is due.
    void take(const Due& due);
    /// Something leaves a server for it, and no event tells of that.
    void expect() { m_touched.push_back(now()); }
    /// Nothing was handed to it, and nothing left for it without an event, from `from` to `to`, both
    /// included.
    bool idle(Instant from, Instant to) const;

    Instant now() const override;
    std::int64_t wallMillis() const override;
    int nodes() const override;
    bool hasResource() const override;
    void startTimer(Instant due, const Wake& wake) override;
    void startWork(Duration running, const Wake& wake) override;
    void cancelWork(const Wake& wake) override;
    void send(RequestIndex request, const Command& command, const Wake& wake) override;
    void subscribe(RequestIndex request, const Command& command, const Wake& wake,
                   unsigned subscription) override;
    void unsubscribe(unsigned subscription) override;
    WriteAnswer write(std::string_view name, std::string_view value, std::int64_t fence) override;
    StoredValue read(std::string_view name) override;
    bool canGrant(const Command& command, NodeIndex node) override;
    std::uint64_t doings(NodeIndex node) const override;
    Foreseen foresee(const Command& command, RequestIndex like) override;
    void repeated(const Command& command, RequestIndex like, Instant lastExecuted, unsigned times) override;

private:
    struct Work {
        Wake wake;
        Instant end{};
    };

    void hand(const Due& due);
    redis::ClientId clientFor(RequestIndex request);

    World& m_world;
    TaskScheduler m_scheduler;
    ProcessIdentity m_identity;
    const ActorSpec* m_spec = nullptr;
    bool m_alive = false;
    bool m_frozen = false;
    bool m_catchingUp = false; ///< what fell due while it was frozen is being handed over
    Instant m_frozenSince{};
    Instant m_frozenUntil{};
    std::vector<Work> m_works;
    std::vector<Due> m_putAside;
    std::vector<Instant> m_touched;           ///< see idle(); rising
    std::vector<redis::ClientId> m_clients;   ///< per loop and node; 0: none yet
    std::vector<redis::ClientId> m_listening; ///< per subscription; 0: ended
};

} // namespace lockscope
