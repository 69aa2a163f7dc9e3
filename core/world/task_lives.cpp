// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How tasks are made, woken and ended. How they run is in task_scheduler.cpp.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/world/bytecode.h"
#include "core/world/task_scheduler.h"

namespace lockscope {

// --- making

unsigned TaskScheduler::newTask(TaskKind kind, TaskIndex parent, int loop, int line) {
    if (m_taskCount == m_tasks.size()) m_tasks.push_back(std::make_unique<Task>());
    const unsigned number = m_taskCount++;
    Task& t = task(number);
    t.index = static_cast<TaskIndex>(m_trace->tasks.size());
    t.kind = kind;
    t.raising = false;
    t.working = false;
    t.serial = 0;
    t.loop = loop;
    t.arguments = 0;
    t.line = line;
    t.request = kNone;
    t.frames.clear();
    t.frames.push_back({m_runtime.threads().take(), FrameKind::Base});
    t.waiting.clear();
    t.kept = 0;
    t.results = LUA_NOREF;
    t.resultCount = 0;
    t.repeated.possible = t.repeated.known = t.repeated.notEntered = false;
    t.repeated.noting = Noting::Nothing;
    ++m_alive;
    m_trace->tasks.push_back({m_identity.process, parent, loop, kind});
    recordFor(t, EventKind::TaskStarted, line);
    return number;
}

unsigned TaskScheduler::startTask(lua_State* L, TaskKind kind, Duration period, int line) {
    int loop = task(m_current).loop;
    if (kind == TaskKind::Thread) {
        loop = m_loopCount++;
        if (static_cast<int>(m_loops.size()) < m_loopCount) m_loops.emplace_back();
        m_loops[static_cast<std::size_t>(loop)].computing = kNoTask;
        m_loops[static_cast<std::size_t>(loop)].pending.clear();
    }
    const unsigned number = newTask(kind, task(m_current).index, loop, line);
    Task& t = task(number);
    lua_State* own = t.frames[0].thread.L;
    t.arguments = pushCallerFor(L, -1, own);
    lua_xmove(L, own, 1);
    if (kind == TaskKind::Every) {
        t.state = State::Idle;
        t.kept = lua_gettop(own);
        t.repeated.possible =
            t.kept == 1 && !m_runtime.usesMetatables(m_identity.actor) && readsAndCallsOnce(own);
        t.period = m_trace->tasks.back().period = period;
        t.nextTick = m_host.now() + period;
        m_host.startTimer(t.nextTick, {number, 0, Wake::Kind::Tick});
    } else {
        makeReady(number);
    }
    return number;
}

// --- waking

void TaskScheduler::deliver(const Wake& wake) {
    Task& t = task(wake.task);
    const bool current = wake.kind == Wake::Kind::Tick || t.serial == wake.serial;
    if (!alive(t) || !current) {
        if (wake.kind == Wake::Kind::Reply) {
            const HeldReply held = takeHeld(wake);
            answerLate(held.request, held.shown, held.flags);
        }
        return;
    }
    Loop& loop = m_loops[static_cast<std::size_t>(t.loop)];
    if (wake.kind == Wake::Kind::Work) {
        // Work is done when it is done; it is the task that may have to wait for its loop.
        finishWork(t, true);
        if (loop.computing == wake.task) return release(t.loop);
    }
    if (loop.computing != kNoTask) {
        Wake later = wake;
        if (wake.kind == Wake::Kind::Work) later.kind = Wake::Kind::Run;
        loop.pending.push_back(later);
        return;
    }
    switch (wake.kind) {
    case Wake::Kind::Tick:
        tick(wake.task);
        return;
    case Wake::Kind::Message: {
        Subscription& subscription = m_subscriptions[t.operation.subscription];
        if (subscription.messages.empty() && !subscription.over) { // another one was faster
            subscription.listening.push_front(wake);
            return;
        }
        t.arguments = takeMessage(t);
        break;
    }
    case Wake::Kind::Sleep:
        if (t.operation.kind == Operation::Kind::Receive) {
            t.arguments = takeMessage(t);
            break;
        }
        recordFor(t, EventKind::SleepEnded, t.line);
        t.arguments = 0;
        break;
    case Wake::Kind::Run:
        if (t.state == State::Ready) break; // its values are on its thread already
        [[fallthrough]];
    case Wake::Kind::Work:
        t.arguments = 0;
        break;
    case Wake::Kind::TimeOut: {
        enter(wake.task);
        t.repeated.noting = Noting::Nothing;
        recordMessage(EventKind::RequestTimedOut, t.request);
        ++t.serial; // a reply that comes now finds nobody
        if (t.operation.subscription != kNoSubscription) unsubscribe(t.operation.subscription);
        const std::string text =
            fmt::format("TIMEOUT no reply within {}: the command may have run, may run later, or never",
                        formatDuration(m_identity.clientTimeout));
        lua_State* L = t.frames.back().thread.L;
        pushRedisError(L, text, true);
        t.raising = t.operation.raises;
        t.arguments = 1;
        break;
    }
    case Wake::Kind::Reply: {
        const HeldReply held = takeHeld(wake);
        Event& event = recordMessage(EventKind::ReplyReceived, held.request);
        event.text = held.shown;
        event.b = held.flags;
        answer(wake.task, held.reply);
        return;
    }
    }
    makeReady(wake.task);
}

// The loop of a task that has finished computing is free again: first that task goes on, then what has become
// due meanwhile, in its order, until somebody computes again.
void TaskScheduler::release(int number) {
    Loop& loop = m_loops[static_cast<std::size_t>(number)];
    const unsigned computed = std::exchange(loop.computing, kNoTask);
    task(computed).arguments = 0;
    makeReady(computed);
    runReady();
    std::vector<Wake> pending = std::exchange(loop.pending, {});
    std::size_t next = 0;
    ++m_releasing;
    for (; next < pending.size() && loop.computing == kNoTask && m_overrun.empty(); ++next) {
        deliver(pending[next]);
        runReady();
    }
    --m_releasing;
    // Those that are held up again come before what was held up since.
    loop.pending.insert(loop.pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(next),
                        pending.end());
}

void TaskScheduler::tick(unsigned number) {
    Task& t = task(number);
    // The grid stays where it is: the next firing is its first point from here on, however late this one is.
    const Duration late = m_host.now() - t.nextTick;
    t.nextTick += t.period * (late / t.period + 1);
    const bool done = leap(number);
    m_host.startTimer(t.nextTick, {number, 0, Wake::Kind::Tick});
    if (done || t.state != State::Idle || askAgain(number)) return; // no overlap
    noteFiring(t);
    // Its function, and what it needs to be called, lie at the bottom of its thread.
    lua_State* L = t.frames[0].thread.L;
    for (int i = 1; i <= t.kept; ++i)
        lua_pushvalue(L, i);
    t.arguments = t.kept - 1;
    makeReady(number);
}

void TaskScheduler::finishWork(Task& t, bool finished) {
    if (!t.working) return;
    t.working = false;
    const bool compute = t.operation.kind == Operation::Kind::Compute;
    Event& event = recordFor(t, compute ? EventKind::ComputeEnded : EventKind::WorkEnded, t.line);
    event.text = t.operation.label;
    event.b = finished ? 1 : 0;
}

// --- waiting for each other

// Values on the waiting task's thread if the other one has ended; -1 if it has to wait.
int TaskScheduler::waitFor(unsigned number) {
    Task& other = task(task(number).operation.task);
    if (alive(other)) {
        other.waiting.push_back(number);
        return -1;
    }
    Task& t = task(number);
    t.raising = other.state == State::Failed;
    return pushResults(other, t.frames.back().thread.L);
}

void TaskScheduler::keepResults(Task& t, lua_State* L, int count) {
    t.resultCount = 0;
    if (t.kind == TaskKind::Main || count == 0) return; // nobody has a handle of the main task
    lua_createtable(L, count, 0);
    lua_insert(L, -count - 1);
    for (int i = count; i >= 1; --i)
        lua_rawseti(L, -i - 1, i);
    t.results = luaL_ref(L, LUA_REGISTRYINDEX);
    t.resultCount = count;
}

int TaskScheduler::pushResults(const Task& t, lua_State* L) {
    if (t.resultCount == 0 || lua_checkstack(L, t.resultCount + LUA_MINSTACK) == 0) return 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, t.results);
    const int list = lua_gettop(L);
    for (int i = 1; i <= t.resultCount; ++i)
        lua_rawgeti(L, list, i);
    lua_remove(L, list);
    return t.resultCount;
}

