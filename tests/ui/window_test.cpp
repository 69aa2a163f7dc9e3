// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A learner at the window: real keys and real clicks on an offscreen window over the real simulator and the
// shipped lessons. What is checked is what can be seen.
#include <QAbstractItemModel>
#include <QClipboard>
#include <QMenu>
#include <QMenuBar>
#include <QSlider>
#include <QStyleOptionFrame>
#include <QTableView>

#include "core/trace/wording.h"
#include "tests/ui/on_canvas.h"
#include "tests/ui/window_fixture.h"
#include "ui/bridge/what_if.h"
#include "ui/panels/code_view.h"
#include "ui/panels/duration_field.h"
#include "ui/panels/event_list.h"
#include "ui/panels/event_model.h"
#include "ui/panels/key_inspector.h"
#include "ui/panels/lights_bar.h"
#include "ui/panels/option_button.h"
#include "ui/panels/side_panel.h"
#include "ui/panels/ttl_bar.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::test::at;
using lockscope::test::QuietTest;
using lockscope::test::WindowUnderTest;

namespace {

QString optionName(int i) {
    return QStringLiteral("option%1").arg(QChar(u'A' + i));
}

/// Where an instant stands on the canvas, in its own pixels.
double xOf(TimelineCanvas& canvas, Instant instant) {
    double low = 0, high = canvas.width();
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (canvas.instantAtX(middle) < instant ? low : high) = middle;
    }
    return high;
}

} // namespace

class WindowTest : public QuietTest {
    Q_OBJECT
private slots:
    void theFirstStartOpensTheFirstStep();
    void throughTheLessonAndBack_data();
    void throughTheLessonAndBack();
    void theVeilCoversEveryPanel();
    void everyPanelShowsTheWorldAtThePlayhead();
    void emptyStatesNameTheCause();
    void theRulerScrubs();
    void pauseResumeKillAndRestartByKey();
    void pauseAndKillByButtonAndChip();
    void theLaneMenuActsWhereItWasAsked();
    void aLightLeadsToItsViolation();
    void knobsBySliderAndByText();
    void oneSelectionForTheWholeWindow();
    void theEventListFiltersAndMovesThePlayhead();
    void manyFaultsPushNothingOut_data();
    void manyFaultsPushNothingOut();
    void theStripsLengthIsTheSteps();

private:
    /// Answers whatever the step asks, correctly, and stops what then moves.
    void answer(WindowUnderTest& window);
};

void WindowTest::answer(WindowUnderTest& window) {
    if (const Prediction* question = window.lesson().openQuestion()) {
        window.click(optionName(rightOption(*question)));
        window.key(Qt::Key_Return, Qt::ControlModifier);
    }
    QVERIFY(window.lesson().openQuestion() == nullptr);
    window.run().pause();
}

void WindowTest::manyFaultsPushNothingOut_data() {
    QTest::addColumn<int>("count");
    QTest::newRow("none") << 0;
    QTest::newRow("thirteen") << 13;
    QTest::newRow("a thousand") << 1000;
}

void WindowTest::manyFaultsPushNothingOut() {
    QFETCH(int, count);
    WindowUnderTest window(QStringLiteral("expiry"));
    answer(window);
    Setup many = window.lesson().setup();
    for (int i = 0; i < count; ++i)
        many.interventions.push_back(
            {InterventionKind::Pause, "Server A", at(1 + i * 0.02), Duration{millis(1)}});
    QCOMPARE(window.lesson().change(many, QStringLiteral("many")), QString());
    window.settle();
    const auto whole = [&](const char* name) {
        const QWidget* widget = window.child(QLatin1String(name));
        const QRect place(widget->mapTo(&*window, QPoint()), widget->size());
        return widget->isVisible() && window->rect().contains(place);
    };
    QVERIFY(whole("transportBar"));
    QVERIFY(whole("lightsBar"));
    QVERIFY(whole("outcomeLine"));
    QVERIFY(window.child(QStringLiteral("timeline"))->height() > window->height() / 3);
    if (count == 0) return;
    // The last one is scrolled to when it is picked.
    window.run().select({Selection::Kind::Intervention, count - 1});
    QVERIFY(window.sees(QStringLiteral("fault%1").arg(count)));
    window.click(QStringLiteral("removeFault%1").arg(count));
    QCOMPARE(window.lesson().interventions().size(), static_cast<std::size_t>(count - 1));
}

