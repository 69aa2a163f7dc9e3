// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What interventions do to processes and messages, and that a run depends on nothing but its scenario.

#include <QtTest>

#include <ctime>

#include "core/world/session.h"
#include "tests/world/story.h"

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

namespace {

constexpr char kHolder[] = R"(
local token = uuid()
while true do
    local ok, r = pcall(redis.call, "SET", lock, token, "NX", "PX", ttl)
    if ok and r then break end
    sleep(1000)
end
enter(lock)
work("Report", 20000)
leave(lock)
log("released", redis.call("DEL", lock))
)";

ScenarioBuilder twoServers() {
    return ScenarioBuilder()
        .lock("lock:report")
        .knob("ttl", 30s)
        .actor("Server A", kHolder)
        .starts(200ms)
        .actor("Server B", kHolder)
        .starts(1s)
        .horizon(70s);
}

ScenarioBuilder oneServer(const char* program) {
    return ScenarioBuilder().lock("k").actor("A", program).horizon(60s);
}

} // namespace

class TestWorldStories : public QObject {
    Q_OBJECT
private slots:
    void expiryEventByEvent();
    void interventionsChangeTheStory_data();
    void interventionsChangeTheStory();
    void messagesAreRecordedAsTheyFare_data();
    void messagesAreRecordedAsTheyFare();
    void aRestartIsANewIdentity();
    void worksAreCutOffAtTheEnd();
    void theSameScenarioGivesTheSameTrace();
    void stepsGiveWhatOneRunGives();
    void hostileProgramsEndSoonAndLeaveNoTrace_data();
    void hostileProgramsEndSoonAndLeaveNoTrace();
    void wrongScenariosAreNamed();
    void interventionsAreWrittenAsTheyAreRead();
    void aSessionRunsAgainWhenItChanges();
};

