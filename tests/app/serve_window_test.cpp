// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/serve_host.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/run_model.h"
#include "ui/live/serve_window.h"
#include "ui/look.h"
#include "ui/main_window.h"

using namespace lockscope;

namespace {

constexpr const char* kLesson = R"md(---
id: shared
title: Shared
goal: Share a lock with somebody real.
keys: [lock]
actors:
  - {name: Server A, program: server, start: 200ms}
horizon: 60s
---

```lua server
while not redis.call("SET", lock, "mine", "NX", "PX", 5000) do sleep(50) end
enter(lock)
work("Job", 100)
leave(lock)
redis.call("DEL", lock)
```

## It runs
)md";

bool hasLane(const ui::RunModel& run, std::string_view name) {
    if (!run.run()) return false;
    const auto& actors = run.run()->trace->actors;
    return std::any_of(actors.begin(), actors.end(), [&](const TraceActor& a) { return a.name == name; });
}

} // namespace

/// A lesson served from the window, with a real redis-cli in it.
class ServeWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable("redis-cli").isEmpty()) QSKIP("redis-cli is not installed");
        QFile file(m_home.filePath(QStringLiteral("shared.md")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kLesson) > 0);
        file.close();
        ui::WindowOptions options;
        options.session = makeSimulatedSession();
        options.serve = app::makeServeHost();
        options.lessonFolder = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lessons");
        options.open = m_home.filePath(QStringLiteral("shared.md"));
        options.settingsFile = m_home.filePath(QStringLiteral("window.ini"));
        m_window = std::make_unique<ui::MainWindow>(std::move(options));
        m_window->show();
        m_serve = m_window->showServe();
        QVERIFY(m_serve != nullptr);
        child<QSpinBox>("servePort")->setValue(0);
    }
    void cleanupTestCase() { m_window.reset(); }

    /// It takes the lock before the lesson's server does, and lets it go; then that one goes on.
    void aRealClientTakesPart() {
        m_window->run().toStart();
        // Before, it says what to do, with the lesson's own key.
        QVERIFY(child<QLabel>("serveInvitation")->isVisible());
        QVERIFY(child<QLabel>("serveInvitation")->text().contains("SET lock mine NX PX 30000"));
        QVERIFY(!child<QSplitter>("serveStack")->isVisible());
        // It names the port and the playhead as they are.
        child<QSpinBox>("servePort")->setValue(6400);
        m_window->run().setPlayhead(instantAt(millis(1500)));
        const QString told = child<QLabel>("serveInvitation")->text();
        QVERIFY2(told.contains("redis-cli -p 6400") && told.contains("1.5 s"), qPrintable(told));
        child<QSpinBox>("servePort")->setValue(0);
        m_window->run().toStart();
        QVERIFY(!child<QLabel>("serveInvitation")->text().contains("-p 0"));
        QTest::mouseClick(child<QPushButton>("serveToggle"), Qt::LeftButton);
        QVERIFY(m_serve->serving());
        QVERIFY(!child<QLabel>("serveInvitation")->isVisible());
        QVERIFY(child<QSplitter>("serveStack")->isVisible());
        const QString command = child<QPushButton>("serveCopy")->text();
        QVERIFY2(command.contains("redis-cli -p "), qPrintable(command));
        QVERIFY(child<QLabel>("serveGuests")->text().contains("Time stands until the first client comes."));
        QCOMPARE(m_serve->run().end(), Instant{});

        m_cli.start("redis-cli", {"-p", command.section(' ', -1)});
        m_cli.write("CLIENT SETNAME app\nSET lock theirs NX PX 30000\n");
        QTRY_VERIFY(child<QLabel>("serveGuests")->text().contains("1 attached: app"));
        QTRY_VERIFY(hasLane(m_serve->run(), "app"));
        // It follows, and Server A waits.
        QTRY_VERIFY(m_serve->run().playhead() > instantAt(millis(600)));
        m_cli.write("DEL lock\n");
        m_cli.closeWriteChannel();
        QTRY_COMPARE(m_cli.state(), QProcess::NotRunning); // served by this very loop
        QTRY_VERIFY(child<QLabel>("serveGuests")->text().contains("Nobody is attached."));
    }

    /// Then it is a part of the lesson's run, and can be undone.
    void whatItDidIsInTheRun() {
        QVERIFY(!hasLane(m_window->run(), "app"));
        QTest::mouseClick(child<QPushButton>("serveToggle"), Qt::LeftButton);
        QTRY_VERIFY(hasLane(m_window->run(), "app"));
        QVERIFY(!m_serve->serving());
        QCOMPARE(m_window->run().run()->trace->divergences, 0);
        const auto& served = m_serve->run().run()->trace->events;
        const auto& again = m_window->run().run()->trace->events;
        QCOMPARE(again.size(), served.size());
        for (std::size_t i = 0; i < served.size(); ++i)
            QVERIFY(again[i].at == served[i].at && again[i].kind == served[i].kind);
        // An edit under which the client would not have got the lock is marked as one.
        QVERIFY(m_window->lesson()
                    .addIntervention({InterventionKind::Admin, "Redis", Instant{}, {}, "SET lock x"})
                    .isEmpty());
        QVERIFY(m_window->run().run()->trace->divergences > 0);
        const auto* notice = m_window->findChild<QLabel*>(QStringLiteral("noticeText"));
        QVERIFY(notice != nullptr && notice->text().contains("app really got OK"));
        m_window->lesson().history().undo();
        m_window->lesson().history().undo();
        QVERIFY(!hasLane(m_window->run(), "app"));
    }

private:
    template <typename T>
    T* child(const char* name) {
        T* found = m_serve->findChild<T*>(QString::fromLatin1(name));
        if (found == nullptr) qFatal("there is no %s", name);
        return found;
    }

    QTemporaryDir m_home;
    std::unique_ptr<ui::MainWindow> m_window;
    ui::ServeWindow* m_serve = nullptr;
    QProcess m_cli;
};

QTEST_MAIN(ServeWindowTest)
#include "serve_window_test.moc"
