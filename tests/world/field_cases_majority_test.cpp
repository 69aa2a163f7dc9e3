// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Cases from the field in which a lock belongs to whoever has it on most of several servers.

#include <QTest>

#include "core/trace/exports.h"
#include "core/trace/key_history.h"
#include "tests/world/field_programs.h"
#include "tests/world/replay.h"

using namespace lockscope;
using namespace lockscope::test;

namespace {

// As Redlock has it, over as many nodes as there are. `side by side`, or one after the other.
std::string voting(const std::string& program) {
    return R"lua(
local N = 5
local token
local function onAll(f)
  local asked = {}
  for n = 1, N do asked[n] = spawn(function() f(redis.node(n)) end) end
  for n = 1, N do wait(asked[n]) end
end
local function oneByOne(f) for n = 1, N do f(redis.node(n)) end end
local function vote(ms, each)
  token = uuid()
  local votes = 0
  local sent = now();
  (each or onAll)(function(node)
    local r = node.pcall("SET", lock, token, "NX", "PX", ms)
    if r and not r.err then votes = votes + 1 end
  end)
  return votes >= 3 and now() < sent + ms - ms / 100 - 2
end
local function give(each)
  (each or onAll)(function(node)
    node.pcall("EVAL", [[if redis.call("GET", KEYS[1]) == ARGV[1] then
      return redis.call("DEL", KEYS[1]) end return 0]], 1, lock, token)
  end)
end
local function renewAll(ms)
  onAll(function(node)
    node.pcall("EVAL", [[if redis.call("GET", KEYS[1]) == ARGV[1] then
      return redis.call("PEXPIRE", KEYS[1], ARGV[2]) end return 0]], 1, lock, token, ms)
  end)
end
local function poll(ms)
  while not vote(ms) do give() sleep(200) end
end
)lua" + program;
}

const std::string kHolder = voting("poll(3000) enter(lock) work('Job', 2000) leave(lock) give()");
const std::string kBrief = voting("poll(3000) enter(lock) work('Job', 500) leave(lock) give()");

ScenarioBuilder five(Duration horizon) {
    ScenarioBuilder s = story(horizon);
    s.nodes(5);
    s.scenario().server.majority = true;
    return s;
}

/// Whom most nodes called the owner, in turn.
std::string ownersByMajority(const Replay& replay) {
    std::string out;
    Instant free{};
    for (const Grant& g : replay.analysis.grants) {
        if (!replay.analysis.decides(g)) continue;
        if (!out.empty() && g.from > free) out += "nobody ";
        out += replay.trace.actors[static_cast<std::size_t>(g.actor)].name + " ";
        free = g.until;
    }
    return out + (free < replay.trace.reached ? "nobody" : "");
}

int votesAt(const Replay& replay, Instant t) {
    return static_cast<int>(std::ranges::count_if(replay.analysis.grants, [&](const Grant& g) {
        return !replay.analysis.decides(g) && g.from <= t && t < g.until;
    }));
}

} // namespace

class FieldCasesMajorityTest : public QObject {
    Q_OBJECT

private slots:
    // One holds, the other is refused until it has given everything back.
    void oneAfterTheOther() {
        const Replay r(five(8s).actor("A", kHolder).actor("B", kBrief).starts(500ms));
        COMPARE_TEXT(r.line, "");
        COMPARE_TEXT(ownersByMajority(r), "A nobody B nobody");
        QCOMPARE(votesAt(r, instantAt(1s)), 5);
        // Eight attempts, each refused by five nodes, are eight refusals.
        QCOMPARE(r.analysis.waits.size(), std::size_t{1});
        QCOMPARE(r.analysis.waits.front().refused, 8);
        QCOMPARE(r.analysis.waits.front().actor, ActorIndex{1});
        const KeyState state = keyStateAt(r.trace, r.analysis, r.trace.lockKeys[0].name, instantAt(1s));
        QVERIFY(state.exists && state.grant != kNone);
    }

    void askedOneByOne() {
        const std::string slow = voting("while not vote(3000, oneByOne) do give(oneByOne) sleep(200) end "
                                        "enter(lock) work('Job', 2000) leave(lock) give(oneByOne)");
        const Replay r(five(9s).actor("A", slow).actor("B", slow).starts(500ms));
        COMPARE_TEXT(r.line, "");
        COMPARE_TEXT(ownersByMajority(r), "A nobody B nobody");
        // Granted by the third of them, not by the first or the last.
        QCOMPARE(micros(r.analysis.ownerAt(r.trace.lockKeys[0].name, instantAt(1s)) == kNone
                            ? Instant{}
                            : r.analysis
                                  .grants[static_cast<std::size_t>(
                                      r.analysis.ownerAt(r.trace.lockKeys[0].name, instantAt(1s)))]
                                  .from),
                 5000);
    }

    // A minority is away: nothing happens. Most are: nobody gets it, and nobody can say whose it is.
    void aMinorityMayBeAway() {
        const ScenarioBuilder two =
            five(8s).actor("A", kHolder).does("server-kill Redis 4@0s").does("server-kill Redis 5@0s");
        COMPARE_TEXT(ownersByMajority(Replay(two)), "A nobody");
        COMPARE_TEXT(broken(two), "");
        const Replay three(ScenarioBuilder(two).does("server-kill Redis 3@0s"));
        COMPARE_TEXT(three.line, "");
        COMPARE_TEXT(ownersByMajority(three), "nobody");
        QCOMPARE(three.analysis.outages.back().node, kMajority);
        QVERIFY(three.analysis.waits.empty()); // nobody has refused, as with one server that is down
    }

