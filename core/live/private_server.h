// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

#include "core/live/append_log.h"
#include "core/live/janitor.h"
#include "core/live/loopback_port.h"
#include "core/live/redis_connection.h"

namespace lockscope::live {

struct PrivateServerOptions {
    enum class Persistence : std::uint8_t {
        None,
        Snapshot,    ///< a dump is written by SAVE and by `saves`, and read at the start
        EverySecond, ///< every command is written, once a second to the disk
        Always,      ///< … and is on the disk before it is answered
    };

    QString program; ///< empty: what findProgram() finds
    Persistence persistence = Persistence::None;
    QString saves;        ///< with Snapshot: `3600 1`, as in redis.conf; empty: only SAVE writes one
    qint64 maxMemory = 0; ///< bytes; 0: no limit
    QString maxMemoryPolicy = QStringLiteral("noeviction");
    /// Listens on a free port of the loopback address, behind a password, instead of on a socket file.
    /// Replicas need that of their primary.
    bool loopbackPort = false;
    Secret password = {};                   ///< of that port; empty: a random one
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

    /// When a replica counts as ready: in step with its primary, or as soon as it answers.
    enum class Readiness : std::uint8_t { InStep, Answers };

    /// ready() or failed() follows.
    void start(Readiness wanted = Readiness::InStep);
    /// Kills it. Its data stay until this object goes.
    void kill();
    /// Kills it as its machine does that loses its power: what was not on the disk yet is gone.
    void losePower();
    /// SHUTDOWN: died() follows when it has saved what it should. It does not wait for its replicas, as Redis
    /// 7.0 does for up to ten seconds by itself.
    void shutDown();
    /// Killed if alive, and started again on the same address. What it then still knows is up to its
    /// persistence.
    void restart(Data data);
    /// Stops it in the middle of whatever it does; clients wait.
    void freeze();
    void thaw();
    /// A replica becomes a primary: promoted() or failed() follows.
    void promote();
    /// From now on a replica of that one, and when it is started again; nobody's: from its next start on. The
    /// two have one password.
    void follow(const std::optional<RedisEndpoint>& primary);
    /// Listens on that port of the loopback address from now on, instead of the one with which it is started;
    /// failed() if it cannot. Connections that there are stay.
    void listenOn(quint16 port, std::function<void()> then);
    quint16 ownPort() const { return m_ownPort.number(); }

    bool isReady() const { return m_state == State::Ready; }
    bool isFrozen() const { return m_frozen; }
    qint64 pid() const { return m_process.processId(); }
    /// Where it listens by now.
    const RedisEndpoint& endpoint() const { return m_endpoint; }
    QString folder() const { return m_folder.path(); }
    /// A connection of the host's own, for what lessons do to a server: CONFIG, DEBUG, SAVE. Ready when the
    /// server is, and taken up again if somebody ends it.
    RedisConnection& control() { return m_control; }

signals:
    void ready();
    void failed(const QString& why);
    void promoted();
    /// The process ended, on our behalf (kill, restart) or by itself.
    void died();

private:
    Result<void> prepare();
    QByteArray configuration() const;
    Result<void> writeConfiguration() const;
    void launch();
    void tryToConnect();
    void checkLink();
    void sendReplicaOf();
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
    LoopbackPort m_ownPort;
    QTimer m_retry;
    QElapsedTimer m_starting;
    qint64 m_watchedPid = 0;
    enum class State : std::uint8_t { Idle, Starting, Ready };
    State m_state = State::Idle;
    Readiness m_wanted = Readiness::InStep;
    bool m_prepared = false;
    bool m_frozen = false;
    bool m_losesPower = false;
    AppendLog m_log;
};

QByteArray randomPassword();

} // namespace lockscope::live
