// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/wording.h"

#include <array>

#include "core/trace/phrases.h"

namespace lockscope {

namespace {

// Set once before any window is made; a sentence has no other way to know the language.
Translator g_translator = nullptr;

int decimalsFor(Duration d) {
    const std::int64_t ms = (d.count() + 500) / 1000;
    if (d >= seconds(10) || ms % 100 == 0) return 1;
    return ms % 10 == 0 ? 2 : 3;
}

const Grant* grantOf(const Analysis& analysis, int grant) {
    return grant == kNone ? nullptr : &analysis.grants[static_cast<std::size_t>(grant)];
}

/// "from 31.0 s to 51.0 s", or "from 31.0 s on".
std::string span(const Trace& trace, const Violation& v) {
    if (v.until >= trace.reached) return say("from {0} on", sayTime(v.at));
    const std::string from = sayTime(v.at), to = sayTime(v.until);
    if (from != to) return say("from {0} to {1}", from, to);
    return say("from {0} to {1}", formatSecondsExact(v.at.time_since_epoch()),
               formatSecondsExact(v.until.time_since_epoch()));
}

std::string commandOf(const Trace& trace, RequestIndex request) {
    if (request == kNone) return translated("a command");
    return std::string(trace.text(trace.requests[static_cast<std::size_t>(request)].command));
}

std::string staleWrite(const Trace& trace, const Analysis&, const Violation& v) {
    const std::string who = nameOfActor(trace, v.actors[0]);
    const std::string whom = nameOfActor(trace, v.actors[1]);
    const std::string_view key = trace.text(v.key);
    if (v.claims[0] == kNone)
        return say("{0}, which never held {2}, overwrote what {1} had written under it, at {3}.", who, whom,
                   key, sayTime(v.at));
    return say("{0} overwrote newer data at {3}: {1} had written under a later grant of {2}.", who, whom, key,
               sayTime(v.at));
}

std::string foreignDelete(const Trace& trace, const Analysis& analysis, const Violation& v) {
    const std::string who = nameOfActor(trace, v.actors[0]);
    const std::string whom = nameOfActor(trace, v.actors[1]);
    const std::string_view key = trace.text(v.key);
    const std::string command = commandOf(trace, v.request);
    const Grant* g = grantOf(analysis, v.grant);
    switch (g ? g->end : EndReason::None) {
    case EndReason::Overwritten:
        return say("{0} put its own value over {1}'s lock {2} at {3} ({4}).", who, whom, key, sayTime(v.at),
                   command);
    case EndReason::Flushed:
        return say("{0} flushed the server at {3}, and {1}'s lock {2} with it.", who, whom, key,
                   sayTime(v.at));
    case EndReason::DeadlineInPast:
        return say("{0} put the deadline of {1}'s lock {2} into the past at {3} ({4}), which deletes it.",
                   who, whom, key, sayTime(v.at), command);
    default:
        return say("{0} deleted {1}'s lock {2} at {3} ({4}).", who, whom, key, sayTime(v.at), command);
    }
}

std::string foreignExtend(const Trace& trace, const Analysis& analysis, const Violation& v) {
    const std::string who = nameOfActor(trace, v.actors[0]);
    const std::string whom = nameOfActor(trace, v.actors[1]);
    const std::string_view key = trace.text(v.key);
    for (const DeadlineStep& step : analysis.deadlines)
        if (step.request == v.request && step.grant == v.grant && step.deadline != kNever)
            return say("{0} moved the deadline of {1}'s lock {2} to {4}, at {3}.", who, whom, key,
                       sayTime(v.at), sayTime(step.deadline));
    return say("{0} took away the deadline of {1}'s lock {2} at {3}.", who, whom, key, sayTime(v.at));
}

std::string beliefOverlap(const Trace& trace, const Analysis&, const Violation& v) {
    const std::string_view key = trace.text(v.key);
    if (v.actors[0] == v.actors[1])
        return say("Two strands of {0} both act as holder of {1} {2}.", nameOfActor(trace, v.actors[0]), key,
                   span(trace, v));
    return say("{0} and {1} both act as holder of {2} {3}.", nameOfActor(trace, v.actors[0]),
               nameOfActor(trace, v.actors[1]), key, span(trace, v));
}

std::string stuckLock(const Trace& trace, const Analysis& analysis, const Violation& v) {
    const std::string who = nameOfActor(trace, v.actors[0]);
    const std::string_view key = trace.text(v.key);
    const std::string when = span(trace, v);
    const Grant* g = grantOf(analysis, v.grant);
    if (g != nullptr && g->process != kNone &&
        !analysis.lives[static_cast<std::size_t>(g->process)].aliveAt(v.at))
        return say("{1} is locked by nobody {2}: its owner {0} is gone.", who, key, when);
    if (g != nullptr && g->claim == kNone)
        return say("{1} is locked by nobody {2}: {0} does not act on the lock it was granted.", who, key,
                   when);
    return say("{1} is locked by nobody {2}: {0} has left it.", who, key, when);
}

std::string unprotectedWork(const Trace& trace, const Analysis& analysis, const Violation& v) {
    const std::string who = nameOfActor(trace, v.actors[0]);
    const std::string_view key = trace.text(v.key);
    const std::string when = span(trace, v);
    const Grant* g = grantOf(analysis, v.grant);
    if (g == nullptr)
        return say("{0} works without the lock {1} {2}: it was refused and went on.", who, key, when);
    const std::string ended = sayTime(g->until);
    if (g->endedBy != kNone)
        return say("{0} works without the lock {1} {2}: {3} ended it at {4} ({5}).", who, key, when,
                   nameOfActor(trace, trace.requests[static_cast<std::size_t>(g->endedBy)].actor), ended,
                   commandOf(trace, g->endedBy));
    return say("{0} works without the lock {1} {2}: {3} at {4}.", who, key, when, wordFor(g->end), ended);
}

std::string starvation(const Trace& trace, const Analysis& analysis, const Violation& v) {
    const std::string who = nameOfActor(trace, v.actors[0]);
    const std::string_view key = trace.text(v.key);
    if (analysis.ownerAt(v.key, v.at) != kNone)
        return say("{0} waits for {1} and is passed over again and again, {2}.", who, key, span(trace, v));
    return say("{0} waits for {1} though it is free, {2}.", who, key, span(trace, v));
}

} // namespace

void setTranslator(Translator translator) {
    g_translator = translator;
}

std::string translated(const char* english) {
    return g_translator ? g_translator(english) : std::string(english);
}

std::string sayTime(Instant at) {
    if (at == kNever) return translated("never");
    return formatSeconds(at.time_since_epoch(), decimalsFor(at.time_since_epoch()));
}

std::string sayLength(Duration d) {
    if (d.count() == 0) return "0 s";
    return formatSeconds(d, d >= millis(100) ? 1 : 3);
}

std::string sayNumber(std::uint64_t n) {
    std::string out = fmt::format("{}", n);
    for (std::size_t at = out.size(); at > 3;)
        out.insert(at -= 3, ",");
    return out;
}

std::string nameOfActor(const Trace& trace, ActorIndex actor) {
    return actor == kNone ? translated("Somebody") : trace.actors[static_cast<std::size_t>(actor)].name;
}

std::string titleOf(Invariant invariant) {
    constexpr std::array<const char*, kInvariantCount> kTitles{"Old holder overwrote newer data",
                                                               "Deleted another's lock",
                                                               "Changed another's lock",
                                                               "Two act as holder",
                                                               "Locked by nobody",
                                                               "Works without the lock",
                                                               "Waits though free"};
    return translated(kTitles[static_cast<std::size_t>(invariant)]);
}

std::string shortTitleOf(Invariant invariant) {
    constexpr std::array<const char*, kInvariantCount> kTitles{
        "late overwrite", "foreign delete", "foreign extend",   "two hold it",
        "held by nobody", "works without",  "waits though free"};
    return translated(kTitles[static_cast<std::size_t>(invariant)]);
}

std::string wordFor(EndReason reason) {
    switch (reason) {
    case EndReason::None:
        return {};
    case EndReason::LeaseEnded:
        return translated("lease ended");
    case EndReason::Deleted:
        return translated("deleted");
    case EndReason::DeadlineInPast:
        return translated("deadline put into the past");
    case EndReason::Overwritten:
        return translated("overwritten");
    case EndReason::Evicted:
        return translated("evicted");
    case EndReason::Flushed:
        return translated("flushed");
    case EndReason::LostInFailover:
        return translated("lost in failover");
    case EndReason::LostAtRestart:
        return translated("lost at restart");
    }
    return {};
}

std::string sentenceFor(const Trace& trace, const Analysis& analysis, const Violation& v) {
    switch (v.invariant) {
    case Invariant::StaleWrite:
        return staleWrite(trace, analysis, v);
    case Invariant::ForeignDelete:
        return foreignDelete(trace, analysis, v);
    case Invariant::ForeignExtend:
        return foreignExtend(trace, analysis, v);
    case Invariant::BeliefOverlap:
        return beliefOverlap(trace, analysis, v);
    case Invariant::StuckLock:
        return stuckLock(trace, analysis, v);
    case Invariant::UnprotectedWork:
        return unprotectedWork(trace, analysis, v);
    case Invariant::Starvation:
        return starvation(trace, analysis, v);
    }
    return {};
}

std::string sentenceFor(const Outcome& outcome) {
    std::string line;
    const auto add = [&line](const std::string& part) {
        if (!line.empty()) line += " · ";
        line += part;
    };
    for (const Outcome::Goal& goal : outcome.goals)
        add(say("{0} made {1}× (wanted {2})", goal.label, goal.made, goal.wanted));
    add(say("lock idle {0}", sayLength(outcome.lockIdle)));
    add(say("blocked by nobody {0}", sayLength(outcome.blockedByNobody)));
    if (outcome.recovery.count() > 0) add(say("recovery {0}", sayLength(outcome.recovery)));
    if (outcome.gaveUpLive > 0) add(say("gave up a live lease {0}×", outcome.gaveUpLive));
    return line;
}

} // namespace lockscope
