// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include "core/live/connection_probe.h"
#include "tests/live/live_server.h"

using namespace lockscope;
using namespace lockscope::live;
using namespace lockscope::live::test;

namespace {

ProbeReport probe(const RedisEndpoint& endpoint,
                  std::chrono::milliseconds limit = std::chrono::milliseconds(4500)) {
    ConnectionProbe probe;
    QSignalSpy finished(&probe, &ConnectionProbe::finished);
    probe.start(endpoint, limit);
    if (!QTest::qWaitFor([&] { return !finished.isEmpty(); }, 5000)) return {};
    return finished[0][0].value<ProbeReport>();
}

RedisEndpoint at(const QString& url) {
    return *parseRedisUrl(url);
}

/// Listens, and greets whoever comes with some bytes, then says nothing more.
class Impostor {
public:
    explicit Impostor(const QByteArray& greeting, bool hangsUp = false) {
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this, greeting, hangsUp] {
            QTcpSocket* socket = m_server.nextPendingConnection();
            QObject::connect(socket, &QTcpSocket::readyRead, socket, [socket, greeting, hangsUp] {
                socket->write(greeting);
                if (hangsUp) socket->disconnectFromHost();
            });
        });
        m_server.listen(QHostAddress::LocalHost);
    }
    RedisEndpoint endpoint(const char* scheme = "redis") const {
        RedisEndpoint e =
            at(QStringLiteral("%1://127.0.0.1:%2").arg(QLatin1String(scheme)).arg(m_server.serverPort()));
        e.connectTimeout = std::chrono::milliseconds(300);
        return e;
    }

private:
    QTcpServer m_server;
};

bool run(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(20'000) && process.exitCode() == 0;
}

} // namespace

#define COMPARE_FAILURE(report, expected)                                                                    \
    do {                                                                                                     \
        QVERIFY2((report).failure.has_value(), "it did not fail");                                           \
        QCOMPARE((report).failure->kind, FailureKind::expected);                                             \
    } while (false)

class ConnectionProbeTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
        PrivateServerOptions options;
        options.loopbackPort = true;
        options.maxMemory = 64 * 1024 * 1024;
        options.maxMemoryPolicy = "volatile-lru";
        options.extraLines = {"user ann on >secret ~run:* +@all -@admin",
                              "user bob on >secret ~run:* +get +set +hello +ping"};
        m_server = std::make_unique<PrivateServer>(options);
        QCOMPARE(startAndWait(*m_server), QString());
    }
    void cleanupTestCase() { m_server.reset(); }

    void aRedisSaysWhatItIs() {
        const ProbeReport report = probe(m_server->endpoint());
        QVERIFY(!report.failure);
        QCOMPARE(report.product, "Redis");
        QVERIFY(report.version.count('.') == 2);
        QCOMPARE(report.mode, "standalone");
        QCOMPARE(report.role, "master");
        QCOMPARE(report.maxMemoryPolicy, "volatile-lru");
        QCOMPARE(report.maxMemory, 64 * 1024 * 1024);
        QCOMPARE(report.info, Permission::Permitted);
        QCOMPARE(report.config, Permission::Permitted);
        QCOMPARE(report.monitor, Permission::Permitted);
        QCOMPARE(report.sentence(m_server->endpoint()),
                 QStringLiteral("Redis %1 · standalone · primary · memory limit with policy volatile-lru")
                     .arg(report.version));
    }

    void aLimitedUserIsNotTurnedAway() {
        RedisEndpoint endpoint = m_server->endpoint();
        endpoint.user = "ann";
        endpoint.password = Secret("secret");
        ProbeReport report = probe(endpoint);
        QVERIFY(!report.failure);
        QCOMPARE(report.product, "Redis");
        endpoint.user = "bob"; // may neither ask INFO nor what is permitted
        report = probe(endpoint);
        QVERIFY(!report.failure);
        QCOMPARE(report.info, Permission::Denied);
        QCOMPARE(report.product, "Redis");
        QCOMPARE(report.role, "master");
        QVERIFY(report.sentence(endpoint).endsWith("not permitted: INFO"));
    }

    void theWayInIsBarred() {
        RedisEndpoint endpoint = m_server->endpoint();
        endpoint.password = Secret("hunter2");
        ProbeReport report = probe(endpoint);
        COMPARE_FAILURE(report, WrongPassword);
        QVERIFY(!report.sentence(endpoint).contains("hunter2"));
        endpoint.password = {};
        COMPARE_FAILURE(probe(endpoint), PasswordNeeded);
        endpoint = m_server->endpoint();
        endpoint.database = 99;
        COMPARE_FAILURE(probe(endpoint), NoSuchDatabase);
    }

    void nobodyIsThere() {
        QTcpServer gone;
        QVERIFY(gone.listen(QHostAddress::LocalHost));
        const quint16 port = gone.serverPort();
        gone.close();
        const RedisEndpoint refused = at(QStringLiteral("redis://127.0.0.1:%1").arg(port));
        const ProbeReport report = probe(refused);
        COMPARE_FAILURE(report, Refused);
        QCOMPARE(
            report.sentence(refused),
            QStringLiteral("Nothing listens at redis://127.0.0.1:%1: the connection was refused.").arg(port));
        COMPARE_FAILURE(probe(at("redis://no-such-host.invalid")), Unresolvable);
        COMPARE_FAILURE(probe(at("unix:///nowhere/redis.sock")), NoSocket);
    }

    void somethingElseIsThere() {
        const Impostor web("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        const ProbeReport report = probe(web.endpoint());
        COMPARE_FAILURE(report, NotARedis);
        QVERIFY(report.sentence(web.endpoint()).contains("is not a Redis"));
        COMPARE_FAILURE(probe(Impostor("+HELLO\r\n").endpoint()), NotARedis);
        COMPARE_FAILURE(probe(Impostor("", true).endpoint()), Closed);
        COMPARE_FAILURE(probe(Impostor("SSH-2.0-OpenSSH\r\n").endpoint("rediss")), NoTls);
    }

    void nobodyAnswers() {
        const Impostor silent("");
        ProbeReport report = probe(silent.endpoint());
        COMPARE_FAILURE(report, TimedOut);
        QCOMPARE(report.failure->stage, ConnectionStage::Greeting);
        report = probe(silent.endpoint("rediss"));
        COMPARE_FAILURE(report, TimedOut);
        QCOMPARE(report.failure->stage, ConnectionStage::Securing);
        // It answers the greeting, and nothing after that.
        const Impostor half("+PONG\r\n");
        report = probe(half.endpoint(), std::chrono::milliseconds(400));
        QVERIFY(report.failure.has_value());
    }

    void aServerThatIsLoadingOrFullSaysSo() {
        COMPARE_FAILURE(probe(Impostor("-LOADING Redis is loading the dataset in memory\r\n").endpoint()),
                        Loading);
        COMPARE_FAILURE(probe(Impostor("-ERR max number of clients reached\r\n", true).endpoint()),
                        TooManyClients);
    }

    void aReplicaIsNoPlaceForLocks() {
        PrivateServerOptions options;
        options.replicaOf = m_server->endpoint();
        PrivateServer replica(options);
        QCOMPARE(startAndWait(replica), QString());
        const ProbeReport report = probe(replica.endpoint());
        COMPARE_FAILURE(report, ReadOnlyReplica);
        QCOMPARE(report.role, "slave");
        QCOMPARE(report.product, "Redis");
    }

    void certificatesAreChecked() {
        if (QStandardPaths::findExecutable("openssl").isEmpty())
            QSKIP("there is no openssl to make a certificate with");
        QTemporaryDir folder;
        const auto file = [&](const char* name) { return folder.filePath(QLatin1String(name)); };
        QVERIFY(run("openssl", {"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                                "/CN=redis.test", "-addext", "subjectAltName=DNS:redis.test", "-keyout",
                                file("key.pem"), "-out", file("cert.pem")}));
        QVERIFY(run("openssl", {"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                                "/CN=other", "-keyout", file("other-key.pem"), "-out", file("other.pem")}));
        QTcpServer free;
        QVERIFY(free.listen(QHostAddress::LocalHost));
        const quint16 port = free.serverPort();
        free.close();
        PrivateServerOptions options;
        options.extraLines = {QStringLiteral("tls-port %1").arg(port), "bind 127.0.0.1",
                              "tls-auth-clients no", "tls-cert-file " + file("cert.pem"),
                              "tls-key-file " + file("key.pem")};
        PrivateServer server(options);
        if (const QString why = startAndWait(server); !why.isEmpty())
            QSKIP("this redis-server was built without TLS");

        RedisEndpoint right = at(QStringLiteral("rediss://127.0.0.1:%1?servername=redis.test").arg(port));
        right.caFile = file("cert.pem");
        ProbeReport report = probe(right);
        QVERIFY2(!report.failure, qPrintable(report.sentence(right)));
        QCOMPARE(report.product, "Redis");

        RedisEndpoint wrongName = right;
        wrongName.serverName = "redis.example";
        report = probe(wrongName);
        COMPARE_FAILURE(report, Certificate);
        QCOMPARE(report.failure->stage, ConnectionStage::Securing);
        RedisEndpoint unknownAuthority = right;
        unknownAuthority.caFile.clear();
        COMPARE_FAILURE(probe(unknownAuthority), Certificate);
        RedisEndpoint otherAuthority = right;
        otherAuthority.caFile = file("other.pem");
        COMPARE_FAILURE(probe(otherAuthority), Certificate);
        RedisEndpoint noFile = right;
        noFile.caFile = file("nothing.pem");
        COMPARE_FAILURE(probe(noFile), CertificateFile);
        // Plain to a TLS port, and TLS to a plain one.
        RedisEndpoint plain = right;
        plain.transport = RedisEndpoint::Transport::Tcp;
        QVERIFY(probe(plain).failure.has_value());
        RedisEndpoint tls = m_server->endpoint();
        tls.transport = RedisEndpoint::Transport::Tls;
        tls.connectTimeout = std::chrono::milliseconds(500);
        QVERIFY(probe(tls).failure.has_value());
    }

private:
    std::unique_ptr<PrivateServer> m_server;
};

QTEST_GUILESS_MAIN(ConnectionProbeTest)
#include "connection_probe_test.moc"
