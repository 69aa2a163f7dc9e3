// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The timeline as a person uses it: real mouse and key events, and what is then visible, hit and said.
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

#include "tests/trace/stories.h"
#include "tests/ui/on_canvas.h"
#include "tests/ui/run_fixtures.h"
#include "ui/look.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/descriptions.h"
#include "ui/timeline/paint/frame.h"
#include "ui/timeline/passing.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;
using namespace lockscope::ui;

namespace {

/// A timeline on a story, in a window of its own.
class Stage {
public:
    explicit Stage(Trace trace, QSize size = {900, 560})
        : model(test::modelOf(std::move(trace))), view(*model, look) {
        look.setReducedMotion(true);
        view.resize(size);
        view.show();
        view.activateWindow();
        canvas().setFocus();
        QApplication::processEvents();
    }

    TimelineCanvas& canvas() { return view.canvas(); }
    Scene scene() { return canvas().scene(); }
    double x(Instant at) { return scene().scale.x(at); }
    const Band& band(BandKind kind, int index = 0) { return test::bandOf(canvas(), kind, index); }
    QPoint point(Instant at, double layoutY) { return QPointF(x(at), scene().y(layoutY)).toPoint(); }
    QPoint onDoes(int actor, Instant at) { return point(at, band(BandKind::Actor, actor).doesMiddle(0)); }
    QPoint onThinks(int actor, Instant at) { return point(at, band(BandKind::Actor, actor).thinksMiddle(0)); }
    QPoint onRedis(Instant at) {
        const Band& b = band(BandKind::Key);
        return point(at, b.top + b.height / 2);
    }
    QPoint onRuler(Instant at) { return {static_cast<int>(std::lround(x(at))), 8}; }
    QPoint onEmpty() { return {canvas().width() / 2, canvas().height() - 4}; }

    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
        QTest::mousePress(&canvas(), button, {}, from);
        move((from + to) / 2, button);
        move(to, button);
        QTest::mouseRelease(&canvas(), button, {}, to);
    }
    void move(QPoint to, Qt::MouseButtons held) { test::moveMouse(canvas(), to, held); }
    void wheel(QPoint at, int notches, Qt::KeyboardModifiers keys = Qt::NoModifier) {
        QWheelEvent event(at, canvas().mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas(), &event);
    }
    QString said(QPoint at) { return describe(scene(), hitTest(scene(), at)); }
    QImage picture() {
        QApplication::processEvents();
        return canvas().grab().toImage();
    }

    Look look;
    std::unique_ptr<RunModel> model;
    TimelineView view;
};

Instant s(double seconds) {
    return test::at(seconds);
}

/// How many pixels of a rectangle have this colour.
int count(const QImage& image, const QRect& in, const QColor& color) {
    int n = 0;
    for (int y = std::max(0, in.top()); y <= std::min(in.bottom(), image.height() - 1); ++y)
        for (int x = std::max(0, in.left()); x <= std::min(in.right(), image.width() - 1); ++x)
            n += image.pixelColor(x, y) == color ? 1 : 0;
    return n;
}

} // namespace

class TimelineViewTest : public QObject {
    Q_OBJECT

private slots:
    void draggingOnTheRulerScrubs();
    void escapeTakesAScrubBack();
    void theWheelZoomsAtThePointer();
    void shiftAndWheelPans();
    void emptyGroundMiddleButtonAndSpacePan();
    void draggingOnAnActorsLaneMovesNothing();
    void aClickSelectsAndFocusesTheLane();
    void keysStepZoomFitAndWalkTheLanes();
    void enterSelectsWhatIsUnderThePlayhead();
    void aDoubleClickShowsTheWholeRun();
    void theContextMenuNamesActorAndInstant();
    void everyMarkSaysWhatItIs();
    void workWithoutTheLockIsHatched();
    void theOwnersBarHasItsColourAndNobodyHasNone();
    void violationsAreSeenAtEveryZoom();
    void foldedViolationsAreCounted();
    void aDiamondGrowsAsPlayPassesIt();
    void aMessageTravelsItsArrowAsPlayPassesIt();
    void theVeilHidesWhatComesAfter();
    void showViolationBringsItIntoSight();
    void arrowsComeWithTheZoom();
    void manyActorsAreDenseAndScroll();
    void partsCanBeLeftOut();
    void theLegendOpensWithAKeyAndCloses();
    void aScreenReaderIsToldTheLane();
    void everythingFollowsTheScale();
    void anEmptyRunIsNoTrouble();
};

