// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QNetworkInterface>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTcpSocket>
#include <QTest>

#include "core/live/store_server.h"

using namespace lockscope;
using namespace lockscope::live;

namespace {

/// A client that speaks bytes. Its waits run the event loop, since server and client share one thread here.
class RawClient {
public:
    explicit RawClient(const StoreServer& server) {
        socket.connectToHost(QHostAddress::LocalHost, server.port());
        connected = QTest::qWaitFor([this] { return socket.state() == QAbstractSocket::ConnectedState; });
    }
    void send(const QByteArray& bytes) { socket.write(bytes); }
    /// Waits until that many bytes came, or the server hung up.
    QByteArray read(qsizetype size) {
        (void)QTest::qWaitFor([&] { return collect().size() >= size || isClosed(); });
        return std::exchange(received, {});
    }
    QByteArray ask(const QByteArray& line, const QByteArray& expected) {
        send(line + "\r\n");
        return read(expected.size());
    }
    bool isClosed() const { return socket.state() == QAbstractSocket::UnconnectedState; }
    bool waitClosed(int ms = 5000) {
        return QTest::qWaitFor([this] { return isClosed(); }, ms);
    }

    QTcpSocket socket;
    bool connected = false;

private:
    QByteArray& collect() { return received += socket.readAll(); }
    QByteArray received;
};

struct Served {
    std::shared_ptr<WallClockHost> host = std::make_shared<WallClockHost>();
    StoreServer server{host};
    Result<void> listening;
    explicit Served(const ListenOptions& options = {}) : listening(server.listen(options)) {}
};

/// What a program prints when it is run against the server, while the server runs in this event loop.
QByteArray output(const QString& program, const QStringList& arguments, const QByteArray& typed = {}) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    process.write(typed);
    process.closeWriteChannel();
    if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 30'000)) {
        process.kill();
        return "did not end";
    }
    return process.readAll();
}

QByteArray cli(const StoreServer& server, const QStringList& arguments, const QByteArray& typed = {}) {
    return output("redis-cli", QStringList{"-p", QString::number(server.port())} + arguments, typed);
}

/// Keeps what it is told, and answers SLOW only when the test says so.
class NotingHost : public CommandHost {
public:
    void attached(redis::ClientId id, std::string_view) override { note("attached", id); }
    void renamed(redis::ClientId id, std::string_view name) override { note("renamed", id, name); }
    void detached(redis::ClientId id) override { note("detached", id); }
    const redis::Reply& execute(redis::ClientId id, std::span<const std::string_view> args) override {
        note("execute", id, args[0]);
        if (args[0] == "CLIENT") m_name = args[2];
        if (args[0] == "SLOW") {
            blocked = id;
            m_reply = {.type = redis::Reply::Type::None};
        } else if (args[0] == "BIG") {
            m_reply = redis::Reply::bulk(std::string(1024 * 1024, 'x'));
        } else {
            m_reply = redis::Reply::status("OK");
        }
        return m_reply;
    }
    void serveAs(const redis::Serving&, const Secret&) override {}
    void deliverTo(redis::DeliveryPort*) override {}
    redis::Store::ClientFacts factsOf(redis::ClientId id) const override {
        return {.blocked = id == blocked, .name = m_name};
    }
    QStringList notes;
    redis::ClientId blocked = 0; ///< waits for what is delivered

private:
    void note(const QString& what, redis::ClientId id, std::string_view text = {}) {
        notes += QStringLiteral("%1 %2 %3")
                     .arg(what)
                     .arg(id)
                     .arg(QLatin1String(text.data(), int(text.size())))
                     .trimmed();
    }
    redis::Reply m_reply;
    std::string m_name;
};

} // namespace

