// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include <deque>
#include <map>

namespace lockscope::live {

/// The append-only files of a redis-server with `appendfsync everysec`, and what a loss of power does to
/// them.
///
/// Killing a process loses nothing that it has written: the operating system has it. A machine without power
/// loses what was not on the disk yet, and Redis asks the disk once a second. So what was written within the
/// last second is cut off again, which is about the worst that this setting allows.
class AppendLog : public QObject {
    Q_OBJECT

public:
    explicit AppendLog(QObject* parent = nullptr);

    /// Of the server whose files are in that folder, and which has just been started.
    void begin(const QString& folder);
    void end() { m_timer.stop(); }
    /// The server is dead, and so is its machine.
    void losePower();

private:
    struct Size {
        qint64 at = 0; ///< ms
        qint64 bytes = 0;
    };

    void look();

    QString m_folder;
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::map<QString, std::deque<Size>> m_files; ///< those that are written to, by path; the oldest first
};

} // namespace lockscope::live