void TimelineViewTest::draggingOnTheRulerScrubs() {
    Stage stage(test::expiryStory());
    stage.drag(stage.onRuler(s(5)), stage.onRuler(s(31)));
    const double pixel = 65.0 / stage.canvas().width() * 1.1;
    QVERIFY(std::abs(static_cast<double>(micros(stage.model->playhead())) / 1e6 - 31) < 2 * pixel);
    QCOMPARE(micros(stage.canvas().playhead()), micros(stage.model->playhead()));
    // Beyond the edge it stops at the end of the run.
    stage.drag(stage.onRuler(s(31)), QPoint(stage.canvas().width() + 400, 8));
    QCOMPARE(micros(stage.model->playhead()), micros(s(65)));
}

void TimelineViewTest::escapeTakesAScrubBack() {
    Stage stage(test::expiryStory());
    stage.model->setPlayhead(s(12));
    QTest::mousePress(&stage.canvas(), Qt::LeftButton, {}, stage.onRuler(s(20)));
    stage.move(stage.onRuler(s(40)), Qt::LeftButton);
    QVERIFY(stage.model->playhead() > s(30));
    QTest::keyClick(&stage.canvas(), Qt::Key_Escape);
    QCOMPARE(micros(stage.model->playhead()), micros(s(12)));
    QTest::mouseRelease(&stage.canvas(), Qt::LeftButton, {}, stage.onRuler(s(40)));
    QCOMPARE(micros(stage.model->playhead()), micros(s(12)));
}

void TimelineViewTest::theWheelZoomsAtThePointer() {
    Stage stage(test::expiryStory());
    const QPoint pointer(300, 300);
    const double before = static_cast<double>(micros(stage.scene().scale.at(300)));
    const double wide = stage.canvas().view().size();
    for (int i = 0; i < 12; ++i)
        stage.wheel(pointer, 1);
    QVERIFY(stage.canvas().view().size() < wide / 5);
    QVERIFY(std::abs(static_cast<double>(micros(stage.scene().scale.at(300))) - before) < 100);
    for (int i = 0; i < 30; ++i)
        stage.wheel(pointer, -1);
    QVERIFY(stage.canvas().view() == stage.canvas().limits());
}

void TimelineViewTest::shiftAndWheelPans() {
    Stage stage(test::expiryStory());
    stage.canvas().setView({20, 30});
    stage.wheel({300, 300}, -2, Qt::ShiftModifier);
    QVERIFY(stage.canvas().view().from > 20);
    QVERIFY(std::abs(stage.canvas().view().size() - 10) < 1e-9);
}

void TimelineViewTest::emptyGroundMiddleButtonAndSpacePan() {
    Stage stage(test::expiryStory());
    const auto pannedBy = [&](const std::function<void()>& act) {
        stage.canvas().setView({20, 30});
        act();
        return stage.canvas().view().from - 20;
    };
    const double tenth = stage.canvas().width() / 10.0;
    const QPoint way(static_cast<int>(-2 * tenth), 0);
    const QPoint lane = stage.onDoes(0, s(25));
    QVERIFY(std::abs(pannedBy([&] { stage.drag(stage.onEmpty(), stage.onEmpty() + way); }) - 2) < 0.02);
    QVERIFY(std::abs(pannedBy([&] { stage.drag(lane, lane + way, Qt::MiddleButton); }) - 2) < 0.02);
    QSignalSpy play(&stage.canvas(), &TimelineCanvas::playWanted);
    QVERIFY(std::abs(pannedBy([&] {
                         QTest::keyPress(&stage.canvas(), Qt::Key_Space);
                         stage.drag(lane, lane + way);
                         QTest::keyRelease(&stage.canvas(), Qt::Key_Space);
                     }) -
                     2) < 0.02);
    QCOMPARE(play.count(), 0); // it was for the drag
    QTest::keyClick(&stage.canvas(), Qt::Key_Space);
    QCOMPARE(play.count(), 1);
}

