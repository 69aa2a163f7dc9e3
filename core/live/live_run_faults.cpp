// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What interventions do to a live run. By the rules of the simulated world's, with real signals.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/live/key_prefix.h"
#include "core/live/live_run.h"
#include "core/live/server_load.h"
#include "core/world/load.h"

namespace lockscope::live {

namespace {

/// So long a write of a load may take; if it takes longer this machine was busy elsewhere.
constexpr Duration kOfOneWrite{20};

} // namespace

Result<void> LiveRun::intervene(Intervention intervention) {
    if (!running()) return Error{"the run is not under way"};
    const bool server = infoOf(intervention.kind).target == InterventionTarget::Server;
    const int node = server ? serverNode(intervention.actor) : 0;
    const bool known = server ? node >= 0 && node < static_cast<int>(m_nodes.size())
                              : actorNamed(intervention.actor) != kNone;
    if (!known) return Error{"there is no '" + intervention.actor + "' in this run"};
    intervention.at = std::max(intervention.at, now());
    Scenario alone = m_scenario;
    alone.interventions = {intervention};
    if (const Result<void> can = canRun(alone, m_place); !can) return can;
    m_scenario.interventions.push_back(intervention);
    m_trace->noteIntervention(intervention);
    schedule(m_scenario.interventions.size() - 1);
    return {};
}

/// A fault of a message is with the process already, which has to meet it by its own clock.
Result<void> LiveRun::takeBack(const Intervention& planned) {
    for (std::size_t i = 0; running() && i < m_scenario.interventions.size(); ++i) {
        if (m_scenario.interventions[i] != planned || planned.at <= now()) continue;
        const bool told = std::any_of(m_lives.begin(), m_lives.end(),
                                      [i](const auto& life) { return life->knownFaults.contains(i); });
        if (told) return Error{fmt::format("'{}' is with the process already", formatIntervention(planned))};
        if (!m_takenBack.insert(i).second) continue;
        m_trace->takeBack(i);
        return {};
    }
    return Error{fmt::format("'{}' is not to come any more", formatIntervention(planned))};
}

void LiveRun::forgetTakenBack() {
    for (auto index = m_takenBack.rbegin(); index != m_takenBack.rend(); ++index)
        m_scenario.interventions.erase(m_scenario.interventions.begin() +
                                       static_cast<std::ptrdiff_t>(*index));
    m_takenBack.clear();
}

void LiveRun::resume(std::string_view actor) {
    Life* life = lifeOf(actorNamed(actor));
    if (!running() || life == nullptr || !life->host.isPaused()) return;
    if (life->pause != kNone) {
        const auto index = static_cast<std::size_t>(life->pause);
        Intervention& pause = m_scenario.interventions[index];
        pause.length = std::max(now() - pause.at, Duration{1});
        m_trace->shortenIntervention(index, pause.length);
    }
    life->pausedUntil = Instant{};
    thaw(*life);
}

void LiveRun::schedule(std::size_t index) {
    at(m_scenario.interventions[index].at, [this, index] { intervene(index); });
}

/// What is to happen to its messages is known to the process beforehand: a word from here could come just too
/// late.
void LiveRun::tellOfFaults(Life& life) {
    using enum InterventionKind;
    for (std::size_t i = 0; i < m_scenario.interventions.size(); ++i) {
        const Intervention& fault = m_scenario.interventions[i];
        const bool ofMessage = fault.kind == LostRequest || fault.kind == LostReply || fault.kind == Delay ||
                               fault.kind == DelayReply;
        if (!ofMessage || actorNamed(fault.actor) != life.actor) continue;
        life.host.arm({fault.kind, fault.length, static_cast<std::int32_t>(i), fault.at});
        life.knownFaults.insert(i);
    }
}

void LiveRun::intervene(std::size_t index) {
    if (m_takenBack.contains(index)) return;
    const Intervention& intervention = m_scenario.interventions[index];
    if (infoOf(intervention.kind).target == InterventionTarget::Server) return applyToServer(index);
    const ActorIndex actor = actorNamed(intervention.actor);
    LOCKSCOPE_ASSERT(actor != kNone); // validate() has looked
    switch (intervention.kind) {
    case InterventionKind::Pause:
    case InterventionKind::Kill:
    case InterventionKind::Restart:
        return applyToProcess(index, actor);
    default: {
        // Of its messages, or its clock: the process itself says when that has taken effect.
        Life& life = *lifeOf(actor);
        if (!life.over && life.knownFaults.count(index) == 0)
            life.host.arm({intervention.kind, intervention.length, static_cast<std::int32_t>(index), {}});
    }
    }
}

void LiveRun::applyToProcess(std::size_t index, ActorIndex actor) {
    const Intervention& intervention = m_scenario.interventions[index];
    Life* life = lifeOf(actor);
    const bool alive = life != nullptr && !life->over && !life->killedAt;
    if (life == nullptr || !life->begun) return; // it has not started yet
    if (!alive && intervention.kind != InterventionKind::Restart) {
        const bool waits =
            intervention.kind == InterventionKind::Kill && m_restartsAfterLoads.erase(actor) > 0;
        return waits ? noteApplied(index, actor, kNone) : void();
    }
    noteApplied(index, actor, kNone);
    if (intervention.kind == InterventionKind::Pause) return pause(*life, index);
    if (alive) {
        life->host.kill();
        life->killedAt = now();
    }
    if (intervention.kind != InterventionKind::Restart) return;
    if (loads())
        m_restartsAfterLoads.insert(actor);
    else
        restart(actor);
}

void LiveRun::restart(ActorIndex actor) {
    Life& next = spawn(actor, now());
    next.process = m_trace->addProcess(actor);
    next.host.go(m_runStart);
}

void LiveRun::pause(Life& life, std::size_t index) {
    const Intervention& intervention = m_scenario.interventions[index];
    const bool stoodBy = std::exchange(life.standsBy, false); // then it is paused, and that is noted
    if (!life.host.isPaused()) {
        life.host.pause();
        noteProcess(EventKind::ProcessPaused, life, now());
        life.pause = static_cast<int>(index);
    } else if (stoodBy) {
        life.pause = static_cast<int>(index);
    }
    const Instant until = now() + intervention.length;
    life.pausedUntil = std::max(life.pausedUntil, until);
    at(until, [this, &life] {
        if (now() >= life.pausedUntil) thaw(life);
    });
}

void LiveRun::thaw(Life& life) {
    if (life.over || life.killedAt || !life.host.isPaused()) return;
    life.pause = kNone;
    if (loads()) { // its own pause is over, and that of all is not
        life.standsBy = true;
        return;
    }
    noteProcess(EventKind::ProcessResumed, life, now());
    life.host.resume();
}

void LiveRun::applyToServer(std::size_t index) {
    const Intervention& intervention = m_scenario.interventions[index];
    const auto number = static_cast<NodeIndex>(serverNode(intervention.actor));
    Node& node = m_nodes[static_cast<std::size_t>(number)];
    if (intervention.kind == InterventionKind::Admin) {
        noteApplied(index, m_trace->actorOutside(authorOf(intervention)), number);
        return runAsAdmin(intervention, number);
    }
    if (intervention.kind >= InterventionKind::ServerKill) return applyToLife(index, number);
    if (node.away) return;
    if (intervention.kind == InterventionKind::Load) {
        noteApplied(index, kNone, number);
        node.loads.push_back(index);
        return node.loads.size() == 1 ? load(number) : void();
    }
    const bool wasFrozen = now() < node.frozenUntil;
    if (!wasFrozen && !node.server->freeze()) return;
    noteApplied(index, kNone, number);
    if (!wasFrozen) noteServer(EventKind::ServerUnavailable, number, "stalled");
    node.frozenUntil = std::max(node.frozenUntil, now() + intervention.length);
    at(node.frozenUntil, [this, &node, number] { endStall(node, number); });
}

/// What was done is noted before its effect is.
void LiveRun::applyToLife(std::size_t index, NodeIndex number) {
    if (loads()) return m_livesAfterLoads.push_back(index);
    const Intervention& intervention = m_scenario.interventions[index];
    Node& node = m_nodes[static_cast<std::size_t>(number)];
    if (intervention.kind == InterventionKind::LinkCut) {
        if (!node.server->cutLink()) return;
        noteApplied(index, kNone, number);
        node.linkCutUntil = std::max(node.linkCutUntil, now() + intervention.length);
        return at(node.linkCutUntil, [this, &node] {
            if (now() >= node.linkCutUntil) node.server->mendLink();
        });
    }
    const Instant begin = now();
    if (std::exchange(node.frozenUntil, Instant{}) != Instant{}) {
        noteServer(EventKind::ServerAvailable, number, {});
        if (intervention.kind != InterventionKind::ServerKill) node.server->thaw();
    }
    if (intervention.kind == InterventionKind::ServerKill ? !node.server->kill()
        : intervention.kind == InterventionKind::Promote  ? !node.server->promote()
                                                          : !node.server->restart())
        return;
    noteApplied(index, kNone, number, begin);
}

void LiveRun::endStall(Node& node, NodeIndex index) {
    if (node.frozenUntil == Instant{} || now() < node.frozenUntil) return;
    node.frozenUntil = {};
    noteServer(EventKind::ServerAvailable, index, {});
    node.server->thaw();
}

void LiveRun::runAsAdmin(const Intervention& intervention, NodeIndex number) {
    const Node& node = m_nodes[static_cast<std::size_t>(number)];
    const Result<std::vector<std::string>> words = splitCommand(intervention.command);
    if (!words) return;
    std::vector<std::string_view> args(words->begin(), words->end());
    Result<std::vector<std::string>> moved = std::vector<std::string>();
    const Instant at = now();
    const RequestIndex request = m_trace->addAdminRequest(authorOf(intervention), number, *words, at);
    if (!m_place.isOurs()) {
        moved = underPrefix(args, m_keyPrefix.toStdString());
        if (!moved)
            return m_trace->adminNotSent(request, redis::Reply::error("ERR " + moved.error().message), at);
        args.assign(moved->begin(), moved->end());
    }
    const bool sent = node.console->send(args, [this, request](const CallResult& result) {
        if (m_trace && result.reply) m_trace->addAdminAnswer(request, *result.reply, now());
    });
    if (sent)
        m_trace->adminSent(request, *words, at, node.console->localName());
    else
        m_trace->adminNotSent(request, redis::Reply::error(kConnectionClosed), at);
}

// ---- loads

bool LiveRun::loads() const {
    return std::any_of(m_nodes.begin(), m_nodes.end(), [](const Node& node) { return !node.loads.empty(); });
}

/// The next one. A server that is told to fill up must not be asked what it executes: the answer would fill
/// it, too.
void LiveRun::load(NodeIndex number) {
    Node& node = m_nodes[static_cast<std::size_t>(number)];
    standBy();
    node.server->lookAway([this, &node, number] {
        m_trace->looksAway(number, now());
        fill(number, node.loads.front());
    });
}

void LiveRun::fill(NodeIndex number, std::size_t index) {
    Node& node = m_nodes[static_cast<std::size_t>(number)];
    const Load load = *parseLoad(m_scenario.interventions[index].command);
    auto* filling = new ServerLoad(node.server->endpoint(), load, node.loaded, m_timers.get());
    node.loaded += load.writes;
    connect(filling, &ServerLoad::finished, this, [this, &node, number, index](const TraceLoad& told) {
        m_trace->setLoad(index, told);
        m_late = std::max(m_late, told.took - kOfOneWrite * told.writes);
        node.loads.pop_front();
        if (!node.loads.empty()) return fill(number, node.loads.front());
        node.server->lookAgain([this, number] { loadIsOver(number); });
    });
    connect(filling, &ServerLoad::failed, this, &LiveRun::breakOff);
}

/// The run ends here, and says why.
void LiveRun::breakOff(const QString& why) {
    if (!running()) return;
    m_trace->setFailure(why.toStdString());
    finish();
}

void LiveRun::loadIsOver(NodeIndex number) {
    m_trace->looksAgain(number, now());
    if (!loads()) goOn();
}

void LiveRun::standBy() {
    for (const auto& life : m_lives) {
        if (life->over || life->killedAt || life->host.isPaused()) continue;
        life->host.pause();
        life->standsBy = true;
        if (life->begun) noteProcess(EventKind::ProcessPaused, *life, now());
    }
}

void LiveRun::goOn() {
    for (const auto& life : m_lives) {
        if (!std::exchange(life->standsBy, false) || life->over || life->killedAt) continue;
        if (life->begun) noteProcess(EventKind::ProcessResumed, *life, now());
        life->host.resume();
    }
    for (const ActorIndex actor : std::exchange(m_restartsAfterLoads, {}))
        restart(actor);
    for (const std::size_t index : std::exchange(m_livesAfterLoads, {}))
        applyToServer(index);
}

// ---- events
// ---------------------------------------------------------------------------------------------------

void LiveRun::noteApplied(std::size_t index, ActorIndex actor, NodeIndex node, std::optional<Instant> when) {
    Event event;
    event.at = when.value_or(now());
    event.kind = EventKind::InterventionApplied;
    event.a = static_cast<std::int64_t>(index);
    event.actor = actor;
    event.node = node;
    if (const Life* life = lifeOf(actor)) event.process = life->process;
    m_trace->note(event);
}

void LiveRun::noteProcess(EventKind kind, const Life& life, Instant at) {
    Event event;
    event.at = at;
    event.kind = kind;
    event.actor = life.actor;
    event.process = life.process;
    m_trace->note(event);
}

void LiveRun::noteServer(EventKind kind, NodeIndex node, std::string_view why) {
    if (!m_trace) return;
    Event event;
    event.at = now();
    event.kind = kind;
    event.node = node;
    event.text = m_trace->intern(why);
    m_trace->note(event);
}

} // namespace lockscope::live
