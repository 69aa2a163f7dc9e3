// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How long it takes from a mouse move that draws a pause to the painted window, with the run simulated,
// judged and shown anew in between; at 1600 × 900. Then the same for an hour of dragging at 60 moves a
// second, to see whether memory grows. Prints median and 99th percentile, and the resident memory before and
// after.
//     lockscope_bench_drag [MOVES [LESSON]]
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QMouseEvent>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "ui/bridge/lesson_model.h"
#include "ui/look.h"
#include "ui/main_window.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;

namespace {

constexpr int kFrames = 2000;
constexpr long kHour = 60L * 60 * 60;
constexpr double kMostMs = 16;

double processorMs() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double residentMiB() {
    QFile status(QStringLiteral("/proc/self/statm"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    return status.readAll().split(' ').value(1).toDouble() * 4096 / (1024 * 1024);
}

/// A hand that draws a pause on the first actor's lane and goes to and fro with it.
class Drag {
public:
    explicit Drag(ui::TimelineCanvas& canvas) : m_canvas(canvas) {
        const ui::Scene scene = canvas.scene();
        m_y = scene.y(canvas.lanes().actorBand(0)->doesMiddle(0));
        m_from = scene.scale.x(instantAt(seconds(12)));
        m_far = scene.scale.x(instantAt(seconds(55)));
        send(QEvent::MouseButtonPress, m_from);
    }
    ~Drag() { send(QEvent::MouseButtonRelease, m_from); }
    Drag(const Drag&) = delete;
    Drag& operator=(const Drag&) = delete;

    /// Every move makes another run: a pixel to a move, there and back.
    void move(long i) {
        const double way = m_far - m_from - 10;
        const double place = std::fmod(static_cast<double>(i) * 1.7, 2 * way);
        send(QEvent::MouseMove, m_from + 10 + (place < way ? place : 2 * way - place));
    }

private:
    void send(QEvent::Type type, double x) {
        const QPointF pos(x, m_y);
        const bool moves = type == QEvent::MouseMove, down = type == QEvent::MouseButtonPress;
        QMouseEvent event(type, pos, m_canvas.mapToGlobal(pos), moves ? Qt::NoButton : Qt::LeftButton,
                          moves || down ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&m_canvas, &event);
    }
    ui::TimelineCanvas& m_canvas;
    double m_y = 0;
    double m_from = 0;
    double m_far = 0;
};

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    QTemporaryDir home;
    ui::WindowOptions options;
    options.session = makeSimulatedSession();
    options.lessonFolder = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lessons");
    options.open = argc > 2 ? QString::fromLocal8Bit(argv[2]) : QStringLiteral("stale-del");
    options.settingsFile = home.filePath(QStringLiteral("window.ini"));
    ui::MainWindow window(std::move(options));
    window.look().setReducedMotion(true);
    window.resize(1600, 900);
    window.show();
    window.lesson().goTo(window.lesson().stepCount() - 1); // everything is shown
    window.lesson().liftVeil();
    window.run().pause();
    ui::TimelineCanvas& canvas = window.findChild<ui::TimelineView*>()->canvas();
    canvas.fit();
    for (int i = 0; i < 10; ++i)
        QApplication::processEvents();

    std::vector<double> times, busy;
    QElapsedTimer timer;
    {
        Drag drag(canvas);
        for (int i = -50; i < kFrames; ++i) {
            timer.start();
            const double before = processorMs();
            drag.move(i + 50);
            QApplication::processEvents();
            canvas.repaint();
            if (i < 0) continue; // warm
            times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            busy.push_back(processorMs() - before);
        }
    }
    std::sort(times.begin(), times.end());
    std::sort(busy.begin(), busy.end());
    const double p99 = times[times.size() * 99 / 100];
    std::printf("mouse move to painted frame: median %.2f ms  p99 %.2f ms  (processor %.2f, %.2f)  %s\n",
                times[times.size() / 2], p99, busy[busy.size() / 2], busy[busy.size() * 99 / 100],
                p99 <= kMostMs ? "ok" : "TOO SLOW");

    const long moves = argc > 1 ? std::strtol(argv[1], nullptr, 10) : kHour;
    const double before = residentMiB();
    timer.start();
    {
        Drag drag(canvas);
        for (long i = 0; i < moves; ++i) {
            drag.move(i);
            if (i % 8 == 0) QApplication::processEvents();
        }
    }
    QApplication::processEvents();
    const double after = residentMiB();
    std::printf("%ld moves in %.0f s: resident %.1f MiB before, %.1f MiB after\n", moves,
                static_cast<double>(timer.elapsed()) / 1e3, before, after);
    return p99 <= kMostMs && after < before + 16 ? 0 : 1;
}