void TimelineViewTest::draggingOnAnActorsLaneMovesNothing() {
    Stage stage(test::expiryStory());
    const AxisRange before = stage.canvas().view();
    stage.model->setPlayhead(s(7));
    stage.drag(stage.onDoes(0, s(10)), stage.onDoes(0, s(40)));
    QVERIFY(stage.canvas().view() == before);
    QCOMPARE(micros(stage.model->playhead()), micros(s(7)));
    QVERIFY(stage.model->selection().kind == Selection::Kind::None);
}

void TimelineViewTest::aClickSelectsAndFocusesTheLane() {
    Stage stage(test::expiryStory());
    const std::shared_ptr<const Run> run = stage.model->run();
    QTest::mouseClick(&stage.canvas(), Qt::LeftButton, {}, stage.onRedis(s(40)));
    QVERIFY(stage.model->selection().kind == Selection::Kind::Grant);
    QCOMPARE(run->analysis.grants[static_cast<std::size_t>(stage.model->selection().index)].actor,
             ActorIndex{1});
    QCOMPARE(stage.view.focusedActor(), ActorIndex{kNone});

    QTest::mouseClick(&stage.canvas(), Qt::LeftButton, {}, stage.onThinks(0, s(40)));
    QVERIFY(stage.model->selection().kind == Selection::Kind::Claim);
    QCOMPARE(stage.view.focusedActor(), ActorIndex{0});

    QTest::mouseClick(&stage.canvas(), Qt::LeftButton, {}, stage.onDoes(1, s(40)));
    QVERIFY(stage.model->selection().kind == Selection::Kind::Event);
    QVERIFY(run->trace->events[static_cast<std::size_t>(stage.model->selection().index)].kind ==
            EventKind::WorkStarted);
    QCOMPARE(stage.view.focusedActor(), ActorIndex{1});

    // What is selected shows it: its outline has the focus colour.
    const QImage picture = stage.picture();
    const Band& band = stage.band(BandKind::Actor, 1);
    const QRect bar =
        QRectF(stage.x(s(31)) - 6, stage.scene().y(band.top) - 6, 40, band.doesRow + 12).toRect();
    QVERIFY(count(picture, bar, stage.look.color(Role::Focus)) > 40);
}

void TimelineViewTest::keysStepZoomFitAndWalkTheLanes() {
    Stage stage(test::expiryStory());
    TimelineCanvas& canvas = stage.canvas();
    QTest::keyClick(&canvas, Qt::Key_Right);
    const Instant first = stage.model->playhead();
    QVERIFY(first > Instant{});
    QTest::keyClick(&canvas, Qt::Key_Right);
    QVERIFY(stage.model->playhead() > first);
    QTest::keyClick(&canvas, Qt::Key_Left);
    QCOMPARE(micros(stage.model->playhead()), micros(first));
    QTest::keyClick(&canvas, Qt::Key_End);
    QCOMPARE(micros(stage.model->playhead()), micros(s(65)));
    QTest::keyClick(&canvas, Qt::Key_Home);
    QCOMPARE(micros(stage.model->playhead()), std::int64_t{0});

    const double wide = canvas.view().size();
    QTest::keyClick(&canvas, Qt::Key_Plus);
    QTest::keyClick(&canvas, Qt::Key_Plus);
    QVERIFY(canvas.view().size() < wide);
    const double from = canvas.view().from;
    QTest::keyClick(&canvas, Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(canvas.view().from > from);
    QTest::keyClick(&canvas, Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(std::abs(canvas.view().from - from) < 1e-6);
    QTest::keyClick(&canvas, Qt::Key_Minus);
    QTest::keyClick(&canvas, Qt::Key_F);
    QVERIFY(canvas.view() == canvas.limits());

    QCOMPARE(canvas.focusBand(), 0);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.focusBand(), 1);
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.focusBand(), static_cast<int>(canvas.lanes().bands().size()) - 1);
    QTest::keyClick(&canvas, Qt::Key_Up);
    QCOMPARE(canvas.focusBand(), static_cast<int>(canvas.lanes().bands().size()) - 2);
}

