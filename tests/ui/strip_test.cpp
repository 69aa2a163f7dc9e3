// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The what-if strip as a person uses it: pointed at, clicked, read by key, and never ahead of a question.
#include <QHelpEvent>
#include <QSignalSpy>
#include <QToolTip>

#include <cmath>

#include "tests/ui/on_canvas.h"
#include "tests/ui/window_fixture.h"
#include "ui/bridge/what_if.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/strip.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;
using namespace lockscope::ui;
using namespace lockscope::test;

namespace {

/// Where `toctou` shows how wide its gap is, with the step's pause taken away.
constexpr int kGapStep = 5;

} // namespace

class StripTest : public QuietTest {
    Q_OBJECT

private:
    std::unique_ptr<WindowUnderTest> m_window;

    WindowUnderTest& window() { return *m_window; }
    TimelineCanvas& canvas() { return window().child<TimelineView>("timeline")->canvas(); }
    WhatIf& whatIf() { return *window()->findChild<WhatIf*>(); }
    std::shared_ptr<const WhatIfStrip> complete() {
        if (!QTest::qWaitFor([&] { return whatIf().strip() && whatIf().strip()->complete; }, 30'000))
            qFatal("the strip is never complete");
        return whatIf().strip();
    }
    /// At the step about the gap: nothing is veiled, nothing is broken.
    void atTheGap() {
        window()->openLesson(QStringLiteral("toctou"), kGapStep);
        QCOMPARE(window().lesson().currentStep()->title, std::string("How wide is the gap?"));
        if (window().lesson().openQuestion() != nullptr) window().lesson().liftVeil();
        window().run().pause();
        window().lesson().removeIntervention(0);
        complete();
        WindowUnderTest::settle();
    }
    const Band& laneOf(int actor) { return bandOf(canvas(), BandKind::Actor, actor); }
    QPoint onStrip(int actor, std::size_t row, Instant at) {
        const Scene scene = canvas().scene();
        const Band& band = laneOf(actor);
        return QPointF(scene.scale.x(at), scene.y(stripRowTop(band, row) + band.stripRow / 2)).toPoint();
    }
    std::size_t rowOf(Invariant invariant) {
        const std::vector<StripPicture::Row>& rows = canvas().scene().strip->rows;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].invariant == invariant) return i;
        qFatal("no such row");
    }
    Sweep::Region theSliver() {
        const auto regions = complete()->actors[0].regions(Invariant::ForeignDelete);
        if (regions.size() != 1) qFatal("%zu slivers", regions.size());
        return regions[0];
    }
    void moveTo(QPoint pos) { moveMouse(canvas(), pos); }
    QString toolTipAt(QPoint pos) {
        QHelpEvent event(QEvent::ToolTip, pos, canvas().mapToGlobal(pos));
        QApplication::sendEvent(&canvas(), &event);
        return told();
    }
    /// The tooltip that is open.
    static QString told() { return QToolTip::text().replace(QChar::Nbsp, QLatin1Char(' ')); }
    /// Pixels in the violation's colour within a part of the canvas.
    int alarmed(const QRectF& in) {
        WindowUnderTest::settle();
        const QImage image = canvas().grab().toImage();
        const QRgb alarm = window()->look().color(Role::Violation).rgb();
        int n = 0;
        const QRect area = in.toAlignedRect().intersected(image.rect());
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                n += image.pixel(x, y) == alarm ? 1 : 0;
        return n;
    }
    QRectF stripRect(int actor, Instant from, Instant until) {
        const Scene scene = canvas().scene();
        const Band& band = laneOf(actor);
        return QRectF(QPointF(scene.scale.x(from), scene.y(band.stripTop)),
                      QPointF(scene.scale.x(until), scene.y(band.bottom())));
    }

private slots:
    void init() {
        QuietTest::init();
        m_window = std::make_unique<WindowUnderTest>(QStringLiteral("toctou"));
    }
    void cleanup() {
        QToolTip::hideText();
        m_window.reset();
        QuietTest::cleanup();
    }

    void itIsThereFromTheStepOnThatAsksForIt() {
        QCOMPARE(laneOf(0).stripRows, 0);
        QVERIFY(!whatIf().strip());
        atTheGap();
        QVERIFY(laneOf(0).stripRows > 0);
        QVERIFY(window().sees(QStringLiteral("stripLength.Server A")));
        window().lesson().goTo(0);
        WindowUnderTest::settle();
        QCOMPARE(laneOf(0).stripRows, 0);
        QVERIFY(!whatIf().strip());
    }