void WindowTest::theStripsLengthIsTheSteps() {
    WindowUnderTest window(QStringLiteral("expiry"));
    answer(window);
    auto* field = window.child<DurationField>(QStringLiteral("pauseLength"));
    const Duration usual = field->value();
    window->findChild<WhatIf*>()->setPauseLength(Duration{270'650});
    QCOMPARE(field->text(), QStringLiteral("270.65ms"));
    window.settle();
    // All of it can be read.
    QVERIFY(field->cursorPosition() == 0);
    QStyleOptionFrame option;
    option.initFrom(field);
    const QRect room = field->style()->subElementRect(QStyle::SE_LineEditContents, &option, field);
    QVERIFY(field->fontMetrics().horizontalAdvance(field->text()) < room.width());
    window.key(Qt::Key_PageDown);
    QCOMPARE(window.lesson().step(), 1);
    QCOMPARE(field->value().count(), usual.count());
}

void WindowTest::theFirstStartOpensTheFirstStep() {
    WindowUnderTest window;
    QVERIFY(QApplication::activeModalWidget() == nullptr);
    QCOMPARE(window->lesson().step(), 0);
    QCOMPARE(window.text(QStringLiteral("stepLabel")),
             QStringLiteral("Step 1 of %1").arg(window.lesson().stepCount()));
    QVERIFY(window.text(QStringLiteral("lessonTitle")).contains(qstr(window.lesson().lesson()->title)));
    QVERIFY(window.sees(QStringLiteral("invitation")));
    QVERIFY(window.text(QStringLiteral("invitationText")).contains(QStringLiteral("Answer the question")));
    QVERIFY(window.sees(QStringLiteral("timeline")));
    QVERIFY(window.sees(QStringLiteral("proseView")));
    QCOMPARE(window.text(QStringLiteral("worldBadge")), QStringLiteral("Simulated"));
    QVERIFY(!window.sees(QStringLiteral("sidePanel"))); // no step has asked for it yet
    QVERIFY(window->windowTitle().contains(qstr(window.lesson().lesson()->title)));

    // Once there is something to take hold of, it asks for that; which makes it go, and it does not come
    // back.
    window.click(QStringLiteral("toQuestionButton"));
    answer(window);
    QVERIFY(window.text(QStringLiteral("invitationText")).contains(QStringLiteral("press P")));
    window.run().setPlayhead(at(12));
    window.key(Qt::Key_P);
    QCOMPARE(window.lesson().interventions().size(), std::size_t{1});
    QVERIFY(!window.sees(QStringLiteral("invitation")));
    window.close();
    window.start();
    QVERIFY(!window.sees(QStringLiteral("invitation")));
}

void WindowTest::throughTheLessonAndBack_data() {
    QTest::addColumn<QString>("lesson");
    QTest::newRow("expiry") << QStringLiteral("expiry");
    QTest::newRow("stale-del") << QStringLiteral("stale-del");
}

void WindowTest::throughTheLessonAndBack() {
    QFETCH(QString, lesson);
    WindowUnderTest window(lesson, QSize(1920, 1080));
    const int steps = window.lesson().stepCount();
    QVERIFY(steps >= 3);
    QVERIFY(!window.child<QWidget>(QStringLiteral("backButton"))->isEnabled());
    for (int i = 0; i < steps; ++i) {
        const Step& step = *window.lesson().currentStep();
        QCOMPARE(window.lesson().step(), i);
        QCOMPARE(window.text(QStringLiteral("stepTitle")), qstr(step.title));
        QCOMPARE(window.sees(QStringLiteral("proseView")), !step.prose.empty());
        QCOMPARE(window.sees(QStringLiteral("lightsBar")), window.lesson().shows(Panel::Lights));
        QCOMPARE(window.sees(QStringLiteral("knobPanel")), window.lesson().shows(Panel::Knobs));
        QCOMPARE(window.sees(QStringLiteral("keyInspector")), window.lesson().shows(Panel::Key));
        QCOMPARE(window.sees(QStringLiteral("codePanel")), window.lesson().shows(Panel::Code));
        if (window.lesson().shows(Panel::Events)) window->findChild<SidePanel*>()->setDrawerOpen(true);
        QCOMPARE(window.sees(QStringLiteral("eventList")), window.lesson().shows(Panel::Events));
        QCOMPARE(window.sees(QStringLiteral("predictionCard")), !step.predictions.empty());
        if (const Prediction* question = window.lesson().openQuestion()) {
            QCOMPARE(window.run().veil(), question->gate);
            QVERIFY(!window.child<QWidget>(QStringLiteral("checkButton"))->isEnabled());
            const int right = rightOption(*question);
            const int given = i % static_cast<int>(question->options.size()); // now right, now wrong
            window.click(optionName(given));
            window.click(QStringLiteral("checkButton"));
            QCOMPARE(window.run().veil(), kNever);
            QCOMPARE(window.lesson().answer()->option, given);
            QVERIFY(window.child(QStringLiteral("explanation"))->isVisible());
            QVERIFY(!window.child(QStringLiteral("checkButton"))->isVisible());
            auto* rightButton = window.child<OptionButton>(optionName(right));
            QCOMPARE(rightButton->verdict(), OptionButton::Verdict::Right);
            QVERIFY(rightButton->remark().contains(QStringLiteral("what happens")));
            QVERIFY(window.child<OptionButton>(optionName(given))
                        ->remark()
                        .contains(QStringLiteral("your answer")));
            QVERIFY(window.text(QStringLiteral("predictionOutcome"))
                        .contains(qstr(sentenceFor(window.run().run()->outcome))));
            QVERIFY(window.run().playing());
            window.key(Qt::Key_Escape);
            QVERIFY(!window.run().playing());
        }
        window.key(Qt::Key_PageDown);
    }
    QVERIFY(window.sees(QStringLiteral("summary"))); // after the last step
    QCOMPARE(window.text(QStringLiteral("nextButton")), QStringLiteral("Next lesson"));
    window.key(Qt::Key_PageUp);
    QCOMPARE(window.lesson().step(), steps - 1);
    for (int i = steps - 2; i >= 0; --i) {
        if (i % 2 == 0)
            window.key(Qt::Key_PageUp);
        else
            window.click(QStringLiteral("backButton"));
        QCOMPARE(window.lesson().step(), i);
        if (window.lesson().question() != nullptr)
            QVERIFY(window.child(QStringLiteral("explanation"))->isVisible()); // the answer is kept
    }
}

void WindowTest::theVeilCoversEveryPanel() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.lesson().goTo(2); // asks at 50.9 s, with events and code
    const Instant gate = window.lesson().openQuestion()->gate;
    QVERIFY(gate < window.run().run()->trace->reached);
    window.key(Qt::Key_3, Qt::ControlModifier); // the events
    auto& events = window->findChild<EventList*>()->model();
    QVERIFY(events.rowCount() > 0);
    const int last = events.eventAt(events.rowCount() - 1);
    QVERIFY(window.run().run()->trace->events[static_cast<std::size_t>(last)].at <= gate);
    QVERIFY(window.text(QStringLiteral("outcomeLine")).contains(QStringLiteral("veiled")));
    window.key(Qt::Key_End);
    QCOMPARE(window.run().playhead(), gate);
    QCOMPARE(window.child<Light>(QStringLiteral("light_foreign-delete"))->episodes(),
             1); // the second lies behind
    window.key(Qt::Key_V);
    QVERIFY(window.run().playhead() <= gate);
    window.key(Qt::Key_R); // the host lifts it
    QCOMPARE(window.run().veil(), kNever);
    window.key(Qt::Key_End);
    QCOMPARE(window.child<Light>(QStringLiteral("light_foreign-delete"))->episodes(), 2);
    QVERIFY(window.text(QStringLiteral("outcomeLine")).contains(QStringLiteral("Report made")));
    QVERIFY(events.rowCount() > last + 1);
}

void WindowTest::everyPanelShowsTheWorldAtThePlayhead() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.lesson().goTo(2);
    answer(window);
    window.key(Qt::Key_3, Qt::ControlModifier);
    const auto owner = [&] { return window.child<BadgeLabel>(QStringLiteral("keyOwner")); };
    auto* code = window.child<CodeView>(QStringLiteral("codeView"));

    window.run().setPlayhead(at(10));
    QCOMPARE(owner()->text(), QStringLiteral("Server A"));
    QCOMPARE(owner()->actor(), 0);
    QVERIFY(window.text(QStringLiteral("ttlLeft")).contains(QStringLiteral("20.2 s left")));
    QVERIFY(window.text(QStringLiteral("ttlLeft")).contains(QStringLiteral("30.201 s")));
    QVERIFY(std::abs(window.child<TtlBar>(QStringLiteral("ttlBar"))->share() - 20.2 / 30) < 0.01);
    QVERIFY(!window.text(QStringLiteral("keyValue")).isEmpty());
    QCOMPARE(window.text(QStringLiteral("keyType")), QStringLiteral("string"));
    QVERIFY(window.text(QStringLiteral("keyExistence")).startsWith(QStringLiteral("yes")));
    QCOMPARE(window.child<QTableView>(QStringLiteral("keyHistory"))->model()->rowCount(), 1);
    QVERIFY(!code->actorLines().empty());
    QVERIFY(window.text(QStringLiteral("codeWhere")).contains(QStringLiteral("Server A at line")));
    QCOMPARE(window.text(QStringLiteral("timeLabel")), QStringLiteral("10.0 s"));
    QCOMPARE(window.child<Light>(QStringLiteral("light_foreign-delete"))->passed(), 0);

    // Somebody outside has no colour of their own.
    const auto* bar = window.child<TtlBar>(QStringLiteral("ttlBar"));
    QCOMPARE(bar->fill(), window->look().actor(0));
    window.lesson().addIntervention(
        {InterventionKind::Admin, serverName(0), at(9), {}, "SET lock:report mine PX 30000"});
    window.run().setPlayhead(at(10));
    QCOMPARE(bar->fill(), window->look().color(Role::Outside));
    window.lesson().history().undo();

    const auto linesAt10 = code->actorLines();
    window.run().setPlayhead(at(40));
    QCOMPARE(owner()->text(), QStringLiteral("Server B"));
    QVERIFY(code->actorLines() != linesAt10);
    QCOMPARE(window.child<Light>(QStringLiteral("light_belief-overlap"))->passed(), 1);

    window.run().setPlayhead(at(46.5));
    QCOMPARE(owner()->text(), QStringLiteral("Server C"));
    QCOMPARE(window.child<Light>(QStringLiteral("light_foreign-delete"))->passed(), 1);
    auto* view = window.child<QTableView>(QStringLiteral("eventView"));
    const auto& model = window->findChild<EventList*>()->model();
    const Event& current = window.run().run()->trace->events[static_cast<std::size_t>(
        model.eventAt(view->currentIndex().row()))];
    QVERIFY(current.at <= at(46.5) && current.at > at(46));

    // Between the end of the lease and the removal, the key is there and not there.
    window.run().setPlayhead(at(30.201));
    window.key(Qt::Key_Right);
    const auto run = window.run().run();
    Instant ended = kNever, removed = kNever;
    for (const Event& event : run->trace->events) {
        if (event.kind == EventKind::LeaseEnded) ended = std::min(ended, event.at);
        if (event.kind == EventKind::KeyRemoved) removed = std::min(removed, event.at);
    }
    if (removed - ended > millis(1)) {
        window.run().setPlayhead(ended + (removed - ended) / 2);
        QCOMPARE(owner()->text(), QStringLiteral("nobody"));
        QVERIFY(window.text(QStringLiteral("keyExistence")).contains(QStringLiteral("lies in memory")));
    }
}