void TimelineViewTest::enterSelectsWhatIsUnderThePlayhead() {
    Stage stage(test::expiryStory());
    stage.model->setPlayhead(s(40));
    QTest::keyClick(&stage.canvas(), Qt::Key_Down); // Redis
    QTest::keyClick(&stage.canvas(), Qt::Key_Return);
    QVERIFY(stage.model->selection().kind == Selection::Kind::Grant);
    QCOMPARE(stage.model->selection().index, 1);
}

void TimelineViewTest::aDoubleClickShowsTheWholeRun() {
    Stage stage(test::expiryStory());
    stage.canvas().setView({20, 21});
    QTest::mouseDClick(&stage.canvas(), Qt::LeftButton, {}, stage.onEmpty());
    QVERIFY(stage.canvas().view() == stage.canvas().limits());
}

void TimelineViewTest::theContextMenuNamesActorAndInstant() {
    Stage stage(test::expiryStory());
    int actor = kNone;
    Instant at{};
    int node = kNone;
    QObject::connect(&stage.view, &TimelineView::laneMenuRequested, [&](const LaneMenu& wanted) {
        actor = wanted.actor;
        node = wanted.node;
        at = wanted.at;
    });
    const auto ask = [&](QPoint pos) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, pos, stage.canvas().mapToGlobal(pos));
        QApplication::sendEvent(&stage.canvas(), &event);
    };
    ask(stage.onDoes(1, s(20)));
    QCOMPARE(actor, 1);
    QVERIFY(std::abs(static_cast<double>(micros(at - s(20).time_since_epoch()))) < 2e5);
    ask(stage.onRedis(s(20)));
    QCOMPARE(actor, kNone); // Redis itself
    QCOMPARE(node, 0);
    // The keyboard's way: the focused lane at the playhead.
    stage.model->setPlayhead(s(33));
    stage.canvas().setFocusBand(0);
    QTest::keyClick(&stage.canvas(), Qt::Key_Menu);
    QCOMPARE(actor, 0);
    QCOMPARE(micros(at), micros(s(33)));
}

void TimelineViewTest::everyMarkSaysWhatItIs() {
    Stage stage(test::expiryStory());
    QVERIFY(stage.said(stage.onDoes(0, s(10))).contains(QStringLiteral("Server A works “Report”")));
    QVERIFY(!stage.said(stage.onDoes(0, s(10))).contains(QStringLiteral("without the lock")));
    QVERIFY(stage.said(stage.onDoes(0, s(45))).contains(QStringLiteral("without the lock")));
    QVERIFY(stage.said(stage.onDoes(1, s(15))).contains(QStringLiteral("waits for the lock")));
    QVERIFY(stage.said(stage.onDoes(1, s(15))).contains(QStringLiteral("Refused 30 time")));
    QVERIFY(stage.said(stage.onThinks(0, s(45)))
                .contains(QStringLiteral("takes itself for the holder of lock:report")));
    QVERIFY(stage.said(stage.onRedis(s(10))).contains(QStringLiteral("Server A owns lock:report")));
    QVERIFY(stage.said(stage.onRedis(s(58))).contains(QStringLiteral("Nobody owns")));
    const Band& ttl = stage.band(BandKind::Ttl);
    QVERIFY(stage.said(stage.point(s(10), ttl.top + 10)).contains(QStringLiteral("to live")));
    const Band& a = stage.band(BandKind::Actor, 0);
    const QString violation = stage.said(stage.point(s(31), a.top));
    QVERIFY2(violation.contains(QStringLiteral("Two act as holder")), qPrintable(violation));
}

