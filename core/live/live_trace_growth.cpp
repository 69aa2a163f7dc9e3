// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The servers' part of a live trace, and the whole of it: while the run grows, and once more at its end.
#include <algorithm>
#include <utility>

#include "core/live/live_trace.h"

namespace lockscope::live {

namespace {

/// Without MONITOR: so long after its sending a command without an answer counts as executed. What was handed
/// to a socket arrives, also from a process that was stopped or killed just then.
constexpr Duration kUnansweredAfter = millis(200);
constexpr Duration kTypicalTravel{100};
/// So long the last words of a server that was killed may be under way.
constexpr Duration kLastWords = millis(50);
/// So long what a server has executed waits for the word of who sent it.
constexpr Duration kWordPatience = millis(150);

bool isEarlier(const Event& a, const Event& b) {
    return a.at < b.at;
}

/// A trace must not be copied as a whole: its strings are views into its own memory.
std::shared_ptr<Trace> copyOf(const Trace& from) {
    auto to = std::make_shared<Trace>();
    to->schema = from.schema;
    to->world = from.world;
    to->lesson = from.lesson;
    to->seed = from.seed;
    to->horizon = from.horizon;
    to->failure = from.failure;
    to->knobs = from.knobs;
    to->interventions = from.interventions;
    to->actors = from.actors;
    to->processes = from.processes;
    to->tasks = from.tasks;
    to->requests = from.requests;
    to->lockKeys = from.lockKeys;
    to->goals = from.goals;
    to->majorityOf = from.majorityOf;
    to->hasResource = from.hasResource;
    to->fenceEnforced = from.fenceEnforced;
    to->statements = from.statements;
    // Ids follow the order of first use, so the same strings in the same order get the same ones.
    for (std::size_t i = 0; i < from.strings.size(); ++i)
        to->strings.intern(from.strings.view(static_cast<StringId>(i)));
    return to;
}

} // namespace

Instant LiveTrace::answeredAt(const Sent& sent) const {
    const auto index = static_cast<std::size_t>(sent.request);
    return index < m_answers.size() && m_answers[index] ? m_answers[index]->at : kNever;
}

Instant LiveTrace::withinBounds(Instant at, const Sent& sent) const {
    const Duration tick{1};
    const Instant answered = answeredAt(sent);
    if (answered != kNever) at = std::min(at, answered - tick);
    return std::max(at, sent.at + tick);
}

/// What was sent is executed between its sending and its answer. Null if it was not.
const LiveTrace::Sent* LiveTrace::bound(ServerDeed& deed) const {
    const Sent* sent = deed.kind == ServerDeed::Kind::Command ? sentOf(deed.request) : nullptr;
    if (sent == nullptr) return nullptr;
    deed.at = withinBounds(deed.at, *sent);
    deed.earliest = withinBounds({}, *sent);
    deed.latest = withinBounds(kNever, *sent);
    return sent;
}

void LiveTrace::looksAgain(NodeIndex node, Instant at) {
    for (Blind& blind : m_blind)
        if (blind.node == node) blind.until = std::min(blind.until, at);
}

/// Whether it can have been executed while nobody saw what its server does.
bool LiveTrace::wasBlind(const Sent& sent) const {
    return std::any_of(m_blind.begin(), m_blind.end(), [&](const Blind& blind) {
        return blind.node == sent.node && sent.at < blind.until && blind.from < answeredAt(sent);
    });
}

/// Whether a server has answered it, and died before it could tell that it had executed it.
bool LiveTrace::wasItsLast(const Sent& sent) const {
    return answeredAt(sent) != kNever &&
           std::any_of(m_deaths.begin(), m_deaths.end(), [&](const auto& death) {
               return death.first == sent.node && sent.at < death.second &&
                      answeredAt(sent) < death.second + kLastWords;
           });
}

/// Nobody has told when these were executed. Where there is MONITOR these are the ones that a server turns
/// down before it would execute them, such as a command that it does not know, and what falls into the time
/// in which nobody looks.
void LiveTrace::placeUnseen(Instant reached, std::vector<ServerDeed>& deeds) const {
    for (const Sent& sent : m_sent) {
        const auto index = static_cast<std::size_t>(sent.request);
        const bool turnedDown =
            index < m_answers.size() && m_answers[index] && (m_answers[index]->flags & 1) != 0;
        // Whose line has not come long after its answer will have none, and was executed all the same.
        const bool lineLost = answeredAt(sent) != kNever && reached - answeredAt(sent) > kWordPatience;
        const bool toldLater =
            m_monitored && !turnedDown && !lineLost && !wasBlind(sent) && !wasItsLast(sent);
        if (sent.seen || toldLater) continue;
        if (answeredAt(sent) == kNever && reached - sent.at < kUnansweredAfter) continue;
        const auto placed = m_placed.find(sent.request);
        const Instant at = placed == m_placed.end() ? sent.at + kTypicalTravel : placed->second;
        deeds.push_back({ServerDeed::Kind::Command, at, sent.node, sent.request, sent.client, sent.args});
    }
}

const LiveTrace::Sent* LiveTrace::sentOf(RequestIndex request) const {
    const auto index = static_cast<std::size_t>(request);
    if (request == kNone || index >= m_sentOf.size() || m_sentOf[index] < 0) return nullptr;
    return &m_sent[static_cast<std::size_t>(m_sentOf[index])];
}

/// In the order of their instants. From here on those up to `until` count as done.
std::vector<ServerDeed> LiveTrace::allDeeds(Instant until) {
    std::vector<ServerDeed> deeds;
    for (const auto& [place, deed] : m_deeds)
        deeds.push_back(deed);
    placeUnseen(until, deeds);
    std::map<NodeIndex, Instant> last;
    m_undone.clear();
    m_lastAt.clear();
    m_unanswered.clear();
    for (ServerDeed& deed : deeds) {
        if (const Sent* sent = bound(deed)) {
            if (sent->seen) deed.at = last[deed.node] = std::max(deed.at, last[deed.node]);
        }
        if (deed.place == ServerDeed{}.place) continue;
        if (deed.at > until)
            m_undone.insert(deed.place);
        else if (deed.kind == ServerDeed::Kind::Command)
            m_lastAt[deed.node] = deed.at;
    }
    std::stable_sort(deeds.begin(), deeds.end(),
                     [](const ServerDeed& a, const ServerDeed& b) { return a.at < b.at; });
    return deeds;
}

void LiveTrace::replay(Instant until) {
    const std::vector<ServerDeed> deeds = allDeeds(until);
    m_serverEvents.clear();
    std::swap(m_base.events, m_serverEvents); // the mirror writes into the tables of the base
    m_mirror.replay(deeds, m_answers, until, m_base);
    std::swap(m_base.events, m_serverEvents);
    m_mirrored = until;
    m_anew = false;
    noteUnanswered(0);
}

/// The servers' part is whole as long as nobody's word is missing. A process that was stopped does not say
/// what it has sent: it is not waited for longer than a moment.
Instant LiveTrace::knownUntil(Instant reached) const {
    for (const Waiting& waiting : m_waiting) {
        const Instant at = runInstant(waiting.command.unixMicros);
        if (reached - at < kWordPatience) reached = std::min(reached, at - Duration{1});
    }
    return std::max(reached, m_mirrored);
}

/// False if something has come that belongs before what is done already, or tells it otherwise.
bool LiveTrace::goOn(Instant until) {
    if (m_anew) return false;
    std::vector<ServerDeed> deeds;
    std::map<NodeIndex, Instant> last = m_lastAt;
    for (const std::uint64_t place : m_undone) {
        ServerDeed deed = m_deeds.at(place);
        if (bound(deed)) deed.at = last[deed.node] = std::max(deed.at, last[deed.node]);
        if (deed.at > until) continue;
        if (deed.at < m_mirrored) return false;
        deeds.push_back(std::move(deed));
    }
    std::stable_sort(deeds.begin(), deeds.end(),
                     [](const ServerDeed& a, const ServerDeed& b) { return a.at < b.at; });
    for (const ServerDeed& deed : deeds) {
        m_undone.erase(deed.place);
        if (deed.kind == ServerDeed::Kind::Command)
            m_lastAt[deed.node] = std::max(m_lastAt[deed.node], deed.at);
    }
    const std::size_t before = m_serverEvents.size();
    const std::size_t doubts = m_mirror.disagreements().size();
    std::swap(m_base.events, m_serverEvents);
    const bool done = m_mirror.goOn(deeds, m_answers, until, m_base);
    std::swap(m_base.events, m_serverEvents);
    m_mirrored = until;
    noteUnanswered(before);
    // The mirror was not told of what comes after `until`, and that may explain a reply.
    return done && (m_mirror.disagreements().size() == doubts || !knowsOfLaterEviction());
}

bool LiveTrace::knowsOfLaterEviction() const {
    return std::any_of(m_undone.begin(), m_undone.end(), [this](std::uint64_t place) {
        return m_deeds.at(place).kind == ServerDeed::Kind::Evicted;
    });
}

/// Their answers are the store's, until the server's own are known.
void LiveTrace::noteUnanswered(std::size_t from) {
    for (std::size_t i = from; i < m_serverEvents.size(); ++i) {
        const Event& event = m_serverEvents[i];
        if (event.kind != EventKind::RequestExecuted || event.request == kNone) continue;
        if (!m_answers[static_cast<std::size_t>(event.request)]) m_unanswered[event.request] = i;
    }
}

void LiveTrace::checkAnswer(RequestIndex request, const ServerAnswer& answer) {
    const auto executed = m_unanswered.find(request);
    const Sent* sent = sentOf(request);
    const bool unseen = sent != nullptr && !sent->seen && ((answer.flags & 1) != 0 || wasBlind(*sent));
    if (unseen) m_anew = true; // nobody else tells that it was executed
    if (executed == m_unanswered.end()) return;
    const Event& event = m_serverEvents[executed->second];
    if (m_base.text(event.text) != answer.shown || event.at >= answer.at) m_anew = true;
    m_unanswered.erase(executed);
}

/// Puts one of two commands that were under way at the same time to the other side of the other.
bool LiveTrace::swapAround(const Sent& wrong, const Sent& other) {
    const Duration tick{1};
    const auto placeOf = [this](const Sent& sent) {
        const auto placed = m_placed.find(sent.request);
        return withinBounds(placed == m_placed.end() ? sent.at + kTypicalTravel : placed->second, sent);
    };
    const Instant here = placeOf(wrong);
    const Instant there = placeOf(other);
    if (here < there) {
        if (other.at + tick < here) return m_placed[other.request] = here - tick, true;
        if (there + tick < answeredAt(wrong)) return m_placed[wrong.request] = there + tick, true;
    } else {
        if (here + tick < answeredAt(other)) return m_placed[other.request] = here + tick, true;
        if (wrong.at + tick < there) return m_placed[wrong.request] = there - tick, true;
    }
    return false;
}

/// Tries to explain the first reply that does not fit by another order of commands that were under way then.
/// True if it fits now.
bool LiveTrace::reorder(Instant until) {
    const std::vector<Disagreement> before = m_mirror.disagreements();
    const auto wrong = std::find_if(m_sent.begin(), m_sent.end(),
                                    [&](const Sent& sent) { return sent.request == before.front().request; });
    if (wrong == m_sent.end()) return false;
    for (const Sent& other : m_sent) {
        const bool overlaps = other.node == wrong->node && other.request != wrong->request &&
                              other.at < answeredAt(*wrong) && wrong->at < answeredAt(other);
        const auto placed = m_placed;
        if (!overlaps || !swapAround(*wrong, other)) continue;
        replay(until);
        if (m_mirror.disagreements().size() < before.size()) return true;
        m_placed = placed;
    }
    replay(until);
    return false;
}

std::shared_ptr<Trace> LiveTrace::assemble(Instant reached) {
    reached = std::min(reached, m_base.horizon);
    if (reached == m_base.horizon) cutOffWorks(kNone, reached);
    m_answers.resize(m_base.requests.size());
    replay(reached);
    while (!m_monitored && !m_mirror.disagreements().empty() && reorder(reached)) {
    }
    m_anew = true; // nothing was waited for
    return merged(reached);
}

std::shared_ptr<Trace> LiveTrace::grow(Instant reached) {
    if (!m_monitored || reached >= m_base.horizon) return assemble(reached);
    m_answers.resize(m_base.requests.size());
    const Instant until = knownUntil(reached);
    if (!goOn(until)) replay(until);
    return merged(reached);
}

/// What actors and host tell, and what servers did.
std::shared_ptr<Trace> LiveTrace::merged(Instant reached) {
    const std::shared_ptr<Trace> trace = copyOf(m_base);
    trace->events.reserve(m_base.events.size() + m_serverEvents.size());
    std::merge(m_base.events.begin(), m_base.events.end(), m_serverEvents.begin(), m_serverEvents.end(),
               std::back_inserter(trace->events), isEarlier);
    std::erase_if(trace->events, [&](const Event& event) { return event.at > reached; });
    trace->reached = reached;
    return trace;
}

} // namespace lockscope::live
