// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The part of an actor's loop between its program and the servers: requests go out and replies come in,
// unless a fault that the host armed keeps one back.
#include <QTimer>

#include <algorithm>
#include <array>
#include <utility>

#include "core/live/actor_loop.h"
#include "core/live/key_prefix.h"
#include "core/redis/numbers.h"
#include "core/redis/sha1.h"
#include "core/redis/store.h"
#include "core/world/shown_text.h"

namespace lockscope::live {

namespace {

/// A server of the run's own is on this machine, and nobody else's; somebody's is spared.
const BackOff kOfOurs{std::chrono::milliseconds(10), std::chrono::milliseconds(50)};
const BackOff kOfSomebodys{std::chrono::milliseconds(50), std::chrono::milliseconds(1000)};

Duration beyondOwn(Duration latency) {
    return latency > ActorLoop::kOwnLatency ? latency : Duration{0};
}

} // namespace

void ActorLoop::connectTo(int node) {
    auto& link = *m_links.emplace_back(
        std::make_unique<Reconnector>(m_order.keyPrefix.isEmpty() ? kOfOurs : kOfSomebodys,
                                      m_order.seed + static_cast<std::uint64_t>(node)));
    const RedisEndpoint& endpoint = m_order.nodes[static_cast<std::size_t>(node)];
    const auto told = [this, node, &link](bool up, const QString& why) {
        say(frameOf(LinkChange{node, up, why, link.connection().localName()}));
    };
    connect(&link, &Reconnector::up, this, [this, told] {
        told(true, {});
        startWhenDue();
    });
    connect(&link, &Reconnector::down, this,
            [told, endpoint](const ConnectionFailure& failure) { told(false, describe(failure, endpoint)); });
    connect(&link, &Reconnector::gaveUp, this,
            [told, endpoint](const ConnectionFailure& failure) { told(false, describe(failure, endpoint)); });
    link.open(endpoint);
}

// ---- faults
// ---------------------------------------------------------------------------------------------------

void ActorLoop::interfere(const ArmedFault& fault) {
    if (fault.at > now()) {
        m_toCome.push_back(fault);
        return later(fault.at - now(), [this] { takeFaultsDue(); });
    }
    switch (fault.kind) {
    case InterventionKind::Partition:
        m_cutOffUntil = std::max(m_cutOffUntil, now() + fault.length);
        break;
    case InterventionKind::ClockJump:
        m_clockOffset += fault.length;
        break;
    case InterventionKind::LostReply:
    case InterventionKind::DelayReply:
        if (applyToFlight(fault)) break;
        [[fallthrough]];
    default:
        m_armed.push_back(fault); // the next request meets it
        return;
    }
    recordApplied(fault);
    report();
}

/// By this process' own clock, so that a request of the very instant meets its fault.
void ActorLoop::takeFaultsDue() {
    std::vector<ArmedFault> due;
    std::erase_if(m_toCome, [&](const ArmedFault& fault) {
        if (fault.at <= now()) due.push_back(fault);
        return fault.at <= now();
    });
    for (const ArmedFault& fault : due)
        interfere(fault);
}

/// A request that is under way: its reply can still be touched.
bool ActorLoop::applyToFlight(const ArmedFault& fault) {
    const auto flight = std::find_if(m_flights.begin(), m_flights.end(),
                                     [](const auto& f) { return !f->answered && !f->loseReply; });
    if (flight == m_flights.end()) return false;
    if (fault.kind == InterventionKind::LostReply)
        (*flight)->loseReply = true;
    else
        (*flight)->replyLatency += fault.length;
    return true;
}

void ActorLoop::recordApplied(const ArmedFault& fault) {
    Event& event = m_trace.events.emplace_back();
    event.at = now();
    event.kind = EventKind::InterventionApplied;
    event.a = fault.intervention;
}

// ---- requests and replies
// -------------------------------------------------------------------------------------

void ActorLoop::later(Duration wait, std::function<void()> what) {
    QTimer::singleShot(std::chrono::ceil<std::chrono::milliseconds>(wait), Qt::PreciseTimer, this,
                       [this, due = now() + wait, what = std::move(what)] {
                           noteLateness(due);
                           what();
                       });
}

std::shared_ptr<ActorLoop::Flight> ActorLoop::newFlight(RequestIndex request, const Wake& wake) {
    const auto flight = std::make_shared<Flight>();
    flight->request = request;
    flight->wake = wake;
    flight->node = m_trace.requests[static_cast<std::size_t>(request)].node;
    flight->replyLatency = beyondOwn(m_order.spec.replyLatency);
    return flight;
}

void ActorLoop::send(RequestIndex request, const Command& command, const Wake& wake) {
    noteScript(m_runtime.commands().arguments(command));
    launch(newFlight(request, wake), command);
}

/// Off it goes, unless a fault that was armed keeps it back.
void ActorLoop::launch(const std::shared_ptr<Flight>& flight, const Command& command) {
    takeFaultsDue();
    const auto args = m_runtime.commands().arguments(command);
    Duration latency = beyondOwn(m_order.spec.requestLatency);
    bool lost = false;
    for (const ArmedFault& fault : std::exchange(m_armed, {})) {
        if (fault.kind == InterventionKind::LostRequest) lost = true;
        if (fault.kind == InterventionKind::LostReply) flight->loseReply = true;
        if (fault.kind == InterventionKind::Delay) latency += fault.length;
        if (fault.kind == InterventionKind::DelayReply) flight->replyLatency += fault.length;
        recordApplied(fault);
    }
    if (lost || cutOff()) {
        recordRequest(EventKind::RequestLost, flight->request);
        return;
    }
    m_flights.push_back(flight);
    const std::vector<std::string> words(args.begin(), args.end());
    if (latency == Duration{0}) return dispatch(flight, words);
    later(latency, [this, flight, words] { dispatch(flight, words); });
}

void ActorLoop::dispatch(const std::shared_ptr<Flight>& flight, const std::vector<std::string>& args) {
    if (over()) return;
    if (cutOff()) {
        std::erase(m_flights, flight);
        recordRequest(EventKind::RequestLost, flight->request);
        return report();
    }
    std::vector<std::string_view> words(args.begin(), args.end());
    Result<std::vector<std::string>> moved = std::vector<std::string>();
    if (!m_order.keyPrefix.isEmpty()) {
        moved = underPrefix(words, m_order.keyPrefix.toStdString());
        if (!moved) return refuse(flight, "ERR " + moved.error().message);
        words.assign(moved->begin(), moved->end());
    }
    if (flight->subscription != kNoSubscription) return listen(flight, args);
    RedisConnection& connection = m_links[static_cast<std::size_t>(flight->node)]->connection();
    if (!connection.isReady()) return refuse(flight, kConnectionClosed);
    m_sendings.push_back({flight->request, now(), args, kNoSubscription, {}});
    report(); // if this process is killed now, the host knows what the server may have been sent
    connection.send(words, [this, flight](const CallResult& result) { onResult(flight, result); });
}

/// The request is not sent at all. The program gets its answer from the event loop, as any other.
void ActorLoop::refuse(const std::shared_ptr<Flight>& flight, const std::string& why) {
    std::erase(m_flights, flight);
    recordRequest(EventKind::RequestLost, flight->request);
    later(Duration{0},
          [this, flight, why] { answer(flight->request, flight->wake, redis::Reply::error(why)); });
}

/// The scheduler has the time-outs; here a call either gets its reply or is lost with the connection.
void ActorLoop::onResult(const std::shared_ptr<Flight>& flight, const CallResult& result) {
    flight->answered = true;
    std::erase(m_flights, flight);
    if (over()) return;
    if (!result.reply) return answer(flight->request, flight->wake, redis::Reply::error(kConnectionClosed));
    m_answers.push_back({flight->request, now(), redis::display(*result.reply), replyFlags(*result.reply)});
    if (flight->replyLatency == Duration{0}) return deliver(flight, *result.reply);
    report();
    later(flight->replyLatency, [this, flight, reply = *result.reply] { deliver(flight, reply); });
}

void ActorLoop::deliver(const std::shared_ptr<Flight>& flight, const redis::Reply& reply) {
    if (over()) return;
    if (!flight->loseReply && !cutOff()) return answer(flight->request, flight->wake, reply);
    recordRequest(EventKind::ReplyLost, flight->request);
    report();
}

void ActorLoop::answer(RequestIndex request, const Wake& wake, const redis::Reply& reply) {
    if (over()) return;
    noteStop();
    m_runtime.box().refill();
    {
        const Turn turn(*this);
        m_scheduler.reply(wake, request, reply, m_trace.strings.intern(redis::display(reply)),
                          replyFlags(reply));
    }
    report();
    armTimer();
}

Event& ActorLoop::recordRequest(EventKind kind, RequestIndex request) {
    const TraceRequest& sent = m_trace.requests[static_cast<std::size_t>(request)];
    Event& event = m_trace.events.emplace_back();
    event.at = now();
    event.kind = kind;
    event.actor = 0;
    event.process = 0;
    event.task = sent.task;
    event.node = sent.node;
    event.request = request;
    event.key = sent.key;
    event.line = sent.line;
    return event;
}

/// So that an EVALSHA of a script that this process has sent before can be told from a release.
void ActorLoop::noteScript(std::span<const std::string_view> args) {
    const bool eval = args.size() > 2 && redis::equalsIgnoringCase(args[0], "eval");
    const bool load = args.size() == 3 && redis::equalsIgnoringCase(args[0], "script") &&
                      redis::equalsIgnoringCase(args[1], "load");
    if (!eval && !load) return;
    const std::string_view script = args[eval ? 1 : 2];
    m_scripts.try_emplace(redis::sha1Hex(script), script);
}

bool ActorLoop::canGrant(const Command& command, NodeIndex) {
    const auto args = m_runtime.commands().arguments(command);
    if (args.size() < 2) return false;
    const auto script = m_scripts.find(redis::lowered(args[1]));
    if (script == m_scripts.end()) return false;
    const std::array<std::string_view, 3> asEval{"EVAL", script->second, "0"};
    return redis::canGrant(asEval);
}

} // namespace lockscope::live
