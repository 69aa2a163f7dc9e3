// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include "core/live/actor_process.h"
#include "core/live/janitor.h"
#include "tests/app/live_window_fixture.h"
#include "tests/live/live_server.h"
#include "tests/ui/on_canvas.h"
#include "ui/live/connection_dialog.h"
#include "ui/timeline/descriptions.h"
#include "ui/timeline/fault_marks.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;
using lockscope::test::count;
using lockscope::test::LiveWindowUnderTest;

/// What hands do in the window of a run that goes on, and how its picture follows them.
class LiveHandsTest : public QObject {
    Q_OBJECT

private:
    /// On the lane of Server B; what stands at the hand meanwhile.
    static QString drag(ui::TimelineCanvas& canvas, Instant from, Instant until) {
        const ui::Scene scene = canvas.scene();
        const double y = scene.y(test::bandOf(canvas, ui::BandKind::Actor, 1).doesMiddle(0));
        const QPointF start(scene.scale.x(from), y);
        const QPointF end(scene.scale.x(until), y);
        test::sendMouse(canvas, QEvent::MouseButtonPress, start, Qt::LeftButton, Qt::LeftButton);
        test::moveMouse(canvas, (start + end) / 2, Qt::LeftButton);
        test::moveMouse(canvas, end, Qt::LeftButton);
        const QString said = canvas.hand().text;
        test::sendMouse(canvas, QEvent::MouseButtonRelease, end, Qt::LeftButton, Qt::NoButton);
        return said;
    }

    /// Opens the menu of that place and takes what has this name. False if it is not offered.
    bool choose(ui::TimelineCanvas& canvas, const QPointF& there, const char* name) {
        bool found = false;
        m_offered.clear();
        QTimer::singleShot(0, &canvas, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (menu == nullptr) return;
            for (QAction* item : menu->actions())
                m_offered += item->text();
            QAction* wanted = menu->findChild<QAction*>(QLatin1String(name));
            found = wanted != nullptr && wanted->isEnabled();
            if (found) wanted->trigger();
            menu->close();
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, there.toPoint(),
                                canvas.mapToGlobal(there.toPoint()));
        QApplication::sendEvent(&canvas, &event);
        return found;
    }

    QStringList m_offered; ///< by the menu that was open last

private slots:
    /// The process stands still for as long as the button is down; a short click stops it for good.
    void aStopThatIsHeldLastsAsLong() {
        LiveWindowUnderTest live;
        live.openLong();
        live.click("liveStart");
        QTRY_VERIFY(live.begun());
        auto* pause = live.child<QToolButton>("livePause0");
        QTRY_VERIFY(pause->isEnabled());
        QTest::mousePress(pause, Qt::LeftButton);
        QTRY_COMPARE(pause->text(), QStringLiteral("Go on"));
        const Instant pressed = live->run().end();
        QTRY_VERIFY(live->run().end() > pressed + millis(600));
        QTest::mouseRelease(pause, Qt::LeftButton);
        QTRY_COMPARE(pause->text(), QStringLiteral("Stop"));
        QTRY_COMPARE(count(live.run(), EventKind::ProcessResumed), 1);
        const auto& pauses = live.run().trace->interventions;
        QCOMPARE(pauses.size(), std::size_t{1});
        QVERIFY2(pauses[0].length >= millis(600) && pauses[0].length < seconds(3),
                 qPrintable(QString::number(pauses[0].length.count())));
    }