    // A node has lost its vote; two more are needed to lose the lock.
    void aNodeThatForgets() {
        const auto with = [](int forgetful) {
            ScenarioBuilder s = five(9s).actor("A", kHolder).actor("B", kBrief).starts(1500ms);
            for (int node = 5; node > 5 - forgetful; --node) {
                s.does("server-kill " + serverName(node - 1) + "@1s");
                s.does("server-restart " + serverName(node - 1) + "@1200ms");
            }
            return s;
        };
        COMPARE_TEXT(broken(with(2)), "");
        const Replay r(with(3));
        COMPARE_TEXT(r.line, "unprotected-work(A)@1.2-2.002 | belief-overlap(A,B)@1.502-2.002");
        for (const Grant& g : r.analysis.grants)
            if (r.analysis.decides(g) && g.actor == 0) QVERIFY(g.end == EndReason::LostAtRestart);
    }

    // With three votes of five each clock counts.
    void aClockThatJumps() {
        const auto with = [](const char* away) {
            return five(9s)
                .actor("A", kHolder)
                .actor("B", kBrief)
                .starts(1500ms)
                .does(std::string("server-kill Redis 4@") + away)
                .does(std::string("server-kill Redis 5@") + away)
                .does(std::string("server-restart Redis 4@500ms"))
                .does(std::string("server-restart Redis 5@500ms"))
                .does("server-clock-jump Redis 3@1s+20s");
        };
        COMPARE_TEXT(broken(with("0s")), "unprotected-work(A)@1.0-2.002 | belief-overlap(A,B)@1.502-2.002");
        COMPARE_TEXT(broken(five(9s)
                                .actor("A", kHolder)
                                .actor("B", kBrief)
                                .starts(1500ms)
                                .does("server-clock-jump Redis 3@1s+20s")),
                     "");
    }

    // The pause after the check. Five servers know nothing of it.
    void aPauseAfterTheCheck() {
        COMPARE_TEXT(
            broken(five(12s).actor("A", kHolder).actor("B", kBrief).starts(500ms).does("pause A@1s+4s")),
            "belief-overlap(A,B)@3.154-3.654 | unprotected-work(A)@5.0-6.002");
    }

    // Whoever dies blocks the others for the rest of the lease, as with one server.
    void aDeadHolder() {
        const Replay r(five(8s).actor("A", kHolder).actor("B", kBrief).starts(500ms).does("kill A@1s"));
        COMPARE_TEXT(r.line, "");
        QCOMPARE(outcomeOf(r.trace, r.analysis).recovery.count(), Duration(2001ms).count());
    }

    // A deletion on one node takes one vote; what takes the third takes the lock.
    void deletedOnSomeNodes() {
        const auto with = [](int nodes) {
            return five(5s)
                .actor("A", kHolder)
                .actor("Script",
                       "for n = 1, " + std::to_string(nodes) + " do redis.node(n).call('DEL', lock) end")
                .starts(1s);
        };
        COMPARE_TEXT(broken(with(2)), "");
        COMPARE_TEXT(broken(with(3)), "foreign-delete(Script,A)@1.005 | unprotected-work(A)@1.005-2.002");
    }

    // Its answers are lost. It has a majority and does not know it; if it does not give back, nobody can.
    void answersLost() {
        const auto with = [](const std::string& onFailure) {
            return five(9s)
                .actor("A", voting("if not vote(3000) then " + onFailure + " end sleep(8000)"))
                .timeout(50ms)
                .actor("B", kBrief)
                .starts(500ms)
                .does("partition A@1500us+30ms");
        };
        COMPARE_TEXT(broken(with("")), "stuck-lock(A)@0.501-3.001");
        COMPARE_TEXT(broken(with("give()")), "");
    }

    // Renewed on all nodes, and by nobody else.
    void renewed() {
        const std::string renewing =
            voting("poll(1000) enter(lock) local r = every(300, function() renewAll(1000) end) "
                   "work('Job', 3000) cancel(r) leave(lock) give()");
        const Replay r(five(8s).actor("A", renewing).actor("B", kBrief).starts(500ms));
        COMPARE_TEXT(r.line, "");
        COMPARE_TEXT(ownersByMajority(r), "A nobody B nobody");
    }

    // What is said of it elsewhere: a history, lanes, an export.
    void toldAsOneLock() {
        const Replay r(five(8s).actor("A", kHolder).actor("B", kBrief).starts(500ms));
        std::string history;
        for (const KeyMoment& m : keyHistory(r.trace, r.analysis, r.trace.lockKeys[0].name))
            history += std::string(nameOf(m.kind)) + " ";
        COMPARE_TEXT(history, "granted ended granted ended ");
        const Lanes lanes = layOut(r.trace, r.analysis);
        QCOMPARE(lanes.keys.size(), std::size_t{6});
        QCOMPARE(lanes.keys.front().node, kMajority);
        std::vector<Violation> violations;
        Judge().judge(r.trace, r.analysis, violations);
        const std::string json = toJson(r.trace, r.analysis, violations, outcomeOf(r.trace, r.analysis));
        QVERIFY(json.find("\"majority_of\":5") != std::string::npos);
        QVERIFY(json.find("\"whole\":") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(FieldCasesMajorityTest)
#include "field_cases_majority_test.moc"
