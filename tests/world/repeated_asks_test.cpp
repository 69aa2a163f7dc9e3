// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Polls that are not run, because they would only do again what they did, must leave no mark: every trace is
// the one that running them gives. A program that mentions setmetatable runs all of its firings, so the same
// scenario is played with and without such a word in a comment.

#include <QTest>

#include "core/lesson/lesson.h"
#include "core/lua/sandbox.h"
#include "core/world/bytecode.h"
#include "tests/world/any_fault.h"
#include "tests/world/field_programs.h"
#include "tests/world/story.h"

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

namespace {

Scenario runningEverything(Scenario scenario) {
    for (ActorSpec& actor : scenario.actors) {
        auto program = std::make_shared<Program>(*actor.program);
        program->source += "\n-- setmetatable";
        actor.program = program;
    }
    return scenario;
}

/// Simulators that have served other runs, as in a sweep.
struct Pair {
    Simulator skipping;
    Simulator running;
    Trace skipped;
    Trace ran;

    std::string difference(const Scenario& scenario) {
        skipping.run(scenario, skipped);
        running.run(runningEverything(scenario), ran);
        const std::string a = transcript(skipped);
        const std::string b = transcript(ran);
        if (a == b && skipped.failure == ran.failure) return {};
        return whereTheyPart(scenario, "skipped", a, "ran", b);
    }
};

std::string differenceOf(const std::string& program, const char* fault = nullptr) {
    ScenarioBuilder s;
    s.lesson("story").lock("L").knob("ttl", 3s).horizon(20s);
    s.actor("A", "redis.call('SET', lock, 'a', 'PX', 5500)").actor("B", field(program)).timeout(700ms);
    if (fault != nullptr) s.does(fault);
    return Pair().difference(s);
}

bool onlyAsks(const std::string& function) {
    lua::Sandbox box;
    if (!box.compile("return " + function, "test").ok()) return false;
    lua_State* L = box.state();
    return box.call(0, 1) == 0 && readsAndCallsOnce(L);
}

} // namespace

class RepeatedAsksTest : public QObject {
    Q_OBJECT

private slots:
    void lessonsUnderAnyFaults() {
        const LessonShelf shelf = readLessonFolder(LOCKSCOPE_SOURCE_DIR "/lessons");
        QVERIFY(shelf.broken.empty());
        Pair pair;
        Random chance(20261129);
        const int rounds = qEnvironmentVariableIsSet("LOCKSCOPE_LONG") ? 3000 : 60;
        for (const Lesson& lesson : shelf.lessons)
            for (int round = 0; round < rounds; ++round) {
                Scenario scenario = makeScenario(lesson, {}, {}, 1 + chance.below(1000)).value();
                for (std::uint64_t n = chance.below(4); n > 0; --n)
                    scenario.interventions.push_back(anyFault(chance, scenario));
                for (ActorSpec& actor : scenario.actors)
                    if (chance.below(3) == 0)
                        actor.clientTimeout = millis(1 + static_cast<std::int64_t>(chance.below(1500)));
                const std::string difference = pair.difference(scenario);
                QVERIFY2(difference.empty(), difference.c_str());
            }
    }

