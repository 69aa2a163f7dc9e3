// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The run in the hand: every gesture that changes it, by real mouse events on the real window, each with its
// undo.
#include "tests/ui/hand.h"
#include "ui/bridge/fault_desk.h"
#include "ui/bridge/what_if.h"
#include "ui/panels/fault_button.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::test::at;
using lockscope::test::Hand;
using lockscope::test::QuietTest;
using lockscope::test::sendMouse;
using lockscope::test::WindowUnderTest;

class GestureTest : public QuietTest {
    Q_OBJECT
private slots:
    void aDragOnALanePausesWhileItGoes();
    void aDragToTheLeftPausesUpToThePress();
    void aClickStaysAClick();
    void backAtThePressNothingIsLeft();
    void escapeGivesEverythingBack();
    void aDragThatEndsOutsideEndsThere();
    void playingStopsForAGesture();
    void aLostReleaseOrFocusGivesUp();
    void anotherStepEndsTheGesture();
    void aPressIsForgottenWhenTheRunChanges();
    void aGestureThatIsGivenUpLeavesThePauseLength();
    void theDeadCannotBePaused();
    void aPauseIsMoved();
    void aPauseIsMovedToAnotherLane();
    void eitherEdgeOfAPauseMoves();
    void edgesMeetEventsUnlessAltIsHeld();
    void flagsAndPinsMoveWhatHasNoLength();
    void aMessageIsDelayedLostAndGivenBack();
    void aReplyIsDelayedByItsOwnArrow();
    void aLeasesEndTurnsTheKnob();
    void aLeaseWithoutAKnobSaysSo();
    void keysZoomAboutThePlayhead();
    void thePaletteDropsOnLanes();
    void thePaletteSaysWhereItMayNot();
    void thePaletteActsAtThePlayhead();
    void aCommandIsWrittenAndRun();
    void aLoadIsWrittenAndRun();
    void gesturesDoNotCollide();
};

void GestureTest::aDragOnALanePausesWhileItGoes() {
    Hand hand;
    QVERIFY(hand.run().violations.empty());
    const QString before = hand.whole();
    hand.press(hand.onDoes(0, 12));
    hand.move(hand.onDoes(0, 15));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QVERIFY(hand.run().violations.empty()); // three seconds do no harm
    hand.move(hand.onDoes(0, 32));
    QVERIFY(!hand.run().violations.empty()); // the whole future follows the mouse
    const Intervention drawn = hand.faults().front();
    QCOMPARE(drawn.kind, InterventionKind::Pause);
    QCOMPARE(drawn.actor, std::string("Server A"));
    QVERIFY(std::abs(hand.seconds(drawn.at) - 12) < 2 * hand.pixel());
    QVERIFY(std::abs(hand.seconds(drawn.at + drawn.length) - 32) < 8 * hand.pixel());
    QVERIFY(hand.canvas().hand().text.startsWith(QStringLiteral("Server A paused")));
    QCOMPARE(hand.history().count(), 0); // not before the release
    hand.release(hand.onDoes(0, 32));
    WindowUnderTest::settle();
    QVERIFY(hand.canvas().hand().text.isEmpty());
    QVERIFY(hand.faults().front() == drawn);
    QCOMPARE(hand.window.run().selection(), (Selection{Selection::Kind::Intervention, 0}));
    QVERIFY(hand.said().startsWith(QStringLiteral("Server A paused")));
    QCOMPARE(hand.window.text(QStringLiteral("toastButton")), QStringLiteral("Undo (Ctrl+Z)"));

    const QString after = hand.whole();
    QCOMPARE(hand.history().count(), 1); // one gesture, one change
    QCOMPARE(hand.undoText(), QStringLiteral("pause of Server A"));
    hand.undo();
    QCOMPARE(hand.whole(), before);
    hand.redo();
    QCOMPARE(hand.whole(), after);
}

void GestureTest::aDragToTheLeftPausesUpToThePress() {
    Hand hand;
    hand.drag(hand.onDoes(0, 18), hand.onDoes(0, 10));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QVERIFY(std::abs(hand.seconds(hand.faults()[0].at) - 10) < 8 * hand.pixel());
    QVERIFY(std::abs(hand.seconds(hand.faults()[0].at + hand.faults()[0].length) - 18) < 2 * hand.pixel());
    hand.undo();
    QVERIFY(hand.faults().empty());
}

