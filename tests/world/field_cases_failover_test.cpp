// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Cases from the field in which a server died, came back, was replaced, or could not save.

#include <QTest>

#include "tests/world/field_programs.h"
#include "tests/world/replay.h"
#include "tests/world/transcript.h"

using namespace lockscope;
using namespace lockscope::test;
using Persistence = ServerSpec::Persistence;

namespace {

// Asks every 200 ms, whatever the answer; an error is no grant.
const std::string kAsking = field(R"lua(
    local function ask()
      local answer = redis.pcall("SET", lock, token, "NX", "PX", 3000)
      return answer and answer.ok == "OK"
    end
    wait(every(200, ask))
    enter(lock) work("Job", 500) leave(lock)
    redis.pcall("DEL", lock))lua");

// Holds for longer than anything in these stories takes, and releases if the server lets it.
std::string holding(int ttl, int work) {
    return field("if not acq(" + std::to_string(ttl) + ") then return end enter(lock) work('Job', " +
                 std::to_string(work) + ") leave(lock) pcall(rel)");
}

ScenarioBuilder pairOf(Duration horizon) {
    ScenarioBuilder s = story(horizon);
    s.scenario().server.replicas = 1;
    return s;
}

ScenarioBuilder withDisk(Duration horizon, Persistence persistence) {
    ScenarioBuilder s = story(horizon);
    s.scenario().server.persistence = persistence;
    return s;
}

/// "lost-in-failover", "lease-ended": why the grants of the run ended, in turn.
std::string endings(const Replay& replay) {
    std::string out;
    for (const Grant& grant : replay.analysis.grants)
        out += (out.empty() ? "" : " ") + std::string(nameOf(grant.end));
    return out;
}

std::string json(Simulator& simulator, const Scenario& scenario) {
    Trace trace;
    simulator.run(scenario, trace);
    return transcript(trace);
}

} // namespace

