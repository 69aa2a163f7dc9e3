// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/live/key_observer.h"
#include "tests/live/live_server.h"

using namespace lockscope;
using namespace lockscope::live;
using namespace lockscope::live::test;
using State = ObservedKey::State;
using std::chrono::milliseconds;

namespace {

PrivateServerOptions serverWith(const char* notifications) {
    PrivateServerOptions options;
    options.extraLines = {"enable-debug-command yes",
                          QStringLiteral("notify-keyspace-events \"%1\"").arg(QLatin1String(notifications))};
    return options;
}

/// A server, an observer of `lock` on it, and every command that the observer sent.
struct Watched {
    explicit Watched(const char* notifications, ObserverOptions watching = {})
        : server(serverWith(notifications)), options(watching) {}

    bool start() {
        if (!startAndWait(server).isEmpty() || !openAndWait(monitor, server.endpoint())) return false;
        QObject::connect(&monitor, &RedisConnection::monitored, &monitor, [this](const QByteArray& line) {
            if (line.contains("unix:") && line.contains("\"lock\"") && !line.contains("\"SET\""))
                sent += line.mid(line.indexOf("] ") + 2);
        });
        if (call(server.control(), {"DEBUG", "SET-ACTIVE-EXPIRE", "0"}) != "OK" || !monitor.sendMonitor())
            return false;
        observer = std::make_unique<KeyObserver>(server.endpoint(), "lock", options);
        observer->start();
        return QTest::qWaitFor([this] { return is(State::Absent); });
    }
    bool is(State state) const { return observer->key().state && observer->key().state->value == state; }
    bool holds(const char* value) const {
        return is(State::Held) && observer->key().value && observer->key().value->value.text == value;
    }
    std::string run(const std::vector<std::string>& words) { return call(server.control(), words); }
    bool asked(const char* command) const {
        return std::any_of(sent.begin(), sent.end(), [&](const QByteArray& line) {
            return line.startsWith(QByteArray("\"") + command);
        });
    }

    PrivateServer server;
    ObserverOptions options;
    RedisConnection monitor;
    QList<QByteArray> sent;
    std::unique_ptr<KeyObserver> observer;
};

} // namespace

class KeyObserverTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
    }

    void whereTheServerTellsItIsHardlyAsked() {
        Watched w("KEA", {.notificationsAreOn = true});
        QVERIFY(w.start());
        QCOMPARE(w.run({"SET", "lock", "A", "PX", "30000"}), "OK");
        QTRY_VERIFY(w.holds("A"));
        QTRY_VERIFY(w.observer->key().deadline && w.observer->key().deadline->value);
        const auto left = *w.observer->key().deadline->value - FactClock::now();
        QVERIFY(left > milliseconds(28'000) && left <= milliseconds(30'000));
        QCOMPARE(w.observer->key().value->source, FactSource::Reply);
        // A renewal is seen, and the value not read again for it.
        w.sent.clear();
        QCOMPARE(w.run({"PEXPIRE", "lock", "60000"}), "(integer) 1");
        QTRY_VERIFY(*w.observer->key().deadline->value - FactClock::now() > milliseconds(50'000));
        QVERIFY(!w.asked("GETRANGE"));
        QCOMPARE(w.run({"SET", "lock", "B"}), "OK");
        QTRY_VERIFY(w.holds("B"));
        QTRY_VERIFY(!w.observer->key().deadline->value);
        QCOMPARE(w.run({"DEL", "lock"}), "(integer) 1");
        QTRY_VERIFY(w.is(State::Absent));
        QCOMPARE(w.observer->key().state->source, FactSource::Notification);
    }

    void theEndOfALeaseIsComputedAndNothingIsRemoved() {
        for (const char* notifications : {"KEA", ""}) {
            Watched w(notifications, {.notificationsAreOn = *notifications != '\0',
                                      .pollInterval = milliseconds(30),
                                      .settleAfter = milliseconds(60'000)});
            QVERIFY(w.start());
            QCOMPARE(w.run({"SET", "lock", "A", "PX", "2500"}), "OK");
            QTRY_VERIFY(w.holds("A"));
            QTRY_VERIFY(w.is(State::LeaseEnded));
            QCOMPARE(w.observer->key().state->source, FactSource::Computed);
            w.sent.clear();
            QTRY_VERIFY(w.sent.size() >= 3);
            QVERIFY2(!w.asked("PTTL") && !w.asked("TYPE") && !w.asked("GET"), w.sent.join('\n'));
            // The dead key is still there: whoever watches has not removed it.
            QCOMPARE(w.run({"DBSIZE"}), "(integer) 1");
            // Now somebody collects it.
            QCOMPARE(w.run({"EXISTS", "lock"}), "(integer) 0");
            QTRY_VERIFY(w.is(State::Absent));
        }
    }

    void withoutNotificationsChangesAreFoundByPolling() {
        Watched w("", {.pollInterval = milliseconds(20)});
        QVERIFY(w.start());
        QCOMPARE(w.run({"SET", "lock", "A", "PX", "30000"}), "OK");
        QTRY_VERIFY(w.holds("A"));
        QTRY_VERIFY(w.sent.size() > 8);
        w.sent.clear();
        QTRY_VERIFY(w.sent.size() > 5);
        QVERIFY2(!w.asked("GETRANGE"), w.sent.join('\n')); // nothing changed
        QCOMPARE(w.run({"SET", "lock", "B", "PX", "60000"}), "OK");
        QTRY_VERIFY(w.holds("B"));
        QVERIFY(!w.observer->notificationsSeen());
        QCOMPARE(w.run({"DEL", "lock"}), "(integer) 1");
        QTRY_VERIFY(w.is(State::Absent));
        QCOMPARE(w.observer->key().state->source, FactSource::Poll);
    }

    void aRenewalAtTheLastMomentIsSettled() {
        Watched w("", {.pollInterval = milliseconds(10'000), .settleAfter = milliseconds(100)});
        QVERIFY(w.start());
        QCOMPARE(w.run({"SET", "lock", "A", "PX", "2500"}), "OK");
        w.observer->stop();
        w.observer->start();
        QTRY_VERIFY(w.holds("A"));
        QCOMPARE(w.run({"PEXPIRE", "lock", "30000"}), "(integer) 1");
        QVERIFY(QTest::qWaitFor(
            [&] {
                return w.is(State::Held) &&
                       *w.observer->key().deadline->value - FactClock::now() > milliseconds(20'000);
            },
            12'000));
    }

    void otherShapesOfLocksAreRead() {
        Watched w("KEA", {.notificationsAreOn = true});
        QVERIFY(w.start());
        QCOMPARE(w.run({"HSET", "lock", "client-1:7", "2"}), "(integer) 1");
        QTRY_VERIFY(w.is(State::Held) && w.observer->key().value);
        QCOMPARE(w.observer->key().type->value, "hash");
        QCOMPARE(redis::display(w.observer->key().value->value), "[1) \"client-1:7\" 2) \"2\"]");
    }

    void aGapIsMarkedAndWhatHappenedInItIsFound() {
        Watched w("KEA", {.notificationsAreOn = true});
        QVERIFY(w.start());
        QCOMPARE(w.run({"SET", "lock", "A"}), "OK");
        QTRY_VERIFY(w.holds("A"));
        QSignalSpy began(w.observer.get(), &KeyObserver::gapBegan);
        QSignalSpy ended(w.observer.get(), &KeyObserver::gapEnded);
        w.server.restart(PrivateServer::Data::Lose);
        QTRY_COMPARE(began.size(), 1);
        QTRY_COMPARE(ended.size(), 1);
        QTRY_VERIFY(w.is(State::Absent));
        w.observer.reset(); // with everything open
    }
};

QTEST_GUILESS_MAIN(KeyObserverTest)
#include "key_observer_test.moc"