void GestureTest::aClickStaysAClick() {
    Hand hand;
    const QPointF where = hand.onDoes(0, 12);
    hand.press(where);
    hand.move(where + QPointF(2, 1));
    hand.release(where + QPointF(2, 1));
    QVERIFY(hand.faults().empty());
    QCOMPARE(hand.window.run().selection().kind, Selection::Kind::Event);
    QCOMPARE(hand.history().count(), 0);
}

void GestureTest::backAtThePressNothingIsLeft() {
    Hand hand;
    const QString before = hand.whole();
    hand.press(hand.onDoes(0, 12));
    hand.move(hand.onDoes(0, 22));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    hand.move(hand.onDoes(0, 12));
    QVERIFY(hand.faults().empty());
    hand.release(hand.onDoes(0, 12));
    QCOMPARE(hand.whole(), before);
    QCOMPARE(hand.history().count(), 0);
}

void GestureTest::escapeGivesEverythingBack() {
    Hand hand;
    hand.drag(hand.onDoes(0, 5), hand.onDoes(0, 8));
    hand.window.run().setPlayhead(at(40));
    hand.window.run().select({Selection::Kind::Event, 12});
    const QString before = hand.whole();
    const int changes = hand.history().count();
    hand.press(hand.onDoes(0, 12));
    hand.move(hand.onDoes(0, 32));
    QVERIFY(hand.whole() != before);
    hand.key(Qt::Key_K); // keys are dead meanwhile
    hand.undo();
    QCOMPARE(hand.faults().size(), std::size_t{2});
    hand.key(Qt::Key_Escape);
    QCOMPARE(hand.whole(), before);
    QCOMPARE(hand.window.run().selection(), (Selection{Selection::Kind::Event, 12}));
    QCOMPARE(micros(hand.window.run().playhead()), micros(at(40)));
    hand.move(hand.onDoes(0, 40));
    hand.release(hand.onDoes(0, 40));
    QCOMPARE(hand.whole(), before);
    QCOMPARE(hand.history().count(), changes);
}

void GestureTest::aDragThatEndsOutsideEndsThere() {
    Hand hand;
    const QPointF from = hand.onDoes(0, 12);
    hand.drag(from, QPointF(hand.canvas().width() + 600, -200));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QCOMPARE(micros(hand.faults()[0].at + hand.faults()[0].length), micros(hand.run().trace->horizon));
    QVERIFY(!hand.canvas().gesturing());
    hand.undo();
    hand.drag(hand.onDoes(0, 12), QPointF(-300, hand.canvas().height() + 80));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QCOMPARE(micros(hand.faults()[0].at), std::int64_t{0});
    hand.undo();
    QVERIFY(hand.faults().empty());
}

void GestureTest::playingStopsForAGesture() {
    Hand hand;
    hand.window.run().toStart();
    hand.window.run().setSpeed(1);
    hand.window.run().play();
    QVERIFY(hand.window.run().playing());
    hand.press(hand.onDoes(0, 12));
    QVERIFY(hand.window.run().playing()); // a click would not have to stop it
    hand.move(hand.onDoes(0, 20));
    QVERIFY(!hand.window.run().playing());
    hand.move(hand.onDoes(0, 32));
    hand.release(hand.onDoes(0, 32));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QVERIFY(!hand.run().violations.empty());
    hand.undo();
    QVERIFY(hand.faults().empty());
}

void GestureTest::aLostReleaseOrFocusGivesUp() {
    Hand hand;
    const QString before = hand.whole();
    hand.press(hand.onDoes(0, 12));
    hand.move(hand.onDoes(0, 32));
    hand.moveWithoutButton(hand.onDoes(0, 33));
    QCOMPARE(hand.whole(), before);
    hand.press(hand.onDoes(0, 12));
    hand.move(hand.onDoes(0, 32));
    hand.window.child(QStringLiteral("pauseLength"))->setFocus();
    QCOMPARE(hand.whole(), before);
    QVERIFY(!hand.canvas().gesturing());
    QCOMPARE(hand.history().count(), 0);
}

