// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Commands that wait and channels that tell: how a program is woken, and how a wake-up is missed or lost.

#include <QTest>

#include "core/trace/lanes.h"
#include "core/trace/wording.h"
#include "tests/world/story.h"

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QString::fromStdString(actual), QString::fromUtf8(expected))

namespace {

ScenarioBuilder story(Duration horizon) {
    ScenarioBuilder s;
    s.lock("L").horizon(horizon);
    return s;
}

const char* const kPop = "local r = redis.call('BLPOP', 'queue', 10) log(r and r[2] or 'nothing')";
const char* const kPush = "redis.call('RPUSH', 'queue', 'job')";
const char* const kListen = "local s = redis.subscribe('released') log('listening') "
                            "log(s:receive(5000) or 'nothing')";
const char* const kTell = "log(redis.call('PUBLISH', 'released', 'L'))";

/// What becomes of the requests of the first actor, one event a line.
std::string requestsOf(const Trace& trace) {
    std::string out;
    for (const Event& e : trace.events)
        if (e.request != kNone && e.actor == 0 &&
            trace.requests[static_cast<std::size_t>(e.request)].actor == 0 &&
            e.kind != EventKind::KeyspaceEvent)
            out += formatSecondsExact(e.at.time_since_epoch()) + " " + sentenceFor(trace, e) + "\n";
    return out;
}

} // namespace

class MessagesTest : public QObject {
    Q_OBJECT

private slots:
    void aPushWakesWhoWaits() {
        const Trace trace = played(story(5s).actor("A", kPop).actor("B", kPush).starts(2s));
        COMPARE_TEXT(logOf(trace), "2.002 job");
        COMPARE_TEXT(requestsOf(trace), "0.0 s A sends BLPOP queue 10\n"
                                        "0.001 s Redis lets A wait: BLPOP queue 10\n"
                                        "2.001 s Redis runs BLPOP queue 10 of A: [1) \"queue\" 2) \"job\"]\n"
                                        "2.001 s queue is removed by A: deleted\n"
                                        "2.002 s A is answered [1) \"queue\" 2) \"job\"]\n");
    }

    // In the first millisecond after it, as a lease ends.
    void aTimeOutIsAnInstantOfTheServer() {
        const Trace trace = played(story(5s).actor("A", "log(tostring(redis.call('BLPOP', 'queue', 2)))"));
        COMPARE_TEXT(logOf(trace), "2.003 false");
    }

    void aTimeOutFollowsTheServersClock() {
        const Trace trace = played(story(20s)
                                       .actor("A", "log(tostring(redis.call('BLPOP', 'queue', 10)))")
                                       .does("server-clock-jump Redis@2s+60s")
                                       .does("admin Redis@3s RPUSH queue late"));
        COMPARE_TEXT(logOf(trace), "2.001 false");
    }

    // The server executes nothing while it stands still. When it goes on it first looks at what is over, and
    // then at what has come: so does redis-server 7.0.15 after SIGSTOP and SIGCONT.
    void aStalledServerWakesNobody() {
        const Trace trace = played(story(9s)
                                       .actor("A", "log(tostring(redis.call('BLPOP', 'queue', 2)))")
                                       .actor("B", kPop)
                                       .actor("C", kPush)
                                       .starts(3s)
                                       .does("server-stall Redis@500ms+4s"));
        COMPARE_TEXT(logOf(trace), "4.501 false; 4.501 job");
    }

    void whoWaitsLongestIsServedFirst() {
        const Trace trace = played(story(5s)
                                       .actor("A", kPop)
                                       .starts(10ms)
                                       .actor("B", kPop)
                                       .actor("C", "redis.call('RPUSH', 'queue', 'first', 'second')")
                                       .starts(1s));
        COMPARE_TEXT(logOf(trace), "1.002 first; 1.002 second");
        QVERIFY(transcript(trace, {EventKind::Logged}).starts_with("1.002 logged [B]"));
    }

    // What a command that waited does is its own author's, not that of the push that woke it.
    void whatItDoesIsItsOwn() {
        const Trace trace = played(story(5s)
                                       .actor("A", "redis.call('BLMOVE', 'queue', 'L', 'LEFT', 'RIGHT', 0)")
                                       .actor("B", kPush)
                                       .starts(1s));
        std::string writers;
        for (const Event& e : trace.events)
            if (e.kind == EventKind::KeyWritten)
                writers += trace.actors[static_cast<std::size_t>(e.actor)].name + " " +
                           std::string(trace.text(e.key)) + "; ";
        COMPARE_TEXT(writers, "B queue; A L; ");
    }

    // One loop is one connection, and its commands are executed in order.
    void theSameConnectionWaitsToo() {
        const char* const others = "spawn(function() sleep(100) redis.call('PING') log('spawned') end)\n"
                                   "thread(function() sleep(100) redis.call('PING') log('thread') end)\n";
        const Trace trace =
            played(story(5s).actor("A", others + std::string(kPop)).actor("B", kPush).starts(2s));
        COMPARE_TEXT(logOf(trace), "0.102 thread; 2.002 job; 2.002 spawned");
    }

