// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/append_log.h"

#include <QDir>
#include <QFile>

#include <chrono>

namespace lockscope::live {

namespace {

constexpr std::chrono::milliseconds kLookEvery{20};
constexpr std::chrono::milliseconds kNotOnDisk{1000};

/// Since Redis 7 these are in a folder of their own, beside the base file, which is on the disk as a whole.
QFileInfoList filesIn(const QString& folder) {
    const QDir own(folder + QStringLiteral("/appendonlydir"));
    return own.exists() ? own.entryInfoList({QStringLiteral("*.incr.aof")}, QDir::Files)
                        : QDir(folder).entryInfoList({QStringLiteral("appendonly.aof")}, QDir::Files);
}

} // namespace

AppendLog::AppendLog(QObject* parent) : QObject(parent) {
    m_timer.setInterval(kLookEvery);
    connect(&m_timer, &QTimer::timeout, this, &AppendLog::look);
}

/// What is there by then has survived already.
void AppendLog::begin(const QString& folder) {
    m_folder = folder;
    m_files.clear();
    m_clock.start();
    for (const QFileInfo& file : filesIn(folder))
        m_files[file.filePath()] = {{0, file.size()}};
    m_timer.start();
}

void AppendLog::look() {
    const qint64 now = m_clock.elapsed();
    for (const QFileInfo& file : filesIn(m_folder)) {
        std::deque<Size>& sizes = m_files[file.filePath()];
        if (sizes.empty()) sizes.push_back({now, 0}); // made since the last look
        if (sizes.back().bytes != file.size()) sizes.push_back({now, file.size()});
        while (sizes.size() > 1 && sizes[1].at <= now - kNotOnDisk.count())
            sizes.pop_front();
    }
}

void AppendLog::losePower() {
    look();
    m_timer.stop();
    for (const auto& [path, sizes] : m_files)
        if (const QFileInfo file(path); file.exists() && file.size() > sizes.front().bytes)
            QFile::resize(path, sizes.front().bytes);
}

} // namespace lockscope::live
