// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/lesson/expectation.h"
#include "core/lesson/judged_run.h"
#include "core/lesson/lesson.h"

using namespace lockscope;

namespace {

/// Two servers and a lease that ends too soon: Server A works from 0.2 s to 8.2 s on a lease of 5 s, Server B
/// gets the lock at 6 s and works for 2 s. Server A's DEL at 8.2 s finds no key.
constexpr const char* kStory = R"(---
id: story
title: Too late
goal: For a test.
knobs:
  - {name: length, default: 8s, range: 1s..10s}
keys: [lock:job]
actors:
  - {name: A, program: a, start: 200ms}
  - {name: B, program: b}
goals:
  - {label: Job, work: Job, wanted: 1}
horizon: 12s
---

```lua a
redis.call("SET", lock, "a", "NX", "PX", 5000)
enter(lock)
work("Job", length)
leave(lock)
redis.call("DEL", lock)
```

```lua b
wait(every(1000, function() return redis.call("SET", lock, "b", "NX", "PX", 5000) end))
enter(lock)
work("Job", 2000)
leave(lock)
redis.call("DEL", lock)
if length == 9000 then error("nine") end
```

## Step

```step
%1
```
)";

std::vector<CheckFinding> findings(const QString& step) {
    const std::string text = QString::fromUtf8(kStory).arg(step).toStdString();
    const Result<Lesson> lesson = parseLesson(text, "story.md");
    if (!lesson) qFatal("%s", lesson.error().text().c_str());
    return checkLesson(*lesson);
}

} // namespace

/// Each form of expectation holds when it should, and says what is there instead when it does not.
class ExpectationTrials : public QObject {
    Q_OBJECT
private slots:
    void whatHolds_data();
    void whatHolds();
    void whatDoesNotHold_data();
    void whatDoesNotHold();
    void whatCameOfALoad();
    void anErrorThatNobodyExpected();
    void untilFindsItsInstant();
    void knobsReachTheScenario();
    void aLiveRunMayBlink_data();
    void aLiveRunMayBlink();
    void aLiveServerMayRemoveADeadKeyAtOnce();
};

void ExpectationTrials::whatHolds_data() {
    QTest::addColumn<QString>("expectation");
    for (const char* line :
         {"violations: [unprotected-work A @ 5.2s, belief-overlap A + B @ 6s]",
          "violations: [belief-overlap B + A, unprotected-work A on lock:job @ 5.2s ± 2ms]",
          "never: [foreign-delete, stale-write]",
          "count: belief-overlap = 1",
          "count: belief-overlap >= 1",
          "count: foreign-delete <= 0",
          "made: Job = 2",
          "refused: B = 5",
          "owner @ 3s: A",
          "owner @ 5.5s: nobody",
          "owner of lock:job @ 7s: B",
          "claims @ 7s: B + A",
          "claims @ 9s: nobody",
          "works @ 7s: A + B",
          "works @ 11s: nobody",
          "ttl @ 1.201s: 4s",
          "ttl @ 1.201s: 4s ± 1ms",
          "key @ 3s: exists",
          "key @ 5.95s: gone",
          "A executes DEL → 0 @ 8.2s",
          "A executes DEL lock:job -> 0",
          "B executes SET → OK @ 6s ± 5ms",
          "B executes SET → nil @ 1s",
          "A never executes EXPIRE",
          "A never executes DEL → 1"})
        QTest::newRow(line) << QString::fromUtf8(line);
}

void ExpectationTrials::whatHolds() {
    QFETCH(QString, expectation);
    for (const CheckFinding& finding : findings("expect:\n  - " + expectation))
        QVERIFY2(finding.holds, (finding.expectation + ": " + finding.instead).c_str());
}

void ExpectationTrials::whatDoesNotHold_data() {
    QTest::addColumn<QString>("expectation");
    QTest::addColumn<QString>("instead");
    const auto row = [](const char* expectation, const char* instead) {
        QTest::newRow(expectation) << QString::fromUtf8(expectation) << QString::fromUtf8(instead);
    };
    row("violations: none", "[unprotected-work A @ 5.201s, belief-overlap A + B @ 6.002s]");
    row("violations: [unprotected-work A @ 5.2s]",
        "[unprotected-work A @ 5.201s, belief-overlap A + B @ 6.002s]");
    row("violations: [unprotected-work A @ 5.3s, belief-overlap A + B]",
        "[unprotected-work A @ 5.201s, belief-overlap A + B @ 6.002s]");
    row("never: belief-overlap", "[belief-overlap A + B @ 6.002s]");
    row("count: belief-overlap = 2", "belief-overlap = 1");
    row("made: Job = 1", "Job = 2");
    row("refused: B >= 6", "B = 5");
    row("owner @ 7s: A", "B");
    row("claims @ 7s: B", "A + B");
    row("works @ 7s: nobody", "A + B");
    row("ttl @ 1.201s: 5s", "4s");
    row("ttl @ 1.201s: none", "4s");
    row("ttl @ 5.5s: 1s", "no key");
    row("key @ 3s: gone", "exists");
    row("A executes DEL → 1", "DEL → (integer) 0 @ 8.203s");
    row("A executes EXPIRE", "nothing of the kind");
    row("A never executes DEL", "DEL → (integer) 0 @ 8.203s");
}

void ExpectationTrials::whatDoesNotHold() {
    QFETCH(QString, expectation);
    QFETCH(QString, instead);
    const std::vector<CheckFinding> found = findings("expect:\n  - " + expectation);
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY(!found[0].holds);
    QCOMPARE(QString::fromStdString(found[0].instead), instead);
    QCOMPARE(found[0].file, "story.md");
    QCOMPARE(found[0].line, 37);
    QCOMPARE(found[0].step, "Step");
}

