// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on the timeline, written, moved, found and removed by real keys and a real mouse.
#include <QAbstractItemModel>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTableView>

#include <algorithm>

#include "core/lesson/run_file.h"
#include "tests/ui/on_canvas.h"
#include "tests/ui/window_fixture.h"
#include "ui/panels/event_list.h"
#include "ui/panels/event_model.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/note_row.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::test::answerDialog;
using lockscope::test::at;
using lockscope::test::QuietTest;
using lockscope::test::secondsOf;
using lockscope::test::WindowUnderTest;

namespace {

QWidget* row(WindowUnderTest& window) {
    return window.child(QStringLiteral("noteRow"));
}

NoteRow& noteRow(WindowUnderTest& window) {
    return *static_cast<NoteRow*>(row(window));
}

const std::vector<Note>& notesOf(WindowUnderTest& window) {
    return window->findChild<Notes*>()->all();
}

TimelineCanvas& canvas(WindowUnderTest& window) {
    return window->findChild<TimelineView*>()->canvas();
}

/// Presses N and types, as one does.
void writeNote(WindowUnderTest& window, const QString& text) {
    window.key(Qt::Key_N);
    window.settle();
    QWidget* editor = window.child(QStringLiteral("noteEditor"));
    QVERIFY(editor->isVisible());
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Return);
    window.settle();
}

} // namespace

class NotesTest : public QuietTest {
    Q_OBJECT
private slots:
    void writtenAtThePlayhead();
    void writtenOnWhatIsSelected();
    void givenUpAndEmptied();
    void movedByTheMouse();
    void aSpanIsStretched();
    void byKeysAlone();
    void amongTheEvents();
    void theVeilCoversThem();
    void theyBelongToTheirStep();
    void theyAreSaved();
    void everyChangeCanBeUndone();
    void aNoteThatGoesWhileItIsInTheHand();
    void anotherNoteThatGoesChangesNothing();
    void whatIsBeingWrittenIsKept();
    void betweenEventsTheyFollowTheVeilToo();
    void notesOfOneInstantStandSideBySide();
};

void NotesTest::writtenAtThePlayhead() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    QVERIFY(!window.sees(QStringLiteral("noteRow"))); // nothing is written, so nothing takes room
    window.run().setPlayhead(instantAt(seconds(10)));
    writeNote(window, QStringLiteral("here it begins"));
    QCOMPARE(notesOf(window).size(), std::size_t{1});
    const Note note = notesOf(window).front();
    QCOMPARE(note.text, std::string("here it begins"));
    QCOMPARE(note.from, instantAt(seconds(10)));
    QCOMPARE(note.until, note.from);
    QVERIFY(window.sees(QStringLiteral("noteRow")));
    // Its mark stands over its instant.
    const QPointF centre = noteRow(window).markOf(0).center();
    QVERIFY(std::abs(secondsOf(canvas(window).instantAtX(centre.x())) - 10) < 0.1);
    QVERIFY(window->isWindowModified());
}

void NotesTest::writtenOnWhatIsSelected() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().liftVeil();
    window.run().pause();
    window.lesson().addIntervention(
        {InterventionKind::Pause, "Server A", instantAt(seconds(12)), seconds(25)});
    const int pause = static_cast<int>(window.lesson().interventions().size()) - 1;
    window.run().select({Selection::Kind::Intervention, pause});
    writeNote(window, QStringLiteral("frozen"));
    QCOMPARE(notesOf(window).front().from, instantAt(seconds(12)));
    QCOMPARE(notesOf(window).front().until, instantAt(seconds(37)));
}

void NotesTest::givenUpAndEmptied() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.key(Qt::Key_N);
    window.settle();
    QTest::keyClicks(window.child(QStringLiteral("noteEditor")), QStringLiteral("never mind"));
    QTest::keyClick(window.child(QStringLiteral("noteEditor")), Qt::Key_Escape);
    QVERIFY(notesOf(window).empty());
    QVERIFY(!window.sees(QStringLiteral("noteRow")));
    writeNote(window, QString());
    QVERIFY(notesOf(window).empty());

    writeNote(window, QStringLiteral("soon gone"));
    QTest::mouseDClick(row(window), Qt::LeftButton, {}, noteRow(window).markOf(0).center().toPoint());
    auto* editor = window.child<QLineEdit>(QStringLiteral("noteEditor"));
    QVERIFY(editor->isVisible());
    QCOMPARE(editor->text(), QStringLiteral("soon gone"));
    editor->clear();
    QTest::keyClick(editor, Qt::Key_Return);
    QVERIFY(notesOf(window).empty());
}