void TimelineViewTest::workWithoutTheLockIsHatched() {
    Stage stage(test::expiryStory());
    const QImage picture = stage.picture();
    const Band& band = stage.band(BandKind::Actor, 0);
    const auto part = [&](double from, double until) {
        return QRectF(QPointF(stage.x(s(from)), stage.scene().y(band.top + 8)),
                      QPointF(stage.x(s(until)), stage.scene().y(band.top + band.doesRow - 8)))
            .toRect();
    };
    const QColor violation = stage.look.color(Role::Violation);
    QCOMPARE(count(picture, part(5, 28), violation), 0);
    QVERIFY(count(picture, part(5, 28), stage.look.actor(0)) > 1000);
    // The hatch stands on the lane's colour, never on the fill.
    const QRect hatched = part(35, 50);
    QVERIFY(count(picture, hatched, violation) > hatched.width() * hatched.height() / 8);
    QVERIFY(count(picture, hatched, stage.look.color(Role::Lane)) > hatched.width() * hatched.height() / 4);
    QCOMPARE(count(picture, hatched, stage.look.actor(0)), 0);
}

void TimelineViewTest::theOwnersBarHasItsColourAndNobodyHasNone() {
    Stage stage(test::expiryStory());
    const QImage picture = stage.picture();
    const Band& band = stage.band(BandKind::Key);
    const auto column = [&](double at) {
        return QRect(static_cast<int>(stage.x(s(at))), static_cast<int>(stage.scene().y(band.top + 6)), 4,
                     static_cast<int>(band.height) - 12);
    };
    QVERIFY(count(picture, column(20), stage.look.actor(0)) > 60);
    QVERIFY(count(picture, column(48), stage.look.actor(1)) > 60);
    QCOMPARE(
        count(picture, column(62), stage.look.actor(0)) + count(picture, column(62), stage.look.actor(1)), 0);
}

void TimelineViewTest::violationsAreSeenAtEveryZoom() {
    Stage stage(test::expiryStory());
    const Band& band = stage.band(BandKind::Actor, 0);
    const Instant at = stage.model->run()->violations.back().at;
    const double axis = stage.canvas().timeMap().toAxis(at);
    for (const double wide : {67.0, 10.0, 1.0, 0.1, 0.01}) {
        stage.canvas().setView({axis - wide / 2, axis + wide / 2});
        const QImage picture = stage.picture();
        const QRect around(static_cast<int>(stage.x(at)) - 6, static_cast<int>(stage.scene().y(band.top)) - 6,
                           12, 12);
        QVERIFY2(count(picture, around, stage.look.color(Role::Violation)) >= 40,
                 qPrintable(QString::number(wide)));
    }
}

void TimelineViewTest::foldedViolationsAreCounted() {
    Look look;
    TimelineCanvas canvas(look);
    canvas.resize(1000, 700);
    const std::shared_ptr<const Run> run = test::bigRun(3, 50000);
    canvas.setRun(run);
    canvas.show();
    const Scene scene = canvas.scene();
    std::size_t told = 0;
    for (const ActorTracks& actor : scene.data.actors())
        walkPoints(actor.violations, scene.scale, scene.from, scene.until, scene.style.diamond,
                   [&](const PointMark& mark) { told += mark.count(); });
    QCOMPARE(told, run->violations.size());
    QVERIFY(told > 100);
    // And each lane shows some of it.
    const QImage picture = canvas.grab().toImage();
    for (const Band& band : canvas.lanes().bands()) {
        if (band.kind != BandKind::Actor) continue;
        const QRect edge(0, static_cast<int>(scene.y(band.top)) - 6, canvas.width(), 12);
        QVERIFY(count(picture, edge, look.color(Role::Violation)) > 100);
    }
}