class StoreServerTest : public QObject {
    Q_OBJECT

private slots:
    void aClientWorksOnTheKeys() {
        Served served;
        QVERIFY(served.listening.ok());
        RawClient client(served.server);
        QVERIFY(client.connected);
        QCOMPARE(client.ask("SET lock A NX PX 30000", "+OK\r\n"), "+OK\r\n");
        QCOMPARE(client.ask("SET lock B NX PX 30000", "$-1\r\n"), "$-1\r\n");
        QCOMPARE(client.ask("GET lock", "$1\r\nA\r\n"), "$1\r\nA\r\n");
        // A second one sees the same keys, and a pipeline is answered in its order.
        RawClient other(served.server);
        other.send("*2\r\n$3\r\nGET\r\n$4\r\nlock\r\n*2\r\n$3\r\nDEL\r\n$4\r\nlock\r\nEXISTS lock\r\n");
        QCOMPARE(other.read(15), "$1\r\nA\r\n:1\r\n:0\r\n");
    }

    void aLeaseEndsByTheWallClock() {
        Served served;
        RawClient client(served.server);
        QCOMPARE(client.ask("SET lock A PX 30", "+OK\r\n"), "+OK\r\n");
        QVERIFY(QTest::qWaitFor([&] { return client.ask("SET lock B NX", "$-1\r\n") == "+OK\r\n"; }));
        // And nobody need ask: the active cycle collects.
        QCOMPARE(client.ask("SET other A PX 1", "+OK\r\n"), "+OK\r\n");
        QVERIFY(QTest::qWaitFor([&] { return client.ask("DBSIZE", ":1\r\n") == ":1\r\n"; }));
    }

    void aBrokenStreamIsToldAndClosed() {
        Served served;
        RawClient client(served.server);
        client.send("PING\r\n*1\r\n:5\r\nPING\r\n");
        QVERIFY(client.waitClosed());
        QCOMPARE(client.socket.readAll(), "+PONG\r\n-ERR Protocol error: expected '$', got ':'\r\n");
        QTRY_COMPARE(served.server.clientCount(), 0);
    }

    void quitIsAnsweredAndEndsIt() {
        Served served;
        RawClient client(served.server);
        client.send("QUIT\r\nSET lock A\r\n");
        QVERIFY(client.waitClosed());
        QCOMPARE(client.socket.readAll(), "+OK\r\n");
        QVERIFY(!served.host->store().peek("lock", 0).has_value());
    }

    void aWebPageGetsNowhere() {
        Served served;
        RawClient client(served.server);
        client.send("POST / HTTP/1.1\r\nSET lock evil\r\n");
        QVERIFY(client.waitClosed());
        QVERIFY(!served.host->store().peek("lock", 0).has_value());
    }

    void helloChoosesTheProtocol() {
        Served served;
        RawClient client(served.server);
        client.send("HELLO 3 SETNAME worker\r\nGET nothing\r\nCLIENT GETNAME\r\nRESET\r\nGET nothing\r\n");
        const QByteArray said = client.read(150);
        QVERIFY2(said.startsWith("%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n"), said);
        QVERIFY2(said.endsWith("*0\r\n_\r\n$6\r\nworker\r\n+RESET\r\n$-1\r\n"), said);
        QCOMPARE(client.ask("HELLO 4", "-NOPROTO unsupported protocol version\r\n"),
                 "-NOPROTO unsupported protocol version\r\n");
    }

    void withoutThePasswordNothingIsRun() {
        ListenOptions options;
        options.password = Secret("opensesame");
        Served served(options);
        RawClient client(served.server);
        for (const char* line : {"SET lock A", "FLUSHALL", "CLIENT ID", "INFO"}) {
            QCOMPARE(client.ask(line, "-NOAUTH Authentication required.\r\n"),
                     "-NOAUTH Authentication required.\r\n");
        }
        const QByteArray refused = "-WRONGPASS invalid username-password pair or user is disabled.\r\n";
        QCOMPARE(client.ask("AUTH opensesam", refused), refused);
        QCOMPARE(client.ask("AUTH opensesameopensesame", refused), refused);
        QCOMPARE(client.ask("AUTH admin opensesame", refused), refused);
        QCOMPARE(client.ask("AUTH opensesame", "+OK\r\n"), "+OK\r\n");
        QCOMPARE(client.ask("SET lock A", "+OK\r\n"), "+OK\r\n");
        // Before that not even the memory for a long command is given.
        RawClient stranger(served.server);
        stranger.send("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000\r\n");
        QVERIFY(stranger.waitClosed());
        QCOMPARE(stranger.socket.readAll(), "-ERR Protocol error: unauthenticated bulk length\r\n");
    }

