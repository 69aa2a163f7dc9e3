// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/redis/reply.h"
#include "core/trace/trace.h"
#include "core/world/connections.h"
#include "core/world/program_api.h"
#include "core/world/program_runtime.h"
#include "core/world/task_host.h"

namespace lockscope {

/// Who a process is.
struct ProcessIdentity {
    ActorIndex actor = kNone;
    ProcessIndex process = kNone;
    Duration clientTimeout{0}; ///< 0: a call waits for its reply for ever
    std::uint64_t seed = 0;
};

/// As the length of a Receive: it waits until something comes.
inline constexpr Duration kForEver = Duration::max();

/// What a task asks of its scheduler when it stops running. A program cannot make one: there is no yield in
/// its world.
struct Operation {
    enum class Kind : std::uint8_t {
        None,
        ProtectedCall, ///< pcall: function and arguments are on the thread
        HandledCall,   ///< xpcall: function and handler are
        Sleep,
        Work,
        Compute,
        Call, ///< a request to a server
        Wait,
        Receive, ///< a message of a subscription
        CancelSelf,
    };
    Kind kind = Kind::None;
    bool raises = false; ///< Call: an error reply becomes an error
    NodeIndex node = 0;
    std::int32_t line = 0;
    std::uint32_t command = 0;
    std::uint32_t task = 0;
    unsigned subscription = kNoSubscription; ///< Receive; Call: that it is made for
    StringId label = StringId::Empty;
    Duration length{0};
};

/// Runs the tasks of one process, on a host that supplies time and the network.
///
/// A task is a stack of Lua threads: its own, and one more for each pcall that it is inside of, because
/// Lua 5.1 cannot yield across its own pcall. The scheduler resumes the topmost; the stack of C never grows
/// with it.
///
/// Loops: the main one, and one for each thread(). Tasks of a loop never run at the same time, and none of
/// them runs while one computes. What becomes due in the meantime waits, in its order.
///
/// Invariants:
///  1. Nothing runs outside of start(), wake() and reply(), and each of them leaves no task that could go on.
///  2. A wake-up whose serial is not the task's own has come too late and does nothing.
///  3. After kill() or an overrun nothing of the program runs again.
///
/// Objects are used again for later processes: start() begins anew and keeps the memory.
class TaskScheduler {
public:
    TaskScheduler(ProgramRuntime& runtime, TaskHost& host);
    TaskScheduler(const TaskScheduler&) = delete;
    TaskScheduler& operator=(const TaskScheduler&) = delete;

    /// Begins a process and runs its main task. Its function is on top of the runtime's main state and is
    /// popped.
    void start(const ProcessIdentity& identity, Trace& trace);
    /// A timer or a work of the host's is due. Also a reply that was held back (internally).
    void wake(const Wake& wake);
    /// The answer to a request. `shown` and `flags` are as the trace has them (text and b of ReplyReceived).
    void reply(const Wake& wake, RequestIndex request, const redis::Reply& reply, StringId shown,
               std::int64_t flags);
    /// A message of a subscription has reached the process; `shown` is as the trace has it.
    void hear(unsigned subscription, std::string_view text, StringId shown);
    /// The server has closed the connection of a subscription.
    void loseSubscription(unsigned subscription);
    /// The process is gone: what was being worked on is cut off.
    void kill();
    /// The run ends here, with works under way.
    void cutOff();
    /// Lets go of everything that the process held, without a word.
    void abandon();

    /// No task is left.
    bool ended() const { return m_ended; }
    /// Why the program had to be stopped for good; empty if it had not.
    const std::string& overrun() const { return m_overrun; }
    /// That wake-up will find nobody.
    bool comesTooLate(const Wake& wake) const {
        const Task& t = *m_tasks[wake.task];
        return !alive(t) || (wake.kind != Wake::Kind::Tick && t.serial != wake.serial);
    }

    // For the program API, while a task runs.

    TaskHost& host() { return m_host; }
    Trace& trace() { return *m_trace; }
    /// Uniform in [0, bound).
    std::uint64_t draw(std::uint64_t bound);
    std::string uuid();
    /// An event of the running task, to be filled in.
    Event& record(EventKind kind, int line);
    StringId shown(std::string_view text);
    /// Yields with an operation; `values` on top of the stack go with it. The result is the function's to
    /// return.
    int suspend(lua_State* L, const Operation& operation, int values);
    /// A new task for the function on top of the stack, which is popped.
    unsigned startTask(lua_State* L, TaskKind kind, Duration period, int line);
    void cancel(unsigned task);
    unsigned newSubscription(StringId channel);
    void unsubscribe(unsigned subscription);
    bool isRunning(unsigned task) const { return task == m_current; }
    TaskHandle handleOf(unsigned task) const { return {this, m_life, task}; }
    bool owns(const TaskHandle& handle) const { return handle.scheduler == this && handle.run == m_life; }

private:
    static constexpr unsigned kNoTask = ~0u;

    enum class FrameKind : std::uint8_t { Base, ProtectedCall, HandledCall, Handler };
    struct Frame {
        PooledThread thread;
        FrameKind kind = FrameKind::Base;
    };
    enum class State : std::uint8_t { Ready, Suspended, Idle, Ended, Failed, Cancelled };