void NotesTest::movedByTheMouse() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.run().setPlayhead(instantAt(seconds(10)));
    writeNote(window, QStringLiteral("moves"));
    const QPoint from = noteRow(window).markOf(0).center().toPoint();
    QTest::mousePress(row(window), Qt::LeftButton, {}, from);
    QTest::mouseMove(row(window), from + QPoint(60, 0));
    QTest::mouseMove(row(window), from + QPoint(120, 0));
    QCOMPARE(notesOf(window).front().from, instantAt(seconds(10))); // not before it is let go
    QTest::mouseRelease(row(window), Qt::LeftButton, {}, from + QPoint(120, 0));
    const double wanted = secondsOf(canvas(window).instantAtX(from.x() + 120));
    QVERIFY(std::abs(secondsOf(notesOf(window).front().from) - wanted) < 0.2);

    // Escape gives up; beyond the window it stays within the run.
    const Instant there = notesOf(window).front().from;
    const QPoint now = noteRow(window).markOf(0).center().toPoint();
    QTest::mousePress(row(window), Qt::LeftButton, {}, now);
    QTest::mouseMove(row(window), now + QPoint(50, 0));
    QTest::keyClick(row(window), Qt::Key_Escape);
    QTest::mouseRelease(row(window), Qt::LeftButton, {}, now + QPoint(50, 0));
    QCOMPARE(notesOf(window).front().from, there);
    QTest::mousePress(row(window), Qt::LeftButton, {}, now);
    QTest::mouseMove(row(window), now + QPoint(50, 0));
    QTest::mouseMove(row(window), now + QPoint(9000, 0));
    QTest::mouseRelease(row(window), Qt::LeftButton, {}, now + QPoint(9000, 0));
    QCOMPARE(notesOf(window).front().from, window.run().end());
}

void NotesTest::aSpanIsStretched() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.lesson().liftVeil();
    window.run().pause();
    auto* notes = window->findChild<Notes*>();
    notes->add({0, instantAt(seconds(10)), instantAt(seconds(20)), "span"});
    window.settle();
    const auto xAt = [&](double s) {
        double low = 0, high = canvas(window).width();
        for (int i = 0; i < 50; ++i)
            (secondsOf(canvas(window).instantAtX((low + high) / 2)) < s ? low : high) = (low + high) / 2;
        return static_cast<int>(high);
    };
    const QPoint end(xAt(20), row(window)->height() - 2);
    QTest::mousePress(row(window), Qt::LeftButton, {}, end);
    QTest::mouseMove(row(window), QPoint(xAt(25), end.y()));
    QTest::mouseMove(row(window), QPoint(xAt(30), end.y()));
    QTest::mouseRelease(row(window), Qt::LeftButton, {}, QPoint(xAt(30), end.y()));
    QCOMPARE(notesOf(window).front().from, instantAt(seconds(10)));
    QVERIFY(std::abs(secondsOf(notesOf(window).front().until) - 30) < 0.3);
}

void NotesTest::byKeysAlone() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    for (const int s : {10, 20}) {
        window.run().setPlayhead(instantAt(seconds(s)));
        writeNote(window, QStringLiteral("at %1").arg(s));
    }
    QVERIFY(row(window)->hasFocus()); // after writing
    window.key(Qt::Key_Left);
    QCOMPARE(noteRow(window).picked(), 0);
    QCOMPARE(window.run().playhead(), instantAt(seconds(10)));
    window.key(Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(notesOf(window).front().from > instantAt(seconds(10)));
    window.key(Qt::Key_F2);
    auto* editor = window.child<QLineEdit>(QStringLiteral("noteEditor"));
    QVERIFY(editor->hasFocus());
    QTest::keyClicks(editor, QStringLiteral("other words")); // all was selected
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(notesOf(window).front().text, std::string("other words"));
    QVERIFY(row(window)->hasFocus());
    window.key(Qt::Key_Delete);
    QCOMPARE(notesOf(window).size(), std::size_t{1});
    QCOMPARE(notesOf(window).front().text, std::string("at 20"));
    QVERIFY(window.lesson().interventions().size() == window.lesson().currentStep()->interventions.size());
}