    void onlyThisMachineIsServedWithoutAPassword() {
        ListenOptions options;
        options.address = QHostAddress::AnyIPv4;
        Served served(options);
        QVERIFY(!served.listening.ok());
        QVERIFY(served.listening.error().message.find("needs a password") != std::string::npos);
        QVERIFY(!served.server.isListening());
        options.password = Secret("p");
        QVERIFY(served.server.listen(options).ok());
        QVERIFY(StoreServer::exposureOf(options.address, 6379).contains("password"));
    }

    void aTakenPortIsSaid() {
        Served first;
        ListenOptions options;
        options.port = first.server.port();
        Served second(options);
        QVERIFY(!second.listening.ok());
        QVERIFY(second.listening.error().message.find(std::to_string(options.port)) != std::string::npos);
    }

    void theHostHearsWhoComesAndGoes() {
        const auto host = std::make_shared<NotingHost>();
        StoreServer server(host);
        QVERIFY(server.listen({}).ok());
        {
            RawClient client(server);
            client.ask("CLIENT SETNAME A", "+OK\r\n");
            client.ask("SET lock A", "+OK\r\n");
        }
        QTRY_COMPARE(host->notes.size(), 5);
        QCOMPARE(host->notes, (QStringList{"attached 1", "execute 1 CLIENT", "renamed 1 A", "execute 1 SET",
                                           "detached 1"}));
    }

    void aLaterReplyHoldsTheClientsPipeline() {
        const auto host = std::make_shared<NotingHost>();
        StoreServer server(host);
        QVERIFY(server.listen({}).ok());
        RawClient client(server);
        RawClient other(server);
        client.send("SLOW\r\nGET after\r\n");
        QTRY_COMPARE(host->notes.last(), "execute 1 SLOW");
        QCOMPARE(other.ask("GET meanwhile", "+OK\r\n"), "+OK\r\n");
        server.push(1, redis::Reply::status("by the way"));
        QCOMPARE(client.read(13), "+by the way\r\n");
        QCOMPARE(host->notes.last(), "execute 2 GET");
        host->blocked = 0;
        server.push(1, redis::Reply::integerOf(7));
        QCOMPARE(client.read(9), ":7\r\n+OK\r\n");
        server.push(99, redis::Reply::null()); // nobody, nothing
    }

    void messagesReachWhoListens() {
        Served served;
        RawClient listener(served.server);
        RawClient other(served.server);
        listener.ask("CONFIG SET notify-keyspace-events KEA", "+OK\r\n");
        listener.ask("SUBSCRIBE __keyevent@0__:del",
                     "*3\r\n$9\r\nsubscribe\r\n$18\r\n__keyevent@0__:del\r\n:1\r\n");
        other.ask("SET lock A", "+OK\r\n");
        other.ask("DEL lock", ":1\r\n");
        const QByteArray message = "*3\r\n$7\r\nmessage\r\n$18\r\n__keyevent@0__:del\r\n$4\r\nlock\r\n";
        QCOMPARE(listener.read(message.size()), message);
    }

    void aWaitingClientGetsItsReplyAndReadsOn() {
        Served served;
        RawClient waiter(served.server);
        RawClient other(served.server);
        waiter.send("BLPOP queue 0\r\nPING\r\n");
        QTRY_VERIFY(served.host->factsOf(1).blocked);
        other.ask("RPUSH queue job", ":1\r\n");
        const QByteArray got = "*2\r\n$5\r\nqueue\r\n$3\r\njob\r\n+PONG\r\n";
        QCOMPARE(waiter.read(got.size()), got);
        waiter.ask("BLPOP queue 0.02", "*-1\r\n");
        waiter.send("BLPOP queue 0\r\n");
        QTRY_VERIFY(served.host->factsOf(1).blocked);
        QCOMPARE(other.ask("CLIENT KILL ID 1", ":1\r\n"), ":1\r\n");
        QVERIFY(waiter.waitClosed());
    }

