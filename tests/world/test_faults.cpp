// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What faults of the network, of clocks and of the server do to a run, and how they are written.

#include <QTest>

#include "core/trace/wording.h"
#include "tests/trace/trace_builder.h"
#include "tests/world/field_programs.h"
#include "tests/world/story.h"

using namespace lockscope;
using namespace lockscope::test;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QString::fromStdString(actual), QString::fromUtf8(expected))

namespace {

ScenarioBuilder story(Duration horizon) {
    ScenarioBuilder s;
    s.lock("L").horizon(horizon);
    return s;
}

/// The sentences of one kind of event.
std::string said(const Trace& trace, EventKind kind) {
    std::string out;
    for (const Event& e : trace.events)
        if (e.kind == kind)
            out += (out.empty() ? "" : "; ") + formatSecondsExact(e.at.time_since_epoch()) + " " +
                   sentenceFor(trace, e);
    return out;
}

std::string instantsOf(const Trace& trace, EventKind kind) {
    std::string out;
    for (const Event& e : trace.events)
        if (e.kind == kind) out += (out.empty() ? "" : " ") + formatSecondsExact(e.at.time_since_epoch());
    return out;
}

// Renews every 500 ms and stops at a refusal. An error it can only note: whether the lock still holds it
// cannot know.
const std::string kRenewing = field(R"(
    if not acq(1500) then return end
    enter(lock)
    spawn(function()
      wait(every(500, function()
        local ok, answer = pcall(ren, 1500)
        if not ok then log("unknown") return false end
        if answer == 0 then log("lost") return true end
      end))
    end)
    work("Job", 4000)
    leave(lock)
    pcall(rel))");

} // namespace

