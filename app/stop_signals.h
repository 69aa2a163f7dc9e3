// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

class QSocketNotifier;

namespace lockscope::app {

/// SIGINT and SIGTERM as a call from the event loop, so that a command that serves can end as it would by
/// itself. The second one ends the process at once, as ever. Make it before there is any other thread.
class StopSignals {
public:
    explicit StopSignals(std::function<void()> stop);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

private:
    int m_file = -1; ///< a signalfd
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace lockscope::app
