// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the window in the states a person meets into PNG files, to be looked at:
//     window_pictures FOLDER [PART OF A NAME]
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QPushButton>
#include <QTemporaryDir>

#include <cstdio>
#include <functional>

#include "ui/bridge/failure_search.h"
#include "ui/bridge/kept_runs.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/notes.h"
#include "ui/bridge/what_if.h"
#include "ui/look.h"
#include "ui/main_window.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/picture.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;

namespace {

struct Picture {
    const char* name;
    QSize size;
    bool dark;
    double scale;
    const char* lesson;
    int step;
    std::function<void(ui::MainWindow&)> act;
};

void settle() {
    for (int i = 0; i < 5; ++i)
        QApplication::processEvents();
}

void paint(const QDir& folder, const Picture& picture) {
    QTemporaryDir home;
    ui::WindowOptions options;
    options.session = makeSimulatedSession();
    options.lessonFolder = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lessons");
    options.open = QLatin1String(picture.lesson);
    options.settingsFile = home.filePath(QStringLiteral("window.ini"));
    ui::MainWindow window(std::move(options));
    window.look().setReducedMotion(true);
    window.look().setDark(picture.dark);
    window.look().setScale(picture.scale);
    window.resize(picture.size);
    window.show();
    settle();
    window.lesson().goTo(picture.step);
    settle();
    if (picture.act) picture.act(window);
    settle();
    const QString file = folder.filePath(QLatin1String(picture.name) + QStringLiteral(".png"));
    window.grab().save(file);
    std::printf("%s\n", qPrintable(file));
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2 && argc != 3) {
        std::fprintf(stderr, "usage: window_pictures FOLDER [PART OF A NAME]\n");
        return 2;
    }
    QApplication app(argc, argv);
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    folder.mkpath(QStringLiteral("."));
    const QSize small(1280, 720), large(1920, 1080);
    const auto last = 99;
    const auto answered = [](ui::MainWindow& window) {
        if (window.lesson().openQuestion() != nullptr) window.lesson().answerQuestion(0);
        window.run().pause();
        window.run().setPlayhead(instantAt(millis(46'500)));
    };
    const auto paused = [](ui::MainWindow& window) {
        window.lesson().addIntervention(
            {InterventionKind::Pause, "Server A", instantAt(seconds(12)), seconds(25)});
        window.run().setPlayhead(instantAt(seconds(20)));
        window.run().select({ui::Selection::Kind::Intervention, 0});
    };
    const auto act = [](ui::MainWindow& window, const char* action) {
        window.findChild<QAction*>(QLatin1String(action))->trigger();
    };
    const auto ghost = [&](ui::MainWindow& window) {
        window.lesson().liftVeil();
        paused(window);
        window.run().pause();
        window.run().select({});
    };
    const auto steps = [&](ui::MainWindow& window) {
        ghost(window);
        window.run().setPlayhead(instantAt(millis(31'002)));
        act(window, "actionStepView");
    };
    const auto race = [](ui::MainWindow& window) {
        window.lesson().liftVeil();
        window.run().pause();
    };
    const auto stall = [](ui::MainWindow& window) {
        window.lesson().addIntervention(
            {InterventionKind::ServerStall, "Redis", instantAt(seconds(12)), seconds(6)});
    };
    const auto compare = [&](ui::MainWindow& window) {
        window.lesson().liftVeil();
        window.run().pause();
        window.kept().keep(QStringLiteral("as it was"));
        paused(window);
        window.run().select({});
        act(window, "actionCompare");
    };
    const auto compareSteps = [&](ui::MainWindow& window) {
        compare(window);
        window.run().setPlayhead(instantAt(seconds(12)));
        act(window, "actionStepView");
    };
    const auto nothingKept = [&](ui::MainWindow& window) { act(window, "actionCompare"); };
    const auto keeping = [&](ui::MainWindow& window) {
        paused(window);
        act(window, "actionKeep");
    };
    const auto swept = [](ui::MainWindow& window) {
        if (window.lesson().openQuestion() != nullptr) window.lesson().liftVeil();
        window.run().pause();
        window.lesson().removeIntervention(0);
        auto& whatIf = *window.findChild<ui::WhatIf*>();
        while (!whatIf.strip() || !whatIf.strip()->complete)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        window.run().setPlayhead(instantAt(millis(20'250)));
        auto& canvas = window.findChild<ui::TimelineView*>()->canvas();
        canvas.setFocus();
        canvas.readStrip();
    };
    const auto searched = [](ui::MainWindow& window) {
        if (window.lesson().openQuestion() != nullptr) window.lesson().liftVeil();
        window.run().pause();
        window.findChild<QAction*>(QStringLiteral("actionFindFailure"))->trigger();
        window.findChild<QPushButton*>(QStringLiteral("failureGo"))->click();
        auto& search = *window.findChild<ui::FailureSearch*>();
        while (search.state() == ui::FailureSearch::State::Searching)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        window.run().pause();
        if (search.result()->found) window.run().setPlayhead(search.result()->why.front().at);
    };
    const auto asked = [](ui::MainWindow& window) {
        while (window.lesson().openQuestion() == nullptr && !window.lesson().atSummary())
            window.lesson().next();
    };
    const auto answeredSurely = [=](ui::MainWindow& window) {
        asked(window);
        const int right = ui::rightOption(*window.lesson().question());
        window.lesson().answerQuestion(right == 0 ? 1 : 0, ui::Confidence::Certain);
        window.run().pause();
    };
    const auto summary = [=](ui::MainWindow& window) {
        answeredSurely(window);
        window.lesson().next();
        for (asked(window); !window.lesson().atSummary(); asked(window)) {
            window.lesson().answerQuestion(ui::rightOption(*window.lesson().question()),
                                           ui::Confidence::Guess);
            window.lesson().next();
        }
    };
    const auto noted = [=](ui::MainWindow& window) {
        answered(window);
        const int step = window.lesson().step();
        auto* notes = window.findChild<ui::Notes*>();
        notes->add({step, instantAt(seconds(12)), instantAt(seconds(12)), "Here the report begins"});
        notes->add({step, instantAt(seconds(31)), instantAt(seconds(45)),
                    "Two servers believe they hold the lock, and neither of them is told"});
        notes->add({step, instantAt(seconds(46)), instantAt(seconds(46)), "Too late"});
        notes->add({step, instantAt(millis(46'500)), instantAt(millis(46'500)), "Close by"});
    };
    const auto exported = [=](ui::MainWindow& window) {
        noted(window);
        settle();
        auto& view = *window.findChild<ui::TimelineView*>();
        const ui::PictureCaption caption{
            QStringLiteral("4 · The old process deletes the new lock"),
            QStringLiteral("Step 5 of 5 · Who deletes what · playhead at 46.5 s"),
            window.lesson().commandLine()};
        for (const char* name : {"exported.png", "exported.svg"})
            ui::writePicture(view, window.look(), caption, folder.filePath(QLatin1String(name)), 2);
    };
    for (const Picture& picture : std::initializer_list<Picture>{
             {"first-small-light", small, false, 1, "expiry", 0, {}},
             {"first-large-dark", large, true, 1, "expiry", 0, {}},
             {"step2-small-light", small, false, 1, "expiry", 1, {}},
             {"step3-small-dark", small, true, 1, "expiry", 2, {}},
             {"paused-small-light", small, false, 1, "expiry", 0, paused},
             {"last-large-light", large, false, 1, "stale-del", last, answered},
             {"last-small-dark", small, true, 1, "stale-del", last, answered},
             {"last-large-dark", large, true, 1, "stale-del", last, answered},
             {"question-large-light", large, false, 1, "stale-del", 1, {}},
             {"narrow-light", QSize(1000, 720), false, 1, "stale-del", last, answered},
             {"huge-type-light", small, false, 2.5, "stale-del", last, answered},
             {"ghost-small-light", small, false, 1, "expiry", 0, ghost},
             {"ghost-large-dark", large, true, 1, "stale-del", last, ghost},
             {"steps-small-light", small, false, 1, "expiry", 0, steps},
             {"steps-large-dark", large, true, 1, "expiry", 0, steps},
             {"race-small-light", small, false, 1, "toctou", 3, race},
             {"stall-small-dark", small, true, 1, "expiry", 0, stall},
             {"compare-small-light", small, false, 1, "expiry", 0, compare},
             {"compare-large-dark", large, true, 1, "stale-del", last, compare},
             {"compare-steps-small-dark", small, true, 1, "expiry", 0, compareSteps},
             {"compare-empty-small-light", small, false, 1, "expiry", 0, nothingKept},
             {"keeping-small-light", small, false, 1, "expiry", 0, keeping},
             {"found-small-light", small, false, 1, "stale-del", 0, searched},
             {"found-large-dark", large, true, 1, "toctou", 4, searched},
             {"strip-small-light", small, false, 1, "toctou", 5, swept},
             {"strip-large-dark", large, true, 1, "toctou", 5, swept},
             {"big-type-dark", small, true, 1.5, "stale-del", 2, answered},
             {"asked-small-light", small, false, 1, "stale-del", 0, asked},
             {"wrong-small-dark", small, true, 1, "stale-del", 0, answeredSurely},
             {"summary-small-light", small, false, 1, "stale-del", 0, summary},
             {"summary-large-dark", large, true, 1, "stale-del", 0, summary},
             {"notes-small-light", small, false, 1, "stale-del", last, noted},
             {"notes-large-dark", large, true, 1, "stale-del", last, exported},
         })
        if (argc == 2 || QLatin1String(picture.name).contains(QLatin1String(argv[2]))) paint(folder, picture);
    return 0;
}