void WindowTest::emptyStatesNameTheCause() {
    WindowUnderTest window(QStringLiteral("expiry"), QSize(1920, 1080));
    window.lesson().goTo(1);
    answer(window);
    window.run().setPlayhead(at(30.9));
    QCOMPARE(window.text(QStringLiteral("keyEmpty")),
             QStringLiteral("No lock key at 30.9 s. Server A's lease ended at 30.2 s."));
    window.run().setPlayhead(at(0.1));
    QVERIFY(window.text(QStringLiteral("keyEmpty")).contains(QStringLiteral("Press Space")));
    window.key(Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("no such thing"));
    QVERIFY(window.text(QStringLiteral("eventsEmpty")).contains(QStringLiteral("no such thing")));
}

void WindowTest::theRulerScrubs() {
    WindowUnderTest window(QStringLiteral("expiry"));
    answer(window);
    TimelineCanvas& canvas = window->findChild<TimelineView*>()->canvas();
    const auto place = [&](double s) { return QPoint(qRound(xOf(canvas, at(s))), canvas.rulerHeight() / 2); };
    QTest::mousePress(&canvas, Qt::LeftButton, Qt::NoModifier, place(5));
    QTest::mouseMove(&canvas, place(12));
    QVERIFY2(std::abs(window.playheadSeconds() - 12) < 0.3,
             qPrintable(QString::number(window.playheadSeconds())));
    QVERIFY(window.text(QStringLiteral("timeLabel")).startsWith(QStringLiteral("1")));
    QTest::mouseMove(&canvas, place(18));
    QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::NoModifier, place(18));
    QVERIFY(std::abs(window.playheadSeconds() - 18) < 0.3);
}

