// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How long one painted frame of the timeline takes on a trace of a million events, at 1600 × 900: from the
// change of view or playhead to pixels in the window's backing store. Prints median and 99th percentile.
//     lockscope_bench_timeline [EVENTS]
#include <QApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include "tests/ui/run_fixtures.h"
#include "ui/look.h"
#include "ui/timeline/canvas.h"

using namespace lockscope;

namespace {

struct Bounds {
    double median = 8;
    double p99 = 16;
};

double processorMs() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Runs `change` with 0 … frames-1 and times each frame. True if it stays within the bounds.
bool measure(const char* name, ui::TimelineCanvas& canvas, int frames,
             const std::function<void(int)>& change) {
    std::vector<double> times;
    std::vector<double> busy;
    QElapsedTimer timer;
    for (int i = 0; i < frames; ++i) {
        timer.start();
        const double before = processorMs();
        change(i);
        // Queued repaints and the composition of the layers both belong to the frame.
        QApplication::processEvents();
        canvas.repaint();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        busy.push_back(processorMs() - before);
    }
    std::sort(times.begin(), times.end());
    std::sort(busy.begin(), busy.end());
    const Bounds bounds;
    const double median = times[times.size() / 2];
    const double p99 = times[times.size() * 99 / 100];
    const bool good = median <= bounds.median && p99 <= bounds.p99;
    std::printf("%-24s median %6.2f ms  p99 %6.2f ms  (processor %6.2f, %6.2f)  %s\n", name, median, p99,
                busy[busy.size() / 2], busy[busy.size() * 99 / 100], good ? "ok" : "TOO SLOW");
    return good;
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const std::size_t events = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
    QElapsedTimer timer;
    timer.start();
    const std::shared_ptr<const ui::Run> run = test::bigRun(20, events);
    std::printf("%zu events, %zu requests, %zu violations made in %lld ms\n", run->trace->events.size(),
                run->trace->requests.size(), run->violations.size(), static_cast<long long>(timer.elapsed()));

    ui::Look look;
    look.setReducedMotion(true);
    ui::TimelineCanvas canvas(look);
    canvas.resize(1600, 900);
    canvas.show();
    timer.restart();
    canvas.setRun(run);
    std::printf("prepared in %lld ms\n", static_cast<long long>(timer.elapsed()));
    QApplication::processEvents();

    bool good = true;
    const ui::AxisRange all = canvas.limits();
    const double middle = (all.from + all.until) / 2;
    // One event to a pixel and far beyond in both directions.
    for (const double part : {1.0, 0.1, 0.01, 0.001, 0.0001}) {
        const double size = all.size() * part;
        char name[64];
        std::snprintf(name, sizeof name, "pan, %g %% of the run", part * 100);
        good &= measure(name, canvas, 300, [&](int i) {
            const double from = (part == 1.0 ? all.from : middle) + size * 0.003 * i;
            canvas.setView({from, from + size * (part == 1.0 ? 0.5 : 1)});
        });
    }
    good &= measure("zoom, all to 1 ms", canvas, 400, [&](int i) {
        const double way = i < 200 ? i / 200.0 : (400 - i) / 200.0;
        const double size = all.size() * std::pow(0.001 / all.size(), way);
        canvas.setView({middle - size / 2, middle + size / 2});
    });
    canvas.setView(all);
    QApplication::processEvents();
    const double width = canvas.width();
    good &=
        measure("scrub", canvas, 400, [&](int i) { canvas.setPlayhead(canvas.instantAtX(width * i / 400)); });
    timer.restart();
    canvas.setStepView(true);
    std::printf("step view in %lld ms\n", static_cast<long long>(timer.elapsed()));
    const ui::AxisRange steps = canvas.limits();
    for (const double size : {steps.size() / 2, steps.size() / 100, canvas.readableSize()}) {
        char name[64];
        std::snprintf(name, sizeof name, "pan, %.0f steps", size);
        good &= measure(name, canvas, 300, [&](int i) {
            const double from = steps.from + steps.size() / 3 + size * 0.003 * i;
            canvas.setView({from, from + size});
        });
    }
    return good ? 0 : 1;
}
