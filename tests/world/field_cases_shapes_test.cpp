// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Locks of other shapes than a token: a hash that counts its holder, and a semaphore in a sorted set. As the
// field cases, each must break exactly what it breaks in production.

#include <QTest>

#include "core/trace/key_history.h"
#include "core/trace/lanes.h"
#include "core/trace/lock_shape.h"
#include "tests/world/replay.h"

using namespace lockscope;
using namespace lockscope::test;

namespace {

/// A re-entrant lock as Redisson keeps it: uuid:threadId → count; whoever is refused learns how long it still
/// holds.
std::string reentrant(const std::string& program) {
    return R"lua(
local me = uuid() .. ":1"
local function take(ms) -- nil is a yes
  return redis.call("EVAL", [[
    if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then
      redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
      redis.call('PEXPIRE', KEYS[1], ARGV[1])
      return nil
    end
    return redis.call('PTTL', KEYS[1])]], 1, lock, ms, me) == false
end
local function give(ms)
  return redis.call("EVAL", [[
    if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 then return nil end
    if redis.call('HINCRBY', KEYS[1], ARGV[2], -1) > 0 then
      redis.call('PEXPIRE', KEYS[1], ARGV[1])
      return 0
    end
    redis.call('DEL', KEYS[1])
    redis.call('PUBLISH', KEYS[2], 'free')
    return 1]], 2, lock, lock .. ":channel", ms, me)
end
)lua" + program;
}

/// A semaphore of two places: a sorted set of members with the instant at which they came, by the clock of
/// their machine; whoever asks first throws out those that came longer ago than `lease`.
std::string semaphore(const std::string& program) {
    return R"lua(
local me = actor
local function take(lease)
  return redis.call("EVAL", [[
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2] - ARGV[3])
    if redis.call('ZCARD', KEYS[1]) >= 2 then return 0 end
    redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
    return 1]], 1, lock, me, wall(), lease) == 1
end
local function poll(lease) wait(every(100, function() return take(lease) end)) end
local function give() return redis.call("ZREM", lock, me) end
)lua" + program;
}

Scenario seats(Duration horizon, const std::vector<std::pair<std::string, std::string>>& actors) {
    ScenarioBuilder s;
    s.lock("L", 2).horizon(horizon);
    Duration start{0};
    for (const auto& [name, program] : actors) {
        s.actor(name, semaphore(program)).starts(start);
        start += 100ms;
    }
    return s;
}

} // namespace

class FieldCasesShapesTest : public QObject {
    Q_OBJECT

private slots:
    // Taken twice by the same thread: one unlock leaves it locked.
    void aReentrantLockIsCounted() {
        const Replay r(
            story(4s)
                .actor("A", reentrant("take(2000) enter(lock) work('Outer', 300) take(2000) "
                                      "work('Inner', 300) give(2000) work('Outer', 300) leave(lock) "
                                      "give(2000)"))
                .actor("B", reentrant("if take(2000) then log('in') end"))
                .starts(700ms)
                .actor("C", reentrant("if take(2000) then enter(lock) work('Job', 100) leave(lock) "
                                      "give(2000) end"))
                .starts(1s));
        COMPARE_TEXT(r.line, "");
        COMPARE_TEXT(r.owners(), "A nobody C nobody");
        COMPARE_TEXT(r.reply("EVAL", 3), "(integer) 0"); // the inner unlock
        COMPARE_TEXT(r.reply("EVAL", 5), "(integer) 1"); // the outer one
        const KeyState inside = keyStateAt(r.trace, r.analysis, r.trace.strings.find("L"), instantAt(500ms));
        const LockView view = lockView(r.trace.text(inside.type), r.trace.text(inside.value));
        QVERIFY(view.shape == LockShape::Counted);
        QCOMPARE(view.holders.at(0).value, std::string("2"));
        QVERIFY(QString::fromStdString(view.holders.at(0).name).endsWith(":1"));
    }

    // Its lease runs out under the work; the unlock finds nothing of its own and harms nobody.
    void aReentrantLockIsALeaseToo() {
        const Replay r(
            story(6s)
                .actor("A", reentrant("take(2000) enter(lock) work('Job', 3000) leave(lock) give(2000)"))
                .actor("B", reentrant("wait(every(250, function() return take(2000) end)) enter(lock) "
                                      "work('Job', 1000) leave(lock) give(2000)"))
                .starts(100ms));
        COMPARE_TEXT(r.line, "unprotected-work(A)@2.001-3.002 | belief-overlap(A,B)@2.102-3.002");
        COMPARE_TEXT(r.owners(), "A nobody B nobody");
    }

    // A DEL by somebody else, on a hash: the lock of its holder is gone.
    void aReentrantLockCanBeDeleted() {
        COMPARE_TEXT(broken(story(4s)
                                .actor("A", reentrant("take(3000) enter(lock) work('Job', 1000) leave(lock) "
                                                      "give(3000)"))
                                .actor("Script", "redis.call('DEL', lock)")
                                .starts(500ms)),
                     "foreign-delete(Script,A)@0.501 | unprotected-work(A)@0.501-1.002");
    }

