// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// From the start of a process to its first painted window, as a user waits for it: every round is a process
// of its own, loader and libraries included.
//     lockscope_bench_start [ROUNDS]
#include <QApplication>
#include <QPaintEvent>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "ui/main_window.h"

using namespace lockscope;

namespace {

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Ends the program once the window has painted itself for the first time.
class FirstPaint : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint && !m_seen) {
            m_seen = true;
            // After this event everything in the window has been painted and flushed.
            QTimer::singleShot(0, qApp, [] {
                std::printf("%lld\n", static_cast<long long>(now()));
                std::fflush(stdout);
                QCoreApplication::exit(0);
            });
        }
        return false;
    }

private:
    bool m_seen = false;
};

int openOnce(int argc, char** argv) {
    QApplication app(argc, argv);
    QTemporaryDir home;
    ui::WindowOptions options;
    options.session = makeSimulatedSession();
    options.lessonFolder = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lessons");
    options.settingsFile = home.filePath(QStringLiteral("window.ini"));
    ui::MainWindow window(std::move(options));
    FirstPaint first;
    window.installEventFilter(&first);
    window.show();
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "--once") return openOnce(argc, argv);
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QCoreApplication app(argc, argv);
    std::vector<double> took;
    for (int i = 0; i < rounds; ++i) {
        QProcess child;
        const std::int64_t began = now();
        child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--once")});
        if (!child.waitForFinished() || child.exitCode() != 0) {
            std::fprintf(stderr, "the window did not open:\n%s", child.readAllStandardError().constData());
            return 1;
        }
        took.push_back(static_cast<double>(child.readAllStandardOutput().trimmed().toLongLong() - began) /
                       1000);
    }
    std::sort(took.begin(), took.end());
    std::printf("first painted window: best %.0f ms, median %.0f ms, worst %.0f ms of %d starts\n",
                took.front(), took[took.size() / 2], took.back(), rounds);
    return 0;
}
