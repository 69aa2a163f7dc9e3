// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Time that can be read, what a change did, and runs kept and compared: by real keys and clicks on the
// window, over the real simulator and the shipped lessons.
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QSlider>
#include <QStyleOptionSlider>
#include <QToolButton>

#include <cmath>

#include "tests/ui/on_canvas.h"
#include "tests/ui/window_fixture.h"
#include "ui/bridge/kept_runs.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/compare_view.h"
#include "ui/timeline/descriptions.h"
#include "ui/timeline/step_time.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::test::at;
using lockscope::test::QuietTest;
using lockscope::test::WindowUnderTest;

namespace {

/// A window at a lesson, with nothing veiled and the timeline in the focus.
class Desk : public WindowUnderTest {
public:
    explicit Desk(const QString& lessonId = QStringLiteral("expiry"), QSize size = QSize(1280, 720))
        : WindowUnderTest(lessonId, size) {
        lesson().liftVeil();
        run().pause();
        settle();
        canvas().setFocus();
    }
    TimelineView& timeline() { return *child<TimelineView>(QStringLiteral("timeline")); }
    TimelineCanvas& canvas() { return timeline().canvas(); }
    CompareView& compare() { return *child<CompareView>(QStringLiteral("compare")); }
    double x(TimelineCanvas& on, Instant instant) { return on.scene().scale.x(instant); }
    double playheadX() { return x(canvas(), run().playhead()); }
    /// Pauses Server A by key at an instant, for the length that the window proposes.
    void pauseAt(double s) {
        run().select({Selection::Kind::Actor, 0});
        run().setPlayhead(at(s));
        key(Qt::Key_P);
        settle();
    }
    QImage picture(TimelineCanvas& on) {
        settle();
        return on.grab().toImage();
    }
    QString difference() {
        settle();
        return child(QStringLiteral("timeline.difference"))->accessibleDescription();
    }
    void keepAs(const QString& name) {
        key(Qt::Key_K, Qt::ControlModifier);
        settle();
        auto* field = child<QLineEdit>(QStringLiteral("keepName"));
        QVERIFY(field->isVisible() && field->hasFocus());
        if (!name.isEmpty()) {
            field->selectAll();
            QTest::keyClicks(field, name);
        }
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        QVERIFY(!field->isVisible());
        canvas().setFocus();
    }
};

} // namespace

class BeforeAndAfterTest : public QuietTest {
    Q_OBJECT
private slots:
    void stepViewKeepsThePlayheadInItsPlace_data();
    void stepViewKeepsThePlayheadInItsPlace();
    void thereAndBackIsNoChange();
    void everyGapCanBeReadInStepView();
    void theToggleDoesWhatTheKeyDoes();
    void aChangeKeepsStepViewAndWhatIsLookedAt();
    void aHeldChangeKeepsTheAxis();
    void scrubbingInStepViewGoesWhereTheMouseIs();
    void stepViewTellsNothingOfWhatIsVeiled();
    void aStepCanAskForStepView();
    void aStalledServerIsSeenNotToAnswer();
    void aGhostComesWithAFaultAndGoesWithTheStep();
    void theGhostCanBeTurnedOff();
    void theSentenceSaysWhatAChangeDid();
    void aSlidersWholeWayIsOneChange();
    void aRunIsKeptUnderAName();
    void keepingCanBeGivenUp();
    void aKeptRunOutlivesEveryEdit();
    void twoRunsAreSeenOnOneAxis();
    void theSentenceComparesTheTwo();
    void aKeptRunBecomesTheOneThatIsShown();
    void aKeptRunIsRenamedAndDeleted();
    void withoutAKeptRunItSaysHowToKeepOne();
    void whatBelongsToTheOneTimelineBringsItBack();
};

void BeforeAndAfterTest::stepViewKeepsThePlayheadInItsPlace_data() {
    QTest::addColumn<double>("playhead");
    for (const double s : {0.0, 0.2, 5.0, 20.0, 31.002, 45.0, 64.0})
        QTest::addRow("%g s", s) << s;
}

