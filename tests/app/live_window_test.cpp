// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include "core/live/actor_process.h"
#include "core/live/janitor.h"
#include "tests/app/live_window_fixture.h"
#include "ui/bridge/lesson_model.h"
#include "ui/live/connection_dialog.h"

using namespace lockscope;
using lockscope::test::count;
using lockscope::test::LiveWindowUnderTest;

/// The window's live runs, through the real window and real processes.
class LiveWindowTest : public QObject {
    Q_OBJECT

private slots:
    /// Before anything runs: what will happen and where, and what the simulator expects of it.
    void beforeARunItSaysWhatWillHappen() {
        LiveWindowUnderTest live;
        QVERIFY2(live->told().contains("Server A, Server B become processes of this machine for 4.0 s"),
                 qPrintable(live->told()));
        QVERIFY2(live->told().contains("embedded store"), qPrintable(live->told()));
        QVERIFY(live.child<QWidget>("liveTwin")->isVisible());
        QVERIFY(!live.child<QWidget>("liveTimeline")->isVisible());
        auto* world = live.child<QComboBox>("liveWorld");
        QTest::keyClick(world, Qt::Key_Up);
        QVERIFY2(live->told().contains("a redis-server that is started for this run"),
                 qPrintable(live->told()));
        QTest::keyClick(world, Qt::Key_Down);
        // What cannot be run there says so before it is tried.
        ui::LessonModel& lesson = live.window().lesson();
        QVERIFY(lesson
                    .addIntervention(
                        {InterventionKind::ServerClockJump, serverName(0), instantAt(seconds(1)), seconds(1)})
                    .isEmpty());
        QVERIFY2(live->told().startsWith("This cannot be run there"), qPrintable(live->told()));
        lesson.history().undo();
        QVERIFY2(live->told().contains("embedded store"), qPrintable(live->told()));
        live.click("liveStart");
        QTRY_VERIFY(live->running());
        QVERIFY(live.child<QWidget>("liveTimeline")->isVisible());
        QVERIFY(!live.child<QWidget>("liveTwin")->isVisible());
    }