class FaultsTest : public QObject {
    Q_OBJECT

private slots:
    void everyKindIsReadBackAsWritten_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"pause Server A@12s+20s", "kill a@b@1.5s", "clock-jump Server A@10s-40s",
              "clock-jump A@0s+1m30s", "partition A@600ms+15s", "server-stall Redis@1s+250ms",
              "server-clock-jump Redis 2@1s-1s", "admin Redis@31s DEL lock:report",
              "admin Redis 3@1s SET k 'a@b  c'", "load Redis@20.5s 60000 x 1024 ttl 1h"})
            QTest::newRow(text) << QString(text);
    }
    void everyKindIsReadBackAsWritten() {
        QFETCH(QString, text);
        const auto read = parseIntervention(text.toStdString());
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        COMPARE_TEXT(formatIntervention(*read), text.toUtf8().constData());
    }

    void whatIsWrongIsSaid_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* text, const char* why) { QTest::newRow(text) << text << why; };
        row("partition A@1s", "its length is missing");
        row("pause A@5s-2s", "write ACTOR@TIME+LENGTH");
        row("kill A@1s+2s", "this kind has no length");
        row("admin Redis@1s", "the command is missing");
        row("load Redis@1s", "it begins with the number of writes, 1 to 200000");
        row("admin Redis@1s DEL \"lock", "a quote is not closed, or does not end its word");
        row("meteor A@1s", "allowed are pause, kill, restart, lost-request, lost-reply, delay, delay-reply, "
                           "partition, clock-jump, server-stall, server-clock-jump, admin, load");
    }
    void whatIsWrongIsSaid() {
        QFETCH(QString, text);
        QFETCH(QString, why);
        const auto read = parseIntervention(text.toStdString());
        QVERIFY(!read.ok());
        QVERIFY2(QString::fromStdString(read.error().text()).contains(why), read.error().text().c_str());
    }

    void serversAreNamedByTheirNumber() {
        ScenarioBuilder s = story(1s).nodes(2).actor("A", "sleep(10)").does("server-stall Redis 3@0s+1s");
        COMPARE_TEXT(validate(s).error().text(),
                     "'server-stall Redis 3@0s+1s' names no server of this lesson; "
                     "allowed: Redis, Redis 2");
    }

    void actorsAreNotCalledAsSomebodyElse() {
        COMPARE_TEXT(
            validate(story(1s).actor("Admin", "sleep(10)")).error().text(),
            "an actor cannot be called 'Admin': that is who runs the commands of admin interventions");
        COMPARE_TEXT(validate(story(1s).actor("Redis 2", "sleep(10)")).error().text(),
                     "an actor cannot be called 'Redis 2': that is a server");
    }

    // What is done to an actor at the instant at which it starts is done to it.
    void aFaultAtTheStart() {
        const char* program = "work('Job', 100)";
        COMPARE_TEXT(
            instantsOf(played(story(2s).actor("A", program).does("pause A@0s+1s")), EventKind::WorkEnded),
            "1.1 s");
        COMPARE_TEXT(instantsOf(played(story(2s).actor("A", program).starts(200ms).does("pause A@200ms+1s")),
                                EventKind::WorkEnded),
                     "1.3 s");
        COMPARE_TEXT(instantsOf(played(story(2s).actor("A", program).starts(200ms).does("kill A@200ms")),
                                EventKind::ProcessKilled),
                     "0.2 s");
    }

    // A black hole: nobody refuses, nobody is told. Without a time-out of its own the client waits for ever.
    void partitionSwallowsBothWays() {
        const Trace trace = played(story(16s)
                                       .actor("A", kRenewing)
                                       .timeout(1s)
                                       .actor("B", field("poll(100, 5000) enter(lock) work('Job', 1000) "
                                                         "leave(lock) rel()"))
                                       .starts(50ms)
                                       .does("partition A@600ms+2s"));
        COMPARE_TEXT(logOf(trace), "2.002 unknown; 3.002 unknown; 3.004 lost");
        COMPARE_TEXT(instantsOf(trace, EventKind::RequestLost), "1.002 s 2.002 s");
        COMPARE_TEXT(verdict(trace), "unprotected-work(A)@2.003-4.002 | belief-overlap(A,B)@2.052-3.052");
    }

    // What was on its way when the link broke is gone as well: here the reply of a command that was run.
    void partitionTakesWhatIsUnderWay() {
        const Trace trace = played(story(3s)
                                       .actor("A", "log(tostring(redis.pcall('SET', 'k', 'v').unknown))")
                                       .latency(100ms)
                                       .timeout(1s)
                                       .does("partition A@150ms+100ms"));
        COMPARE_TEXT(logOf(trace), "1.0 true");
        QCOMPARE(trace.requests.size(), std::size_t{1});
        COMPARE_TEXT(said(trace, EventKind::ReplyLost), "0.2 s The reply to A is lost: SET k v");
    }

    // Also if the link is there again when it would have arrived.
    void partitionTakesWhatTravelsLongerThanItLasts() {
        const Trace trace = played(story(3s)
                                       .actor("A", "log(tostring(redis.pcall('SET', 'k', 'v').unknown)) "
                                                   "log(tostring(redis.pcall('GET', 'k')))")
                                       .latency(100ms)
                                       .timeout(1s)
                                       .does("partition A@50ms+10ms")
                                       .does("partition A@1150ms+10ms"));
        COMPARE_TEXT(logOf(trace),
                     "1.0 true; 2.0 TIMEOUT no reply within 1s: the command may have run, may run "
                     "later, or never");
        COMPARE_TEXT(said(trace, EventKind::RequestLost), "0.1 s The request of A is lost: SET k v");
        COMPARE_TEXT(said(trace, EventKind::ReplyLost), "1.2 s The reply to A is lost: GET k");
    }

    // A stopped server does not stop its leases: the renewal that waited for it finds nothing.
    void stalledServerLetsLeasesRunOut() {
        const Trace trace = played(story(6s).actor("A", kRenewing).does("server-stall Redis@1.8s+2s"));
        COMPARE_TEXT(logOf(trace), "3.801 lost");
        COMPARE_TEXT(verdict(trace), "unprotected-work(A)@3.8-4.002");
        COMPARE_TEXT(said(trace, EventKind::ServerUnavailable), "1.8 s Redis cannot answer: stalled");
        COMPARE_TEXT(said(trace, EventKind::ServerAvailable), "3.8 s Redis answers again");
        COMPARE_TEXT(said(trace, EventKind::LeaseEnded), "3.003 s The lease of L ends");
        COMPARE_TEXT(said(trace, EventKind::KeyRemoved), "3.8 s L, dead already, is removed from memory");
    }

    // A deadline is an instant of the server's wall clock.
    void serverClockForwardEndsLeasesAtOnce() {
        const Trace trace =
            played(story(40s)
                       .actor("A", decent("30000", "20000"))
                       .actor("B", field("poll(1000, 30000) enter(lock) work('Job', 2000) leave(lock) rel()"))
                       .starts(200ms)
                       .does("server-clock-jump Redis@10s+60s"));
        COMPARE_TEXT(said(trace, EventKind::LeaseEnded), "10.0 s The lease of L ends");
        COMPARE_TEXT(verdict(trace), "unprotected-work(A)@10.0-20.002 | belief-overlap(A,B)@10.202-12.202");
    }
    void serverClockBackLengthensLeases() {
        const Trace trace = played(
            story(80s)
                .actor("A", field("acq(30000) log(redis.call('TIME')[1])"))
                .actor("B", field("sleep(20000) log(redis.call('TIME')[1] .. ' ' .. redis.call('PTTL', "
                                  "lock) .. ' ' .. redis.call('PEXPIRETIME', lock))"))
                .does("server-clock-jump Redis@10s-40s"));
        COMPARE_TEXT(logOf(trace), "0.004 1700000000; 20.006 1699999980 49998 1700000030001");
        COMPARE_TEXT(said(trace, EventKind::LeaseEnded), "70.001 s The lease of L ends");
    }
    void absoluteDeadlinesFollowTheServersClock() {
        const Trace trace =
            played(story(20s)
                       .actor("A", "sleep(2000) redis.call('SET', 'k', 'v', 'PXAT', 1700000055000)\n"
                                   "redis.call('SET', 'm', 'v') redis.call('EXPIREAT', 'm', 1700000056)\n"
                                   "log(redis.call('PTTL', 'k') .. ' ' .. redis.call('EXPIRETIME', 'm'))")
                       .does("server-clock-jump Redis@1s+50s"));
        COMPARE_TEXT(logOf(trace), "2.01 2993 1700000056");
        COMPARE_TEXT(said(trace, EventKind::LeaseEnded),
                     "5.0 s The lease of k ends; 6.0 s The lease of m ends");
    }

    // wall() is the machine's clock: it stays wrong when the process is started again. now() never jumps.
    void clientClockJumps() {
        const Trace trace = played(story(6s)
                                       .actor("A", "sleep(1500) log(wall() - 1700000000000 .. ' ' .. now())")
                                       .does("clock-jump A@1s-40s")
                                       .does("restart A@2s"));
        COMPARE_TEXT(logOf(trace), "1.5 -38500 1500; 3.5 -36500 3500");
    }

    // Somebody "frees the stuck lock" by hand. It was not stuck.
    void adminDeletesALiveLock() {
        const Trace trace =
            played(story(9s)
                       .actor("A", decent("5000", "4000"))
                       .actor("B", field("poll(1000, 5000) enter(lock) work('Job', 1000) leave(lock) rel()"))
                       .starts(200ms)
                       .does("admin Redis@2s DEL L"));
        COMPARE_TEXT(verdict(trace), "foreign-delete(Admin,A)@2.0 | unprotected-work(A)@2.0-4.002 | "
                                     "belief-overlap(A,B)@2.202-3.202");
        COMPARE_TEXT(said(trace, EventKind::InterventionApplied), "2.0 s Intervention 1: admin runs DEL L");
        COMPARE_TEXT(said(trace, EventKind::KeyRemoved),
                     "2.0 s L is removed by Admin: deleted; 3.203 s L is removed by B: deleted");
    }
    // Each command of an administrator is a redis-cli of its own.
    void adminsLeaveNothingOfAConnectionBehind() {
        const Trace trace =
            played(story(4s)
                       .actor("A", "sleep(3000) log(redis.call('PUBSUB', 'NUMSUB', 'news')[2])")
                       .does("admin Redis@1s MULTI")
                       .does("admin Redis@1100ms SET a 1")
                       .does("admin Redis@1200ms SUBSCRIBE news")
                       .does("admin Redis@1300ms CLIENT REPLY OFF")
                       .does("admin Redis@1400ms GET a"));
        COMPARE_TEXT(logOf(trace), "3.002 0");
        std::string answers;
        for (const Event& e : trace.events)
            if (e.kind == EventKind::RequestExecuted) answers += std::string(trace.text(e.text)) + "; ";
        COMPARE_TEXT(answers, "OK; OK; [1) \"subscribe\" 2) \"news\" 3) (integer) 1]; (nothing yet); \"1\"; "
                              "[1) \"news\" 2) (integer) 0]; ");
    }
    // On a stalled server even the administrator waits.
    void adminWaitsForAStalledServer() {
        const Trace trace = played(story(4s)
                                       .actor("A", "redis.call('SET', 'k', 'v')")
                                       .does("server-stall Redis@1s+1s")
                                       .does("admin Redis@1.5s DEL k"));
        COMPARE_TEXT(said(trace, EventKind::KeyRemoved), "2.0 s k is removed by Admin: deleted");
    }
    // Writes wait, and leases go on running out: the renewal that was put off finds nothing.
    void pausedWritesLetLeasesRunOut() {
        const Trace trace =
            played(story(6s).actor("A", kRenewing).does("admin Redis@1.8s CLIENT PAUSE 2000 WRITE"));
        COMPARE_TEXT(logOf(trace), "3.802 lost");
        COMPARE_TEXT(said(trace, EventKind::RequestWaits),
                     "2.003 s Redis lets A wait: EVAL \"if redis.call(\\\"GET\\\", KEYS[1]) == ARGV[1] "
                     "then\\n  …\" 1 L "
                     "eb59d103-f474-4f7d-868c-51e80e2b1556 1500");
        COMPARE_TEXT(said(trace, EventKind::LeaseEnded), "3.003 s The lease of L ends");
        COMPARE_TEXT(said(trace, EventKind::KeyRemoved), "3.801 s L, dead already, is removed from memory");
        COMPARE_TEXT(said(trace, EventKind::ServerUnavailable), "");
    }
    // Somebody's endless script takes the lock from everybody else.
    void anEndlessScriptStopsTheServer() {
        const Trace trace = played(
            story(9s)
                .actor("A", kRenewing)
                .actor(
                    "B",
                    "sleep(1200) local ok, e = pcall(redis.call, 'EVAL', 'while true do end', 0) log(e.err)")
                .actor("C",
                       "sleep(7000) log(redis.pcall('GET', 'L').err) log(redis.call('SCRIPT', 'KILL').ok) "
                       "log(tostring(redis.call('GET', 'L')))"));
        COMPARE_TEXT(logOf(trace),
                     "6.202 unknown; 6.504 unknown; 7.002 BUSY Redis is busy running a script. You can only "
                     "call SCRIPT KILL or SHUTDOWN NOSAVE.; 7.004 unknown; 7.004 OK; 7.004 ERR Script killed "
                     "by user with SCRIPT KILL... script: 694a5fe1ddb97a4c6a1bf299d9537c7d3d0f84e7, on "
                     "@user_script:1.; 7.006 false; 7.504 lost");
        COMPARE_TEXT(said(trace, EventKind::ServerUnavailable),
                     "1.201 s Redis cannot answer: busy running a script");
        COMPARE_TEXT(said(trace, EventKind::ServerAvailable), "7.003 s Redis answers again");
        COMPARE_TEXT(said(trace, EventKind::LeaseEnded), "2.503 s The lease of L ends");
    }
    void faultsOfOneServerLeaveTheOthersAlone() {
        const Trace trace =
            played(story(4s)
                       .nodes(2)
                       .actor("A", "sleep(1100) log(tostring(redis.node(2).pcall('PING').unknown)) "
                                   "redis.node(1).call('PING') log('1')")
                       .timeout(500ms)
                       .does("server-stall Redis 2@1s+1s"));
        COMPARE_TEXT(logOf(trace), "1.6 true; 1.602 1");
    }
};

QTEST_GUILESS_MAIN(FaultsTest)
#include "test_faults.moc"