    void whoReadsNothingIsCutOff() {
        const auto host = std::make_shared<NotingHost>();
        StoreServer server(host);
        ListenOptions options;
        options.limits.replyBytes = 4 * 1024 * 1024;
        QVERIFY(server.listen(options).ok());
        QSignalSpy cut(&server, &StoreServer::clientCutOff);
        RawClient client(server);
        client.socket.setReadBufferSize(1);
        for (int i = 0; i < 40; ++i)
            client.send("BIG\r\n");
        QTRY_COMPARE(cut.size(), 1);
        QCOMPARE(server.clientCount(), 0);
        QVERIFY(host->notes.contains("detached 1"));
    }

    void whoStopsReadingIsCutOff() {
        const auto host = std::make_shared<NotingHost>();
        StoreServer server(host);
        ListenOptions options;
        options.limits.stuck = std::chrono::milliseconds(300);
        QVERIFY(server.listen(options).ok());
        QSignalSpy cut(&server, &StoreServer::clientCutOff);
        RawClient client(server);
        client.socket.setReadBufferSize(1);
        for (int i = 0; i < 12; ++i)
            client.send("BIG\r\n");
        QTRY_COMPARE(cut.size(), 1);
        QVERIFY(cut.first().first().toString().contains("read none of its replies"));
    }

    void aCommandThatNeverEndsIsCutOff() {
        Served served;
        ListenOptions options;
        options.limits.queryBytes = 1024 * 1024;
        QVERIFY(served.server.listen(options).ok());
        QSignalSpy cut(&served.server, &StoreServer::clientCutOff);
        RawClient client(served.server);
        client.send("*1000\r\n" + ("$10000\r\n" + QByteArray(10000, 'x') + "\r\n").repeated(200));
        QTRY_COMPARE(cut.size(), 1);
    }

    void moreClientsThanAllowedAreTurnedAway() {
        ListenOptions options;
        options.limits.clients = 1;
        Served served(options);
        RawClient first(served.server);
        QCOMPARE(first.ask("PING", "+PONG\r\n"), "+PONG\r\n");
        RawClient second(served.server);
        QVERIFY(second.waitClosed());
        QCOMPARE(second.socket.readAll(), "-ERR max number of clients reached\r\n");
        QCOMPARE(first.ask("PING", "+PONG\r\n"), "+PONG\r\n");
    }

    void itMayGoWhileClientsAreThere() {
        auto served = std::make_unique<Served>();
        RawClient client(served->server);
        client.send("SET lock A\r\n");
        QTRY_COMPARE(served->server.clientCount(), 1);
        served.reset();
        QVERIFY(client.waitClosed());
        // The other way round: the host is let go first.
        auto host = std::make_shared<NotingHost>();
        StoreServer server(host);
        QVERIFY(server.listen({}).ok());
        host.reset();
        RawClient late(server);
        QCOMPARE(late.ask("GET lock", "+OK\r\n"), "+OK\r\n");
    }

    void redisCliFeelsAtHome() {
        if (QStandardPaths::findExecutable("redis-cli").isEmpty()) QSKIP("redis-cli is not installed");
        Served served;
        const StoreServer& server = served.server;
        QCOMPARE(cli(server, {"SET", "lock", "A", "NX", "PX", "30000"}), "OK\n");
        QCOMPARE(cli(server, {"-3", "GET", "lock"}), "A\n");
        QCOMPARE(cli(server, {"-n", "1", "EXISTS", "lock"}), "0\n");
        QCOMPARE(cli(server, {"--no-raw"}, "GET lock\nSET lock B NX\nDEL lock\nnonsense a\n"),
                 "\"A\"\n(nil)\n(integer) 1\n(error) ERR unknown command 'nonsense', with args beginning "
                 "with: 'a' \n");
        QCOMPARE(cli(server, {"EVAL", "return redis.call('SET', KEYS[1], ARGV[1])", "1", "lock", "C"}),
                 "OK\n");
        QCOMPARE(cli(server, {"--scan"}), "lock\n");
        QVERIFY(cli(server, {"INFO", "server"}).contains("redis_version:7.0.15"));
        QCOMPARE(cli(server, {"-a", "x", "--no-auth-warning", "PING"}).right(5), "PONG\n");
    }

