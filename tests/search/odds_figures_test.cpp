// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is read off the runs of one value of the knob.
#include <QtTest>

#include "core/lesson/lesson.h"
#include "core/search/odds.h"

using namespace lockscope;

class OddsFiguresTest : public QObject {
    Q_OBJECT

    static OddsPoint crashes(int count) {
        OddsPoint point;
        for (int i = 1; i <= count; ++i)
            point.recoveries.push_back(seconds(i));
        return point;
    }

private slots:
    void ofTenCrashesNineAreOverByTheNinth() {
        const OddsPoint ten = crashes(10);
        QCOMPARE(ten.recoveryOf(10), Duration(seconds(1)));
        QCOMPARE(ten.recoveryOf(50), Duration(seconds(5)));
        QCOMPARE(ten.recoveryOf(90), Duration(seconds(9)));
        QCOMPARE(ten.recoveryOf(91), Duration(seconds(10)));
        QCOMPARE(ten.recoveryOf(100), Duration(seconds(10)));
    }

    void aShareThatIsNoWholeCrashIsRoundedUp() {
        QCOMPARE(crashes(3).recoveryOf(50), Duration(seconds(2)));
        QCOMPARE(crashes(1).recoveryOf(1), Duration(seconds(1)));
        QCOMPARE(OddsPoint{}.recoveryOf(90), Duration{0});
    }

    /// Where nobody ever owns the lock there is no crash to try.
    void aRunWithoutAnOwnerIsRunOnce() {
        const Result<Lesson> lesson = readLesson(LOCKSCOPE_SOURCE_DIR "/lessons/lease.md");
        QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
        OddsPlan plan = oddsPlanOf(*lesson, {}, lesson->base.seed, {}).value();
        plan.points.resize(1);
        ProbePool pool;
        QCOMPARE(findOdds(pool, plan, 3).simulations, std::uint64_t{6});
        plan.points[0].scenario.horizon = instantAt(millis(100)); // before the first of them begins
        const Odds none = findOdds(pool, plan, 3);
        QCOMPARE(none.simulations, std::uint64_t{3});
        QVERIFY(none.points[0].recoveries.empty());
    }
};

QTEST_GUILESS_MAIN(OddsFiguresTest)
#include "odds_figures_test.moc"
