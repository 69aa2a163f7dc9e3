// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/process_guard.h"

#include <QFile>

#include <csignal>

#include <sys/prctl.h>
#include <unistd.h>

namespace lockscope::live {

void tieToThisProcess(QProcess& child) {
    child.setChildProcessModifier([host = ::getpid()] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        // If the host went before the line above, nobody will send that signal any more.
        if (::getppid() != host) ::_exit(1);
    });
}

QByteArray birthOf(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray stat = file.readAll();
    // "pid (name) state …": the name may hold blanks and brackets, so the fields are counted from its end.
    const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    constexpr qsizetype kState = 0;
    constexpr qsizetype kStartTime = 19;
    if (fields.size() <= kStartTime || fields[kState] == "Z" || fields[kState] == "X") return {};
    return fields[kStartTime];
}

} // namespace lockscope::live
