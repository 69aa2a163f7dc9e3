// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/live/redis_url.h"

using namespace lockscope::live;

namespace {

/// Everything an endpoint says, its password too, on one line.
QString spelled(const QString& url) {
    const auto read = parseRedisUrl(url);
    if (!read) return QStringLiteral("! ") + QString::fromStdString(read.error().message);
    static const char* const kTransports[] = {"tcp", "tls", "unix"};
    const RedisEndpoint& e = *read;
    const QString where = e.transport == RedisEndpoint::Transport::UnixSocket
                              ? e.socketPath
                              : QStringLiteral("%1 %2").arg(e.host).arg(e.port);
    return QStringLiteral("%1 %2 user=%3 password=%4 db=%5 ca=%6 name=%7 client=%8 %9ms")
        .arg(QLatin1String(kTransports[int(e.transport)]), where, e.user,
             QString::fromUtf8(e.password.reveal()))
        .arg(e.database)
        .arg(e.caFile, e.serverName, e.clientName)
        .arg(e.connectTimeout.count());
}

} // namespace

class RedisUrlTest : public QObject {
    Q_OBJECT

private slots:
    void urlsAreRead_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("read");
        const auto row = [](const char* url, const char* read) {
            QTest::newRow(url) << QString(url) << QString(read);
        };
        row("redis://", "tcp 127.0.0.1 6379 user= password= db=0 ca= name= client= 3000ms");
        row("redis://redis.example:7000/2",
            "tcp redis.example 7000 user= password= db=2 ca= name= client= 3000ms");
        row("REDIS://host/", "tcp host 6379 user= password= db=0 ca= name= client= 3000ms");
        row("redis://secret@host", "tcp host 6379 user= password=secret db=0 ca= name= client= 3000ms");
        row("redis://:secret@host", "tcp host 6379 user= password=secret db=0 ca= name= client= 3000ms");
        row("redis://ann:p%40s%3As%2F@host",
            "tcp host 6379 user=ann password=p@s:s/ db=0 ca= name= client= 3000ms");
        row("redis://ann:a@b@host", "tcp host 6379 user=ann password=a@b db=0 ca= name= client= 3000ms");
        row("redis://[::1]:6380/1", "tcp ::1 6380 user= password= db=1 ca= name= client= 3000ms");
        row("rediss://host?cafile=/etc/ca.pem&servername=redis.internal&timeout=1500ms&name=Server%20A",
            "tls host 6379 user= password= db=0 ca=/etc/ca.pem name=redis.internal client=Server A 1500ms");
        row("unix:///run/redis.sock", "unix /run/redis.sock user= password= db=0 ca= name= client= 3000ms");
        row("redis+socket://ann:pw@/run/a%20b.sock?db=3",
            "unix /run/a b.sock user=ann password=pw db=3 ca= name= client= 3000ms");
        row("unix:///run/redis.sock?user=ann&password=pw",
            "unix /run/redis.sock user=ann password=pw db=0 ca= name= client= 3000ms");
    }
    void urlsAreRead() {
        QFETCH(QString, url);
        QFETCH(QString, read);
        QCOMPARE(spelled(url), read);
    }

    void wrongOnesSayWhatIsAllowed_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* url, const char* says) {
            QTest::newRow(url) << QString(url) << QString(says);
        };
        row("", "starts with redis://");
        row("localhost:6379", "starts with redis://");
        row("http://hunter2@host", "starts with redis://");
        row("redis://:hunter2@host:0", "port of a Redis URL is a number from 1 to 65535");
        row("redis://:hunter2@host:abc", "port of a Redis URL is a number from 1 to 65535");
        row("redis://:hunter2@host/first", "database of a Redis URL is a number");
        row("redis://:hunter2@[::1", "closing ]");
        row("redis://:hunter2@host?colour=red", "knows no option 'colour'");
        row("redis://:hunter2@host?cafile=/ca.pem", "for rediss:// cafile, servername");
        row("redis://:hunter2@host?db=1&DB=2", "stands twice");
        row("redis://:hunter2@host?db", "name=value");
        row("redis://:hunter2@host?timeout=5", "timeout");
        row("unix://run/redis.sock", "unix:///path/of/socket");
        row("unix:///?password=hunter2", "unix:///path/of/socket");
    }
    void wrongOnesSayWhatIsAllowed() {
        QFETCH(QString, url);
        QFETCH(QString, says);
        const QString error = spelled(url);
        QVERIFY2(error.startsWith("! ") && error.contains(says), qPrintable(error));
        QVERIFY2(!error.contains("hunter2"), qPrintable(error));
    }

    void theShownUrlHidesThePassword() {
        for (const char* url : {"redis://ann:***@host:7000/2", "rediss://host:6379",
                                "unix://:***@/run/a%20b.sock?db=3", "redis://[::1]:6379"}) {
            QString real = url;
            real.replace("***", "hunter2");
            QCOMPARE(parseRedisUrl(real)->shown(), QString(url));
        }
    }

    void theEnvironmentFillsInWhatTheUrlLeavesOpen() {
        QProcessEnvironment environment;
        environment.insert("LOCKSCOPE_REDIS_USER", "ann");
        environment.insert("LOCKSCOPE_REDIS_PASSWORD", "hunter2");
        environment.insert("REDISCLI_AUTH", "other");
        auto open = *parseRedisUrl("redis://host");
        takeCredentials(open, environment);
        QCOMPARE(open.user, "ann");
        QCOMPARE(open.password.reveal(), "hunter2");
        auto given = *parseRedisUrl("redis://bob:pw@host");
        takeCredentials(given, environment);
        QCOMPARE(given.user, "bob");
        QCOMPARE(given.password.reveal(), "pw");
        environment.remove("LOCKSCOPE_REDIS_PASSWORD");
        auto asForCli = *parseRedisUrl("redis://host");
        takeCredentials(asForCli, environment);
        QCOMPARE(asForCli.password.reveal(), "other");
    }
};

QTEST_GUILESS_MAIN(RedisUrlTest)
#include "redis_url_test.moc"
