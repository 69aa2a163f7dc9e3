// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/live_host.h"
#include "core/live/actor_process.h"
#include "core/live/janitor.h"
#include "ui/bridge/run_model.h"
#include "ui/live/connection_dialog.h"
#include "ui/live/live_window.h"
#include "ui/look.h"
#include "ui/main_window.h"

using namespace lockscope;

namespace {

constexpr const char* kLesson = R"md(---
id: short
title: Short
goal: See a pause for real.
knobs:
  - {name: ttl, default: 500ms, range: 100ms..5s}
keys: [lock]
actors:
  - {name: Server A, program: server}
  - {name: Server B, program: server}
horizon: 4s
---

```lua server
local token = uuid()
local function ask() return redis.call("SET", lock, token, "NX", "PX", ttl) end
if actor ~= "Server A" or not ask() then wait(every(50, ask)) end
enter(lock)
work("Job", actor == "Server A" and 300 or 100)
leave(lock)
redis.call("DEL", lock)
```

## It runs
)md";

int count(const ui::Run& run, EventKind kind) {
    int n = 0;
    for (const Event& event : run.trace->events)
        n += event.kind == kind;
    return n;
}

} // namespace

/// The window's live runs, through the real window and real processes.
class LiveWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QFile file(m_home.filePath(QStringLiteral("short.md")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kLesson) > 0);
    }
    void init() {
        ui::WindowOptions options;
        options.session = makeSimulatedSession();
        options.live = app::makeLiveHost();
        options.lessonFolder = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lessons");
        options.open = m_home.filePath(QStringLiteral("short.md"));
        options.settingsFile = m_home.filePath(QStringLiteral("window.ini"));
        m_window = std::make_unique<ui::MainWindow>(std::move(options));
        m_window->show();
        m_live = m_window->showLive();
        QVERIFY(m_live != nullptr);
        auto* world = child<QComboBox>("liveWorld");
        world->setFocus();
        QTest::keyClick(world, Qt::Key_Down); // the embedded store
        QCOMPARE(world->currentIndex(), 1);
    }
    void cleanup() { m_window.reset(); }

    void aServerIsReallyStoppedAndTheSimulatorAgrees() {
        click("liveStart");
        QTRY_VERIFY(m_live->running());
        auto* pause = child<QToolButton>("livePause0");
        QTRY_VERIFY(pause->isEnabled());
        click("livePause0");
        QTRY_COMPARE(pause->text(), QStringLiteral("Go on"));
        // It follows: the playhead is where the run is, and both grow.
        const Instant before = m_live->run().playhead();
        QTRY_VERIFY(m_live->run().playhead() > before + millis(700));
        QCOMPARE(m_live->run().playhead(), m_live->run().run()->trace->reached);
        click("livePause0");
        QTRY_COMPARE(pause->text(), QStringLiteral("Stop"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_live->running(), 10'000);
        QTRY_VERIFY(child<QLabel>("liveVerdict")->isVisible());
        const auto run = m_live->run().run();
        QCOMPARE(count(*run, EventKind::ProcessPaused), 1);
        QCOMPARE(count(*run, EventKind::ProcessResumed), 1);
        QCOMPARE(run->trace->reached, run->trace->horizon);
        QVERIFY(!run->violations.empty()); // it overran its lease by far
        QVERIFY2(child<QLabel>("liveVerdict")->text().startsWith("The simulator agrees"),
                 qPrintable(child<QLabel>("liveVerdict")->text()));
        QVERIFY(child<QWidget>("liveTwin")->isVisible());
    }

    void whoScrubsBackIsToldThatTimeGoesOn() {
        click("liveStart");
        QTRY_VERIFY(m_live->running() && m_live->run().run() && m_live->run().end() > instantAt(millis(400)));
        m_live->run().setPlayhead(instantAt(millis(100)));
        QVERIFY(m_live->told().contains("Time goes on in Redis"));
        const Instant reached = m_live->run().end();
        QTRY_VERIFY(m_live->run().end() > reached + millis(200));
        QCOMPARE(m_live->run().playhead(), instantAt(millis(100)));
        click("liveRestart0");
        QTRY_COMPARE(m_live->run().run()->trace->processes.size(), std::size_t{3});
        QTRY_VERIFY(child<QToolButton>("liveKill0")->isEnabled());
        const int killed = count(*m_live->run().run(), EventKind::ProcessKilled);
        click("liveKill0");
        QTRY_COMPARE(count(*m_live->run().run(), EventKind::ProcessKilled), killed + 1);
        QTRY_VERIFY(!child<QToolButton>("liveKill0")->isEnabled());
        click("liveStop");
        QTRY_VERIFY_WITH_TIMEOUT(child<QWidget>("liveStart")->isEnabled(), 10'000);
        QVERIFY(m_live->run().run()->trace->reached < m_live->run().run()->trace->horizon);
    }

    void whatOneTypesIsAnswered() {
        click("liveStart");
        QTRY_VERIFY(m_live->running() && m_live->run().run());
        auto* line = child<QLineEdit>("liveCommand");
        auto* answer = child<QLabel>("liveAnswer");
        QTest::keyClicks(line, QStringLiteral("SET mine 7"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(answer->text(), QStringLiteral("OK"));
        QVERIFY(outsideActor(*m_live->run().run()->trace, "You") != kNone);
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
        const auto host = app::makeLiveHost();
        ui::ConnectionDialog dialog(*host, m_window->look());
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
    }

private:
    template <typename T>
    T* child(const char* name) {
        T* found = m_live->findChild<T*>(QLatin1String(name));
        if (found == nullptr) qFatal("no %s", name);
        return found;
    }
    void click(const char* name) {
        auto* button = child<QAbstractButton>(name);
        QVERIFY2(button->isVisible() && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }

    QTemporaryDir m_home;
    std::unique_ptr<ui::MainWindow> m_window;
    ui::LiveWindow* m_live = nullptr;
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