    /// Drawn on a lane ahead of where the run is, it happens when time gets there; behind that it is refused.
    void aPauseIsDrawnAhead() {
        LiveWindowUnderTest live;
        live.openLong();
        live.click("liveStart");
        QTRY_VERIFY(live.begun() && live->run().end() > instantAt(millis(300)));
        auto& canvas = live.child<ui::TimelineView>("liveTimeline")->canvas();
        const QString refused = drag(canvas, instantAt(millis(50)), instantAt(millis(200)));
        QVERIFY2(refused.startsWith("That has happened"), qPrintable(refused));
        QVERIFY(live.run().trace->interventions.empty());
        const Instant from = live->run().end() + millis(1000);
        const QString said = drag(canvas, from, from + millis(600));
        QVERIFY2(said.contains("Server B paused"), qPrintable(said));
        QVERIFY2(live->told().startsWith("To come: Server B paused"), qPrintable(live->told()));
        QCOMPARE(count(live.run(), EventKind::ProcessPaused), 0);
        QTRY_VERIFY_WITH_TIMEOUT(!live->running() && live.child<QLabel>("liveVerdict")->isVisible(), 15'000);
        const Trace& trace = *live.run().trace;
        QCOMPARE(trace.interventions.size(), std::size_t{1});
        Instant paused{}, resumed{};
        for (const Event& event : trace.events) {
            if (event.kind == EventKind::ProcessPaused) paused = event.at;
            if (event.kind == EventKind::ProcessResumed) resumed = event.at;
        }
        QVERIFY(paused >= trace.interventions[0].at && resumed - paused >= trace.interventions[0].length);
        const auto pixel = Duration{static_cast<std::int64_t>(canvas.view().size() / canvas.width() * 2e6)};
        QVERIFY(trace.interventions[0].at >= from - pixel); // later, if the machine was held up
    }

    void aPauseThatIsStillToComeIsTakenBack() {
        LiveWindowUnderTest live;
        live.openLong();
        live.click("liveStart");
        QTRY_VERIFY(live.begun() && live->run().end() > instantAt(millis(300)));
        auto& canvas = live.child<ui::TimelineView>("liveTimeline")->canvas();
        const Instant from = live->run().end() + millis(1500);
        drag(canvas, from, from + millis(600));
        QTRY_COMPARE(ui::faultMarks(canvas.scene()).size(), std::size_t{1});
        const ui::FaultMark mark = ui::faultMarks(canvas.scene()).front();
        QVERIFY(choose(canvas, mark.rect.center(), "liveTakeBack"));
        QVERIFY2(live->told().startsWith("Taken back: Server B paused"), qPrintable(live->told()));
        QTRY_VERIFY(ui::faultMarks(canvas.scene()).empty());
        QVERIFY(!choose(canvas, mark.rect.center(), "liveTakeBack"));
        QTRY_VERIFY_WITH_TIMEOUT(!live->running() && live.child<QLabel>("liveVerdict")->isVisible(), 15'000);
        QVERIFY(live->run().end() > from);
        QCOMPARE(count(live.run(), EventKind::ProcessPaused), 0);
        // The simulated run beside it knows nothing of it either.
        const auto& twin = live.child<ui::TimelineView>("liveTwin")->canvas();
        QVERIFY(twin.data()->trace().interventions.empty());
    }

    /// The window goes on without a server, and with it when it is back.
    void aServerIsKilledAndStartedAgain() {
        if (live::PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
        LiveWindowUnderTest live;
        live.openLong();
        auto* world = live.child<QComboBox>("liveWorld");
        world->setFocus();
        QTest::keyClick(world, Qt::Key_Up); // a private redis-server
        live.click("liveStart");
        QTRY_VERIFY(live.begun() && live->run().end() > instantAt(millis(300)));
        auto& canvas = live.child<ui::TimelineView>("liveTimeline")->canvas();
        const auto onServer = [&] {
            const ui::Scene scene = canvas.scene();
            const ui::Band& band = test::bandOf(canvas, ui::BandKind::Key);
            return QPointF(scene.scale.x(live->run().end()) - 3, scene.y(band.top + band.height / 2));
        };
        QVERIFY(!choose(canvas, onServer(), "live-promote")); // it has no replica
        QVERIFY(choose(canvas, onServer(), "live-server-kill"));
        QTRY_COMPARE(count(live.run(), EventKind::ServerUnavailable), 1);
        QVERIFY(choose(canvas, onServer(), "live-server-restart"));
        QTRY_COMPARE(count(live.run(), EventKind::ServerAvailable), 1);
        live.click("liveStop");
        QTRY_VERIFY_WITH_TIMEOUT(live.child<QLabel>("liveVerdict")->isVisible(), 15'000);
        QCOMPARE(live.run().trace->interventions.size(), std::size_t{2});
    }

    void aServerThatIsNoPrivateOneIsLeftAlone() {
        LiveWindowUnderTest live;
        live.openLong();
        live.click("liveStart");
        QTRY_VERIFY(live.begun() && live->run().end() > instantAt(millis(300)));
        auto& canvas = live.child<ui::TimelineView>("liveTimeline")->canvas();
        const ui::Band& band = test::bandOf(canvas, ui::BandKind::Key);
        const QPointF there(canvas.width() / 2.0, canvas.scene().y(band.top + band.height / 2));
        QVERIFY(!choose(canvas, there, "live-server-kill"));
        QVERIFY2(m_offered.join('/').contains("Only a private"), qPrintable(m_offered.join('/')));
    }

    /// Both runs stand on one axis, and go with one another.
    void bothRunsStandOnOneAxis() {
        LiveWindowUnderTest live;
        live.openLong();
        live.click("liveStart");
        QTRY_VERIFY(live.begun() && live->run().end() > instantAt(millis(900)));
        live.click("liveStop");
        QTRY_VERIFY_WITH_TIMEOUT(live.child<QLabel>("liveVerdict")->isVisible(), 15'000);
        const auto timeline = [&](const char* name) {
            return live->findChild<ui::TimelineView*>(QLatin1String(name));
        };
        auto& real = timeline("liveTimeline")->canvas();
        auto& twin = timeline("liveTwin")->canvas();
        QCOMPARE(twin.data()->trace().reached, real.data()->trace().reached);
        // Neither was ever another run.
        for (const char* name : {"liveTimeline", "liveTwin"}) {
            const auto* ghost = timeline(name)->findChild<QAbstractButton*>(QStringLiteral("timeline.ghost"));
            QVERIFY2(ghost != nullptr && ghost->isHidden(), name);
        }
        QTRY_VERIFY(!real.gliding() && !twin.gliding());
        QCOMPARE(twin.view(), real.view());
        QTest::mouseClick(&real, Qt::LeftButton, {}, QPoint(real.width() / 2, 5));
        QCOMPARE(twin.playhead(), real.playhead());
        QTest::mouseClick(&twin, Qt::LeftButton, {}, QPoint(twin.width() / 3, 5));
        QCOMPARE(real.playhead(), twin.playhead());
        real.zoom(0.5, real.width() / 2.0);
        QCOMPARE(twin.view(), real.view());
        twin.zoom(0.25, 10);
        QCOMPARE(real.view(), twin.view());
        real.zoom(100, 10);
        QCOMPARE(twin.view(), real.view());
        QCOMPARE(twin.width(), real.width());
        QCOMPARE(twin.mapTo(live.operator->(), QPoint()).x(), real.mapTo(live.operator->(), QPoint()).x());
        // Another lesson is foreseen instead.
        live.window().openLesson(QStringLiteral("expiry"));
        QVERIFY2(live->told().contains("become processes"), qPrintable(live->told()));
        QVERIFY(!live.child<QLabel>("liveVerdict")->isVisible());
        QVERIFY(!live.child<QWidget>("liveTimeline")->isVisible());
    }

    /// The write on its lane is the UPDATE that was really executed.
    void aWriteIsShownAsItsSql() {
        LiveWindowUnderTest live;
        live.openLong();
        live.click("liveStart");
        QTRY_VERIFY(live.begun());
        QTRY_VERIFY(count(live.run(), EventKind::WriteRejected) >= 2);
        live.click("liveStop");
        QTRY_VERIFY_WITH_TIMEOUT(live.child<QLabel>("liveVerdict")->isVisible(), 15'000);
        const auto& canvas = live.child<ui::TimelineView>("liveTimeline")->canvas();
        const ui::Scene scene = canvas.scene();
        int refused = 0;
        for (std::size_t i = 0; i < scene.lanes().resource.size(); ++i) {
            const ResourceMark& mark = scene.lanes().resource[i];
            ui::Hit hit;
            hit.what = ui::Hit::What::Resource;
            hit.index = static_cast<int>(i);
            hit.count = 1;
            const QString text = ui::describe(scene, hit);
            const QString wanted =
                QStringLiteral(
                    "UPDATE resource SET value = '%1', version = version + 1, fence = max(fence, %2) "
                    "WHERE name = 'report' AND %2 >= (SELECT max(fence) FROM resource)")
                    .arg(mark.accepted || mark.actor == 0 ? "Server A" : "Server B")
                    .arg(mark.actor == 0 ? 2 : 1);
            if (mark.actor == 1 && mark.accepted) continue; // it came before Server A
            QVERIFY2(text.endsWith(wanted), qPrintable(text));
            refused += !mark.accepted;
        }
        QVERIFY(refused >= 2);
    }

    /// Zoomed in, the view goes with the run until somebody looks back, and again when told to.
    void theViewFollowsUntilSomebodyLooksBack() {
        LiveWindowUnderTest live;
        live.openLong();
        live.click("liveStart");
        QTRY_VERIFY(live.begun());
        auto* timeline = live.child<ui::TimelineView>("liveTimeline");
        timeline->canvas().setView({0, 0.6});
        QTRY_VERIFY(timeline->visibleFrom() > instantAt(millis(300)));
        QVERIFY(live->run().playhead() <= timeline->visibleUntil());
        timeline->canvas().setView({0, 0.3});
        const Instant then = live->run().end();
        QTRY_VERIFY(live->run().end() > then + millis(300));
        QCOMPARE(timeline->visibleFrom(), Instant{});
        auto* follow = live.child<QCheckBox>("liveFollow");
        QTest::mouseClick(follow, Qt::LeftButton);
        QVERIFY(!follow->isChecked());
        QVERIFY(live->told().contains("Time goes on in Redis"));
        QTest::mouseClick(follow, Qt::LeftButton);
        QTRY_VERIFY(timeline->visibleFrom() > Instant{});
        QVERIFY(live->run().playhead() >= timeline->visibleFrom());
    }

    /// Somebody's server dies in the middle of a run and comes back: the window goes on, the gap is marked.
    void aServerThatDiesIsAGap() {
        LiveWindowUnderTest live;
        if (live::PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
        live::PrivateServer server;
        QVERIFY(live::test::startAndWait(server).isEmpty());
        live.window().openLesson(QStringLiteral("expiry"));
        QTimer::singleShot(0, this, [&] {
            auto* dialog = qobject_cast<ui::ConnectionDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) return;
            QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("connectionUrl")),
                             server.endpoint().shown());
            QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("connectionUse")),
                              Qt::LeftButton);
            if (dialog->isVisible()) dialog->reject();
        });
        QTest::keyClick(live.child<QComboBox>("liveWorld"), Qt::Key_Down);
        QVERIFY2(live->told().contains("Their Redis is yours"), qPrintable(live->told()));
        live.click("liveStart");
        QTRY_VERIFY2(live.begun(), qPrintable(live->told()));
        QTRY_VERIFY(count(live.run(), EventKind::ReplyReceived) > 0);
        server.kill();
        QTRY_VERIFY(count(live.run(), EventKind::ServerUnavailable) == 1);
        const Instant lost = live->run().end();
        QTRY_VERIFY(live->run().end() > lost + millis(200));
        QVERIFY(live->running());
        server.restart(live::PrivateServer::Data::Lose);
        QTRY_VERIFY(count(live.run(), EventKind::ServerAvailable) == 1);
        QVERIFY(live->running());
        const auto& outages = live.run().lanes.keys.front().outages;
        QVERIFY(!outages.empty() && outages.front().until > outages.front().from);
        live.click("liveStop");
        QTRY_VERIFY_WITH_TIMEOUT(live.child<QLabel>("liveVerdict")->isVisible(), 15'000);
    }
};

int main(int argc, char** argv) {
    const std::string_view mode = argc > 1 ? argv[1] : "";
    if (mode == live::ActorProcess::kArgument) return live::runActor(argc, argv);
    if (mode == live::Janitor::kArgument) return live::runJanitor(argc, argv);
    QApplication application(argc, argv);
    LiveHandsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "live_hands_test.moc"
