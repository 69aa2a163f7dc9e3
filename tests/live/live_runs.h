// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <QTestEventLoop>

#include <memory>
#include <string>
#include <vector>

#include "core/lesson/judged_run.h"
#include "core/live/live_run.h"

namespace lockscope::live::test {

inline constexpr const char* kBlindRelease = R"(
    local token = uuid()
    local function ask() return redis.call("SET", lock, token, "NX", "PX", ttl) end
    if actor ~= "A" or not ask() then wait(every(poll, ask)) end
    enter(lock)
    work("Report", actor == "A" and long or short)
    leave(lock)
    redis.call("DEL", lock))";

/// Two servers, a lease of 600 ms: A works 200 ms unless something holds it up; B asks every 50 ms, works as
/// long.
inline Scenario twoServers(const char* source = kBlindRelease) {
    auto program = std::make_shared<Program>();
    program->name = "server";
    program->source = source;
    program->file = "test.md";
    Scenario scenario;
    scenario.lesson = "test";
    scenario.knobs = {
        {"ttl", millis(600)}, {"poll", millis(50)}, {"long", millis(200)}, {"short", millis(200)}};
    for (const char* name : {"A", "B"}) {
        ActorSpec actor;
        actor.name = name;
        actor.program = program;
        scenario.actors.push_back(actor);
    }
    scenario.lockKeys.emplace_back().patience = millis(500);
    scenario.lockKeyNames = {"lock"};
    scenario.horizon = instantAt(millis(1500));
    return scenario;
}

struct Ran {
    QString failure;
    JudgedRun run;
    std::vector<std::string> doubts;
    Duration late{0};

    /// The invariants that broke, in order, with who broke them.
    QStringList violations() const {
        QStringList out;
        for (const Violation& v : run.violations) {
            const auto who = run.trace.actors[std::size_t(v.actors[0])].name;
            out += QString::fromStdString(std::string(nameOf(v.invariant)) + " " + who);
        }
        return out;
    }
    std::vector<const Event*> all(EventKind kind) const {
        std::vector<const Event*> out;
        for (const Event& event : run.trace.events)
            if (event.kind == kind) out.push_back(&event);
        return out;
    }
    /// Each executed command as `actor command → reply`.
    QStringList executed(const char* actor) const {
        QStringList out;
        for (const Event* event : all(EventKind::RequestExecuted)) {
            if (run.trace.actors[std::size_t(event->actor)].name != actor) continue;
            const TraceRequest& request = run.trace.requests[std::size_t(event->request)];
            out += QString::fromStdString(std::string(run.trace.text(request.command)) + " → " +
                                          std::string(run.trace.text(event->text)));
        }
        return out;
    }
};

inline Ran runOnce(const Scenario& scenario, const LivePlace& place,
                   const std::shared_ptr<Janitor>& janitor) {
    LiveRun live(place, janitor);
    Ran ran;
    QObject::connect(&live, &LiveRun::failed, &live, [&](const QString& why) { ran.failure = why; });
    if (const Result<void> started = live.start(scenario); !started) {
        ran.failure = QString::fromStdString(started.error().message);
        return ran;
    }
    // A loop that has no rests between its turns, as QTest's own has.
    QTestEventLoop loop;
    QObject::connect(&live, &LiveRun::finished, &loop, &QTestEventLoop::exitLoop);
    QObject::connect(&live, &LiveRun::failed, &loop, &QTestEventLoop::exitLoop);
    if (live.state() != LiveRun::State::Over) loop.enterLoop(20);
    if (live.state() != LiveRun::State::Over) ran.failure = "it does not end";
    if (const auto trace = live.trace()) {
        ran.run.trace = std::move(*trace);
        judge(ran.run);
        ran.doubts = live.doubts();
        ran.late = live.lateness();
    }
    return ran;
}

/// So often a run is tried that the machine may have held up.
inline constexpr int kTries = 12;

/// A run in which nothing was as late as the stories' leases and patience would notice: one that the machine
/// held up is another story, and is tried again.
inline Ran run(const Scenario& scenario, const LivePlace& place, const std::shared_ptr<Janitor>& janitor) {
    Ran ran = runOnce(scenario, place, janitor);
    for (int times = 1; times < kTries && ran.failure.isEmpty() && ran.late > millis(50); ++times)
        ran = runOnce(scenario, place, janitor);
    return ran;
}

/// Empty if the events are sorted, and nothing is answered before it was executed or executed before it was
/// sent; but for who is told that his connection has ended, or that he has none.
inline QString disorderIn(const Trace& trace) {
    std::vector<int> reached(trace.requests.size(), 0); // 1: sent, 2: executed
    Instant last{};
    for (const Event& event : trace.events) {
        const QString when = QStringLiteral(" at %1 µs").arg(micros(event.at));
        if (event.at < last) return "not sorted" + when;
        last = event.at;
        if (event.request == kNone) continue;
        int& stage = reached[std::size_t(event.request)];
        const TraceRequest& request = trace.requests[std::size_t(event.request)];
        const QString what = QString::fromStdString(std::string(trace.text(request.text))) + when;
        if (event.kind == EventKind::RequestSent && stage++ != 0) return "sent again: " + what;
        if (event.kind == EventKind::RequestExecuted && stage++ != 1) return "executed too early: " + what;
        const bool closed = trace.text(event.text).starts_with("(error) CLOSED");
        if (event.kind == EventKind::ReplyReceived && stage != 2 && !closed) return "not executed: " + what;
    }
    return {};
}

} // namespace lockscope::live::test