void TimelineViewTest::aDiamondGrowsAsPlayPassesIt() {
    Stage stage(test::expiryStory());
    const Scene scene = stage.scene();
    const Violation& first = scene.data.run().violations.front();
    qint64 now = 1000;
    Passing passing([] {}, [&now] { return now; });
    const auto red = [&] {
        QImage image(stage.canvas().size(), QImage::Format_RGB32);
        image.fill(stage.look.color(Role::Window));
        QPainter painter(&image);
        passing.paint(PaintFrame{scene, painter});
        painter.end();
        return count(image, image.rect(), stage.look.color(Role::Violation));
    };
    passing.pass(scene, s(0), first.at - Duration{1});
    QCOMPARE(red(), 0); // not yet there
    passing.pass(scene, first.at - Duration{1}, first.at);
    const int small = red();
    now += 90;
    const int larger = red();
    now += 90;
    const int full = red();
    QVERIFY(small > 0 && small < larger && larger < full);
    passing.stop();
    QCOMPARE(red(), 0);
}

void TimelineViewTest::aMessageTravelsItsArrowAsPlayPassesIt() {
    Stage stage(test::expiryStory());
    const TraceRequest* ask = &stage.model->run()->trace->requests.front();
    const RequestTimes times = stage.model->run()->analysis.requests.front();
    const double at = std::chrono::duration<double>(times.sent.time_since_epoch()).count();
    stage.canvas().setView({at - 0.001, at + 0.004});
    const Scene scene = stage.scene();
    QVERIFY(drawnAsArrows(scene, 0));
    qint64 now = 0;
    Passing passing([] {}, [&now] { return now; });
    const auto height = [&] {
        QImage image(stage.canvas().size(), QImage::Format_RGB32);
        image.fill(stage.look.color(Role::Window));
        QPainter painter(&image);
        passing.paint(PaintFrame{scene, painter});
        painter.end();
        for (int y = 0; y < image.height(); ++y)
            if (count(image, QRect(0, y, image.width(), 1), stage.look.color(Role::Text)) > 0) return y;
        return -1;
    };
    passing.pass(scene, times.sent - Duration{1}, times.sent);
    const MessagePath path(scene, *scene.layout.actorBand(ask->actor), *ask);
    const int begin = height();
    QVERIFY(begin >= 0);
    now = 125;
    const int middle = height();
    now = 249;
    const int end = height();
    QVERIFY(path.down ? begin < middle && middle < end : begin > middle && middle > end);
    // Among many arrows nothing moves.
    passing.stop();
    stage.canvas().fit();
    passing.pass(stage.scene(), s(0), s(50));
    now += 1;
    QVERIFY(!drawnAsArrows(stage.scene(), 0));
    QCOMPARE(height(), -1);
}

void TimelineViewTest::theVeilHidesWhatComesAfter() {
    Stage stage(test::expiryStory());
    stage.model->setVeil(s(29));
    const QImage picture = stage.picture();
    // Neither hatch nor the next owner, nor a diamond, anywhere.
    QCOMPARE(count(picture, picture.rect(), stage.look.color(Role::Violation)), 0);
    const QRect beyond(static_cast<int>(stage.x(s(30))), stage.canvas().rulerHeight(), picture.width(),
                       picture.height());
    QCOMPARE(count(picture, beyond, stage.look.actor(0)), 0);
    QCOMPARE(count(picture, beyond, stage.look.actor(1)), 0);
    // A bar that reaches behind it tells no length; a count stops at it.
    QVERIFY(!stage.said(stage.onDoes(0, s(10))).contains(QStringLiteral("60")));
    QVERIFY(!stage.said(stage.onRedis(s(10))).contains(QStringLiteral("30.201")));
    QVERIFY(stage.said(stage.onDoes(1, s(15))).contains(QStringLiteral("Refused 28 time")));
    // What lies behind it is neither said nor selected, and its menu does not open.
    QVERIFY(stage.said(stage.onRedis(s(40))).contains(QStringLiteral("Covered")));
    QTest::mouseClick(&stage.canvas(), Qt::LeftButton, {}, stage.onRedis(s(40)));
    QVERIFY(stage.model->selection().kind == Selection::Kind::None);
    stage.view.showViolation(0);
    QVERIFY(stage.model->selection().kind == Selection::Kind::None);
    // Lifted, everything is there.
    stage.model->setVeil(kNever);
    QVERIFY(count(stage.picture(), picture.rect(), stage.look.color(Role::Violation)) > 500);
}