void WindowTest::pauseResumeKillAndRestartByKey() {
    WindowUnderTest window(QStringLiteral("expiry"));
    answer(window);
    QVERIFY(window.run().run()->violations.empty());
    window.run().setPlayhead(at(12));
    window.key(Qt::Key_P, Qt::ShiftModifier);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("25"));
    window.key(Qt::Key_Return);
    window->setFocus();
    window.key(Qt::Key_P);
    QCOMPARE(window.lesson().interventions().size(), std::size_t{1});
    QVERIFY(window.lesson().interventions().front() ==
            (Intervention{InterventionKind::Pause, "Server A", at(12), seconds(25)}));
    QVERIFY(!window.run().run()->violations.empty());
    QCOMPARE(window.text(QStringLiteral("toastText")), QStringLiteral("Server A paused 25.0 s at 12.0 s"));
    QVERIFY(window.sees(QStringLiteral("fault1")));
    QCOMPARE(window.run().selection(), (Selection{Selection::Kind::Intervention, 0}));
    QVERIFY(window.sees(QStringLiteral("resetStepButton")));

    window.run().setPlayhead(at(15));
    window.key(Qt::Key_U);
    QCOMPARE(window.lesson().interventions().front().length, Duration{seconds(3)});
    QVERIFY(window.run().run()->violations.empty());
    window.run().select({Selection::Kind::Intervention, 0});
    window.key(Qt::Key_Delete);
    QVERIFY(window.lesson().interventions().empty());

    window.run().setPlayhead(at(10));
    window.key(Qt::Key_K);
    QVERIFY(window.lesson().interventions().front() ==
            (Intervention{InterventionKind::Kill, "Server A", at(10), Duration{0}}));
    QVERIFY(window.run().run()->violations.empty());
    window.run().setPlayhead(at(15));
    QVERIFY(!window.child<QAction>(QStringLiteral("actionKill"))->isEnabled()); // it is dead already
    window.click(QStringLiteral("killButton"));
    QVERIFY(window.text(QStringLiteral("toastText")).startsWith(QStringLiteral("Server A does not run at")));
    QCOMPARE(window.lesson().interventions().size(), std::size_t{1});
    window.key(Qt::Key_T);
    QCOMPARE(window.lesson().interventions().size(), std::size_t{2});
    QCOMPARE(window.run().run()->trace->processes.size(), std::size_t{3});

    window.key(Qt::Key_2); // Server B
    window.key(Qt::Key_K);
    QCOMPARE(window.lesson().interventions().back().actor, std::string("Server B"));

    window.key(Qt::Key_R, Qt::ControlModifier);
    QVERIFY(window.lesson().interventions().empty());
    QVERIFY(window.sees(QStringLiteral("ownRunButton")));
    window.click(QStringLiteral("ownRunButton"));
    QCOMPARE(window.lesson().interventions().size(), std::size_t{3});
}

