// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/private_server.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QStandardPaths>

#include <array>
#include <csignal>

#include <sys/un.h>

#include "core/live/process_guard.h"

namespace lockscope::live {

namespace {

using Persistence = PrivateServerOptions::Persistence;
using Transport = RedisEndpoint::Transport;

constexpr std::chrono::milliseconds kRetryInterval{10};

/// A folder whose path leaves room for a socket's name: the system takes about a hundred characters for both.
QString folderTemplate() {
    const QString wanted =
        QDir(QDir::tempPath()).filePath(QLatin1String(Janitor::kFolderPrefix) + QStringLiteral("XXXXXX"));
    const bool fits = QFile::encodeName(wanted + QStringLiteral("/redis.sock")).size() <
                      qsizetype(sizeof(sockaddr_un::sun_path));
    return fits ? wanted : QStringLiteral("/tmp/%1XXXXXX").arg(QLatin1String(Janitor::kFolderPrefix));
}

/// As redis.conf wants it, whatever characters the path holds.
QByteArray quoted(const QString& path) {
    QByteArray out = "\"";
    for (const char c : QFile::encodeName(path)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

bool isLog(Persistence persistence) {
    return persistence == Persistence::EverySecond || persistence == Persistence::Always;
}

} // namespace

QByteArray randomPassword() {
    std::array<quint32, 6> words{};
    QRandomGenerator::system()->fillRange(words.data(), words.size());
    return QByteArray(reinterpret_cast<const char*>(words.data()), sizeof words).toHex();
}

PrivateServer::PrivateServer(PrivateServerOptions options, std::shared_ptr<Janitor> janitor, QObject* parent)
    : QObject(parent), m_options(std::move(options)), m_janitor(std::move(janitor)),
      m_folder(folderTemplate()) {
    if (m_janitor && m_folder.isValid()) m_janitor->watchFolder(m_folder.path());
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &PrivateServer::tryToConnect);
    connect(&m_process, &QProcess::finished, this, &PrivateServer::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) fail(m_process.errorString());
    });
    connect(&m_control, &RedisConnection::ready, this, &PrivateServer::checkLink);
    connect(&m_control, &RedisConnection::failed, this, [this](const ConnectionFailure&) {
        if (m_state == State::Starting) retry();
        if (m_state == State::Ready) m_retry.start(kRetryInterval); // somebody has ended it
    });
}

PrivateServer::~PrivateServer() {
    m_process.disconnect(this);
    m_control.disconnect(this);
    endProcess();
    m_folder.remove();
    if (m_janitor) m_janitor->forgetFolder(m_folder.path());
}

QString PrivateServer::findProgram() {
    for (const char* name : {"redis-server", "valkey-server"}) {
        const QString found = QStandardPaths::findExecutable(QLatin1String(name));
        if (!found.isEmpty()) return found;
    }
    return {};
}

void PrivateServer::start(Readiness wanted) {
    m_wanted = wanted;
    if (m_process.state() != QProcess::NotRunning) return;
    Result<void> prepared = prepare();
    if (m_options.loopbackPort) m_endpoint.port = m_ownPort.number();
    if (prepared) prepared = writeConfiguration();
    if (!prepared) {
        const QString why = QString::fromStdString(prepared.error().message);
        QMetaObject::invokeMethod(
            this, [this, why] { fail(why); }, Qt::QueuedConnection);
        return;
    }
    launch();
}

/// Settles the address, once: a restart keeps it.
Result<void> PrivateServer::prepare() {
    if (m_prepared) return {};
    if (m_options.program.isEmpty()) m_options.program = findProgram();
    if (m_options.program.isEmpty())
        return Error{"there is no redis-server and no valkey-server on the PATH"};
    if (!m_folder.isValid())
        return Error{"cannot make a temporary folder: " + m_folder.errorString().toStdString()};

    if (m_options.loopbackPort) {
        Result<LoopbackPort> port = LoopbackPort::take();
        if (!port) return port.error();
        m_ownPort = std::move(*port);
        m_endpoint.password = m_options.password.isEmpty() ? Secret(randomPassword()) : m_options.password;
    } else {
        m_endpoint.transport = Transport::UnixSocket;
        m_endpoint.host.clear();
        m_endpoint.socketPath = m_folder.filePath(QStringLiteral("redis.sock"));
    }
    m_endpoint.connectTimeout = m_options.startTimeout;
    m_prepared = true;
    return {};
}

