// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/fault_words.h"

#include <QCoreApplication>

#include <algorithm>

#include "core/base/assert.h"
#include "core/world/load.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {

struct FaultWords {
    Q_DECLARE_TR_FUNCTIONS(FaultWords)
};

QString tr(const char* text) {
    return FaultWords::tr(text);
}

/// How far a clock jumps, and which way.
QString jump(Duration by) {
    return by < Duration{0} ? tr("%1 back").arg(qstr(formatSecondsExact(-by)))
                            : tr("%1 ahead").arg(qstr(formatSecondsExact(by)));
}

/// "60000 writes of 1024 bytes, each for 60.0 s"
QString loadOf(const Intervention& fault) {
    const Result<Load> load = parseLoad(fault.command);
    if (!load) return qstr(fault.command);
    const QString much = tr("%1 writes of %2 bytes").arg(load->writes).arg(load->bytes);
    return load->ttl > Duration{0} ? tr("%1, each for %2").arg(much, qstr(formatSecondsExact(load->ttl)))
                                   : much;
}

} // namespace

Intervention faultFrom(const TraceIntervention& told) {
    const auto& kinds = interventionKinds();
    const auto info =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& known) { return known.id == told.kind; });
    LOCKSCOPE_ASSERT(info != kinds.end());
    return {info->kind, told.target, told.at, told.length, told.command, told.by};
}

QString faultName(InterventionKind kind) {
    switch (kind) {
    case InterventionKind::Pause:
        return tr("Pause");
    case InterventionKind::Kill:
        return tr("Kill");
    case InterventionKind::Restart:
        return tr("Restart");
    case InterventionKind::LostRequest:
        return tr("Lose request");
    case InterventionKind::LostReply:
        return tr("Lose reply");
    case InterventionKind::Delay:
        return tr("Delay request");
    case InterventionKind::DelayReply:
        return tr("Delay reply");
    case InterventionKind::Partition:
        return tr("Cut off");
    case InterventionKind::ClockJump:
        return tr("Clock jump");
    case InterventionKind::ServerStall:
        return tr("Stall Redis");
    case InterventionKind::ServerClockJump:
        return tr("Redis clock");
    case InterventionKind::Admin:
        return tr("Command");
    case InterventionKind::Load:
        return tr("Fill cache");
    case InterventionKind::ServerKill:
        return tr("Kill Redis");
    case InterventionKind::ServerRestart:
        return tr("Restart Redis");
    case InterventionKind::Promote:
        return tr("Promote replica");
    case InterventionKind::LinkCut:
        return tr("Cut replicas off");
    case InterventionKind::SaveFails:
        return tr("Fail snapshots");
    }
    LOCKSCOPE_ASSERT(false && "a kind of intervention");
    return {};
}

QString faultHelp(InterventionKind kind) {
    switch (kind) {
    case InterventionKind::Pause:
        return tr("Freeze the process. Its clock goes on, and so does the lease.");
    case InterventionKind::Kill:
        return tr("End the process at once, without a word to anybody.");
    case InterventionKind::Restart:
        return tr("Start it again as a new process, which owns nothing of the old one's.");
    case InterventionKind::LostRequest:
        return tr("The next request it sends never arrives.");
    case InterventionKind::LostReply:
        return tr("Its next request is executed, but the reply never arrives.");
    case InterventionKind::Delay:
        return tr("The next request it sends travels longer.");
    case InterventionKind::DelayReply:
        return tr("The reply to its next request travels longer.");
    case InterventionKind::Partition:
        return tr("Whatever it says to Redis, or Redis to it, is swallowed. No error tells it so.");
    case InterventionKind::ClockJump:
        return tr("Put the wall clock of its machine ahead, or back.");
    case InterventionKind::ServerStall:
        return tr("Redis does nothing for a while. Requests wait, leases go on running out.");
    case InterventionKind::ServerClockJump:
        return tr("Put the clock of Redis' machine ahead, or back. Leases end by that clock.");
    case InterventionKind::Admin:
        return tr("Somebody with a console runs a command on Redis.");
    case InterventionKind::Load:
        return tr("A cache that lives on the same Redis is filled: so many writes, all at once.");
    case InterventionKind::ServerKill:
        return tr("The power of Redis' machine fails. What is not safe on its disk is gone.");
    case InterventionKind::ServerRestart:
        return tr("Start Redis again with what is on its disk. One that runs is shut down first.");
    case InterventionKind::Promote:
        return tr("The replica that has heard most becomes the primary.");
    case InterventionKind::LinkCut:
        return tr("Nothing reaches the replicas for a while. Redis goes on answering OK.");
    case InterventionKind::SaveFails:
        return tr("Redis cannot write a snapshot for a while, and refuses to write at all.");
    }
    LOCKSCOPE_ASSERT(false && "a kind of intervention");
    return {};
}