void WindowTest::pauseAndKillByButtonAndChip() {
    WindowUnderTest window(QStringLiteral("expiry"));
    answer(window);
    window.run().setPlayhead(at(5));
    window.click(QStringLiteral("actorB"));
    window.click(QStringLiteral("killButton"));
    QCOMPARE(window.lesson().interventions().back().actor, std::string("Server B"));
    window.click(QStringLiteral("actorA"));
    window.click(QStringLiteral("pauseButton"));
    QCOMPARE(window.lesson().interventions().size(), std::size_t{2});
    window.click(QStringLiteral("fault1"));
    QCOMPARE(window.run().selection(), (Selection{Selection::Kind::Intervention, 0}));
    window.click(QStringLiteral("removeFault1"));
    QCOMPARE(window.lesson().interventions().size(), std::size_t{1});
    QCOMPARE(window.lesson().interventions().front().kind, InterventionKind::Pause);
    window.run().setPlayhead(at(8));
    window.click(QStringLiteral("resumeButton"));
    QCOMPARE(window.lesson().interventions().front().length, Duration{seconds(3)});
    window.run().setPlayhead(at(9));
    window.click(QStringLiteral("killButton"));
    window.click(QStringLiteral("toastButton")); // Undo
    QCOMPARE(window.lesson().interventions().size(), std::size_t{1});
    QVERIFY(!window.sees(QStringLiteral("toast")));
}