void GestureTest::anotherStepEndsTheGesture() {
    Hand hand;
    hand.press(hand.onDoes(0, 12));
    hand.move(hand.onDoes(0, 32));
    hand.window.lesson().next();
    QVERIFY(!hand.canvas().gesturing());
    const QString entered = hand.whole();
    hand.move(hand.onDoes(0, 40));
    hand.release(hand.onDoes(0, 40));
    QCOMPARE(hand.whole(), entered);
    QVERIFY(!hand.window.lesson().changedFromStep());
}

/// What was pressed on may be another fault by its number, or gone.
void GestureTest::aPressIsForgottenWhenTheRunChanges() {
    Hand hand;
    hand.drag(hand.onDoes(0, 12), hand.onDoes(0, 16));
    hand.drag(hand.onDoes(0, 22), hand.onDoes(0, 26));
    QCOMPARE(hand.faults().size(), std::size_t{2});
    hand.press(hand.onDoes(0, 24));
    hand.window.lesson().removeIntervention(0); // not by the hand
    const QString before = hand.whole();
    hand.move(hand.onDoes(0, 30));
    hand.move(hand.onDoes(0, 32));
    QCOMPARE(hand.whole(), before);
    hand.release(hand.onDoes(0, 32));
    QCOMPARE(hand.whole(), before);
    QVERIFY(!hand.canvas().gesturing());
    QVERIFY(!hand.window.lesson().trying());
}

/// The pause in the hand sets the length that the next ones have; one that comes to nothing does not.
void GestureTest::aGestureThatIsGivenUpLeavesThePauseLength() {
    Hand hand;
    const auto length = [&] { return hand.window->findChild<WhatIf*>()->pauseLength(); };
    const Duration before = length();
    hand.press(hand.onDoes(0, 12));
    hand.move(hand.onDoes(0, 17));
    QVERIFY(length() != before);
    hand.key(Qt::Key_Escape);
    QVERIFY(length() == before);
    hand.release(hand.onDoes(0, 17));
    hand.press(hand.onDoes(0, 12));
    hand.move(hand.onDoes(0, 17));
    hand.move(hand.onDoes(0, 12)); // back
    hand.release(hand.onDoes(0, 12));
    QVERIFY(length() == before);
    hand.drag(hand.onDoes(0, 12), hand.onDoes(0, 17));
    QVERIFY(length() == hand.faults()[0].length);
    QVERIFY(length() != before);
}

void GestureTest::theDeadCannotBePaused() {
    Hand hand;
    hand.window.run().setPlayhead(at(10));
    hand.key(Qt::Key_K);
    const QString before = hand.whole();
    hand.press(hand.onDoes(0, 20));
    hand.move(hand.onDoes(0, 30));
    QVERIFY(hand.canvas().hand().refused);
    QVERIFY(hand.canvas().hand().text.startsWith(QStringLiteral("Server A does not run")));
    hand.release(hand.onDoes(0, 30));
    QCOMPARE(hand.whole(), before);
    QVERIFY(hand.said().startsWith(QStringLiteral("Server A does not run")));
}

void GestureTest::aPauseIsMoved() {
    Hand hand;
    hand.drag(hand.onDoes(0, 5), hand.onDoes(0, 10));
    const Intervention drawn = hand.faults()[0];
    const QString before = hand.whole();
    hand.drag(hand.onDoes(0, 7.5), hand.onDoes(0, 11.5));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QCOMPARE(hand.faults()[0].length, drawn.length);
    QVERIFY(std::abs(hand.seconds(hand.faults()[0].at - drawn.at.time_since_epoch()) - 4) < 8 * hand.pixel());
    QCOMPARE(hand.undoText(), QStringLiteral("move of the pause of Server A"));
    hand.undo();
    QCOMPARE(hand.whole(), before);
    // Not before the run begins.
    hand.drag(hand.onDoes(0, 7.5), QPointF(-500, hand.onDoes(0, 5).y()));
    QCOMPARE(micros(hand.faults()[0].at), std::int64_t{0});
    QCOMPARE(hand.faults()[0].length, drawn.length);
}

void GestureTest::aPauseIsMovedToAnotherLane() {
    Hand hand;
    hand.drag(hand.onDoes(0, 5), hand.onDoes(0, 10));
    const QString before = hand.whole();
    hand.drag(hand.onDoes(0, 7), hand.onDoes(1, 7));
    QCOMPARE(hand.faults()[0].actor, std::string("Server B"));
    QVERIFY(hand.said().startsWith(QStringLiteral("Server B paused")));
    hand.undo();
    QCOMPARE(hand.whole(), before);
    // On Redis' lane it stays with whom it was.
    hand.drag(hand.onDoes(0, 7), hand.onRedis(at(9)));
    QCOMPARE(hand.faults()[0].actor, std::string("Server A"));
}