QString faultOf(const Intervention& fault) {
    const QString who = qstr(fault.actor);
    switch (fault.kind) {
    case InterventionKind::Pause:
        return tr("pause of %1").arg(who);
    case InterventionKind::Kill:
        return tr("kill of %1").arg(who);
    case InterventionKind::Restart:
        return tr("restart of %1").arg(who);
    case InterventionKind::LostRequest:
        return tr("lost request of %1").arg(who);
    case InterventionKind::LostReply:
        return tr("lost reply to %1").arg(who);
    case InterventionKind::Delay:
        return tr("delayed request of %1").arg(who);
    case InterventionKind::DelayReply:
        return tr("delayed reply to %1").arg(who);
    case InterventionKind::Partition:
        return tr("cut-off of %1").arg(who);
    case InterventionKind::ClockJump:
    case InterventionKind::ServerClockJump:
        return tr("clock jump of %1").arg(who);
    case InterventionKind::ServerStall:
        return tr("stall of %1").arg(who);
    case InterventionKind::Admin:
        return tr("command \"%1\"").arg(qstr(fault.command));
    case InterventionKind::Load:
        return tr("load on %1").arg(who);
    case InterventionKind::ServerKill:
        return tr("kill of %1").arg(who);
    case InterventionKind::ServerRestart:
        return tr("restart of %1").arg(who);
    case InterventionKind::Promote:
        return tr("promotion on %1").arg(who);
    case InterventionKind::LinkCut:
        return tr("cut-off of %1's replicas").arg(who);
    case InterventionKind::SaveFails:
        return tr("failing snapshots of %1").arg(who);
    }
    LOCKSCOPE_ASSERT(false && "a kind of intervention");
    return {};
}

QString faultSentence(const Intervention& fault) {
    const QString who = qstr(fault.actor), at = exactSeconds(fault.at);
    const QString length = qstr(formatSecondsExact(fault.length));
    switch (fault.kind) {
    case InterventionKind::Pause:
        return tr("%1 paused %2 at %3").arg(who, length, at);
    case InterventionKind::Kill:
        return tr("%1 killed at %2").arg(who, at);
    case InterventionKind::Restart:
        return tr("%1 restarted at %2").arg(who, at);
    case InterventionKind::LostRequest:
        return tr("%1's next request after %2 is lost").arg(who, at);
    case InterventionKind::LostReply:
        return tr("%1's next reply after %2 is lost").arg(who, at);
    case InterventionKind::Delay:
        return tr("%1's next request after %2 takes %3 longer").arg(who, at, length);
    case InterventionKind::DelayReply:
        return tr("%1's next reply after %2 takes %3 longer").arg(who, at, length);
    case InterventionKind::Partition:
        return tr("%1 cut off from Redis %2 at %3").arg(who, length, at);
    case InterventionKind::ClockJump:
    case InterventionKind::ServerClockJump:
        return tr("%1's clock jumps %2 at %3").arg(who, jump(fault.length), at);
    case InterventionKind::ServerStall:
        return tr("%1 stalled %2 at %3").arg(who, length, at);
    case InterventionKind::Admin:
        return authorOf(fault) == kYouName
                   ? tr("You run %1 at %2").arg(qstr(fault.command), at)
                   : tr("%1 runs %2 at %3").arg(qstr(kAdminName), qstr(fault.command), at);
    case InterventionKind::Load:
        return tr("Cache on %1 filled at %3: %2").arg(who, loadOf(fault), at);
    case InterventionKind::ServerKill:
        return tr("%1 loses its power at %2").arg(who, at);
    case InterventionKind::ServerRestart:
        return tr("%1 is started again at %2").arg(who, at);
    case InterventionKind::Promote:
        return tr("A replica of %1 is promoted at %2").arg(who, at);
    case InterventionKind::LinkCut:
        return tr("%1's replicas cut off %2 at %3").arg(who, length, at);
    case InterventionKind::SaveFails:
        return tr("%1's snapshots fail %2 from %3 on").arg(who, length, at);
    }
    LOCKSCOPE_ASSERT(false && "a kind of intervention");
    return {};
}

QString faultOutcome(const Trace& trace, int fault) {
    const auto index = static_cast<std::size_t>(fault);
    if (fault < 0 || index >= trace.interventions.size()) return {};
    const TraceIntervention& told = trace.interventions[index];
    if (told.at > trace.reached || told.takenBack) return {};
    if (!told.applied) return QLatin1Char(' ') + tr("(it had no effect)");
    if (told.command.empty() || told.load) return {};
    const std::string_view answer = answerTo(trace, index);
    return QStringLiteral(" → ") + (answer.empty() ? tr("no answer") : qstr(answer));
}

} // namespace lockscope::ui