void TaskScheduler::wakeWaiting(Task& t) {
    for (const unsigned number : t.waiting) {
        Task& waiter = task(number);
        if (waiter.state != State::Suspended || waiter.operation.kind != Operation::Kind::Wait) continue;
        waiter.arguments = pushResults(t, waiter.frames.back().thread.L);
        waiter.raising = t.state == State::Failed;
        makeReady(number);
    }
    t.waiting.clear();
}

// --- ending

void TaskScheduler::end(unsigned number, State how) {
    Task& t = task(number);
    if (how == State::Ended || t.state == State::Idle) // its thread can be used again
        popFrame(t, true);
    dropFrames(t);
    if (t.repeated.notEntered) --m_notEntered;
    t.repeated.notEntered = false;
    ++t.serial;
    t.state = how;
    --m_alive;
    Event& event = recordFor(t, EventKind::TaskEnded, 0);
    if (how == State::Cancelled) event.text2 = m_trace->strings.intern("cancelled");
    wakeWaiting(t);
}

void TaskScheduler::dropFrames(Task& t) {
    while (!t.frames.empty())
        popFrame(t, false);
}

void TaskScheduler::cancel(unsigned number) {
    Task& t = task(number);
    if (!alive(t)) return;
    if (t.working) m_host.cancelWork({number, t.serial, Wake::Kind::Work});
    finishWork(t, false);
    end(number, State::Cancelled);
    Loop& loop = m_loops[static_cast<std::size_t>(t.loop)];
    if (loop.computing != number) return;
    // Another thread has freed the loop. Its turn comes after the task that runs now.
    loop.computing = kNoTask;
    ++m_releasing;
    for (const Wake& wake : std::exchange(loop.pending, {}))
        deliver(wake);
    --m_releasing;
}

