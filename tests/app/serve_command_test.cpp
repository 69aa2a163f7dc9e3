// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <csignal>

namespace {

/// `lockscope serve`, on a port of its own choice.
class Serving {
public:
    explicit Serving(const QStringList& arguments, const QStringList& variables = {}) {
        process.setProcessEnvironment(environment(variables));
        process.start(LOCKSCOPE_PROGRAM, QStringList{"serve", "--port", "0"} + arguments);
        static const QRegularExpression address(QStringLiteral("redis://[^\\n]*:(\\d+)\\n"));
        if (!QTest::qWaitFor(
                [&] {
                    said += process.readAllStandardOutput();
                    return said.endsWith(".\n") || process.state() == QProcess::NotRunning;
                },
                30'000))
            qFatal("nothing is said");
        auto all = address.globalMatch(QString::fromUtf8(said));
        while (all.hasNext())
            ports += all.next().captured(1);
    }
    ~Serving() {
        process.kill();
        process.waitForFinished();
    }
    /// Ends it as Ctrl+C does; the exit code, and what it said after that.
    int end(int signal = SIGINT) {
        ::kill(static_cast<pid_t>(process.processId()), signal);
        if (!process.waitForFinished(30'000)) return -1;
        said = process.readAllStandardOutput();
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }
    static QProcessEnvironment environment(const QStringList& variables = {}) {
        QProcessEnvironment out = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "LOCKSCOPE_PASSWORD"})
            out.remove(QString::fromLatin1(name));
        for (const QString& variable : variables)
            out.insert(variable.section('=', 0, 0), variable.section('=', 1));
        return out;
    }

    QProcess process;
    QByteArray said;
    QStringList ports;
};

QByteArray output(const QString& program, const QStringList& arguments, const QByteArray& typed = {}) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    process.write(typed);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000)) return "did not end";
    return process.readAll();
}

QByteArray cli(const Serving& serving, const QStringList& arguments, const QByteArray& typed = {}) {
    return output("redis-cli", QStringList{"-p", serving.ports.value(0)} + arguments, typed);
}

/// A redis-cli that goes on until it is stopped.
class Listening {
public:
    Listening(const Serving& serving, const QStringList& arguments) {
        m_process.start("redis-cli", QStringList{"-p", serving.ports.value(0)} + arguments);
    }
    ~Listening() {
        m_process.kill();
        m_process.waitForFinished();
    }
    bool says(const QByteArray& text) {
        return QTest::qWaitFor([&] { return (said += m_process.readAll()).contains(text); }, 20'000);
    }
    QByteArray said;

private:
    QProcess m_process;
};

} // namespace