Result<void> PrivateServer::writeConfiguration() const {
    QFile file(m_folder.filePath(QStringLiteral("redis.conf")));
    const bool written = file.open(QIODevice::WriteOnly) &&
                         file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
                         file.write(configuration()) >= 0 && file.flush();
    if (!written)
        return Error{"cannot write " + file.fileName().toStdString() + ": " +
                     file.errorString().toStdString()};
    return {};
}

QByteArray PrivateServer::configuration() const {
    QByteArray lines =
        "daemonize no\n"
        "notify-keyspace-events KEA\n"
        "repl-diskless-sync-delay 0\n"
        "rdb-del-sync-files yes\n"; // or who was a replica once begins with what it was sent then
    lines += "dir " + quoted(m_folder.path()) + '\n';
    lines += "logfile " + quoted(m_folder.filePath(QStringLiteral("log"))) + '\n';
    if (m_endpoint.transport == Transport::UnixSocket) {
        lines += "port 0\nunixsocketperm 700\nunixsocket " + quoted(m_endpoint.socketPath) + '\n';
    } else {
        lines += "bind 127.0.0.1\nport " + QByteArray::number(m_endpoint.port) + '\n';
        lines += "requirepass " + m_endpoint.password.reveal() + '\n';
    }
    lines += "maxmemory " + QByteArray::number(m_options.maxMemory) + '\n';
    lines += "maxmemory-policy " + m_options.maxMemoryPolicy.toUtf8() + '\n';
    lines += "save " + (m_options.saves.isEmpty() ? QByteArray("\"\"") : m_options.saves.toUtf8()) + '\n';
    lines += isLog(m_options.persistence) ? "appendonly yes\n" : "appendonly no\n";
    lines += m_options.persistence == Persistence::Always ? "appendfsync always\n" : "appendfsync everysec\n";
    if (m_options.replicaOf) {
        lines += "replicaof " + m_options.replicaOf->host.toUtf8() + ' ' +
                 QByteArray::number(m_options.replicaOf->port) + '\n';
    }
    const Secret& ofGroup = m_options.replicaOf ? m_options.replicaOf->password : m_endpoint.password;
    if (!ofGroup.isEmpty()) lines += "masterauth " + ofGroup.reveal() + '\n';
    for (const QString& line : m_options.extraLines)
        lines += line.toUtf8() + '\n';
    return lines;
}

void PrivateServer::launch() {
    m_state = State::Starting;
    m_frozen = false;
    m_starting.start();
    tieToThisProcess(m_process);
    m_process.setStandardOutputFile(QProcess::nullDevice());
    m_process.setStandardErrorFile(m_folder.filePath(QStringLiteral("stderr")));
    m_process.start(m_options.program, {m_folder.filePath(QStringLiteral("redis.conf"))});
    if (!m_process.waitForStarted()) return; // errorOccurred says why
    m_watchedPid = m_process.processId();
    if (m_janitor) m_janitor->watchProcess(m_watchedPid);
    if (m_options.persistence == Persistence::EverySecond) m_log.begin(m_folder.path());
    tryToConnect();
}

void PrivateServer::tryToConnect() {
    m_control.isReady() ? checkLink() : m_control.open(m_endpoint);
}

void PrivateServer::retry() {
    if (m_process.state() == QProcess::NotRunning) return; // said already
    if (m_starting.hasExpired(m_options.startTimeout.count())) {
        const QString why = tr("the server does not answer within %1 s%2")
                                .arg(static_cast<double>(m_options.startTimeout.count()) / 1000)
                                .arg(lastLogLines());
        endProcess();
        return fail(why);
    }
    m_retry.start(kRetryInterval);
}

/// Of which server it is a replica may have been settled since it was started.
void PrivateServer::checkLink() {
    if (m_state != State::Starting) return;
    if (!m_options.replicaOf) return becomeReady();
    static constexpr std::array<std::string_view, 2> kInfo{"INFO", "replication"};
    m_control.send(kInfo, [this](const CallResult& result) {
        if (!result.reply || m_state != State::Starting) return;
        const std::string& facts = result.reply->text;
        const bool primary = facts.find("role:master") != std::string::npos;
        const bool inStep = facts.find("master_link_status:up") != std::string::npos;
        if (primary && m_options.replicaOf) sendReplicaOf();
        if (inStep || m_wanted == Readiness::Answers || !m_options.replicaOf) return becomeReady();
        retry();
    });
}

void PrivateServer::becomeReady() {
    if (m_state != State::Starting) return;
    m_state = State::Ready;
    emit ready();
}