void WindowTest::theLaneMenuActsWhereItWasAsked() {
    WindowUnderTest window(QStringLiteral("expiry"));
    answer(window);
    TimelineCanvas& canvas = window->findChild<TimelineView*>()->canvas();
    const Band* band = canvas.lanes().actorBand(1);
    QVERIFY(band != nullptr);
    const QPoint where(qRound(xOf(canvas, at(9))),
                       qRound(canvas.rulerHeight() + band->top + band->height / 2));
    QContextMenuEvent ask(QContextMenuEvent::Mouse, where, canvas.mapToGlobal(where));
    QApplication::sendEvent(&canvas, &ask);
    auto* menu = window->findChild<QMenu*>(QStringLiteral("laneMenu"));
    QVERIFY(menu != nullptr && menu->isVisible());
    window->findChild<QAction*>(QStringLiteral("lanePause"))->trigger();
    menu->close();
    QCOMPARE(window.lesson().interventions().size(), std::size_t{1});
    const Intervention& fault = window.lesson().interventions().front();
    QCOMPARE(fault.actor, std::string("Server B"));
    QVERIFY(std::abs(static_cast<double>(micros(fault.at)) / 1e6 - 9) < 0.3);
}

void WindowTest::aLightLeadsToItsViolation() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().goTo(2);
    answer(window);
    window.key(Qt::Key_Home);
    QCOMPARE(window.child<Light>(QStringLiteral("light_foreign-delete"))->passed(), 0);
    QCOMPARE(window.child<Light>(QStringLiteral("light_foreign-delete"))->episodes(), 2); // yet to come
    window.click(QStringLiteral("light_foreign-delete"));
    QVERIFY(std::abs(window.playheadSeconds() - 45.2) < 0.1);
    QCOMPARE(window.run().selection().kind, Selection::Kind::Violation);
    QCOMPARE(window.child<Light>(QStringLiteral("light_foreign-delete"))->passed(), 1);
    window.click(QStringLiteral("light_foreign-delete")); // and on to the next one
    QVERIFY(std::abs(window.playheadSeconds() - 51) < 0.1);
    QCOMPARE(window.child<Light>(QStringLiteral("light_foreign-delete"))->passed(), 2);

    QVERIFY(!window.sees(QStringLiteral("light_starvation"))); // not what this lesson is about
    window.click(QStringLiteral("moreLights"));
    QVERIFY(window.sees(QStringLiteral("light_starvation")));

    window.key(Qt::Key_Home);
    std::vector<Instant> met;
    for (std::size_t i = 0; i < window.run().run()->violations.size(); ++i) {
        window.key(Qt::Key_V);
        met.push_back(window.run().playhead());
    }
    for (std::size_t i = 0; i < met.size(); ++i)
        QCOMPARE(met[i], window.run().run()->violations[i].at);
    window.key(Qt::Key_V);
    QVERIFY(window.text(QStringLiteral("toastText")).contains(QStringLiteral("Nothing more")));
    window.key(Qt::Key_V, Qt::ShiftModifier);
    QCOMPARE(window.run().playhead(), met[met.size() - 2]);
}