    /// What the last firing of an every() did, if it only asked: see repeated_asks.cpp.
    enum class Noting : std::uint8_t { Nothing, Asking, Asked, Answered };
    struct RepeatedAsk {
        bool possible = false;   ///< its function can do no more than ask
        bool known = false;      ///< and what it asks and is told stands below
        bool notEntered = false; ///< its request is under way without its function having been entered
        Noting noting = Noting::Nothing;
        Operation operation;
        redis::Reply reply;
        std::int64_t stepsToAsk = 0;
        std::int64_t stepsToEnd = 0;
        std::int64_t left = 0;    ///< of the budget when the noting began
        std::uint64_t runs = 0;   ///< m_runs at the end of that firing
        bool alone = false;       ///< nothing else happened between its request and its reply
        std::size_t events = 0;   ///< alone: where its three events begin in the trace
        std::uint64_t doings = 0; ///< alone: the server's, right after
    };

    struct Task {
        TaskIndex index = kNone; ///< in the trace
        TaskKind kind = TaskKind::Main;
        State state = State::Ready;
        bool raising = false; ///< the value on its thread is to be raised rather than returned
        bool working = false; ///< its work or compute has begun and not ended
        std::uint32_t serial = 0;
        int loop = 0;
        int arguments = 0;     ///< values on its thread for the next resume
        std::int32_t line = 0; ///< of the operation it waits for
        Operation operation;
        RequestIndex request = kNone; ///< whose reply it waits for
        std::vector<Frame> frames;
        std::vector<unsigned> waiting; ///< tasks that wait for its end
        int results = LUA_NOREF;       ///< registry: what it returned, or the error
        int resultCount = 0;
        int kept = 0; ///< Every: the values at the bottom of its thread that call its function
        Duration period{0};
        Instant nextTick{};
        RepeatedAsk repeated;
    };
    struct Subscription {
        struct Heard {
            std::string text;
            StringId shown = StringId::Empty;
        };
        StringId channel = StringId::Empty;
        bool over = false;          ///< what has come can still be taken, but nothing more comes
        std::deque<Heard> messages; ///< that no task has taken
        std::deque<Wake> listening; ///< tasks that wait for one, the first first
    };
    struct Loop {
        unsigned computing = kNoTask;
        std::vector<Wake> pending; ///< in the order in which they came
    };
    struct HeldReply { ///< that has come while the loop was computing
        Wake wake;
        RequestIndex request = kNone;
        redis::Reply reply;
        StringId shown = StringId::Empty;
        std::int64_t flags = 0;
    };

    Task& task(unsigned number) { return *m_tasks[number]; }
    bool alive(const Task& t) const { return t.state < State::Ended; }
    unsigned newTask(TaskKind kind, TaskIndex parent, int loop, int line);
    Event& recordFor(const Task& t, EventKind kind, int line);
    Event& recordMessage(EventKind kind, RequestIndex request);

    // Running.
    void makeReady(unsigned number);
    void runReady();
    void run(unsigned number);
    bool performed(unsigned number, lua_State* L, int& arguments);
    bool returned(unsigned number, int& arguments);
    bool raised(unsigned number, int& arguments);
    bool call(Task& t, FrameKind kind, lua_State* from, int& arguments);
    int pushCallerFor(lua_State* from, int function, lua_State* onto);
    void popFrame(Task& t, bool endedWell);
    void send(unsigned number);
    int waitFor(unsigned number);
    void stopForGood(Task& t, lua_State* L);

    // Waking.
    void deliver(const Wake& wake);
    void tick(unsigned number);
    void finishWork(Task& t, bool finished);
    void answer(unsigned number, const redis::Reply& reply);
    HeldReply takeHeld(const Wake& wake);
    void answerLate(RequestIndex request, StringId shown, std::int64_t flags);
    void release(int loop);

    // Listening.
    int receive(unsigned number);
    int takeMessage(Task& t);
    void wakeListener(Subscription& subscription);
    void endSubscription(unsigned subscription);

    // Asking again.
    void noteFiring(Task& t);
    void noteStop(Task& t, lua_State* L);
    void noteAnswer(Task& t, const redis::Reply& reply);
    void noteEnd(Task& t);
    bool canAskAgain(const Task& t) const;
    void noteWhetherAlone(Task& t);
    bool leap(unsigned number);
    void recordPoll(std::size_t first, const std::array<Instant, 3>& instants);
    bool askAgain(unsigned number);
    bool answeredAgain(Task& t, const redis::Reply& reply);
    void enter(unsigned number);
    void enterAll();

    // Ending.
    void end(unsigned number, State how);
    void keepResults(Task& t, lua_State* L, int count);
    void wakeWaiting(Task& t);
    int pushResults(const Task& t, lua_State* L);
    void dropFrames(Task& t);
    std::string messageOf(lua_State* L, int index) const;
    int lineOf(const Task& t, lua_State* L) const;

    ProgramRuntime& m_runtime;
    TaskHost& m_host;
    Trace* m_trace = nullptr;
    ProcessIdentity m_identity;
    Random m_random;
    unsigned long long m_life = 0; ///< which process this is of those that the object has run

    std::vector<std::unique_ptr<Task>>
        m_tasks; ///< the first m_taskCount are this process'; the rest is kept for later
    unsigned m_taskCount = 0;
    unsigned m_alive = 0;
    std::deque<Loop> m_loops;
    int m_loopCount = 0;
    std::vector<unsigned> m_ready; ///< from m_readyNext on, first come, first served
    std::size_t m_readyNext = 0;
    std::vector<HeldReply> m_held;
    std::deque<Subscription> m_subscriptions;
    std::uint64_t m_runs = 0;  ///< how often something of this process has run
    unsigned m_notEntered = 0; ///< tasks whose firing asks without having been run
    int m_releasing = 0;       ///< what a loop has held up is being delivered
    unsigned m_current = kNoTask;
    Operation m_operation;   ///< of the task that has just stopped
    bool m_injected = false; ///< the error that ended the last frame is what its operation came to
    bool m_ended = false;
    std::string m_overrun;
};

} // namespace lockscope
