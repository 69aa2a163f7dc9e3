// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the timeline of a few stories into PNG files, for a person to look at:
//     timeline_pictures FOLDER
#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QStyleFactory>

#include <cstdio>

#include "tests/trace/stories.h"
#include "tests/ui/run_fixtures.h"
#include "ui/look.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;

namespace {

void paint(const QString& file, Trace trace, const QSize& size, bool dark, double scale,
           const std::function<void(ui::RunModel&, ui::TimelineView&)>& act) {
    ui::Look look;
    look.setReducedMotion(true);
    look.setDark(dark);
    look.setScale(scale);
    QApplication::setPalette(look.palette());
    const std::unique_ptr<ui::RunModel> model = test::modelOf(std::move(trace));
    ui::TimelineView view(*model, look);
    view.resize(size);
    view.show();
    if (act) act(*model, view);
    QApplication::processEvents();
    view.grab().save(file);
    std::printf("%s\n", qPrintable(file));
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: timeline_pictures FOLDER\n");
        return 2;
    }
    QApplication app(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    folder.mkpath(QStringLiteral("."));
    // The centre of a window of 1280 × 720 and of 1920 × 1080.
    const QSize small(704, 548);
    const QSize large(1120, 850);
    for (const bool dark : {false, true}) {
        const QString tone = dark ? QStringLiteral("dark") : QStringLiteral("light");
        const auto file = [&](const char* name) {
            return folder.filePath(QLatin1String(name) + '-' + tone + ".png");
        };
        paint(file("expiry-small"), test::expiryStory(), small, dark, 1,
              [](ui::RunModel& model, ui::TimelineView&) { model.setPlayhead(instantAt(millis(31002))); });
        paint(file("expiry-large"), test::expiryStory(), large, dark, 1,
              [](ui::RunModel& model, ui::TimelineView&) {
                  model.setPlayhead(instantAt(seconds(12)));
                  model.select({ui::Selection::Kind::Grant, 0});
              });
        paint(file("expiry-veil"), test::expiryStory(), small, dark, 1,
              [](ui::RunModel& model, ui::TimelineView&) {
                  model.setVeil(instantAt(seconds(29)));
                  model.setPlayhead(instantAt(seconds(29)));
              });
        paint(file("expiry-zoomed"), test::expiryStory(), large, dark, 1,
              [](ui::RunModel& model, ui::TimelineView& view) {
                  model.setPlayhead(instantAt(millis(31001)));
                  view.showRange(instantAt(millis(30980)), instantAt(millis(31020)));
              });
        paint(file("mixed-large"), test::mixedStory(), large, dark, 1,
              [](ui::RunModel& model, ui::TimelineView&) { model.setPlayhead(instantAt(millis(7102))); });
        paint(file("mixed-small"), test::mixedStory(), small, dark, 1, {});
        paint(file("mixed-scaled"), test::mixedStory(), large, dark, 1.5, {});
        paint(file("legend"), test::expiryStory(), large, dark, 1,
              [](ui::RunModel&, ui::TimelineView& view) { view.setLegendShown(true); });
    }
    ui::Look look;
    for (const auto& [name, actors, zoom] :
         {std::tuple{"many", 20, 0.0}, std::tuple{"many-zoomed", 20, 3.0}, std::tuple{"one", 1, 3.0}}) {
        ui::TimelineCanvas canvas(look);
        canvas.resize(1120, 850);
        canvas.show();
        canvas.setRun(test::bigRun(actors, 20000));
        if (zoom > 0) canvas.setView({10, 10 + zoom});
        QApplication::processEvents();
        const QString file = folder.filePath(QLatin1String(name) + QStringLiteral(".png"));
        canvas.grab().save(file);
        std::printf("%s\n", qPrintable(file));
    }
    return 0;
}
