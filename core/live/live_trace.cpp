// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/live_trace.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/redis/numbers.h"
#include "core/world/shown_text.h"

namespace lockscope::live {

namespace {

/// So far the clocks of a server and of ours can be apart. What was answered before that has not been
/// executed just now: the same command may have been turned down many times before.
constexpr Duration kClockDoubt = millis(20);
constexpr std::size_t kLongestArgument = 64;

bool isGreeting(std::string_view command) {
    constexpr std::array<std::string_view, 5> kGreeting{"auth", "client", "hello", "ping", "select"};
    return std::find(kGreeting.begin(), kGreeting.end(), redis::lowered(command)) != kGreeting.end();
}

constexpr auto earlier = [](const Event& a, const Event& b) { return a.at < b.at; };

void insertInOrder(Trace& trace, const Event& event) {
    trace.events.insert(std::upper_bound(trace.events.begin(), trace.events.end(), event, earlier), event);
}

} // namespace

LiveTrace::LiveTrace(const Scenario& scenario, WorldKind world, std::int64_t epochMicros, bool monitored)
    : m_epochMicros(epochMicros), m_monitored(monitored), m_mirror(scenario.server.nodes, epochMicros) {
    describeRun(scenario, world, m_base);
}

// ---- processes

ProcessIndex LiveTrace::addProcess(ActorIndex actor) {
    int incarnation = 1;
    for (const TraceProcess& process : m_base.processes)
        if (process.actor == actor) ++incarnation;
    const auto index = static_cast<ProcessIndex>(m_base.processes.size());
    m_base.processes.push_back({actor, incarnation});
    m_appenders.emplace_back(m_base, actor, index);
    return index;
}

void LiveTrace::add(ProcessIndex process, const ActorReport& report) {
    ReportAppender& appender = m_appenders[static_cast<std::size_t>(process)];
    appender.append(report);
    for (const ActorReport::Sending& sending : report.sendings) {
        Sent sent;
        sent.request = appender.requestOf(sending.request);
        sent.node = m_base.requests[static_cast<std::size_t>(sent.request)].node;
        sent.client = clientOf(process, sent.node, sending.subscription);
        sent.at = sending.at;
        sent.args = sending.args;
        const bool ownWay = sending.subscription == kNoSubscription;
        remember(sent, {sent.node, ownWay ? m_addresses[{process, sent.node}] : sending.address});
    }
    for (const ActorReport::Leaving& leaving : report.leavings)
        addLeaving(clientOf(process, leaving.node, leaving.subscription), leaving.node, leaving.at);
    m_late = std::max(m_late, report.late);
    for (const ActorReport::Answer& answer : report.answers) {
        noteAnswer(appender.requestOf(answer.request), {answer.at, answer.shown, answer.flags});
    }
    for (const ActorReport::Happening& happening : report.events)
        if (happening.event.kind == EventKind::InterventionApplied && happening.event.a >= 0)
            m_base.interventions[static_cast<std::size_t>(happening.event.a)].applied = true;
    match();
}

redis::ClientId LiveTrace::clientOf(ProcessIndex process, NodeIndex node, unsigned subscription) {
    const auto [found, isNew] = m_clients.try_emplace({process, node, subscription}, 0);
    if (isNew) found->second = m_mirror.addClient(process, node, subscription);
    return found->second;
}

void LiveTrace::addLeaving(redis::ClientId client, NodeIndex node, Instant at) {
    addDeed({ServerDeed::Kind::Left, at, node, kNone, client, {}, m_seen++});
}

void LiveTrace::left(ProcessIndex process, Instant at) {
    for (const auto& [whose, client] : m_clients)
        if (std::get<0>(whose) == process) addLeaving(client, std::get<1>(whose), at);
}

void LiveTrace::note(const Event& event) {
    if (event.kind == EventKind::InterventionApplied)
        m_base.interventions[static_cast<std::size_t>(event.a)].applied = true;
    insertInOrder(m_base, event);
}

void LiveTrace::noteIntervention(const Intervention& i) {
    m_base.interventions.push_back(
        {std::string(infoOf(i.kind).id), i.actor, i.at, i.length, false, i.command, {}, i.by});
}

Instant LiveTrace::lastOf(ProcessIndex process) const {
    const auto last = std::find_if(m_base.events.rbegin(), m_base.events.rend(),
                                   [&](const Event& event) { return event.process == process; });
    return last == m_base.events.rend() ? Instant{} : last->at;
}

void LiveTrace::cutOffWorks(ProcessIndex process, Instant at) {
    std::vector<Event> open;
    for (const Event& event : m_base.events) {
        if (process != kNone && event.process != process) continue;
        if (event.kind == EventKind::WorkStarted || event.kind == EventKind::ComputeStarted)
            open.push_back(event);
        if (event.kind == EventKind::WorkEnded || event.kind == EventKind::ComputeEnded)
            std::erase_if(open, [&](const Event& started) { return started.task == event.task; });
    }
    for (Event event : open) {
        event.kind = event.kind == EventKind::WorkStarted ? EventKind::WorkEnded : EventKind::ComputeEnded;
        event.at = std::max(event.at, at);
        event.a = 0;
        insertInOrder(m_base, event);
    }
}

// ---- the host's own commands

ActorIndex LiveTrace::actorOutside(std::string_view who) {
    ActorIndex actor = outsideActor(m_base, who);
    if (actor == kNone) {
        actor = static_cast<ActorIndex>(m_base.actors.size());
        m_base.actors.push_back({std::string(who), true});
    }
    return actor;
}

RequestIndex LiveTrace::addAdminRequest(std::string_view who, NodeIndex node,
                                        const std::vector<std::string>& words, Instant at) {
    const ActorIndex actor = actorOutside(who);
    const std::vector<std::string_view> args(words.begin(), words.end());
    std::string text;
    for (const std::string_view word : args) {
        if (!text.empty()) text += ' ';
        appendTyped(word, kLongestArgument, text);
    }
    std::string name = words[0];
    for (char& c : name)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    TraceRequest request;
    request.actor = actor;
    request.node = node;
    request.command = m_base.strings.intern(name);
    request.text = m_base.strings.intern(text);
    request.key = m_base.strings.intern(redis::firstKeyOf(args));
    const bool onLock =
        std::any_of(m_base.lockKeys.begin(), m_base.lockKeys.end(), [&](const TraceLockKey& lock) {
            return lock.name == request.key && request.key != StringId::Empty;
        });
    request.ask = onLock && redis::canGrant(args);
    const auto index = static_cast<RequestIndex>(m_base.requests.size());
    m_base.requests.push_back(request);
    note(adminEvent(EventKind::RequestSent, index, at));
    return index;
}

void LiveTrace::adminSent(RequestIndex request, const std::vector<std::string>& words, Instant at,
                          const QString& address) {
    const NodeIndex node = m_base.requests[static_cast<std::size_t>(request)].node;
    remember({request, node, 0, at, words}, {node, address});
    match();
}

void LiveTrace::adminNotSent(RequestIndex request, const redis::Reply& why, Instant at) {
    note(adminEvent(EventKind::RequestLost, request, at));
    noteAdminReply(request, why, at);
}

void LiveTrace::addAdminAnswer(RequestIndex request, const redis::Reply& reply, Instant at) {
    noteAnswer(request, {at, redis::display(reply), replyFlags(reply)});
    noteAdminReply(request, reply, at);
}

Event LiveTrace::adminEvent(EventKind kind, RequestIndex request, Instant at) const {
    const TraceRequest& sent = m_base.requests[static_cast<std::size_t>(request)];
    Event event;
    event.at = at;
    event.kind = kind;
    event.actor = sent.actor;
    event.node = sent.node;
    event.request = request;
    event.key = sent.key;
    return event;
}

void LiveTrace::noteAdminReply(RequestIndex request, const redis::Reply& reply, Instant at) {
    Event event = adminEvent(EventKind::ReplyReceived, request, at);
    event.text = m_base.strings.intern(redis::display(reply));
    event.b = replyFlags(reply);
    note(event);
}

// ---- servers

void LiveTrace::linked(ProcessIndex process, NodeIndex node, const QString& address) {
    m_addresses[{process, node}] = address;
    m_links[{node, address}];
    match();
}

void LiveTrace::remember(const Sent& sent, const Address& address) {
    const auto index = static_cast<std::size_t>(sent.request);
    if (m_sentOf.size() <= index) m_sentOf.resize(index + 1, -1);
    m_sentOf[index] = static_cast<int>(m_sent.size());
    m_links[address].pending.push_back(m_sent.size());
    m_sent.push_back(sent);
}

void LiveTrace::saw(NodeIndex node, const SeenCommand& command) {
    m_waiting.push_back({command, node, m_seen++});
    match();
}

/// What a server has executed and what an actor says it has sent come by different ways, in either order.
void LiveTrace::match() {
    std::erase_if(m_waiting, [this](const Waiting& waiting) { return matchOne(waiting); });
}

/// True if that line is done with.
bool LiveTrace::matchOne(const Waiting& waiting) {
    const auto link = m_links.find({waiting.node, waiting.command.address});
    if (link == m_links.end() || link->second.pending.empty()) return false;
    std::deque<std::size_t>& pending = link->second.pending;
    const Instant seen = runInstant(waiting.command.unixMicros);
    const auto found = std::find_if(pending.begin(), pending.end(), [&](std::size_t index) {
        const Instant answered = answeredAt(m_sent[index]);
        const bool over = answered != kNever && answered + kClockDoubt < seen;
        const bool early = seen + kClockDoubt < m_sent[index].at; // of the greeting, say
        return !over && !early && m_sent[index].args == waiting.command.args;
    });
    // What a connection says before it carries requests is no request. Anything else has not been told of
    // yet, though something before it, which the server turned down, may still be pending.
    if (found == pending.end()) return !link->second.carried && isGreeting(waiting.command.args[0]);
    link->second.carried = true;
    Sent& sent = m_sent[*found];
    sent.seen = true;
    addDeed({ServerDeed::Kind::Command, runInstant(waiting.command.unixMicros), sent.node, sent.request,
             sent.client, sent.args, waiting.place});
    // A connection keeps its order, so those before it were turned down without being executed.
    pending.erase(pending.begin(), found + 1);
    return true;
}

void LiveTrace::sawRemoval(NodeIndex node, std::int64_t unixMicros, const QByteArray& key, bool evicted) {
    addDeed({evicted ? ServerDeed::Kind::Evicted : ServerDeed::Kind::Expired,
             runInstant(unixMicros),
             node,
             kNone,
             0,
             {key.toStdString()},
             m_seen++});
}

void LiveTrace::addDeed(ServerDeed deed) {
    // A reply that knew of it already has been taken for a doubt.
    if (deed.kind == ServerDeed::Kind::Evicted && !m_mirror.disagreements().empty()) m_anew = true;
    m_undone.insert(deed.place);
    m_deeds[deed.place] = std::move(deed);
}

void LiveTrace::wentDown(NodeIndex node, std::int64_t unixMicros) {
    m_deaths.emplace_back(node, runInstant(unixMicros));
    addDeed({ServerDeed::Kind::WentDown, runInstant(unixMicros), node, kNone, 0, {}, m_seen++});
}

void LiveTrace::cameUp(NodeIndex node, std::int64_t unixMicros, std::vector<redis::StoredCommand> keys,
                       EndReason why) {
    addDeed({ServerDeed::Kind::CameUp,
             runInstant(unixMicros),
             node,
             kNone,
             0,
             {},
             m_seen++,
             std::move(keys),
             why});
}

void LiveTrace::noteAnswer(RequestIndex request, const ServerAnswer& answer) {
    checkAnswer(request, answer);
    const auto index = static_cast<std::size_t>(request);
    if (m_answers.size() <= index) m_answers.resize(index + 1);
    m_answers[index] = answer;
    const Sent* sent = sentOf(request);
    if (sent == nullptr || !redis::equalsIgnoringCase(sent->args[0], "wait")) return;
    // How long it waited is only known now.
    m_anew = true;
    addDeed({ServerDeed::Kind::Answered,
             answer.at - Duration{1},
             sent->node,
             request,
             sent->client,
             {},
             m_seen++});
}

std::vector<std::string> LiveTrace::doubts() const {
    std::vector<std::string> out;
    for (const Disagreement& d : m_mirror.disagreements()) {
        const TraceRequest& request = m_base.requests[static_cast<std::size_t>(d.request)];
        out.push_back(fmt::format("{} to {} of {}: {} was expected", d.real, m_base.text(request.text),
                                  m_base.actors[static_cast<std::size_t>(request.actor)].name, d.mirrored));
    }
    return out;
}

} // namespace lockscope::live