void TestWorldStories::expiryEventByEvent() {
    // The lease ends at its deadline; the key goes with the next active cycle; B gets it with its next ask.
    const Trace trace =
        played(ScenarioBuilder()
                   .lock("k")
                   .actor("A", "redis.call('SET', 'k', 'a', 'PX', 500) enter('k') work('Report', 700)")
                   .actor("B", "wait(every(300, function() return redis.call('SET', 'k', 'b', 'NX') end))")
                   .horizon(1s));
    QCOMPARE(QString::fromStdString(transcript(trace)), QString(R"(0.0 process-started [A] p0
0.0 task-started [A] p0 t0
0.0 request-sent [A] p0 t0 r0 l1 k {SET k a PX 500}
0.0 process-started [B] p1
0.0 task-started [B] p1 t1
0.0 task-started [B] p1 t2 l1
0.001 request-executed [A] p0 t0 r0 l1 k 'OK'
0.001 key-written [A] p0 t0 r0 l1 k 'a' 'string' a=501000
0.001 keyspace-event [A] p0 t0 r0 l1 k 'set'
0.001 keyspace-event [A] p0 t0 r0 l1 k 'expire'
0.002 reply-received [A] p0 t0 r0 l1 k 'OK'
0.002 entered [A] p0 t0 l1 k a=never b=-1
0.002 work-started [A] p0 t0 l1 'Report' a=700000
0.3 request-sent [B] p1 t2 r1 l1 k {SET k b NX}
0.301 request-executed [B] p1 t2 r1 l1 k '(nil)' b=2
0.302 reply-received [B] p1 t2 r1 l1 k '(nil)' b=2
0.501 lease-ended k lease-ended a=501000
0.6 key-removed k 'a' lease-ended
0.6 keyspace-event k 'expired'
0.6 request-sent [B] p1 t2 r2 l1 k {SET k b NX}
0.601 request-executed [B] p1 t2 r2 l1 k 'OK'
0.601 key-written [B] p1 t2 r2 l1 k 'b' 'string' a=never
0.601 keyspace-event [B] p1 t2 r2 l1 k 'set'
0.602 reply-received [B] p1 t2 r2 l1 k 'OK'
0.602 task-ended [B] p1 t2
0.602 task-ended [B] p1 t1
0.602 process-ended [B] p1
0.702 work-ended [A] p0 t0 l1 'Report' b=1
0.702 task-ended [A] p0 t0
0.702 process-ended [A] p0
)"));
}

void TestWorldStories::interventionsChangeTheStory_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("does");
    QTest::addColumn<QString>("log");
    const auto row = [](const char* name, const char* program, const QStringList& does, const char* log) {
        QTest::newRow(name) << program << does << log;
    };
    row("a pause adds to work", "work('w', 10000) log('done')", {"pause A@3s+5s"}, "15.0 done");
    row("and to compute", "compute('w', 10000) log('done')", {"pause A@3s+5s"}, "15.0 done");
    row("pauses that overlap are one", "work('w', 10000) log('done')",
        {"pause A@3s+5s", "pause A@6s+5s", "pause A@4s+1s"}, "18.0 done");
    row("pauses that touch", "work('w', 10000) log('done')", {"pause A@3s+2s", "pause A@5s+2s"}, "14.0 done");
    row("a pause right at the end comes first", "work('w', 10000) log('done')", {"pause A@10s+5s"},
        "15.0 done");
    row("a pause does not move a sleep", "sleep(10000) log('awake')", {"pause A@3s+5s"}, "10.0 awake");
    row("but it can be late", "sleep(10000) log('awake')", {"pause A@8s+5s"}, "13.0 awake");
    row("timers come in the order in which they were due",
        "spawn(function() sleep(6000) log('b') end) sleep(5000) log('a')", {"pause A@4s+5s"}, "9.0 a; 9.0 b");
    row("every fires once after a pause and keeps its grid",
        "local n = 0 wait(every(1000, function() n = n + 1 log(n) return n == 5 end))",
        {"pause A@2500ms+3700ms"}, "1.0 1; 2.0 2; 6.2 3; 7.0 4; 8.0 5");
    row("a reply waits for the end of the pause", "redis.call('PING') log('got it')", {"pause A@1ms+5s"},
        "5.001 got it");
    row("a dead process does nothing", "sleep(1000) log('no')", {"kill A@500ms"}, "");
    row("a pause of the dead is not applied, a restart is", "log('born') work('w', 2000) log('done')",
        {"kill A@1s", "pause A@1500ms+10s", "restart A@3s"}, "0.0 born; 3.0 born; 5.0 done");
    row("a restart while it is frozen", "log('born') work('w', 2000) log('done')",
        {"pause A@1s+50s", "restart A@3s"}, "0.0 born; 3.0 born; 5.0 done");
    row("killed while frozen", "work('w', 2000) log('done')", {"pause A@1s+5s", "kill A@3s"}, "");
    row("a delay is the next request's alone", "redis.call('PING') log('1') redis.call('PING') log('2')",
        {"delay A@0+5s"}, "5.002 1; 5.004 2");
    row("a delayed reply", "redis.call('PING') log('1') redis.call('PING') log('2')", {"delay-reply A@0+5s"},
        "5.002 1; 5.004 2");
    row("a delayed reply of a request under way", "redis.call('PING') log('1')", {"delay-reply A@1ms+5s"},
        "5.002 1");
    row("one that has been executed is not touched",
        "redis.call('PING') log('1') redis.call('PING') log('2')", {"delay-reply A@1500us+5s"},
        "0.002 1; 5.004 2");
    row("a lost request is never answered", "redis.call('PING') log('no')", {"lost-request A@0"}, "");
}

void TestWorldStories::interventionsChangeTheStory() {
    QFETCH(QString, program);
    QFETCH(QStringList, does);
    QFETCH(QString, log);
    ScenarioBuilder builder = oneServer(qPrintable(program));
    for (const QString& one : does)
        builder.does(one.toStdString());
    QCOMPARE(QString::fromStdString(logOf(played(builder))), log);
}