    void storiesOfPolls_data() {
        QTest::addColumn<QString>("program");
        const auto row = [](const char* name, const char* program) { QTest::newRow(name) << program; };
        row("a plain poll", "poll(500, ttl) log('got it')");
        row("what it reads changes between two firings",
            "local key = 'k1' local n = 0\n"
            "spawn(function() sleep(1700) key = 'k2' sleep(1000) n = 1 end)\n"
            "wait(every(500, function() return redis.call('GET', key) or n == 1 end)) log('over')");
        row("what it reads changes while its request is out",
            "local stop = false\n"
            "spawn(function() sleep(2001) stop = true end)\n"
            "wait(every(500, function() return redis.call('GET', lock) == false or stop end)) log('over')");
        row("another thread asks in between",
            "thread(function() for i = 1, 9 do sleep(611) redis.call('INCR', 'n') end end)\n"
            "wait(every(500, function() return redis.call('GET', 'n') == '5' end)) log('five')");
        row("the loop is busy when the reply comes",
            "every(500, function() return redis.call('GET', 'none') end)\n"
            "sleep(1200) compute('busy', 1301) sleep(900) compute('busy', 300) log('done')");
        row("cancelled with a request out",
            "local t = every(500, function() return redis.call('GET', 'none') end)\n"
            "sleep(3001) cancel(t) log('cancelled') poll(500, ttl)");
        row("two polls of one process", "every(500, function() return redis.call('GET', 'a') end)\n"
                                        "every(500, function() return redis.call('GET', 'b') end)\n"
                                        "every(333, function() return redis.pcall('NONSENSE') == 1 end)");
        row("somebody reads the server's counters, and how long a key lay idle",
            "thread(function() for i = 1, 6 do\n"
            "  sleep(2300) local stats = redis.call('INFO', 'stats')\n"
            "  log(string.match(stats, 'commands_processed:(%d+)'), string.match(stats, 'hits:(%d+)'))\n"
            "  log(string.match(stats, 'misses:(%d+)'), redis.pcall('OBJECT', 'IDLETIME', lock))\n"
            "end end)\n"
            "every(700, function() return redis.call('GET', lock) == 'nobody' end)\n"
            "every(500, function() return redis.call('GET', 'none') end)");
        row("round trips as long as the ticks, and longer",
            "for period = 1, 3 do\n"
            "  local t = every(period, function() return redis.call('GET', 'none') end)\n"
            "  sleep(1500) cancel(t)\n"
            "end");
        row("others come and go between polls of two tasks",
            "every(1000, function() return redis.call('GET', 'none') end)\n"
            "every(1000, function() return redis.call('EXISTS', lock) == 7 end)\n"
            "for i = 1, 4 do sleep(3100) redis.call('SET', 'k', i) redis.call('DEL', 'k') end");
        row("the key polled for is a set, then a string",
            "redis.call('SADD', 'k', 1)\n"
            "spawn(function() sleep(4200) redis.call('SET', 'k', 'v') end)\n"
            "wait(every(300, function() return redis.pcall('GET', 'k') == 'v' end)) log('string')");
        row("a list as reply", "every(400, function() return redis.call('MGET', 'a', lock)[1] end)");
        row("an error ends it", "every(400, function() return redis.call('INCR', lock) end)");
        row("it waits for a message in between",
            "local s = redis.subscribe('c')\n"
            "every(500, function() return redis.call('GET', 'none') end)\n"
            "every(700, function() redis.call('PUBLISH', 'c', 'x') end)\n"
            "for i = 1, 9 do log(s:receive(900) or 'nothing') end");
        row("it subscribes at each tick", "every(500, function() return redis.subscribe('c') end)");
        row("a command that waits is its one call",
            "every(500, function() return redis.call('BLPOP', 'q', 0.3) end)\n"
            "every(900, function() redis.call('RPUSH', 'q', 'x') end)\n"
            "thread(function() for i = 1, 9 do redis.call('BLPOP', 'q', 1) end end)");
        row("it counts",
            "local n = 0 wait(every(300, function() n = n + 1 redis.call('PING') return n > 7 end)) log(n)");
        row("it looks at the clock", "wait(every(300, function() return now() > 2000 end)) log(now())");
        row("it asks through a function",
            "local n = 0 local function ask() n = n + 1 return n > 5 and redis.call('GET', lock) end\n"
            "wait(every(300, ask)) wait(every(300, function() return ask() end)) log(n)");
    }
    void storiesOfPolls() {
        QFETCH(QString, program);
        for (const char* fault :
             {static_cast<const char*>(nullptr), "pause B@1500ms+2s", "lost-reply B@1900ms",
              "delay-reply B@1s+1s", "partition B@1s+3s", "server-stall Redis@2s+1s", "restart B@2501ms",
              "admin Redis@2s SET none 1"}) {
            const std::string difference = differenceOf(program.toStdString(), fault);
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }

    // A's request is out, and its function was not run, when B has used up nearly all that both have.
    void othersMayUseUpTheBudgetMeanwhile() {
        Pair pair;
        // B's calls cost their steps at once, its instructions so many at a time.
        const auto overruns = [&](int others, int turns) {
            ScenarioBuilder s;
            s.lesson("story").horizon(6s).knob("turns", double(turns)).knob("more", double(others));
            s.actor("A", "every(1500, function() return redis.call('GET', 'none') end) sleep(3500)")
                .latency(500ms);
            s.actor("B", "sleep(3100) for i = 1, more do uuid() end for i = 1, turns do now() end");
            const std::string difference = pair.difference(s);
            if (!difference.empty()) qFatal("%s", difference.c_str());
            return !pair.skipped.failure.empty();
        };
        for (int others = 0; others < 100; others += 20) {
            int enough = 1'000;
            int tooMany = 1'000'000;
            QVERIFY(!overruns(others, enough) && overruns(others, tooMany));
            while (tooMany - enough > 1) {
                const int between = (enough + tooMany) / 2;
                (overruns(others, between) ? tooMany : enough) = between;
            }
            for (int less = -20; less < 5; ++less) // some leave A what it needs, some nothing at all
                static_cast<void>(overruns(others, enough - less));
        }
    }

    void functionsThatOnlyAsk() {
        QVERIFY(onlyAsks("function() return redis.call('SET', lock, token, 'NX', 'PX', ttl) end"));
        QVERIFY(onlyAsks("function() return redis.call('GET', lock) ~= token and not stop end"));
        QVERIFY(onlyAsks("function() local r = redis.call('GET', 'a') if r == 'x' then return true end end"));
        QVERIFY(onlyAsks("function() return redis.call('EVAL', script, 1, lock, ttl * 2 + 1) == 0 end"));
        QVERIFY(!onlyAsks("function() n = 1 return redis.call('GET', lock) end"));
        QVERIFY(!onlyAsks("function() t.n = 1 return redis.call('GET', lock) end"));
        QVERIFY(!onlyAsks("function() log(1) return redis.call('GET', lock) end"));
        QVERIFY(!onlyAsks("function() return redis.call('GET', {}) end"));
        QVERIFY(!onlyAsks("function() while redis.call('GET', 'a') do end end"));
        QVERIFY(!onlyAsks("function() for i = 1, 3 do redis.call('GET', 'a') end end"));
        QVERIFY(!onlyAsks("function() return redis.call('GET', 'a' .. b) end"));
        QVERIFY(!onlyAsks("function() return function() end end"));
        QVERIFY(!onlyAsks("string.len"));
    }
};

QTEST_GUILESS_MAIN(RepeatedAsksTest)
#include "repeated_asks_test.moc"