void TaskScheduler::kill() {
    cutOff();
    abandon();
}

void TaskScheduler::abandon() {
    for (unsigned number = 0; number < m_taskCount; ++number) {
        Task& t = task(number);
        if (t.state == State::Idle) popFrame(t, true);
        dropFrames(t);
        if (t.results != LUA_NOREF) luaL_unref(m_runtime.box().state(), LUA_REGISTRYINDEX, t.results);
        t.results = LUA_NOREF;
        if (alive(t)) t.state = State::Cancelled;
    }
    m_alive = 0;
    m_notEntered = 0;
    m_ended = true;
}

void TaskScheduler::cutOff() {
    for (unsigned number = 0; number < m_taskCount; ++number)
        finishWork(task(number), false);
}

// --- what went wrong, and where

std::string TaskScheduler::messageOf(lua_State* L, int index) const {
    if (lua_isstring(L, index) != 0) {
        std::size_t length = 0;
        const char* text = lua_tolstring(L, index, &length);
        return {text, length};
    }
    if (lua_type(L, index) != LUA_TTABLE)
        return fmt::format("(error object is a {} value)", luaL_typename(L, index));
    lua_pushliteral(L, "err");
    lua_rawget(L, index < 0 ? index - 1 : index);
    std::string text = lua_isstring(L, -1) != 0 ? lua_tostring(L, -1) : "(error object is a table value)";
    lua_pop(L, 1);
    return text;
}

// The program's line at which a failed thread stands; that of the last operation if it stands nowhere.
int TaskScheduler::lineOf(const Task& t, lua_State* L) const {
    const int line = programLine(L, 0);
    return line > 0 ? line : t.line;
}

} // namespace lockscope
