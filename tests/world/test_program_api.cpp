// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a program can do, each as a short program of one actor and what it logs, with the instants.

#include <QtTest>

#include "tests/world/story.h"

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

class TestProgramApi : public QObject {
    Q_OBJECT
    static void columns() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("log");
    }
    static void row(const char* name, const char* program, const char* log) {
        QTest::newRow(name) << program << log;
    }
    static void check() {
        QFETCH(QString, program);
        QFETCH(QString, log);
        const Trace trace = played(ScenarioBuilder()
                                       .lock("lock")
                                       .knob("ttl", 1500ms)
                                       .knob("work", 2s)
                                       .knob("release", std::string("DEL"))
                                       .resource(true)
                                       .nodes(2)
                                       .actor("A", program.toStdString())
                                       .clockOff(-250ms)
                                       .timeout(100ms)
                                       .horizon(60s));
        QCOMPARE(QString::fromStdString(logOf(trace)), log);
    }

private slots:
    void timeAndTasks_data();
    void timeAndTasks() { check(); }
    void errors_data();
    void errors() { check(); }
    void redisRepliesBecomeLua_data();
    void redisRepliesBecomeLua() { check(); }
    void theRest_data();
    void theRest() { check(); }
};

void TestProgramApi::timeAndTasks_data() {
    columns();
    row("sleep", "sleep(1500) log(now())", "1.5 1500");
    row("work and compute take running time", "work('w', 1000) log('a') compute('c', 500) log('b')",
        "1.0 a; 1.5 b");
    row("spawn runs when the current task yields",
        "spawn(function() log('child') end) log('parent') sleep(1) log('later')",
        "0.0 parent; 0.0 child; 0.001 later");
    row("spawn in order", "for i = 1, 3 do spawn(function() log(i) end) end", "0.0 1; 0.0 2; 0.0 3");
    row("every keeps its grid",
        "local n = 0 every(1000, function() n = n + 1 log(n) return n == 3 end) sleep(500) log('main goes "
        "on')",
        "0.5 main goes on; 1.0 1; 2.0 2; 3.0 3");
    row("wait gives what every returned",
        "local n = 0 log(wait(every(10, function() n = n + 1 return n == 2 and 'two' end)))", "0.02 two");
    row("every does not overlap", "every(1000, function() log('in') sleep(2500) end) sleep(7000) log('end')",
        "1.0 in; 4.0 in; 7.0 end; 7.0 in; 10.0 in; 13.0 in; 16.0 in; 19.0 in; 22.0 in; 25.0 in; 28.0 in; "
        "31.0 in; "
        "34.0 in; 37.0 in; 40.0 in; 43.0 in; 46.0 in; 49.0 in; 52.0 in; 55.0 in; 58.0 in");
    row("compute stalls its own loop: one late firing, then the grid",
        "local t = every(1000, function() log('tick') end) sleep(500) compute('c', 3000) log('done') "
        "sleep(1000) cancel(t)",
        "3.5 done; 3.5 tick; 4.0 tick");
    row("compute does not stall a thread",
        "thread(function() sleep(1000) log('other loop') end) compute('c', 3000) log('done')",
        "1.0 other loop; 3.0 done");
    row("work does not stall its loop",
        "spawn(function() sleep(1000) log('same loop') end) work('w', 3000) log('done')",
        "1.0 same loop; 3.0 done");
    row("what is due during compute comes in its order",
        "spawn(function() sleep(2000) log('b') end) spawn(function() sleep(1000) log('a') end) sleep(1) "
        "compute('c', 4000) log('c')",
        "4.001 c; 4.001 a; 4.001 b");
    row("a reply that comes during compute waits",
        "spawn(function() redis.call('PING') log('reply') end) sleep(1) compute('c', 50) log('c')",
        "0.051 c; 0.051 reply");
    row("cancel",
        "local t = spawn(function() sleep(1000) log('never') end) sleep(500) cancel(t) cancel(t) log(wait(t) "
        "== nil)",
        "0.5 true");
    row("cancel oneself",
        "local t t = spawn(function() log('a') cancel(t) log('never') end) wait(t) log('after')",
        "0.0 a; 0.0 after");
    row("cancel frees a computing loop",
        "local t = thread(function() spawn(function() sleep(10) log('freed') end) sleep(1) compute('c', "
        "5000) end) "
        "sleep(100) cancel(t) log('cancelled')",
        "0.1 cancelled; 0.1 freed");
    row("wait for several",
        "local a = spawn(function() sleep(200) return 'a', 2 end) local b = spawn(function() sleep(100) "
        "return 'b' end) "
        "local x, y = wait(a) log(x, y, wait(b))",
        "0.2 a 2 b");
    row("wait twice, also after the end",
        "local t = spawn(function() sleep(5) return 7 end) log(wait(t)) log(wait(t))", "0.005 7; 0.005 7");
    row("nobody runs for ever in no time", "sleep(0) work(0) compute(0) log(now())", "0.0 0");
    row("tasks of different processes keep their hands off", "log(tostring(spawn(function() end)))",
        "0.0 task");
}