void TestWorldStories::messagesAreRecordedAsTheyFare_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("does");
    QTest::addColumn<QString>("messages");
    const char* ask =
        "local ok, e = pcall(redis.call, 'SETNX', 'k', 'a') log(ok, e.unknown, e.err) sleep(5000)";
    QTest::newRow("the client gives up, the command has run, the reply is lost")
        << ask << QStringList{"lost-reply A@0"}
        << "0.0 request-sent; 0.0 intervention-applied; 0.001 request-executed; 0.001 reply-lost; 0.1 "
           "request-timed-out; ";
    QTest::newRow("the request is lost")
        << ask << QStringList{"lost-request A@0"}
        << "0.0 request-sent; 0.0 intervention-applied; 0.0 request-lost; 0.1 request-timed-out; ";
    QTest::newRow("the reply comes too late")
        << ask << QStringList{"delay-reply A@0+1s"}
        << "0.0 request-sent; 0.0 intervention-applied; 0.001 request-executed; 0.1 request-timed-out; 1.002 "
           "reply-received 4; ";
    QTest::newRow("the command runs after the client gave up")
        << ask << QStringList{"delay A@0+1s"}
        << "0.0 request-sent; 0.0 intervention-applied; 0.1 request-timed-out; 1.001 request-executed; 1.002 "
           "reply-received 4; ";
    QTest::newRow("killed after sending: it executes, and the reply reaches nobody")
        << ask << QStringList{"kill A@500us"}
        << "0.0 request-sent; 0.0005 intervention-applied; 0.001 request-executed; ";
    QTest::newRow("frozen: the time-out was due first")
        << ask << QStringList{"delay-reply A@0+200ms", "pause A@50ms+1s"}
        << "0.0 request-sent; 0.0 intervention-applied; 0.001 request-executed; 0.05 intervention-applied; "
           "1.05 request-timed-out; 1.05 reply-received 4; ";
    QTest::newRow("frozen: the reply was there first")
        << ask << QStringList{"delay-reply A@0+80ms", "pause A@50ms+1s"}
        << "0.0 request-sent; 0.0 intervention-applied; 0.001 request-executed; 0.05 intervention-applied; "
           "1.05 reply-received; ";
    QTest::newRow("a cancelled task's reply finds nobody")
        << "local t = spawn(function() redis.call('SETNX', 'k', 'a') end) sleep(1) cancel(t) sleep(100)"
        << QStringList{} << "0.0 request-sent; 0.001 request-executed; 0.002 reply-received 4; ";
}

void TestWorldStories::messagesAreRecordedAsTheyFare() {
    QFETCH(QString, program);
    QFETCH(QStringList, does);
    QFETCH(QString, messages);
    ScenarioBuilder builder = oneServer(qPrintable(program)).timeout(100ms);
    for (const QString& one : does)
        builder.does(one.toStdString());
    const Trace trace = played(builder);
    std::string found;
    for (const Event& e : trace.events) {
        if ((e.kind < EventKind::RequestSent || e.kind > EventKind::RequestTimedOut) &&
            e.kind != EventKind::InterventionApplied)
            continue;
        const std::string at = formatSecondsExact(e.at.time_since_epoch());
        found += at.substr(0, at.size() - 2) + " " + std::string(nameOf(e.kind));
        if (e.kind == EventKind::ReplyReceived && e.b != 0) found += " " + std::to_string(e.b);
        found += "; ";
    }
    QCOMPARE(QString::fromStdString(found), messages);
    for (const Event& e : trace.events)
        if (e.kind == EventKind::Logged && e.at == instantAt(100ms))
            QCOMPARE(QString::fromUtf8(trace.text(e.text).data(),
                                       static_cast<qsizetype>(trace.text(e.text).size())),
                     QString("false true TIMEOUT no reply within 100ms: the command may have run, may run "
                             "later, or never"));
}

void TestWorldStories::aRestartIsANewIdentity() {
    const Trace trace = played(twoServers().does("restart Server A@10s"));
    QCOMPARE(trace.processes.size(), std::size_t(3));
    QCOMPARE(trace.processes[2].actor, trace.processes[0].actor);
    QCOMPARE(trace.processes[2].incarnation, 2);
    QVERIFY(trace.interventions[0].applied);
    // It asks with another token, and is refused by its own old lock.
    std::string first;
    std::string second;
    for (const TraceRequest& r : trace.requests) {
        if (r.task == kNone) continue;
        const ProcessIndex process = trace.tasks[static_cast<std::size_t>(r.task)].process;
        if (process == 0 && first.empty()) first = trace.text(r.text);
        if (process == 2 && second.empty()) second = trace.text(r.text);
    }
    QVERIFY(!first.empty() && !second.empty() && first != second);
    QCOMPARE(QString::fromStdString(logOf(trace)).section(' ', 0, 0), QString("51.046"));
}

void TestWorldStories::worksAreCutOffAtTheEnd() {
    const Trace trace = played(oneServer("spawn(function() work('a', 90000) end) compute('b', 90000)"));
    QCOMPARE(QString::fromStdString(transcript(trace, {EventKind::WorkEnded, EventKind::ComputeEnded})),
             QString("60.0 compute-ended [A] p0 t0 l1 'b'\n"));
    const Trace killed =
        played(oneServer("spawn(function() work('a', 9000) end) work('b', 9000)").does("kill A@1s"));
    QCOMPARE(
        QString::fromStdString(transcript(killed, {EventKind::WorkEnded, EventKind::ProcessKilled})),
        QString(
            "1.0 work-ended [A] p0 t0 l1 'b'\n1.0 work-ended [A] p0 t1 l1 'a'\n1.0 process-killed [A] p0\n"));
}

