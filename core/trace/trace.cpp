// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lockscope {

namespace {

// The order is that of the enumerations; the ids are part of the schema and never change.
constexpr std::array<std::string_view, 40> kEventNames{"process-started",
                                                       "process-paused",
                                                       "process-resumed",
                                                       "process-killed",
                                                       "process-ended",
                                                       "program-failed",
                                                       "task-started",
                                                       "task-ended",
                                                       "work-started",
                                                       "work-ended",
                                                       "compute-started",
                                                       "compute-ended",
                                                       "sleep-started",
                                                       "sleep-ended",
                                                       "logged",
                                                       "entered",
                                                       "left",
                                                       "request-sent",
                                                       "request-lost",
                                                       "request-executed",
                                                       "reply-lost",
                                                       "reply-received",
                                                       "request-timed-out",
                                                       "request-waits",
                                                       "message-sent",
                                                       "message-lost",
                                                       "message-received",
                                                       "receive-started",
                                                       "receive-ended",
                                                       "key-written",
                                                       "deadline-changed",
                                                       "lease-ended",
                                                       "key-removed",
                                                       "keyspace-event",
                                                       "write-accepted",
                                                       "write-rejected",
                                                       "resource-read",
                                                       "intervention-applied",
                                                       "server-unavailable",
                                                       "server-available"};
static_assert(kEventNames.size() == static_cast<std::size_t>(EventKind::ServerAvailable) + 1);

constexpr std::array<std::string_view, 9> kReasonNames{
    "none",    "lease-ended", "deleted",          "deadline-in-past", "overwritten",
    "evicted", "flushed",     "lost-in-failover", "lost-at-restart"};
static_assert(kReasonNames.size() == static_cast<std::size_t>(EndReason::LostAtRestart) + 1);

constexpr std::array<std::string_view, 4> kTaskNames{"main", "spawn", "every", "thread"};
static_assert(kTaskNames.size() == static_cast<std::size_t>(TaskKind::Thread) + 1);

constexpr std::array<std::string_view, 3> kWorldNames{"simulated", "embedded", "real"};
static_assert(kWorldNames.size() == static_cast<std::size_t>(WorldKind::LiveReal) + 1);

} // namespace

void Trace::clear() {
    schema = kTraceSchema;
    world = WorldKind::Simulated;
    lesson.clear();
    seed = 0;
    drewLots = false;
    horizon = Instant{};
    reached = Instant{};
    failure.clear();
    knobs.clear();
    interventions.clear();
    diverged.reset();
    divergences = 0;
    actors.clear();
    processes.clear();
    tasks.clear();
    requests.clear();
    lockKeys.clear();
    goals.clear();
    majorityOf = 0;
    server.clear();
    hasResource = false;
    fenceEnforced = false;
    statements.clear();
    strings.clear();
    events.clear();
}

ActorIndex outsideActor(const Trace& trace, std::string_view name) {
    for (std::size_t i = 0; i < trace.actors.size(); ++i)
        if (trace.actors[i].outside && trace.actors[i].name == name) return static_cast<ActorIndex>(i);
    return kNone;
}

std::string_view nameOf(EventKind kind) {
    return kEventNames[static_cast<std::size_t>(kind)];
}
std::string_view nameOf(EndReason reason) {
    return kReasonNames[static_cast<std::size_t>(reason)];
}
std::string_view nameOf(TaskKind kind) {
    return kTaskNames[static_cast<std::size_t>(kind)];
}
std::string_view nameOf(WorldKind kind) {
    return kWorldNames[static_cast<std::size_t>(kind)];
}

std::string_view answerTo(const Trace& trace, std::size_t intervention) {
    const TraceIntervention& told = trace.interventions[intervention];
    if (told.command.empty() || told.load) return {};
    // What is sent right after the intervention is its command.
    auto event = std::find_if(trace.events.begin(), trace.events.end(), [&](const Event& e) {
        return e.kind == EventKind::InterventionApplied && e.a == static_cast<std::int64_t>(intervention);
    });
    if (event == trace.events.end()) return {};
    const ActorIndex actor = event->actor;
    RequestIndex request = kNone;
    for (; event != trace.events.end(); ++event) {
        if (request == kNone && event->kind == EventKind::RequestSent && event->actor == actor)
            request = event->request;
        else if (request != kNone && event->kind == EventKind::RequestExecuted && event->request == request)
            return trace.text(event->text);
    }
    return {};
}

} // namespace lockscope
