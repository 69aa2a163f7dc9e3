// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The table of programs and failures: waited for, read, and its runs played.
#include <QMenu>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>

#include "core/search/matrix.h"
#include "tests/ui/window_fixture.h"
#include "ui/bridge/matrix_search.h"

using namespace lockscope;
using namespace lockscope::ui;
using namespace lockscope::test;

class MatrixTest : public QuietTest {
    Q_OBJECT

private:
    std::unique_ptr<WindowUnderTest> m_window;

    WindowUnderTest& window() { return *m_window; }
    QTableWidget& table() { return *window().child<QTableWidget>(QStringLiteral("matrixTable")); }
    MatrixSearch& search() { return *window()->findChild<MatrixSearch*>(); }
    int columnOf(const QString& label) {
        for (int column = 0; column < table().columnCount(); ++column)
            if (table().horizontalHeaderItem(column)->text() == label) return column;
        qFatal("no such column");
    }
    void clickCell(int row, int column) {
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {},
                          table().visualItemRect(table().item(row, column)).center());
        window().settle();
    }
    void wait() {
        if (!QTest::qWaitFor([&] { return search().result() != nullptr; }, 120'000))
            qFatal("the table is never done");
    }

private slots:
    void init() {
        QuietTest::init();
        m_window = std::make_unique<WindowUnderTest>(QStringLiteral("mental-model"));
    }
    void cleanup() {
        m_window.reset();
        QuietTest::cleanup();
    }

    void aCellPlaysTheRunThatBreaksItAndAnEditedProgramHasATableOfItsOwn() {
        // It comes with the step that tells of it.
        QVERIFY(!window().sees(QStringLiteral("matrixView")));
        const int last = static_cast<int>(window().lesson().lesson()->steps.size()) - 1;
        window()->openLesson(QStringLiteral("mental-model"), last);
        QVERIFY(window().sees(QStringLiteral("matrixView")));
        wait();
        window().settle();
        QCOMPARE(table().rowCount(), 5);
        const int pause = columnOf(QStringLiteral("Pause"));
        QCOMPARE(table().item(3, pause)->text(), QStringLiteral("late overwrite"));
        QCOMPARE(table().item(4, pause)->text(), QStringLiteral("not broken in 10,000 schedules"));

        // One way to break it: a click plays that, where runs are seen.
        clickCell(3, pause);
        QVERIFY(!window().sees(QStringLiteral("matrixView")));
        QVERIFY(window().sees(QStringLiteral("timeline")));
        QCOMPARE(window().lesson().interventions().size(), std::size_t{1});
        QVERIFY(window().lesson().interventions().front().kind == InterventionKind::Pause);
        const std::vector<Violation>& broken = window().run().run()->violations;
        QVERIFY(std::any_of(broken.begin(), broken.end(),
                            [](const Violation& v) { return v.invariant == Invariant::StaleWrite; }));
        QVERIFY(window().run().playing());

        // It is a change like others.
        window().run().pause();
        window().key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(window().lesson().interventions().empty());

        // Back by the button; Return on a cell asks which of several.
        window().click(QStringLiteral("tableButton"));
        QVERIFY(window().sees(QStringLiteral("matrixView")));
        table().setFocus();
        table().setCurrentCell(0, pause);
        QString offered;
        QTimer::singleShot(0, &table(), [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (menu == nullptr) return;
            offered = menu->actions().at(1)->text();
            QTest::keyClick(menu, Qt::Key_Down);
            QTest::keyClick(menu, Qt::Key_Return);
        });
        window().key(Qt::Key_Return);
        QVERIFY2(offered.startsWith(QLatin1String("Deleted another's lock: pause Server A@")),
                 qPrintable(offered));
        QVERIFY(window().sees(QStringLiteral("timeline")));
        const std::vector<Violation>& now = window().run().run()->violations;
        QVERIFY(std::any_of(now.begin(), now.end(),
                            [](const Violation& v) { return v.invariant == Invariant::ForeignDelete; }));

        // An edited program has a table of its own.
        QApplication::setActiveWindow(&*window()); // the menu took that
        window().run().pause();
        window().key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(window().lesson().interventions().empty());
        window().click(QStringLiteral("tableButton"));
        QVERIFY(window().sees(QStringLiteral("matrixView")));
        const int slow = columnOf(QStringLiteral("Slow work"));
        const QString before = table().item(2, slow)->text();
        QVERIFY2(before.startsWith(QLatin1String("not broken")), qPrintable(before));

        // Without its renewal the third program is as the second.
        std::string source = window().lesson().program("server")->source;
        const std::string_view kRenews = "renews = level >= 2, level >= 3";
        QVERIFY(source.find(kRenews) != std::string::npos);
        source.replace(source.find(kRenews), kRenews.size(), "renews = level >= 2, false");
        QVERIFY(window().lesson().setProgram("server", source).isEmpty());
        QVERIFY(search().result() == nullptr);
        wait();
        window().settle();
        QCOMPARE(table().item(2, slow)->text(), table().item(1, slow)->text());
        QVERIFY(table().item(2, slow)->text() != before);

        // Taken back, the table of before is there at once.
        window().key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(search().result() != nullptr);
        QCOMPARE(table().item(2, slow)->text(), before);
    }

    void leavingTheStepLeavesTheTable() {
        const int last = static_cast<int>(window().lesson().lesson()->steps.size()) - 1;
        window()->openLesson(QStringLiteral("mental-model"), last);
        QVERIFY(window().sees(QStringLiteral("matrixView")));
        window()->openLesson(QStringLiteral("expiry"));
        QVERIFY(window().sees(QStringLiteral("timeline")));
        QVERIFY(!window().sees(QStringLiteral("tableButton")));
        QVERIFY(search().plan() == nullptr);
    }
};

QTEST_MAIN(MatrixTest)
#include "matrix_test.moc"
