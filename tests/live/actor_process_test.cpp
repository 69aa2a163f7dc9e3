// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QTest>

#include <chrono>

#include "core/live/actor_process.h"
#include "core/live/key_prefix.h"
#include "core/live/process_guard.h"
#include "core/world/resource.h"
#include "tests/live/live_server.h"

using namespace lockscope;
using namespace lockscope::live;
using namespace lockscope::live::test;

namespace {

std::int64_t monotonicNanos() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

/// A run on a private server: actors, the trace that their reports make, and the resource that they share.
struct Run {
    explicit Run(const RedisEndpoint& endpoint) : server(endpoint) {
        ResourceSpec spec;
        spec.present = true;
        spec.enforceFence = true;
        resource.reset(spec);
    }

    struct Actor {
        explicit Actor(Run& run, const char* name, const char* source) {
            order.spec.name = name;
            auto program = std::make_shared<Program>();
            program->name = name;
            program->source = source;
            program->file = "test.md";
            order.spec.program = program;
            order.lockKeys = {"lock"};
            order.nodes = {run.server};
            runStart = run.start;
            order.hasResource = true;
            order.seed = 7;
            const auto index = static_cast<ActorIndex>(run.trace.actors.size());
            run.trace.actors.push_back({name, false});
            run.trace.processes.push_back({index, 1});
            appender = std::make_unique<ReportAppender>(run.trace, index, index);
            QObject::connect(&process, &ActorProcess::reported, &process,
                             [this](const ActorReport& r) { appender->append(r); });
            QObject::connect(
                &process, &ActorProcess::asked, &process, [this, &run](const ResourceQuestion& q) {
                    if (q.write) {
                        const WriteAnswer a = run.resource.write(q.name, q.value, q.fence);
                        process.answer({a.accepted, a.version, a.highestFence, std::string(a.why)});
                    } else {
                        const StoredValue v = run.resource.read(q.name);
                        process.answer({v.present, v.version, -1, std::string(v.value)});
                    }
                });
            QObject::connect(&process, &ActorProcess::ended, &process,
                             [this](const QString& why) { end = "ended " + why; });
            QObject::connect(&process, &ActorProcess::died, &process,
                             [this](const QString& why) { end = "died: " + why; });
            QObject::connect(&process, &ActorProcess::linkChanged, &process,
                             [this](const LinkChange& change) { links += change.up ? "up" : "down"; });
        }
        void go() {
            process.start(order);
            process.go(runStart);
        }
        bool waitEnd() {
            return QTest::qWaitFor([this] { return !end.isEmpty(); }, 10'000);
        }

        std::int64_t runStart = 0;
        ActorOrder order;
        ActorProcess process;
        std::unique_ptr<ReportAppender> appender;
        QString end;
        QStringList links;
    };

    /// Each event of these kinds as `actor kind text`.
    QStringList happened(std::initializer_list<EventKind> kinds) const {
        QStringList out;
        for (const Event& e : trace.events) {
            if (std::find(kinds.begin(), kinds.end(), e.kind) == kinds.end()) continue;
            const auto text = trace.text(e.text);
            out += QStringLiteral("%1 %2 %3")
                       .arg(QString::fromStdString(trace.actors[std::size_t(e.actor)].name),
                            QLatin1String(nameOf(e.kind).data()),
                            QString::fromUtf8(text.data(), qsizetype(text.size())))
                       .trimmed();
        }
        return out;
    }
    std::int64_t at(EventKind kind, int nth = 0) const {
        for (const Event& e : trace.events) {
            if (e.kind == kind && nth-- == 0) return millisFloor(e.at);
        }
        return -1;
    }