void PrivateServer::promote() {
    static constexpr std::array<std::string_view, 3> kPromote{"REPLICAOF", "NO", "ONE"};
    const bool sent = m_control.send(kPromote, [this](const CallResult& result) {
        if (result.reply && !result.reply->isError()) {
            m_options.replicaOf.reset();
            emit promoted();
        } else if (result.reply) {
            fail(tr("the replica was not promoted"));
        }
    });
    if (!sent)
        QMetaObject::invokeMethod(
            this, [this] { fail(tr("the replica was not promoted")); }, Qt::QueuedConnection);
}

void PrivateServer::follow(const std::optional<RedisEndpoint>& primary) {
    m_options.replicaOf = primary;
    if (primary && isReady()) sendReplicaOf();
}

void PrivateServer::sendReplicaOf() {
    const std::string port = std::to_string(m_options.replicaOf->port);
    const std::string host = m_options.replicaOf->host.toStdString();
    const std::array<std::string_view, 3> args{"REPLICAOF", host, port};
    m_control.send(args, {});
}

void PrivateServer::listenOn(quint16 port, std::function<void()> then) {
    const std::string number = std::to_string(port);
    const std::array<std::string_view, 4> args{"CONFIG", "SET", "port", number};
    m_control.send(args, [this, port, then = std::move(then)](const CallResult& result) {
        if (!result.reply) return; // it is dead
        if (!result.reply->isError()) {
            m_endpoint.port = port;
            return then();
        }
        fail(tr("the server cannot listen on port %1").arg(port));
    });
}

void PrivateServer::kill() {
    endProcess();
}

void PrivateServer::losePower() {
    m_losesPower = m_options.persistence == Persistence::EverySecond;
    endProcess();
    m_losesPower = false;
}

void PrivateServer::shutDown() {
    static constexpr std::array<std::string_view, 4> kAtOnce{"CONFIG", "SET", "shutdown-timeout", "0"};
    static constexpr std::array<std::string_view, 1> kShutDown{"SHUTDOWN"};
    m_control.send(kAtOnce, {}); // Redis 6 does not know it, and does not wait
    m_control.send(kShutDown, [](const CallResult&) {});
}

void PrivateServer::restart(Data data) {
    endProcess();
    if (data == Data::Lose) {
        QFile::remove(m_folder.filePath(QStringLiteral("dump.rdb")));
        QDir(m_folder.filePath(QStringLiteral("appendonlydir"))).removeRecursively();
        QFile::remove(m_folder.filePath(QStringLiteral("appendonly.aof"))); // where Redis 6 has it
    }
    start();
}

void PrivateServer::freeze() {
    if (m_process.state() != QProcess::Running || m_frozen) return;
    m_frozen = true;
    ::kill(static_cast<pid_t>(m_process.processId()), SIGSTOP);
}

void PrivateServer::thaw() {
    if (!m_frozen) return;
    m_frozen = false;
    ::kill(static_cast<pid_t>(m_process.processId()), SIGCONT);
}

/// At once: there is nothing that it should save, and SIGKILL also reaches a stopped process.
void PrivateServer::endProcess() {
    m_retry.stop();
    m_control.close();
    m_state = State::Idle;
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished();
    }
    unwatchProcess();
}

void PrivateServer::unwatchProcess() {
    if (m_janitor && m_watchedPid != 0) m_janitor->forgetProcess(m_watchedPid);
    m_watchedPid = 0;
    m_frozen = false;
}

void PrivateServer::onFinished() {
    const bool wasStarting = m_state == State::Starting;
    m_state = State::Idle;
    m_retry.stop();
    m_losesPower ? m_log.losePower() : m_log.end();
    m_control.close();
    unwatchProcess();
    // The socket of a killed server stays, and would make a client believe that there is one.
    if (!m_endpoint.socketPath.isEmpty()) QFile::remove(m_endpoint.socketPath);
    if (wasStarting) return fail(tr("the server ended as soon as it was started%1").arg(lastLogLines()));
    emit died();
}

void PrivateServer::fail(const QString& why) {
    emit failed(why);
}

QString PrivateServer::lastLogLines() const {
    for (const char* name : {"stderr", "log"}) {
        QFile file(m_folder.filePath(QLatin1String(name)));
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QString text = QString::fromUtf8(file.readAll()).trimmed();
        if (!text.isEmpty()) return QStringLiteral(": ") + text.section('\n', -3).simplified();
    }
    return {};
}

} // namespace lockscope::live