void GestureTest::eitherEdgeOfAPauseMoves() {
    Hand hand;
    hand.drag(hand.onDoes(0, 6), hand.onDoes(0, 12));
    const Intervention drawn = hand.faults()[0];
    const QPointF begin = hand.point(drawn.at, hand.band(BandKind::Actor).doesMiddle(0));
    const QPointF end = hand.point(drawn.at + drawn.length, hand.band(BandKind::Actor).doesMiddle(0));
    hand.moveWithoutButton(end - QPointF(2, 0));
    QCOMPARE(hand.canvas().cursor().shape(), Qt::SizeHorCursor);
    hand.drag(end - QPointF(2, 0), end + QPointF(80, 0));
    QCOMPARE(micros(hand.faults()[0].at), micros(drawn.at));
    QVERIFY(hand.faults()[0].length > drawn.length);
    QCOMPARE(hand.undoText(), QStringLiteral("length of the pause of Server A"));
    hand.undo();
    QVERIFY(hand.faults()[0] == drawn);
    hand.drag(begin + QPointF(2, 0), begin - QPointF(30, 0));
    QCOMPARE(micros(hand.faults()[0].at + hand.faults()[0].length), micros(drawn.at + drawn.length));
    QVERIFY(hand.faults()[0].at < drawn.at);
    hand.undo();
    // Beyond the other edge the two change their parts.
    hand.drag(begin + QPointF(2, 0), end + QPointF(50, 0));
    QCOMPARE(micros(hand.faults()[0].at), micros(drawn.at + drawn.length));
    hand.undo();
    QVERIFY(hand.faults()[0] == drawn);
}

void GestureTest::edgesMeetEventsUnlessAltIsHeld() {
    Hand hand(QStringLiteral("stale-del"), 1);
    // Server A's lease ends in the middle of its work.
    Instant ended{};
    for (const Event& event : hand.run().trace->events)
        if (event.kind == EventKind::LeaseEnded && ended == Instant{}) ended = event.at;
    QVERIFY(ended > at(20));
    const double y = hand.onDoes(1, 1).y();
    const QPointF near = QPointF(hand.canvas().scene().scale.x(ended) + 3, y);
    hand.drag(hand.onDoes(1, 10), near);
    const Instant meant = hand.canvas().instantAtX(near.x());
    const auto happens = [&](Instant instant) {
        const auto& events = hand.run().trace->events;
        return std::any_of(events.begin(), events.end(),
                           [&](const Event& e) { return e.at == instant && e.actor != 1; });
    };
    const Instant met = hand.faults().back().at + hand.faults().back().length;
    QVERIFY(happens(met));
    QVERIFY(met != meant && std::abs(hand.seconds(met) - hand.seconds(meant)) < 6 * hand.pixel());
    hand.undo();
    hand.drag(hand.onDoes(1, 10), near, Qt::AltModifier);
    const Instant passed = hand.faults().back().at + hand.faults().back().length;
    QVERIFY(std::abs(hand.seconds(passed) - hand.seconds(meant)) < 0.002);
    hand.undo();
    // The same where it begins: Alt is held before the press.
    const QPointF far = near + QPointF(90, 0);
    hand.drag(near, far);
    QVERIFY(happens(hand.faults().back().at));
    hand.undo();
    hand.drag(near, far, Qt::AltModifier);
    QVERIFY(std::abs(hand.seconds(hand.faults().back().at) - hand.seconds(meant)) < 0.002);
}

void GestureTest::flagsAndPinsMoveWhatHasNoLength() {
    Hand hand;
    hand.window.run().setPlayhead(at(10));
    hand.key(Qt::Key_K);
    const QString before = hand.whole();
    hand.drag(hand.onFlag(at(10)), hand.onFlag(at(15)));
    QVERIFY(std::abs(hand.seconds(hand.faults()[0].at) - 15) < 8 * hand.pixel());
    QCOMPARE(hand.undoText(), QStringLiteral("move of the kill of Server A"));
    hand.undo();
    QCOMPARE(hand.whole(), before);
    const QPointF pin = hand.point(at(10), hand.band(BandKind::Actor).top) + QPointF(6, 6);
    hand.drag(pin, QPointF(hand.onDoes(1, 14).x(), hand.onDoes(1, 14).y()));
    QCOMPARE(hand.faults()[0].actor, std::string("Server B"));
    hand.undo();
    // A click selects it, and then it can be removed.
    hand.press(pin);
    hand.release(pin);
    QCOMPARE(hand.window.run().selection(), (Selection{Selection::Kind::Intervention, 0}));
    hand.key(Qt::Key_Backspace);
    QVERIFY(hand.faults().empty());
    hand.undo();
    QCOMPARE(hand.whole(), before);
}