void TimelineViewTest::showViolationBringsItIntoSight() {
    Stage stage(test::expiryStory());
    stage.canvas().setView({1, 3});
    const int last = static_cast<int>(stage.model->run()->violations.size()) - 1;
    stage.view.showViolation(last);
    const Instant at = stage.model->run()->violations[static_cast<std::size_t>(last)].at;
    QVERIFY(stage.view.visibleFrom() < at && stage.view.visibleUntil() > at);
    QVERIFY((stage.model->selection() == Selection{Selection::Kind::Violation, last}));
    QVERIFY(std::abs(stage.canvas().view().size() - 2) < 1e-9); // it came, and did not zoom
    // Already in sight: nothing moves.
    const AxisRange before = stage.canvas().view();
    stage.view.showViolation(last);
    QVERIFY(stage.canvas().view() == before);
}

void TimelineViewTest::arrowsComeWithTheZoom() {
    Stage stage(test::expiryStory());
    const Trace& trace = *stage.model->run()->trace;
    RequestIndex last = kNone;
    for (std::size_t i = 0; i < trace.requests.size(); ++i)
        if (stage.model->run()->analysis.requests[i].sent == s(31)) last = static_cast<RequestIndex>(i);
    QVERIFY(last != kNone);
    QVERIFY(!drawnAsArrows(stage.scene(), last));
    stage.view.showRange(s(30.98), s(31.02));
    QVERIFY(drawnAsArrows(stage.scene(), last));
    // In the middle of the gap between the lanes lies the arrow, and it can be picked.
    const MessagePath path(stage.scene(), stage.band(BandKind::Actor, 1),
                           trace.requests[static_cast<std::size_t>(last)]);
    const QPoint onArrow = QPointF(stage.x(s(31.0005)), (path.actor + path.redis) / 2).toPoint();
    const Hit hit = hitTest(stage.scene(), onArrow);
    QVERIFY(hit.what == Hit::What::Request);
    QCOMPARE(hit.index, last);
    QVERIFY(stage.said(onArrow).contains(QStringLiteral("executed at 31.001")));
    stage.view.setShownParts({true, true, false});
    QVERIFY(hitTest(stage.scene(), onArrow).what != Hit::What::Request);
}

void TimelineViewTest::manyActorsAreDenseAndScroll() {
    Look look;
    TimelineCanvas canvas(look);
    canvas.resize(900, 400);
    canvas.setRun(test::bigRun(20, 4000));
    canvas.show();
    QVERIFY(canvas.lanes().bands().front().kind == BandKind::Key); // Redis in sight, on top
    QVERIFY(canvas.lanes().bands()[1].dense);
    QVERIFY(canvas.mostScroll() > 0);
    for (int i = 0; i < 21; ++i)
        QTest::keyClick(&canvas, Qt::Key_Down);
    // The lane with the focus is brought into sight.
    const Scene scene = canvas.scene();
    const Band& band = canvas.lanes().bands()[static_cast<std::size_t>(canvas.focusBand())];
    QVERIFY(scene.y(band.bottom()) <= canvas.height());
    QVERIFY(canvas.scroll() > 0);
    // Rows never overlap and never shrink below the design's.
    double bottom = 0;
    for (const Band& b : canvas.lanes().bands()) {
        QVERIFY(b.top >= bottom);
        bottom = b.bottom();
        if (b.kind == BandKind::Actor) QVERIFY(b.doesRow >= look.px(18));
    }
}

