// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/janitor.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/assert.h"
#include "core/live/process_guard.h"

namespace lockscope::live {

namespace {

QString text(const char* word) {
    return QString::fromLatin1(word);
}

} // namespace

Result<std::shared_ptr<Janitor>> Janitor::start(const QString& program) {
    int ends[2];
    // A pair of sockets rather than a pipe: writing to one whose other end is gone is an error, and no
    // signal.
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return Error{std::string("cannot make a pair of sockets: ") + std::strerror(errno)};
    }

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A session of its own: Ctrl-C in the terminal that ends us must not end it too.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);

    QByteArray path =
        QFile::encodeName(program.isEmpty() ? QCoreApplication::applicationFilePath() : program);
    QByteArray argument = kArgument;
    char* arguments[] = {path.data(), argument.data(), nullptr};
    pid_t pid = 0;
    const int failed = ::posix_spawn(&pid, path.constData(), &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(ends[0]);
    if (failed != 0) {
        ::close(ends[1]);
        return Error{"cannot start " + path.toStdString() + ": " + std::strerror(failed)};
    }
    return std::shared_ptr<Janitor>(new Janitor(ends[1], pid));
}

Janitor::~Janitor() {
    ::close(m_pipe);
    // With nothing to do it ends at once. Otherwise it may take its time, and init buries it.
    ::waitpid(static_cast<pid_t>(m_pid), nullptr, m_watched == 0 ? 0 : WNOHANG);
}

void Janitor::tell(const QJsonObject& what) {
    const QByteArray line = QJsonDocument(what).toJson(QJsonDocument::Compact) + '\n';
    for (qsizetype written = 0; written < line.size();) {
        const auto left = static_cast<std::size_t>(line.size() - written);
        const ssize_t n = ::send(m_pipe, line.constData() + written, left, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR) return; // it is gone, and we go on without it
        if (n > 0) written += n;
    }
}

void Janitor::watchProcess(qint64 pid) {
    ++m_watched;
    tell({{text("watch"), text("process")},
          {text("pid"), pid},
          {text("birth"), QString::fromLatin1(birthOf(pid))}});
}

void Janitor::forgetProcess(qint64 pid) {
    --m_watched;
    tell({{text("forget"), text("process")}, {text("pid"), pid}});
}

void Janitor::watchFolder(const QString& path) {
    ++m_watched;
    tell({{text("watch"), text("folder")}, {text("path"), path}});
}

void Janitor::forgetFolder(const QString& path) {
    --m_watched;
    tell({{text("forget"), text("folder")}, {text("path"), path}});
}

void Janitor::watchKeys(const RedisEndpoint& server, const QByteArray& prefix) {
    LOCKSCOPE_ASSERT(!prefix.isEmpty());
    ++m_watched;
    tell({{text("watch"), text("keys")},
          {text("prefix"), QString::fromLatin1(prefix.toBase64())},
          {text("transport"), static_cast<int>(server.transport)},
          {text("host"), server.host},
          {text("port"), server.port},
          {text("socket"), server.socketPath},
          {text("user"), server.user},
          {text("password"), QString::fromLatin1(server.password.reveal().toBase64())},
          {text("database"), server.database},
          {text("ca"), server.caFile},
          {text("name"), server.serverName}});
}

void Janitor::forgetKeys(const QByteArray& prefix) {
    --m_watched;
    tell({{text("forget"), text("keys")}, {text("prefix"), QString::fromLatin1(prefix.toBase64())}});
}

} // namespace lockscope::live