    void aServerIsReallyStoppedAndTheSimulatorAgrees() {
        LiveWindowUnderTest live;
        live.click("liveStart");
        QTRY_VERIFY(live->running());
        auto* pause = live.child<QToolButton>("livePause0");
        QTRY_VERIFY(pause->isEnabled());
        live.click("livePause0");
        QTRY_COMPARE(pause->text(), QStringLiteral("Go on"));
        // It follows: the playhead is where the run is, and both grow.
        const Instant before = live->run().playhead();
        QTRY_VERIFY(live->run().playhead() > before + millis(700));
        QCOMPARE(live->run().playhead(), live.run().trace->reached);
        live.click("livePause0");
        QTRY_COMPARE(pause->text(), QStringLiteral("Stop"));
        QTRY_VERIFY_WITH_TIMEOUT(!live->running(), 10'000);
        QTRY_VERIFY(live.child<QLabel>("liveVerdict")->isVisible());
        const auto run = live->run().run();
        QCOMPARE(count(*run, EventKind::ProcessPaused), 1);
        QCOMPARE(count(*run, EventKind::ProcessResumed), 1);
        QCOMPARE(run->trace->reached, run->trace->horizon);
        QVERIFY(!run->violations.empty()); // it overran its lease by far
        QVERIFY2(live.child<QLabel>("liveVerdict")->text().startsWith("The simulator agrees"),
                 qPrintable(live.child<QLabel>("liveVerdict")->text()));
        QVERIFY(live.child<QWidget>("liveTwin")->isVisible());
    }

    void whoScrubsBackIsToldThatTimeGoesOn() {
        LiveWindowUnderTest live;
        live.click("liveStart");
        QTRY_VERIFY(live.begun() && live->run().end() > instantAt(millis(400)));
        live->run().setPlayhead(instantAt(millis(100)));
        QVERIFY(live->told().contains("Time goes on in Redis"));
        const Instant reached = live->run().end();
        QTRY_VERIFY(live->run().end() > reached + millis(200));
        QCOMPARE(live->run().playhead(), instantAt(millis(100)));
        live.click("liveRestart0");
        QTRY_COMPARE(live.run().trace->processes.size(), std::size_t{3});
        QTRY_VERIFY(live.child<QToolButton>("liveKill0")->isEnabled());
        const int killed = count(live.run(), EventKind::ProcessKilled);
        live.click("liveKill0");
        QTRY_COMPARE(count(live.run(), EventKind::ProcessKilled), killed + 1);
        QTRY_VERIFY(!live.child<QToolButton>("liveKill0")->isEnabled());
        live.click("liveStop");
        QTRY_VERIFY_WITH_TIMEOUT(live.child<QWidget>("liveStart")->isEnabled(), 10'000);
        QVERIFY(live.run().trace->reached < live.run().trace->horizon);
    }

    void whatOneTypesIsAnswered() {
        LiveWindowUnderTest live;
        live.click("liveStart");
        QTRY_VERIFY(live.begun());
        auto* line = live.child<QLineEdit>("liveCommand");
        auto* answer = live.child<QLabel>("liveAnswer");
        QTest::keyClicks(line, QStringLiteral("SET mine 7"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(answer->text(), QStringLiteral("OK"));
        QVERIFY(outsideActor(*live.run().trace, "You") != kNone);
        QTest::keyClicks(line, QStringLiteral("GET mine"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(answer->text(), QStringLiteral("\"7\""));
        QTest::keyClick(line, Qt::Key_Up);
        QTest::keyClick(line, Qt::Key_Up);
        QCOMPARE(line->text(), QStringLiteral("SET mine 7"));
        line->clear();
        QTest::keyClicks(line, QStringLiteral("GET 'open"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY2(answer->text().contains("quote"), qPrintable(answer->text()));
    }

    void aConnectionIsTestedInWords() {
        LiveWindowUnderTest live;
        const auto host = app::makeLiveHost();
        ui::ConnectionDialog dialog(*host, live.window().look());
        dialog.show();
        auto* url = dialog.findChild<QLineEdit*>(QStringLiteral("connectionUrl"));
        auto* test = dialog.findChild<QPushButton*>(QStringLiteral("connectionTest"));
        QVERIFY(!test->isEnabled());
        for (const auto& [text, word] :
             {std::pair{"redis://127.0.0.1:1", "refused"}, {"rubbish", "redis://"}}) {
            url->setText(QLatin1String(text));
            QTest::mouseClick(test, Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(test->isEnabled(), 6'000);
            QVERIFY2(dialog.found().contains(QLatin1String(word), Qt::CaseInsensitive),
                     qPrintable(dialog.found()));
        }
        dialog.findChild<QLineEdit*>(QStringLiteral("connectionPassword"))->setText(QStringLiteral("sesame"));
        QCOMPARE(dialog.choice().password, QStringLiteral("sesame"));
        // Pasted with the address, it is not seen there, nor brought back by undoing.
        url->clear();
        QTest::keyClicks(url, QStringLiteral("redis://worker:op%40n@cache:6380/2"));
        QCOMPARE(url->text(), QStringLiteral("redis://cache:6380/2"));
        QCOMPARE(dialog.choice().user, QStringLiteral("worker"));
        QCOMPARE(dialog.choice().password, QStringLiteral("op@n"));
        QTest::keyClick(url, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!url->text().contains("op"));
        // An @ of its own, typed as it is.
        url->clear();
        QTest::keyClicks(url, QStringLiteral("redis://worker:p@ss@cache:6380/2"));
        QCOMPARE(url->text(), QStringLiteral("redis://cache:6380/2"));
        QCOMPARE(dialog.choice().password, QStringLiteral("p@ss"));
    }
};

int main(int argc, char** argv) {
    const std::string_view mode = argc > 1 ? argv[1] : "";
    if (mode == live::ActorProcess::kArgument) return live::runActor(argc, argv);
    if (mode == live::Janitor::kArgument) return live::runJanitor(argc, argv);
    QApplication application(argc, argv);
    LiveWindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "live_window_test.moc"
