// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/lesson_watcher.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

namespace lockscope::ui {

namespace {
constexpr int kQuietMillis = 60;
constexpr int kGoneMillis = 800;
} // namespace

LessonWatcher::LessonWatcher(QObject* parent) : QObject(parent) {
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kQuietMillis);
    m_gone.setSingleShot(true);
    m_gone.setInterval(kGoneMillis);
    const auto stir = [this] { m_quiet.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, stir);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, stir);
    connect(&m_quiet, &QTimer::timeout, this, &LessonWatcher::look);
    connect(&m_gone, &QTimer::timeout, this, [this] {
        if (QFileInfo::exists(m_path) || m_seen.isEmpty()) return;
        m_seen.clear();
        emit changed();
    });
}

void LessonWatcher::watch(const QString& path) {
    m_quiet.stop();
    m_gone.stop();
    if (!m_watcher.files().isEmpty()) m_watcher.removePaths(m_watcher.files());
    if (!m_watcher.directories().isEmpty()) m_watcher.removePaths(m_watcher.directories());
    m_path = path;
    m_seen.clear();
    if (m_path.isEmpty()) return;
    const QFileInfo info(m_path);
    if (info.dir().exists()) m_watcher.addPath(info.absolutePath());
    if (info.exists()) m_watcher.addPath(m_path);
    m_seen = fingerprint();
}

QByteArray LessonWatcher::fingerprint() const {
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QCryptographicHash hash(QCryptographicHash::Sha1);
    return hash.addData(&file) ? hash.result() : QByteArray();
}

void LessonWatcher::look() {
    if (!QFileInfo::exists(m_path)) {
        m_gone.start(); // between deleting and making anew
        return;
    }
    m_gone.stop();
    if (!m_watcher.files().contains(m_path)) m_watcher.addPath(m_path); // another file lies there now
    const QByteArray now = fingerprint();
    if (now == m_seen) return;
    m_seen = now;
    emit changed();
}

} // namespace lockscope::ui