    void itSaysTheSameAsTheCommandLine() {
        atTheGap();
        const auto strip = complete();
        ProbePool pool;
        SweepRequest request;
        request.scenario = window().run().scenario();
        request.pause = seconds(20);
        for (std::size_t i = 0; i < strip->actors.size(); ++i) {
            request.actors = {request.scenario.actors[i].name};
            QCOMPARE(toJson(strip->actors[i], 0), toJson(sweep(pool, request).front(), 0));
        }
        QCOMPARE(canvas().scene().strip->rows.size(), std::size_t{3});
        QVERIFY(canvas().scene().strip->rows[0].invariant == Invariant::ForeignDelete);
    }

    void pointingAtItSaysWhatWouldBreakAndWhen() {
        atTheGap();
        const Sweep::Region sliver = theSliver();
        QVERIFY(canvas().scene().scale.x(sliver.until) - canvas().scene().scale.x(sliver.from) < 4);
        const QPoint there = onStrip(0, rowOf(Invariant::ForeignDelete), sliver.from);
        const QString said = toolTipAt(there);
        QVERIFY2(said.contains(QLatin1String("Deleted another")), qPrintable(said));
        QVERIFY2(said.contains(QLatin1String("at 40.")), qPrintable(said));
        // The lens opens over what lies below.
        const QRectF below =
            stripRect(0, sliver.from, sliver.until).translated(0, 40).adjusted(-60, 0, 60, 0);
        const QImage before = canvas().grab(below.toAlignedRect()).toImage();
        moveTo(there);
        QVERIFY(canvas().grab(below.toAlignedRect()).toImage() != before);

        const QString elsewhere = toolTipAt(onStrip(0, 0, instantAt(seconds(50))));
        QVERIFY2(elsewhere.contains(QLatin1String("adds nothing")), qPrintable(elsewhere));
        QVERIFY(!elsewhere.contains(QLatin1String("safe")));
    }