    void twoSeatsHaveTwoOwners() {
        const std::string decent = "poll(3000) enter(lock) work('Job', 500) leave(lock) give()";
        const Replay r(seats(4s, {{"A", decent}, {"B", decent}, {"C", decent}, {"D", decent}}));
        COMPARE_TEXT(r.line, "");
        QCOMPARE(r.analysis.grants.size(), std::size_t{4});
        // The third comes in when the first goes, while the second is there.
        const Grant& second = r.analysis.grants[1];
        const Grant& third = r.analysis.grants[2];
        QVERIFY(third.from < second.until);
        QVERIFY(r.analysis.grants[0].end == EndReason::Deleted && !r.analysis.grants[0].endedByOther);
        const StringId key = r.trace.strings.find("L");
        const KeyState state = keyStateAt(r.trace, r.analysis, key, third.from);
        const LockView view = lockView(r.trace.text(state.type), r.trace.text(state.value));
        QVERIFY(view.shape == LockShape::Semaphore);
        QCOMPARE(view.holders.size(), std::size_t{2});
        // The lane of the key shows one of them, and how many more there are.
        std::string lane;
        const Lanes lanes = layOut(r.trace, r.analysis);
        for (const OwnerSpan& span : lanes.keys.at(0).owners) {
            const auto grant = static_cast<std::size_t>(span.grant);
            if (!lane.empty()) lane += ' ';
            lane += span.grant == kNone
                        ? "nobody"
                        : r.trace.actors[static_cast<std::size_t>(r.analysis.grants[grant].actor)].name;
            if (span.others > 0) lane += "+" + std::to_string(span.others);
        }
        COMPARE_TEXT(lane, "nobody A A+1 B B+1 D D+1 C nobody");
    }

    // Who stays longer than the lease is thrown out by the next who asks, and three are inside.
    void aSeatIsALeaseToo() {
        const std::string decent = "poll(1000) enter(lock) work('Job', 600) leave(lock) give()";
        const Replay r(seats(4s, {{"A", "poll(1000) enter(lock) work('Job', 2000) leave(lock) give()"},
                                  {"B", "poll(1000) enter(lock) work('Job', 2500) leave(lock) give()"},
                                  {"C", decent}}));
        COMPARE_TEXT(r.line, "unprotected-work(A)@1.101-2.102 | belief-overlap(A,C)@1.102-1.702 | "
                             "belief-overlap(B,C)@1.102-1.702");
        COMPARE_TEXT(r.reply("ZREM", 2), "(integer) 0"); // that of A: its place is another's by now
        QVERIFY(r.analysis.grants[0].end == EndReason::LeaseEnded);
    }

    // The clock of one machine is ahead: by it everybody's time is over.
    void aSeatByTheWrongClock() {
        ScenarioBuilder s;
        s.lock("L", 2).horizon(4s);
        const std::string decent = "poll(1000) enter(lock) work('Job', 700) leave(lock) give()";
        s.actor("A", semaphore(decent)).actor("B", semaphore(decent)).starts(50ms);
        s.actor("C", semaphore(decent)).starts(200ms).clockOff(5s);
        COMPARE_TEXT(broken(s), "unprotected-work(A)@0.301-0.802 | unprotected-work(B)@0.301-0.852 | "
                                "belief-overlap(A,C)@0.302-0.802 | belief-overlap(B,C)@0.302-0.802");
    }

    void tokensAreKnownByTheirLook() {
        using Form = TokenForm;
        const std::vector<std::pair<std::string, Form>> kTokens = {
            {"3f2504e0-4f89-11d3-9a0c-0305e82c3301", Form::Uuid},
            {"9f86d081884c7d659a2feaa0c55ad015", Form::Hex},
            {"Zk3PqA0n5n8mQJ9bq0a1Wg==", Form::Base64},
            {"app-3:4711", Form::Process},
            {"1700000000", Form::Number},
            {"report-service", Form::Free}};
        for (const auto& [token, form] : kTokens)
            QVERIFY2(tokenFormOf(token) == form, token.c_str());
    }

    void shapesAreKnownByTheirLook() {
        using Shape = LockShape;
        const std::vector<std::tuple<std::string, std::string, Shape>> kValues = {
            {"string", "A", Shape::Token},
            {"hash", "{3f2504e0-4f89-11d3-9a0c-0305e82c3301:42: 2}", Shape::Counted},
            {"hash", "{mode: write, 3f2504e0-4f89-11d3-9a0c-0305e82c3301:42:write: 1}", Shape::ReadWrite},
            {"hash", "{b4a577edbccf1d805744efa9: 1700000000.5}", Shape::Dated},
            {"hash", "{host: app-3}", Shape::Other},
            {"zset", "{A: 1700000000.5, B: 1700000001}", Shape::Semaphore},
            {"zset", "{token: 1700000000, __write__: 1700000000}", Shape::Symfony},
            {"set", "{A, B}", Shape::Members},
            {"list", "[A, B]", Shape::Queue}};
        for (const auto& [type, value, shape] : kValues)
            QVERIFY2(lockView(type, value).shape == shape, value.c_str());
        QVERIFY(lockView("hash", "{mode: write, a: 1}").writing);
        QVERIFY(lockView("zset", "{A: 1, B: 2, …}").cut);
    }
};

QTEST_GUILESS_MAIN(FieldCasesShapesTest)
#include "field_cases_shapes_test.moc"