void TestProgramApi::errors_data() {
    columns();
    row("uncaught", "\n\nerror('boom')", "0.0 failed in line 3: story.md:3: boom");
    row("uncaught in a task, the others go on", "spawn(function() error('x', 0) end)\nsleep(10) log('main')",
        "0.0 failed in line 1: x; 0.01 main");
    row("pcall", "log(pcall(error, 'x', 0)) log(select('#', pcall(function() return 1, nil end)))",
        "0.0 false x; 0.0 3");
    row("one can wait inside pcall",
        "log(pcall(function() sleep(100) error('late', 0) end)) log(pcall(function() sleep(1) return 'fine' "
        "end))",
        "0.1 false late; 0.101 true fine");
    row("pcalls inside each other",
        "log(pcall(function() local ok, e = pcall(function() sleep(1) error('in', 0) end) error(e .. ' out', "
        "0) end))",
        "0.001 false in out");
    row("xpcall",
        "log(xpcall(function() sleep(1) error('x', 0) end, function(e) sleep(1) return 'handled ' .. e end))",
        "0.002 false handled x");
    row("xpcall whose handler fails", "log(xpcall(function() error('x') end, function(e) error('y') end))",
        "0.0 false error in error handling");
    row("xpcall that goes well", "log(xpcall(function() return 1, 2 end, error))", "0.0 true 1 2");
    row("too many pcalls inside each other",
        "local function f(n) return pcall(f, n) end local r = {f(1)} log(r[#r])",
        "0.0 stack overflow: too many protected calls inside each other");
    row("wait raises what the task raised",
        "local t = spawn(function() sleep(5) error('child', 0) end)\nlog(pcall(wait, t))",
        "0.005 failed in line 1: child; 0.005 false child");
    row("sort whose comparison waits",
        "local t = {3, 1, 2} table.sort(t, function(a, b) sleep(1) return a < b end) log(table.concat(t), "
        "now())",
        "0.003 123 3");
    row("gsub whose function waits", "log(('ab'):gsub('%w', function(c) sleep(10) return c:upper() end))",
        "0.02 AB 2");
    row("nothing can wait in an iterator", "for x in function() sleep(1) end do end",
        "0.0 failed in line 1: line 1: nothing can wait inside a metamethod or the iterator of a for loop");
    row("wrong arguments", "sleep(-1)",
        "0.0 failed in line 1: story.md:1: bad argument #1 to 'sleep' (a duration is a number of "
        "milliseconds, not negative)");
    row("unknown names", "\nwaitt(1)",
        "0.0 failed in line 2: story.md:2: attempt to call global 'waitt' (a nil value)");
    row("waiting for oneself", "local t t = spawn(function() wait(t) end)",
        "0.0 failed in line 1: story.md:1: a task cannot wait for itself");
    row("a redis error that nobody catches", "\n\nredis.call('SET', 'k', 'v', 'PX', 'x')\nlog('no')",
        "0.002 failed in line 3: ERR value is not an integer or out of range");
    row("a redis error that a spawn runs into directly",
        "log(pcall(wait, spawn(function() return redis.call('NO') end)))",
        "0.002 failed in line 1: ERR unknown command 'NO', with args beginning with: ; 0.002 false ERR "
        "unknown command 'NO', "
        "with args beginning with: ");
    row("the API cannot be changed",
        "log(pcall(function() redis.call = nil end)) log(pcall(function() storage.x = 1 end)) "
        "log(pcall(function() knobs.ttl = 1 end))",
        "0.0 false story.md:1: Attempt to modify a readonly table; 0.0 false story.md:1: Attempt to modify a "
        "readonly table; "
        "0.0 false story.md:1: Attempt to modify a readonly table");
}