void TimelineViewTest::partsCanBeLeftOut() {
    Stage stage(test::expiryStory());
    const auto has = [&](BandKind kind) {
        for (const Band& band : stage.canvas().lanes().bands())
            if (band.kind == kind) return true;
        return false;
    };
    QVERIFY(has(BandKind::Resource) && has(BandKind::Ttl));
    stage.view.setShownParts({false, false, true});
    QVERIFY(!has(BandKind::Resource) && !has(BandKind::Ttl));
    QVERIFY(has(BandKind::Actor) && has(BandKind::Key));
}

void TimelineViewTest::theLegendOpensWithAKeyAndCloses() {
    Stage stage(test::expiryStory());
    QTest::keyClick(&stage.canvas(), Qt::Key_L);
    QVERIFY(stage.view.legendShown());
    auto* legend = stage.view.findChild<QWidget*>(QStringLiteral("timeline.legend"));
    QVERIFY(legend != nullptr && legend->isVisible());
    QVERIFY(!legend->accessibleDescription().isEmpty());
    // It explains the hatch with the hatch.
    QVERIFY(count(legend->grab().toImage(), legend->rect(), stage.look.color(Role::Violation)) > 100);
    // In a low window the rest of it can be scrolled to.
    stage.view.resize(520, 300);
    auto* bar = legend->findChild<QScrollBar*>();
    QVERIFY(bar->isVisible() && bar->maximum() > 0);
    QVERIFY(stage.view.rect().contains(legend->geometry()));
    const QImage top = legend->grab().toImage();
    QTest::keyClick(legend, Qt::Key_Down);
    QVERIFY(bar->value() > 0 && legend->grab().toImage() != top);
    QTest::keyClick(legend, Qt::Key_Escape);
    QVERIFY(!stage.view.legendShown());
}

void TimelineViewTest::aScreenReaderIsToldTheLane() {
    Stage stage(test::expiryStory());
    const Scene scene = stage.scene();
    const QString a = describeLane(scene, 0, s(40));
    QVERIFY2(a.contains(QStringLiteral("Server A works")), qPrintable(a));
    QVERIFY(a.contains(QStringLiteral("without the lock")));
    QVERIFY(describeLane(scene, 1, s(40)).contains(QStringLiteral("Server B owns")));
    QCOMPARE(stage.view.accessibleName(), QStringLiteral("Timeline"));
    const auto* header = stage.view.findChild<QWidget*>(QStringLiteral("timeline.header.Server A"));
    QVERIFY(header != nullptr);
    QVERIFY(header->accessibleName().contains(QStringLiteral("Server A")));
    QCOMPARE(header->toolTip(), QStringLiteral("Server A"));
}

void TimelineViewTest::everythingFollowsTheScale() {
    Stage stage(test::expiryStory(), {1600, 1200});
    const double ruler = stage.canvas().rulerHeight();
    stage.look.setScale(2);
    QApplication::processEvents();
    QVERIFY(stage.canvas().rulerHeight() >= 2 * ruler - 8);
    QVERIFY(stage.band(BandKind::Actor).doesRow >= stage.look.px(24));
    QCOMPARE(stage.canvas().style().font(TextFace::Lane).pixelSize(), 26);
    // Dark follows at once too.
    stage.look.setDark(true);
    const QImage picture = stage.picture();
    QVERIFY(picture.pixelColor(picture.width() / 2, picture.height() - 2) == stage.look.color(Role::Window));
}

void TimelineViewTest::anEmptyRunIsNoTrouble() {
    Look look;
    look.setReducedMotion(true);
    TimelineCanvas canvas(look);
    canvas.resize(600, 400);
    canvas.show();
    canvas.grab(); // no run at all
    Trace trace;
    trace.horizon = trace.reached = s(1);
    canvas.setRun(test::runOf(std::move(trace)));
    canvas.grab();
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Return, Qt::Key_Plus, Qt::Key_F, Qt::Key_Menu})
        QTest::keyClick(&canvas, key);
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, {300, 200});
    QVERIFY(canvas.view() == canvas.limits());
}

QTEST_MAIN(TimelineViewTest)
#include "timeline_view_test.moc"
