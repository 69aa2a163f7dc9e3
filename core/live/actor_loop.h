// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/live/actor_messages.h"
#include "core/live/reconnector.h"
#include "core/world/program_runtime.h"
#include "core/world/task_scheduler.h"

namespace lockscope::live {

/// An actor in a process of its own: the simulator's task scheduler with the real clock, real connections,
/// and a pipe to the host in place of a trace.
///
/// The clock is the system's monotonic one from the run's zero on, the same in all processes, so that
/// instants of different actors can be compared. sleep and every go by it, whatever is done to this process.
/// work counts running time: while it goes on the loop notes every few milliseconds that it runs, and when
/// the process is continued after a stop (SIGCONT says so, whoever sent it) the time since the last note does
/// not count.
///
/// Each channel that a task listens to has a connection of its own, as with most clients. It is not taken up
/// again when it is lost: what was published meanwhile would be missing, and the program has to know.
///
/// The lesson's network: a latency of more than kOwnLatency is waited for here, before a request is handed to
/// its connection and before a reply is handed to the program. While the process is stopped that wait stands
/// for nothing: what was due meanwhile happens when it goes on.
class ActorLoop : public QObject, private TaskHost {
    Q_OBJECT

public:
    /// What a real network has by itself is not added.
    static constexpr Duration kOwnLatency = millis(1);

    /// File descriptors of the pipes from and to the host.
    ActorLoop(int in, int out);
    ~ActorLoop() override;

    /// Says that it is there. Everything else follows from what the host sends.
    void begin();

private:
    class Turn {
    public:
        explicit Turn(ActorLoop& loop);
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

    private:
        ActorLoop& m_loop;
    };
    struct Due {
        Instant at{};
        std::uint64_t sequence = 0;
        Wake wake;

        static bool isLater(const Due& a, const Due& b) {
            return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
        }
    };
    /// A request that the server has not answered yet, and what is to become of its reply.
    struct Flight {
        RequestIndex request = kNone;
        Wake wake;
        NodeIndex node = 0;
        bool loseReply = false;
        bool answered = false;
        Duration replyLatency{0};
        unsigned subscription = kNoSubscription; ///< it makes that one
    };
    /// A channel that a task listens to, by a connection of its own.
    struct Listener {
        std::unique_ptr<RedisConnection> connection; ///< null once it is over
        NodeIndex node = 0;
        bool confirmed = false;
    };
    struct Work {
        Duration runningAtEnd{0}; ///< how long the process will have run when it is finished
        Wake wake;
    };

    // The world around the scheduler.
    Instant now() const override;
    std::int64_t wallMillis() const override;
    int nodes() const override { return static_cast<int>(m_order.nodes.size()); }
    bool hasResource() const override { return m_order.hasResource; }
    void startTimer(Instant due, const Wake& wake) override;
    void startWork(Duration running, const Wake& wake) override;
    void cancelWork(const Wake& wake) override;
    void send(RequestIndex request, const Command& command, const Wake& wake) override;
    void subscribe(RequestIndex request, const Command& command, const Wake& wake,
                   unsigned subscription) override;
    void unsubscribe(unsigned subscription) override;
    WriteAnswer write(std::string_view name, std::string_view value, std::int64_t fence) override;
    StoredValue read(std::string_view name) override;
    bool canGrant(const Command& command, NodeIndex node) override;

    // The host.
    void hear();
    void take(const Message& message);
    void obey(const ActorOrder& order);
    void startWhenDue();
    void say(const QByteArray& frame);
    ResourceAnswer ask(const ResourceQuestion& question);
    void report();

    // The clock.
    void startProgram();
    bool over() const { return m_scheduler.ended() || !m_scheduler.overrun().empty(); }
    void onTimer();
    void runDue();
    void armTimer();
    bool noteStop();
    void noteLateness(Instant due);

    // The servers.
    void connectTo(int node);
    void interfere(const ArmedFault& fault);
    void takeFaultsDue();
    bool applyToFlight(const ArmedFault& fault);
    bool cutOff() const { return now() < m_cutOffUntil; }
    std::shared_ptr<Flight> newFlight(RequestIndex request, const Wake& wake);
    void launch(const std::shared_ptr<Flight>& flight, const Command& command);
    void dispatch(const std::shared_ptr<Flight>& flight, const std::vector<std::string>& args);
    void onResult(const std::shared_ptr<Flight>& flight, const CallResult& result);
    void deliver(const std::shared_ptr<Flight>& flight, const redis::Reply& reply);
    void refuse(const std::shared_ptr<Flight>& flight, const std::string& why);
    void answer(RequestIndex request, const Wake& wake, const redis::Reply& reply);
    void later(Duration wait, std::function<void()> what);

    // Channels.
    void listen(const std::shared_ptr<Flight>& flight, const std::vector<std::string>& args);
    void onMessage(unsigned subscription, const QByteArray& channel, const QByteArray& text);
    void deliverMessage(unsigned subscription, const QByteArray& channel, const QByteArray& text);
    void onListenerLost(const std::shared_ptr<Flight>& flight);
    void closeListener(unsigned subscription);
    void recordApplied(const ArmedFault& fault);
    void turn(const Wake& wake);
    Event& recordRequest(EventKind kind, RequestIndex request);
    void noteScript(std::span<const std::string_view> args);

    int m_in;
    int m_out;
    QSocketNotifier m_notifier;
    MessageReader m_messages;
    ActorOrder m_order;
    std::optional<Instant> m_turn; ///< the instant of the turn of tasks that is going on
    std::int64_t m_runStart = 0;   ///< the run's zero, ns; 0 until it is told
    Trace m_trace;                 ///< only what was not reported yet, and the tables
    std::size_t m_reportedTasks = 0;
    std::size_t m_reportedRequests = 0;

    ProgramRuntime m_runtime;
    TaskScheduler m_scheduler;
    bool m_started = false;
    bool m_over = false;

    QTimer m_timer;
    std::vector<Due> m_due; ///< a heap, the earliest first
    std::uint64_t m_sequence = 0;
    std::vector<Work> m_works;
    Duration m_stopped{0}; ///< altogether, while something worked
    Instant m_lastNote{};
    Instant m_startDue{};
    Duration m_late{0}; ///< not reported yet

    std::vector<std::unique_ptr<Reconnector>> m_links;
    std::vector<Listener> m_listeners; ///< by the scheduler's numbers
    std::vector<ArmedFault> m_armed;
    std::vector<ArmedFault> m_toCome;               ///< told before their instant
    std::vector<std::shared_ptr<Flight>> m_flights; ///< not answered, in the order in which they were sent
    Instant m_cutOffUntil{};
    Duration m_clockOffset{0};
    std::vector<ActorReport::Sending> m_sendings; ///< not reported yet
    std::vector<ActorReport::Answer> m_answers;
    std::vector<ActorReport::Leaving> m_leavings;
    std::unordered_map<std::string, std::string>
        m_scripts;          ///< by their SHA-1, as far as this process has sent them
    std::string m_answered; ///< what the last write or read got, for the views that they return
};

} // namespace lockscope::live
