// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Situations that people met in production with a Redis lock, replayed by real programs on the simulator.
// Each must break exactly what it broke there, at that instant, and nothing else; its remedy must break
// nothing, or less.

#include <QTest>

#include "tests/world/field_programs.h"
#include "tests/world/replay.h"

using namespace lockscope;
using namespace lockscope::test;

class FieldCasesTest : public QObject {
    Q_OBJECT

private slots:
    // --- the lease runs out during the work

    // A slow holder's blind release frees somebody else's lock, and a third one gets in.
    void a1_lateBlindRelease() {
        const auto with = [](const std::string& release) {
            return story(9s)
                .actor("A", field("acq(3000) enter(lock) work('Job', 4998) leave(lock) " + release))
                .actor("B", decent("3000", "2500"))
                .starts(3200ms)
                .actor("C", decent("3000", "500"))
                .starts(5100ms);
        };
        const Replay blind(with("redis.call('DEL', lock)"));
        COMPARE_TEXT(
            blind.line,
            "unprotected-work(A)@3.001-5.0 | belief-overlap(A,B)@3.202-5.0 | foreign-delete(A,B)@5.001 | "
            "unprotected-work(B)@5.001-5.702 | belief-overlap(B,C)@5.102-5.602");
        COMPARE_TEXT(blind.owners(), "A nobody B nobody C nobody");
        COMPARE_TEXT(blind.reply("DEL"), "(integer) 1"); // looks like success

        const Replay checked(with("rel()"));
        COMPARE_TEXT(checked.line, "unprotected-work(A)@3.001-5.0 | belief-overlap(A,B)@3.202-5.0");
        COMPARE_TEXT(checked.reply("EVAL"), "(integer) 0");
    }

    // A release that answers 0 is a late warning, whether anybody came or not.
    void a3_releaseAnswersZero() {
        const Replay alone(story(4s).actor("A", decent("2000", "2600")));
        COMPARE_TEXT(alone.line, "unprotected-work(A)@2.001-2.602");
        COMPARE_TEXT(alone.reply("EVAL"), "(integer) 0");

        const Replay taken(
            story(4s).actor("A", decent("2000", "2600")).actor("B", decent("1000", "100")).starts(2200ms));
        COMPARE_TEXT(taken.line, "unprotected-work(A)@2.001-2.602 | belief-overlap(A,B)@2.202-2.302");
        COMPARE_TEXT(taken.reply("EVAL", 2), "(integer) 0");
    }