void NotesTest::amongTheEvents() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.lesson().goTo(window.lesson().stepCount() - 1);
    window.lesson().liftVeil();
    window.run().pause();
    window.run().setPlayhead(instantAt(seconds(10)));
    writeNote(window, QStringLiteral("find me here"));
    window.key(Qt::Key_3, Qt::ControlModifier);
    EventModel& events = window->findChild<EventList*>()->model();
    const auto rowOfNote = [&] {
        for (int i = 0; i < events.rowCount(); ++i)
            if (events.noteAt(i) >= 0) return i;
        return -1;
    };
    const int at = rowOfNote();
    QVERIFY(at > 0);
    QCOMPARE(events.eventAt(at), -1);
    QCOMPARE(events.index(at, EventModel::TextColumn).data().toString(),
             QStringLiteral("Note: find me here"));
    const auto& all = window.run().run()->trace->events;
    const auto timeOf = [&](int r) { return all[static_cast<std::size_t>(events.eventAt(r))].at; };
    QVERIFY(timeOf(at - 1) <= instantAt(seconds(10)));
    QVERIFY(timeOf(at + 1) > instantAt(seconds(10)));
    for (int i = 0; i < events.rowCount(); ++i)
        if (i != at) QCOMPARE(events.rowOf(events.eventAt(i)), i);
    QCOMPARE(events.rowCount(), static_cast<int>(all.size()) + 1);

    // A click there goes there.
    window.run().setPlayhead(Instant{});
    auto* view = window.child<QTableView>(QStringLiteral("eventView"));
    view->scrollTo(events.index(at, 1));
    window.settle();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(events.index(at, 1)).center());
    QCOMPARE(window.run().playhead(), instantAt(seconds(10)));
    QCOMPARE(noteRow(window).picked(), 0);

    // The filter finds it, and hides it.
    auto* filter = window.child<QLineEdit>(QStringLiteral("eventFilter"));
    filter->setFocus();
    QTest::keyClicks(filter, QStringLiteral("find me"));
    QTRY_VERIFY(!events.filtering());
    QCOMPARE(events.rowCount(), 1);
    QCOMPARE(rowOfNote(), 0);
    filter->clear();
    QTest::keyClicks(filter, QStringLiteral("DEL"));
    QTRY_VERIFY(!events.filtering());
    QCOMPARE(rowOfNote(), -1);
}

void NotesTest::theVeilCoversThem() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    while (window.lesson().openQuestion() == nullptr)
        window.key(Qt::Key_PageDown);
    const Instant gate = window.lesson().openQuestion()->gate;
    auto* notes = window->findChild<Notes*>();
    notes->add({window.lesson().step(), gate + seconds(1), gate + seconds(1), "the answer"});
    notes->add({window.lesson().step(), gate - seconds(1), gate + seconds(5), "a hint"});
    window.settle();
    QVERIFY(!noteRow(window).markOf(0).isNull());
    QVERIFY(noteRow(window).markOf(1).isNull());
    EventModel& events = window->findChild<EventList*>()->model();
    for (int i = 0; i < events.rowCount(); ++i)
        QVERIFY(events.noteAt(i) != 1);
    window.key(Qt::Key_R);
    window.settle();
    QVERIFY(!noteRow(window).markOf(1).isNull());
}

void NotesTest::theyBelongToTheirStep() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    writeNote(window, QStringLiteral("of the first step"));
    window.key(Qt::Key_PageDown);
    QVERIFY(!window.sees(QStringLiteral("noteRow")));
    window.key(Qt::Key_PageUp);
    QVERIFY(window.sees(QStringLiteral("noteRow")));
    window->openLesson(QStringLiteral("expiry"));
    QVERIFY(notesOf(window).empty());
}

