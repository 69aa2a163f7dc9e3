// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <memory>

#include "core/base/result.h"
#include "core/live/redis_url.h"

namespace lockscope::live {

/// A small process that outlives this one, and cleans up after it: processes (also stopped ones), folders,
/// and keys on a server. It starts when the pipe to it ends, which happens however this process ends, also by
/// SIGKILL.
///
/// What is watched goes to it at once, by a blocking write to a pipe that nobody else holds; passwords only
/// that way. Destroying this object lets it clean up whatever is still watched.
class Janitor {
public:
    /// `program` is started with kArgument and must call runJanitor() then; empty: this very program.
    static Result<std::shared_ptr<Janitor>> start(const QString& program = {});
    ~Janitor();
    Janitor(const Janitor&) = delete;
    Janitor& operator=(const Janitor&) = delete;

    static constexpr const char* kArgument = "--internal-janitor";

    void watchProcess(qint64 pid);
    void forgetProcess(qint64 pid);
    /// Only a folder whose name starts with kFolderPrefix is ever removed.
    void watchFolder(const QString& path);
    void forgetFolder(const QString& path);
    static constexpr const char* kFolderPrefix = "lockscope-";
    /// All keys that start with the prefix, which must not be empty.
    void watchKeys(const RedisEndpoint& server, const QByteArray& prefix);
    void forgetKeys(const QByteArray& prefix);

    qint64 pid() const { return m_pid; }

private:
    Janitor(int pipe, qint64 pid) : m_pipe(pipe), m_pid(pid) {}
    void tell(const QJsonObject& what);

    int m_pipe;
    qint64 m_pid;
    int m_watched = 0;
};

/// The other process: waits for the end of standard input, cleans up, and returns the exit code.
int runJanitor(int argc, char** argv);

} // namespace lockscope::live
