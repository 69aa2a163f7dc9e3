// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Cases from the field in which the server was full, and what a load of a cache does to a run.

#include <QTest>

#include "core/trace/wording.h"
#include "core/world/load.h"
#include "tests/world/field_programs.h"
#include "tests/world/replay.h"
#include "tests/world/transcript.h"

using namespace lockscope;
using namespace lockscope::test;
using redis::EvictionPolicy;

namespace {

// A works for five seconds under a lock of three, and renews it every second; a 0 is taken for what it is.
std::string renewingBy(const std::string& renewal) {
    return field(R"lua(
        local function renewed()
          return redis.pcall("EVAL", [[if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end ]] ..
                             [[)lua" +
                 renewal + R"lua(]], 1, lock, token, 3000)
        end
        if not acq(3000) then return end
        enter(lock)
        local lost = false
        local job = spawn(function() work("Job", 5000) end)
        local renewing = every(1000, function()
          lost = renewed() == 0
          if lost then cancel(job) end
          return lost
        end)
        wait(job) cancel(renewing)
        leave(lock)
        log(lost and "lost" or "released " .. tostring(rel())))lua");
}
const std::string kByPexpire = renewingBy("return redis.call('PEXPIRE', KEYS[1], ARGV[2])");
const std::string kBySet = renewingBy("redis.call('SET', KEYS[1], ARGV[1], 'XX', 'PX', ARGV[2]) return 1");

// B asks every 200 ms. An error is no grant.
const std::string kAsking = field(R"lua(
    local function ask()
      local answer = redis.pcall("SET", lock, token, "NX", "PX", 3000)
      return answer and answer.ok == "OK"
    end
    wait(every(200, ask))
    enter(lock) work("Job", 500) leave(lock)
    rel())lua");

ScenarioBuilder full(const std::string& holder, EvictionPolicy policy) {
    return story(9s).memory("2mb", policy).actor("A", holder).actor("B", kAsking).starts(100ms);
}

std::string loggedBy(const Replay& replay) {
    std::string out;
    for (const Event& e : replay.trace.events)
        if (e.kind == EventKind::Logged) out += std::string(replay.trace.text(e.text)) + ";";
    return out;
}

std::string toldOfLoad(const Replay& replay, std::size_t intervention = 0) {
    const TraceIntervention& did = replay.trace.interventions.at(intervention);
    return did.load ? sentenceFor(*did.load) : "no load";
}

} // namespace

class FieldCasesMemoryTest : public QObject {
    Q_OBJECT

private slots:
    // Cache and locks share an instance, and only the locks have a TTL: the lock is what volatile-* drops.
    // The renewal is answered as after an expiry. Nobody can take it, until there is room again.
    void g1_theLockIsTheOnlyKeyThatMayGo_data() {
        QTest::addColumn<EvictionPolicy>("policy");
        for (const EvictionPolicy policy : {EvictionPolicy::VolatileLru, EvictionPolicy::VolatileLfu,
                                            EvictionPolicy::VolatileRandom, EvictionPolicy::VolatileTtl})
            QTest::addRow("%s", nameOf(policy).data()) << policy;
    }
    void g1_theLockIsTheOnlyKeyThatMayGo() {
        QFETCH(EvictionPolicy, policy);
        const Replay replay(full(kByPexpire, policy).does("load Redis@2500ms 2000 x 1024"));
        COMPARE_TEXT(replay.line, "unprotected-work(A)@2.5-3.004");
        COMPARE_TEXT(replay.owners(), "A nobody B nobody"); // the room of A's connection, once A has ended
        COMPARE_TEXT(loggedBy(replay), "lost;");
        QVERIFY(toldOfLoad(replay).find("; one key dropped to make room") != std::string::npos);

        const Replay roomAgain(
            full(kByPexpire, policy)
                .does("load Redis@2500ms 2000 x 1024")
                .does("admin Redis@2600ms EVAL \"for i = 0, 99 do redis.call('DEL', 'cache:' .. i) end\" 0"));
        COMPARE_TEXT(roomAgain.line, "unprotected-work(A)@2.5-3.004 | belief-overlap(A,B)@2.702-3.004");
        COMPARE_TEXT(roomAgain.owners(), "A nobody B nobody");
    }

    // The cache's keys live for an hour: the lock dies soonest, and goes.
    void g1_theShortestTtlGoes() {
        const Replay replay(
            full(kByPexpire, EvictionPolicy::VolatileTtl).does("load Redis@2500ms 6000 x 1024 ttl 1h"));
        COMPARE_TEXT(replay.line, "unprotected-work(A)@2.5-3.004 | belief-overlap(A,B)@2.502-3.002");
        COMPARE_TEXT(loggedBy(replay), "lost;");
    }

    // "evicted" is the only sign that tells it from an expiry.
    void g1_theEventTellsWhy() {
        const Replay replay(
            full(kByPexpire, EvictionPolicy::AllKeysLru).does("load Redis@2500ms 6000 x 1024"));
        std::string events;
        for (const Event& e : replay.trace.events)
            if (e.kind == EventKind::KeyspaceEvent && e.at == instantAt(2500ms))
                events += std::string(replay.trace.text(e.text)) + ";";
        COMPARE_TEXT(events, "evicted;");
        QVERIFY(std::ranges::any_of(replay.analysis.grants,
                                    [](const Grant& grant) { return grant.end == EndReason::Evicted; }));
    }

    // What is dropped to make room for somebody's write was not deleted by him.
    void g1_nobodyDeletesWhatIsEvicted() {
        const std::string filling = field(R"lua(
            sleep(2400)
            for i = 1, 1200 do redis.pcall("SET", "page:" .. i, string.rep("x", 1024)) end)lua");
        const Replay replay(
            story(9s).memory("2mb", EvictionPolicy::VolatileLru).actor("A", kByPexpire).actor("B", filling));
        QVERIFY(std::ranges::any_of(replay.analysis.grants,
                                    [](const Grant& grant) { return grant.end == EndReason::Evicted; }));
        QVERIFY2(replay.line.starts_with("unprotected-work(A)@") &&
                     replay.line.find('|') == std::string::npos,
                 replay.line.c_str());
    }

    // Another instance, or a limit that is never reached, and nothing happens.
    void g1_aServerOfItsOwn() {
        COMPARE_TEXT(broken(full(kByPexpire, EvictionPolicy::AllKeysLru)
                                .nodes(2)
                                .does("load Redis 2@2500ms 6000 x 1024")),
                     "");
        COMPARE_TEXT(broken(full(kByPexpire, EvictionPolicy::AllKeysLru).does("load Redis@2500ms 100 x 100")),
                     "");
    }

    // noeviction: who asks is refused, who renews by PEXPIRE and releases is not.
    void g2_aFullServerRefusesWhoAsks() {
        const Replay replay(
            full(kByPexpire, EvictionPolicy::NoEviction).does("load Redis@500ms 2000 x 1024"));
        COMPARE_TEXT(replay.line, "");
        COMPARE_TEXT(replay.owners(), "A nobody");
        COMPARE_TEXT(loggedBy(replay), "released 1;");
        COMPARE_TEXT(replay.reply("SET", 5),
                     "(error) OOM command not allowed when used memory > 'maxmemory'.");
    }

    // Renewing by SET is refused too, and the lease runs out under the holder.
    void g2_renewingBySetLosesTheLock() {
        const Replay replay(full(kBySet, EvictionPolicy::NoEviction).does("load Redis@500ms 2000 x 1024"));
        COMPARE_TEXT(replay.line, "unprotected-work(A)@3.001-3.004");
        COMPARE_TEXT(loggedBy(replay), "lost;");
        COMPARE_TEXT(broken(full(kBySet, EvictionPolicy::NoEviction)), "");
    }

    // Which key goes is drawn by lot, so another seed may give another run. Whether a write is refused is not
    // drawn, and tokens make no other run.
    void whoDropsKeysDrawsLots() {
        const auto drew = [](const ScenarioBuilder& scenario) { return Replay(scenario).trace.drewLots; };
        const auto loaded = [](EvictionPolicy policy) {
            return full(kByPexpire, policy).does("load Redis@500ms 2000 x 1024");
        };
        for (const EvictionPolicy policy : {EvictionPolicy::AllKeysLru, EvictionPolicy::AllKeysLfu,
                                            EvictionPolicy::AllKeysRandom, EvictionPolicy::VolatileTtl})
            QVERIFY(drew(loaded(policy)));
        QVERIFY(!drew(loaded(EvictionPolicy::NoEviction)));
        QVERIFY(!drew(full(kByPexpire, EvictionPolicy::AllKeysLru)));

        const auto alone = [](const char* program) { return story(1s).actor("A", program); };
        QVERIFY(drew(alone("log(random(6))")));
        QVERIFY(drew(alone("redis.call('SADD', 's', 'a', 'b') redis.call('SRANDMEMBER', 's')")));
        QVERIFY(!drew(alone("log(uuid()) redis.call('SADD', 's', 'a', 'b')")));
    }

    // --- the load itself

    // It takes no time of anybody's, goes on counting, and tells its keys to nobody.
    void aLoadIsOneLineInTheTrace() {
        const Replay replay(story(2s)
                                .actor("A", field("log(tostring(redis.call('STRLEN', 'cache:299')))"))
                                .starts(1500ms)
                                .does("load Redis@1s 200 x 10")
                                .does("load Redis@1s 100 x 20 ttl 300ms"));
        COMPARE_TEXT(toldOfLoad(replay, 0), "200 writes: each answered OK");
        COMPARE_TEXT(toldOfLoad(replay, 1), "100 writes: each answered OK");
        COMPARE_TEXT(loggedBy(replay), "0;"); // its TTL is over
        for (const Event& e : replay.trace.events)
            QVERIFY(e.kind != EventKind::KeyWritten && e.kind != EventKind::KeyRemoved &&
                    e.kind != EventKind::LeaseEnded && e.kind != EventKind::KeyspaceEvent);
    }

    // A server that stands still is loaded when it goes on, after those who waited longer.
    void aLoadWaitsForAStalledServer() {
        const Replay replay(full(kByPexpire, EvictionPolicy::NoEviction)
                                .does("server-stall Redis@50ms+400ms")
                                .does("load Redis@100ms 2000 x 1024"));
        QVERIFY(toldOfLoad(replay, 1).find("refused") != std::string::npos);
        COMPARE_TEXT(replay.reply("SET", 2), "(nil)"); // B's first, sent while it stood still
    }

    // A simulator that has run a load runs another one as a fresh one does.
    void runsDoNotRememberLoads() {
        const Scenario scenario =
            full(kByPexpire, EvictionPolicy::AllKeysLfu).does("load Redis@2500ms 3000 x 1024");
        Trace first;
        Trace other;
        Trace again;
        Simulator simulator;
        simulator.run(scenario, first);
        simulator.run(full(kBySet, EvictionPolicy::VolatileTtl).does("load Redis@1s 3000 x 100 ttl 1h"),
                      other);
        simulator.run(scenario, again);
        COMPARE_TEXT(transcript(again), transcript(first).c_str());
    }

    void loadsAreReadAndRefused() {
        COMPARE_TEXT(formatIntervention(parseIntervention("load Redis@1500ms 60000 x 1kb ttl 1h").value()),
                     "load Redis@1.5s 60000 x 1kb ttl 1h");
        QVERIFY(*parseLoad("60000 x 1kb ttl 1h") == (Load{60'000, 1024, seconds(3600)}));
        for (const char* wrong : {"", "x", "0 x 10", "10", "10 x", "10 x 0", "10 y 10", "10 x 2mb", "-1 x 10",
                                  "300000 x 10", "200000 x 1mb", "10 x 10 for 1h", "10 x 10 ttl",
                                  "10 x 10 ttl 0s", "10 x 10 ttl 1h now", "10 x 10 ttl 1000000h"}) {
            QVERIFY2(!parseLoad(wrong), wrong);
            QVERIFY2(!parseIntervention("load Redis@1s " + std::string(wrong)), wrong);
        }
        QVERIFY(!parseIntervention("load A@1s 10 x 10").ok() ||
                !validate(story(2s).actor("A", "").does("load A@1s 10 x 10")).ok());
    }
};

QTEST_GUILESS_MAIN(FieldCasesMemoryTest)
#include "field_cases_memory_test.moc"