void BeforeAndAfterTest::stepViewKeepsThePlayheadInItsPlace() {
    QFETCH(double, playhead);
    Desk desk;
    desk.key(Qt::Key_F);
    desk.run().setPlayhead(at(playhead));
    const double before = desk.playheadX();
    desk.key(Qt::Key_S);
    QVERIFY(desk.timeline().stepView());
    QVERIFY2(std::abs(desk.playheadX() - before) < 0.5,
             qPrintable(QString::number(desk.playheadX() - before)));
    // Zoom in and look elsewhere: also on the way back.
    desk.key(Qt::Key_Plus);
    const double there = desk.playheadX();
    desk.key(Qt::Key_S);
    QVERIFY(!desk.timeline().stepView());
    if (there >= 0 && there <= desk.canvas().width()) QVERIFY(std::abs(desk.playheadX() - there) < 0.5);
}

void BeforeAndAfterTest::thereAndBackIsNoChange() {
    Desk desk;
    desk.run().setPlayhead(at(31));
    desk.timeline().showRange(at(20), at(50));
    const AxisRange before = desk.canvas().view();
    desk.key(Qt::Key_S);
    QVERIFY(desk.canvas().view() != before);
    desk.key(Qt::Key_S);
    QVERIFY(desk.canvas().view() == before);
}

void BeforeAndAfterTest::everyGapCanBeReadInStepView() {
    Desk desk;
    desk.run().setPlayhead(at(31.002));
    desk.key(Qt::Key_S);
    const auto& events = desk.run().run()->trace->events;
    int seen = 0;
    for (std::size_t i = 1; i < events.size(); ++i) {
        if (events[i].at == events[i - 1].at) continue;
        const double left = desk.x(desk.canvas(), events[i - 1].at);
        const double right = desk.x(desk.canvas(), events[i].at);
        if (left < 0 || right > desk.canvas().width()) continue;
        ++seen;
        QVERIFY2(right - left >= 28, qPrintable(QString::number(right - left)));
    }
    QVERIFY(seen > 5);
}

void BeforeAndAfterTest::theToggleDoesWhatTheKeyDoes() {
    Desk desk;
    desk.click(QStringLiteral("timeline.stepView"));
    QVERIFY(desk.timeline().stepView());
    QVERIFY(desk.child<QToolButton>(QStringLiteral("timeline.stepView"))->isChecked());
    QVERIFY(!desk.child<QToolButton>(QStringLiteral("timeline.trueTime"))->isChecked());
    QVERIFY(desk->findChild<QAction*>(QStringLiteral("actionStepView"))->isChecked());
    desk.click(QStringLiteral("timeline.stepView")); // it is so already
    QVERIFY(desk.timeline().stepView());
    QVERIFY(desk.child<QToolButton>(QStringLiteral("timeline.stepView"))->isChecked());
    desk.click(QStringLiteral("timeline.trueTime"));
    QVERIFY(!desk.timeline().stepView());
}

void BeforeAndAfterTest::aChangeKeepsStepViewAndWhatIsLookedAt() {
    Desk desk;
    desk.run().setPlayhead(at(12));
    desk.key(Qt::Key_S);
    const double before = desk.playheadX();
    desk.pauseAt(12);
    QVERIFY(desk.timeline().stepView());
    QVERIFY(std::abs(desk.playheadX() - before) < 0.5);
    // The new run's events are on the new axis.
    const auto& bends = desk.canvas().timeMap().bends();
    const Duration length = desk.lesson().interventions().front().length;
    QVERIFY(std::binary_search(bends.begin(), bends.end(), at(12)));
    QVERIFY(std::binary_search(bends.begin(), bends.end(), at(12) + length));
}

void BeforeAndAfterTest::aHeldChangeKeepsTheAxis() {
    Desk desk;
    desk.run().setPlayhead(at(12));
    desk.key(Qt::Key_S);
    const auto bends = desk.canvas().timeMap().bends();
    const AxisRange view = desk.canvas().view();
    desk.run().holdBaseline();
    for (const int length : {3, 7, 19}) {
        desk.lesson().addIntervention({InterventionKind::Pause, "Server A", at(12), seconds(length)});
        QVERIFY(desk.canvas().timeMap().bends() == bends);
        QVERIFY(desk.canvas().view() == view);
        QVERIFY(desk.canvas().hasGhost());
        desk.lesson().removeIntervention(0);
    }
    desk.lesson().addIntervention({InterventionKind::Pause, "Server A", at(12), seconds(19)});
    const double before = desk.playheadX();
    desk.run().releaseBaseline();
    QVERIFY(desk.canvas().timeMap().bends() != bends);
    QVERIFY(std::abs(desk.playheadX() - before) < 0.5);
}

