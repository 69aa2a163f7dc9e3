// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Changing the run by keys and menus, and taking changes back: what one undo is, what it says, and that any
// mixture of gestures and keys leads back to where it began.
#include <QContextMenuEvent>
#include <QMenu>
#include <QSlider>
#include <QToolButton>

#include "core/base/random.h"
#include "tests/ui/hand.h"
#include "ui/bridge/fault_desk.h"
#include "ui/bridge/kept_runs.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::test::at;
using lockscope::test::Hand;
using lockscope::test::QuietTest;
using lockscope::test::WindowUnderTest;

class EditTest : public QuietTest {
    Q_OBJECT
private slots:
    void everyKindHasAKeyAndAnUndo();
    void keysWalkAndMoveFaults();
    void nudgesInARowAreOneChange();
    void aNudgeBackLeavesNoChange();
    void keysDelayAndLoseMessages();
    void keysChangeALease();
    void duplicatesStandBehindTheOriginal();
    void clocksGoBackToo();
    void theLaneMenuOffersWhatFits();
    void aSliderIsOneChange();
    void aResetCanBeUndone();
    void anotherStepForgetsTheChanges();
    void theMenuSaysWhatItWouldUndo();
    void theToastUndoesOnlyItsOwnChange();
    void whatComesToNothingOffersNoUndo();
    void theToastEndsWithWhatItIsAbout();
    void theLaneMenuStopsPlay();
    void aTrialOfAnotherChangeIsDropped();
    void anyMixtureLeadsBackAndForth();
    void theSelectedFaultStaysTheSame();
    void undoAndRedoKeepTheFaultInHand();
};

/// Wherever it stands among the others.
void EditTest::theSelectedFaultStaysTheSame() {
    Hand hand;
    hand.window.run().setPlayhead(at(5));
    hand.key(Qt::Key_P);
    hand.window.run().setPlayhead(at(35));
    hand.key(Qt::Key_K);
    QCOMPARE(hand.faults().size(), std::size_t{2});
    hand.key(Qt::Key_I, Qt::ShiftModifier); // the pause
    hand.key(Qt::Key_Delete);
    hand.key(Qt::Key_I);
    QCOMPARE(hand.window->findChild<FaultDesk*>()->picked(), 0);
    hand.undo();
    QCOMPARE(hand.faults()[1].kind, InterventionKind::Kill);
    QCOMPARE(hand.window->findChild<FaultDesk*>()->picked(), 1);
    hand.key(Qt::Key_Delete);
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QCOMPARE(hand.faults()[0].kind, InterventionKind::Pause);
    // What is gone is not selected, and nothing in its place.
    QCOMPARE(hand.window->findChild<FaultDesk*>()->picked(), -1);
}

