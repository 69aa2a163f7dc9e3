// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Step view's axis: what must be so for every run, tried on the shipped lessons and on long made-up ones.
#include <QTest>

#include <cmath>

#include "core/base/random.h"
#include "core/lesson/judged_run.h"
#include "core/lesson/lesson.h"
#include "tests/ui/run_fixtures.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/step_time.h"

using namespace lockscope;
using namespace lockscope::ui;

namespace {

Instant at(std::int64_t us) {
    return instantAt(Duration{us});
}

/// What is promised of every map; nothing if it holds.
QString brokenPromise(const StepTime& map, Instant horizon, std::uint64_t seed) {
    const std::vector<Instant>& stops = map.bends();
    for (std::size_t i = 1; i < stops.size(); ++i) {
        if (stops[i] <= stops[i - 1]) return QStringLiteral("stop %1 does not rise").arg(i);
        if (map.toAxis(stops[i]) - map.toAxis(stops[i - 1]) < 1 - 1e-9)
            return QStringLiteral("gap %1 is too narrow").arg(i);
    }
    Random random(seed);
    const auto end = static_cast<std::uint64_t>(micros(horizon));
    for (int i = 0; i < 4000; ++i) {
        // Anywhere, also beyond the ends, and on and beside a stop.
        Instant t = at(static_cast<std::int64_t>(random.below(end + 2'000'000)) - 1'000'000);
        if (i % 2 == 0)
            t = stops[random.below(stops.size())] + Duration{static_cast<std::int64_t>(random.below(3)) - 1};
        if (map.toTime(map.toAxis(t)) != t)
            return QStringLiteral("%1 µs comes back as %2")
                .arg(micros(t))
                .arg(micros(map.toTime(map.toAxis(t))));
        if (map.toAxis(t + Duration{1}) <= map.toAxis(t))
            return QStringLiteral("does not rise at %1 µs").arg(micros(t));
    }
    return {};
}

} // namespace

class StepTimeTest : public QObject {
    Q_OBJECT
private slots:
    void everyStepOfEveryLessonGoesThereAndBack();
    void thousandsOfEventsGoThereAndBack();
    void equalInstantsAreOneStop();
    void aRunWithoutEventsIsOneGap();
    void longGapsAreWiderButCutShort();
    void whatIsVeiledIsOneGap();
    void breaksStandWhereTheScaleJumps();
    void ticksStandAtEventsAndTellTheirTime();
    void labelsStayWhereTheyAreWhileTheViewMoves();
};

void StepTimeTest::everyStepOfEveryLessonGoesThereAndBack() {
    const LessonShelf shelf = readLessonFolder(LOCKSCOPE_SOURCE_DIR "/lessons");
    QVERIFY(!shelf.lessons.empty());
    Runner runner;
    JudgedRun run;
    std::uint64_t seed = 0;
    for (const Lesson& lesson : shelf.lessons)
        for (const Step& step : lesson.steps) {
            const auto scenario = makeScenario(lesson, step);
            QVERIFY(scenario.ok());
            QVERIFY(runner.run(*scenario, run).ok());
            const StepTime map(stopsOf(run.trace, kNever), run.trace.horizon);
            const QString broken = brokenPromise(map, run.trace.horizon, ++seed);
            QVERIFY2(broken.isEmpty(), qPrintable(qPrintable(broken) + QLatin1String(" in ") +
                                                  QString::fromStdString(lesson.id + ": " + step.title)));
        }
}