    // The connection ends with its process, so that the job stays for others ...
    void aKilledWaiterTakesNothing() {
        const Trace trace = played(story(9s)
                                       .actor("A", kPop)
                                       .actor("B", kPush)
                                       .starts(2s)
                                       .actor("C", "log(redis.call('LLEN', 'queue'))")
                                       .starts(3s)
                                       .does("kill A@1s"));
        COMPARE_TEXT(logOf(trace), "3.002 1");
    }
    // ... but the server must learn of it. Behind a broken link a dead process takes a job along.
    void aDeadWaiterBehindABrokenLinkTakesAJobAlong() {
        const Trace trace = played(story(9s)
                                       .actor("A", kPop)
                                       .actor("B", kPush)
                                       .starts(2s)
                                       .actor("C", "log(redis.call('LLEN', 'queue'))")
                                       .starts(3s)
                                       .does("partition A@500ms+1s")
                                       .does("kill A@1s"));
        COMPARE_TEXT(logOf(trace), "3.002 0");
    }
    void aLostReplyLosesTheJob() {
        const Trace trace = played(
            story(9s).actor("A", kPop).timeout(5s).actor("B", kPush).starts(2s).does("lost-reply A@1s"));
        COMPARE_TEXT(logOf(trace),
                     "5.0 failed in line 1: TIMEOUT no reply within 5s: the command may have run, may run "
                     "later, or never");
    }

    void aClosedConnectionIsAnError() {
        const Trace trace = played(story(9s)
                                       .actor("A", "log(redis.pcall('BLPOP', 'queue', 0).err)\n"
                                                   "log(redis.call('PING').ok)")
                                       .actor("B", "local s = redis.subscribe('c')\n"
                                                   "local ok, e = pcall(s.receive, s) log(e.err)")
                                       .does("admin Redis@1s CLIENT KILL TYPE normal")
                                       .does("admin Redis@2s CLIENT KILL TYPE pubsub"));
        COMPARE_TEXT(logOf(trace), "1.001 CLOSED the server has closed the connection; 1.003 PONG; "
                                   "2.001 CLOSED this subscription has ended");
    }

    void aMessageWakesWhoListens() {
        const Trace trace = played(story(9s).actor("A", kListen).actor("B", kTell).starts(2s));
        COMPARE_TEXT(logOf(trace), "0.002 listening; 2.002 1; 2.002 L");
        std::string events;
        for (const Event& e : trace.events)
            if (e.kind >= EventKind::MessageSent && e.kind <= EventKind::ReceiveEnded)
                events += formatSecondsExact(e.at.time_since_epoch()) + " " + sentenceFor(trace, e) + "\n";
        COMPARE_TEXT(events, "0.002 s A listens to released until 5.002 s\n"
                             "2.001 s Redis sends A a message of released: L\n"
                             "2.002 s A message of released reaches A: L\n"
                             "2.002 s A hears of released: L\n");
    }

    // Nothing is kept for who subscribes a moment later.
    void aMessageBeforeTheSubscriptionIsMissed() {
        const Trace trace = played(story(9s).actor("A", kListen).starts(1s).actor("B", kTell).starts(999ms));
        COMPARE_TEXT(logOf(trace), "1.001 0; 1.002 listening; 6.002 nothing");
    }
    // Between the two nothing is lost: it lies with the process.
    void aMessageBeforeTheReceiveIsKept() {
        const Trace trace = played(story(9s)
                                       .actor("A", "local s = redis.subscribe('released') work('Job', 3000) "
                                                   "log(s:receive(0)) log(tostring(s:receive(0)))")
                                       .actor("B", kTell)
                                       .starts(1s));
        COMPARE_TEXT(logOf(trace), "1.002 1; 3.002 L; 3.002 nil");
    }

    void aPausedProcessHearsLater() {
        const Trace trace =
            played(story(9s).actor("A", kListen).actor("B", kTell).starts(2s).does("pause A@1s+3s"));
        COMPARE_TEXT(logOf(trace), "0.002 listening; 2.002 1; 4.0 L");
    }
    void aPartitionSwallowsMessages() {
        const Trace trace =
            played(story(9s).actor("A", kListen).actor("B", kTell).starts(2s).does("partition A@1s+2s"));
        COMPARE_TEXT(logOf(trace), "0.002 listening; 2.002 1; 5.002 nothing");
        COMPARE_TEXT(transcript(trace, {EventKind::MessageLost}),
                     "2.002 message-lost [A] p0 r1 'released' 'L'\n");
    }
    void aKilledListenerIsForgotten() {
        const Trace trace =
            played(story(9s).actor("A", kListen).actor("B", kTell).starts(2s).does("kill A@1s"));
        COMPARE_TEXT(logOf(trace), "0.002 listening; 2.002 0");
    }

