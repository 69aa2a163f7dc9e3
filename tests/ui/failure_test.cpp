// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// "Find a failure" as a person uses it: asked for, waited for, stopped, and read.
#include <QComboBox>
#include <QListWidget>
#include <QPushButton>

#include "tests/ui/window_fixture.h"
#include "ui/bridge/failure_search.h"

using namespace lockscope;
using namespace lockscope::ui;
using namespace lockscope::test;

class FailureTest : public QuietTest {
    Q_OBJECT

private:
    std::unique_ptr<WindowUnderTest> m_window;

    WindowUnderTest& window() { return *m_window; }
    FailureSearch& search() { return *window()->findChild<FailureSearch*>(); }
    /// A lesson's first step, in which nobody is late; with the panel open.
    void at(const char* lesson) {
        window()->openLesson(QLatin1String(lesson));
        if (window().lesson().openQuestion() != nullptr) window().lesson().liftVeil();
        window().run().pause();
        QVERIFY(window().run().run()->violations.empty());
        window().key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(window().sees(QStringLiteral("failurePanel")));
    }
    void chooseBudget(int row) {
        window().child<QComboBox>(QStringLiteral("failureBudget"))->setCurrentIndex(row);
    }
    void wait() {
        if (!QTest::qWaitFor([&] { return search().state() != FailureSearch::State::Searching; }, 60'000))
            qFatal("the search goes on and on");
    }
    QString status() { return window().text(QStringLiteral("failureStatus")); }

private slots:
    void init() {
        QuietTest::init();
        m_window = std::make_unique<WindowUnderTest>(QStringLiteral("stale-del"));
    }
    void cleanup() {
        m_window.reset();
        QuietTest::cleanup();
    }

    void aFailureIsFoundShownAndExplained() {
        at("stale-del");
        // What the lesson is about is chosen already.
        QCOMPARE(window().child<QComboBox>(QStringLiteral("failureInvariant"))->currentText(),
                 QStringLiteral("Deleted another's lock"));
        ProbePool pool;
        ExploreRequest request;
        request.scenario = window().run().scenario();
        request.invariant = Invariant::ForeignDelete;
        request.budget = 1'000'000;
        const Exploration expected = explore(pool, request);

        window().click(QStringLiteral("failureGo"));
        QVERIFY(search().state() == FailureSearch::State::Searching);
        wait();
        QVERIFY(search().state() == FailureSearch::State::Found);
        QVERIFY(window().lesson().interventions() == expected.interventions);
        QVERIFY2(status().startsWith(QLatin1String("Found after")), qPrintable(status()));
        QCOMPARE(status(), qstr(sentenceFor(expected)));

        // It plays to what breaks, and that is selected.
        QTRY_VERIFY_WITH_TIMEOUT(!window().run().playing(), 60'000);
        const Selection selected = window().run().selection();
        QVERIFY(selected.kind == Selection::Kind::Violation);
        const Violation& violation =
            window().run().run()->violations[static_cast<std::size_t>(selected.index)];
        QVERIFY(violation.invariant == Invariant::ForeignDelete);
        QVERIFY(window().run().playhead() == violation.at);

        // The causes, backwards; each leads to its instant.
        auto* causes = window().child<QListWidget>(QStringLiteral("failureCauses"));
        QVERIFY(causes->isVisible());
        QCOMPARE(causes->count(), static_cast<int>(expected.why.size()));
        for (int row : {causes->count() - 1, 0}) {
            causes->scrollToItem(causes->item(row));
            QTest::mouseClick(causes->viewport(), Qt::LeftButton, {},
                              causes->visualItemRect(causes->item(row)).center());
            QVERIFY(window().run().playhead() == expected.why[static_cast<std::size_t>(row)].at);
        }
        QTest::keyClick(causes, Qt::Key_Down);
        QVERIFY(window().run().playhead() == expected.why[1].at);
    }

    void findingNothingSaysWhatWasCovered() {
        at("safe-release");
        chooseBudget(0);
        window().click(QStringLiteral("findFailureButton")); // the same door
        window().click(QStringLiteral("failureGo"));
        wait();
        QVERIFY(search().state() == FailureSearch::State::NotFound);
        QVERIFY(window().lesson().interventions().empty());
        QVERIFY2(status().startsWith(QLatin1String("Not broken in")), qPrintable(status()));
        QVERIFY2(status().contains(QLatin1String("single faults")), qPrintable(status()));
        QVERIFY(!status().contains(QLatin1String("safe")));
        QVERIFY(!window().sees(QStringLiteral("failureCauses")));
        QVERIFY(!window().sees(QStringLiteral("failurePlay")));
    }

    void itIsStoppedByHand() {
        at("safe-release");
        chooseBudget(3);
        window().click(QStringLiteral("failureGo"));
        QVERIFY(window().sees(QStringLiteral("failureProgress")));
        QTRY_VERIFY_WITH_TIMEOUT(search().progress().schedules > 0, 60'000);
        QVERIFY2(status().contains(QLatin1String("schedules so far")), qPrintable(status()));
        QCOMPARE(window().text(QStringLiteral("failureGo")), QStringLiteral("Stop"));
        QTest::keyClick(window().child(QStringLiteral("failureGo")), Qt::Key_Escape);
        QVERIFY(search().state() == FailureSearch::State::Stopped);
        QTRY_VERIFY_WITH_TIMEOUT(search().result() != nullptr, 60'000);
        QVERIFY2(status().contains(QLatin1String("stopped by hand")), qPrintable(status()));
        QVERIFY(!window().sees(QStringLiteral("failureProgress")));
        // Once more closes it.
        QTest::keyClick(window().child(QStringLiteral("failureGo")), Qt::Key_Escape);
        QVERIFY(!window().sees(QStringLiteral("failurePanel")));
    }

    void aChangedRunEndsTheSearch() {
        at("safe-release");
        chooseBudget(3);
        window().click(QStringLiteral("failureGo"));
        window().lesson().setKnob("ttl", KnobValue{seconds(40)});
        QVERIFY(search().state() == FailureSearch::State::RunChanged);
        QVERIFY2(status().contains(QLatin1String("was changed")), qPrintable(status()));
        // Whatever the old search still had under way is not taken for an answer.
        window().lesson().setKnob("ttl", KnobValue{seconds(30)});
        chooseBudget(0);
        window().click(QStringLiteral("failureGo"));
        wait();
        QVERIFY(search().state() == FailureSearch::State::NotFound);
        QVERIFY(search().result()->schedules < 30'000);
    }

    void itTellsNothingBeforeTheAnswer() {
        QVERIFY(window().lesson().openQuestion() != nullptr);
        window().key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!window().child<QPushButton>(QStringLiteral("failureGo"))->isEnabled());
        QVERIFY2(status().contains(QLatin1String("question first")), qPrintable(status()));
        window().lesson().liftVeil();
        QVERIFY(window().child<QPushButton>(QStringLiteral("failureGo"))->isEnabled());
    }

    void aQuestionThatComesUpEndsTheSearch() {
        at("safe-release");
        chooseBudget(3);
        window().click(QStringLiteral("failureGo"));
        QVERIFY(search().state() == FailureSearch::State::Searching);
        window().run().setVeil(instantAt(seconds(1)));
        QVERIFY(search().state() == FailureSearch::State::Idle);
        QVERIFY2(status().contains(QLatin1String("question first")), qPrintable(status()));
        window().run().setVeil(kNever);
        chooseBudget(0);
        window().click(QStringLiteral("failureGo"));
        wait();
        QVERIFY(search().state() == FailureSearch::State::NotFound);
        QVERIFY(search().result()->schedules < 30'000); // the first one's answer was not taken
    }

    void whatWasFoundIsVeiledWithTheRun() {
        at("stale-del");
        window().click(QStringLiteral("failureGo"));
        wait();
        QVERIFY(search().state() == FailureSearch::State::Found);
        QVERIFY(window().sees(QStringLiteral("failureCauses")));
        window().run().setVeil(instantAt(seconds(1)));
        QVERIFY(!window().sees(QStringLiteral("failureCauses")));
        QVERIFY(!window().sees(QStringLiteral("failurePlay")));
        QVERIFY2(status().contains(QLatin1String("question first")), qPrintable(status()));
    }

    void theRunsOwnFaultsAreLeftOutUnlessWanted() {
        at("stale-del");
        window().lesson().addIntervention({InterventionKind::Kill, "Server C", instantAt(seconds(5)), {}});
        QVERIFY(window().sees(QStringLiteral("failureKeepFaults")));
        window().click(QStringLiteral("failureGo"));
        wait();
        QVERIFY(search().state() == FailureSearch::State::Found);
        for (const Intervention& fault : window().lesson().interventions())
            QVERIFY(fault.kind != InterventionKind::Kill);
    }
};

QTEST_MAIN(FailureTest)
#include "failure_test.moc"
