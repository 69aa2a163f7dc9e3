// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The pure parts of the timeline: scales, ticks, tracks and folding.
#include <QTest>

#include <cmath>

#include "core/base/random.h"
#include "ui/timeline/legend_sample.h"
#include "ui/timeline/name_text.h"
#include "ui/timeline/paint/free_room.h"
#include "ui/timeline/prepared_run.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/time_text.h"
#include "ui/timeline/track.h"

using namespace lockscope;
using namespace lockscope::ui;

namespace {

Instant at(std::int64_t us) {
    return instantAt(Duration{us});
}

} // namespace

class TimelinePartsTest : public QObject {
    Q_OBJECT

private slots:
    void trueTimeGoesThereAndBackToTheMicrosecond();
    void theLegendShowsWhatItNames();
    void aCountStandsBesideWhatIsSaidAlready();
    void zoomKeepsTheAnchorInPlace();
    void aViewIsKeptWithinTheRun();
    void ticksStandOnlyWhereOneLooks();
    void ticksAreLabelledWithTheDecimalsTheyNeed();
    void lengthsAreSaidAsPeopleSayThem();
    void longNamesCanBeToldApart();
    void theWorstOfAnyStretchIsFound();
    void foldingKeepsEverySpanExactlyOnce();
    void foldingMakesNoMoreMarksThanPixels();
    void aWideSpanIsNeverFoldedAway();
    void pointsFoldButAreAllCounted();
};

/// Each on its own lane, and what stands beside one another apart.
void TimelinePartsTest::theLegendShowsWhatItNames() {
    const LegendSample sample = makeLegendSample();
    const PreparedRun data(sample.run);
    int violations = 0;
    for (const LegendEntry& entry : sample.entries) {
        if (entry.family != LegendEntry::Family::Violation) continue;
        QCOMPARE(data.actors()[static_cast<std::size_t>(entry.lane)].violations.size(), std::size_t{1});
        ++violations;
    }
    QCOMPARE(violations, 1);
    const auto& faults = sample.run->trace->interventions;
    QVERIFY(faults.size() > 2);
    for (std::size_t i = 1; i < faults.size(); ++i)
        QVERIFY(faults[i].at - faults[i - 1].at >= Duration{seconds(2)});
    QVERIFY(faults.back().at + Duration{seconds(1)} < sample.run->trace->horizon);
}

void TimelinePartsTest::aCountStandsBesideWhatIsSaidAlready() {
    using Room = std::pair<double, double>;
    const std::vector<QRectF> pauses{{30, 0, 20, 10}, {60, 0, 5, 10}, {0, 50, 100, 10}};
    QCOMPARE(widestFree(0, 100, 5, {}), Room(0, 100));
    QCOMPARE(widestFree(0, 100, 5, pauses), Room(65, 100));
    QCOMPARE(widestFree(0, 80, 5, pauses), Room(0, 30));
    QCOMPARE(widestFree(0, 100, 30, pauses), Room(0, 100)); // they stand on another row
    QCOMPARE(widestFree(35, 45, 5, pauses).second, 35.0);   // no room at all
}