void TestWorldStories::theSameScenarioGivesTheSameTrace() {
    const Scenario plain = twoServers();
    const Scenario paused = twoServers().does("pause Server A@5s+40s").does("restart Server B@12s").seed(7);
    const Scenario hostile = oneServer("while true do end");
    const std::string expected = transcript(played(paused));
    QVERIFY(expected != transcript(played(plain)));

    Simulator simulator;
    Trace trace;
    for (int i = 0; i < 3; ++i) {
        simulator.run(paused, trace);
        QCOMPARE(transcript(trace), expected);
        simulator.run(plain, trace);
        simulator.run(hostile, trace);
        QVERIFY(!trace.failure.empty());
    }
}

void TestWorldStories::stepsGiveWhatOneRunGives() {
    const Scenario scenario = twoServers().does("pause Server A@5s+40s").does("kill Server B@50s");
    const std::string expected = transcript(played(scenario));
    for (const Duration step : {Duration{777'777}, Duration{1'000'000}, Duration{31'000'500}}) {
        Simulator simulator;
        Trace trace;
        simulator.begin(scenario, trace);
        for (Instant t = instantAt(step); t < scenario.horizon; t += step) {
            simulator.runUntil(t);
            QCOMPARE(trace.reached, t);
            QVERIFY(trace.events.empty() || trace.events.back().at <= t);
        }
        simulator.runUntil(scenario.horizon);
        QCOMPARE(transcript(trace), expected);
        QCOMPARE(trace.reached, scenario.horizon);
    }
}

void TestWorldStories::hostileProgramsEndSoonAndLeaveNoTrace_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("failure");
    const auto row = [](const char* name, const char* program, const char* failure) {
        QTest::newRow(name) << program << failure;
    };
    const char* tooLong = "A was stopped: it ran on for more than 3000000 steps";
    row("endless loop", "\n\nwhile true do end",
        "A was stopped: it ran on for more than 3000000 steps, in line 3");
    row("endless loop in pcall", "while true do pcall(function() while true do end end) end", tooLong);
    row("caught errors", "while true do pcall(error) end", tooLong);
    row("caught errors in handlers", "while true do xpcall(error, error) end", tooLong);
    row("nested pcalls that multiply", "local function f() pcall(f) pcall(f) end f()", tooLong);
    row("no time passes", "while true do sleep(0) end", tooLong);
    row("asking for ever", "while true do redis.pcall() end", tooLong);
    row("tasks without end", "local function f() spawn(f) spawn(f) end f()", tooLong);
    row("threads without end", "while true do thread(function() sleep(1e9) end) sleep(0) end", tooLong);
    row("tasks that wait for each other", "local function f() return wait(spawn(f)) end f()", tooLong);
    row("timers that never stop", "for i = 1, 1e6 do every(1, function() end) end", tooLong);
    row("logging without end", "local s = ('x'):rep(10000) while true do log(s) end", tooLong);
    row("a log of everything", "local n = 0 while true do n = n + 1 log(n) end", tooLong);
    row("commands without end",
        "local n = 0 while true do n = n + 1 spawn(function() redis.call('SET', 'k' .. n, n) end) end",
        tooLong);
    row("growing table", "local t = {} while true do t[#t + 1] = {} end", "A was stopped: it");
    row("a gigabyte, bit by bit", "local t = {} while true do t[#t + 1] = ('x'):rep(1000000) .. #t end",
        "A was stopped: it");
    row("a string doubled for ever", "local s = 'x' while true do s = s .. s end",
        "A was stopped: a single value would take more than 1024 KiB");
    row("catastrophic pattern", "(('a'):rep(200)):find(('.-'):rep(4) .. 'b')", tooLong);
    row("a storage that grows",
        "local n = 0 while true do n = n + 1 storage.write('n' .. n, ('x'):rep(1000), n) end", tooLong);
    row("endless uuid", "while true do uuid() end", tooLong);
}

void TestWorldStories::hostileProgramsEndSoonAndLeaveNoTrace() {
    QFETCH(QString, program);
    QFETCH(QString, failure);
    const Scenario innocent = twoServers();
    const Scenario hostile = oneServer(qPrintable(program)).resource();
    Simulator simulator;
    Trace trace;
    simulator.run(innocent, trace);
    const std::string expected = transcript(trace);

    const std::clock_t start = std::clock();
    simulator.run(hostile, trace);
    const std::clock_t took = (std::clock() - start) * 1000 / CLOCKS_PER_SEC;
    QVERIFY2(trace.failure.starts_with(failure.toStdString()), trace.failure.c_str());
    const Event& last = trace.events.back();
    QVERIFY(last.kind == EventKind::ProgramFailed);
    QVERIFY(last.line > 0);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    const std::clock_t allowed = 2000;
#else
    const std::clock_t allowed = 100;
#endif
    QVERIFY2(took < allowed, qPrintable(QString("%1 ms").arg(took)));

    // Where it is stopped does not depend on what ran before.
    const std::string stopped = transcript(trace);
    Simulator other;
    other.run(hostile, trace);
    QVERIFY(transcript(trace) == stopped);

    simulator.run(innocent, trace);
    QCOMPARE(transcript(trace), expected);
}

void TestWorldStories::wrongScenariosAreNamed() {
    const auto problem = [](const Scenario& scenario) {
        const Result<void> valid = validate(scenario);
        return valid ? std::string() : valid.error().text();
    };
    QCOMPARE(problem(twoServers()), std::string());
    QCOMPARE(problem(twoServers().does("kill Server C@1s")),
             std::string("'kill Server C@1s' names no actor of this lesson; allowed: Server A, Server B"));
    QCOMPARE(problem(oneServer("x =")), std::string("story.md:1: unexpected symbol near '<eof>'"));
    QCOMPARE(problem(oneServer("").actor("A", "")), std::string("two actors are called 'A'"));
    QCOMPARE(problem(oneServer("").nodes(0)), std::string("0 nodes: 1 to 16 are possible"));
}

void TestWorldStories::interventionsAreWrittenAsTheyAreRead() {
    for (const char* text :
         {"pause Server A@20s+15s", "kill Server A@1m30s", "restart me@home@0s", "lost-request A@1.5s",
          "lost-reply A@250ms", "delay A@1s+40us", "delay-reply A@1s+2s"})
        QCOMPARE(formatIntervention(parseIntervention(text).value()), std::string(text));
    const auto problem = [](const char* text) { return parseIntervention(text).error().message; };
    QCOMPARE(problem("freeze A@1s"),
             std::string("'freeze' is no kind of intervention; allowed are pause, kill, restart, "
                         "lost-request, lost-reply, delay, delay-reply, partition, clock-jump, "
                         "server-stall, server-clock-jump, admin, load, server-kill, server-restart, "
                         "promote, link-cut, save-fails"));
    QCOMPARE(problem("pause A@20s"),
             std::string("pause 'A@20s': its length is missing; write ACTOR@TIME+LENGTH, as in 'pause "
                         "Server A@20s+15s'"));
    QCOMPARE(
        problem("kill A@1s+2s"),
        std::string("kill 'A@1s+2s': this kind has no length; write ACTOR@TIME, as in 'kill Server A@20s'"));
    QCOMPARE(problem("kill A"), std::string("kill 'A': it has no '@' between the name and the time; write "
                                            "ACTOR@TIME, as in 'kill Server A@20s'"));
    QCOMPARE(problem("kill A@soon"),
             std::string("kill 'A@soon': 'soon' is not a duration: write 30s, 250ms, 1m30s or 1.5s; "
                         "write ACTOR@TIME, as in 'kill Server A@20s'"));
}

void TestWorldStories::aSessionRunsAgainWhenItChanges() {
    const auto session = makeSimulatedSession();
    QVERIFY(session->start(twoServers()).ok());
    const auto before = session->trace();
    QVERIFY(session->intervene(parseIntervention("pause Server A@5s+40s").value()).ok());
    QVERIFY(session->trace() != before);
    QCOMPARE(session->scenario().interventions.size(), std::size_t(1));
    QCOMPARE(transcript(*before), transcript(played(twoServers())));
    // What is wrong changes nothing.
    const auto kept = session->trace();
    QVERIFY(!session->intervene(parseIntervention("kill Nobody@1s").value()).ok());
    QCOMPARE(session->trace(), kept);
    QCOMPARE(session->scenario().interventions.size(), std::size_t(1));
}

QTEST_GUILESS_MAIN(TestWorldStories)
#include "test_world_stories.moc"