namespace {

/// The middle of an arrow of Server A's first request.
QPointF onArrow(Hand& hand, Instant from, Instant until) {
    const Scene scene = hand.canvas().scene();
    const MessagePath path(
        scene, hand.band(BandKind::Actor),
        hand.run().trace->requests[static_cast<std::size_t>(hand.run().lanes.actors[0].requests.front())]);
    return {scene.scale.x(from + (until - from) / 2), (path.actor + path.redis) / 2};
}

/// Server A's first ask, brought so near that its arrows can be told apart.
RequestTimes firstAskFromNear(Hand& hand) {
    hand.canvas().setShownParts({});
    const RequestTimes ask =
        hand.run().analysis.requests[static_cast<std::size_t>(hand.run().lanes.actors[0].requests.front())];
    const double from = hand.seconds(ask.sent);
    hand.canvas().setView({from - 0.002, from + 0.018});
    WindowUnderTest::settle();
    return ask;
}

} // namespace

void GestureTest::aMessageIsDelayedLostAndGivenBack() {
    Hand hand;
    const QString before = hand.whole();
    const RequestTimes ask = firstAskFromNear(hand);
    const QPointF arrow = onArrow(hand, ask.sent, ask.executed);
    const auto offset = [&](double ms, double down) {
        return arrow + QPointF(ms * 1e-3 / hand.pixel(), down);
    };
    const Hit hit = hitTest(hand.canvas().scene(), arrow);
    QCOMPARE(hit.what, Hit::What::Request);

    hand.drag(arrow, offset(5, 0));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QCOMPARE(hand.faults()[0].kind, InterventionKind::Delay);
    QCOMPARE(micros(hand.faults()[0].at), micros(ask.sent));
    QVERIFY(std::abs(static_cast<double>(hand.faults()[0].length.count()) - 5000) < 500);
    const RequestTimes late = hand.run().analysis.requests[static_cast<std::size_t>(hit.index)];
    QCOMPARE((late.executed - ask.executed).count(), hand.faults()[0].length.count());
    hand.undo();
    QCOMPARE(hand.whole(), before);

    hand.press(arrow);
    hand.move(offset(1, 60));
    QCOMPARE(hand.faults()[0].kind, InterventionKind::LostRequest);
    hand.move(offset(0, 0)); // back again
    QVERIFY(hand.faults().empty());
    hand.move(offset(1, -60));
    hand.release(offset(1, -60));
    QCOMPARE(hand.faults()[0].kind, InterventionKind::LostRequest);
    QVERIFY(hand.run().analysis.requests[static_cast<std::size_t>(hit.index)].requestLost != kNever);
    hand.undo();
    QCOMPARE(hand.whole(), before);
}

void GestureTest::aReplyIsDelayedByItsOwnArrow() {
    Hand hand;
    const QString before = hand.whole();
    const RequestTimes ask = firstAskFromNear(hand);
    const QPointF arrow = onArrow(hand, ask.executed, ask.replied);
    hand.drag(arrow, arrow + QPointF(4e-3 / hand.pixel(), 0));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QCOMPARE(hand.faults()[0].kind, InterventionKind::DelayReply);
    hand.undo();
    hand.drag(arrow, arrow + QPointF(0, 70));
    QCOMPARE(hand.faults()[0].kind, InterventionKind::LostReply);
    hand.undo();
    QCOMPARE(hand.whole(), before);
}

