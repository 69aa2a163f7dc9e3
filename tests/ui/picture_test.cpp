// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the timeline: that there is something on them, how large they are, and what they do not tell.
#include <QClipboard>
#include <QImage>
#include <QXmlStreamReader>

#include "tests/ui/window_fixture.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/picture.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::test::answerDialog;
using lockscope::test::QuietTest;
using lockscope::test::WindowUnderTest;

namespace {

int coloursIn(const QImage& image) {
    QSet<QRgb> seen;
    for (int y = 0; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2)
            seen.insert(image.pixel(x, y));
    return static_cast<int>(seen.size());
}

/// All text of an SVG file; empty if it is no valid XML.
QString textOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader xml(&file);
    QString text;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::Characters) text += xml.text();
    return xml.hasError() ? QString() : text;
}

} // namespace

class PictureTest : public QuietTest {
    Q_OBJECT
private slots:
    void copied();
    void savedInThreeForms();
    void allLanesAreOnIt();
    void nothingBehindTheVeilIsOnIt();
    void aPlaceThatCannotBeWrittenIsSaid();
    void onlyWhatIsPromisedIsWritten();
    void whatIsSelectedIsNotOnIt();
};

void PictureTest::copied() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    QApplication::clipboard()->clear();
    const QImage before = window.child(QStringLiteral("timeline"))->grab().toImage();
    window.key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
    const QImage image = QApplication::clipboard()->image();
    const QWidget* timeline = window.child(QStringLiteral("timeline"));
    QCOMPARE(image.width(), timeline->width());
    QVERIFY(image.height() > window->findChild<TimelineView*>()->canvas().lanes().height());
    QVERIFY(coloursIn(image) > 20);
    window->findChild<QWidget*>(QStringLiteral("toast"))->hide();
    window.settle();
    QCOMPARE(window.child(QStringLiteral("timeline"))->grab().toImage(), before); // the window is as it was
}

void PictureTest::savedInThreeForms() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    const auto save = [&](const QString& filter, const QString& name) {
        window.key(Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
        answerDialog(window, QStringLiteral("pictureDialog"), window.home(name), filter);
    };
    save(QStringLiteral("PNG picture (*.png)"), QStringLiteral("a.png"));
    save(QStringLiteral("PNG picture, twice the size (*.png)"), QStringLiteral("b.png"));
    save(QStringLiteral("SVG picture (*.svg)"), QStringLiteral("c.svg"));
    const QImage once(window.home(QStringLiteral("a.png"))), twice(window.home(QStringLiteral("b.png")));
    QVERIFY(coloursIn(once) > 20);
    QCOMPARE(twice.size(), once.size() * 2);
    const QString svg = textOf(window.home(QStringLiteral("c.svg")));
    QVERIFY(svg.contains(qstr(window.lesson().lesson()->title)));
    QVERIFY(svg.contains(QStringLiteral("Redis says")));
    QVERIFY(svg.contains(QStringLiteral("lockscope run stale-del")));
}

void PictureTest::allLanesAreOnIt() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1280, 480));
    window.lesson().goTo(window.lesson().stepCount() - 1);
    window.settle();
    auto* view = window->findChild<TimelineView*>();
    QVERIFY(view->canvas().mostScroll() > 0);
    const QSize before = view->size();
    const QImage image = pictureOf(*view, window->look(), {}, 1);
    QVERIFY(image.height() > view->canvas().lanes().height());
    QVERIFY(image.height() > view->canvas().height());
    QCOMPARE(view->size(), before);
}

/// Two runs that differ only behind the veil give the same picture.
void PictureTest::nothingBehindTheVeilIsOnIt() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    while (window.lesson().openQuestion() == nullptr)
        window.key(Qt::Key_PageDown);
    const Instant gate = window.lesson().openQuestion()->gate;
    window.run().setPlayhead(Instant{});
    auto* view = window->findChild<TimelineView*>();
    const auto picture = [&] {
        window.settle();
        return pictureOf(*view, window->look(), {QStringLiteral("title"), {}, {}}, 1);
    };
    const QImage before = picture();
    const Scenario scenario = window.run().scenario();
    Scenario other = scenario;
    other.interventions.push_back({InterventionKind::Kill, "Server A", gate + seconds(1), Duration{0}});
    other.interventions.push_back({InterventionKind::Kill, "Server B", gate + seconds(1), Duration{0}});
    QCOMPARE(window.run().start(other), QString());
    QCOMPARE(picture(), before);
    window.key(Qt::Key_R);
    window.run().pause();
    window.run().setPlayhead(Instant{});
    const QImage open = picture();
    QVERIFY(open != before);
    QCOMPARE(window.run().start(scenario), QString());
    window.run().setPlayhead(Instant{});
    QVERIFY(picture() != open); // and they do differ there
}

void PictureTest::aPlaceThatCannotBeWrittenIsSaid() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    QCOMPARE(writePicture(*window->findChild<TimelineView*>(), window->look(), {},
                          window.home(QStringLiteral("no/such/a.png")), 1),
             QStringLiteral("a.png could not be written: No such file or directory"));
}

void PictureTest::onlyWhatIsPromisedIsWritten() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    const QString file = window.home(QStringLiteral("a.jpg"));
    QCOMPARE(writePicture(*window->findChild<TimelineView*>(), window->look(), {}, file, 1),
             QStringLiteral("a.jpg: a picture is saved as PNG or SVG, by a name that ends in .png or .svg"));
    QVERIFY(!QFile::exists(file));
}

void PictureTest::whatIsSelectedIsNotOnIt() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.run().pause();
    window.run().toStart();
    const auto picture = [&] {
        return pictureOf(*window->findChild<TimelineView*>(), window->look(), {}, 1);
    };
    const QImage before = picture();
    window.run().select({Selection::Kind::Event, 0});
    QCOMPARE(picture(), before);
}

QTEST_MAIN(PictureTest)
#include "picture_test.moc"