void BeforeAndAfterTest::scrubbingInStepViewGoesWhereTheMouseIs() {
    Desk desk;
    desk.run().setPlayhead(at(31));
    desk.key(Qt::Key_S);
    QTest::mousePress(&desk.canvas(), Qt::LeftButton, {}, {100, 6});
    for (const int x : {140, 233, 310, 402}) {
        QTest::mouseMove(&desk.canvas(), {x, 6});
        QVERIFY(std::abs(desk.playheadX() - x) < 1);
    }
    QTest::mouseRelease(&desk.canvas(), Qt::LeftButton, {}, {402, 6});
}

void BeforeAndAfterTest::stepViewTellsNothingOfWhatIsVeiled() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    auto& timeline = *window.child<TimelineView>(QStringLiteral("timeline"));
    while (window.lesson().openQuestion() == nullptr &&
           window.lesson().step() + 1 < window.lesson().stepCount())
        window.lesson().next();
    QVERIFY(window.lesson().openQuestion() != nullptr);
    const Instant veil = window.run().veil();
    timeline.setStepView(true);
    const auto veiled = timeline.canvas().timeMap().bends();
    QCOMPARE(std::count_if(veiled.begin(), veiled.end(), [&](Instant t) { return t > veil; }), 1);
    window.lesson().liftVeil();
    const auto& open = timeline.canvas().timeMap().bends();
    QVERIFY(open.size() > veiled.size());
}

void BeforeAndAfterTest::aStepCanAskForStepView() {
    WindowUnderTest window(QStringLiteral("toctou"));
    bool asked = false;
    for (int step = 0; step < window.lesson().stepCount(); ++step) {
        window.lesson().goTo(step);
        QCOMPARE(window.child<TimelineView>(QStringLiteral("timeline"))->stepView(),
                 window.lesson().currentStep()->stepView);
        asked = asked || window.lesson().currentStep()->stepView;
    }
    QVERIFY(asked);
}

void BeforeAndAfterTest::aStalledServerIsSeenNotToAnswer() {
    Desk desk;
    const QImage before = desk.picture(desk.canvas());
    QCOMPARE(desk.lesson().addIntervention({InterventionKind::ServerStall, "Redis", at(12), seconds(6)}),
             QString());
    const Scene scene = desk.canvas().scene();
    const auto& bands = scene.layout.bands();
    const auto key =
        std::find_if(bands.begin(), bands.end(), [](const Band& band) { return band.kind == BandKind::Key; });
    const auto said = [&](double s) {
        return describe(scene, hitTest(scene, {scene.scale.x(at(s)), scene.y(key->top + key->height / 2)}));
    };
    QVERIFY2(said(15).contains(QStringLiteral("cannot answer from 12.0 s to 18.0 s")), qPrintable(said(15)));
    QVERIFY(!said(11).contains(QStringLiteral("cannot answer")));
    QVERIFY(desk.picture(desk.canvas()) != before);
}

void BeforeAndAfterTest::aGhostComesWithAFaultAndGoesWithTheStep() {
    Desk desk;
    QVERIFY(!desk.canvas().hasGhost());
    QCOMPARE(desk.difference(), QString());
    desk.pauseAt(12);
    QVERIFY(desk.canvas().hasGhost());
    QVERIFY(!desk.difference().isEmpty());
    desk.key(Qt::Key_PageDown);
    QVERIFY(!desk.canvas().hasGhost());
    QCOMPARE(desk.difference(), QString());
}

void BeforeAndAfterTest::theGhostCanBeTurnedOff() {
    Desk desk;
    desk.pauseAt(12);
    desk.run().select({});
    const QImage with = desk.picture(desk.canvas());
    desk.key(Qt::Key_G);
    QVERIFY(!desk.canvas().hasGhost());
    QCOMPARE(desk.difference(), QString());
    const QImage without = desk.picture(desk.canvas());
    QVERIFY(with != without);
    desk.click(QStringLiteral("timeline.ghost"));
    desk.canvas().setFocus();
    QVERIFY(desk.canvas().hasGhost());
    QVERIFY(desk.picture(desk.canvas()) == with);
}

