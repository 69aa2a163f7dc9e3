// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <array>

#include "core/live/key_sweeper.h"
#include "core/live/reconnector.h"
#include "tests/live/live_server.h"

using namespace lockscope;
using namespace lockscope::live;
using namespace lockscope::live::test;

namespace {

using Words = std::vector<std::string>;

/// Reads replies out of bytes fed in pieces of a given size; one a line.
std::string readReplies(const std::string& bytes, std::size_t piece, ReplyLimits limits = {}) {
    ReplyReader reader(limits);
    std::string out;
    redis::Reply reply;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        reader.feed(std::string_view(bytes).substr(at, piece));
        while (true) {
            const auto outcome = reader.next(reply);
            if (outcome == ReplyReader::Outcome::NeedMore) break;
            if (outcome == ReplyReader::Outcome::Broken) return out + "! " + reader.error();
            out += redis::display(reply) + "\n";
        }
    }
    return out;
}

} // namespace

class RedisConnectionTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
        m_server = std::make_unique<PrivateServer>();
        QCOMPARE(startAndWait(*m_server), QString());
    }
    void init() {
        QVERIFY(openAndWait(m_connection, m_server->endpoint()));
        QCOMPARE(call(m_connection, {"FLUSHALL"}), "OK");
    }
    void cleanup() { m_connection.close(); }
    void cleanupTestCase() { m_server.reset(); }

    void repliesAreReadHoweverTheBytesAreCut() {
        const std::string bytes =
            "+OK\r\n-ERR "
            "no\r\n:-7\r\n$3\r\na\r\n\r\n$-1\r\n*-1\r\n*3\r\n:1\r\n*2\r\n$1\r\nx\r\n$0\r\n\r\n+y\r\n*0\r\n";
        const std::string whole = readReplies(bytes, bytes.size());
        QVERIFY(whole.starts_with("OK\n(error) ERR no\n(integer) -7\n"));
        for (std::size_t piece = 1; piece < 20; ++piece)
            QCOMPARE(readReplies(bytes, piece), whole);
    }

    void whatIsTooLargeOrNoReplyIsRefused() {
        QVERIFY(readReplies("HTTP/1.1 400 Bad Request\r\n", 100).starts_with("! Protocol error"));
        QCOMPARE(readReplies("*2000000\r\n", 100), "! the reply is too large");
        QCOMPARE(
            readReplies("*2\r\n*600000\r\n" + std::string(":1\r\n") + "*600000\r\n", 100, {1000, 500'000}),
            "! the reply is too large");
        QCOMPARE(readReplies("$100000\r\n" + std::string(2000, 'x'), 100, {1000, 10}),
                 "! the reply is too large");
    }

    void commandsAreAnsweredInOrder() {
        QCOMPARE(call(m_connection, {"SET", "lock", "A", "NX", "PX", "30000"}), "OK");
        QCOMPARE(call(m_connection, {"SET", "lock", "B", "NX"}), "(nil)");
        QCOMPARE(call(m_connection, {"HSET", "lock", "f", "1"}).substr(0, 17), "(error) WRONGTYPE");
        QStringList order;
        for (int i = 0; i < 200; ++i) {
            const std::string n = std::to_string(i);
            const std::array<std::string_view, 2> args{"ECHO", n};
            QVERIFY(m_connection.send(
                args, [&](const CallResult& r) { order += QString::fromStdString(r.reply->text); }));
        }
        QTRY_COMPARE(order.size(), 200);
        for (int i = 0; i < 200; ++i)
            QCOMPARE(order[i], QString::number(i));
    }

    void anyBytesGoThrough() {
        std::string bytes;
        for (int i = 0; i < 256; ++i)
            bytes += static_cast<char>(i);
        QCOMPARE(call(m_connection, {"SET", bytes, ""}), "OK");
        std::string value = "unset";
        const std::array<std::string_view, 2> args{"KEYS", "*"};
        m_connection.send(args, [&](const CallResult& r) { value = r.reply->items.at(0).text; });
        QTRY_COMPARE(value, bytes);
        QCOMPARE(call(m_connection, {"STRLEN", bytes}), "(integer) 0");
    }

    void aCallThatTimedOutHearsItsReplyLater() {
        QStringList heard;
        m_server->freeze();
        const std::array<std::string_view, 4> ask{"SET", "lock", "A", "NX"};
        m_connection.send(
            ask,
            [&](const CallResult& r) {
                heard += r.outcome == CallResult::Outcome::TimedOut
                             ? "timed out"
                             : QString::fromStdString("then " + redis::display(*r.reply));
                if (r.outcome == CallResult::Outcome::TimedOut) QVERIFY(r.isUnknown());
            },
            std::chrono::milliseconds(30));
        QTRY_COMPARE(heard, (QStringList{"timed out"}));
        m_server->thaw();
        // It did run. And what comes after it is not taken for its reply.
        QCOMPARE(call(m_connection, {"GET", "lock"}), "\"A\"");
        QCOMPARE(heard, (QStringList{"timed out", "then OK"}));
    }

    void openCallsAreLostWithTheConnection() {
        m_server->freeze();
        QStringList heard;
        QSignalSpy failed(&m_connection, &RedisConnection::failed);
        const std::array<std::string_view, 1> ping{"PING"};
        for (int i = 0; i < 2; ++i) {
            m_connection.send(ping, [&](const CallResult& r) {
                heard += r.outcome == CallResult::Outcome::Lost ? "lost" : "?";
            });
        }
        m_server->restart(PrivateServer::Data::Lose);
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(heard, (QStringList{"lost", "lost"}));
        QCOMPARE(failed[0][0].value<ConnectionFailure>().stage, ConnectionStage::Ready);
        QCOMPARE(call(m_connection, {"PING"}), "not connected");
        QTRY_VERIFY(m_server->isReady());
    }

    void closingTellsTheOpenCallsLater() {
        QStringList heard;
        const std::array<std::string_view, 1> ping{"PING"};
        m_connection.send(ping, [&](const CallResult& r) {
            heard += r.outcome == CallResult::Outcome::Lost ? "lost" : "?";
        });
        m_connection.close();
        QVERIFY(heard.isEmpty());
        QTRY_COMPARE(heard, (QStringList{"lost"}));
    }

    void aHandlerMayDeleteTheConnection() {
        for (const bool byClosing : {false, true}) {
            auto* connection = new RedisConnection;
            QVERIFY(openAndWait(*connection, m_server->endpoint()));
            bool gone = false;
            const std::array<std::string_view, 1> ping{"PING"};
            for (int i = 0; i < 3; ++i) {
                connection->send(ping, [&, byClosing](const CallResult&) {
                    if (byClosing) return connection->close();
                    delete connection;
                    gone = true;
                });
            }
            if (byClosing) {
                QTRY_COMPARE(connection->stage(), ConnectionStage::Closed);
                connection->close();
                delete connection;
            } else {
                QTRY_VERIFY(gone);
            }
        }
        // And one that goes while everything is still under way.
        auto opening = std::make_unique<RedisConnection>();
        opening->open(m_server->endpoint());
        opening.reset();
        auto* waiting = new RedisConnection;
        connect(waiting, &RedisConnection::failed, this, [waiting] { delete waiting; });
        QSignalSpy destroyed(waiting, &QObject::destroyed);
        waiting->open(*parseRedisUrl("unix:///nowhere/redis.sock"));
        QTRY_COMPARE(destroyed.size(), 1);
    }

    void subscriptionsBringMessages() {
        RedisConnection listener;
        QVERIFY(openAndWait(listener, m_server->endpoint()));
        QSignalSpy messages(&listener, &RedisConnection::message);
        QSignalSpy changes(&listener, &RedisConnection::subscriptionChanged);
        const std::array<std::string_view, 3> subscribe{"SUBSCRIBE", "a", "b"};
        const std::array<std::string_view, 2> pattern{"PSUBSCRIBE", "__keyevent@0__:*"};
        QVERIFY(listener.sendSubscription(subscribe));
        QVERIFY(listener.sendSubscription(pattern));
        QTRY_COMPARE(changes.size(), 3);
        QCOMPARE(changes[2][2].toLongLong(), 3);
        QCOMPARE(call(m_connection, {"PUBLISH", "b", "hello"}), "(integer) 1");
        QCOMPARE(call(m_connection, {"SET", "lock", "A", "PX", "30000"}), "OK");
        QTRY_COMPARE(messages.size(), 3);
        QCOMPARE(messages[0], (QVariantList{QByteArray(), QByteArray("b"), QByteArray("hello")}));
        QCOMPARE(messages[1], (QVariantList{QByteArray("__keyevent@0__:*"), QByteArray("__keyevent@0__:set"),
                                            QByteArray("lock")}));
        // Its own calls still work between the messages.
        const std::array<std::string_view, 3> unsubscribe{"UNSUBSCRIBE", "a", "b"};
        QVERIFY(listener.sendSubscription(unsubscribe));
        QCOMPARE(call(listener, {"PING"}), "[1) \"pong\" 2) \"\"]");
        QCOMPARE(changes.last()[1].toBool(), false);
    }

    void monitorBringsEveryCommand() {
        RedisConnection listener;
        QVERIFY(openAndWait(listener, m_server->endpoint()));
        QSignalSpy lines(&listener, &RedisConnection::monitored);
        QVERIFY(listener.sendMonitor());
        QVERIFY(QTest::qWaitFor([&] {
            call(m_connection, {"SET", "lock", "A B"});
            return !lines.isEmpty() && lines.last()[0].toByteArray().endsWith("\"SET\" \"lock\" \"A B\"");
        }));
    }

    void databaseAndNameAreChosenInTheGreeting() {
        RedisEndpoint endpoint = m_server->endpoint();
        endpoint.database = 3;
        endpoint.clientName = "ServerA";
        RedisConnection connection;
        QVERIFY(openAndWait(connection, endpoint));
        QCOMPARE(call(connection, {"CLIENT", "GETNAME"}), "\"ServerA\"");
        QCOMPARE(call(connection, {"SET", "there", "1"}), "OK");
        QCOMPARE(call(m_connection, {"EXISTS", "there"}), "(integer) 0");
    }

    void theSweeperTakesItsPrefixOnly() {
        const QByteArray prefix = "run*[1]?:";
        Words keys{"MSET"};
        for (int i = 0; i < 1500; ++i)
            keys.insert(keys.end(), {prefix.toStdString() + std::to_string(i), "x"});
        QCOMPARE(call(m_connection, keys), "OK");
        QCOMPARE(call(m_connection, {"MSET", "run*[1]", "y", "runs1x:5", "y", "run", "y"}), "OK");
        KeySweeper sweeper(m_server->endpoint(), prefix);
        QSignalSpy finished(&sweeper, &KeySweeper::finished);
        sweeper.start();
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(finished[0][0].toBool(), true);
        QCOMPARE(sweeper.deleted(), 1500);
        QCOMPARE(call(m_connection, {"DBSIZE"}), "(integer) 3");
    }

    void aLostConnectionIsTakenUpAgain() {
        BackOff quick{std::chrono::milliseconds(5), std::chrono::milliseconds(40)};
        Reconnector reconnector(quick);
        QSignalSpy up(&reconnector, &Reconnector::up);
        QSignalSpy down(&reconnector, &Reconnector::down);
        QSignalSpy waiting(&reconnector, &Reconnector::waiting);
        reconnector.open(m_server->endpoint());
        QTRY_COMPARE(up.size(), 1);
        m_server->kill();
        QTRY_VERIFY(waiting.size() >= 4);
        QCOMPARE(down.size(), 1);
        QCOMPARE(up.size(), 1);
        const auto wait = [&](int i) { return waiting[i][1].value<std::chrono::milliseconds>().count(); };
        QVERIFY(wait(0) <= 5 && wait(1) >= 8 && wait(2) >= 16 && wait(3) >= 32 && wait(3) <= 40);
        m_server->start();
        QTRY_COMPARE(up.size(), 2);
        QCOMPARE(call(reconnector.connection(), {"PING"}), "PONG");
    }

    void whatIsWrongForGoodIsNotTriedAgain() {
        Reconnector reconnector;
        QSignalSpy gaveUp(&reconnector, &Reconnector::gaveUp);
        QSignalSpy waiting(&reconnector, &Reconnector::waiting);
        RedisEndpoint endpoint = m_server->endpoint();
        endpoint.password = Secret("wrong");
        reconnector.open(endpoint);
        QTRY_COMPARE(gaveUp.size(), 1);
        QCOMPARE(waiting.size(), 0);
        QCOMPARE(gaveUp[0][0].value<ConnectionFailure>().kind, FailureKind::NoPasswordThere);
    }

private:
    std::unique_ptr<PrivateServer> m_server;
    RedisConnection m_connection;
};

QTEST_GUILESS_MAIN(RedisConnectionTest)
#include "redis_connection_test.moc"