    void aClickPutsThatPauseThere() {
        atTheGap();
        const Sweep::Region sliver = theSliver();
        const QPoint there = onStrip(0, rowOf(Invariant::ForeignDelete), sliver.from);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, there);
        QCOMPARE(window().lesson().interventions().size(), std::size_t{1});
        const Intervention pause = window().lesson().interventions()[0];
        QVERIFY(pause.kind == InterventionKind::Pause);
        QCOMPARE(pause.actor, std::string("Server A"));
        QVERIFY(pause.length == seconds(20));
        QVERIFY(pause.at >= sliver.from && pause.at < sliver.until);
        const auto& violations = window().run().run()->violations;
        QVERIFY(std::any_of(violations.begin(), violations.end(),
                            [](const Violation& v) { return v.invariant == Invariant::ForeignDelete; }));
        // Now it is broken without a further pause, and the strip says so.
        complete();
        QTRY_VERIFY(canvas().scene().strip->rows[rowOf(Invariant::ForeignDelete)].brokenAnyway);
    }

    void anotherLengthIsAnotherStrip() {
        atTheGap();
        auto* field = window().child<QLineEdit>(QStringLiteral("stripLength.Server A"));
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1s"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(whatIf().pauseLength() == seconds(1));
        // One length, wherever it stands.
        QCOMPARE(window().child<QLineEdit>(QStringLiteral("pauseLength"))->text(), QStringLiteral("1s"));
        QCOMPARE(window().child<QLineEdit>(QStringLiteral("stripLength.Server B"))->text(),
                 QStringLiteral("1s"));
        QTRY_VERIFY(whatIf().strip() && whatIf().strip()->complete && whatIf().strip()->pause == seconds(1));
        QVERIFY(whatIf().strip()->actors[0].regions(Invariant::ForeignDelete).empty());
        QVERIFY(alarmed(stripRect(0, {}, instantAt(seconds(60)))) == 0);
    }

    void itFollowsAKnob() {
        atTheGap();
        const int before = alarmed(stripRect(0, {}, instantAt(seconds(20))));
        QVERIFY(before > 0);
        window().lesson().setKnob("ttl", KnobValue{seconds(60)});
        QTRY_VERIFY(whatIf().strip()->complete &&
                    whatIf().strip()->actors[0].regions(Invariant::BeliefOverlap).empty());
        QCOMPARE(alarmed(stripRect(0, {}, instantAt(seconds(20)))), 0);
    }

    void keysReadItAndFindTheSliver() {
        atTheGap();
        const Sweep::Region sliver = theSliver();
        canvas().setFocus();
        window().run().setPlayhead(instantAt(seconds(10)));
        QTest::keyClick(&canvas(), Qt::Key_W);
        QVERIFY2(told().contains(QLatin1String("Two act as holder")), qPrintable(told()));
        for (int i = 0; i < 40 && window().run().playhead() != sliver.from; ++i)
            QTest::keyClick(&canvas(), Qt::Key_W, Qt::ShiftModifier);
        QVERIFY(window().run().playhead() == sliver.from);
        QVERIFY2(told().contains(QLatin1String("Deleted another")), qPrintable(told()));
        // And P puts it there.
        QTest::keyClick(&canvas(), Qt::Key_P);
        QCOMPARE(window().lesson().interventions().size(), std::size_t{1});
        QVERIFY(window().lesson().interventions()[0].at == sliver.from);
    }

    void nothingIsToldBehindTheVeil() {
        window()->openLesson(QStringLiteral("toctou"), kGapStep);
        QVERIFY(window().lesson().openQuestion() != nullptr);
        window().lesson().removeIntervention(0);
        const Instant gate = window().run().veil();
        complete();
        // Server B works up to 41 s, and its pauses there would break something; nobody sees it yet.
        QVERIFY(!whatIf().strip()->actors[1].regions(Invariant::UnprotectedWork).empty());
        QCOMPARE(alarmed(stripRect(1, gate + seconds(1), instantAt(seconds(60)))), 0);
        const QString covered = toolTipAt(onStrip(1, 0, gate + millis(300)));
        QVERIFY2(covered.contains(QLatin1String("Covered until")), qPrintable(covered));
        for (std::size_t row = 0; row < canvas().scene().strip->rows.size(); ++row)
            for (const StripMark& mark : stripMarks(canvas().scene(), 1, row))
                QVERIFY(mark.region.from < gate);
    }

    void itFollowsAPauseThatIsDrawn() {
        atTheGap();
        const auto onLane = [&](double seconds) {
            const Scene scene = canvas().scene();
            return QPointF(scene.scale.x(instantAt(millis(std::llround(seconds * 1000)))),
                           scene.y(laneOf(0).doesMiddle(0)))
                .toPoint();
        };
        const auto moveHeld = [&](QPoint pos) { moveMouse(canvas(), pos, Qt::LeftButton, Qt::AltModifier); };
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, onLane(5));
        moveHeld(onLane(12));
        moveHeld(onLane(18));
        const Duration drawn = window().lesson().interventions().front().length;
        QVERIFY(std::chrono::abs(drawn - seconds(13)) < millis(500));
        QVERIFY(whatIf().pauseLength() == drawn);
        // What the hand holds is not counted: the sliver is there as if nothing had been drawn yet.
        QTRY_VERIFY(whatIf().strip()->complete && whatIf().strip()->pause == drawn);
        QCOMPARE(complete()->actors[0].regions(Invariant::ForeignDelete).size(), std::size_t{1});
        QCOMPARE(int(complete()->actors[0].brokenAnyway), 0);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, onLane(18));
        // Let go, it is part of the run; and undone it is not.
        QTRY_VERIFY(whatIf().strip()->complete && whatIf().strip()->actors[0].brokenAnyway != 0);
        window().lesson().history().undo();
        QTRY_VERIFY(whatIf().strip()->complete && whatIf().strip()->actors[0].brokenAnyway == 0);
    }

    void theLatestQuestionWins() {
        atTheGap();
        for (int i = 1; i <= 50; ++i) {
            whatIf().setPauseLength(millis(100 * i));
            QApplication::processEvents();
        }
        QTRY_VERIFY(whatIf().strip()->complete && whatIf().strip()->pause == seconds(5));
        QSignalSpy changed(&whatIf(), &WhatIf::changed);
        WindowUnderTest::settle();
        QCOMPARE(changed.count(), 0);
    }
};

QTEST_MAIN(StripTest)
#include "strip_test.moc"
