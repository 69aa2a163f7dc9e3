// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/random.h"
#include "core/trace/key_history.h"
#include "core/trace/wording.h"
#include "tests/trace/stories.h"

using namespace lockscope;
using namespace lockscope::test;
using nlohmann::json;

namespace {

struct Told {
    explicit Told(Trace told) : trace(std::move(told)) {
        analyse(trace, analysis);
        Judge().judge(trace, analysis, violations);
        outcome = outcomeOf(trace, analysis);
        lanes = layOut(trace, analysis);
    }
    Trace trace;
    Analysis analysis;
    std::vector<Violation> violations;
    Outcome outcome;
    Lanes lanes;
};

std::string times(Instant from, Instant until) {
    return fmt::format("{:>9}{:>9}  ", micros(from) / 1000, micros(until) / 1000);
}

/// The lanes as text, a line a span, so that a test compares all of them.
std::string transcript(const Told& told) {
    static constexpr const char* kDoes[] = {"work",   "compute", "cannot run", "waiting",
                                            "paused", "dead",    "finished"};
    std::string out;
    for (const ActorLane& lane : told.lanes.actors) {
        out += fmt::format("{}, {} does rows, {} thinks rows, {} requests\n",
                           told.trace.actors[static_cast<std::size_t>(lane.actor)].name, lane.doesRows,
                           lane.thinksRows, lane.requests.size());
        for (const DoesSpan& s : lane.does)
            out += fmt::format("{}row {} {} {}{}{}\n", times(s.from, s.until), s.row,
                               kDoes[static_cast<int>(s.kind)], told.trace.text(s.label),
                               s.begins ? "" : " (goes on)", s.finishes ? "" : " (not finished)");
        for (const HatchSpan& s : lane.hatches)
            out += fmt::format("{}row {} hatch, claim {}\n", times(s.from, s.until), s.row, s.claim);
        for (const ThinksSpan& s : lane.thinks)
            out += fmt::format("{}row {} thinks {}{}{}{}\n", times(s.from, s.until), s.row, s.claim,
                               s.frozen ? " frozen" : "", s.dormant ? " dormant" : "",
                               s.unknown ? " unknown" : "");
        for (const RefusalRun& s : lane.refusals)
            out += fmt::format("{}refused x{}\n", times(s.first, s.last), s.count);
    }
    for (const KeyLane& lane : told.lanes.keys) {
        out += fmt::format("{}\n", told.trace.text(lane.key));
        for (const OwnerSpan& s : lane.owners)
            out += fmt::format("{}owner {}{}{} {}\n", times(s.from, s.until), s.grant,
                               s.nobodyHome ? " nobody home" : "", s.lingering ? " lingering" : "",
                               nameOf(s.end));
        for (const TtlSegment& s : lane.ttl)
            out += fmt::format("{}ttl {} of grant {}\n", times(s.from, s.until),
                               s.unlimited ? "unlimited" : formatDuration(s.left), s.grant);
    }
    for (const ResourceMark& m : told.lanes.resource)
        out += fmt::format("{}{}\n", times(m.at, m.at), m.accepted ? "accepted" : "rejected");
    return out;
}

/// A run in which everything happens at random: nothing of it makes sense, and everything must still hold.
Trace randomRun(std::uint64_t seed) {
    Random random(seed);
    TraceBuilder t;
    t.lock("lock", random.below(4) == 0 ? 2 : 1).resource().effectsFirst(random.below(2) == 0);
    std::vector<TaskIndex> tasks;
    for (const char* name : {"A", "B", "C"})
        tasks.push_back(t.process(name));
    for (int i = 0; i < 3; ++i)
        tasks.push_back(t.task(tasks[random.below(tasks.size())],
                               random.below(2) ? TaskKind::Spawn : TaskKind::Thread, 0ms));
    std::vector<std::optional<Duration>> ttls{300ms, 1s, std::nullopt};
    Duration at{0};
    for (int i = 0; i < 60; ++i) {
        at += Duration{static_cast<std::int64_t>(random.below(120'000))};
        const TaskIndex who = tasks[random.below(tasks.size())];
        Trip trip{Duration{static_cast<std::int64_t>(1 + random.below(90'000))}, 1ms};
        if (random.below(6) == 0) trip.timeout = 20ms;
        trip.requestLost = random.below(20) == 0;
        trip.replyLost = random.below(20) == 0;
        switch (random.below(14)) {
        case 0:
        case 1:
        case 2:
            t.ask(who, at, ttls[random.below(3)], trip);
            break;
        case 3:
            t.enter(who, at, random.below(2) ? std::optional<Duration>(at + 200ms) : std::nullopt);
            break;
        case 4:
            t.enter(who, at);
            break;
        case 5:
        case 6:
            t.leave(who, at, random.below(4) == 0);
            break;
        case 7:
            t.release(who, at, trip);
            break;
        case 8:
            t.del(who, at, trip);
            break;
        case 9:
            t.renew(who, at, 500ms, trip);
            break;
        case 10:
            t.pexpire(who, at, Duration{static_cast<std::int64_t>(random.below(700'000))}, trip);
            break;
        case 11:
            t.set(who, at, ttls[random.below(3)], trip);
            break;
        case 12:
            t.write(who, at);
            break;
        default:
            t.pause(who, at, at + Duration{static_cast<std::int64_t>(random.below(400'000))});
            break;
        }
    }
    if (random.below(3) == 0) t.kill(tasks[random.below(3)], at / 2);
    return t.build(at + 500ms);
}

#define EXPECT_GOLDEN(text, name)                                                                            \
    do {                                                                                                     \
        const std::string difference = differsFromGolden(text, name);                                        \
        QVERIFY2(difference.empty(), difference.c_str());                                                    \
    } while (false)

} // namespace

class ViewsTest : public QObject {
    Q_OBJECT

private slots:
    void lanesOfTheFirstLesson() { EXPECT_GOLDEN(transcript(Told(expiryStory())), "expiry.lanes.txt"); }
    void lanesOfABusyRun() { EXPECT_GOLDEN(transcript(Told(mixedStory())), "mixed.lanes.txt"); }

    /// A real process needs some microseconds from leaving to sending the release.
    void nobodyIsAwayForABlink() {
        for (const auto& [pause, away] : {std::pair{Duration{40}, false}, {Duration{millis(40)}, true}}) {
            TraceBuilder t;
            const auto a = t.process("A");
            t.ask(a, 0ms, 60s);
            t.enter(a, 2ms);
            t.leave(a, 1s);
            t.release(a, 1s + pause);
            const Told told(t.build(2s));
            const auto& owners = told.lanes.keys.front().owners;
            QCOMPARE(
                std::any_of(owners.begin(), owners.end(), [](const OwnerSpan& s) { return s.nobodyHome; }),
                away);
            const auto owned = std::find_if(owners.rbegin(), owners.rend(),
                                            [](const OwnerSpan& s) { return s.grant != kNone; });
            QVERIFY(owned != owners.rend() && owned->end == EndReason::Deleted);
            QCOMPARE(owned->until - owned->from > millis(900), !away);
        }
    }

    /// The processes of a live run report theirs one after the other, whatever the order between them.
    void aWriteIsShownWithItsStatement() {
        TraceBuilder t;
        t.resource();
        const auto a = t.process("A"), b = t.process("B");
        t.write(a, 1ms);
        t.write(b, 2ms);
        t.reject(a, 3ms, 1, 2);
        t.write(b, 4ms);
        for (const char* sql : {"b1", "b2"})
            t.statement(b, sql);
        for (const char* sql : {"a1", "a2"})
            t.statement(a, sql);
        const Told told(t.build(1s));
        const std::vector<std::string> expected{"a1", "b1", "a2", "b2"};
        std::vector<std::string> inLane;
        for (const ResourceMark& mark : told.lanes.resource)
            inLane.emplace_back(told.trace.text(mark.sql));
        QCOMPARE(inLane, expected);
        std::vector<std::string> exported;
        const json run = json::parse(toJson(told.trace, told.analysis, told.violations, told.outcome));
        for (const json& event : run["events"])
            if (event.contains("sql")) exported.push_back(event["sql"]);
        QCOMPARE(exported, expected);
    }

    void textOfTheFirstLesson() {
        const Told told(expiryStory());
        EXPECT_GOLDEN(toText(told.trace, told.analysis, told.violations, told.outcome), "expiry.txt");
    }
    void textOfABusyRun() {
        const Told told(mixedStory());
        EXPECT_GOLDEN(toText(told.trace, told.analysis, told.violations, told.outcome, {80, false}),
                      "mixed.ascii.txt");
    }
    void noLineIsWiderThanAsked() {
        for (const int width : {60, 80, 100, 140}) {
            const Told told(mixedStory());
            const QString text = QString::fromStdString(
                toText(told.trace, told.analysis, told.violations, told.outcome, {width, true}));
            for (const QString& line : text.split('\n'))
                QVERIFY2(line.size() <= width, qPrintable(line));
        }
    }

    void eventsInWords() {
        std::string out;
        const Told told(mixedStory());
        for (const Event& e : told.trace.events) {
            const std::string sentence = sentenceFor(told.trace, e);
            QVERIFY(!sentence.empty());
            out += fmt::format("{:>7}  {}\n", micros(e.at) / 1000, sentence);
        }
        EXPECT_GOLDEN(out, "mixed.events.txt");
    }
    void aTranslationReplacesTheTemplate() {
        setTranslator([](const char* english) {
            return std::string(english) == "{0} made {1}× (wanted {2})" ? std::string("{1} {0} statt {2}")
                                                                        : std::string("{9}");
        });
        const std::string line = sentenceFor(Told(expiryStory()).outcome);
        setTranslator(nullptr);
        QCOMPARE(QString::fromStdString(line), "2 Report statt 1 · lock idle 0.8 s · blocked by nobody 0 s");
    }

    void outcomeCountsWhatWaitingCost() {
        TraceBuilder t;
        const auto a = t.process("A"), b = t.process("B");
        t.ask(a, 0ms, 60s);
        t.enter(a, 2ms);
        t.renew(a, 48s, 60s);
        t.kill(a, 48500ms);
        for (Duration at = 50s; at < 110s; at += 1s)
            t.ask(b, at, 60s);
        t.enter(b, 109002ms);
        const Outcome outcome = Told(t.build(120s)).outcome;
        QCOMPARE(outcome.recovery.count(),
                 Duration(59'501ms).count()); // from the kill to the end of the lease
        QCOMPARE(outcome.blockedByNobody.count(),
                 Duration(58'001ms).count());                         // of which B waited from 50 s on
        QCOMPARE(outcome.lockIdle.count(), Duration(1000ms).count()); // 108.001 to its ask at 109.001
    }
    void outcomeTellsOfALeaseGivenUp() {
        TraceBuilder t;
        const auto b = t.process("B");
        t.ask(b, 1200ms, 1s);
        t.end(b, 1203ms);
        QCOMPARE(Told(t.build(4s)).outcome.gaveUpLive, 1);
    }

    void computesKeepOthersFromRunning() {
        TraceBuilder t;
        const auto a = t.process("A");
        const auto other = t.task(a, TaskKind::Spawn, 0ms), thread = t.task(a, TaskKind::Thread, 0ms);
        t.compute(a, 1s, 4s);
        t.sleep(other, 0ms, 2s, 4s);
        t.sleep(thread, 0ms, 2s, 2s);                                   // on a loop of its own
        const auto renewer = t.task(a, TaskKind::Every, 100ms, 1500ms); // due at 1.6 s, 3.1 s, 4.6 s
        const Told told(t.build(6s));
        std::vector<std::tuple<TaskIndex, std::int64_t, std::int64_t>> starved;
        for (const DoesSpan& s : told.lanes.actors[0].does)
            if (s.kind == DoesKind::CannotRun) starved.emplace_back(s.task, micros(s.from), micros(s.until));
        QVERIFY((starved == std::vector<std::tuple<TaskIndex, std::int64_t, std::int64_t>>{
                                {renewer, 1'600'000, 4'000'000}, {other, 2'000'000, 4'000'000}}));
    }
    void onlyWorkUnderTheClaimIsHatched() {
        TraceBuilder t;
        const auto a = t.process("A");
        const auto t1 = t.task(a, TaskKind::Thread, 0ms), t2 = t.task(a, TaskKind::Thread, 0ms);
        const auto helper = t.task(t1, TaskKind::Spawn, 10ms);
        t.ask(t1, 0ms, 1s);
        t.enter(t1, 2ms);
        t.work(t2, 500ms, 3s, "Other");
        t.work(helper, 600ms, 2s, "Part");
        t.leave(t1, 1500ms);
        const Told told(t.build(4s));
        const ActorLane& lane = told.lanes.actors[0];
        QCOMPARE(lane.hatches.size(), std::size_t{1});
        QCOMPARE(micros(lane.hatches[0].from), 1'001'000);
        QCOMPARE(micros(lane.hatches[0].until), 1'500'000);
        for (const DoesSpan& s : lane.does)
            if (s.task == helper) QCOMPARE(lane.hatches[0].row, s.row);
    }

    void aKeyAsAnInspectorFindsIt() {
        const Told told(expiryStory());
        const StringId key = told.trace.lockKeys[0].name;
        const auto at = [&](Duration t) { return keyStateAt(told.trace, told.analysis, key, instantAt(t)); };
        QVERIFY(!at(100ms).exists && !at(100ms).inMemory && at(100ms).lastGrant == kNone);
        QVERIFY(at(10s).exists && at(10s).grant == 0);
        QCOMPARE(told.trace.text(at(10s).value), std::string_view("Server A"));
        QCOMPARE(micros(at(10s).deadline), 30'201'000);
        QVERIFY(!at(30'230ms).exists && at(30'230ms).inMemory &&
                at(30'230ms).grant == kNone); // dead, not yet removed
        QVERIFY(!at(30'500ms).inMemory && at(30'500ms).lastGrant == 0);
        QVERIFY(at(40s).exists && at(40s).grant == 1);
        QVERIFY(!at(52s).exists && at(52s).lastGrant == 1);
    }
    void historyTellsAnOverwriteAsEndAndGrant() {
        TraceBuilder t;
        const auto a = t.process("A"), b = t.process("B");
        t.ask(a, 0ms, 3s);
        t.renew(a, 500ms, 3s);
        t.set(b, 1s, 2s);
        t.pexpire(a, 1500ms, 5s);
        const Told told(t.build(8s));
        std::string out;
        for (const KeyMoment& m : keyHistory(told.trace, told.analysis, told.trace.lockKeys[0].name))
            out +=
                fmt::format("{} {} {} {}\n", micros(m.at) / 1000, nameOf(m.kind), nameOf(m.reason), m.actor);
        QCOMPARE(QString::fromStdString(out),
                 "1 granted none 0\n501 renewed none 0\n1001 ended overwritten 1\n"
                 "1001 granted none 1\n1501 deadline-changed none 0\n"
                 "6501 lease-ended lease-ended -1\n");
    }

    void jsonSaysWhatTheTraceSays() {
        const Told told(expiryStory());
        const std::string text = toJson(told.trace, told.analysis, told.violations, told.outcome);
        const json doc = json::parse(text);
        QCOMPARE(doc["schema"].get<int>(), kTraceSchema);
        QCOMPARE(doc["events"].size(), told.trace.events.size());
        QCOMPARE(doc["counts"]["events"].get<std::size_t>(), told.trace.events.size());
        QCOMPARE(doc["counts"]["belief-overlap"].get<int>(), 1);
        QCOMPARE(doc["counts"]["starvation"].get<int>(), 0);
        QCOMPARE(doc["counts"].size(), kInvariantCount + 1);
        const json overlap = doc["violations"][1];
        QCOMPARE(overlap["invariant"].get<std::string>(), std::string("belief-overlap"));
        QCOMPARE(overlap["at_us"].get<std::int64_t>(), 31'002'000);
        QCOMPARE(overlap["until_us"].get<std::int64_t>(), 51'002'000);
        QVERIFY(overlap["actors"] == json({"Server A", "Server B"}));
        QCOMPARE(doc["keys"]["lock:report"]["history"][1]["what"].get<std::string>(),
                 std::string("lease-ended"));
        QCOMPARE(doc["outcome"]["goals"][0]["made"].get<int>(), 2);
        QVERIFY(text == toJson(told.trace, told.analysis, told.violations, told.outcome));
    }
    void jsonIsValidWhateverAProgramWrites() {
        TraceBuilder t;
        const auto a = t.process("A\"\\\n\x01");
        t.work(a, 0ms, 1s, "\xff\xc0\x80 caf\xc3\xa9 \xed\xa0\x80 \xf0\x9f\x94\x92 \xf0\x9f");
        t.ask(a, 0ms, 1s, {}, std::string("\xfe\0token", 7));
        const Told told(t.build(2s));
        const json doc =
            json::parse(toJson(told.trace, told.analysis, told.violations, told.outcome), nullptr, false);
        QVERIFY(!doc.is_discarded());
        QCOMPARE(doc["actors"][0]["name"].get<std::string>(), std::string("A\"\\\n\x01"));
    }

    // What must hold of every run, however senseless.
    void properties() {
        Analysis reused;
        Judge judge;
        for (std::uint64_t seed = 1; seed <= 400; ++seed) {
            const Told told(randomRun(seed));
            const Instant reached = told.trace.reached;

            // An analysis and a judge that have served other runs give the same verdict.
            std::vector<Violation> again;
            analyse(told.trace, reused);
            judge.judge(told.trace, reused, again);
            QCOMPARE(again.size(), told.violations.size());
            for (std::size_t i = 0; i < again.size(); ++i)
                QVERIFY(again[i].at == told.violations[i].at && again[i].until == told.violations[i].until &&
                        again[i].invariant == told.violations[i].invariant);

            for (const Violation& v : told.violations) {
                QVERIFY(Instant{} <= v.at && v.at <= v.until && v.until <= reached);
                QVERIFY(v.actors[0] != kNone);
                QVERIFY(!sentenceFor(told.trace, told.analysis, v).empty());
            }
            for (std::size_t i = 1; i < told.violations.size(); ++i)
                QVERIFY(told.violations[i - 1].at <= told.violations[i].at);

            for (const KeyLane& lane : told.lanes.keys) { // no gaps and no overlaps
                Instant at{};
                for (const OwnerSpan& s : lane.owners) {
                    QCOMPARE(micros(s.from), micros(at));
                    QVERIFY(s.from < s.until);
                    at = s.until;
                }
                QCOMPARE(micros(at), micros(reached));
            }
            for (const ActorLane& lane : told.lanes.actors) {
                for (const DoesSpan& s : lane.does)
                    QVERIFY(s.from < s.until && s.until <= reached && s.row >= 0 && s.row < lane.doesRows);
                for (const ThinksSpan& s : lane.thinks)
                    QVERIFY(s.from < s.until && s.until <= reached && s.row >= 0 && s.row < lane.thinksRows);
            }
            QVERIFY(json::accept(toJson(told.trace, told.analysis, told.violations, told.outcome)));
        }
    }

    // A live view judges a run while it grows: what was broken for good stays broken.
    void aGrowingRunNeverTakesBackADeed() {
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const Trace whole = randomRun(seed);
            const Told finished{Trace(whole)};
            for (std::size_t cut = 1; cut < whole.events.size(); cut += 7) {
                Trace part(whole);
                part.events.resize(cut);
                part.reached = part.events.back().at;
                const Told growing(std::move(part));
                for (const Violation& v : growing.violations) {
                    if (v.invariant != Invariant::ForeignDelete && v.invariant != Invariant::ForeignExtend)
                        continue;
                    const bool kept = std::any_of(
                        finished.violations.begin(), finished.violations.end(), [&](const Violation& w) {
                            return w.invariant == v.invariant && w.at == v.at && w.actors == v.actors;
                        });
                    QVERIFY(kept);
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(ViewsTest)
#include "views_test.moc"