void ExpectationTrials::whatCameOfALoad() {
    const QString step = QStringLiteral("faults:\n"
                                        "  - load Redis@10s 100 x 10\n"
                                        "  - admin Redis@10500ms CONFIG SET maxmemory 1\n"
                                        "  - load Redis@11s 50 x 10\n"
                                        "expect:\n");
    for (const char* right :
         {"load @ 10s: 100 answered", "load @ 10s: 0 refused", "load @ 10s: 0 first refused",
          "load @ 11s: 0 answered", "load @ 11s: 50 refused", "load @ 11s: 1 first refused",
          "load @ 11s: 0 evicted"})
        for (const CheckFinding& finding : findings(step + "  - " + right))
            QVERIFY2(finding.holds, (finding.expectation + ": " + finding.instead).c_str());
    for (const auto& [wrong, instead] :
         std::initializer_list<std::pair<const char*, const char*>>{{"load @ 10s: 99 answered", "100"},
                                                                    {"load @ 11s: 49 refused", "50"},
                                                                    {"load @ 9s: 100 answered", "no load"}}) {
        const std::vector<CheckFinding> found = findings(step + "  - " + wrong);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].instead, std::string(instead));
    }
}

void ExpectationTrials::anErrorThatNobodyExpected() {
    const std::vector<CheckFinding> unexpected = findings("knobs: {length: 9s}");
    QCOMPARE(unexpected.size(), std::size_t{1});
    QVERIFY(!unexpected[0].holds);
    QCOMPARE(unexpected[0].expectation, "B without an error");
    QVERIFY2(unexpected[0].instead.find("nine") != std::string::npos, unexpected[0].instead.c_str());

    for (const CheckFinding& finding : findings("knobs: {length: 9s}\nexpect: [B fails @ 8s]"))
        QVERIFY2(finding.holds, finding.instead.c_str());
}

void ExpectationTrials::untilFindsItsInstant() {
    const auto until = [](const char* event) {
        const std::string text = QString::fromUtf8(kStory).arg(QString("until: ") + event).toStdString();
        const Result<Lesson> lesson = parseLesson(text, "story.md");
        return lesson ? lesson->steps[0].runUntil : kNever;
    };
    QCOMPARE(until("belief-overlap"), instantAt(millis(6002)));
    QCOMPARE(until("first grant of B"), instantAt(millis(6001)));
    QCOMPARE(until("lease end of A"), instantAt(millis(5201)));
    QCOMPARE(until("end"), instantAt(seconds(12)));
}

void ExpectationTrials::knobsReachTheScenario() {
    std::string text = QString::fromUtf8(kStory).arg("notes: none").toStdString();
    text.replace(text.find("horizon: 12s"), 12, "horizon: $length\nnetwork: {latency: $length}");
    const Result<Lesson> lesson = parseLesson(text, "story.md");
    QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
    const Result<Scenario> scenario = makeScenario(*lesson, {{"length", seconds(3)}}, {}, 1);
    QVERIFY(scenario.ok());
    QCOMPARE(scenario->horizon, instantAt(seconds(3)));
    QCOMPARE(scenario->actors[1].replyLatency, seconds(3));

    QCOMPARE(makeScenario(*lesson, {{"width", seconds(3)}}, {}, 1).error().message,
             "lesson story has no knob 'width'; allowed: length");
    QCOMPARE(makeScenario(*lesson, {{"length", 3.0}}, {}, 1).error().message,
             "knob length: '3' is of another kind; allowed: 1s to 10s");
}

/// A real process works on for a moment before it can look at its clock; a simulated one does not have to.
void ExpectationTrials::aLiveRunMayBlink_data() {
    QTest::addColumn<QString>("length");
    QTest::addColumn<bool>("holdsLive");
    QTest::newRow("6 ms too long") << "5005ms" << true;
    QTest::newRow("16 ms too long") << "5015ms" << false;
}

void ExpectationTrials::aLiveRunMayBlink() {
    QFETCH(QString, length);
    QFETCH(bool, holdsLive);
    const QString step = "knobs: {length: " + length +
                         "}\nexpect:\n  - violations: none\n  - never: [unprotected-work]\n"
                         "  - count: unprotected-work = 0";
    const Result<Lesson> lesson = parseLesson(QString::fromUtf8(kStory).arg(step).toStdString(), "story.md");
    QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
    const Result<Scenario> scenario = makeScenario(*lesson, lesson->steps[0]);
    QVERIFY(scenario.ok());
    JudgedRun run;
    QVERIFY(Runner().run(*scenario, run).ok());
    for (const CheckFinding& finding : checkLesson(*lesson))
        QVERIFY2(!finding.holds, finding.expectation.c_str());
    for (const CheckFinding& finding : checkLiveRun(*lesson, lesson->steps[0], run))
        QVERIFY2(finding.holds == holdsLive, (finding.expectation + ": " + finding.instead).c_str());
}

/// How long a dead key stays in the memory of a real server is up to chance, and to where its cycle is.
void ExpectationTrials::aLiveServerMayRemoveADeadKeyAtOnce() {
    const QString step = "expect:\n  - key @ 5.95s: in memory\n";
    const Result<Lesson> lesson = parseLesson(QString::fromUtf8(kStory).arg(step).toStdString(), "story.md");
    QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
    JudgedRun run;
    QVERIFY(Runner().run(*makeScenario(*lesson, lesson->steps[0]), run).ok());
    QVERIFY(!checkLesson(*lesson)[0].holds);
    QVERIFY(checkLiveRun(*lesson, lesson->steps[0], run)[0].holds);
}

QTEST_GUILESS_MAIN(ExpectationTrials)
#include "expectation_test.moc"
