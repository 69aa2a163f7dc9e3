// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>
#include <set>

#include "core/live/key_watch.h"
#include "core/trace/analysis.h"
#include "tests/live/live_server.h"

using namespace lockscope;
using namespace lockscope::live;
using namespace lockscope::live::test;

namespace {

using Kind = Observation::Kind;

/// What a command of a watcher may be called: none of them writes.
const std::set<QByteArray> kHarmless{"TYPE",   "GETRANGE", "PTTL",      "MEMORY", "CLIENT", "PING",
                                     "SELECT", "AUTH",     "SUBSCRIBE", "HSCAN",  "ZRANGE"};

} // namespace

/// A lock key of somebody's server, watched from outside: on a real redis-server whose MONITOR tells what was
/// sent to it.
class KeyWatchTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        if (PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
        m_server = std::make_unique<PrivateServer>();
        m_seen.clear();
        QVERIFY(startAndWait(*m_server).isEmpty());
    }
    void cleanup() {
        m_monitor.reset();
        m_server.reset();
    }

    /// Somebody takes the lock, renews it, releases it; another one takes it and lets it run out.
    void aLockIsSeenFromOutsideAndNothingIsWritten() {
        monitor();
        KeyWatch watch(m_server->endpoint(), "lock", {.notificationsAreOn = false});
        watch.start();
        QTRY_COMPARE(kinds(watch), (QList<Kind>{Kind::Absent}));
        QCOMPARE(run({"SET", "lock", "one", "PX", "30000"}), "OK");
        QTRY_COMPARE(kinds(watch).last(), Kind::Held);
        QCOMPARE(run({"PEXPIRE", "lock", "60000"}), "(integer) 1");
        QTRY_COMPARE(kinds(watch).last(), Kind::Renewed);
        QCOMPARE(run({"DEL", "lock"}), "(integer) 1");
        QTRY_COMPARE(kinds(watch).last(), Kind::Absent);
        QCOMPARE(run({"SET", "lock", "two", "PX", "900"}), "OK");
        QTRY_COMPARE(kinds(watch).size(), 7);
        QCOMPARE(kinds(watch), (QList<Kind>{Kind::Absent, Kind::Held, Kind::Renewed, Kind::Absent, Kind::Held,
                                            Kind::LeaseOver, Kind::Absent}));
        QCOMPARE(watch.observations()[5].source, FactSource::Computed);

        const std::shared_ptr<Trace> trace = watch.trace();
        Analysis analysis;
        analyse(*trace, analysis);
        QCOMPARE(analysis.grants.size(), std::size_t{2});
        QCOMPARE(owner(*trace, analysis, 0), "\"one\"");
        QCOMPARE(owner(*trace, analysis, 1), "\"two\"");
        QCOMPARE(analysis.grants[0].end, EndReason::Deleted);
        QCOMPARE(analysis.grants[1].end, EndReason::LeaseEnded);
        const Duration held = analysis.grants[1].until - analysis.grants[1].from;
        QVERIFY(held <= millis(900));

        QVERIFY(!m_seen.isEmpty());
        for (const QByteArray& line : m_seen)
            QVERIFY2(kHarmless.count(line.mid(1, line.indexOf('"', 1) - 1).toUpper()) == 1, line.constData());
    }

    /// Between two looks the lock goes to another owner, then to somebody else yet, and gives way to a list.
    void nobodyRenewsALockThatIsAnothersByNow() {
        QCOMPARE(run({"CONFIG", "SET", "notify-keyspace-events", ""}), "OK"); // so polls alone tell
        KeyWatch watch(m_server->endpoint(), "lock", {.notificationsAreOn = false});
        QCOMPARE(run({"SET", "lock", "one", "PX", "30000"}), "OK");
        watch.start();
        QTRY_COMPARE(kinds(watch), (QList<Kind>{Kind::Held}));
        QCOMPARE(run({"SET", "lock", "two", "PX", "60000"}), "OK");
        QTRY_COMPARE(watch.observations().back().value, std::string("\"two\""));
        QCOMPARE(run({"SET", "lock", "three"}), "OK");
        QTRY_COMPARE(watch.observations().back().value, std::string("\"three\""));
        QCOMPARE(run({"EVAL",
                      "redis.call('DEL', KEYS[1]) redis.call('LPUSH', KEYS[1], 'x') "
                      "return redis.call('PEXPIRE', KEYS[1], 60000)",
                      "1", "lock"}),
                 "(integer) 1");
        QTRY_COMPARE(kinds(watch), (QList<Kind>{Kind::Held, Kind::Held, Kind::Held, Kind::NoLock}));
        QVERIFY(describe(watch.observations().back()).find("a list: no shape of a lock") == 0);
        QVERIFY(watch.observations()[2].deadline == kNever);
    }

    void aServerThatGoesIsAGapAndItIsTakenUpAgain() {
        KeyWatch watch(m_server->endpoint(), "lock");
        watch.start();
        QTRY_VERIFY(watch.connected());
        m_server->kill();
        QTRY_COMPARE(kinds(watch).last(), Kind::Disconnected);
        QVERIFY(!watch.connected());
        m_server->restart(PrivateServer::Data::Lose);
        QTRY_VERIFY_WITH_TIMEOUT(watch.connected(), 10'000);
        QCOMPARE(kinds(watch), (QList<Kind>{Kind::Absent, Kind::Disconnected, Kind::Connected}));
        const std::shared_ptr<Trace> trace = watch.trace();
        Analysis analysis;
        analyse(*trace, analysis);
        QCOMPARE(analysis.outages.size(), std::size_t{1});
        QVERIFY(analysis.outages[0].until != kNever);
    }

    void whereNobodyAnswersThatIsSaid() {
        RedisEndpoint nowhere;
        nowhere.port = 1;
        KeyWatch watch(nowhere, "lock");
        watch.start();
        QTRY_COMPARE(kinds(watch), (QList<Kind>{Kind::Disconnected}));
        QVERIFY(!watch.observations().front().value.empty());
        QVERIFY(!watch.connected());
    }

    void aWrongPasswordIsSaidOnceAndForAll() {
        RedisEndpoint endpoint = m_server->endpoint();
        endpoint.user = QStringLiteral("nobody");
        endpoint.password = Secret(QByteArray("false"));
        KeyWatch watch(endpoint, "lock");
        QStringList told;
        connect(&watch, &KeyWatch::gaveUp, this, [&](const QString& why) { told += why; });
        watch.start();
        QTRY_COMPARE(told.size(), 1);
        QVERIFY2(!told[0].contains("false"), qPrintable(told[0]));
    }

private:
    static QList<Kind> kinds(const KeyWatch& watch) {
        QList<Kind> out;
        for (const Observation& seen : watch.observations())
            out += seen.kind;
        return out;
    }
    static std::string owner(const Trace& trace, const Analysis& analysis, std::size_t grant) {
        return trace.actors[static_cast<std::size_t>(analysis.grants[grant].actor)].name;
    }
    std::string run(const std::vector<std::string>& words) { return call(m_server->control(), words); }

    /// From here on everything that others than the test send to the server is kept.
    void monitor() {
        m_monitor = std::make_unique<RedisConnection>();
        QVERIFY(openAndWait(*m_monitor, m_server->endpoint()));
        connect(m_monitor.get(), &RedisConnection::monitored, this, [this](const QByteArray& line) {
            const QByteArray command = line.mid(line.indexOf("] ") + 2);
            const bool ours = command.startsWith("\"SET\"") || command.startsWith("\"PEXPIRE\"") ||
                              command.startsWith("\"DEL\"");
            if (!ours) m_seen += command;
        });
        QVERIFY(m_monitor->sendMonitor());
    }

    std::unique_ptr<PrivateServer> m_server;
    std::unique_ptr<RedisConnection> m_monitor;
    QList<QByteArray> m_seen;
};

QTEST_GUILESS_MAIN(KeyWatchTest)
#include "key_watch_test.moc"