    /// What key browsers and lock libraries send, group by group: none of it is unknown here.
    void everyCommandThatClientsNeedIsKnown_data() {
        QTest::addColumn<QStringList>("commands");
        const auto row = [](const char* name, const QString& lines) {
            QTest::newRow(name) << lines.split(QStringLiteral(" · "));
        };
        row("connect", "PING · ECHO x · SELECT 0 · AUTH x · HELLO 3 · HELLO 2 · RESET · CLIENT SETNAME me · "
                       "CLIENT GETNAME · CLIENT "
                       "ID · CLIENT INFO · CLIENT LIST · CLIENT NO-EVICT on · CLIENT REPLY ON · CLIENT PAUSE "
                       "1 WRITE · CLIENT "
                       "UNPAUSE · CLIENT KILL ID 999 · CLIENT UNBLOCK 999 · CLIENT HELP · COMMAND COUNT · "
                       "COMMAND · COMMAND "
                       "COUNT · COMMAND INFO get · COMMAND DOCS get · COMMAND LIST · COMMAND HELP · INFO · "
                       "INFO all · CONFIG "
                       "GET * · CONFIG SET hz 10 · CONFIG RESETSTAT · CONFIG REWRITE · CONFIG HELP");
        row("simple locks",
            "SET s v · GET s · SETNX s v · SETEX s 10 v · PSETEX s 10 v · GETSET s v · GETDEL s · GETEX s · "
            "GETRANGE s 0 "
            "1 · STRLEN s · APPEND s v · MGET s t · MSET s v t w · MSETNX s v · INCR n · INCRBY n 2 · DECR n "
            "· DECRBY n "
            "2 · DEL s · UNLINK s · EXISTS s · TYPE s · EXPIRE s 1 · PEXPIRE s 1 · EXPIREAT s 1 · PEXPIREAT "
            "s 1 · "
            "PERSIST s · TTL s · PTTL s · EXPIRETIME s · PEXPIRETIME s · KEYS * · SCAN 0 · RENAME t u · "
            "RENAMENX u t · "
            "TOUCH s · RANDOMKEY · DBSIZE · FLUSHDB · FLUSHALL · TIME · WAIT 0 0 · WATCH s · UNWATCH · MULTI "
            "· DISCARD · "
            "MULTI · EXEC · EVAL 'return 1' 0 · EVAL_RO 'return 1' 0 · EVALSHA 0 0 · EVALSHA_RO 0 0 · SCRIPT "
            "LOAD "
            "'return 1' · SCRIPT EXISTS 0 · SCRIPT FLUSH · SCRIPT KILL · SCRIPT HELP · PUBLISH c m · PUBSUB "
            "CHANNELS · PUBSUB NUMSUB c · PUBSUB NUMPAT · PUBSUB HELP · UNSUBSCRIBE · PUNSUBSCRIBE");
        row("lock libraries", "HSET h f v · HEXISTS h f · HGET h f · HDEL h f · HLEN h · HGETALL h · HINCRBY "
                              "h f 1 · HKEYS h · HMGET h f · "
                              "ZADD z NX 1 m · ZREM z m · ZSCORE z m · ZCARD z · ZCOUNT z 0 1 · ZRANGE z 0 "
                              "-1 WITHSCORES · ZREVRANGE z 0 "
                              "-1 · ZRANGEBYSCORE z 0 1 · ZREMRANGEBYSCORE z 0 1 · ZINCRBY z 1 m · ZRANK z m "
                              "· LPUSH l a · RPUSH l a · "
                              "LPOP l · RPOP l · LLEN l · LINDEX l 0 · LRANGE l 0 -1 · LREM l 0 a · BLPOP l "
                              "0.01 · BRPOP l 0.01 · LMOVE l "
                              "k LEFT RIGHT · BLMOVE l k LEFT RIGHT 0.01 · SADD e a · SREM e a · SISMEMBER e "
                              "a · SCARD e · SMEMBERS e");
        row("looking around", "OBJECT ENCODING s · OBJECT IDLETIME s · OBJECT FREQ s · OBJECT REFCOUNT s · "
                              "OBJECT HELP · MEMORY USAGE s · "
                              "MEMORY DOCTOR · MEMORY PURGE · MEMORY MALLOC-STATS · MEMORY HELP · SLOWLOG "
                              "GET · SLOWLOG LEN · SLOWLOG "
                              "RESET · SLOWLOG HELP · LATENCY LATEST · LATENCY HISTORY e · LATENCY RESET · "
                              "LATENCY DOCTOR · LATENCY GRAPH "
                              "e · LATENCY HISTOGRAM · LATENCY HELP · MODULE LIST · MODULE HELP · ACL WHOAMI "
                              "· ACL LIST · ACL USERS · ACL "
                              "CAT · ACL HELP · ROLE · CLUSTER INFO · CLUSTER NODES · CLUSTER SLOTS · "
                              "CLUSTER SHARDS · CLUSTER MYID · "
                              "READONLY · READWRITE · ASKING · DEBUG SLEEP 0 · DEBUG OBJECT s · DEBUG "
                              "SET-ACTIVE-EXPIRE 1 · FUNCTION "
                              "FLUSH · FUNCTION LIST · FUNCTION STATS · FUNCTION HELP · SAVE · BGSAVE · "
                              "LASTSAVE · SHUTDOWN ABORT");
        row("since 7.2", "CLIENT SETINFO LIB-NAME x · CLIENT NO-TOUCH on · SET s v IFEQ v · DELEX s IFEQ v · "
                         "DIGEST s · CLIENT HELP");
    }
    void everyCommandThatClientsNeedIsKnown() {
        QFETCH(QStringList, commands);
        redis::StoreOptions options;
        if (QTest::currentDataTag() == QLatin1String("since 7.2")) options.profile = redis::Profile::Redis84;
        StoreServer server(std::make_shared<WallClockHost>(options));
        QVERIFY(server.listen({}).ok());
        const QByteArray said = cli(server, {"--no-raw"}, commands.join('\n').toUtf8() + "\nECHO end\n");
        QVERIFY2(said.endsWith("\"end\"\n"), said.right(200));
        for (const char* refusal : {"unknown", "wrong number", "syntax error"})
            QVERIFY2(!said.contains(refusal), said.mid(said.indexOf(refusal) - 40, 120));
    }

