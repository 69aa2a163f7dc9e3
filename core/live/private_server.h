// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>
#include <optional>

#include "core/live/janitor.h"
#include "core/live/redis_connection.h"

namespace lockscope::live {

struct PrivateServerOptions {
    enum class Persistence : std::uint8_t {
        None,
        Snapshot,   ///< a dump is written when it is told to (SAVE), and read at the start
        AppendOnly, ///< every command is written, once a second to the disk
    };

    QString program; ///< empty: what findProgram() finds
    Persistence persistence = Persistence::None;
    qint64 maxMemory = 0; ///< bytes; 0: no limit
    QString maxMemoryPolicy = QStringLiteral("noeviction");
    /// Listens on a free port of the loopback address, behind a random password, instead of on a socket file.
    /// Replicas need that of their primary.
    bool loopbackPort = false;
    std::optional<RedisEndpoint> replicaOf; ///< a server that listens on a port
    QStringList extraLines;                 ///< of redis.conf, after ours
    std::chrono::milliseconds startTimeout{5000};
};

/// A redis-server (or valkey-server) of our own: in a temporary folder, by a configuration of its own that
/// nobody else's touches, reachable by nobody else, and gone afterwards with all its files whatever happens
/// to this process. With a janitor that holds even if the folder's owner is SIGKILLed; the server itself dies
/// with its host anyway.
///
/// Make and start it on the main thread. Every fault is real: SIGSTOP, SIGKILL, a restart that forgets.
class PrivateServer : public QObject {
    Q_OBJECT

public:
    enum class Data : std::uint8_t { Keep, Lose };

    explicit PrivateServer(PrivateServerOptions options = {}, std::shared_ptr<Janitor> janitor = {},
                           QObject* parent = nullptr);
    ~PrivateServer() override;

    /// The program's path, or empty if neither redis-server nor valkey-server is on the PATH.
    static QString findProgram();

    /// ready() or failed() follows.
    void start();
    /// Kills it. Its data stay until this object goes.
    void kill();
    /// Killed if alive, and started again on the same address. What it then still knows is up to its
    /// persistence.
    void restart(Data data);
    /// Stops it in the middle of whatever it does; clients wait.
    void freeze();
    void thaw();
    /// A replica becomes a primary: promoted() or failed() follows.
    void promote();

    bool isReady() const { return m_state == State::Ready; }
    bool isFrozen() const { return m_frozen; }
    qint64 pid() const { return m_process.processId(); }
    const RedisEndpoint& endpoint() const { return m_endpoint; }
    QString folder() const { return m_folder.path(); }
    /// A connection of the host's own, for what lessons do to a server: CONFIG, DEBUG, SAVE. Ready when the
    /// server is.
    RedisConnection& control() { return m_control; }

signals:
    /// It answers; a replica is also in step with its primary.
    void ready();
    void failed(const QString& why);
    void promoted();
    /// The process ended, on our behalf (kill, restart) or by itself.
    void died();

private:
    Result<void> prepare();
    QByteArray configuration() const;
    void launch();
    void tryToConnect();
    void checkLink();
    void becomeReady();
    void retry();
    void onFinished();
    void endProcess();
    void unwatchProcess();
    void fail(const QString& why);
    QString lastLogLines() const;

    PrivateServerOptions m_options;
    std::shared_ptr<Janitor> m_janitor;
    QTemporaryDir m_folder;
    QProcess m_process;
    RedisConnection m_control;
    RedisEndpoint m_endpoint;
    QTimer m_retry;
    QElapsedTimer m_starting;
    qint64 m_watchedPid = 0;
    enum class State : std::uint8_t { Idle, Starting, Ready };
    State m_state = State::Idle;
    bool m_prepared = false;
    bool m_frozen = false;
};

} // namespace lockscope::live
