// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>

namespace lockscope::live {

/// The child is killed when this process ends, however it ends, and also while the child is stopped. The
/// system ties this to the thread that starts the child: start it on the main thread.
void tieToThisProcess(QProcess& child);

/// What tells a process from a later one with the same number. Empty if there is no such process, or only its
/// corpse.
QByteArray birthOf(qint64 pid);

} // namespace lockscope::live
