// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/actor_process.h"

#include <QCoreApplication>
#include <QPointer>

#include <chrono>
#include <csignal>

#include <sched.h>
#include <sys/wait.h>

#include "core/live/process_guard.h"

namespace lockscope::live {

namespace {

constexpr std::chrono::milliseconds kStopPatience{50};

} // namespace

ActorProcess::ActorProcess(std::shared_ptr<Janitor> janitor, QObject* parent)
    : QObject(parent), m_janitor(std::move(janitor)) {
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &ActorProcess::hear);
    connect(&m_process, &QProcess::finished, this, [this](int, QProcess::ExitStatus status) {
        onGone(status == QProcess::CrashExit ? tr("it was killed") : tr("it ended by itself"));
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) onGone(m_process.errorString());
    });
}

ActorProcess::~ActorProcess() {
    m_process.disconnect(this);
    if (isRunning()) {
        m_process.kill();
        m_process.waitForFinished();
    }
    unwatch();
}

void ActorProcess::start(const ActorOrder& order, const QString& program) {
    m_messages = {};
    m_ready = m_paused = m_ended = false;
    tieToThisProcess(m_process);
    m_process.start(program.isEmpty() ? QCoreApplication::applicationFilePath() : program,
                    {QLatin1String(kArgument)});
    if (!m_process.waitForStarted()) return; // errorOccurred says why
    m_watchedPid = m_process.processId();
    if (m_janitor) m_janitor->watchProcess(m_watchedPid);
    m_process.write(frameOf(order));
}

void ActorProcess::go(std::int64_t runStart) {
    if (isRunning()) m_process.write(goFrame(runStart));
}

void ActorProcess::pause() {
    if (!isRunning() || m_paused) return;
    m_paused = true;
    if (m_ready) stop();
}

/// The signal takes effect when the system gets to it. Until then the process may still do something, which
/// would then seem to have happened while it stood.
void ActorProcess::stop() {
    const auto id = static_cast<pid_t>(pid());
    if (::kill(id, SIGSTOP) != 0) return;
    const auto giveUp = std::chrono::steady_clock::now() + kStopPatience;
    siginfo_t info{};
    while (std::chrono::steady_clock::now() < giveUp) {
        if (::waitid(P_PID, static_cast<id_t>(id), &info, WSTOPPED | WNOHANG) != 0 || info.si_pid == id)
            return;
        ::sched_yield();
    }
}

void ActorProcess::resume() {
    if (!m_paused) return;
    m_paused = false;
    if (m_ready) ::kill(static_cast<pid_t>(pid()), SIGCONT);
}

void ActorProcess::kill() {
    m_process.kill();
}

void ActorProcess::arm(const ArmedFault& fault) {
    if (isRunning()) m_process.write(frameOf(fault));
}

void ActorProcess::answer(const ResourceAnswer& answer) {
    if (isRunning()) m_process.write(frameOf(answer));
}

void ActorProcess::hear() {
    const QPointer<ActorProcess> alive(this);
    m_messages.feed(m_process.readAllStandardOutput());
    while (const auto message = m_messages.next()) {
        take(*message);
        if (!alive) return;
    }
}

void ActorProcess::take(const Message& message) {
    switch (message.kind) {
    case MessageKind::Ready:
        m_ready = true;
        if (m_paused) stop();
        emit ready();
        break;
    case MessageKind::Report:
        emit reported(message.report());
        break;
    case MessageKind::Ask:
        emit asked(message.question());
        break;
    case MessageKind::Link:
        emit linkChanged(message.link());
        break;
    case MessageKind::Ended:
        m_ended = true;
        m_process.closeWriteChannel(); // it goes when it sees that
        emit ended(QString::fromStdString(message.text()));
        break;
    case MessageKind::Order:
    case MessageKind::Go:
    case MessageKind::Arm:
    case MessageKind::Answer:
        break; // nothing that an actor says
    }
}

void ActorProcess::onGone(const QString& why) {
    const QPointer<ActorProcess> alive(this);
    hear(); // its last words
    if (!alive) return;
    unwatch();
    m_ready = m_paused = false;
    if (!m_ended) emit died(why);
}

void ActorProcess::unwatch() {
    if (m_janitor && m_watchedPid != 0) m_janitor->forgetProcess(m_watchedPid);
    m_watchedPid = 0;
}

} // namespace lockscope::live