void NotesTest::theyAreSaved() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    writeNote(window, QStringLiteral("kept"));
    window.close();
    window.start(QStringLiteral("expiry"));
    window.click(QStringLiteral("restoreButton"));
    QCOMPARE(notesOf(window).size(), std::size_t{1});
    QCOMPARE(notesOf(window).front().text, std::string("kept"));
    QVERIFY(window.sees(QStringLiteral("noteRow")));
}

/// In one row with what is done to the run, by the same keys.
void NotesTest::everyChangeCanBeUndone() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.run().setPlayhead(instantAt(seconds(10)));
    const auto undo = [&] { window.key(Qt::Key_Z, Qt::ControlModifier); };
    const auto redo = [&] { window.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); };
    std::vector<std::vector<Note>> states{notesOf(window)};
    writeNote(window, QStringLiteral("written"));
    states.push_back(notesOf(window));
    window.key(Qt::Key_Right, Qt::ShiftModifier);
    states.push_back(notesOf(window));
    window.key(Qt::Key_F2);
    QTest::keyClicks(window.child(QStringLiteral("noteEditor")), QStringLiteral("rewritten"));
    QTest::keyClick(window.child(QStringLiteral("noteEditor")), Qt::Key_Return);
    states.push_back(notesOf(window));
    window.lesson().addIntervention({InterventionKind::Kill, "Server A", instantAt(seconds(5)), {}});
    window.key(Qt::Key_Delete);
    states.push_back(notesOf(window));
    QVERIFY(notesOf(window).empty());
    const std::size_t faults = window.lesson().interventions().size();

    undo();
    QVERIFY(notesOf(window) == states[3]);
    undo(); // the kill
    QCOMPARE(window.lesson().interventions().size(), faults - 1);
    for (const std::size_t state : {2, 1, 0}) {
        undo();
        QVERIFY(notesOf(window) == states[state]);
    }
    QVERIFY(!window->isWindowModified());
    for (const std::size_t state : {1, 2, 3, 3, 4}) {
        redo();
        QVERIFY(notesOf(window) == states[state]);
    }
    QCOMPARE(window.lesson().interventions().size(), faults);
}

/// It is undone, by the menu for one, while it is written, dragged or picked.
void NotesTest::aNoteThatGoesWhileItIsInTheHand() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    auto* editor = window.child<QLineEdit>(QStringLiteral("noteEditor"));
    const auto undo = [&] { window.child<QAction>(QStringLiteral("actionUndo"))->trigger(); };
    window.run().setPlayhead(at(10));
    writeNote(window, QStringLiteral("soon gone"));
    window.key(Qt::Key_F2);
    QTest::keyClicks(editor, QStringLiteral("other words"));
    undo();
    QVERIFY(notesOf(window).empty());
    QVERIFY(!editor->isVisible());
    QCOMPARE(noteRow(window).picked(), -1);
    QVERIFY(!window.sees(QStringLiteral("noteRow")));

    writeNote(window, QStringLiteral("soon gone"));
    const QPoint mark = noteRow(window).markOf(0).center().toPoint();
    QTest::mousePress(row(window), Qt::LeftButton, {}, mark);
    QTest::mouseMove(row(window), mark + QPoint(60, 0));
    undo();
    QTest::mouseMove(row(window), mark + QPoint(90, 0));
    QTest::mouseRelease(row(window), Qt::LeftButton, {}, mark + QPoint(90, 0));
    QVERIFY(notesOf(window).empty());

    // With the menu about it open.
    writeNote(window, QStringLiteral("soon gone"));
    QContextMenuEvent wanted(QContextMenuEvent::Mouse, mark, row(window)->mapToGlobal(mark));
    QApplication::sendEvent(row(window), &wanted);
    auto* menu = window.child<QMenu>(QStringLiteral("noteMenu"));
    undo();
    for (QAction* each : menu->actions())
        each->trigger();
    QVERIFY(notesOf(window).empty());
    QVERIFY(!editor->isVisible());
    menu->close();
}

