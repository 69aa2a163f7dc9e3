// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QTest>

#include <csignal>
#include <cstdio>

#include "core/live/janitor.h"
#include "core/live/process_guard.h"
#include "tests/live/live_server.h"

using namespace lockscope;
using namespace lockscope::live;
using namespace lockscope::live::test;

namespace {

constexpr const char* kHostArgument = "--internal-host";

bool isGone(qint64 pid) {
    return birthOf(pid).isEmpty();
}

/// Another process that has a private server, frozen, with a janitor, and keys on a second server; it says so
/// and waits to be killed.
int runHost(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    auto janitor = Janitor::start();
    if (!janitor) return 1;
    RedisEndpoint keys = *parseRedisUrl(QString::fromLocal8Bit(argv[2]));
    takeCredentials(keys, QProcessEnvironment::systemEnvironment());
    (*janitor)->watchKeys(keys, "run:");
    PrivateServer server({}, *janitor);
    if (!startAndWait(server).isEmpty()) return 1;
    server.freeze();
    std::printf("%lld %lld %s\n", static_cast<long long>(server.pid()),
                static_cast<long long>((*janitor)->pid()), qPrintable(server.folder()));
    std::fflush(stdout);
    return application.exec();
}

} // namespace

class PrivateServerTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
    }

    void itComesAndGoesWithoutATrace() {
        QString folder;
        qint64 pid = 0;
        {
            PrivateServer server;
            QCOMPARE(startAndWait(server), QString());
            folder = server.folder();
            pid = server.pid();
            QVERIFY(QDir(folder).exists());
            QVERIFY(!isGone(pid));
            QCOMPARE(call(server.control(), {"CONFIG", "GET", "notify-keyspace-events"}),
                     "[1) \"notify-keyspace-events\" 2) \"AKE\"]");
            QCOMPARE(call(server.control(), {"CONFIG", "GET", "port"}), "[1) \"port\" 2) \"0\"]");
            const auto others = QFileDevice::ReadOther | QFileDevice::WriteOther | QFileDevice::ReadGroup |
                                QFileDevice::WriteGroup;
            QVERIFY(!(QFile::permissions(folder) & others));
            QVERIFY(!(QFile::permissions(folder + "/redis.conf") & others));
            server.freeze(); // also a stopped one must go
        }
        QVERIFY(!QDir(folder).exists());
        QVERIFY(isGone(pid));
    }

    void whatCannotStartSaysWhy() {
        PrivateServerOptions options;
        options.extraLines = {"no-such-directive yes"};
        PrivateServer wrong(options);
        const QString why = startAndWait(wrong);
        QVERIFY2(why.contains("no-such-directive"), qPrintable(why));
        options.program = "/nowhere/redis-server";
        PrivateServer missing(options);
        QVERIFY(!startAndWait(missing).isEmpty());
        options.program = "/bin/sleep"; // takes the argument badly, and is no Redis
        PrivateServer other(options);
        QVERIFY(!startAndWait(other).isEmpty());
    }

    void aFrozenServerMakesItsClientsWait() {
        PrivateServer server;
        QCOMPARE(startAndWait(server), QString());
        QCOMPARE(call(server.control(), {"SET", "lock", "A", "PX", "50"}), "OK");
        server.freeze();
        QCOMPARE(call(server.control(), {"GET", "lock"}, std::chrono::milliseconds(100)), "timed out");
        server.thaw();
        // The lease ran on meanwhile.
        QCOMPARE(call(server.control(), {"GET", "lock"}), "(nil)");
    }

    void whatItStillKnowsAfterARestart_data() {
        using Persistence = PrivateServerOptions::Persistence;
        QTest::addColumn<Persistence>("persistence");
        QTest::addColumn<PrivateServer::Data>("data");
        QTest::addColumn<QByteArray>("lock");
        QTest::newRow("no persistence")
            << Persistence::None << PrivateServer::Data::Keep << QByteArray("(nil)");
        QTest::newRow("a snapshot") << Persistence::Snapshot << PrivateServer::Data::Keep
                                    << QByteArray("\"A\"");
        QTest::newRow("a snapshot, lost")
            << Persistence::Snapshot << PrivateServer::Data::Lose << QByteArray("(nil)");
        QTest::newRow("a log") << Persistence::EverySecond << PrivateServer::Data::Keep
                               << QByteArray("\"A\"");
        QTest::newRow("a log, lost") << Persistence::EverySecond << PrivateServer::Data::Lose
                                     << QByteArray("(nil)");
    }
    void whatItStillKnowsAfterARestart() {
        QFETCH(PrivateServerOptions::Persistence, persistence);
        QFETCH(PrivateServer::Data, data);
        QFETCH(QByteArray, lock);
        PrivateServerOptions options;
        options.persistence = persistence;
        PrivateServer server(options);
        QCOMPARE(startAndWait(server), QString());
        const qint64 pid = server.pid();
        const QString socket = server.endpoint().socketPath;
        QCOMPARE(call(server.control(), {"SET", "lock", "A"}), "OK");
        if (persistence == PrivateServerOptions::Persistence::Snapshot)
            QCOMPARE(call(server.control(), {"SAVE"}), "OK");
        QSignalSpy died(&server, &PrivateServer::died);
        server.restart(data);
        QCOMPARE(died.size(), 1);
        QTRY_VERIFY(server.isReady());
        QVERIFY(server.pid() != pid);
        QCOMPARE(server.endpoint().socketPath, socket);
        QCOMPARE(QByteArray::fromStdString(call(server.control(), {"GET", "lock"})), lock);
    }

    void aReplicaFollowsAndIsPromoted() {
        PrivateServerOptions options;
        options.loopbackPort = true;
        PrivateServer primary(options);
        QCOMPARE(startAndWait(primary), QString());
        QVERIFY(!primary.endpoint().password.isEmpty());
        PrivateServerOptions replicaOptions;
        replicaOptions.replicaOf = primary.endpoint();
        PrivateServer replica(replicaOptions);
        QCOMPARE(startAndWait(replica), QString());

        QCOMPARE(call(primary.control(), {"SET", "lock", "A"}), "OK");
        QCOMPARE(call(primary.control(), {"WAIT", "1", "2000"}), "(integer) 1");
        QCOMPARE(call(replica.control(), {"GET", "lock"}), "\"A\"");
        QVERIFY(call(replica.control(), {"SET", "lock", "B"}).starts_with("(error) READONLY"));
        // What the replica misses is lost when it takes over.
        replica.freeze();
        QCOMPARE(call(primary.control(), {"SET", "late", "A"}), "OK");
        primary.kill();
        replica.thaw();
        QSignalSpy promoted(&replica, &PrivateServer::promoted);
        replica.promote();
        QTRY_COMPARE(promoted.size(), 1);
        QCOMPARE(call(replica.control(), {"SET", "lock", "B"}), "OK");
    }

    void aServerThatDiesByItselfIsNoticed() {
        PrivateServer server;
        QCOMPARE(startAndWait(server), QString());
        QSignalSpy died(&server, &PrivateServer::died);
        ::kill(static_cast<pid_t>(server.pid()), SIGKILL);
        QTRY_COMPARE(died.size(), 1);
        QVERIFY(!server.isReady());
        QCOMPARE(startAndWait(server), QString());
    }

    void theJanitorEndsWithNothingToDo() {
        auto janitor = Janitor::start();
        QVERIFY(janitor.ok());
        const qint64 pid = (*janitor)->pid();
        {
            PrivateServer server({}, *janitor);
            QCOMPARE(startAndWait(server), QString());
        }
        QVERIFY(!isGone(pid));
        janitor->reset();
        QVERIFY(isGone(pid));
    }

    void theJanitorNeverTouchesWhatIsNotOurs() {
        QTemporaryDir parent;
        QVERIFY(QDir(parent.path()).mkdir("precious"));
        QVERIFY(QDir(parent.path()).mkdir("lockscope-ours"));
        auto janitor = Janitor::start();
        QVERIFY(janitor.ok());
        (*janitor)->watchFolder(parent.filePath("precious"));
        (*janitor)->watchFolder(parent.filePath("lockscope-ours"));
        janitor->reset();
        QTRY_VERIFY(!QDir(parent.filePath("lockscope-ours")).exists());
        QVERIFY(QDir(parent.filePath("precious")).exists());
    }

    void nothingStaysWhenTheHostIsKilled() {
        PrivateServerOptions options;
        options.loopbackPort = true;
        PrivateServer keys(options);
        QCOMPARE(startAndWait(keys), QString());
        QCOMPARE(call(keys.control(), {"MSET", "run:lock", "A", "run:fence", "1", "other", "x"}), "OK");

        QProcess host;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKSCOPE_REDIS_PASSWORD", keys.endpoint().password.reveal());
        host.setProcessEnvironment(environment);
        host.start(QCoreApplication::applicationFilePath(),
                   {kHostArgument, QStringLiteral("redis://127.0.0.1:%1").arg(keys.endpoint().port)});
        QTRY_VERIFY_WITH_TIMEOUT(host.canReadLine(), 10'000);
        const QList<QByteArray> said = host.readLine().trimmed().split(' ');
        QCOMPARE(said.size(), 3);
        const qint64 serverPid = said[0].toLongLong();
        const qint64 janitorPid = said[1].toLongLong();
        const QString folder = QString::fromLocal8Bit(said[2]);
        QVERIFY(!isGone(serverPid) && QDir(folder).exists());

        QElapsedTimer since;
        since.start();
        ::kill(static_cast<pid_t>(host.processId()), SIGKILL);
        QTRY_VERIFY(isGone(serverPid));
        QTRY_VERIFY(!QDir(folder).exists());
        QTRY_COMPARE(call(keys.control(), {"DBSIZE"}), "(integer) 1");
        QTRY_VERIFY(isGone(janitorPid));
        QVERIFY2(since.elapsed() < 2000, qPrintable(QString::number(since.elapsed())));
        QCOMPARE(call(keys.control(), {"GET", "other"}), "\"x\"");
    }
};

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == Janitor::kArgument) return runJanitor(argc, argv);
    if (argc > 2 && std::string_view(argv[1]) == kHostArgument) return runHost(argc, argv);
    QCoreApplication application(argc, argv);
    PrivateServerTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "private_server_test.moc"
