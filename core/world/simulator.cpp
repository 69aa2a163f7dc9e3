// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run that stays well within its budget cannot tell a used world from a new one. One that comes near the
// end of it could: where exactly it is stopped depends a little on what earlier runs left in memory. So it is
// repeated in a new world, and that result counts; the same scenario thus always ends at the same
// instruction.

#include "core/world/simulator.h"

#include "core/base/assert.h"
#include "core/world/world.h"

namespace lockscope {

struct Simulator::Impl {
    std::unique_ptr<World> world;
    Scenario scenario; ///< of begin()
    Trace* trace = nullptr;
    Instant reached{};

    void start(const Scenario& of, Trace& into) {
        if (world == nullptr) world = std::make_unique<World>();
        world->begin(of, into);
    }

    void run(const Scenario& of, Trace& into, Instant until) {
        world->runUntil(until);
        if (!world->strained()) return;
        if (!world->fresh()) {
            world = std::make_unique<World>();
            world->begin(of, into);
            world->runUntil(until);
        }
    }

    /// Nothing of a run that came near its bounds is kept for the next one.
    void tidy() {
        if (world != nullptr && world->strained()) world.reset();
    }
};

Simulator::Simulator() : m_impl(std::make_unique<Impl>()) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

void Simulator::run(const Scenario& scenario, Trace& into) {
    m_impl->trace = nullptr;
    m_impl->tidy();
    m_impl->start(scenario, into);
    m_impl->run(scenario, into, scenario.horizon);
    m_impl->tidy();
}

bool Simulator::idle(ActorIndex actor, Instant from, Instant to) const {
    return m_impl->world != nullptr && m_impl->world->idle(actor, from, to);
}

Result<void> runsToItsEnd(const Scenario& scenario) {
    Trace trace;
    Simulator().run(scenario, trace);
    if (!trace.failure.empty()) return Error{"the run stops early: " + trace.failure};
    return {};
}

void Simulator::begin(const Scenario& scenario, Trace& into) {
    m_impl->tidy();
    m_impl->scenario = scenario;
    m_impl->trace = &into;
    m_impl->start(m_impl->scenario, into);
}

void Simulator::deliverTo(VisitorPort* port) {
    LOCKSCOPE_ASSERT(m_impl->world != nullptr);
    m_impl->world->deliverTo(port);
}

redis::Store::ClientFacts Simulator::factsOfVisitor(int visitor) const {
    return m_impl->world->factsOfVisitor(visitor);
}

Instant Simulator::nextDue() const {
    return m_impl->world->nextDue();
}

void Simulator::runUntil(Instant t) {
    LOCKSCOPE_ASSERT(m_impl->trace != nullptr); // begin() comes first
    m_impl->run(m_impl->scenario, *m_impl->trace, t);
}

} // namespace lockscope
