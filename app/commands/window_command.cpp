// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QString>

#include <cstdlib>

#include "app/commands/commands.h"
#include "app/console.h"
#include "app/lesson_library.h"
#include "app/live_host.h"
#include "app/serve_host.h"
#include "core/lesson/run_file.h"
#include "core/world/session.h"
#include "ui/main_window.h"

namespace lockscope::app {

namespace {

/// Qt ends the process with a core dump where no display is; a sentence is kinder.
bool hasDisplay() {
    for (const char* name : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"})
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return true;
    return false;
}

} // namespace

int windowCommand(const std::string& lesson, char* programName) {
    std::string file;
    if (namesRunFile(lesson)) {
        // One that cannot be read is said here, where it was named.
        if (const Result<RunFile> run = readRunFile(lesson); !run)
            return complain("lockscope open: " + run.error().text());
        file = lesson;
    } else if (!lesson.empty()) {
        const Result<std::string> found = lessonFile(lesson);
        if (!found) return complain("lockscope open: " + found.error().text());
        file = *found;
    }
    const Result<std::string> folder = lessonFolder();
    if (!folder && file.empty()) return complain(folder.error().text());
    if (!hasDisplay())
        return complain(
            "the window needs a display: set DISPLAY or WAYLAND_DISPLAY; lessons, run and check need none",
            kFailed);

    // Qt sees no argument of ours.
    int count = 1;
    char* arguments[] = {programName, nullptr};
    QApplication application(count, arguments);
    QApplication::setApplicationName(QStringLiteral("lockscope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Lockscope"));
    QApplication::setOrganizationName(QStringLiteral("lockscope"));
    QApplication::setApplicationVersion(QStringLiteral(LOCKSCOPE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("io.github.lockscope.Lockscope"));

    ui::WindowOptions options;
    options.session = makeSimulatedSession();
    options.live = makeLiveHost();
    options.serve = makeServeHost();
    if (folder) options.lessonFolder = QString::fromStdString(*folder);
    options.open = QString::fromStdString(file);
    ui::MainWindow window(std::move(options));
    window.show();
    return QApplication::exec();
}

} // namespace lockscope::app