/// Its index is another then, and what is picked and written stays what it was.
void NotesTest::anotherNoteThatGoesChangesNothing() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    for (const double s : {20.0, 10.0}) {
        window.run().setPlayhead(at(s));
        writeNote(window, QStringLiteral("at %1").arg(s));
    }
    window.key(Qt::Key_Right);
    QCOMPARE(noteRow(window).picked(), 1);
    window.key(Qt::Key_F2);
    auto* editor = window.child<QLineEdit>(QStringLiteral("noteEditor"));
    QTest::keyClicks(editor, QStringLiteral("later"));
    window.child<QAction>(QStringLiteral("actionUndo"))->trigger(); // the one at 10 s
    QCOMPARE(noteRow(window).picked(), 0);
    QVERIFY(editor->isVisible());
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(notesOf(window).size(), std::size_t{1});
    QCOMPARE(notesOf(window).front().text, std::string("later"));
    QCOMPARE(secondsOf(notesOf(window).front().from), 20.0);
}

/// Saving and leaving come in the middle of a sentence.
void NotesTest::whatIsBeingWrittenIsKept() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    const auto begin = [&](const QString& text) {
        window.key(Qt::Key_N);
        window.settle();
        QTest::keyClicks(window.child(QStringLiteral("noteEditor")), text);
    };
    begin(QStringLiteral("saved"));
    const QString path = window.home(QStringLiteral("a.lockrun"));
    window.key(Qt::Key_S, Qt::ControlModifier);
    answerDialog(window, QStringLiteral("saveDialog"), path);
    QCOMPARE(readRunFile(path.toStdString())->notes.size(), std::size_t{1});
    begin(QStringLiteral("left"));
    window->openLesson(QStringLiteral("expiry"));
    QVERIFY(!window.child(QStringLiteral("noteEditor"))->isVisible());
    QVERIFY(notesOf(window).empty());
    QVERIFY(!window.lesson().history().canUndo());
    window.click(QStringLiteral("restoreButton"));
    QCOMPARE(notesOf(window).size(), std::size_t{2});
}

void NotesTest::betweenEventsTheyFollowTheVeilToo() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.lesson().goTo(window.lesson().stepCount() - 1);
    window.lesson().liftVeil();
    EventModel& events = window->findChild<EventList*>()->model();
    const auto& all = window.run().run()->trace->events;
    std::size_t quiet = 1; // before it nothing happens for a while
    while (all[quiet].at - all[quiet - 1].at < millis(400))
        ++quiet;
    const Instant before = all[quiet - 1].at;
    window->findChild<Notes*>()->add(
        {window.lesson().step(), before + millis(200), before + millis(200), "quiet"});
    const auto told = [&] {
        int n = 0;
        for (int i = 0; i < events.rowCount(); ++i)
            n += events.noteAt(i) >= 0 ? 1 : 0;
        return n;
    };
    window.run().setVeil(before + millis(300));
    QCOMPARE(told(), 1);
    window.run().setVeil(before + millis(100));
    QCOMPARE(told(), 0);
    window.run().setVeil(before + millis(300));
    QCOMPARE(told(), 1);
}

void NotesTest::notesOfOneInstantStandSideBySide() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.lesson().liftVeil();
    window.run().pause();
    auto* notes = window->findChild<Notes*>();
    const double end = secondsOf(window.run().end());
    for (const double s : {10.0, 10.0, 10.05, 30.0, end, end})
        notes->add({0, at(s), at(s), "note"});
    window.settle();
    for (int i = 0; i < 6; ++i) {
        const QRectF mark = noteRow(window).markOf(i);
        QVERIFY(QRectF(row(window)->rect()).contains(mark));
        if (i > 0) QVERIFY(mark.left() > noteRow(window).markOf(i - 1).right());
        QTest::mouseClick(row(window), Qt::LeftButton, {}, mark.center().toPoint());
        QCOMPARE(noteRow(window).picked(), i);
    }
    // The one that stands alone stands over its instant.
    QVERIFY(std::abs(canvas(window).scene().scale.x(at(30)) - noteRow(window).markOf(3).center().x()) <= 1);
}

QTEST_MAIN(NotesTest)
#include "notes_test.moc"