void WindowTest::knobsBySliderAndByText() {
    WindowUnderTest window(QStringLiteral("expiry"));
    window.lesson().goTo(2); // "Break it yourself"
    QVERIFY(window.sees(QStringLiteral("knobPanel")));
    QVERIFY(window.run().run()->violations.empty());
    auto* slider = window.child<QSlider>(QStringLiteral("knob_work"));
    auto* field = window.child<QLineEdit>(QStringLiteral("knobField_work"));
    slider->setFocus();
    const Instant before = window.run().playhead();
    QTest::keyClick(slider, Qt::Key_End); // the slider's, not the playhead's, while it has the focus
    QCOMPARE(window.run().playhead(), before);
    QVERIFY(window.lesson().knobValue("work") == KnobValue(seconds(60)));
    QCOMPARE(field->text(), QStringLiteral("1m"));
    QVERIFY(!window.run().run()->violations.empty());

    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("25 s"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(window.lesson().knobValue("work") == KnobValue(seconds(25)));
    QVERIFY(window.run().run()->violations.empty());

    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("2h"));
    QVERIFY(window.text(QStringLiteral("knobProblem")).contains(QStringLiteral("1m")));
    QVERIFY(window.lesson().knobValue("work") == KnobValue(seconds(25)));
    QTest::keyClick(field, Qt::Key_Escape);
    QCOMPARE(field->text(), QStringLiteral("25s"));
    QVERIFY(!window.sees(QStringLiteral("knobProblem")));

    QTest::keyClicks(field, QStringLiteral(" ")); // a blank is a character here, not Play
    QVERIFY(!window.run().playing());
}

void WindowTest::oneSelectionForTheWholeWindow() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.lesson().goTo(2);
    answer(window);
    window.key(Qt::Key_3, Qt::ControlModifier);
    window.click(QStringLiteral("light_foreign-delete"));
    auto* code = window.child<CodeView>(QStringLiteral("codeView"));
    const QString selected = code->lineText(code->selectedLine());
    QVERIFY2(selected.contains(QStringLiteral("DEL")),
             qPrintable(QStringLiteral("line %1: %2").arg(code->selectedLine()).arg(selected)));

    // A moment of the key's history is an event, and so it is everywhere.
    auto* history = window.child<QTableView>(QStringLiteral("keyHistory"));
    const QModelIndex oldest = history->model()->index(history->model()->rowCount() - 1, 1);
    QTest::mouseClick(history->viewport(), Qt::LeftButton, Qt::NoModifier,
                      history->visualRect(oldest).center());
    QCOMPARE(window.run().selection().kind, Selection::Kind::Event);
    const Event& event =
        window.run().run()->trace->events[static_cast<std::size_t>(window.run().selection().index)];
    QCOMPARE(event.kind, EventKind::KeyWritten);
    QVERIFY(code->lineText(code->selectedLine()).contains(QStringLiteral("SET")));
    window.key(Qt::Key_Escape);
    QCOMPARE(window.run().selection(), Selection{});
    QCOMPARE(code->selectedLine(), 0);
}

void WindowTest::theEventListFiltersAndMovesThePlayhead() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.lesson().goTo(2);
    answer(window);
    window.key(Qt::Key_F, Qt::ControlModifier);
    auto* list = window->findChild<EventList*>();
    const int all = list->model().rowCount();
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("DEL"));
    QTRY_VERIFY(!list->model().filtering());
    QVERIFY(list->model().rowCount() > 0 && list->model().rowCount() < all);
    for (int row = 0; row < list->model().rowCount(); ++row)
        QVERIFY(list->model()
                    .index(row, EventModel::TextColumn)
                    .data()
                    .toString()
                    .contains(QStringLiteral("DEL"), Qt::CaseInsensitive));
    const QModelIndex first = list->model().index(0, EventModel::TextColumn);
    QTest::mouseClick(list->view().viewport(), Qt::LeftButton, Qt::NoModifier,
                      list->view().visualRect(first).center());
    const int event = list->model().eventAt(0);
    QCOMPARE(window.run().selection(), (Selection{Selection::Kind::Event, event}));
    QCOMPARE(window.run().playhead(), window.run().run()->trace->events[static_cast<std::size_t>(event)].at);
    list->view().setFocus();
    QTest::keyClick(&list->view(), Qt::Key_Down);
    QCOMPARE(window.run().selection().index, list->model().eventAt(1));
}

QTEST_MAIN(WindowTest)
#include "window_test.moc"
