// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <utility>

#include "app/live_host.h"
#include "core/world/session.h"
#include "ui/bridge/run_model.h"
#include "ui/live/live_window.h"
#include "ui/main_window.h"

namespace lockscope::test {

inline constexpr const char* kLesson = R"md(---
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

/// Both write to the resource again and again; Server B with a fence that is too low.
inline constexpr const char* kLongLesson = R"md(---
id: long
title: Long
goal: Work for a while.
keys: [lock]
resource: {name: Table, fence: enforced}
actors:
  - {name: Server A, program: server}
  - {name: Server B, program: server}
horizon: 5s
---

```lua server
local fence = actor == "Server A" and 2 or 1
while true do
  storage.write("report", actor, fence)
  work("Job", 200)
end
```

## It runs
)md";

inline int count(const ui::Run& run, EventKind kind) {
    int n = 0;
    for (const Event& event : run.trace->events)
        n += event.kind == kind;
    return n;
}

/// The real window with its window for live runs over the embedded store, and two short lessons of its own.
/// Whoever uses it has a main() that knows how to be an actor and a janitor.
class LiveWindowUnderTest {
public:
    LiveWindowUnderTest() {
        for (const auto& [name, text] : {std::pair{"short.md", kLesson}, {"long.md", kLongLesson}}) {
            QFile file(m_home.filePath(QLatin1String(name)));
            if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0) qFatal("no lesson");
        }
        ui::WindowOptions options;
        options.session = makeSimulatedSession();
        options.live = app::makeLiveHost();
        options.lessonFolder = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lessons");
        options.open = m_home.filePath(QStringLiteral("short.md"));
        options.settingsFile = m_home.filePath(QStringLiteral("window.ini"));
        m_window = std::make_unique<ui::MainWindow>(std::move(options));
        m_window->show();
        m_live = m_window->showLive();
        if (m_live == nullptr) qFatal("no live window");
        auto* world = child<QComboBox>("liveWorld");
        world->setFocus();
        QTest::keyClick(world, Qt::Key_Down); // the embedded store
    }

    ui::MainWindow& window() { return *m_window; }
    ui::LiveWindow* operator->() { return m_live; }
    const ui::Run& run() { return *m_live->run().run(); }
    bool begun() { return m_live->running() && m_live->run().run(); }
    bool over() { return !m_live->running() && child<QLabel>("liveVerdict")->isVisible(); }

    /// Five seconds of two servers that work and write.
    void openLong() {
        m_window->openLesson(m_home.filePath(QStringLiteral("long.md")));
        QTRY_VERIFY2(m_live->told().contains("for 5.0 s"), qPrintable(m_live->told()));
    }
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

private:
    QTemporaryDir m_home;
    std::unique_ptr<ui::MainWindow> m_window;
    ui::LiveWindow* m_live = nullptr;
};

} // namespace lockscope::test
