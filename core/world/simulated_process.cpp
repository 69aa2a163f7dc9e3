// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/simulated_process.h"

#include <algorithm>
#include <utility>

#include "core/base/assert.h"
#include "core/world/world.h"

namespace lockscope {

void SimulatedProcess::start(const ProcessIdentity& identity, const ActorSpec& spec) {
    m_identity = identity;
    m_spec = &spec;
    m_alive = true;
    m_frozen = false;
    m_catchingUp = false;
    m_works.clear();
    m_putAside.clear();
    m_touched.clear();
    m_clients.clear();
    m_listening.clear();
    m_scheduler.start(identity, m_world.trace());
}

// --- what is done to it

void SimulatedProcess::freeze(Instant until) {
    if (!m_frozen) {
        m_frozen = true;
        m_frozenSince = now();
        m_frozenUntil = until;
        m_world.recordProcess(EventKind::ProcessPaused, *this);
    }
    m_frozenUntil = std::max(m_frozenUntil, until);
    m_world.schedule({micros(until), 0, 0, {}, m_identity.process, Due::Kind::Thaw});
}

void SimulatedProcess::thaw() {
    if (!m_alive || !m_frozen || now() < m_frozenUntil) return;
    m_frozen = false;
    m_world.recordProcess(EventKind::ProcessResumed, *this);
    for (Work& work : m_works) {
        work.end += now() - m_frozenSince;
        m_world.schedule({micros(work.end), 0, 0, work.wake, m_identity.process, Due::Kind::Work});
    }
    m_catchingUp = true;
    for (const Due& due : std::exchange(m_putAside, {}))
        if (alive()) hand(due);
    m_catchingUp = false;
}

void SimulatedProcess::kill() {
    m_scheduler.kill();
    m_alive = false;
    m_frozen = false;
    hangUp();
}

void SimulatedProcess::hangUp() {
    for (std::vector<redis::ClientId>* kind : {&m_clients, &m_listening}) {
        for (const redis::ClientId client : *kind)
            if (client != 0) m_world.closeConnection(client);
        kind->clear();
    }
}

void SimulatedProcess::abandon() {
    m_scheduler.abandon();
    m_alive = false;
}

void SimulatedProcess::take(const Due& due) {
    if (!alive()) {
        // It reaches nobody.
        if (due.kind == Due::Kind::Answer) m_world.forgetFlight(due.id);
        if (due.kind == Due::Kind::Message) m_world.forgetMessage(due.id);
        return;
    }
    if (!m_frozen) return hand(due);
    if (due.kind != Due::Kind::Work) m_putAside.push_back(due); // works are scheduled anew
}

bool SimulatedProcess::idle(Instant from, Instant to) const {
    const auto next = std::lower_bound(m_touched.begin(), m_touched.end(), from);
    return next == m_touched.end() || *next > to;
}

void SimulatedProcess::hand(const Due& due) {
    m_touched.push_back(now());
    switch (due.kind) {
    case Due::Kind::Timer:
        return m_scheduler.wake(due.wake);
    case Due::Kind::Work: {
        const auto work =
            std::find_if(m_works.begin(), m_works.end(), [&](const Work& w) { return w.wake == due.wake; });
        if (work == m_works.end() || micros(work->end) != due.at) return; // cancelled, or moved by a pause
        m_works.erase(work);
        return m_scheduler.wake(due.wake);
    }
    case Due::Kind::Answer: {
        const Flight& flight = m_world.flight(due.id);
        m_scheduler.reply(flight.wake, flight.request, flight.reply, flight.shown, flight.flags);
        return m_world.forgetFlight(due.id);
    }
    case Due::Kind::Message: {
        const Message& message = m_world.message(due.id);
        const unsigned subscription = m_world.connection(message.client).subscription;
        if (message.hungUp) {
            m_scheduler.loseSubscription(subscription);
        } else {
            m_world.recordMessage(EventKind::MessageReceived, message);
            m_scheduler.hear(subscription, message.text, message.shown);
        }
        return m_world.forgetMessage(due.id);
    }
    default:
        LOCKSCOPE_ASSERT(false); // the world takes the rest
    }
}

// --- what it can do

Instant SimulatedProcess::now() const {
    return m_world.now();
}

std::int64_t SimulatedProcess::wallMillis() const {
    const std::int64_t unixMicros =
        kEpochMicros + micros(now()) + m_world.clockOffset(m_identity.actor).count();
    return unixMicros >= 0 ? unixMicros / 1000 : -((-unixMicros + 999) / 1000);
}

int SimulatedProcess::nodes() const {
    return m_world.nodes();
}

bool SimulatedProcess::hasResource() const {
    return m_world.resource().present();
}

void SimulatedProcess::startTimer(Instant due, const Wake& wake) {
    m_world.schedule({micros(due), 0, 0, wake, m_identity.process, Due::Kind::Timer});
}

void SimulatedProcess::startWork(Duration running, const Wake& wake) {
    const Instant end = now() + running;
    m_works.push_back({wake, end});
    m_world.schedule({micros(end), 0, 0, wake, m_identity.process, Due::Kind::Work});
}

void SimulatedProcess::cancelWork(const Wake& wake) {
    std::erase_if(m_works, [&](const Work& work) { return work.wake == wake; });
}

/// The loop that a request comes from has a connection of its own to each server.
redis::ClientId SimulatedProcess::clientFor(RequestIndex request) {
    const Trace& trace = m_world.trace();
    const TraceRequest& sent = trace.requests[static_cast<std::size_t>(request)];
    const int loop = trace.tasks[static_cast<std::size_t>(sent.task)].loop;
    const auto place = static_cast<std::size_t>(loop * nodes() + sent.node);
    if (place >= m_clients.size()) m_clients.resize(place + 1, 0);
    if (m_clients[place] == 0) m_clients[place] = m_world.connect(m_identity.process, sent.node);
    return m_clients[place];
}

void SimulatedProcess::send(RequestIndex request, const Command& command, const Wake& wake) {
    m_world.send(*this, clientFor(request), request, command, wake);
}

void SimulatedProcess::subscribe(RequestIndex request, const Command& command, const Wake& wake,
                                 unsigned subscription) {
    const NodeIndex node = m_world.trace().requests[static_cast<std::size_t>(request)].node;
    if (subscription >= m_listening.size()) m_listening.resize(subscription + 1, 0);
    m_listening[subscription] = m_world.connect(m_identity.process, node, subscription);
    m_world.send(*this, m_listening[subscription], request, command, wake);
}

void SimulatedProcess::unsubscribe(unsigned subscription) {
    if (const redis::ClientId client = std::exchange(m_listening[subscription], 0); client != 0)
        m_world.closeConnection(client);
}

WriteAnswer SimulatedProcess::write(std::string_view name, std::string_view value, std::int64_t fence) {
    return m_world.resource().write(name, value, fence);
}

StoredValue SimulatedProcess::read(std::string_view name) {
    return m_world.resource().read(name);
}

bool SimulatedProcess::canGrant(const Command& command, NodeIndex node) {
    return m_world.canGrant(command, node);
}

std::uint64_t SimulatedProcess::doings(NodeIndex node) const {
    return m_world.doings(node);
}

Foreseen SimulatedProcess::foresee(const Command& command, RequestIndex like) {
    if (m_catchingUp) return {};
    return m_world.foresee(*this, clientFor(like), command,
                           m_world.trace().requests[static_cast<std::size_t>(like)].node);
}

void SimulatedProcess::repeated(const Command& command, RequestIndex like, Instant lastExecuted,
                                unsigned times) {
    m_world.repeated(clientFor(like), command, m_world.trace().requests[static_cast<std::size_t>(like)].node,
                     lastExecuted, times);
}

} // namespace lockscope