    RedisEndpoint server;
    std::int64_t start = monotonicNanos();
    Trace trace;
    Resource resource;
};

constexpr const char* kRelease =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";

} // namespace

class ActorProcessTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
        m_server = std::make_unique<PrivateServer>();
        QCOMPARE(startAndWait(*m_server), QString());
    }
    void init() { QCOMPARE(call(m_server->control(), {"FLUSHALL"}), "OK"); }
    void cleanupTestCase() { m_server.reset(); }

    void twoActorsCompeteForALock() {
        const std::string program = std::string(R"(
            local token = uuid()
            wait(every(20, function() return redis.call('SET', lock, token, 'NX', 'PX', ttl) end))
            enter(lock)
            work('Report', 150)
            leave(lock)
            redis.call('EVAL', ")") +
                                    kRelease + "\", 1, lock, token)";
        Run run(m_server->endpoint());
        Run::Actor a(run, "A", program.c_str());
        Run::Actor b(run, "B", program.c_str());
        for (Run::Actor* actor : {&a, &b})
            actor->order.knobs = {{"ttl", millis(5000)}};
        a.go();
        b.go();
        QVERIFY(a.waitEnd() && b.waitEnd());
        QCOMPARE(a.end, "ended ");
        // One after the other, never both.
        QStringList story = run.happened({EventKind::Entered, EventKind::Left});
        QCOMPARE(story.size(), 4);
        QCOMPARE(story[0].left(1), story[1].left(1));
        QCOMPARE(story[2].left(1), story[3].left(1));
        QVERIFY(story[0].left(1) != story[2].left(1));
        QVERIFY(story[0].endsWith("entered") && story[1].endsWith("left"));
        QVERIFY(std::is_sorted(run.trace.events.begin(), run.trace.events.end(),
                               [](const Event& x, const Event& y) { return x.at < y.at; }));
        for (const Event& e : run.trace.events) {
            if (e.kind != EventKind::RequestSent) continue;
            QCOMPARE(run.trace.requests[std::size_t(e.request)].actor, e.actor);
            QCOMPARE(run.trace.tasks[std::size_t(e.task)].process, e.process);
        }
        QTRY_VERIFY(!a.process.isRunning());
    }

    void aStopMakesWorkLongerAndSleepNot() {
        Run run(m_server->endpoint());
        Run::Actor a(run, "A", "spawn(function() sleep(300) end) work('Report', 300)");
        a.go();
        QTRY_VERIFY(run.at(EventKind::WorkStarted) >= 0);
        const std::int64_t stopped = (monotonicNanos() - run.start) / 1'000'000;
        a.process.pause();
        QVERIFY(a.process.isPaused());
        QTest::qWait(500); // the length of the stop is what is tested
        a.process.resume();
        const std::int64_t pause = (monotonicNanos() - run.start) / 1'000'000 - stopped;
        QVERIFY(a.waitEnd());
        const std::int64_t worked = run.at(EventKind::WorkEnded) - run.at(EventKind::WorkStarted);
        QVERIFY2(worked >= 300 + pause - 60, qPrintable(QString::number(worked)));
        // Its time was over in the middle of the stop: it ends with the stop.
        const std::int64_t slept = run.at(EventKind::SleepEnded) - run.at(EventKind::SleepStarted);
        QVERIFY2(slept < worked - 100, qPrintable(QString::number(slept)));
    }

    void aStoppedProcessIsKilled() {
        Run run(m_server->endpoint());
        Run::Actor a(run, "A", "sleep(60000)");
        a.process.pause(); // nothing to stop yet
        a.go();
        a.process.pause(); // before it could say that it is there
        QSignalSpy ready(&a.process, &ActorProcess::ready);
        QTRY_COMPARE(ready.size(), 1);
        const qint64 pid = a.process.pid();
        QVERIFY(!birthOf(pid).isEmpty());
        a.process.kill();
        QTRY_COMPARE(a.end, "died: it was killed");
        QVERIFY(birthOf(pid).isEmpty());
    }

    void aLostReplyLeavesTheOutcomeUnknown() {
        Run run(m_server->endpoint());
        Run::Actor a(run, "A", R"(
            wait(every(5, function() return storage.read('go') end))
            local ok, e = pcall(redis.call, 'SET', lock, 'A', 'NX')
            log(tostring(ok) .. ' ' .. tostring(e.unknown))
            sleep(50)
            log(redis.call('GET', lock)))");
        a.order.spec.clientTimeout = millis(100);
        a.go();
        QTRY_VERIFY(!run.happened({EventKind::ResourceRead}).isEmpty());
        a.process.arm({InterventionKind::LostReply, {}, 3});
        run.resource.write("go", "1", -1);
        QVERIFY(a.waitEnd());
        QCOMPARE(run.happened({EventKind::ReplyLost, EventKind::RequestTimedOut, EventKind::Logged}),
                 (QStringList{"A reply-lost", "A request-timed-out", "A logged false true", "A logged A"}));
    }

    void aServerThatGoesAndComesBackIsNoticed() {
        PrivateServer server;
        QCOMPARE(startAndWait(server), QString());
        Run run(server.endpoint());
        Run::Actor a(run, "A", R"(
            local function ask() return pcall(redis.call, 'INCR', 'n') end
            while ask() do sleep(5) end
            log('lost')
            while not ask() do sleep(20) end
            log('back'))");
        a.go();
        QTRY_VERIFY(run.at(EventKind::ReplyReceived) >= 0);
        server.kill();
        QTRY_COMPARE(run.happened({EventKind::Logged}), (QStringList{"A logged lost"}));
        server.restart(PrivateServer::Data::Lose);
        QVERIFY(a.waitEnd());
        QCOMPARE(run.happened({EventKind::Logged}), (QStringList{"A logged lost", "A logged back"}));
        QCOMPARE(a.links, (QStringList{"up", "down", "up"}));
    }

    void theResourceIsTheHosts() {
        Run run(m_server->endpoint());
        Run::Actor a(run, "A",
                     "storage.write('file', 'one', 7) local ok, why = storage.write('file', 'zero', 6) "
                     "log(tostring(ok)) log((storage.read('file')))");
        a.go();
        QVERIFY(a.waitEnd());
        QCOMPARE(run.happened({EventKind::WriteAccepted, EventKind::WriteRejected, EventKind::Logged}),
                 (QStringList{"A write-accepted file", "A write-rejected file", "A logged false",
                              "A logged one"}));
    }

    void anEndlessLoopEnds() {
        Run run(m_server->endpoint());
        Run::Actor a(run, "A", "while true do end");
        a.go();
        QVERIFY(a.waitEnd());
        QVERIFY2(a.end.startsWith("ended stopped:"), qPrintable(a.end));
        QCOMPARE(run.happened({EventKind::ProgramFailed}).size(), 1);
    }

    void keysStayUnderTheRunsPrefix() {
        Run run(m_server->endpoint());
        Run::Actor a(run, "A", R"lua(
            redis.call('SET', lock, 'A', 'PX', 60000)
            redis.call('EVAL', "return redis.call('SET', KEYS[1], ARGV[1])", 1, 'other', 'lock')
            log(redis.call('GET', lock))
            log((select(2, pcall(redis.call, 'FLUSHALL'))).err)
            log((select(2, pcall(redis.call, 'CONFIG', 'GET', '*'))).err))lua");
        a.order.keyPrefix = "run-7:";
        a.go();
        QVERIFY(a.waitEnd());
        const QStringList logged = run.happened({EventKind::Logged});
        QCOMPARE(logged.size(), 3);
        QCOMPARE(logged[0], "A logged A");
        QVERIFY(logged[1].contains("FLUSHALL") && logged[2].contains("CONFIG"));
        QCOMPARE(call(m_server->control(), {"EXISTS", "run-7:lock", "run-7:other"}), "(integer) 2");
        QCOMPARE(call(m_server->control(), {"GET", "run-7:other"}), "\"lock\"");
        QCOMPARE(call(m_server->control(), {"DBSIZE"}), "(integer) 2");
    }

    void whichArgumentsAreKeysIsKnown() {
        const auto moved = [](std::vector<std::string> words) {
            const std::vector<std::string_view> views(words.begin(), words.end());
            const auto out = underPrefix(views, "p:");
            if (!out) return std::string("refused");
            std::string text;
            for (const std::string& word : *out)
                text += word + " ";
            return text;
        };
        QCOMPARE(moved({"GET", "k"}), "GET p:k ");
        QCOMPARE(moved({"set", "k", "k", "NX"}), "set p:k k NX ");
        QCOMPARE(moved({"DEL", "a", "b"}), "DEL p:a p:b ");
        QCOMPARE(moved({"MSET", "a", "1", "b", "2"}), "MSET p:a 1 p:b 2 ");
        QCOMPARE(moved({"RENAME", "a", "b"}), "RENAME p:a p:b ");
        QCOMPARE(moved({"EVAL", "return 1", "2", "a", "b", "c"}), "EVAL return 1 2 p:a p:b c ");
        QCOMPARE(moved({"EVAL", "return 1", "99", "a"}), "EVAL return 1 99 p:a ");
        QCOMPARE(moved({"EVAL", "return 1", "-1", "a"}), "EVAL return 1 -1 a ");
        QCOMPARE(moved({"SCRIPT", "LOAD", "return 1"}), "SCRIPT LOAD return 1 ");
        QCOMPARE(moved({"TIME"}), "TIME ");
        for (const char* harmful : {"FLUSHALL", "flushdb", "KEYS", "SHUTDOWN", "CONFIG", "DEBUG", "MONITOR",
                                    "SELECT", "NONSENSE"}) {
            QCOMPARE(moved({harmful, "*"}), "refused");
        }
    }

private:
    std::unique_ptr<PrivateServer> m_server;
};

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == ActorProcess::kArgument) return runActor(argc, argv);
    QCoreApplication application(argc, argv);
    ActorProcessTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "actor_process_test.moc"
