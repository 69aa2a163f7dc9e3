// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One line for every kind of event.

#include "core/trace/phrases.h"
#include "core/trace/wording.h"

namespace lockscope {

namespace {

std::string deadlineOf(std::int64_t micros) {
    return sayTime(instantAt(Duration{micros}));
}

std::string_view commandText(const Trace& trace, const Event& e) {
    if (e.request == kNone) return {};
    return trace.text(trace.requests[static_cast<std::size_t>(e.request)].text);
}

std::string taskStarted(const Trace& trace, const Event& e, const std::string& who) {
    const TraceTask& task = trace.tasks[static_cast<std::size_t>(e.task)];
    switch (task.kind) {
    case TaskKind::Main:
        return say("The program of {0} begins", who);
    case TaskKind::Thread:
        return say("{0} starts a thread", who);
    case TaskKind::Every:
        if (task.period.count() > 0)
            return say("{0} starts to do something every {1}", who, sayLength(task.period));
        break;
    case TaskKind::Spawn:
        break;
    }
    return say("{0} starts a task", who);
}

std::string message(const Trace& trace, const Event& e, const std::string& who) {
    const std::string_view command = commandText(trace, e);
    switch (e.kind) {
    case EventKind::RequestSent:
        return say("{0} sends {1}", who, command);
    case EventKind::RequestLost:
        return say("The request of {0} is lost: {1}", who, command);
    case EventKind::RequestExecuted:
        return say("Redis runs {1} of {0}: {2}", who, command, trace.text(e.text));
    case EventKind::RequestWaits:
        return say("Redis lets {0} wait: {1}", who, command);
    case EventKind::ReplyLost:
        return say("The reply to {0} is lost: {1}", who, command);
    case EventKind::ReplyReceived:
        if ((e.b & 4) != 0) return say("Too late, {0} is answered {1}", who, trace.text(e.text));
        return say("{0} is answered {1}", who, trace.text(e.text));
    default:
        return say("{0} gives up waiting for the reply: whether {1} was run is unknown", who, command);
    }
}

std::string channelEvent(const Trace& trace, const Event& e, const std::string& who) {
    const std::string_view channel = trace.text(e.text);
    const std::string_view text = trace.text(e.text2);
    switch (e.kind) {
    case EventKind::MessageSent:
        return say("Redis sends {0} a message of {1}: {2}", who, channel, text);
    case EventKind::MessageLost:
        return say("A message of {1} to {0} is lost: {2}", who, channel, text);
    case EventKind::MessageReceived:
        return say("A message of {1} reaches {0}: {2}", who, channel, text);
    case EventKind::ReceiveStarted:
        if (instantAt(Duration{e.a}) == kNever) return say("{0} listens to {1}", who, channel);
        return say("{0} listens to {1} until {2}", who, channel, deadlineOf(e.a));
    default:
        if (e.b == 0) return say("{0} has heard nothing of {1}", who, channel);
        return say("{0} hears of {1}: {2}", who, channel, text);
    }
}

std::string keyEvent(const Trace& trace, const Event& e, const std::string& who) {
    const std::string_view key = trace.text(e.key);
    switch (e.kind) {
    case EventKind::KeyWritten:
        if (instantAt(Duration{e.a}) == kNever)
            return say("{0} is set to {1} by {2}, without a deadline", key, trace.text(e.text), who);
        return say("{0} is set to {1} by {2}, until {3}", key, trace.text(e.text), who, deadlineOf(e.a));
    case EventKind::DeadlineChanged:
        if (instantAt(Duration{e.a}) == kNever) return say("{1} takes the deadline from {0}", key, who);
        return say("{1} moves the deadline of {0} to {2}", key, who, deadlineOf(e.a));
    case EventKind::LeaseEnded:
        return say("The lease of {0} ends", key);
    case EventKind::KeyRemoved:
        if (e.reason == EndReason::LeaseEnded) return say("{0}, dead already, is removed from memory", key);
        if (e.request == kNone) return say("{0} is removed: {1}", key, wordFor(e.reason));
        return say("{0} is removed by {2}: {1}", key, wordFor(e.reason), who);
    default:
        return say("Keyspace event {1} for {0}", key, trace.text(e.text));
    }
}

std::string resourceEvent(const Trace& trace, const Event& e, const std::string& who) {
    const std::string_view name = trace.text(e.text);
    const std::string_view value = trace.text(e.text2);
    switch (e.kind) {
    case EventKind::WriteAccepted:
        if (e.a >= 0)
            return say("{0} writes {1} = {2} with fence {3}: accepted, version {4}", who, name, value, e.a,
                       e.b);
        return say("{0} writes {1} = {2}: accepted, version {3}", who, name, value, e.b);
    case EventKind::WriteRejected:
        if (e.a >= 0) return say("{0} writes {1} = {2}: rejected, {3} < {4}", who, name, value, e.a, e.b);
        return say("{0} writes {1} = {2}: rejected, it gives no fence", who, name, value);
    default:
        return say("{0} reads {1}, version {2}", who, name, e.b);
    }
}

/// 45249 as "45,249".
std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(at - 3, ",");
    return digits;
}

std::string megabytes(std::int64_t bytes) {
    return fmt::format("{:.1f}", static_cast<double>(bytes) / (1 << 20));
}

std::string interventionApplied(const TraceIntervention& i, std::int64_t number, const std::string& who) {
    const std::string& whom = i.target.empty() ? who : i.target;
    if (i.load)
        return say("Intervention {0}: a cache is filled on {1}, {2}", number, whom, sentenceFor(*i.load));
    if (!i.command.empty()) return say("Intervention {1}: {0} runs {2}", i.kind, number, i.command);
    if (i.length.count() < 0)
        return say("Intervention {2}: {0} back by {1}, on {3}", i.kind, sayLength(-i.length), number, whom);
    if (i.length.count() > 0)
        return say("Intervention {2}: {0} for {1}, on {3}", i.kind, sayLength(i.length), number, whom);
    return say("Intervention {1}: {0}, on {2}", i.kind, number, whom);
}

} // namespace