void BeforeAndAfterTest::theSentenceSaysWhatAChangeDid() {
    Desk desk(QStringLiteral("stale-del"));
    desk.lesson().setKnob("work", seconds(45));
    desk.lesson().setKnob("release", std::string("compare-and-delete"));
    QVERIFY2(desk.difference().startsWith(QStringLiteral("“Deleted another's lock” ×2 is gone")),
             qPrintable(desk.difference()));
    QVERIFY(desk.difference().contains(QStringLiteral("“Two act as holder” remains")));
}

void BeforeAndAfterTest::aSlidersWholeWayIsOneChange() {
    Desk desk(QStringLiteral("stale-del"));
    while (!desk.lesson().shows(Panel::Knobs))
        desk.lesson().next();
    desk.lesson().liftVeil();
    desk.run().pause();
    desk.settle();
    const auto before = desk.run().run();
    auto* slider = desk.child<QSlider>(QStringLiteral("knob_work"));
    const int middle = slider->height() / 2;
    const auto gripOf = [slider] {
        QStyleOptionSlider option;
        option.initFrom(slider);
        option.minimum = slider->minimum();
        option.maximum = slider->maximum();
        option.sliderPosition = option.sliderValue = slider->value();
        return slider->style()
            ->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider)
            .center();
    };
    const QPoint grip = gripOf();
    const KnobValue first = desk.lesson().knobValue("work");
    QTest::mousePress(slider, Qt::LeftButton, {}, grip);
    QVERIFY(slider->isSliderDown());
    for (const int way : {20, 40, 60}) {
        QTest::mouseMove(slider, {grip.x() + way, middle});
        QVERIFY(desk.run().run() != before);
        QCOMPARE(desk.run().baseline(), before);
    }
    QCOMPARE(desk.lesson().history().count(), 0); // not before the release
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {grip.x() + 60, middle});
    QCOMPARE(desk.run().baseline(), before);
    QVERIFY(!desk.run().baselineHeld());

    // Another hold of it is another change.
    const KnobValue second = desk.lesson().knobValue("work");
    QVERIFY(second != first);
    const QPoint again = gripOf();
    QTest::mousePress(slider, Qt::LeftButton, {}, again);
    QTest::mouseMove(slider, {again.x() - 30, middle});
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {again.x() - 30, middle});
    QCOMPARE(desk.lesson().history().count(), 2);
    desk.lesson().history().undo();
    QVERIFY(desk.lesson().knobValue("work") == second);
    desk.lesson().history().undo();
    QVERIFY(desk.lesson().knobValue("work") == first);
}

void BeforeAndAfterTest::aRunIsKeptUnderAName() {
    Desk desk;
    desk.pauseAt(12);
    const QString length = QString::number(desk.lesson().interventions().front().length.count() / 1000000);
    desk.keepAs({});
    QCOMPARE(desk->kept().count(), 1);
    QCOMPARE(desk->kept().name(0), QStringLiteral("pause Server A %1 s").arg(length));
    desk.keepAs({});
    QCOMPARE(desk->kept().name(1), QStringLiteral("pause Server A %1 s (2)").arg(length));
    desk.keepAs(QStringLiteral("the late one"));
    QCOMPARE(desk->kept().name(2), QStringLiteral("the late one"));
    desk.keepAs(QStringLiteral("the late one"));
    QCOMPARE(desk->kept().name(3), QStringLiteral("the late one (2)"));
    QStringList entries;
    for (const QAction* each : desk.child<QMenu>(QStringLiteral("keptMenu"))->actions())
        entries << each->text();
    QCOMPARE(entries.size(), 4);
    QCOMPARE(entries[2], QStringLiteral("the late one"));
}

void BeforeAndAfterTest::keepingCanBeGivenUp() {
    Desk desk;
    desk.key(Qt::Key_K, Qt::ControlModifier);
    auto* field = desk.child<QLineEdit>(QStringLiteral("keepName"));
    QVERIFY(field->isVisible());
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!field->isVisible());
    QCOMPARE(desk->kept().count(), 0);
}

