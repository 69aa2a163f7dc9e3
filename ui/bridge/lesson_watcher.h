// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace lockscope::ui {

/// Says when a file's content has changed, however that came about: written in place, renamed over, deleted
/// and made anew. Editors do all three, so it watches the folder as well as the file, and compares contents
/// once things are quiet for a moment.
class LessonWatcher : public QObject {
    Q_OBJECT
public:
    explicit LessonWatcher(QObject* parent = nullptr);

    /// Empty: nothing.
    void watch(const QString& path);

signals:
    /// It reads differently from the last time, or has been gone for longer than an editor would take.
    void changed();

private:
    void look();
    QByteArray fingerprint() const;

    QString m_path;
    QByteArray m_seen; ///< of the content last told; empty if there was no file
    QFileSystemWatcher m_watcher;
    QTimer m_quiet;
    QTimer m_gone;
};

} // namespace lockscope::ui