void TimelinePartsTest::trueTimeGoesThereAndBackToTheMicrosecond() {
    const TrueTime map;
    Random random(3);
    for (int i = 0; i < 10000; ++i) {
        const Instant t = at(static_cast<std::int64_t>(random.below(3'600'000'000)));
        QCOMPARE(micros(map.toTime(map.toAxis(t))), micros(t));
    }
    // An instant that never comes lies outside of every picture, not at a wild coordinate.
    const TimeScale scale(map, {0, 60}, 0, 600);
    QVERIFY(scale.x(kNever) > 600);
    QVERIFY(scale.x(kNever) < 100000);
}

void TimelinePartsTest::zoomKeepsTheAnchorInPlace() {
    const AxisRange before{0, 60};
    const double anchor = 17;
    const AxisRange after = zoomedAt(before, anchor, 0.25);
    QCOMPARE(after.size(), 15.0);
    QCOMPARE((anchor - after.from) / after.size(), (anchor - before.from) / before.size());
}

void TimelinePartsTest::aViewIsKeptWithinTheRun() {
    const AxisRange limits{-1, 61};
    QVERIFY(keptWithin({50, 70}, limits, 0.001) == (AxisRange{41, 61}));
    QVERIFY(keptWithin({-20, 0}, limits, 0.001) == (AxisRange{-1, 19}));
    QVERIFY(keptWithin({-500, 500}, limits, 0.001) == limits);
    QVERIFY(std::abs(keptWithin({30, 30.0000001}, limits, 0.001).size() - 0.001) < 1e-9);
}

void TimelinePartsTest::ticksStandOnlyWhereOneLooks() {
    const TrueTime map;
    // A view of 20 s somewhere in an hour has the ticks of those 20 s, however long the run is.
    const std::vector<RulerTick> ticks = rulerTicks(map, {1800, 1820}, 1000, 100);
    QVERIFY(!ticks.empty());
    QVERIFY(ticks.size() <= 11);
    for (const RulerTick& tick : ticks)
        QVERIFY(tick.axis >= 1800 && tick.axis <= 1820);
    // And none before the run.
    for (const RulerTick& tick : rulerTicks(map, {-30, 30}, 600, 60))
        QVERIFY(tick.axis >= 0);
}

void TimelinePartsTest::ticksAreLabelledWithTheDecimalsTheyNeed() {
    const TrueTime map;
    QCOMPARE(rulerTicks(map, {0, 60}, 600, 80).at(1).label, QStringLiteral("10 s"));
    const std::vector<RulerTick> near = rulerTicks(map, {31.0, 31.01}, 1000, 100);
    QCOMPARE(near.front().label, QStringLiteral("31.000 s"));
    QCOMPARE(near.at(2).label, QStringLiteral("31.002 s"));
    QCOMPARE(niceStep(0.03), 0.05);
    QCOMPARE(niceStep(10), 10.0);
    QCOMPARE(niceStep(60), 100.0);
}

void TimelinePartsTest::lengthsAreSaidAsPeopleSayThem() {
    QCOMPARE(durationText(seconds(20)), QStringLiteral("20 s"));
    QCOMPARE(durationText(millis(20300)), QStringLiteral("20.3 s"));
    QCOMPARE(durationText(millis(20002)), QStringLiteral("20.0 s")); // never milliseconds above 10 s
    QCOMPARE(durationText(millis(1002)), QStringLiteral("1.002 s"));
    QCOMPARE(durationText(millis(300)), QStringLiteral("300 ms"));
    QCOMPARE(durationText(Duration{1500}), QStringLiteral("1.5 ms"));
    QCOMPARE(durationText(Duration{40}), QStringLiteral("40 µs"));
}

void TimelinePartsTest::longNamesCanBeToldApart() {
    const auto widthOf = [](const QString& text) { return static_cast<double>(text.size()); };
    const auto shown = [&](const QStringList& names) {
        QStringList list;
        for (const QString& name : names) {
            list << nameApart(name, names, widthOf, 12);
            if (list.back().size() > 12) qFatal("%s is too long", qPrintable(list.back()));
        }
        return list;
    };
    QStringList machines;
    for (const char* number : {"07", "08", "17"})
        machines << QStringLiteral("orders-worker-%1.eu-central-1.prod").arg(QLatin1String(number));
    QCOMPARE(shown(machines), QStringList({"…ker-07.eu-…", "…ker-08.eu-…", "…rker-17.eu…"}));
    QCOMPARE(shown({"a-name-of-a-server-1", "a-name-of-a-server-2"}),
             QStringList({"…-a-server-1", "…-a-server-2"}));
    QCOMPARE(shown({"first-of-the-names", "second-of-the-names"}),
             QStringList({"first-of-th…", "second-of-t…"}));
    // One is the beginning of the other.
    QCOMPARE(shown({"the-same-server", "the-same-server-2"}), QStringList({"…same-server", "…me-server-2"}));
    // Nothing to be told from, alike, and short enough.
    QCOMPARE(shown({"one all alone and long"}), QStringList({"one al… long"}));
    QCOMPARE(shown({"twice one and the same", "twice one and the same"}),
             QStringList({"twice … same", "twice … same"}));
    QCOMPARE(shown({"Server A", "Server B"}), QStringList({"Server A", "Server B"}));
}

void TimelinePartsTest::theWorstOfAnyStretchIsFound() {
    Random random(11);
    std::vector<std::uint8_t> ranks(5000);
    for (std::uint8_t& rank : ranks)
        rank = static_cast<std::uint8_t>(random.below(40));
    GreatestOf<std::uint8_t> worst;
    worst.build(ranks);
    for (int i = 0; i < 5000; ++i) {
        const std::size_t begin = random.below(ranks.size());
        const std::size_t end = begin + 1 + random.below(ranks.size() - begin);
        const auto first = ranks.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto expected = std::max_element(first, ranks.begin() + static_cast<std::ptrdiff_t>(end));
        QCOMPARE(worst.greatest(begin, end), static_cast<std::size_t>(expected - ranks.begin()));
    }
}

namespace {

SpanTrack busyTrack(int count, Random& random) {
    SpanTrack track;
    std::int64_t now = 0;
    for (int i = 0; i < count; ++i) {
        now += static_cast<std::int64_t>(random.below(2000));
        const auto length =
            static_cast<std::int64_t>(random.below(50) == 0 ? random.below(900'000) : random.below(3000));
        track.add(at(now), at(now + length), static_cast<std::uint32_t>(i),
                  static_cast<std::uint8_t>(random.below(4)));
        now += length;
    }
    track.finish();
    return track;
}

} // namespace

void TimelinePartsTest::foldingKeepsEverySpanExactlyOnce() {
    Random random(5);
    const SpanTrack track = busyTrack(20000, random);
    const TrueTime map;
    for (const double wide : {0.01, 1.0, 30.0, 300.0}) {
        const TimeScale scale(map, {2, 2 + wide}, 0, 800);
        std::size_t next = track.firstReaching(scale.from());
        std::uint8_t worst = 0;
        double right = -1e9;
        walkSpans(track, scale, scale.from(), scale.until(), 3, [&](const SpanMark& mark) {
            QCOMPARE(mark.begin, next);
            next = mark.end;
            worst = 0;
            for (std::size_t i = mark.begin; i < mark.end; ++i)
                worst = std::max(worst, track.rank(i));
            QCOMPARE(track.rank(mark.worst), worst);
            if (mark.count() > 1) QVERIFY(mark.x0 >= right - 3.01);
            right = mark.x1;
        });
        QCOMPARE(next, track.firstFrom(0, scale.until()));
    }
}

void TimelinePartsTest::foldingMakesNoMoreMarksThanPixels() {
    Random random(6);
    const SpanTrack track = busyTrack(200000, random);
    const TrueTime map;
    const TimeScale scale(map, {0, static_cast<double>(micros(track.until(track.size() - 1))) / 1e6}, 0, 600);
    int marks = 0;
    walkSpans(track, scale, scale.from(), scale.until(), 3, [&](const SpanMark&) { ++marks; });
    QVERIFY2(marks <= 350, qPrintable(QString::number(marks)));
}

void TimelinePartsTest::aWideSpanIsNeverFoldedAway() {
    // A long pause right behind a crowd of short spans is drawn as itself.
    SpanTrack track;
    for (int i = 0; i < 50; ++i)
        track.add(at(i * 100), at(i * 100 + 90), static_cast<std::uint32_t>(i));
    track.add(at(5000), at(5'000'000), 50);
    track.finish();
    const TrueTime map;
    const TimeScale scale(map, {0, 10}, 0, 1000);
    std::vector<SpanMark> marks;
    walkSpans(track, scale, scale.from(), scale.until(), 3,
              [&](const SpanMark& mark) { marks.push_back(mark); });
    QCOMPARE(marks.size(), std::size_t{2});
    QCOMPARE(marks[0].count(), std::size_t{50});
    QCOMPARE(marks[1].count(), std::size_t{1});
    QCOMPARE(track.source(marks[1].worst), 50u);
}

void TimelinePartsTest::pointsFoldButAreAllCounted() {
    PointTrack track;
    Random random(8);
    std::int64_t now = 0;
    for (std::uint32_t i = 0; i < 10000; ++i) {
        now += static_cast<std::int64_t>(random.below(40'000));
        track.add(at(now), i, i == 7777 ? 9 : static_cast<std::uint8_t>(random.below(5)));
    }
    track.finish();
    const TrueTime map;
    const TimeScale scale(map, {0, static_cast<double>(now) / 1e6}, 0, 600);
    std::size_t counted = 0;
    std::size_t marks = 0;
    bool worstShown = false;
    walkPoints(track, scale, scale.from(), scale.until(), 12, [&](const PointMark& mark) {
        counted += mark.count();
        ++marks;
        worstShown = worstShown || track.source(mark.worst) == 7777;
    });
    QCOMPARE(counted, std::size_t{10000});
    QVERIFY(marks <= 51);
    QVERIFY(worstShown);
}

QTEST_GUILESS_MAIN(TimelinePartsTest)
#include "timeline_parts_test.moc"
