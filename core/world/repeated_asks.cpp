// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Asking again without running the program.
//
// Who waits for a lock asks at every tick of every(), is refused, and asks again: thirty times in one lesson
// the same few instructions of Lua lead to the same command and the same refusal. When it is certain that
// they would, they need not run: the scheduler sends the command as the last firing did, and when the same
// reply comes it goes on as after that one. That saves half of what a poll costs, and so a third of a run.
//
// It is certain if
//   * the function only reads, and calls once (readsAndCallsOnce()), no value of its program can have a
//     metatable, and that one call was redis.call or redis.pcall, made by the function itself;
//   * nothing of this process has run since the last firing ended, so that it would read what it read then.
// Time, chance and everything else of the API are calls, so a function that uses them is none of these.
//
// Most of the time even the round trip is certain: the last one was alone (nothing came between its request,
// its execution without an effect, and its reply), nothing has happened to that server since, and nothing in
// the world is due before the next ones would be over. Then they are only written into the trace, as many as
// fit (leap()); what makes that certain is the host's to say (foresight.cpp).
//
// As soon as anything else happens to such a task (another reply, a time-out) or is about to run in the
// process, the function is entered for real, up to its call, and stands there as if it always had. Invariant:
// a trace is the same as if every firing had been run. The steps a firing takes are charged alike.

#include <algorithm>

#include "core/base/assert.h"
#include "core/world/task_scheduler.h"