    // One "timeout" is both how long to wait and how long to hold: the lease ends just as the waiter tries
    // last.
    void a5_waitMistakenForLease() {
        COMPARE_TEXT(broken(story(5s)
                                .actor("A", decent("2000", "3500"))
                                .actor("B", field(R"(
                                    local last = now() + 2000
                                    while not acq(2000) do
                                      if now() >= last then return end
                                      sleep(198)
                                    end
                                    enter(lock) work("Job", 1000) leave(lock) rel())"))
                                .starts(100ms)),
                     "unprotected-work(A)@2.001-3.502 | belief-overlap(A,B)@2.102-3.102");
    }

    // The caller did not look at the answer. The lock did its job.
    void a7_resultIgnored() {
        const Replay r(story(6s)
                           .actor("A", decent("5000", "4000"))
                           .actor("B", field("acq(5000) enter(lock) work('Job', 2000) leave(lock) rel()"))
                           .starts(500ms));
        COMPARE_TEXT(r.line, "belief-overlap(A,B)@0.502-2.502 | unprotected-work(B)@0.502-2.502");
        COMPARE_TEXT(r.owners(), "A nobody");
        COMPARE_TEXT(r.reply("EVAL"), "(integer) 0");
    }

    // --- a check just before is not atomic

    // The owner is read, the process stalls, and what is deleted is the next owner's.
    void b1_getThenDelete() {
        const auto with = [](const std::string& release) {
            return story(6s)
                .actor("A", field("acq(2000) enter(lock) work('Job', 1898) leave(lock) " + release))
                .actor("B", decent("2000", "1000"))
                .starts(2050ms)
                .actor("C", decent("2000", "500"))
                .starts(2300ms)
                .does("pause A@1901500us+300ms");
        };
        COMPARE_TEXT(broken(with("if redis.call('GET', lock) == token then redis.call('DEL', lock) end")),
                     "foreign-delete(A,B)@2.2025 | unprotected-work(B)@2.2025-3.052 | "
                     "belief-overlap(B,C)@2.302-2.802");
        COMPARE_TEXT(broken(with("rel()")), "");
    }

    // WATCH and no MULTI: the check protects nothing, DEL runs at once. With MULTI, EXEC comes to nothing.
    void b1_watchWithoutMulti() {
        const auto with = [](const std::string& release) {
            return story(6s)
                .actor("A", field("acq(2000) enter(lock) work('Job', 1898) leave(lock) "
                                  "redis.call('WATCH', lock) "
                                  "if redis.call('GET', lock) == token then " +
                                  release + " end"))
                .actor("B", decent("2000", "1000"))
                .starts(2050ms)
                .actor("C", decent("2000", "500"))
                .starts(2300ms)
                .does("pause A@1903500us+300ms");
        };
        const Replay bare(with("redis.call('DEL', lock)"));
        COMPARE_TEXT(bare.line, "foreign-delete(A,B)@2.2045 | unprotected-work(B)@2.2045-3.052 | "
                                "belief-overlap(B,C)@2.302-2.802");
        COMPARE_TEXT(bare.reply("DEL"), "(integer) 1");
        const Replay checked(with("redis.call('MULTI') redis.call('DEL', lock) redis.call('EXEC')"));
        COMPARE_TEXT(checked.line, "");
        COMPARE_TEXT(checked.reply("EXEC"), "(nil)");
        COMPARE_TEXT(checked.owners(), "A nobody B nobody");
    }

    // A script is one instant: in the last millisecond of the lease it reads its own token, PTTL 0 and its
    // own token again, and whoever asks in that millisecond comes after it. Right after it the lease is over.
    void b3_nothingHappensWithinAScript() {
        const Replay r(
            story(1s)
                .actor("A", field(R"lua(
                               acq(80) enter(lock) sleep(78)
                               local seen = redis.call("EVAL", [[
                                 local first, left = redis.call("GET", KEYS[1]), redis.call("PTTL", KEYS[1])
                                 for i = 1, 500 do redis.call("PING") end
                                 return {first == ARGV[1] and 1 or 0, left,
                                         redis.call("GET", KEYS[1]) == ARGV[1] and 1 or 0}
                               ]], 1, lock, token)
                               log(table.concat(seen, " "))
                               log(tostring(redis.call("GET", lock)))
                               leave(lock))lua"))
                .actor("B",
                       "sleep(40) sleep(40) log(tostring(redis.call('SET', lock, 'b', 'NX', 'PX', 5)))"));
        std::string logged;
        for (const Event& e : r.trace.events)
            if (e.kind == EventKind::Logged) logged += std::string(r.trace.text(e.text)) + ";";
        COMPARE_TEXT(logged, "1 0 1;false;false;");
        COMPARE_TEXT(r.line, "unprotected-work(A)@0.081-0.084");
    }

    // --- no deadline, and crashes

    // Killed between SETNX and EXPIRE: the lock never goes away, until somebody repairs it by hand.
    void c1_noDeadline() {
        const auto with = [] {
            return story(10s)
                .lock("other")
                .actor("A", "if redis.call('SETNX', lock, 'A') == 1 then redis.call('PEXPIRE', lock, 3000) "
                            "enter(lock) "
                            "work('Job', 1000) leave(lock) redis.call('DEL', lock) end")
                .actor("B", field("poll(1000, 3000) enter(lock) work('Job', 500) leave(lock) rel()"))
                .starts(100ms)
                .actor("C", field("poll(1000, 3000) enter(lock) work('Job', 100) leave(lock) rel()"))
                .starts(200ms);
        };
        COMPARE_TEXT(broken(with()), ""); // a healthy one is not red for the two milliseconds in between
        COMPARE_TEXT(broken(with().does("kill A@1500us")), "stuck-lock(A)@0.0015-…");
        COMPARE_TEXT(broken(with().does("kill A@500us")),
                     "stuck-lock(A)@0.001-…"); // the server still runs it
        COMPARE_TEXT(
            broken(with().does("kill A@1500us").actor("Operator", "redis.call('DEL', lock)").starts(5s)),
            "stuck-lock(A)@0.0015-5.001"); // the repair deletes nobody's lock
    }

    // After a crash everybody waits for the rest of a long lease. Nothing is broken; it only takes long.
    void c3_longRecovery() {
        const Replay r(
            story(120s)
                .actor(
                    "A",
                    field(
                        "acq(60000) enter(lock) every(48000, function() ren(60000) end) work('Job', 100000)"))
                .actor("B", field("poll(1000, 60000) enter(lock) work('Job', 1000) leave(lock) rel()"))
                .starts(500ms)
                .does("kill A@48010ms"));
        COMPARE_TEXT(r.line, "");
        const Outcome outcome = outcomeOf(r.trace, r.analysis);
        QCOMPARE(outcome.recovery.count(), Duration(59'993ms).count());
        QCOMPARE(outcome.blockedByNobody.count(), Duration(59'993ms).count());
    }

    // Redis counts in milliseconds: the key is there to the end of the one in which its lease ends.
    void c3_whoeverIsHeardWhenTheLeaseEnds() {
        const Replay r(story(5s)
                           .actor("A", field("acq(3000) enter(lock) work('Job', 10000)"))
                           .actor("B", "sleep(1)")
                           .starts(3001400us)
                           .does("kill A@1s"));
        COMPARE_TEXT(r.line, "");
        QVERIFY(r.analysis.grants[0].until == instantAt(3001ms));
        // Nor does whoever gave it up and stands still from then on.
        COMPARE_TEXT(broken(story(5s)
                                .actor("A", "redis.pcall('SET', lock, 'A', 'NX', 'PX', 3000) sleep(3000)")
                                .timeout(1s)
                                .does("lost-reply A@0")
                                .does("pause A@3001400us+1s")),
                     "");
    }

    // --- renewal

    // One renewal fails. Stopping at the first error loses the lock; trying again keeps it.
    void d1_renewalStops() {
        const auto with =
            [](const std::string& onError) {
                return story(7s)
                    .actor("A", field(R"(
                    acq(3000) enter(lock)
                    every(1000, function()
                      local ok = pcall(ren, 3000)
                      )" + onError + R"(
                    end)
                    work("Job", 5000) leave(lock) rel() cancelRest = true)"))
                    .timeout(400ms)
                    .actor("B", field("poll(500, 3000) enter(lock) work('Job', 500) leave(lock) rel()"))
                    .starts(250ms)
                    .does("lost-request A@900ms");
            };
        COMPARE_TEXT(broken(with("if not ok then return true end")),
                     "unprotected-work(A)@3.001-5.002 | belief-overlap(A,B)@3.252-3.752");
        COMPARE_TEXT(broken(with("if not ok then ren(3000) end return cancelRest")), "");
    }

    // Given up and released before the acquire was even run; its reply then starts a renewer that nobody
    // stops.
    void d4_immortalRenewal() {
        const Scenario s = story(12s)
                               .actor("A", field(R"(
                                   spawn(function()
                                     if acq(3000) then every(1000, function() ren(3000) end) end
                                   end)
                                   sleep(50)
                                   rel())"))
                               .does("delay A@0s+100ms")
                               .does("delay-reply A@60ms+200ms");
        COMPARE_TEXT(broken(s), "stuck-lock(A)@3.101-…");
        Scenario killed = s;
        killed.interventions.push_back(parseIntervention("kill A@5s").value());
        COMPARE_TEXT(broken(killed), "stuck-lock(A)@3.101-7.303"); // it ends one lease after the last renewal
    }

    // A renewal without an owner check extends whoever holds the key by then.
    void d6_blindRenewal() {
        const auto with = [](const std::string& renewal) {
            return story(6s)
                .actor("A", field("acq(2000) enter(lock) every(1000, function() return " + renewal +
                                  " ~= 1 or now() > 2000 end) work('Job', 2600) leave(lock)"))
                .actor("B", decent("2000", "1500"))
                .starts(2050ms)
                .does("delay A@900ms+1498ms");
        };
        COMPARE_TEXT(
            broken(with("redis.call('PEXPIRE', lock, 2000)")),
            "unprotected-work(A)@2.001-2.602 | belief-overlap(A,B)@2.052-2.602 | foreign-extend(A,B)@2.501");
        COMPARE_TEXT(broken(with("ren(2000)")),
                     "unprotected-work(A)@2.001-2.602 | belief-overlap(A,B)@2.052-2.602");
    }

    // Extend, or set if missing: the renewer owns the key again after somebody came and went, and nobody is
    // told.
    void d7_extendOrSet() {
        const Replay r(story(4s)
                           .actor("A", field(R"(
                               acq(1000) enter(lock)
                               spawn(function()
                                 sleep(1598)
                                 redis.call("EVAL", [[
                                   local v = redis.call("GET", KEYS[1])
                                   if v == ARGV[1] then return redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
                                   if not v then redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2]) return 1 end
                                   return 0]], 1, lock, token, 1000)
                               end)
                               work("Job", 2300) leave(lock) rel())"))
                           .actor("B", decent("1000", "348"))
                           .starts(1050ms));
        COMPARE_TEXT(r.line, "unprotected-work(A)@1.001-2.302 | belief-overlap(A,B)@1.052-1.4");
        COMPARE_TEXT(r.owners(), "A nobody B nobody A nobody");
    }

    // Validity counted from the first attempt: the handle is born expired, and a live lease is given up.
    void d10_bornExpired() {
        const Replay r(story(4s).actor("A", decent("3000", "1148")).actor("B", field(R"(
                               local start = now()
                               if not acq(1000) then poll(200, 1000) end
                               if now() > start + 1000 then return end
                               enter(lock) work("Job", 100) leave(lock) rel())")));
        COMPARE_TEXT(r.line, "");
        QCOMPARE(outcomeOf(r.trace, r.analysis).gaveUpLive, 1);
        COMPARE_TEXT(r.owners(), "A nobody B nobody");
    }

    // Cut off without a reset, the holder goes on until its connection times out. It must stop itself
    // instead.
    void d14_noticedLate() {
        const auto with = [](const std::string& watch) {
            return story(17s)
                .actor("A", field(R"(
                    local valid = now() + 1500
                    acq(1500)
                    enter(lock, {deadline = valid})
                    local job = spawn(function() work("Job", 20000) end)
                    local function stop() cancel(job) leave(lock) end
                    local renewing = every(500, function()
                      local sent = now()
                      local ok, answer = pcall(ren, 1500)
                      if not ok or answer ~= 1 then stop() return true end
                      valid = sent + 1500
                    end)
                    )" + watch))
                .timeout(14s)
                .actor("B", field("poll(500, 20000) enter(lock) work('Job', 12000) leave(lock) rel()"))
                .starts(100ms)
                .does("lost-request A@600ms");
        };
        COMPARE_TEXT(broken(with("")), "unprotected-work(A)@2.003-15.002 | belief-overlap(A,B)@2.102-14.102");
        COMPARE_TEXT(broken(with(R"(
                       while now() < valid - 100 do sleep(valid - 100 - now()) end
                       cancel(renewing) stop())")),
                     "");
    }

    // --- processes that pause

    // The renewer shares its thread with the work: it protects against crashes, not against being busy.
    void e1_busyLoop() {
        const auto with = [](const std::string& run) {
            return story(9s)
                .actor(
                    "A",
                    field(
                        "acq(3000) enter(lock) local stop = false " + run +
                        "(function() every(1500, function() if stop then return true end ren(3000) end) end) "
                        "sleep(498) compute('Job', 5000) leave(lock) stop = true rel()"))
                .actor("B", field("poll(500, 3000) enter(lock) work('Job', 1000) leave(lock) rel()"))
                .starts(250ms);
        };
        COMPARE_TEXT(broken(with("spawn")),
                     "unprotected-work(A)@3.001-5.5 | belief-overlap(A,B)@3.252-4.252");
        COMPARE_TEXT(broken(with("thread")), ""); // on a thread of its own it goes on
    }

    // A pause longer than the lease, just before a write. Only the resource can refuse it.
    void e5_fencing() {
        const auto with = [](bool enforced) {
            const std::string writer = R"(
                local fence = redis.call("EVAL", [[
                  if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then return redis.call("INCR", KEYS[2]) end
                  return 0]], 2, lock, "L:fence", token, 3000)
                enter(lock, {fence = fence})
                work("Prepare", 500)
                storage.write("report", actor, fence)
                work("Finish", 2000)
                leave(lock) rel())";
            return story(9s)
                .resource(enforced)
                .actor("A", field(writer))
                .actor("B", field(writer))
                .starts(3100ms)
                .does("pause A@400ms+5s");
        };
        // A wakes at 5.4 s with 102 ms left to its write. B has left by 5.602.
        COMPARE_TEXT(
            broken(with(false)),
            "belief-overlap(A,B)@3.102-5.602 | unprotected-work(A)@5.4-7.502 | stale-write(A,B)@5.502");
        COMPARE_TEXT(broken(with(true)), "belief-overlap(A,B)@3.102-5.602 | unprotected-work(A)@5.4-7.502");
    }

    // --- lost replies

    // Time-out means unknown. With a new token the client waits for its own ghost; keep the token and release
    // it.
    void i1_ownGhost() {
        const auto with = [](const std::string& onTimeout) {
            return story(8s)
                .actor("A", field(R"(
                    local ok = pcall(acq, 5000)
                    if not ok then )" +
                                  onTimeout + R"( end
                    sleep(198)
                    if not acq(5000) then poll(500, 5000) end
                    enter(lock) work("Job", 500) leave(lock) rel())"))
                .timeout(200ms)
                .does("delay-reply A@0s+299ms");
        };
        COMPARE_TEXT(broken(with("token = uuid()")), "stuck-lock(A)@0.399-5.001");
        COMPARE_TEXT(broken(with("rel()")), "");
    }

    // Sent long after the caller gave up: a lock that nobody wants.
    void i3_queuedAndForgotten() {
        const auto with = [](const std::string& onTimeout) {
            return story(9s)
                .actor("A", field("if not pcall(acq, 5000) then " + onTimeout + " end sleep(8000)"))
                .timeout(500ms)
                .actor("B", field("poll(1000, 3000) enter(lock) work('Job', 500) leave(lock) rel()"))
                .starts(1500ms)
                .does("delay A@0s+1999ms");
        };
        COMPARE_TEXT(broken(with("")), "stuck-lock(A)@2.501-7.0");
        COMPARE_TEXT(broken(with("sleep(1700) rel()")), ""); // followed by a release
    }

    // --- clocks

    // The server's clock jumps forward: every lease ends at once, whatever the holders' own clocks say.
    void h1_theClockOfTheServerJumps() {
        const auto holder = [](const char* key) {
            return "redis.call('SET', '" + std::string(key) + "', actor, 'NX', 'PX', 30000) enter('" + key +
                   "', {deadline = now() + 30000}) work('Job', 5000) leave('" + key + "')";
        };
        const auto comer = [](const char* key) {
            return "if redis.call('SET', '" + std::string(key) + "', actor, 'NX', 'PX', 30000) then enter('" +
                   key + "') work('Job', 500) leave('" + key + "') redis.call('DEL', '" + key + "') end";
        };
        const auto with = [&] {
            return story(8s)
                .lock("M")
                .actor("A", holder("L"))
                .actor("B", holder("M"))
                .actor("C", comer("L"))
                .starts(2s)
                .actor("D", comer("M"))
                .starts(2s);
        };
        const Replay r(with().does("server-clock-jump Redis@1s+60s"));
        COMPARE_TEXT(r.line, "unprotected-work(A)@1.0-5.002 | unprotected-work(B)@1.0-5.002 | "
                             "belief-overlap(A,C)@2.002-2.502 | belief-overlap(B,D)@2.002-2.502");
        QCOMPARE(r.analysis.grants[0].end, EndReason::LeaseEnded);
        COMPARE_TEXT(broken(with()), "");
    }

    // --- tokens

    // host:pid as a token: one thread's checked release matches the other's lock.
    void j1_tokenOfAProcess() {
        const auto with = [](const std::string& first, const std::string& second) {
            return story(4s)
                .actor("A", field("thread(function() acq(1000, " + first +
                                  ") enter(lock) work('Job', 1498) leave(lock) rel(" + first +
                                  ") end) thread(function() sleep(1050) acq(1000, " + second +
                                  ") enter(lock) work('Job', 700) leave(lock) rel(" + second + ") end)"))
                .actor("B", decent("300", "100"))
                .starts(1550ms);
        };
        COMPARE_TEXT(
            broken(with("'h:42'", "'h:42'")),
            "unprotected-work(A)@1.001-1.5 | belief-overlap(A,A)@1.052-1.5 | foreign-delete(A,A)@1.501 | "
            "unprotected-work(A)@1.501-1.752 | belief-overlap(A,B)@1.552-1.652");
        COMPARE_TEXT(broken(with("'first'", "'second'")),
                     "unprotected-work(A)@1.001-1.5 | belief-overlap(A,A)@1.052-1.5");
    }

    // --- waiting

    // The news of the release was missed, or the wait was given in the wrong unit: asleep beside a free lock.
    void k1_l1_asleepBesideAFreeLock() {
        const auto with = [](const std::string& waits) {
            return story(8s)
                .actor("A", decent("3000", "197"))
                .actor("B", field("while not acq(3000) do " + waits +
                                  " end enter(lock) work('Job', 100) leave(lock) rel()"))
                .starts(100ms);
        };
        COMPARE_TEXT(broken(with("sleep(4898)")), "starvation(B)@2.2-5.001");
        COMPARE_TEXT(broken(with("sleep(3000 * 1000)")), "starvation(B)@2.2-…");
        COMPARE_TEXT(broken(with("sleep(500)")), "");
    }

    // The same with a real channel: PUBLISH found nobody, since the subscription was not there yet.
    void k1_theNewsBeforeTheSubscription() {
        const auto with = [](const std::string& check) {
            return story(8s)
                .actor("A", field("acq(3000) enter(lock) work('Job', 197) leave(lock) rel() "
                                  "log(redis.call('PUBLISH', 'free', '1'))"))
                .actor("B", field("if not acq(5000) then sleep(398) local news = redis.subscribe('free') " +
                                  check +
                                  " then news:receive(4500) acq(5000) end end "
                                  "enter(lock) work('Job', 100) leave(lock) rel()"))
                .starts(100ms);
        };
        const Replay missed(with("if true"));
        COMPARE_TEXT(missed.line, "starvation(B)@2.2-5.003");
        COMPARE_TEXT(missed.reply("PUBLISH"), "(integer) 0");
        COMPARE_TEXT(broken(with("if not acq(5000)")), ""); // once more after subscribing
    }

    // --- taken by other means than DEL

    void stolenShortenedFlushed() {
        const auto by = [](const std::string& command) {
            return broken(story(4s).actor("A", decent("30000", "2000")).actor("B", command).starts(1s));
        };
        COMPARE_TEXT(by("redis.call('SET', lock, 'B')"),
                     "foreign-delete(B,A)@1.001 | unprotected-work(A)@1.001-2.002 | stuck-lock(B)@1.002-…");
        COMPARE_TEXT(by("redis.call('PEXPIRE', lock, 0)"),
                     "foreign-delete(B,A)@1.001 | unprotected-work(A)@1.001-2.002");
        COMPARE_TEXT(by("redis.call('GETDEL', lock)"),
                     "foreign-delete(B,A)@1.001 | unprotected-work(A)@1.001-2.002");
        COMPARE_TEXT(by("redis.call('FLUSHALL')"),
                     "foreign-delete(B,A)@1.001 | unprotected-work(A)@1.001-2.002");
        COMPARE_TEXT(by("redis.call('PEXPIRE', lock, 2000)"), "foreign-extend(B,A)@1.001");
        COMPARE_TEXT(by("redis.call('PERSIST', lock)"), "foreign-extend(B,A)@1.001");
    }

    // --- the two first lessons, from 0

    void expiryAndStaleDeletion() {
        const std::string holder = "%A enter(lock) work('Job', %W) leave(lock) %R";
        const auto program = [&](const char* acquire, const char* work, const char* release) {
            std::string p = field(holder);
            p.replace(p.find("%A"), 2, acquire);
            p.replace(p.find("%W"), 2, work);
            p.replace(p.find("%R"), 2, release);
            return p;
        };
        const ScenarioBuilder expiry = story(62s)
                                           .actor("A", program("acq(30000)", "60000", "rel()"))
                                           .actor("B", program("poll(1000, 30000)", "20000", "rel()"));
        COMPARE_TEXT(broken(expiry), "unprotected-work(A)@30.001-60.002 | belief-overlap(A,B)@31.002-51.002");
        const Replay killed(ScenarioBuilder(expiry).does("kill A@10s"));
        COMPARE_TEXT(killed.line, "");
        QCOMPARE(micros(killed.analysis.grants[1].from), 31'001'000); // B still waits

        const auto stale = [&](const char* release) {
            return broken(story(70s)
                              .actor("A", program("acq(30000)", "45000", release))
                              .actor("B", program("poll(1000, 30000)", "20000", release))
                              .actor("C", program("poll(1000, 30000)", "20000", release)));
        };
        COMPARE_TEXT(stale("redis.call('DEL', lock)"),
                     "unprotected-work(A)@30.001-45.002 | belief-overlap(A,B)@31.002-45.002 | "
                     "foreign-delete(A,B)@45.003 | "
                     "unprotected-work(B)@45.003-51.002 | belief-overlap(B,C)@46.002-51.002 | "
                     "foreign-delete(B,C)@51.003 | "
                     "unprotected-work(C)@51.003-66.002");
        COMPARE_TEXT(stale("rel()"), "unprotected-work(A)@30.001-45.002 | belief-overlap(A,B)@31.002-45.002");
    }

    // The same case twice gives the same bytes.
    void sameCaseSameBytes() {
        const Scenario s =
            story(9s)
                .actor("A", decent("3000", "5000"))
                .actor("B", field("poll(500, 3000) enter(lock) work('Job', 1000) leave(lock) rel()"))
                .starts(250ms)
                .does("pause A@1s+3s");
        const auto json = [&] {
            const Replay r(s);
            std::vector<Violation> violations;
            Judge().judge(r.trace, r.analysis, violations);
            return toJson(r.trace, r.analysis, violations, outcomeOf(r.trace, r.analysis));
        };
        QVERIFY(json() == json());
    }
};

QTEST_GUILESS_MAIN(FieldCasesTest)
#include "field_cases_test.moc"
