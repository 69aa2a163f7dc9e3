// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Another throw of the dice, in lessons that leave something to chance, and none where there is none.
#include <QAction>
#include <QPushButton>

#include "tests/ui/window_fixture.h"

using namespace lockscope;
using namespace lockscope::ui;
using namespace lockscope::test;

class ChanceTest : public QuietTest {
    Q_OBJECT

private:
    std::unique_ptr<WindowUnderTest> m_window;

    WindowUnderTest& window() { return *m_window; }
    void open(const char* lesson, int step) {
        m_window = std::make_unique<WindowUnderTest>(QString::fromLatin1(lesson), QSize(1280, 900));
        window()->openLesson(QString::fromLatin1(lesson), step);
        window().settle();
    }
    int stepCalled(const char* title) {
        const std::vector<Step>& steps = window().lesson().lesson()->steps;
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i].title == title) return static_cast<int>(i);
        qFatal("there is no step %s", title);
    }
    /// Under many knobs it may have to be scrolled to.
    bool isThere() {
        window().settle();
        return window().child<QWidget>(QStringLiteral("throwAgain"))->isVisible();
    }
    QLineEdit& field() { return *window().child<QLineEdit>(QStringLiteral("seedField")); }
    QAction& action() { return *window().child<QAction>(QStringLiteral("actionThrowAgain")); }
    /// Who was granted the lock, in order.
    QString grants() {
        QString out;
        const Run& run = *window().run().run();
        for (const Grant& grant : run.analysis.grants)
            out += QString::fromStdString(run.trace->actors[static_cast<std::size_t>(grant.actor)].name)
                       .right(1);
        return out;
    }

private slots:
    void cleanup() {
        m_window.reset();
        QuietTest::cleanup();
    }

    void aThrowIsARunOfItsOwnAndCanBeUndone() {
        open("waiting", 1); // polls with jitter
        QVERIFY(window().sees(QStringLiteral("throwAgain")));
        QCOMPARE(field().text(), QStringLiteral("1"));
        QCOMPARE(grants(), QStringLiteral("ACB"));

        window().key(Qt::Key_Z);
        QCOMPARE(field().text(), QStringLiteral("2"));
        QCOMPARE(grants(), QStringLiteral("ABC"));
        window().click(QStringLiteral("throwAgain"));
        QCOMPARE(window().lesson().seed(), std::uint64_t{3});
        QCOMPARE(grants(), QStringLiteral("ACB"));

        window().key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(grants(), QStringLiteral("ABC"));
        window().key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field().text(), QStringLiteral("1"));
        QCOMPARE(grants(), QStringLiteral("ACB"));
        window().key(Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(grants(), QStringLiteral("ABC"));

        QVERIFY(window().lesson().changedFromStep());
        QVERIFY(window().lesson().commandLine().endsWith(QStringLiteral(" --seed 2")));
        QCOMPARE(window().lesson().settled().seed, std::uint64_t{2});
        window().lesson().resetStep();
        QCOMPARE(field().text(), QStringLiteral("1"));
    }

    void aSeedCanBeWritten() {
        open("waiting", 1);
        const auto writes = [&](const char* text) {
            window().click(QStringLiteral("seedField"));
            field().selectAll();
            QTest::keyClicks(&field(), QString::fromLatin1(text));
            QTest::keyClick(&field(), Qt::Key_Return);
            window().settle();
        };
        writes("18446744073709551615");
        QCOMPARE(window().lesson().seed(), ~std::uint64_t{0});
        QVERIFY(!window().sees(QStringLiteral("knobProblem")));
        window().click(QStringLiteral("throwAgain"));
        QCOMPARE(field().text(), QStringLiteral("0")); // there is no end to them
        writes("-3");
        QCOMPARE(window().lesson().seed(), std::uint64_t{0});
        QCOMPARE(field().text(), QStringLiteral("0"));
        QVERIFY(window().text(QStringLiteral("knobProblem")).contains(QStringLiteral("Seed '-3'")));
        writes("4");
        QVERIFY(!window().sees(QStringLiteral("knobProblem")));
        QCOMPARE(window().lesson().seed(), std::uint64_t{4});
    }

    /// The keys that are to be dropped are drawn; where none is to go there is nothing to draw.
    void itIsThereWhereSomethingIsDrawn() {
        open("eviction", 0);
        window()->openLesson(QStringLiteral("eviction"), stepCalled("Why this one?"));
        QVERIFY(isThere());
        QVERIFY(action().isEnabled());
        window()->openLesson(QStringLiteral("eviction"), stepCalled("It fails loudly"));
        QVERIFY(window().child<QWidget>(QStringLiteral("knobPanel"))->isVisible());
        QVERIFY(!isThere());
        QVERIFY(!action().isEnabled());
        window().lesson().setKnob("policy", std::string("allkeys-random"));
        QVERIFY(isThere());
    }

    /// Each server draws its token, and no run is another one for that.
    void tokensAreNoMatterOfChance() {
        open("toctou", 6);
        QVERIFY(window().child<QWidget>(QStringLiteral("knobPanel"))->isVisible());
        QVERIFY(!isThere());
        QVERIFY(!action().isEnabled());
    }

    void theKeyWorksWhereTheKnobsAreHidden() {
        open("waiting", 0);
        window().lesson().setKnob("way", std::string("poll with jitter"));
        QVERIFY(!isThere());
        window().lesson().answerQuestion(1);
        window().key(Qt::Key_Z);
        QCOMPARE(window().lesson().seed(), std::uint64_t{2});
    }
};

QTEST_MAIN(ChanceTest)
#include "chance_test.moc"