    void keyspaceEventsAreMessagesToo() {
        const Trace trace =
            played(story(9s)
                       .actor("A", "redis.call('CONFIG', 'SET', 'notify-keyspace-events', 'KEx')\n"
                                   "local s = redis.subscribe('__keyevent@0__:expired') log(s:receive())")
                       .actor("B", "redis.call('SET', 'L', 'B', 'PX', 1000)")
                       .starts(1s));
        COMPARE_TEXT(logOf(trace), "2.101 L");
    }

    void twoTasksTakeTurns() {
        const Trace trace = played(
            story(9s)
                .actor("A", "local s = redis.subscribe('c')\n"
                            "for i = 1, 2 do spawn(function() log(i .. s:receive()) end) end\n"
                            "sleep(3000) s:close() log(tostring(pcall(s.receive, s)))")
                .actor("B", "redis.call('PUBLISH', 'c', 'x') sleep(500) redis.call('PUBLISH', 'c', 'y') "
                            "sleep(2000) log(redis.call('PUBLISH', 'c', 'z'))")
                .starts(1s));
        COMPARE_TEXT(logOf(trace), "1.002 1x; 1.504 2y; 3.002 false; 3.506 0");
    }

    // Who can only look again later pays with time: the lock is free at 2.001 s.
    void waitingIsFasterThanAskingAgain() {
        const char* const holder = "redis.call('SET', lock, 'A', 'NX', 'PX', 9000) sleep(2000) "
                                   "redis.call('DEL', lock) redis.call('PUBLISH', 'free:' .. lock, '')";
        const char* const waiter = "local s = redis.subscribe('free:' .. lock)\n"
                                   "while not redis.call('SET', lock, 'B', 'NX', 'PX', 9000) do "
                                   "s:receive(5000) end log('mine')";
        const char* const poller =
            "while not redis.call('SET', lock, 'C', 'NX', 'PX', 9000) do sleep(1000) end "
            "log('mine')";
        COMPARE_TEXT(logOf(played(story(9s).actor("A", holder).actor("B", waiter).starts(100ms))),
                     "2.008 mine");
        COMPARE_TEXT(logOf(played(story(9s).actor("A", holder).actor("C", poller).starts(100ms))),
                     "2.106 mine");
    }

    void whatHasNotOneReplyIsRefusedByName_data() {
        QTest::addColumn<QString>("words");
        for (const char* words : {"'SUBSCRIBE', 'c'", "'psubscribe', '*'", "'MONITOR'",
                                  "'CLIENT', 'REPLY', 'OFF'", "'client', 'reply', 'skip'", "'UNSUBSCRIBE'"})
            QTest::newRow(words) << QString(words);
    }
    void whatHasNotOneReplyIsRefusedByName() {
        QFETCH(QString, words);
        const Trace trace = played(story(2s).actor("A", QString("redis.call(%1)").arg(words).toStdString()));
        const QString name = words.section('\'', 1, 1).toUpper();
        COMPARE_TEXT(logOf(trace),
                     QString("0.0 failed in line 1: ERR %1 has not one reply, for which redis.call could "
                             "wait; redis.subscribe(channel) listens to a channel")
                         .arg(name)
                         .toUtf8()
                         .constData());
        COMPARE_TEXT(
            logOf(played(story(2s).actor("A", QString("log(redis.pcall(%1).err)").arg(words).toStdString())))
                .substr(0, 8),
            "0.0 ERR ");
    }

    // Replies of RESP3, and every command that waits, come to a program without harm.
    void repliesOfEveryKind() {
        const Trace trace = played(story(9s).actor(
            "A", "redis.call('HELLO', 3) redis.call('HSET', 'h', 'a', '1')\n"
                 "log(redis.call('HGETALL', 'h')[2])\n"
                 "log(redis.call('WAIT', 1, 100)) log(tostring(redis.call('BZPOPMIN', 'z', 0.1)))\n"
                 "redis.call('MULTI') redis.call('BLPOP', 'none', 0)\n"
                 "log(tostring(redis.call('EXEC')[1]))\n"
                 "log(redis.call('QUIT').ok) log(redis.call('HELLO')[6])"));
        COMPARE_TEXT(logOf(trace), "0.006 1; 0.109 0; 0.213 false; 0.219 false; 0.221 OK; 0.223 2");
    }

    void whoWaitsIsDrawnAsWaiting() {
        const Trace trace =
            played(story(5s).actor("A", kPop).actor("B", kPush).starts(2s).actor("C", kListen));
        Analysis analysis;
        analyse(trace, analysis);
        const Lanes lanes = layOut(trace, analysis);
        std::string drawn;
        for (const ActorLane& lane : lanes.actors)
            for (const DoesSpan& span : lane.does)
                if (span.kind == DoesKind::Waiting)
                    drawn += trace.actors[static_cast<std::size_t>(lane.actor)].name + " " +
                             std::string(trace.text(span.label)) + " " +
                             formatSecondsExact(span.from.time_since_epoch()) + "-" +
                             formatSecondsExact(span.until.time_since_epoch()) + "; ";
        COMPARE_TEXT(drawn, "A queue 0.001 s-2.002 s; C released 0.002 s-5.0 s; ");
    }
};

QTEST_GUILESS_MAIN(MessagesTest)
#include "test_messages.moc"