class FieldCasesFailoverTest : public QObject {
    Q_OBJECT

private slots:
    // The primary acknowledged the lock and died before its replica had heard of it. The replica grants it
    // again, and A has an OK in its hands.
    void f1_anAcknowledgedLockIsLostWithItsPrimary() {
        const Replay replay(pairOf(8s)
                                .actor("A", holding(10'000, 5000))
                                .actor("B", decent("10000", "1000"))
                                .starts(300ms)
                                .does("link-cut Redis@0s+300ms")
                                .does("server-kill Redis@100ms")
                                .does("promote Redis@200ms"));
        COMPARE_TEXT(replay.line, "unprotected-work(A)@0.2-5.002 | belief-overlap(A,B)@0.302-1.302");
        COMPARE_TEXT(endings(replay), "lost-in-failover deleted");
        COMPARE_TEXT(replay.owners(), "A nobody B nobody");
        COMPARE_TEXT(replay.reply("SET"), "OK");
        COMPARE_TEXT(replay.reply("SET", 2), "OK");
    }

    // Had it heard, nothing would have happened.
    void f1_aReplicaThatHasHeardKeepsTheLock() {
        const Replay replay(pairOf(8s)
                                .actor("A", holding(10'000, 5000))
                                .actor("B", decent("10000", "1000"))
                                .starts(300ms)
                                .does("server-kill Redis@100ms")
                                .does("promote Redis@200ms"));
        COMPARE_TEXT(replay.line, "");
        COMPARE_TEXT(endings(replay), "deleted");
    }

    // WAIT tells A so, and undoes nothing: A has to give the lock back itself.
    void f1_waitTells() {
        const std::string careful = field(R"lua(
            if not acq(10000) then return end
            local copies = redis.call("WAIT", 1, 200)
            log("copies " .. copies)
            if copies < 1 then rel() return end
            enter(lock) work("Job", 1000) leave(lock) rel())lua");
        const Replay cut(pairOf(8s).actor("A", careful).does("link-cut Redis@0s+5s"));
        COMPARE_TEXT(cut.line, "");
        COMPARE_TEXT(cut.reply("WAIT"), "(integer) 0");
        COMPARE_TEXT(cut.reply("EVAL"), "(integer) 1"); // the key was there still
        const Replay whole(pairOf(8s).actor("A", careful));
        COMPARE_TEXT(whole.line, "");
        COMPARE_TEXT(whole.reply("WAIT"), "(integer) 1");
    }

    // Nobody has to do it by hand: after a while without a primary the replica becomes one. The old one comes
    // back as its replica, without what it had.
    void f1_theOldPrimaryComesBack() {
        ScenarioBuilder s = pairOf(8s);
        s.scenario().server.failoverAfter = 2s;
        s.actor("A", holding(10'000, 500)).actor("B", kAsking).starts(2s);
        const Replay replay(
            s.does("server-kill Redis@1s").does("server-restart Redis@3500ms").does("promote Redis@5s"));
        COMPARE_TEXT(replay.line, "");
        COMPARE_TEXT(replay.owners(), "A nobody B nobody");
    }

    // It comes back before anybody has noticed, with nothing on its disk; and its replicas copy that.
    void f1_aPrimaryThatComesBackEmptyEmptiesItsReplicas() {
        ScenarioBuilder s = pairOf(8s);
        s.scenario().server.failoverAfter = 5s;
        s.actor("A", holding(10'000, 5000)).actor("B", kAsking).starts(2s);
        const Replay replay(
            s.does("server-kill Redis@1s").does("server-restart Redis@1500ms").does("promote Redis@2s"));
        COMPARE_TEXT(replay.line, "unprotected-work(A)@1.5-5.002 | belief-overlap(A,B)@2.202-2.702");
        COMPARE_TEXT(endings(replay), "lost-at-restart deleted");
    }

    // What a restart finds, by what was written, and when.
    void restartsFindWhatIsOnTheDisk_data() {
        QTest::addColumn<Persistence>("persistence");
        QTest::addColumn<QString>("acquired");
        QTest::addColumn<QString>("ends");
        QTest::addRow("nothing") << Persistence::None << "0"
                                 << "lost-at-restart deleted";
        QTest::addRow("everysec, in time") << Persistence::EverySecond << "900"
                                           << "deleted deleted";
        QTest::addRow("everysec, too late") << Persistence::EverySecond << "1100"
                                            << "lost-at-restart deleted";
        QTest::addRow("always") << Persistence::Always << "1100"
                                << "deleted deleted";
        QTest::addRow("a snapshot too old") << Persistence::Snapshot << "900"
                                            << "lost-at-restart deleted";
    }
    void restartsFindWhatIsOnTheDisk() {
        QFETCH(Persistence, persistence);
        QFETCH(QString, acquired);
        QFETCH(QString, ends);
        const Replay replay(withDisk(5s, persistence)
                                .actor("A", "sleep(" + acquired.toStdString() + ")" + holding(10'000, 3000))
                                .actor("B", kAsking)
                                .starts(2500ms)
                                .does("server-kill Redis@1500ms")
                                .does("server-restart Redis@2s"));
        const bool lost = ends.startsWith("lost");
        COMPARE_TEXT(endings(replay), ends.toUtf8().constData());
        QCOMPARE(replay.line.empty(), !lost);
    }

    // V19: an old snapshot brings a released lock back. Nobody is behind it, and it refuses.
    void aReleasedLockComesBack() {
        const Replay replay(withDisk(6s, Persistence::Snapshot)
                                .actor("A", holding(5000, 800) + " sleep(10000)")
                                .actor("B", kAsking)
                                .starts(2500ms)
                                .does("admin Redis@500ms SAVE")
                                .does("server-kill Redis@1500ms")
                                .does("server-restart Redis@2s"));
        COMPARE_TEXT(replay.line, "stuck-lock(A)@2.701-5.001");
        COMPARE_TEXT(endings(replay), "deleted lease-ended deleted");
    }

    // The background save fails: no write at all, the release included. The key still ends on time.
    void m1_aServerThatCannotSaveRefusesEveryWrite() {
        const std::string renewing = field(R"lua(
            if not acq(1500) then return end
            enter(lock)
            local job = spawn(function() work("Job", 3000) end)
            local renewals = every(400, function() redis.pcall("EVAL", [[
              if redis.call("GET", KEYS[1]) == ARGV[1] then
                return redis.call("PEXPIRE", KEYS[1], ARGV[2]) end return 0]], 1, lock, token, 1500) end)
            wait(job) cancel(renewals)
            leave(lock))lua");
        const Replay replay(withDisk(6s, Persistence::Snapshot)
                                .actor("A", renewing)
                                .actor("B", kAsking)
                                .starts(50ms)
                                .does("save-fails Redis@200ms+2300ms"));
        COMPARE_TEXT(replay.line, "unprotected-work(A)@1.501-3.002 | belief-overlap(A,B)@2.652-3.002");
        QVERIFY(replay.reply("EVAL").starts_with("(error) MISCONF"));
        QVERIFY(replay.reply("SET", 3).starts_with("(error) MISCONF"));
    }

    // A server that reads its disk answers LOADING: neither lost nor held. The lease goes on meanwhile.
    void m2_loadingIsNeitherLostNorHeld() {
        ScenarioBuilder s = withDisk(40s, Persistence::Always);
        s.scenario().server.loading = 10s;
        const Replay replay(s.actor("A", holding(30'000, 20'000))
                                .actor("B", kAsking)
                                .starts(50ms)
                                .does("server-kill Redis@2s")
                                .does("server-restart Redis@3s")
                                .does("admin Redis@5s PING")
                                .does("admin Redis@14s PTTL L"));
        COMPARE_TEXT(replay.line, "");
        QVERIFY(replay.reply("PING").starts_with("(error) LOADING"));
        COMPARE_TEXT(replay.reply("PTTL"), "(integer) 16001");
        QCOMPARE(replay.analysis.ownerAt(replay.trace.lockKeys[0].name, instantAt(14s)), 0);
    }

    // V33: too few replicas: the lock cannot be taken, and not be given back.
    void tooFewReplicas() {
        ScenarioBuilder s = pairOf(10s);
        s.scenario().server.minReplicasToWrite = 1;
        s.scenario().server.minReplicasMaxLag = 1s;
        const Replay replay(
            s.actor("A", "sleep(5000) " + field("log(redis.pcall('SET', lock, token, 'NX', 'PX', 1000).err)"))
                .does("link-cut Redis@1s+20s"));
        COMPARE_TEXT(replay.line, "");
        COMPARE_TEXT(replay.reply("SET"), "(error) NOREPLICAS Not enough good replicas to write.");
    }

    // Who waits for a server that dies learns that, and so does whoever comes while there is none.
    void connectionsEndWithTheirServer() {
        const Replay replay(story(5s)
                                .actor("A", "log(redis.pcall('BLPOP', 'list', 0).err)")
                                .actor("B", "log(redis.pcall('GET', lock).err)")
                                .starts(1500ms)
                                .actor("C", "log(redis.pcall('SET', lock, 'c', 'PX', 10).ok)")
                                .starts(2500ms)
                                .does("server-kill Redis@1s")
                                .does("server-restart Redis@2s"));
        std::string logged;
        for (const Event& event : replay.trace.events)
            if (event.kind == EventKind::Logged) logged += std::string(replay.trace.text(event.text)) + ";";
        COMPARE_TEXT(logged, "CLOSED the server has closed the connection;CLOSED the server has closed the "
                             "connection;OK;");
    }

    // The same scenario, the same bytes: with a world that is new, and with one that has seen others.
    void theSameBytes() {
        ScenarioBuilder s = pairOf(8s);
        s.scenario().server.persistence = Persistence::EverySecond;
        s.scenario().server.failoverAfter = 1s;
        s.actor("A", kAsking).actor("B", kAsking).starts(100ms).actor("C", kAsking).starts(1s);
        s.does("link-cut Redis@300ms+900ms").does("server-kill Redis@1s").does("server-restart Redis@3s");
        s.does("promote Redis@4s").does("server-stall Redis@5s+500ms").does("server-kill Redis@5100ms");
        Simulator first;
        const std::string told = json(first, s);
        Simulator second;
        json(second, story(5s).nodes(5).actor("A", kAsking));
        QCOMPARE(json(second, s), told);
        QCOMPARE(json(first, s), told);
    }
};

QTEST_GUILESS_MAIN(FieldCasesFailoverTest)
#include "field_cases_failover_test.moc"