void EditTest::undoAndRedoKeepTheFaultInHand() {
    Hand hand;
    hand.drag(hand.onDoes(1, 10), hand.onDoes(1, 16));
    // Whom the hand has done something to, the keys concern too.
    QVERIFY(hand.window.child<QToolButton>(QStringLiteral("actorB"))->isChecked());
    hand.drag(hand.onDoes(1, 13), hand.onDoes(1, 20));
    hand.key(Qt::Key_Right, Qt::AltModifier);
    const int changes = hand.history().count();
    QVERIFY(changes >= 2);
    for (int i = 1; i < changes; ++i) {
        hand.undo();
        QCOMPARE(hand.window->findChild<FaultDesk*>()->picked(), 0);
    }
    hand.undo();
    QCOMPARE(hand.window->findChild<FaultDesk*>()->picked(), -1);
    for (int i = 0; i < changes; ++i)
        hand.redo();
    QCOMPARE(hand.window->findChild<FaultDesk*>()->picked(), 0);
    hand.key(Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(hand.faults().size(), std::size_t{2});
    hand.key(Qt::Key_Delete);
    QCOMPARE(hand.faults().size(), std::size_t{1});
}

void EditTest::everyKindHasAKeyAndAnUndo() {
    Hand hand;
    hand.window.run().setPlayhead(at(14));
    const QString before = hand.whole();
    for (const auto& [key, shift, kind] : std::initializer_list<std::tuple<Qt::Key, bool, InterventionKind>>{
             {Qt::Key_P, false, InterventionKind::Pause},
             {Qt::Key_K, false, InterventionKind::Kill},
             {Qt::Key_T, false, InterventionKind::Restart},
             {Qt::Key_X, false, InterventionKind::LostRequest},
             {Qt::Key_X, true, InterventionKind::LostReply},
             {Qt::Key_D, false, InterventionKind::Delay},
             {Qt::Key_D, true, InterventionKind::DelayReply},
             {Qt::Key_O, false, InterventionKind::Partition},
             {Qt::Key_J, false, InterventionKind::ClockJump},
             {Qt::Key_O, true, InterventionKind::ServerStall},
             {Qt::Key_J, true, InterventionKind::ServerClockJump},
         }) {
        hand.key(key, shift ? Qt::ShiftModifier : Qt::NoModifier);
        QCOMPARE(hand.faults().size(), std::size_t{1});
        QCOMPARE(hand.faults()[0].kind, kind);
        QCOMPARE(micros(hand.faults()[0].at), micros(at(14)));
        QVERIFY2(hand.run().trace->interventions[0].applied, infoOf(kind).id.data());
        hand.undo();
        QCOMPARE(hand.whole(), before);
    }
    // What has a command opens a line for it first.
    for (const auto& [shift, kind] : std::initializer_list<std::pair<bool, InterventionKind>>{
             {false, InterventionKind::Admin}, {true, InterventionKind::Load}}) {
        hand.key(Qt::Key_A, shift ? Qt::ShiftModifier : Qt::NoModifier);
        hand.window.key(Qt::Key_Return);
        QCOMPARE(hand.faults().size(), std::size_t{1});
        QCOMPARE(hand.faults()[0].kind, kind);
        hand.canvas().setFocus();
        hand.undo();
        QCOMPARE(hand.whole(), before);
    }
}

void EditTest::keysWalkAndMoveFaults() {
    Hand hand;
    for (const double second : {15.0, 5.0, 10.0}) {
        hand.window.run().setPlayhead(at(second));
        hand.key(Qt::Key_D);
    }
    hand.window.run().select({});
    hand.window.run().toStart();
    std::vector<std::int64_t> walked;
    for (int i = 0; i < 4; ++i) {
        hand.key(Qt::Key_I);
        walked.push_back(micros(hand.window.run().playhead()));
    }
    QVERIFY((walked == std::vector<std::int64_t>{5'000'000, 10'000'000, 15'000'000, 5'000'000}));
    hand.key(Qt::Key_I, Qt::ShiftModifier);
    QCOMPARE(micros(hand.window.run().playhead()), micros(at(15)));
    QCOMPARE(hand.window.run().selection(), (Selection{Selection::Kind::Intervention, 0}));

    const Instant before = hand.faults()[0].at;
    hand.key(Qt::Key_Left, Qt::ShiftModifier);
    const Duration far = before - hand.faults()[0].at;
    QVERIFY(far >= millis(200));
    hand.key(Qt::Key_Right, Qt::ShiftModifier | Qt::ControlModifier);
    QCOMPARE((hand.faults()[0].at - (before - far)).count() * 10, far.count());
    hand.key(Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(hand.faults()[0].length, Duration{seconds(20) + far});
    hand.key(Qt::Key_Left, Qt::AltModifier | Qt::ControlModifier);
    QCOMPARE(hand.faults()[0].length, Duration{seconds(20) + far - far / 10});
    hand.key(Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(hand.faults()[0].actor, std::string("Server B"));
    hand.key(Qt::Key_Up, Qt::ShiftModifier);
    hand.key(Qt::Key_Up, Qt::ShiftModifier); // there is nobody above
    QCOMPARE(hand.faults()[0].actor, std::string("Server A"));
    hand.key(Qt::Key_Delete);
    QCOMPARE(hand.faults().size(), std::size_t{2});
}

void EditTest::nudgesInARowAreOneChange() {
    Hand hand;
    hand.window.run().setPlayhead(at(10));
    hand.key(Qt::Key_P);
    const QString made = hand.whole();
    const int changes = hand.history().count();
    for (int i = 0; i < 5; ++i)
        hand.key(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(hand.history().count(), changes + 1);
    const QString moved = hand.whole();
    for (int i = 0; i < 3; ++i)
        hand.key(Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(hand.history().count(), changes + 2); // another kind of change
    hand.undo();
    QCOMPARE(hand.whole(), moved);
    hand.undo();
    QCOMPARE(hand.whole(), made);
    hand.redo();
    QCOMPARE(hand.whole(), moved);
}

void EditTest::aNudgeBackLeavesNoChange() {
    Hand hand;
    hand.window.run().setPlayhead(at(10));
    hand.key(Qt::Key_P);
    const int changes = hand.history().count();
    hand.key(Qt::Key_Right, Qt::ShiftModifier);
    hand.key(Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(hand.history().count(), changes);
    QCOMPARE(hand.undoText(), QStringLiteral("pause of Server A"));
}

void EditTest::keysDelayAndLoseMessages() {
    Hand hand;
    const QString before = hand.whole();
    hand.window.run().toStart();
    hand.canvas().setFocusBand(0);
    hand.key(Qt::Key_M);
    const Selection first = hand.window.run().selection();
    QCOMPARE(first.kind, Selection::Kind::Request);
    QCOMPARE(first.index, hand.run().lanes.actors[0].requests[0]);
    hand.key(Qt::Key_M);
    QCOMPARE(hand.window.run().selection().index, hand.run().lanes.actors[0].requests[1]);
    hand.key(Qt::Key_M, Qt::ShiftModifier);
    QCOMPARE(hand.window.run().selection(), first);
    const Instant sent = hand.run().analysis.requests[static_cast<std::size_t>(first.index)].sent;

    hand.key(Qt::Key_Right, Qt::AltModifier);
    hand.key(Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(hand.faults().size(), std::size_t{1}); // longer, not twice
    QCOMPARE(hand.faults()[0].kind, InterventionKind::Delay);
    QCOMPARE(micros(hand.faults()[0].at), micros(sent));
    QCOMPARE(hand.window.run().selection(), first);
    hand.key(Qt::Key_X); // the selected one, not the next
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QCOMPARE(hand.faults()[0].kind, InterventionKind::LostRequest);
    QVERIFY(hand.run().analysis.requests[static_cast<std::size_t>(first.index)].requestLost == sent);
    hand.key(Qt::Key_X); // and given back
    QVERIFY(hand.faults().empty());
    QCOMPARE(hand.whole(), before);
    hand.key(Qt::Key_Right, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(hand.faults()[0].kind, InterventionKind::DelayReply);
    hand.key(Qt::Key_X, Qt::ShiftModifier);
    QCOMPARE(hand.faults()[0].kind, InterventionKind::LostReply);
    while (hand.history().canUndo())
        hand.undo();
    QCOMPARE(hand.whole(), before);
}

void EditTest::keysChangeALease() {
    Hand hand(QStringLiteral("stale-del"), 1);
    const auto ttl = [&] { return std::get<Duration>(hand.window.lesson().knobValue("ttl")); };
    const Duration before = ttl();
    const QString whole = hand.whole();
    // The lane "Redis says", at the playhead, by keys alone.
    hand.window.run().setPlayhead(at(10));
    const auto& bands = hand.canvas().lanes().bands();
    while (bands[static_cast<std::size_t>(hand.canvas().focusBand())].kind != BandKind::Key)
        hand.key(Qt::Key_Down);
    hand.key(Qt::Key_Return);
    QCOMPARE(hand.window.run().selection().kind, Selection::Kind::Grant);
    hand.key(Qt::Key_Left, Qt::AltModifier);
    hand.key(Qt::Key_Left, Qt::AltModifier);
    QVERIFY(ttl() < before);
    hand.undo(); // of the same knob, so one change
    QCOMPARE(ttl(), before);
    QCOMPARE(hand.whole(), whole);
}

void EditTest::duplicatesStandBehindTheOriginal() {
    Hand hand;
    hand.drag(hand.onDoes(0, 4), hand.onDoes(0, 7));
    const Intervention first = hand.faults()[0];
    hand.key(Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(hand.faults().size(), std::size_t{2});
    QCOMPARE(hand.faults()[1].length, first.length);
    QVERIFY(hand.faults()[1].at >= first.at + first.length);
    QCOMPARE(hand.window.run().selection(), (Selection{Selection::Kind::Intervention, 1}));
    QVERIFY(hand.undoText().startsWith(QStringLiteral("copy of the pause")));
    hand.undo();
    QCOMPARE(hand.faults().size(), std::size_t{1});
}

void EditTest::clocksGoBackToo() {
    Hand hand;
    hand.window.run().setPlayhead(at(14));
    hand.key(Qt::Key_J, Qt::ShiftModifier);
    QVERIFY(hand.faults()[0].length > Duration{0});
    for (int i = 0; i < 40 && hand.faults()[0].length >= Duration{0}; ++i)
        hand.key(Qt::Key_Left, Qt::AltModifier);
    QVERIFY(hand.faults()[0].length < Duration{0});
    QVERIFY(hand.said().contains(QStringLiteral("back")));
}

void EditTest::theLaneMenuOffersWhatFits() {
    Hand hand;
    const auto openAt = [&](QPointF pos) {
        QContextMenuEvent ask(QContextMenuEvent::Mouse, pos.toPoint(),
                              hand.canvas().mapToGlobal(pos.toPoint()));
        QApplication::sendEvent(&hand.canvas(), &ask);
        auto* menu = hand.window->findChild<QMenu*>(QStringLiteral("laneMenu"));
        return menu;
    };
    const auto has = [](const QMenu* menu, const char* name) {
        for (const QAction* each : menu->actions())
            if (each->objectName() == QLatin1String(name)) return true;
        return false;
    };
    const auto choose = [](const QMenu* menu, const char* name) {
        for (QAction* each : menu->actions())
            if (each->objectName() == QLatin1String(name)) each->trigger();
    };
    QMenu* menu = openAt(hand.onRedis(at(9)));
    QVERIFY(menu != nullptr && menu->isVisible());
    QVERIFY(has(menu, "laneServerStall") && has(menu, "laneServerClockJumpBack") && !has(menu, "laneKill"));
    choose(menu, "laneServerClockJumpBack");
    delete menu;
    QCOMPARE(hand.faults()[0].actor, serverName(0));
    QVERIFY(hand.faults()[0].length < Duration{0});
    hand.undo();

    hand.drag(hand.onDoes(0, 8), hand.onDoes(0, 12));
    menu = openAt(hand.onDoes(0, 10));
    QVERIFY(has(menu, "laneKill") && has(menu, "lanePartition") && has(menu, "actionRemove") &&
            has(menu, "actionDuplicate") && !has(menu, "laneServerStall"));
    choose(menu, "actionRemove");
    delete menu;
    QVERIFY(hand.faults().empty());
    menu = openAt(hand.onDoes(0, 10));
    QVERIFY(!has(menu, "actionRemove"));
    delete menu;
}

void EditTest::aSliderIsOneChange() {
    Hand hand;
    const QString before = hand.whole();
    auto* slider = hand.window.child<QSlider>(QStringLiteral("knob_work"));
    const int position = slider->value();
    for (int i = 1; i <= 6; ++i)
        slider->setValue(position + i);
    QVERIFY(hand.whole() != before);
    QCOMPARE(hand.history().count(), 1);
    const QString after = hand.whole();
    hand.undo();
    QCOMPARE(hand.whole(), before);
    QCOMPARE(slider->value(), position);
    hand.redo();
    QCOMPARE(hand.whole(), after);
}

void EditTest::aResetCanBeUndone() {
    Hand hand;
    hand.drag(hand.onDoes(0, 8), hand.onDoes(0, 12));
    const QString mine = hand.whole();
    hand.key(Qt::Key_R, Qt::ControlModifier);
    QVERIFY(hand.faults().empty());
    QCOMPARE(hand.undoText(), QStringLiteral("reset of the step"));
    hand.undo();
    QCOMPARE(hand.whole(), mine);
}

void EditTest::anotherStepForgetsTheChanges() {
    Hand hand;
    hand.drag(hand.onDoes(0, 8), hand.onDoes(0, 12));
    QVERIFY(hand.history().canUndo());
    hand.window.lesson().next();
    QVERIFY(!hand.history().canUndo());
    QVERIFY(!hand.window.child<QAction>(QStringLiteral("actionUndo"))->isEnabled());
}

void EditTest::theMenuSaysWhatItWouldUndo() {
    Hand hand;
    auto* undo = hand.window.child<QAction>(QStringLiteral("actionUndo"));
    auto* redo = hand.window.child<QAction>(QStringLiteral("actionRedo"));
    QVERIFY(!undo->isEnabled() && !redo->isEnabled());
    hand.window.run().setPlayhead(at(10));
    hand.key(Qt::Key_P);
    QCOMPARE(undo->text(), QStringLiteral("&Undo pause of Server A"));
    hand.window.click(QStringLiteral("undoButton"));
    QVERIFY(hand.faults().empty());
    QCOMPARE(redo->text(), QStringLiteral("&Redo pause of Server A"));
    hand.window.click(QStringLiteral("redoButton"));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    hand.key(Qt::Key_I);
    hand.key(Qt::Key_Delete);
    QCOMPARE(undo->text(), QStringLiteral("&Undo removal of the pause of Server A"));
}

void EditTest::theToastUndoesOnlyItsOwnChange() {
    Hand hand;
    hand.window.run().setPlayhead(at(10));
    hand.key(Qt::Key_P);
    QVERIFY(hand.window.sees(QStringLiteral("toast")));
    hand.window.lesson().setKnob("work", seconds(25));
    QVERIFY(!hand.window.sees(QStringLiteral("toast")));
    hand.key(Qt::Key_K);
    hand.window.click(QStringLiteral("toastButton"));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QVERIFY(hand.window.lesson().knobValue("work") == KnobValue(seconds(25)));
}

void EditTest::whatComesToNothingOffersNoUndo() {
    Hand hand;
    const auto offers = [&] { return hand.window.sees(QStringLiteral("toastButton")); };
    hand.window.run().setPlayhead(at(10));
    hand.key(Qt::Key_K);
    QVERIFY(offers());
    // There and back is undone as one, and so there is nothing left to undo.
    hand.key(Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(offers());
    hand.key(Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(!offers());
    QCOMPARE(hand.history().count(), 1);
    // Nor is there beyond the end of the run.
    for (int i = 0; i < 200 && hand.faults()[0].at > Instant{}; ++i)
        hand.key(Qt::Key_Left, Qt::ShiftModifier);
    const int changes = hand.history().count();
    hand.key(Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(hand.said().startsWith(QStringLiteral("Nothing changes")));
    QVERIFY(!offers());
    QCOMPARE(hand.history().count(), changes);
}

void EditTest::theToastEndsWithWhatItIsAbout() {
    Hand hand;
    // A kept run that was removed would come back among those of another lesson.
    hand.window->kept().keep(QStringLiteral("mine"));
    hand.key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    hand.window.click(QStringLiteral("compare.above.remove"));
    QVERIFY(hand.window.sees(QStringLiteral("toastButton")));
    hand.window->openLesson(QStringLiteral("stale-del"));
    QVERIFY(!hand.window.sees(QStringLiteral("toastButton")));
    QCOMPARE(hand.window->kept().count(), 0);
    // Progress that is given back must not take what was answered since.
    hand.window.child<QAction>(QStringLiteral("actionForgetAll"))->trigger();
    QVERIFY(hand.window.sees(QStringLiteral("toastButton")));
    while (hand.window.lesson().openQuestion() == nullptr)
        hand.window.key(Qt::Key_PageDown);
    hand.window.key(Qt::Key_R);
    QVERIFY(hand.window.lesson().answer().has_value());
    QVERIFY(!hand.window.sees(QStringLiteral("toastButton")));
}

/// It is about an instant, at which the playhead waits.
void EditTest::theLaneMenuStopsPlay() {
    Hand hand;
    hand.window.run().setSpeed(1);
    hand.window.run().play();
    const QPoint pos = hand.onDoes(0, 14).toPoint();
    QContextMenuEvent wanted(QContextMenuEvent::Mouse, pos, hand.canvas().mapToGlobal(pos));
    QApplication::sendEvent(&hand.canvas(), &wanted);
    QVERIFY(!hand.window.run().playing());
    const Instant asked = hand.window.run().playhead();
    auto* menu = hand.window.child<QMenu>(QStringLiteral("laneMenu"));
    for (QAction* each : menu->actions())
        if (each->objectName() == QStringLiteral("laneKill")) each->trigger();
    menu->close();
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QCOMPARE(micros(hand.faults()[0].at), micros(asked));
}

void EditTest::aTrialOfAnotherChangeIsDropped() {
    Hand hand;
    hand.press(hand.onDoes(0, 12));
    hand.move(hand.onDoes(0, 32));
    hand.window.lesson().setKnob("work", seconds(25)); // not by the hand
    QVERIFY(hand.faults().empty());
    QVERIFY(!hand.canvas().gesturing());
    QCOMPARE(hand.history().count(), 1);
}

/// A few hundred random gestures and keys. Then undo gives back the scenario that was there at first, redo
/// the one at the end, and so does every place between.
void EditTest::anyMixtureLeadsBackAndForth() {
    Hand hand(QStringLiteral("stale-del"), 1);
    Random random(20);
    const auto below = [&](std::size_t n) { return static_cast<int>(random.below(n)); };
    const auto somewhere = [&] {
        const int lane = below(4);
        const double second = below(700) / 10.0;
        return lane == 3 ? hand.onRedis(at(second)) : hand.onDoes(lane, second);
    };
    const std::vector<std::pair<Qt::Key, Qt::KeyboardModifiers>> keys{
        {Qt::Key_P, {}},
        {Qt::Key_K, {}},
        {Qt::Key_T, {}},
        {Qt::Key_X, {}},
        {Qt::Key_D, Qt::ShiftModifier},
        {Qt::Key_O, {}},
        {Qt::Key_O, Qt::ShiftModifier},
        {Qt::Key_J, Qt::ShiftModifier},
        {Qt::Key_U, {}},
        {Qt::Key_I, {}},
        {Qt::Key_M, {}},
        {Qt::Key_Up, {}},
        {Qt::Key_Down, {}},
        {Qt::Key_Left, Qt::ShiftModifier},
        {Qt::Key_Right, Qt::ShiftModifier},
        {Qt::Key_Left, Qt::AltModifier},
        {Qt::Key_Right, Qt::AltModifier},
        {Qt::Key_Down, Qt::ShiftModifier},
        {Qt::Key_Delete, {}},
        {Qt::Key_D, Qt::ControlModifier},
        {Qt::Key_Z, Qt::ControlModifier},
        {Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier},
    };
    const auto scenario = [&] { return hand.window.lesson().commandLine(); };
    const QString first = scenario();
    for (int i = 0; i < 300; ++i) {
        if (hand.faults().size() > 12) hand.undo(); // so that it stays a picture one could have made
        if (random.below(2) == 0) {
            hand.window.run().setPlayhead(at(below(700) / 10.0));
            const auto& [key, modifiers] = keys[random.below(keys.size())];
            QTest::keyClick(&hand.canvas(), key, modifiers);
            continue;
        }
        const QPointF from = somewhere(), to = somewhere();
        hand.press(from);
        for (int step = 1; step <= 3; ++step)
            hand.move(from + (to - from) * step / 3);
        if (random.below(5) == 0) QTest::keyClick(&hand.canvas(), Qt::Key_Escape);
        hand.release(random.below(4) == 0 ? QPointF(-100, -100) : to);
        QVERIFY(!hand.canvas().gesturing());
        QVERIFY(!hand.window.lesson().trying());
    }
    QVERIFY(hand.history().count() > 50);
    QStringList places{scenario()};
    while (hand.history().canUndo()) {
        hand.history().undo();
        places.prepend(scenario());
    }
    QCOMPARE(scenario(), first);
    for (const QString& place : places) {
        QCOMPARE(scenario(), place);
        if (hand.history().canRedo()) hand.history().redo();
    }
    QCOMPARE(scenario(), places.back());
}

QTEST_MAIN(EditTest)
#include "edit_test.moc"