void GestureTest::aLeasesEndTurnsTheKnob() {
    Hand hand(QStringLiteral("stale-del"), 1);
    const QString before = hand.whole();
    const KnobValue ttl = hand.window.lesson().knobValue("ttl");
    Instant ended{};
    for (const Event& event : hand.run().trace->events)
        if (event.kind == EventKind::LeaseEnded && ended == Instant{}) ended = event.at;
    const QPointF cap = hand.onRedis(ended);
    hand.moveWithoutButton(cap);
    QCOMPARE(hand.canvas().cursor().shape(), Qt::SizeHorCursor);
    hand.drag(cap, cap + QPointF(10 / hand.pixel(), 0));
    const Duration now = std::get<Duration>(hand.window.lesson().knobValue("ttl"));
    QVERIFY(std::abs(static_cast<double>((now - std::get<Duration>(ttl)).count()) / 1e6 - 10) <
            2 * hand.pixel());
    QVERIFY(hand.said().startsWith(QStringLiteral("The lease is")));
    QCOMPARE(hand.undoText(), QStringLiteral("length of the lease"));
    hand.undo();
    QCOMPARE(hand.whole(), before);
    // It meets what happens near it, unless Alt is held; what happens is where it was at the press.
    Instant met{};
    for (const Event& event : hand.run().trace->events)
        if (event.kind == EventKind::WorkEnded && event.at > ended + Duration{seconds(2)} && met == Instant{})
            met = event.at;
    QVERIFY(met != Instant{});
    const QPointF near = cap + QPointF(hand.onRedis(met).x() - hand.onRedis(ended).x() + 3, 0);
    const auto end = [&] {
        return ended + (std::get<Duration>(hand.window.lesson().knobValue("ttl")) - std::get<Duration>(ttl));
    };
    hand.drag(cap, near);
    QVERIFY(std::abs(hand.seconds(end()) - hand.seconds(met)) < 0.001);
    hand.undo();
    hand.drag(cap, near, Qt::AltModifier);
    QVERIFY(hand.seconds(end()) - hand.seconds(met) > hand.pixel());
    hand.undo();
    QCOMPARE(hand.whole(), before);
    // No farther than the lesson lets the knob go.
    hand.drag(cap, cap + QPointF(2000, 0));
    QVERIFY(hand.window.lesson().knobValue("ttl") == hand.window.lesson().lesson()->knob("ttl")->most);
}

void GestureTest::keysZoomAboutThePlayhead() {
    Hand hand;
    hand.window.run().setPlayhead(at(12));
    const auto placeOf = [&](double second) { return hand.canvas().scene().scale.x(at(second)); };
    const double playhead = placeOf(12);
    for (const Qt::Key key : {Qt::Key_Plus, Qt::Key_Plus, Qt::Key_Minus}) {
        hand.key(key);
        QVERIFY(std::abs(placeOf(12) - playhead) < 1);
    }
    QVERIFY(hand.canvas().view().size() < hand.seconds(hand.run().trace->horizon));
    // Out of sight it is no anchor.
    hand.canvas().setView({30, 40});
    const double middle = placeOf(35);
    hand.key(Qt::Key_Plus);
    QVERIFY(hand.canvas().view().size() < 10);
    QVERIFY(std::abs(placeOf(35) - middle) < 1);
}

void GestureTest::aLeaseWithoutAKnobSaysSo() {
    Hand hand(QStringLiteral("stale-del"), 1);
    // An administrator's deadline is no knob's.
    Instant sometime = at(15);
    hand.window.lesson().addIntervention(
        {InterventionKind::Admin, serverName(0), sometime, {}, "PEXPIRE lock:report 3333"});
    Instant ended{};
    for (const Event& event : hand.run().trace->events)
        if (event.kind == EventKind::LeaseEnded && ended == Instant{}) ended = event.at;
    QVERIFY2(std::abs(hand.seconds(ended) - 18.3) < 0.1, qPrintable(QString::number(hand.seconds(ended))));
    const QString before = hand.whole();
    const QPointF cap = hand.onRedis(ended);
    hand.moveWithoutButton(cap);
    QVERIFY(hand.canvas().cursor().shape() != Qt::SizeHorCursor);
    hand.drag(cap, cap + QPointF(100, 0));
    QCOMPARE(hand.whole(), before);
    QVERIFY(hand.said().startsWith(QStringLiteral("No knob of this lesson")));
}