    /// The limits that CONFIG tells are those that are kept.
    void configTellsTheLimits() {
        ListenOptions place;
        place.limits.clients = 3;
        place.limits.request.argumentBytes = 1000;
        place.limits.replyBytes = 5000;
        Served served(place);
        const QByteArray said = cli(served.server, {"CONFIG", "GET", "maxclients", "proto-max-bulk-len",
                                                    "client-output-buffer-limit"});
        QCOMPARE(
            said,
            QByteArray("client-output-buffer-limit\nnormal 5000 0 0 slave 268435456 67108864 60 pubsub 5000 "
                       "0 0\nmaxclients\n3\nproto-max-bulk-len\n1000\n"));
        RawClient client(served.server);
        QVERIFY(
            client.ask("SETRANGE k 999 xy", "-ERR").startsWith("-ERR string exceeds maximum allowed size"));
        QVERIFY(client.ask("*2\r\n$4\r\nECHO\r\n$1001", "-ERR")
                    .startsWith("-ERR Protocol error: invalid bulk length"));
    }

    /// What MULTI queues is held for the client too.
    void aTransactionWithoutEndIsCutOff() {
        ListenOptions place;
        place.limits.queryBytes = 100'000;
        Served served(place);
        QSignalSpy cut(&served.server, &StoreServer::clientCutOff);
        RawClient client(served.server);
        client.ask("MULTI", "+OK\r\n");
        const QByteArray write = "SET k " + QByteArray(1000, 'x') + "\r\n";
        client.send(write.repeated(200));
        QVERIFY(client.waitClosed());
        QCOMPARE(cut.size(), 1);
        // Ended in time it costs nothing any more.
        RawClient other(served.server);
        for (int i = 0; i < 3; ++i) {
            other.ask("MULTI", "+OK\r\n");
            other.send(write.repeated(80) + "DISCARD\r\n");
            QCOMPARE(other.read(80 * 9 + 5).right(5), QByteArray("+OK\r\n"));
        }
    }