void StepTimeTest::thousandsOfEventsGoThereAndBack() {
    const auto run = test::bigRun(6, 50'000);
    const std::vector<Instant> stops = stopsOf(*run->trace, kNever);
    QVERIFY(stops.size() > 5000);
    const StepTime map(stops, run->trace->horizon);
    QCOMPARE(brokenPromise(map, run->trace->horizon, 7), QString());
    // An hour with stops at random, some a microsecond apart and some a quarter of an hour.
    std::vector<Instant> wild;
    Random random(11);
    for (Instant t = at(1); t < at(3'600'000'000);) {
        wild.push_back(t);
        t += Duration{1 + static_cast<std::int64_t>(random.below(1u << random.below(30)))};
    }
    QCOMPARE(brokenPromise(StepTime(wild, at(3'600'000'000)), at(3'600'000'000), 13), QString());
}

void StepTimeTest::equalInstantsAreOneStop() {
    const StepTime map({at(0), at(5), at(5), at(5), at(9), at(1000), at(1000), at(2000)}, at(1000));
    QVERIFY(map.bends() == (std::vector<Instant>{at(0), at(5), at(9), at(1000)}));
    QCOMPARE(brokenPromise(map, at(1000), 1), QString());
}

void StepTimeTest::aRunWithoutEventsIsOneGap() {
    const StepTime map({}, at(60'000'000));
    QCOMPARE(map.bends().size(), std::size_t{2});
    QCOMPARE(brokenPromise(map, at(60'000'000), 1), QString());
}

void StepTimeTest::longGapsAreWiderButCutShort() {
    QCOMPARE(StepTime::widthOf(Duration{1}), 1.0);
    QCOMPARE(StepTime::widthOf(millis(1)), 1.0);
    QVERIFY(StepTime::widthOf(seconds(1)) > StepTime::widthOf(millis(2)));
    QVERIFY(StepTime::widthOf(seconds(30)) > StepTime::widthOf(seconds(1)));
    QVERIFY(StepTime::widthOf(seconds(3600)) < 5);
}

void StepTimeTest::whatIsVeiledIsOneGap() {
    const auto run = test::bigRun(2, 400);
    const Instant veil = run->trace->events[run->trace->events.size() / 2].at + Duration{1};
    const std::vector<Instant> stops = stopsOf(*run->trace, veil);
    QCOMPARE(stops.back(), veil);
    const StepTime map(stops, run->trace->horizon);
    QCOMPARE(map.bends().back(), run->trace->horizon);
    QCOMPARE(map.bends()[map.bends().size() - 2], veil);
}

void StepTimeTest::breaksStandWhereTheScaleJumps() {
    // Two round trips of a millisecond each way, and 20 s of work between them.
    const StepTime map({at(1'000), at(2'000), at(20'002'000), at(20'003'000)}, at(20'004'000));
    const std::vector<TimeBreak> breaks = breaksWithin(map, {0, 100}, 1);
    QCOMPARE(breaks.size(), std::size_t{1});
    QCOMPARE(breaks[0].from, at(2'000));
    QCOMPARE(breaks[0].until, at(20'002'000));
    QVERIFY(breaksWithin(map, {0, 100}, 50).empty()); // no room for a mark
    QVERIFY(breaksWithin(map, {0, 0.5}, 1).empty());  // not in sight
    QVERIFY(breaksWithin(TrueTime(), {0, 60}, 0).empty());
    QVERIFY(breaksWithin(StepTime({at(1'000), at(2'000), at(3'000)}, at(4'000)), {0, 100}, 0).empty());
}

void StepTimeTest::ticksStandAtEventsAndTellTheirTime() {
    const StepTime map({at(1'000), at(31'002'000), at(31'003'000)}, at(60'000'000));
    const std::vector<RulerTick> ticks = rulerTicks(map, {0, map.toAxis(at(60'000'000))}, 3000, 80);
    QStringList labels;
    for (const RulerTick& tick : ticks) {
        QVERIFY(std::find(map.bends().begin(), map.bends().end(), map.toTime(tick.axis)) !=
                map.bends().end());
        labels << tick.label;
    }
    QVERIFY2(labels.contains(QStringLiteral("31.002 s")), qPrintable(labels.join(QLatin1Char(','))));
    QVERIFY(labels.contains(QStringLiteral("0.0 s")));
}

void StepTimeTest::labelsStayWhereTheyAreWhileTheViewMoves() {
    const auto run = test::bigRun(4, 4000);
    const StepTime map(stopsOf(*run->trace, kNever), run->trace->horizon);
    const double size = 25;
    std::map<double, QString> before;
    for (double from = 40; from < 90; from += 1.7) {
        const std::vector<RulerTick> ticks = rulerTicks(map, {from, from + size}, 800, 80);
        double last = -1e9;
        std::map<double, QString> now;
        for (const RulerTick& tick : ticks) {
            if (tick.label.isEmpty()) continue;
            QVERIFY(tick.axis - last >= size * 80 / 800 - 1e-9); // they never touch
            last = tick.axis;
            now[tick.axis] = tick.label;
        }
        QVERIFY(!now.empty());
        for (const auto& [axis, label] : before)
            if (axis >= from) QVERIFY2(now.contains(axis), qPrintable(label));
        before = now;
    }
}

QTEST_APPLESS_MAIN(StepTimeTest)
#include "step_time_test.moc"
