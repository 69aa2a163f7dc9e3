// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The janitor's own process. Until its input ends it only reads; then it kills first, so that nobody goes on
// writing, and removes folders and keys after that.
#include <QCoreApplication>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QJsonDocument>
#include <QTimer>

#include <csignal>
#include <cstdio>
#include <map>
#include <set>

#include <unistd.h>

#include "core/live/janitor.h"
#include "core/live/key_sweeper.h"
#include "core/live/process_guard.h"

namespace lockscope::live {

namespace {

constexpr std::chrono::milliseconds kSweepPatience{5000};

struct Duties {
    std::map<qint64, QByteArray> births; ///< of the processes
    std::set<QString> folders;
    std::map<QByteArray, RedisEndpoint> keys; ///< by prefix
};

RedisEndpoint endpointFrom(const QJsonObject& line) {
    const auto text = [&](const char* name) { return line[QLatin1String(name)].toString(); };
    RedisEndpoint server;
    server.transport = static_cast<RedisEndpoint::Transport>(line[QLatin1String("transport")].toInt());
    server.host = text("host");
    server.port = static_cast<std::uint16_t>(line[QLatin1String("port")].toInt());
    server.socketPath = text("socket");
    server.user = text("user");
    server.password = Secret(QByteArray::fromBase64(text("password").toLatin1()));
    server.database = line[QLatin1String("database")].toInt();
    server.caFile = text("ca");
    server.serverName = text("name");
    return server;
}

void note(Duties& duties, const QJsonObject& line) {
    const QString watched = line[QLatin1String("watch")].toString();
    const QString forgotten = line[QLatin1String("forget")].toString();
    const qint64 pid = line[QLatin1String("pid")].toInteger();
    const QString path = line[QLatin1String("path")].toString();
    const QByteArray prefix = QByteArray::fromBase64(line[QLatin1String("prefix")].toString().toLatin1());
    if (watched == QLatin1String("process"))
        duties.births[pid] = line[QLatin1String("birth")].toString().toLatin1();
    if (watched == QLatin1String("folder")) duties.folders.insert(path);
    if (watched == QLatin1String("keys")) duties.keys[prefix] = endpointFrom(line);
    if (forgotten == QLatin1String("process")) duties.births.erase(pid);
    if (forgotten == QLatin1String("folder")) duties.folders.erase(path);
    if (forgotten == QLatin1String("keys")) duties.keys.erase(prefix);
}

Duties readDuties() {
    Duties duties;
    char* line = nullptr;
    std::size_t size = 0;
    while (::getline(&line, &size, stdin) > 0)
        note(duties, QJsonDocument::fromJson(QByteArray(line)).object());
    std::free(line);
    return duties;
}

void killProcesses(const Duties& duties) {
    for (const auto& [pid, birth] : duties.births) {
        if (pid > 1 && !birth.isEmpty() && birthOf(pid) == birth) ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
}

void removeFolders(const Duties& duties) {
    for (const QString& path : duties.folders) {
        const QFileInfo folder(path);
        const bool ours = folder.isDir() && !folder.isSymLink() &&
                          folder.fileName().startsWith(QLatin1String(Janitor::kFolderPrefix));
        if (ours) QDir(path).removeRecursively();
    }
}

void sweepKeys(const Duties& duties) {
    for (const auto& [prefix, server] : duties.keys) {
        if (prefix.isEmpty()) continue;
        QEventLoop loop;
        KeySweeper sweeper(server, prefix);
        QObject::connect(&sweeper, &KeySweeper::finished, &loop, &QEventLoop::quit);
        QTimer::singleShot(kSweepPatience, &loop, &QEventLoop::quit);
        sweeper.start();
        loop.exec();
    }
}

} // namespace

int runJanitor(int argc, char** argv) {
    // Whatever else the host had open is not ours to keep open.
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
    const Duties duties = readDuties();
    killProcesses(duties);
    removeFolders(duties);
    if (duties.keys.empty()) return 0;
    QCoreApplication application(argc, argv);
    sweepKeys(duties);
    return 0;
}

} // namespace lockscope::live
