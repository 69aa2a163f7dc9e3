// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>

namespace {

constexpr const char* kLesson = R"md(---
id: short
title: Short
goal: See a pause for real.
knobs:
  - {name: ttl, default: 4s, range: 1s..60s}
  - {name: job, default: 2s, range: 1s..60s}
  - {name: poll, default: 1s, range: 100ms..5s}
keys: [{name: lock, patience: 3s}]
actors:
  - {name: Server A, program: server}
  - {name: Server B, program: server}
horizon: 16s
pace: 10
---

```lua server
local token = uuid()
local function ask() return redis.call("SET", lock, token, "NX", "PX", ttl) end
if actor ~= "Server A" or not ask() then wait(every(poll, ask)) end
enter(lock)
work("Job", job)
leave(lock)
redis.call("DEL", lock)
```

## It runs

```step
expect:
  - violations: none
  - owner @ 1s: Server A
  - Server B executes SET → OK @ 3s
  - Server A executes DEL → 1 @ 2s
```

## It pauses

```step
faults:
  - pause Server A@1s+4s
expect:
  - violations:
      - belief-overlap Server A + Server B @ 5s
      - unprotected-work Server A @ 5s
      - foreign-delete Server A + Server B @ 6s
      - unprotected-work Server B @ 6s
  - works @ 3s: nobody
```

## It is up to chance

```step
live: nothing here can be proved in real time
expect:
  - violations: none
```
)md";

} // namespace

/// Live runs on the command line of the built program.
class LiveCommand : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QFile file(m_folder->filePath("short.md"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kLesson) > 0);
        m_hasServer = !QStandardPaths::findExecutable("redis-server").isEmpty() ||
                      !QStandardPaths::findExecutable("valkey-server").isEmpty();
    }

    void aRunGivesTheSameJson_data() {
        QTest::addColumn<QString>("world");
        QTest::newRow("private") << "real";
        QTest::newRow("embedded") << "embedded";
    }
    void aRunGivesTheSameJson() {
        QFETCH(QString, world);
        const QString where = QTest::currentDataTag();
        if (where == "private" && !m_hasServer) QSKIP("there is no redis-server on the PATH");
        const Outcome outcome = run({"run", "short.md", "--redis", where, "--format", "json", "--set",
                                     "job=150ms", "--kill", "Server A@100ms"});
        QCOMPARE(outcome.err, QByteArray());
        QCOMPARE(outcome.code, 0);
        const QJsonObject json = QJsonDocument::fromJson(outcome.out).object();
        QCOMPARE(json["world"].toString(), world);
        QCOMPARE(json["horizon_us"].toInteger(), 1'600'000);
        QCOMPARE(json["knobs"]["ttl"].toString(), "400ms"); // a tenth, by the lesson's pace
        QCOMPARE(json["knobs"]["job"].toString(), "150ms"); // said in real time
        QCOMPARE(json["interventions"][0]["applied"].toBool(), true);
        QCOMPARE(json["grants"].toArray().size(), 2);
        QCOMPARE(json["grants"][0]["end"].toString(), "lease-ended");
        QCOMPARE(json["grants"][1]["actor"].toString(), "Server B");
    }

    void expectationsAreProvedInRealTime() {
        if (!m_hasServer) QSKIP("there is no redis-server on the PATH");
        const Outcome outcome = run({"check", "short.md", "--redis", "private"});
        QCOMPARE(QString::fromUtf8(outcome.out), "short.md:51: step \"It is up to chance\": not run live: "
                                                 "nothing here can be proved in real time\n"
                                                 "1 lesson, 6 expectations: all hold; 1 step not run live\n");
        QCOMPARE(outcome.code, 0);
    }

    void aFalseExpectationIsFound() {
        QFile file(m_folder->filePath("short.md"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            QByteArray(kLesson).replace("Server A executes DEL → 1 @ 2s", "Server A executes DEL → 0 @ 2s"));
        file.close();
        const Outcome outcome = run({"check", "short.md", "--redis", "embedded"});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.out.contains("expected Server A executes DEL → 0 @ 2s, found DEL → (integer) 1 @ "),
                 outcome.out);
    }

    void whatIsInTheWayIsSaid() {
        // A password is in no message, whatever goes wrong.
        const Outcome strange = run({"run", "short.md", "--redis", "redis://:sesame@127.0.0.1:1"});
        QCOMPARE(strange.code, 2);
        QVERIFY2(strange.err.contains("does not come with Lockscope"), strange.err);
        const Outcome refused = run({"run", "expiry", "--redis", "redis://:sesame@127.0.0.1:1"});
        QCOMPARE(refused.code, 1);
        QCOMPARE(refused.err.count('\n'), 1);
        QVERIFY2(refused.err.contains("127.0.0.1") && refused.err.contains("refused"), refused.err);
        for (const Outcome* outcome : {&strange, &refused})
            QVERIFY(!outcome->err.contains("sesame") && outcome->out.isEmpty());
        const Outcome stall =
            run({"run", "short.md", "--redis", "embedded", "--do", "server-stall Redis@1s+1s"});
        QCOMPARE(stall.code, 2);
        QVERIFY2(stall.err.contains("only a private redis-server is stopped"), stall.err);
    }

    /// It accepts and never says a word.
    void aSilentServerIsGivenUp() {
        QTcpServer silent;
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        QElapsedTimer clock;
        clock.start();
        const Outcome outcome = run(
            {"run", "expiry", "--redis", QStringLiteral("redis://127.0.0.1:%1").arg(silent.serverPort())});
        QCOMPARE(outcome.code, 1);
        QCOMPARE(outcome.err.count('\n'), 1);
        QVERIFY(clock.elapsed() < 5'500);
    }

private:
    struct Outcome {
        int code = -1;
        QByteArray out;
        QByteArray err;
    };
    Outcome run(const QStringList& arguments) const {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "LOCKSCOPE_LESSONS"})
            environment.remove(name);
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder->path());
        process.start(LOCKSCOPE_PROGRAM, arguments);
        if (!process.waitForFinished(90'000)) qFatal("the program does not end");
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    bool m_hasServer = false;
};

QTEST_GUILESS_MAIN(LiveCommand)
#include "live_command_test.moc"