    void shutdownEndsWhatMayEnd() {
        Served served;
        RawClient client(served.server);
        QVERIFY(client.ask("SHUTDOWN NOSAVE", "-ERR").startsWith("-ERR Errors trying to SHUTDOWN."));
        served.server.allowShutDown();
        QSignalSpy asked(&served.server, &StoreServer::shutDown);
        client.send("SHUTDOWN\r\n");
        QVERIFY(asked.wait());
    }

    void redisCliMonitors() {
        if (QStandardPaths::findExecutable("redis-cli").isEmpty()) QSKIP("redis-cli is not installed");
        Served served;
        QProcess monitor;
        monitor.start("redis-cli", {"-p", QString::number(served.server.port()), "MONITOR"});
        QByteArray said;
        const auto says = [&](const QByteArray& text) {
            return QTest::qWaitFor([&] { return (said += monitor.readAll()).contains(text); }, 10'000);
        };
        QVERIFY2(says("OK\n"), said.constData());
        RawClient client(served.server);
        client.ask("SET lock A", "+OK\r\n");
        QVERIFY2(says("\"SET\" \"lock\" \"A\"\n"), said.constData());
        client.ask("EVAL \"return redis.call('GET', 'lock')\" 0", "$1\r\nA\r\n");
        QVERIFY2(says("lua] \"GET\" \"lock\"\n"), said.constData());
        monitor.kill();
        QVERIFY(monitor.waitForFinished());
        QTRY_COMPARE(served.server.clientCount(), 1);
        QCOMPARE(client.ask("GET lock", "$1\r\nA\r\n"), "$1\r\nA\r\n");
    }

    /// What a client sends while it waits is run when it has its reply, in its order, and not at all if it is
    /// killed first.
    void whoWaitsIsNotHeardMeanwhile() {
        Served served;
        RawClient first(served.server);
        RawClient second(served.server);
        RawClient other(served.server);
        first.send("CLIENT ID\r\nBLPOP queue 0\r\nSET mark first\r\nBLPOP queue 0\r\nGET mark\r\n");
        QCOMPARE(first.read(4), ":1\r\n");
        second.send("CLIENT ID\r\nBLPOP queue 0\r\nSET mark second\r\nQUIT\r\n");
        QCOMPARE(second.read(4), ":2\r\n");
        QCOMPARE(other.ask("CLIENT UNBLOCK 1", ":1\r\n"), ":1\r\n");
        QCOMPARE(first.read(10), "*-1\r\n+OK\r\n");
        QCOMPARE(other.ask("CLIENT KILL ID 2", ":1\r\n"), ":1\r\n");
        QVERIFY(second.waitClosed());
        QCOMPARE(other.ask("RPUSH queue x", ":1\r\n"), ":1\r\n");
        QCOMPARE(first.read(33), "*2\r\n$5\r\nqueue\r\n$1\r\nx\r\n$5\r\nfirst\r\n");
    }
};

QTEST_GUILESS_MAIN(StoreServerTest)
#include "store_server_test.moc"