std::string outcomeOf(const Trace& trace, std::size_t intervention) {
    const TraceIntervention& i = trace.interventions[intervention];
    const auto number = static_cast<std::int64_t>(intervention) + 1;
    if (i.at > trace.reached || i.takenBack) return {};
    if (i.load) return sentenceFor(*i.load);
    if (!i.applied) return say("{0} (it had no effect)", interventionApplied(i, number, i.target));
    if (i.command.empty()) return {};
    const std::string_view answer = answerTo(trace, intervention);
    return say("{0} → {1}", interventionApplied(i, number, i.target),
               answer.empty() ? translated("no answer") : std::string(answer));
}

std::string sentenceFor(const TraceLoad& load) {
    std::string text = say("{0} writes: ", grouped(load.writes));
    if (load.refused == 0)
        text += translated("each answered OK");
    else if (load.refused == load.writes)
        text += translated("each refused, OOM");
    else
        text += say("{0} answered OK, {1} refused, OOM, the first of them number {2}",
                    grouped(load.writes - load.refused), grouped(load.refused), grouped(load.firstRefused));
    if (load.evicted == 1)
        text += translated("; one key dropped to make room");
    else if (load.evicted > 1)
        text += say("; {0} keys dropped to make room", grouped(load.evicted));
    if (load.limitBytes > 0)
        text += say("; {0} of {1} MB used", megabytes(load.usedBytes), megabytes(load.limitBytes));
    return text;
}

std::string sentenceFor(const Trace& trace, const Event& e) {
    const std::string who = nameOfActor(trace, e.actor);
    const std::string_view label = trace.text(e.text);
    const std::string_view key = trace.text(e.key);
    switch (e.kind) {
    case EventKind::ProcessStarted: {
        const int life =
            e.process == kNone ? 1 : trace.processes[static_cast<std::size_t>(e.process)].incarnation;
        return life > 1 ? say("{0} starts again, as a new process", who) : say("{0} starts", who);
    }
    case EventKind::ProcessPaused:
        return say("{0} is paused", who);
    case EventKind::ProcessResumed:
        return say("{0} goes on", who);
    case EventKind::ProcessKilled:
        return say("{0} is killed", who);
    case EventKind::ProcessEnded:
        return say("The program of {0} has ended", who);
    case EventKind::ProgramFailed:
        return say("An error ends the program of {0}: {1} (line {2})", who, label, e.line);
    case EventKind::TaskStarted:
        return taskStarted(trace, e, who);
    case EventKind::TaskEnded:
        return e.text2 == StringId::Empty ? say("A task of {0} ends", who)
                                          : say("A task of {0} is cancelled", who);
    case EventKind::WorkStarted:
        return say("{0} works: {1}", who, label);
    case EventKind::ComputeStarted:
        return say("{0} computes: {1}", who, label);
    case EventKind::WorkEnded:
    case EventKind::ComputeEnded:
        return e.b == 1 ? say("{0} has finished {1}", who, label) : say("{0} is cut off in {1}", who, label);
    case EventKind::SleepStarted:
        return say("{0} sleeps until {1}", who, deadlineOf(e.a));
    case EventKind::SleepEnded:
        return say("{0} wakes", who);
    case EventKind::Logged:
        return say("{0} notes: {1}", who, label);
    case EventKind::Entered:
        return e.b >= 0 ? say("{0} acts as holder of {1} from here, fence {2}", who, key, e.b)
                        : say("{0} acts as holder of {1} from here", who, key);
    case EventKind::Left:
        return say("{0} no longer acts as holder of {1}", who, key);
    case EventKind::RequestSent:
    case EventKind::RequestLost:
    case EventKind::RequestExecuted:
    case EventKind::ReplyLost:
    case EventKind::ReplyReceived:
    case EventKind::RequestTimedOut:
    case EventKind::RequestWaits:
        return message(trace, e, who);
    case EventKind::MessageSent:
    case EventKind::MessageLost:
    case EventKind::MessageReceived:
    case EventKind::ReceiveStarted:
    case EventKind::ReceiveEnded:
        return channelEvent(trace, e, who);
    case EventKind::KeyWritten:
    case EventKind::DeadlineChanged:
    case EventKind::LeaseEnded:
    case EventKind::KeyRemoved:
    case EventKind::KeyspaceEvent:
        return keyEvent(trace, e, who);
    case EventKind::WriteAccepted:
    case EventKind::WriteRejected:
    case EventKind::ResourceRead:
        return resourceEvent(trace, e, who);
    case EventKind::InterventionApplied: {
        const auto index = static_cast<std::size_t>(e.a);
        if (index >= trace.interventions.size()) return say("An intervention takes effect on {0}", who);
        return interventionApplied(trace.interventions[index], e.a + 1, who);
    }
    case EventKind::ServerUnavailable:
        return say("Redis cannot answer: {0}", label);
    case EventKind::ServerAvailable:
        return say("Redis answers again");
    }
    return {};
}

} // namespace lockscope
