// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How tasks run, stop and go on. How they are made, end and wake each other is in task_lives.cpp, what they
// send and are answered in task_messages.cpp.

#include "core/world/task_scheduler.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/world/shown_text.h"

namespace lockscope {

namespace {

constexpr std::size_t kMostFrames = 150; // pcalls inside each other
constexpr std::int64_t kProtectedCallSteps = 50;
constexpr std::size_t kLongestText = 200; // bytes of a label or a log line in a trace

} // namespace

TaskScheduler::TaskScheduler(ProgramRuntime& runtime, TaskHost& host) : m_runtime(runtime), m_host(host) {}

// --- from the host

void TaskScheduler::start(const ProcessIdentity& identity, Trace& trace) {
    m_trace = &trace;
    m_identity = identity;
    m_random = Random(identity.seed);
    ++m_life;
    m_taskCount = 0;
    m_alive = 0;
    m_loopCount = 1;
    if (m_loops.empty()) m_loops.emplace_back();
    m_loops[0].computing = kNoTask;
    m_loops[0].pending.clear();
    m_ready.clear();
    m_readyNext = 0;
    m_held.clear();
    m_subscriptions.clear();
    m_runs = 0;
    m_notEntered = 0;
    m_releasing = 0;
    m_current = kNoTask;
    m_ended = false;
    m_overrun.clear();

    const unsigned main = newTask(TaskKind::Main, kNone, 0, 0);
    lua_xmove(m_runtime.box().state(), task(main).frames[0].thread.L, 1);
    makeReady(main);
    runReady();
}

void TaskScheduler::wake(const Wake& wake) {
    deliver(wake);
    runReady();
}

// --- for the API

std::uint64_t TaskScheduler::draw(std::uint64_t bound) {
    m_trace->drewLots = true;
    return m_random.below(bound);
}

std::string TaskScheduler::uuid() {
    // Version 4, variant 1; the rest is chance.
    const std::uint64_t halves[2] = {(m_random.next() & ~0xF000ull) | 0x4000ull,
                                     (m_random.next() & ~(3ull << 62)) | (2ull << 62)};
    std::string text(36, '-');
    std::size_t at = 0;
    for (std::uint64_t half : halves)
        for (int digit = 0; digit < 16; ++digit, half <<= 4) {
            if (at == 8 || at == 13 || at == 18 || at == 23) ++at;
            text[at++] = "0123456789abcdef"[half >> 60];
        }
    return text;
}

StringId TaskScheduler::shown(std::string_view text) {
    return internShown(*m_trace, text, kLongestText);
}

Event& TaskScheduler::record(EventKind kind, int line) {
    return recordFor(task(m_current), kind, line);
}

Event& TaskScheduler::recordFor(const Task& t, EventKind kind, int line) {
    Event& event = m_trace->events.emplace_back();
    event.at = m_host.now();
    event.kind = kind;
    event.actor = m_identity.actor;
    event.process = m_identity.process;
    event.task = t.index;
    event.line = line;
    return event;
}

int TaskScheduler::suspend(lua_State* L, const Operation& operation, int values) {
    m_operation = operation;
    return lua_yield(L, values);
}

// --- running

void TaskScheduler::makeReady(unsigned number) {
    task(number).state = State::Ready;
    m_ready.push_back(number);
}

void TaskScheduler::runReady() {
    while (m_readyNext < m_ready.size() && m_overrun.empty()) {
        const unsigned number = m_ready[m_readyNext++];
        Task& t = task(number);
        if (t.state != State::Ready) continue;
        Loop& loop = m_loops[static_cast<std::size_t>(t.loop)];
        if (loop.computing != kNoTask) {
            loop.pending.push_back({number, t.serial, Wake::Kind::Run});
            continue;
        }
        run(number);
    }
    m_ready.clear();
    m_readyNext = 0;
    if (m_alive == 0 && !m_ended && m_overrun.empty()) {
        m_ended = true;
        Event& event = m_trace->events.emplace_back();
        event.at = m_host.now();
        event.kind = EventKind::ProcessEnded;
        event.actor = m_identity.actor;
        event.process = m_identity.process;
    }
}

// Runs a task until it waits for something or ends. Frames come and go on the way.
void TaskScheduler::run(unsigned number) {
    if (m_notEntered > 0) enterAll();
    ++m_runs;
    Task& t = task(number);
    lua::Sandbox& box = m_runtime.box();
    m_runtime.running = this;
    m_current = number;
    int arguments = t.arguments;
    bool goesOn = true;
    while (goesOn) {
        lua_State* L = t.frames.back().thread.L;
        // A function in C that has yielded cannot raise when it goes on. It need not: whatever could catch
        // the error is another thread, so this one is over, with the error on top.
        m_injected = std::exchange(t.raising, false);
        if (m_injected) {
            box.chargeError(L);
            goesOn = raised(number, arguments);
            continue;
        }
        m_operation.kind = Operation::Kind::None;
        int status = 0;
        {
            const lua::Sandbox::Running running(box, L);
            status = lua_resume(L, arguments);
        }
        if (box.exhausted()) {
            stopForGood(t, L);
            goesOn = false;
        } else if (status == LUA_YIELD) {
            goesOn = performed(number, L, arguments);
        } else if (status == 0) {
            goesOn = returned(number, arguments);
        } else {
            box.chargeError(L);
            goesOn = raised(number, arguments);
        }
    }
    m_current = kNoTask;
}

// Does what the task asked for. True if it can go on at once, with that many values on its topmost thread.
bool TaskScheduler::performed(unsigned number, lua_State* L, int& arguments) {
    Task& t = task(number);
    t.operation = m_operation;
    t.line = m_operation.line;
    ++t.serial;
    if (t.repeated.noting != Noting::Nothing) noteStop(t, L);
    const Wake wake{number, t.serial, Wake::Kind::Sleep};
    switch (t.operation.kind) {
    case Operation::Kind::ProtectedCall:
        return call(t, FrameKind::ProtectedCall, L, arguments);
    case Operation::Kind::HandledCall:
        return call(t, FrameKind::HandledCall, L, arguments);
    case Operation::Kind::Sleep: {
        const Instant due = m_host.now() + t.operation.length;
        recordFor(t, EventKind::SleepStarted, t.line).a = micros(due);
        m_host.startTimer(due, wake);
        break;
    }
    case Operation::Kind::Work:
    case Operation::Kind::Compute: {
        const bool compute = t.operation.kind == Operation::Kind::Compute;
        Event& event = recordFor(t, compute ? EventKind::ComputeStarted : EventKind::WorkStarted, t.line);
        event.a = t.operation.length.count();
        event.text = t.operation.label;
        t.working = true;
        if (compute) m_loops[static_cast<std::size_t>(t.loop)].computing = number;
        m_host.startWork(t.operation.length, {number, t.serial, Wake::Kind::Work});
        break;
    }
    case Operation::Kind::Call:
        send(number);
        break;
    case Operation::Kind::Wait:
        arguments = waitFor(number);
        if (arguments >= 0) return true;
        break;
    case Operation::Kind::Receive:
        arguments = receive(number);
        if (arguments >= 0) return true;
        break;
    case Operation::Kind::CancelSelf:
        end(number, State::Cancelled);
        return false;
    case Operation::Kind::None:
        LOCKSCOPE_ASSERT(false); // nobody else can yield
    }
    t.state = State::Suspended;
    return false;
}

// Puts what a thread needs below a function that is not one in Lua; returns how many values that is.
int TaskScheduler::pushCallerFor(lua_State* from, int function, lua_State* onto) {
    if (lua_isfunction(from, function) && lua_iscfunction(from, function) == 0) return 0;
    m_runtime.box().pushCaller(onto);
    return 1;
}

bool TaskScheduler::call(Task& t, FrameKind kind, lua_State* from, int& arguments) {
    m_runtime.box().spend(kProtectedCallSteps);
    if (t.frames.size() >= kMostFrames) {
        lua_settop(from, 0);
        lua_pushboolean(from, 0);
        lua_pushliteral(from, "stack overflow: too many protected calls inside each other");
        arguments = 2;
        return true;
    }
    const PooledThread thread = m_runtime.threads().take();
    // The function and its arguments; xpcall's handler stays where it is until it is needed.
    const int values = kind == FrameKind::HandledCall ? 1 : lua_gettop(from);
    if (kind == FrameKind::HandledCall) lua_pushvalue(from, 1);
    lua_checkstack(thread.L, values + LUA_MINSTACK);
    const int caller = pushCallerFor(from, lua_gettop(from) - values + 1, thread.L);
    lua_xmove(from, thread.L, values);
    t.frames.push_back({thread, kind});
    arguments = caller + values - 1;
    return true;
}

void TaskScheduler::popFrame(Task& t, bool endedWell) {
    if (endedWell)
        m_runtime.threads().giveBack(t.frames.back().thread);
    else
        m_runtime.threads().drop(t.frames.back().thread);
    t.frames.pop_back();
}

// The function of the topmost frame has returned. True if the one below goes on.
bool TaskScheduler::returned(unsigned number, int& arguments) {
    Task& t = task(number);
    lua_State* L = t.frames.back().thread.L;
    const FrameKind kind = t.frames.back().kind;
    if (kind == FrameKind::Base) {
        const int kept = t.kept; // the function of an every lies below its results
        const int count = lua_gettop(L) - kept;
        if (t.kind == TaskKind::Every && (count == 0 || lua_toboolean(L, kept + 1) == 0)) {
            lua_settop(L, kept);
            noteEnd(t);
            ++t.serial;
            t.state = State::Idle;
            return false;
        }
        keepResults(t, L, count);
        end(number, State::Ended);
        return false;
    }
    lua_State* below = t.frames[t.frames.size() - 2].thread.L;
    int count = lua_gettop(L);
    if (kind == FrameKind::Handler && count != 1) {
        lua_settop(L, 1);
        count = 1;
    }
    lua_settop(below, 0);
    if (lua_checkstack(below, count + LUA_MINSTACK) == 0) {
        lua_settop(L, 0);
        lua_pushliteral(L, "stack overflow: too many results");
        return raised(number, arguments);
    }
    lua_pushboolean(below, kind == FrameKind::Handler ? 0 : 1);
    lua_xmove(L, below, count);
    popFrame(t, true);
    arguments = count + 1;
    return true;
}

// An error has ended the topmost frame; its value is on top. True if somebody below caught it.
bool TaskScheduler::raised(unsigned number, int& arguments) {
    Task& t = task(number);
    lua_State* L = t.frames.back().thread.L;
    const FrameKind kind = t.frames.back().kind;
    if (lua_type(L, -1) == LUA_TSTRING) {
        // The program's author knows no library code, and wants to know where the program stood.
        std::string_view message = lua_tostring(L, -1);
        if (message.find("attempt to yield across") != std::string_view::npos) {
            lua_pushfstring(L, "line %d: nothing can wait inside a metamethod or the iterator of a for loop",
                            lineOf(t, L));
            lua_replace(L, -2);
        } else if (message.starts_with("(library):")) {
            message.remove_prefix(message.find(": ") + 2);
            lua_pushlstring(L, message.data(), message.size());
            lua_replace(L, -2);
        }
    }
    if (kind == FrameKind::Base) {
        Event& event = recordFor(t, EventKind::ProgramFailed, m_injected ? t.line : lineOf(t, L));
        event.text = shown(messageOf(L, -1));
        keepResults(t, L, 1);
        end(number, State::Failed);
        return false;
    }
    lua_State* below = t.frames[t.frames.size() - 2].thread.L;
    if (kind == FrameKind::HandledCall) {
        const PooledThread thread = m_runtime.threads().take();
        const int caller = pushCallerFor(below, 2, thread.L);
        lua_pushvalue(below, 2);
        lua_xmove(below, thread.L, 1);
        lua_xmove(L, thread.L, 1);
        popFrame(t, false);
        t.frames.push_back({thread, FrameKind::Handler});
        arguments = caller + 1;
        return true;
    }
    lua_settop(below, 0);
    lua_pushboolean(below, 0);
    if (kind == FrameKind::Handler)
        lua_pushliteral(below, "error in error handling");
    else
        lua_xmove(L, below, 1);
    popFrame(t, false);
    arguments = 2;
    return true;
}

// The budget is gone: nothing of this world's programs runs any more.
void TaskScheduler::stopForGood(Task& t, lua_State* L) {
    const int line = lineOf(t, L);
    m_overrun = fmt::format("stopped: {}", m_runtime.box().exhaustion());
    Event& event = recordFor(t, EventKind::ProgramFailed, line);
    event.text = m_trace->strings.intern(m_overrun);
}

} // namespace lockscope