/// The served store under the clients that everybody has.
class ServeCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        for (const char* tool : {"redis-cli", "redis-benchmark"})
            if (QStandardPaths::findExecutable(QString::fromLatin1(tool)).isEmpty())
                QSKIP("redis-tools is not installed");
    }

    void redisCliOneShotAndInteractive() {
        const Serving serving({});
        QCOMPARE(serving.ports.size(), 1);
        QVERIFY2(serving.said.contains("Every program on this machine"), serving.said);
        QCOMPARE(cli(serving, {"SET", "lock", "A", "NX", "PX", "30000"}), "OK\n");
        QCOMPARE(cli(serving, {"-3", "HGETALL", "none"}), "\n");
        QCOMPARE(cli(serving, {"-3", "--no-raw"}, "HSET h f v\nHGETALL h\n"),
                 "(integer) 1\n1# \"f\" => \"v\"\n");
        QCOMPARE(cli(serving, {"-n", "1", "EXISTS", "lock"}), "0\n");
        QCOMPARE(cli(serving, {}, "GET lock\nMULTI\nINCR n\nEXEC\n"), "A\nOK\nQUEUED\n1\n");
        QTemporaryDir folder;
        QFile script(folder.filePath("release.lua"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0");
        script.close();
        QCOMPARE(cli(serving, {"--eval", script.fileName(), "lock", ",", "B"}), "0\n");
        QCOMPARE(cli(serving, {"--eval", script.fileName(), "lock", ",", "A"}), "1\n");
    }

    void redisCliLooksAround() {
        const Serving serving({});
        QByteArray many;
        for (int i = 0; i < 1000; ++i)
            many += "SET key:" + QByteArray::number(i) + " " + QByteArray(i % 50 + 1, 'x') + "\n";
        cli(serving, {}, many + "RPUSH list a b c\nHSET hash f v\nZADD zset 1 a\nSADD set a\n");
        QCOMPARE(cli(serving, {"--scan"}).count('\n'), 1004);
        QCOMPARE(cli(serving, {"--scan", "--pattern", "key:99?"}).count('\n'), 10);
        const QByteArray big = cli(serving, {"--bigkeys"});
        QVERIFY2(big.contains("Sampled 1004 keys in the keyspace!"), big);
        QVERIFY2(big.contains("Biggest   list found '\"list\"' has 3 items"), big);
        const QByteArray memory = cli(serving, {"--memkeys"});
        QVERIFY2(memory.contains("Sampled 1004 keys in the keyspace!"), memory);
        const QByteArray stat =
            output("timeout", {"5", "redis-cli", "-p", serving.ports[0], "-i", "0.01", "--stat"});
        QVERIFY2(stat.contains("1004"), stat);
        const QByteArray latency = cli(serving, {"--latency", "--raw"});
        QVERIFY2(latency.split(' ').size() == 4, latency);
    }

    void redisCliListens() {
        const Serving serving({});
        Listening monitor(serving, {"MONITOR"});
        QVERIFY2(monitor.says("OK\n"), monitor.said);
        Listening listener(serving, {"PSUBSCRIBE", "__key*:*"});
        QVERIFY2(listener.says("psubscribe\n__key*:*\n1\n"), listener.said);
        QCOMPARE(cli(serving, {"CONFIG", "SET", "notify-keyspace-events", "KEA"}), "OK\n");
        QCOMPARE(cli(serving, {"SET", "lock", "A", "PX", "50"}), "OK\n");
        QVERIFY2(listener.says("__keyevent@0__:set\nlock\n"), listener.said);
        QVERIFY2(listener.says("__keyevent@0__:expired\nlock\n"), listener.said);
        QVERIFY2(monitor.says("\"SET\" \"lock\" \"A\" \"PX\" \"50\"\n"), monitor.said);
    }

    void redisBenchmarkRuns() {
        const Serving serving({});
        for (const char* pipeline : {"1", "16"}) {
            const QByteArray said = output(
                "redis-benchmark", {"-p", serving.ports[0], "-q", "-n", "2000", "-c", "50", "-P", pipeline});
            for (const char* test :
                 {"PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "LPUSH", "RPUSH", "LPOP", "RPOP", "SADD",
                  "HSET", "SPOP", "ZADD", "ZPOPMIN", "LRANGE_600", "MSET"})
                QVERIFY2(
                    QRegularExpression(QStringLiteral("%1[^\\n]*: [0-9.]+ requests per second").arg(test))
                        .match(QString::fromUtf8(said))
                        .hasMatch(),
                    said);
            QVERIFY2(!said.contains("rror"), said);
        }
    }

    void memoryHasItsLimit() {
        const Serving serving({"--maxmemory", "2mb", "--maxmemory-policy", "allkeys-lru"});
        QCOMPARE(cli(serving, {"CONFIG", "GET", "maxmemory-policy"}), "maxmemory-policy\nallkeys-lru\n");
        QByteArray many;
        for (int i = 0; i < 2000; ++i)
            many += "SET key:" + QByteArray::number(i) + " " + QByteArray(1000, 'x') + "\n";
        QVERIFY(!cli(serving, {}, many).contains("OOM"));
        const int left = cli(serving, {"DBSIZE"}).trimmed().toInt();
        QVERIFY2(left > 100 && left < 1500, QByteArray::number(left));
    }

    void othersNeedAPassword() {
        Serving serving({"--bind", "0.0.0.0"}, {"LOCKSCOPE_PASSWORD=opensesame"});
        QVERIFY2(serving.said.contains("knows the password"), serving.said);
        QVERIFY(!serving.said.contains("opensesame"));
        QCOMPARE(cli(serving, {"GET", "lock"}), "NOAUTH Authentication required.\n\n");
        QCOMPARE(cli(serving, {"-a", "opensesame", "--no-auth-warning", "SET", "lock", "A"}), "OK\n");
        QCOMPARE(serving.end(SIGTERM), 0);
    }

    void itEndsByShutdown() {
        Serving serving({});
        QCOMPARE(cli(serving, {"SHUTDOWN", "NOSAVE"}), "");
        QVERIFY(serving.process.waitForFinished(30'000));
        QCOMPARE(serving.process.exitCode(), 0);
    }

    void debugAndTheTeachingAid() {
        const Serving serving({"--enable-debug-command", "local", "--expire-at-once"});
        QVERIFY2(serving.said.contains("Teaching aid: a key leaves the moment its lease is over"),
                 serving.said);
        QCOMPARE(cli(serving, {}, "DEBUG SLEEP 0.01\nCONFIG GET enable-debug-command\n"),
                 "OK\nenable-debug-command\nlocal\n");
    }

    void itEndsWhenItIsTold() {
        for (const int signal : {SIGINT, SIGTERM}) {
            Serving serving({});
            Listening waiting(serving, {"BLPOP", "queue", "0"});
            QTRY_VERIFY(cli(serving, {"INFO", "clients"}).contains("blocked_clients:1"));
            QCOMPARE(serving.end(signal), 0);
        }
    }

    void wrongUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        const auto row = [](const QStringList& arguments, const char* said) {
            QTest::newRow(qPrintable(arguments.join(' '))) << arguments << QString::fromUtf8(said);
        };
        row({"--bind", "localhost"}, "--bind 'localhost': allowed: an IP address");
        row({"--bind", "0.0.0.0"}, "lets other machines in, and that needs a password");
        row({"--port", "65536"}, "--port '65536': allowed: 0 to 65535");
        row({"--port", "http"}, "--port 'http': allowed: 0 to 65535");
        row({"--maxmemory", "lots"}, "--maxmemory 'lots': allowed: bytes, or as 20mb");
        row({"--maxmemory-policy", "lru"}, "--maxmemory-policy 'lru': allowed: volatile-lru, ");
        row({"--maxmemory", "99999999999gb"}, "--maxmemory '99999999999gb': allowed: bytes, or as 20mb");
        row({"--enable-debug-command", "maybe"}, "--enable-debug-command 'maybe': allowed: no, local, yes");
        row({"expiry", "--expire-at-once"}, "are for a store by itself");
        row({"--from", "3s"}, "--from is about a lesson, and none is named");
        row({"--set", "ttl=3s"}, "--set is about a lesson, and none is named");
        row({"nowhere"}, "there is no lesson 'nowhere'");
        row({"expiry", "--maxmemory", "1mb"}, "how much memory there is says the lesson");
        row({"expiry", "--from", "1000h"}, "--from '1000h': the lesson ends at");
        row({"expiry", "-o", "run.json"}, "a run is saved as a .lockrun file");
        row({"--prot", "1"}, "'--prot' is not known here; allowed: ");
    }
    void wrongUsage() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        QProcess process;
        process.setProcessEnvironment(Serving::environment());
        process.start(LOCKSCOPE_PROGRAM, QStringList{"serve"} + arguments);
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitCode(), 2);
        QCOMPARE(process.readAllStandardOutput(), QByteArray());
        const QString err = QString::fromUtf8(process.readAllStandardError());
        QVERIFY2(err.startsWith("lockscope serve: ") && err.contains(said) && err.count('\n') == 1,
                 qPrintable(err));
    }

    void aTakenPortIsSaid() {
        const Serving first({});
        QProcess second;
        second.start(LOCKSCOPE_PROGRAM, {"serve", "--port", first.ports[0]});
        QVERIFY(second.waitForFinished(30'000));
        QCOMPARE(second.exitCode(), 1);
        QVERIFY(second.readAllStandardError().contains("--port 0 takes any free one"));
    }

    /// A lesson runs while a client holds its lock; the run that is saved runs again without the client.
    void aLessonIsVisited() {
        QTemporaryDir folder;
        const QString file = folder.filePath("visited.lockrun");
        Serving serving({"expiry", "--from", "100ms", "-o", file});
        QVERIFY2(serving.said.contains("Redis at redis://127.0.0.1:"), serving.said);
        QCOMPARE(
            cli(serving, {}, "CLIENT SETNAME app\nSET lock:report theirs NX PX 60000\nGET lock:report\n"),
            "OK\nOK\ntheirs\n");
        QVERIFY(cli(serving, {"CLIENT", "LIST"}).contains("addr=127.0.0.1:"));
        // Nobody can lock the others out.
        QVERIFY(cli(serving, {"CONFIG", "SET", "hz", "10", "requirepass", "mine"})
                    .contains("a lesson asks for its password at the door"));
        QCOMPARE(cli(serving, {"PING"}), "PONG\n");
        QCOMPARE(serving.end(), 0);
        QVERIFY2(serving.said.contains("app"), serving.said);
        const QByteArray again = output(LOCKSCOPE_PROGRAM, {"run", file});
        QCOMPARE(again, serving.said);
        // Somebody else was there first: then the client would not have got the lock.
        const QStringList edited{"run", file, "--do", "admin Redis@50ms SET lock:report x"};
        const QByteArray text = output(LOCKSCOPE_PROGRAM, edited);
        QVERIFY2(
            text.contains("app really got OK to SET lock:report theirs NX PX 60000; in this run it is (nil)"),
            text);
        QVERIFY(output(LOCKSCOPE_PROGRAM, edited + QStringList{"--format", "json"}).contains("\"diverged\""));
    }

    /// Its run keeps so much and no more, and that is told here too, not to the client alone.
    void aFullRunIsTold() {
        Serving serving({"expiry"});
        const QByteArray said = cli(serving, {}, QByteArray("SET filler x\n").repeated(10'001));
        QVERIFY2(said.contains("ERR the lesson keeps what its clients do, and can keep no more"),
                 said.right(200));
        QCOMPARE(serving.end(), 0);
        const QByteArray told = serving.process.readAllStandardError();
        QCOMPARE(told.count("The run keeps what its clients do, and can keep no more"), 1);
    }

    /// Of a lesson that is no shipped one the run says where it lies. A closed terminal saves it, too.
    void aLessonOfOnesOwnIsFoundAgain() {
        QTemporaryDir folder;
        QFile shipped(LOCKSCOPE_SOURCE_DIR "/lessons/expiry.md");
        QVERIFY(shipped.open(QIODevice::ReadOnly));
        QFile own(folder.filePath("own.md"));
        QVERIFY(own.open(QIODevice::WriteOnly));
        own.write(shipped.readAll().replace("id: expiry", "id: own"));
        own.close();
        const QString file = folder.filePath("own.lockrun");
        Serving serving({own.fileName(), "-o", file});
        QCOMPARE(cli(serving, {"SET", "a", "b"}), "OK\n");
        QCOMPARE(serving.end(SIGHUP), 0);
        QVERIFY(output(LOCKSCOPE_PROGRAM, {"run", file}).startsWith("own "));
    }

    /// It ends in redis-server, so it does here.
    void aLongScriptEnds() {
        const Serving serving({});
        QCOMPARE(cli(serving, {"EVAL", "for i = 1, 1e5 do redis.call('SET', i % 100, i) end return 1", "0"}),
                 "1\n");
    }
};

QTEST_GUILESS_MAIN(ServeCommand)
#include "serve_command_test.moc"