namespace lockscope {

namespace {

constexpr std::int64_t kAmpleSteps = 50'000; // so near to the end of the budget everything runs
constexpr std::size_t kEventsOfPoll = 3;     // sent, executed, received
constexpr std::int64_t kLentSteps = 50'000;  // more than a function without a loop takes to its call

} // namespace

/// A firing is about to run: what it does is noted.
void TaskScheduler::noteFiring(Task& t) {
    t.repeated.known = false;
    if (!t.repeated.possible) return;
    t.repeated.noting = Noting::Asking;
    t.repeated.left = m_runtime.box().left();
}

/// The task has stopped for the first time in this firing, or once more.
void TaskScheduler::noteStop(Task& t, lua_State* L) {
    RepeatedAsk& r = t.repeated;
    lua_Debug level;
    const bool asks = r.noting == Noting::Asking && t.operation.kind == Operation::Kind::Call &&
                      t.operation.subscription == kNoSubscription &&
                      lua_getstack(L, 2, &level) == 0; // redis.call, the function, and nothing between
    r.noting = asks ? Noting::Asked : Noting::Nothing;
    if (!asks) return;
    r.operation = t.operation;
    r.stepsToAsk = r.left - m_runtime.box().left();
    r.runs = m_runs;
}

void TaskScheduler::noteAnswer(Task& t, const redis::Reply& reply) {
    RepeatedAsk& r = t.repeated;
    if (r.noting != Noting::Asked) return;

    r.noting = Noting::Answered;
    r.reply = reply;
    r.left = m_runtime.box().left();
}

/// The firing is over, and the next tick will fire again.
void TaskScheduler::noteEnd(Task& t) {
    RepeatedAsk& r = t.repeated;
    r.known = r.noting == Noting::Answered && m_runs == r.runs + 1;
    r.noting = Noting::Nothing;
    if (!r.known) return;
    r.stepsToEnd = r.left - m_runtime.box().left();
    r.runs = m_runs;
    noteWhetherAlone(t);
}

bool TaskScheduler::canAskAgain(const Task& t) const {
    const bool nobodyRuns = m_current == kNoTask && m_readyNext == m_ready.size();
    return t.repeated.known && t.state == State::Idle && t.repeated.runs == m_runs && nobodyRuns &&
           m_runtime.box().left() >= kAmpleSteps;
}

/// Instead of a firing: true if it asks what the last one asked.
bool TaskScheduler::askAgain(unsigned number) {
    Task& t = task(number);
    if (!canAskAgain(t)) return false;
    const RepeatedAsk& r = t.repeated;
    m_runtime.box().spend(r.stepsToAsk);
    t.operation = r.operation;
    t.line = r.operation.line;
    ++t.serial;
    t.state = State::Suspended;
    t.repeated.notEntered = true;
    ++m_notEntered;
    send(number);
    return true;
}

/// The reply to that: true if it is what the last firing got, and all is done.
bool TaskScheduler::answeredAgain(Task& t, const redis::Reply& reply) {
    if (reply != t.repeated.reply || m_runtime.box().left() < kAmpleSteps) return false;
    m_runtime.box().spend(t.repeated.stepsToEnd);
    t.repeated.notEntered = false;
    --m_notEntered;
    t.request = kNone;
    ++t.serial;
    t.state = State::Idle;
    noteWhetherAlone(t);
    return true;
}

/// The reply has just come: was it the next thing after the request in the whole world, without any effect?
void TaskScheduler::noteWhetherAlone(Task& t) {
    const std::vector<Event>& events = m_trace->events;
    RepeatedAsk& r = t.repeated;
    r.alone = false;
    if (events.size() < kEventsOfPoll) return;
    r.events = events.size() - kEventsOfPoll;
    const Event& sent = events[r.events];
    const Event& executed = events[r.events + 1];
    const Event& received = events[r.events + 2];
    r.alone = received.kind == EventKind::ReplyReceived && received.task == t.index &&
              executed.kind == EventKind::RequestExecuted && executed.request == received.request &&
              sent.kind == EventKind::RequestSent && sent.request == received.request;
    r.doings = m_host.doings(r.operation.node);
}

/// A poll like the one whose events begin at `first`.
void TaskScheduler::recordPoll(std::size_t first, const std::array<Instant, 3>& instants) {
    const auto request = static_cast<RequestIndex>(m_trace->requests.size());
    const auto like = static_cast<std::size_t>(m_trace->events[first].request);
    m_trace->requests.push_back(TraceRequest(m_trace->requests[like]));
    for (std::size_t i = 0; i < kEventsOfPoll; ++i) {
        Event event = m_trace->events[first + i];
        event.at = instants[i];
        event.request = request;
        m_trace->events.push_back(event);
    }
}

/// Writes all polls into the trace that nothing can come between, from the one that is due now; true if there
/// was one. The next tick is then that of the first poll that has to be made.
bool TaskScheduler::leap(unsigned number) {
    Task& t = task(number);
    RepeatedAsk& r = t.repeated;
    if (!r.alone || m_releasing > 0 || !canAskAgain(t) || r.doings != m_host.doings(r.operation.node))
        return false;
    const Command& command = m_runtime.commands()[r.operation.command];
    const RequestIndex like = m_trace->events[r.events].request;
    const Foreseen ahead = m_host.foresee(command, like);
    const Duration roundTrip = ahead.request + ahead.reply;
    const Duration timeOut = m_identity.clientTimeout;
    if (timeOut > Duration{0} && roundTrip >= timeOut) return false;

    lua::Sandbox& box = m_runtime.box();
    unsigned times = 0;
    Instant last{};
    for (Instant at = m_host.now(); at + roundTrip < std::min(ahead.until, t.nextTick); ++times) {
        if (box.left() < kAmpleSteps + r.stepsToAsk + r.stepsToEnd) break;
        box.spend(r.stepsToAsk + r.stepsToEnd);
        recordPoll(r.events, {at, at + ahead.request, at + roundTrip});
        last = at + ahead.request;
        at = t.nextTick;
        t.nextTick += t.period;
    }
    if (times == 0) return false;
    // The first poll that was not made is the next one to come.
    t.nextTick -= t.period;
    m_host.repeated(command, like, last, times);
    return true;
}

/// Brings the task to where it would stand had its firing been run. Its steps are paid for; others may have
/// used up the budget since, so it runs on steps that are lent to it.
void TaskScheduler::enter(unsigned number) {
    Task& t = task(number);
    if (!t.repeated.notEntered) return;
    t.repeated.notEntered = false;
    t.repeated.known = false;
    --m_notEntered;
    lua::Sandbox& box = m_runtime.box();
    lua_State* L = t.frames[0].thread.L;
    for (int i = 1; i <= t.kept; ++i)
        lua_pushvalue(L, i);
    const std::int64_t left = box.left();
    box.spend(left - kLentSteps);
    m_current = number;
    m_runtime.running = this;
    int status = 0;
    {
        const lua::Sandbox::Running running(box, L);
        status = lua_resume(L, t.kept - 1);
    }
    m_current = kNoTask;
    LOCKSCOPE_ASSERT(status == LUA_YIELD && m_operation.kind == Operation::Kind::Call);
    box.spend(box.left() - left);
}

void TaskScheduler::enterAll() {
    for (unsigned number = 0; m_notEntered > 0; ++number)
        enter(number);
}

} // namespace lockscope