namespace {

/// Carries a button of the palette to a place of the canvas.
class Carry {
public:
    Carry(Hand& hand, InterventionKind kind) : m_hand(hand) {
        for (FaultButton* each : hand.window->findChildren<FaultButton*>())
            if (each->kind() == kind) m_button = each;
        send(QEvent::MouseButtonPress, m_button->mapToGlobal(QPointF(5, 5)), Qt::LeftButton, Qt::LeftButton);
    }
    void to(QPointF place) {
        const QPointF way = m_hand.canvas().mapToGlobal(place);
        send(QEvent::MouseMove, m_button->mapToGlobal(QPointF(40, -20)), Qt::NoButton, Qt::LeftButton);
        send(QEvent::MouseMove, way, Qt::NoButton, Qt::LeftButton);
    }
    void drop() {
        send(QEvent::MouseButtonRelease, m_button->mapToGlobal(QPointF(5, 5)), Qt::LeftButton, Qt::NoButton);
    }
    void escape() { QTest::keyClick(m_button, Qt::Key_Escape); }

private:
    void send(QEvent::Type type, QPointF global, Qt::MouseButton button, Qt::MouseButtons buttons) {
        sendMouse(*m_button, type, m_button->mapFromGlobal(global), button, buttons);
    }
    Hand& m_hand;
    FaultButton* m_button = nullptr;
};

} // namespace

void GestureTest::thePaletteDropsOnLanes() {
    Hand hand;
    const QString before = hand.whole();
    for (const InterventionKindInfo& info : interventionKinds()) {
        if (info.kind > InterventionKind::Load) continue; // not in this lesson
        const bool server = info.target == InterventionTarget::Server;
        const QPointF place = server ? hand.onRedis(at(14)) : hand.onDoes(0, 14);
        Carry carry(hand, info.kind);
        carry.to(place);
        QVERIFY2(hand.faults().size() == 1, info.id.data()); // the run is already the one with it
        QVERIFY(!hand.canvas().hand().refused);
        carry.drop();
        WindowUnderTest::settle();
        QCOMPARE(hand.faults().size(), std::size_t{1});
        QCOMPARE(hand.faults()[0].kind, info.kind);
        QCOMPARE(hand.faults()[0].actor, server ? serverName(0) : std::string("Server A"));
        QVERIFY(std::abs(hand.seconds(hand.faults()[0].at) - 14) < 8 * hand.pixel());
        QCOMPARE(hand.faults()[0].length > Duration{0}, info.hasLength());
        QCOMPARE(hand.faults()[0].command.empty(), !info.hasCommand);
        QVERIFY2(hand.run().trace->interventions[0].applied, info.id.data());
        hand.undo();
        QCOMPARE(hand.whole(), before);
    }
}

void GestureTest::thePaletteSaysWhereItMayNot() {
    Hand hand;
    const QString before = hand.whole();
    Carry kill(hand, InterventionKind::Kill);
    kill.to(hand.onRedis(at(14)));
    QVERIFY(hand.canvas().hand().refused);
    QVERIFY(hand.canvas().hand().text.contains(QStringLiteral("lane of a server")));
    QCOMPARE(hand.whole(), before);
    kill.to(hand.onDoes(0, 14));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    kill.to({-300, -300}); // out of the timeline again
    QCOMPARE(hand.whole(), before);
    kill.to(hand.onDoes(0, 14));
    kill.escape();
    QCOMPARE(hand.whole(), before);
    QVERIFY(!hand.canvas().gesturing());
    kill.drop();
    QCOMPARE(hand.whole(), before);
    QCOMPARE(hand.history().count(), 0);
}

void GestureTest::thePaletteActsAtThePlayhead() {
    Hand hand;
    hand.window.run().setPlayhead(at(14));
    hand.canvas().setFocusBand(0);
    for (const InterventionKindInfo& info : interventionKinds()) {
        if (info.hasCommand || info.kind > InterventionKind::Load) continue;
        hand.window.click(qstr(info.id) + QStringLiteral("Button"));
        QVERIFY2(hand.faults().size() == 1, info.id.data());
        QCOMPARE(hand.faults()[0].kind, info.kind);
        QCOMPARE(micros(hand.faults()[0].at), micros(at(14)));
        hand.window.click(QStringLiteral("toastButton"));
        QVERIFY(hand.faults().empty());
    }
}

