// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/stop_signals.h"

#include <QSocketNotifier>

#include <csignal>
#include <utility>

#include <sys/signalfd.h>
#include <unistd.h>

namespace lockscope::app {

namespace {

sigset_t stopSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP); // its terminal is closed
    return set;
}

} // namespace

StopSignals::StopSignals(std::function<void()> stop) {
    const sigset_t set = stopSignals();
    m_file = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (m_file < 0) return; // then they end the process, as without this
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_notifier = std::make_unique<QSocketNotifier>(m_file, QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, [this, stop = std::move(stop)] {
        m_notifier->setEnabled(false);
        signalfd_siginfo info{};
        while (::read(m_file, &info, sizeof info) > 0) {
        }
        const sigset_t both = stopSignals();
        ::pthread_sigmask(SIG_UNBLOCK, &both, nullptr);
        stop();
    });
}

StopSignals::~StopSignals() {
    m_notifier.reset();
    if (m_file >= 0) ::close(m_file);
}

} // namespace lockscope::app