void BeforeAndAfterTest::aKeptRunOutlivesEveryEdit() {
    Desk desk;
    desk.pauseAt(12);
    desk.keepAs(QStringLiteral("paused"));
    const auto kept = *desk->kept().run(0);
    QCOMPARE(kept->trace->events.size(), desk.run().run()->trace->events.size());
    desk.lesson().removeIntervention(0);
    desk.lesson().setKnob("work", seconds(5));
    desk.lesson().next();
    QCOMPARE(desk->kept().count(), 1);
    QCOMPARE(*desk->kept().run(0), kept);
    // Another lesson has a list of its own; this one's is there again.
    desk->openLesson(QStringLiteral("stale-del"));
    QCOMPARE(desk->kept().count(), 0);
    desk->openLesson(QStringLiteral("expiry"));
    QCOMPARE(desk->kept().count(), 1);
    QCOMPARE(desk->kept().name(0), QStringLiteral("paused"));
}

void BeforeAndAfterTest::twoRunsAreSeenOnOneAxis() {
    Desk desk;
    desk.keepAs(QStringLiteral("as it was"));
    desk.pauseAt(12);
    desk.key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    desk.settle();
    QVERIFY(desk.sees(QStringLiteral("compare")));
    QVERIFY(!desk.sees(QStringLiteral("timeline")));
    TimelineCanvas& above = desk.compare().canvas(0);
    TimelineCanvas& below = desk.compare().canvas(1);
    QVERIFY(above.data()->trace().interventions.empty());
    QCOMPARE(below.data()->trace().interventions.size(), std::size_t{1});
    const auto aligned = [&] {
        for (const double s : {0.0, 12.0, 31.002, 60.0})
            if (std::abs(desk.x(above, at(s)) - desk.x(below, at(s))) > 0.5) return false;
        return above.playhead() == below.playhead();
    };
    QVERIFY(aligned());
    // Zoom in one, pan in the other, step view by key, scrub: they stay together.
    above.setFocus();
    QTest::keyClick(&above, Qt::Key_Plus);
    QVERIFY(aligned());
    QTest::keyClick(&below, Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(aligned());
    desk.key(Qt::Key_S);
    QVERIFY(above.stepView() && below.stepView());
    QVERIFY(above.timeMap().bends() == below.timeMap().bends());
    QVERIFY(aligned());
    QTest::mouseClick(&below, Qt::LeftButton, {}, {150, 6});
    QVERIFY(aligned());
    QVERIFY(std::abs(desk.x(above, desk.run().playhead()) - 150) < 1);
    // Escape brings the one timeline back, in step view and at the playhead.
    desk.key(Qt::Key_Escape);
    QVERIFY(desk.sees(QStringLiteral("timeline")));
    QVERIFY(desk.timeline().stepView());
}

void BeforeAndAfterTest::theSentenceComparesTheTwo() {
    Desk desk(QStringLiteral("stale-del"));
    desk.lesson().setKnob("work", seconds(45));
    desk.lesson().setKnob("release", std::string("DEL"));
    desk.keepAs(QStringLiteral("blind"));
    desk.lesson().setKnob("release", std::string("compare-and-delete"));
    desk.keepAs(QStringLiteral("careful"));
    desk.key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    auto* above = desk.child<QComboBox>(QStringLiteral("compare.above.runs"));
    auto* below = desk.child<QComboBox>(QStringLiteral("compare.below.runs"));
    // The last kept one is the run that is shown: the one before it is the one to compare with.
    QCOMPARE(above->currentText(), QStringLiteral("blind"));
    above->setFocus();
    QTest::keyClick(above, Qt::Key_Down); // to "careful"
    QCOMPARE(above->currentText(), QStringLiteral("careful"));
    QVERIFY(desk.compare().sentence().endsWith(QStringLiteral("No difference.")));
    QTest::keyClick(above, Qt::Key_Up);
    QVERIFY2(desk.compare().sentence().contains(QStringLiteral("“Deleted another's lock” ×2 is gone")),
             qPrintable(desk.compare().sentence()));
    QVERIFY(below->currentIndex() == 0);
    // What was done to one alone is named.
    desk.pauseAt(12);
    QVERIFY2(desk.compare().sentence().contains(QStringLiteral("Only below: Server A paused")),
             qPrintable(desk.compare().sentence()));
    // Both panes outline what the other does not have.
    desk.settle();
    QVERIFY(desk.picture(desk.compare().canvas(0)) != desk.picture(desk.compare().canvas(1)));
}

void BeforeAndAfterTest::aKeptRunBecomesTheOneThatIsShown() {
    Desk desk;
    desk.pauseAt(12);
    desk.lesson().setKnob("work", seconds(25));
    desk.keepAs(QStringLiteral("mine"));
    desk.lesson().removeIntervention(0);
    desk.lesson().setKnob("work", seconds(40));
    const auto before = desk.run().run();
    desk.key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    desk.click(QStringLiteral("compare.above.restore"));
    QCOMPARE(desk.lesson().interventions().size(), std::size_t{1});
    QVERIFY(desk.lesson().knobValue("work") == KnobValue(seconds(25)));
    QCOMPARE(desk.run().baseline(), before); // a change like others
    QCOMPARE(desk->kept().count(), 1);
    QVERIFY(desk.compare().sentence().endsWith(QStringLiteral("No difference.")));
}

void BeforeAndAfterTest::aKeptRunIsRenamedAndDeleted() {
    Desk desk;
    desk.keepAs(QStringLiteral("one"));
    desk.keepAs(QStringLiteral("two"));
    desk.key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    desk.click(QStringLiteral("compare.above.rename"));
    auto* field = desk.child<QLineEdit>(QStringLiteral("compare.above.name"));
    QVERIFY(field->hasFocus());
    QTest::keyClicks(field, QStringLiteral("one")); // over the selected old name
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(desk->kept().name(1), QStringLiteral("two")); // it is taken
    QVERIFY(desk.text(QStringLiteral("toastText")).contains(QStringLiteral("one")));
    desk.click(QStringLiteral("compare.above.rename"));
    QTest::keyClicks(field, QStringLiteral("last"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(desk->kept().name(1), QStringLiteral("last"));
    QCOMPARE(desk.child<QComboBox>(QStringLiteral("compare.above.runs"))->currentText(),
             QStringLiteral("last"));
    desk.click(QStringLiteral("compare.above.remove"));
    QCOMPARE(desk->kept().count(), 1);
    desk.click(QStringLiteral("toastButton")); // Undo
    QCOMPARE(desk->kept().count(), 2);
    QCOMPARE(desk->kept().name(1), QStringLiteral("last"));
}

void BeforeAndAfterTest::withoutAKeptRunItSaysHowToKeepOne() {
    Desk desk;
    desk.key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(desk.sees(QStringLiteral("compare.empty")));
    QCOMPARE(desk.text(QStringLiteral("compare.empty")),
             QStringLiteral("Keep a run with Ctrl+K to compare it."));
    desk.key(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClick(desk.child(QStringLiteral("keepName")), Qt::Key_Return);
    QVERIFY(!desk.sees(QStringLiteral("compare.empty")));
    QVERIFY(desk.sees(QStringLiteral("compare.above")));
}

/// Keys that act on the timeline that two runs have taken the place of.
void BeforeAndAfterTest::whatBelongsToTheOneTimelineBringsItBack() {
    Desk desk(QStringLiteral("toctou"));
    desk.lesson().goTo(5); // shows the strip
    desk.lesson().liftVeil();
    desk.run().pause();
    desk.keepAs(QStringLiteral("mine"));
    for (const auto& [key, modifiers] :
         std::initializer_list<std::pair<Qt::Key, Qt::KeyboardModifiers>>{{Qt::Key_W, {}},
                                                                          {Qt::Key_W, Qt::ShiftModifier},
                                                                          {Qt::Key_L, {}},
                                                                          {Qt::Key_M, {}},
                                                                          {Qt::Key_G, {}}}) {
        desk.key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
        desk.settle();
        QVERIFY(desk.compare().isVisible());
        QVERIFY(!desk.timeline().isVisible());
        desk.key(key, modifiers);
        desk.settle();
        QVERIFY2(desk.timeline().isVisible(), qPrintable(QKeySequence(key).toString()));
        if (key == Qt::Key_L) {
            QVERIFY(desk.sees(QStringLiteral("timeline.legend")));
            QVERIFY(desk.child<QAction>(QStringLiteral("actionLegend"))->isChecked());
            desk.key(Qt::Key_L);
            QVERIFY(!desk.sees(QStringLiteral("timeline.legend")));
        }
        desk.canvas().setFocus();
    }
}

QTEST_MAIN(BeforeAndAfterTest)
#include "before_and_after_test.moc"