void GestureTest::aCommandIsWrittenAndRun() {
    Hand hand;
    hand.window.run().setPlayhead(at(14));
    hand.window.click(QStringLiteral("adminButton"));
    QVERIFY(hand.window.sees(QStringLiteral("adminLine")));
    auto* line = hand.window.child<QLineEdit>(QStringLiteral("adminText"));
    QVERIFY(line->hasFocus());
    QVERIFY(line->text().startsWith(QStringLiteral("DEL lock")));
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("SET 'x"));
    QVERIFY(!hand.window.text(QStringLiteral("adminProblem")).isEmpty());
    QVERIFY(!hand.window.child(QStringLiteral("adminRun"))->isEnabled());
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("FLUSHALL"));
    hand.window.key(Qt::Key_Return);
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QCOMPARE(hand.faults()[0].command, std::string("FLUSHALL"));
    QVERIFY(!hand.run().violations.empty());
    hand.window.key(Qt::Key_Escape);
    QVERIFY(!hand.window.sees(QStringLiteral("adminLine")));
}

/// Offered where memory has a limit.
void GestureTest::aLoadIsWrittenAndRun() {
    Hand hand;
    QVERIFY(!hand.window.sees(QStringLiteral("loadButton")));
    hand.window->openLesson(QStringLiteral("eviction"));
    if (hand.window.lesson().openQuestion() != nullptr) hand.window.lesson().liftVeil();
    hand.window.run().pause();
    hand.window.run().setPlayhead(at(14));
    const std::size_t before = hand.faults().size();
    hand.window.click(QStringLiteral("adminButton"));
    hand.window.click(QStringLiteral("loadButton"));
    QVERIFY(!hand.window.sees(QStringLiteral("adminLine"))); // one line at a time
    QVERIFY(hand.window.sees(QStringLiteral("loadLine")));
    auto* line = hand.window.child<QLineEdit>(QStringLiteral("loadText"));
    QVERIFY(line->hasFocus());
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("many x 100"));
    QVERIFY(!hand.window.text(QStringLiteral("loadProblem")).isEmpty());
    QVERIFY(!hand.window.child(QStringLiteral("loadRun"))->isEnabled());
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("300 x 100 ttl 1h"));
    hand.window.key(Qt::Key_Return);
    QCOMPARE(hand.faults().size(), before + 1);
    const auto& did = hand.run().trace->interventions;
    QVERIFY(std::any_of(did.begin(), did.end(), [](const TraceIntervention& each) {
        return each.command == "300 x 100 ttl 1h" && each.load && each.load->writes == 300;
    }));
}

void GestureTest::gesturesDoNotCollide() {
    Hand hand;
    const QString before = hand.whole();
    // Ruler: the playhead, nothing else.
    const AxisRange view = hand.canvas().view();
    hand.drag({hand.onDoes(0, 10).x(), 6}, {hand.onDoes(0, 20).x(), 6});
    QVERIFY(std::abs(hand.window.playheadSeconds() - 20) < 2 * hand.pixel());
    QVERIFY(hand.canvas().view() == view);
    // Redis' lane and the middle button: pan, nothing else.
    hand.canvas().setView({10, 30});
    hand.drag(hand.onRedis(at(15)), hand.onRedis(at(15)) + QPointF(50, 0));
    QVERIFY(hand.canvas().view().from < 10);
    hand.canvas().setView({10, 30});
    const QPointF lane = hand.onDoes(0, 15);
    hand.press(lane, Qt::MiddleButton);
    hand.move(lane + QPointF(60, 0));
    hand.release(lane + QPointF(60, 0));
    QVERIFY(hand.canvas().view().from < 10);
    QVERIFY(std::abs(hand.window.playheadSeconds() - 20) < 0.2);
    QCOMPARE(hand.whole(), before);
    // A second button during a gesture changes nothing about it.
    hand.canvas().setView({0, 40});
    hand.press(hand.onDoes(0, 12));
    hand.move(hand.onDoes(0, 20));
    sendMouse(hand.canvas(), QEvent::MouseButtonPress, hand.onDoes(0, 20), Qt::RightButton,
              Qt::LeftButton | Qt::RightButton);
    sendMouse(hand.canvas(), QEvent::MouseButtonRelease, hand.onDoes(0, 20), Qt::RightButton, Qt::LeftButton);
    QVERIFY(hand.canvas().gesturing());
    hand.release(hand.onDoes(0, 20));
    QCOMPARE(hand.faults().size(), std::size_t{1});
}

QTEST_MAIN(GestureTest)
#include "gesture_test.moc"