void TestProgramApi::redisRepliesBecomeLua_data() {
    columns();
    row("status, nil, integer, bulk",
        "local r = redis.call('SET', 'k', 'v', 'NX') log(r.ok, redis.call('SET', 'k', 'v', 'NX'), "
        "redis.call('EXISTS', 'k'), "
        "redis.call('GET', 'k'), redis.call('GET', 'no'))",
        "0.01 OK false 1 v false");
    row("an array stops nothing",
        "log(#redis.call('EVAL', 'return {1, \"a\", {2, 3}}', 0)) "
        "local t = redis.call('EVAL', 'return {1, \"a\", {2, 3}}', 0) log(t[1], t[2], t[3][2])",
        "0.002 3; 0.004 1 a 3");
    row("pcall gives the error", "local e = redis.pcall('INCR') log(e.err) log(tostring(e), e.unknown)",
        "0.002 ERR wrong number of arguments for 'incr' command; 0.002 ERR wrong number of arguments for "
        "'incr' command nil");
    row("call raises it", "local ok, e = pcall(redis.call, 'INCR') log(ok, e.err)",
        "0.002 false ERR wrong number of arguments for 'incr' command");
    row("numbers are sent as Redis writes them",
        "redis.call('SET', 'k', 1700000000123) log(redis.call('GET', 'k')) "
        "redis.call('SET', 'k', 0.1) log(redis.call('GET', 'k'))",
        "0.004 1700000000123; 0.008 0.10000000000000001");
    row("arguments are strings or numbers", "log(pcall(redis.call, 'SET', {})) log(redis.pcall().err)",
        "0.0 false ERR Lua redis lib command arguments must be strings or integers; 0.0 ERR Please specify "
        "at least one "
        "argument for this redis.call");
    row("nodes are apart",
        "redis.call('SET', 'k', 'one') redis.node(2).call('SET', 'k', 'two') "
        "log(redis.node(1).call('GET', 'k'), redis.node(2).call('GET', 'k')) log(pcall(redis.node, 3))",
        "0.008 one two; 0.008 false redis.node: there are 2 nodes, counted from 1");
    row("helpers",
        "log(redis.sha1hex('')) log(redis.error_reply('MYERR').err, redis.error_reply('MY ERR').err, "
        "redis.status_reply('FINE').ok)",
        "0.0 da39a3ee5e6b4b0d3255bfef95601890afd80709; 0.0 ERR MYERR MY ERR FINE");
    row("a call tail-called from a task", "local t = spawn(redis.call, 'PING') log(pcall(wait, t))",
        "0.0 failed in line 1: ERR Please specify at least one argument for this redis.call; 0.0 false ERR "
        "Please specify at "
        "least one argument for this redis.call");
}

void TestProgramApi::theRest_data() {
    columns();
    row("knobs", "log(ttl, knobs.ttl, knobs.work, type(work), release, lock, actor)",
        "0.0 1500 1500 2000 function DEL lock A");
    row("clocks", "sleep(1000) log(now(), wall())", "1.0 1000 1700000000750");
    row("random and uuid come from the seed",
        "local a, b = uuid(), uuid() log(#a, a ~= b, a:match('^%x+%-%x+%-4%x+%-[89ab]%x+%-%x+$') == a) "
        "for i = 1, 100 do local r = random(6) assert(r >= 1 and r <= 6 and r % 1 == 0) end "
        "log(pcall(random, 0))",
        "0.0 36 true true; 0.0 false bad argument #1 to 'call' (random(n) needs n to be 1 or more)");
    row("fences",
        "log(storage.write('doc', 'a', 5)) log(storage.write('doc', 'b', 5)) log(storage.write('doc', 'c', "
        "4)) "
        "log(storage.write('doc', 'd')) log(storage.read('doc')) log(storage.read('other'))",
        "0.0 true; 0.0 true; 0.0 false fence 4 is lower than 5; 0.0 false no fence given, 5 was seen; 0.0 b "
        "2; 0.0 nil 0");
}

QTEST_GUILESS_MAIN(TestProgramApi)
#include "test_program_api.moc"
