// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>

#include <memory>

#include "core/live/actor_messages.h"
#include "core/live/janitor.h"

namespace lockscope::live {

/// The host's end of one actor: a real process, really stopped and killed. It is this very program in an
/// internal mode (kArgument), and dies with this process whatever happens. Make and start it on the main
/// thread.
class ActorProcess : public QObject {
    Q_OBJECT

public:
    static constexpr const char* kArgument = "--internal-actor";

    explicit ActorProcess(std::shared_ptr<Janitor> janitor = {}, QObject* parent = nullptr);
    ~ActorProcess() override;

    /// `program` must call runActor() when it is started with kArgument; empty: this very program.
    /// It connects, and begins after go().
    void start(const ActorOrder& order, const QString& program = {});
    /// The run's zero on the monotonic clock, ns. The program starts at the order's start, or as soon as it
    /// can.
    void go(std::int64_t runStart);
    /// SIGSTOP and SIGCONT. A process that has not said yet that it is there is stopped as soon as it does.
    /// When pause() returns a process that is there stands still.
    void pause();
    void resume();
    /// SIGKILL. died() follows.
    void kill();
    /// The next request meets this fault.
    void arm(const ArmedFault& fault);
    /// To asked().
    void answer(const ResourceAnswer& answer);

    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    bool isPaused() const { return m_paused; }
    qint64 pid() const { return m_process.processId(); }

signals:
    void ready();
    void reported(const lockscope::live::ActorReport& report);
    /// The program waits until it is answered.
    void asked(const lockscope::live::ResourceQuestion& question);
    void linkChanged(const lockscope::live::LinkChange& change);
    /// No task is left; the process ends. `overrun` says why it had to be stopped, if it had.
    void ended(const QString& overrun);
    /// It is gone, by kill(), somebody else's signal or a failure to start, without having ended.
    void died(const QString& why);

private:
    void hear();
    void take(const Message& message);
    void onGone(const QString& why);
    void stop();
    void unwatch();

    std::shared_ptr<Janitor> m_janitor;
    QProcess m_process;
    MessageReader m_messages;
    qint64 m_watchedPid = 0;
    bool m_ready = false;
    bool m_paused = false;
    bool m_ended = false;
};

/// The other process: runs the program that the host sends, and returns the exit code.
int runActor(int argc, char** argv);

} // namespace lockscope::live
