// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/live_host.h"
#include "tests/live/live_server.h"
#include "ui/bridge/run_model.h"
#include "ui/live/connection_dialog.h"
#include "ui/live/fact_list.h"
#include "ui/live/observe_window.h"
#include "ui/main_window.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;
using namespace lockscope::live::test;

/// A lock key of a real redis-server, watched from the window while somebody else takes it and lets it go.
class ObserveWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (live::PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
        m_server = std::make_unique<live::PrivateServer>();
        QVERIFY(startAndWait(*m_server).isEmpty());
        ui::WindowOptions options;
        options.session = makeSimulatedSession();
        options.live = app::makeLiveHost();
        options.lessonFolder = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lessons");
        options.settingsFile = m_home.filePath(QStringLiteral("window.ini"));
        m_window = std::make_unique<ui::MainWindow>(std::move(options));
        m_window->show();
        QApplication::setActiveWindow(m_window.get());
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanupTestCase() {
        m_window.reset();
        m_server.reset();
    }

    /// By its key, its button and its dialog, as somebody at the keyboard does it.
    void aKeyIsChosen() {
        QTest::keyClick(m_window.get(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        m_observe = m_window->findChild<ui::ObserveWindow*>();
        QVERIFY(m_observe != nullptr && m_observe->isVisible());
        QVERIFY(child<QLabel>("observeFirst")->isVisible());
        bool asked = false;
        QTimer::singleShot(0, this, [&] {
            auto* dialog = qobject_cast<ui::ConnectionDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) return;
            const auto type = [&](const char* field, const QString& text) {
                QTest::keyClicks(dialog->findChild<QLineEdit*>(QLatin1String(field)), text);
            };
            auto* use = dialog->findChild<QPushButton*>(QStringLiteral("connectionUse"));
            type("connectionUrl", m_server->endpoint().shown());
            asked = !use->isEnabled(); // no key yet
            type("connectionKey", QStringLiteral("lock"));
            QTest::mouseClick(use, Qt::LeftButton);
            if (dialog->isVisible()) dialog->reject();
        });
        QTest::mouseClick(child<QPushButton>("observeChoose"), Qt::LeftButton);
        QVERIFY(asked);
        QVERIFY2(m_observe->watching(), qPrintable(told()));
        QVERIFY(!child<QLabel>("observeFirst")->isVisible());
        QTRY_VERIFY2(told().contains("not there"), qPrintable(told()));
    }

    /// Each fact comes with its source and its age, which grows.
    void whoHoldsItIsSeenWithHowThatIsKnown() {
        QCOMPARE(call(m_server->control(), {"SET", "lock", "one", "PX", "30000"}), "OK");
        QTRY_VERIFY2(told().contains("held by \"one\""), qPrintable(told()));
        QTRY_VERIFY2(fact("Value").contains("\"one\" (reply"), qPrintable(fact("Value")));
        QTRY_VERIFY2(ageOf("Value") >= 0.5, qPrintable(fact("Value")));
        QVERIFY2(fact("Lease").contains("ends"), qPrintable(fact("Lease")));
        const auto& trace = *m_observe->run().run()->trace;
        QVERIFY(std::any_of(trace.actors.begin(), trace.actors.end(),
                            [](const TraceActor& actor) { return actor.name == "\"one\""; }));
        QCOMPARE(m_observe->run().playhead(), m_observe->run().end()); // it follows
        QCOMPARE(call(m_server->control(), {"SET", "lock", "two", "PX", "400"}), "OK");
        QTRY_VERIFY2(told().contains("not there"), qPrintable(told()));
        QTRY_COMPARE(m_observe->run().run()->analysis.grants.back().end, EndReason::LeaseEnded);
    }

    /// Whoever looks back stops the picture, and nothing else.
    void thePictureCanStandStill() {
        auto* follow = child<QCheckBox>("observeFollow");
        auto& canvas = m_observe->findChild<ui::TimelineView*>()->canvas();
        const double x = canvas.scene().scale.x(instantAt(millis(200)));
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(static_cast<int>(x), 5)); // on the ruler
        QVERIFY(!follow->isChecked());
        QVERIFY2(told().endsWith("time goes on in Redis."), qPrintable(told()));
        const Instant there = m_observe->run().playhead();
        const Instant reached = m_observe->run().end();
        QVERIFY(there < reached);
        QTRY_VERIFY(m_observe->run().end() > reached + millis(100));
        QCOMPARE(m_observe->run().playhead(), there);
        QTest::mouseClick(follow, Qt::LeftButton);
        QTRY_COMPARE(m_observe->run().playhead(), m_observe->run().end());
    }

    /// The gap is told and drawn, and watching goes on when the server is back.
    void aLostServerIsAGap() {
        m_server->restart(live::PrivateServer::Data::Lose);
        QTRY_VERIFY2(told().contains("lost") || told().contains("refused") || told().contains("closed"),
                     qPrintable(told()));
        QVERIFY(m_observe->watching());
        QTRY_VERIFY(m_server->isReady());
        QTRY_VERIFY(counted(EventKind::ServerAvailable) == 1);
        QCOMPARE(counted(EventKind::ServerUnavailable), 1);
        QCOMPARE(call(m_server->control(), {"SET", "lock", "three", "PX", "30000"}), "OK");
        QTRY_VERIFY2(told().contains("held by \"three\""), qPrintable(told()));
    }

    void whatWasSeenStays() {
        QTest::mouseClick(child<QPushButton>("observeStop"), Qt::LeftButton);
        QVERIFY(!m_observe->watching());
        QVERIFY2(told().contains("What was seen stays"), qPrintable(told()));
        QVERIFY(counted(EventKind::KeyWritten) >= 3);
        QVERIFY(child<ui::FactList>("factList")->lines().isEmpty());
    }

private:
    template <typename T>
    T* child(const char* name) {
        T* found = m_observe->findChild<T*>(QLatin1String(name));
        if (found == nullptr) qFatal("no %s", name);
        return found;
    }
    QString told() { return child<QLabel>("observeTold")->text(); }
    QString fact(const QString& name) {
        for (const QString& line : child<ui::FactList>("factList")->lines())
            if (line.startsWith(name)) return line;
        return {};
    }
    /// In seconds; 0: just now.
    double ageOf(const QString& name) {
        static const QRegularExpression kAge(QStringLiteral(R"(, ([0-9.]+) s ago\)$)"));
        return kAge.match(fact(name)).captured(1).toDouble();
    }
    int counted(EventKind kind) {
        const auto& events = m_observe->run().run()->trace->events;
        return static_cast<int>(std::count_if(events.begin(), events.end(),
                                              [&](const Event& event) { return event.kind == kind; }));
    }

    QTemporaryDir m_home;
    std::unique_ptr<live::PrivateServer> m_server;
    std::unique_ptr<ui::MainWindow> m_window;
    ui::ObserveWindow* m_observe = nullptr;
};

QTEST_MAIN(ObserveWindowTest)
#include "observe_window_test.moc"
