// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The chart of a lesson's odds: withheld while a question asks for it, read, and turned.
#include <qcustomplot.h>

#include "tests/ui/window_fixture.h"
#include "ui/bridge/odds_search.h"

using namespace lockscope;
using namespace lockscope::ui;
using namespace lockscope::test;

class OddsTest : public QuietTest {
    Q_OBJECT

private:
    std::unique_ptr<WindowUnderTest> m_window;

    WindowUnderTest& window() { return *m_window; }
    OddsSearch& search() { return *window()->findChild<OddsSearch*>(); }
    int stepWithChart() {
        const std::vector<Step>& steps = window().lesson().lesson()->steps;
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (std::find(steps[i].show.begin(), steps[i].show.end(), Panel::Odds) != steps[i].show.end())
                return static_cast<int>(i);
        qFatal("the lesson has no chart");
    }
    /// The same with three points in its chart: its fourteen take a while to be whole.
    void openSmall() {
        QByteArray text = shippedLesson("lease");
        const auto from = text.indexOf("  values: [");
        QVERIFY(from > 0);
        text.replace(from, text.indexOf('\n', from) - from, "  values: [5s, 20s, 90s]");
        write(window().home(QStringLiteral("small.md")), text);
        window()->openLesson(window().home(QStringLiteral("small.md")), stepWithChart());
        window().lesson().answerQuestion(1);
        window().settle();
    }
    void wait() {
        if (!QTest::qWaitFor([&] { return search().complete(); }, 240'000)) qFatal("the chart is never done");
        window().settle();
    }

private slots:
    void init() {
        QuietTest::init();
        m_window = std::make_unique<WindowUnderTest>(QStringLiteral("lease"));
        window()->openLesson(QStringLiteral("lease"), stepWithChart());
    }
    void cleanup() {
        m_window.reset();
        QuietTest::cleanup();
    }

    void theChartIsTheAnswerToItsQuestion() {
        QVERIFY(!window().sees(QStringLiteral("oddsView")));
        QVERIFY(!window().sees(QStringLiteral("tableButton")));
        window().lesson().answerQuestion(1);
        window().settle();
        QVERIFY(window().sees(QStringLiteral("oddsView")));
        // There is something to see long before all is known.
        QVERIFY(QTest::qWaitFor([&] { return !search().points().empty(); }, 60'000));
        wait();

        // Falling on one side, rising on the other.
        const OddsPoint& shortest = search().points().begin()->second;
        const OddsPoint& longest = search().points().rbegin()->second;
        QCOMPARE(shortest.runs, std::uint64_t{kOddsRuns});
        QVERIFY(shortest.overlapShare() > 0.9 && longest.overlapShare() == 0);
        QVERIFY(shortest.meanRecovery() < seconds(5) && longest.meanRecovery() > seconds(60));
        QVERIFY2(
            window().text(QStringLiteral("oddsReading")).startsWith(QLatin1String("Lease (TTL) 20.0 s: 1")),
            qPrintable(window().text(QStringLiteral("oddsReading"))));

        // A key turns the knob; the point there is found out too, and the rest is kept.
        auto& plot = *window().child<QCustomPlot>(QStringLiteral("oddsPlot"));
        plot.setFocus();
        window().key(Qt::Key_Right);
        QCOMPARE(search().value(), Duration(seconds(21)));
        wait();
        QCOMPARE(search().points().at(seconds(21)).runs, std::uint64_t{kOddsRuns});
        QVERIFY(
            window().text(QStringLiteral("oddsReading")).startsWith(QLatin1String("Lease (TTL) 21.0 s: ")));

        // So does a click. Turns in a row are taken back as one.
        const int at = static_cast<int>(plot.xAxis->coordToPixel(60));
        QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(at, plot.height() / 2));
        QVERIFY(std::abs((search().value() - seconds(60)).count()) <= 1'000'000);
        window().key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(search().value(), Duration(seconds(20)));

        // Back to the timeline and to the chart again by its key.
        window().key(Qt::Key_B);
        QVERIFY(window().sees(QStringLiteral("timeline")));
        window().click(QStringLiteral("tableButton"));
        QVERIFY(window().sees(QStringLiteral("oddsView")));
    }

    void aPointThatIsNoLongerAskedForIsWholeOrGone() {
        openSmall();
        wait();
        // Turned on as soon as the first runs are in: to a value that is not known yet, and to one that is.
        for (const auto& [begun, then] : {std::pair{seconds(21), seconds(22)}, {seconds(23), seconds(20)}}) {
            bool turned = false;
            QObject watching;
            connect(&search(), &OddsSearch::changed, &watching, [&, begun = begun, then = then] {
                const auto found = search().points().find(begun);
                if (turned || found == search().points().end() || found->second.runs >= kOddsRuns) return;
                turned = true;
                search().setValue(then);
            });
            search().setValue(begun);
            QVERIFY(QTest::qWaitFor([&] { return turned; }, 60'000));
            wait();
            QVERIFY(!search().points().contains(begun));
            for (const auto& [value, point] : search().points())
                QCOMPARE(point.runs, std::uint64_t{kOddsRuns});
            QCOMPARE(search().here(), &search().points().at(then));
        }
    }

    void aPointThatIsBegunAnewKeepsItsRuns() {
        std::map<Duration, std::uint64_t> most;
        bool turned = false;
        bool fewer = false;
        QObject watching;
        connect(&search(), &OddsSearch::changed, &watching, [&] {
            std::uint64_t runs = 0;
            for (const auto& [value, point] : search().points()) {
                fewer = fewer || point.runs < most[value];
                runs = most[value] = point.runs;
            }
            if (turned || runs <= 4) return; // more than the first round has
            turned = true;
            search().setValue(seconds(21));
        });
        openSmall();
        wait();
        QVERIFY(turned);
        QVERIFY(!fewer);
        QCOMPARE(search().points().at(seconds(21)).runs, std::uint64_t{kOddsRuns});
    }

    void anotherSeedHasOtherOdds() {
        openSmall();
        wait();
        const std::vector<Duration> before = search().here()->recoveries;
        window().lesson().setSeed(2);
        QVERIFY(search().here() == nullptr);
        wait();
        QVERIFY(search().here()->recoveries != before);
    }

    void anotherStepHasNone() {
        window().lesson().answerQuestion(1);
        window().settle();
        window().lesson().next();
        window().settle();
        QVERIFY(window().sees(QStringLiteral("timeline")));
        QVERIFY(!window().sees(QStringLiteral("tableButton")));
    }
};

QTEST_MAIN(OddsTest)
#include "odds_test.moc"
