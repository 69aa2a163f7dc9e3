// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A run is saved, opened, refused, and not lost: through the real window, its keys and its dialogs.
#include <QMenu>

#include <csignal>
#include <sys/resource.h>

#include "core/base/whole_file.h"
#include "core/lesson/run_file.h"
#include "tests/ui/hand.h"
#include "ui/bridge/kept_runs.h"
#include "ui/bridge/notes.h"
#include "ui/bridge/run_document.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::test::answerDialog;
using lockscope::test::bytesOf;
using lockscope::test::dropOn;
using lockscope::test::Hand;
using lockscope::test::QuietTest;
using lockscope::test::shippedLesson;
using lockscope::test::WindowUnderTest;
using lockscope::test::write;

namespace {

const Intervention kPause{InterventionKind::Pause, "Server A", instantAt(seconds(12)), seconds(25)};

QStringList unsavedFiles(WindowUnderTest& window) {
    return QDir(window.home(QStringLiteral("unsaved"))).entryList({QStringLiteral("*.lockrun")}, QDir::Files);
}

} // namespace

class RunDocumentTest : public QuietTest {
    Q_OBJECT
private slots:
    void savedAndOpenedAgain();
    void goingThroughALessonIsNobodysWork();
    void whatCannotBeReadChangesNothing_data();
    void whatCannotBeReadChangesNothing();
    void aLessonThatHasChangedIsSaid();
    void aSaveThatFailsLeavesTheFile();
    void aCrashLosesNothing();
    void closingLosesNothing();
    void discardedIsGone();
    void changesToAFileComeBackToTheFile();
    void anotherLessonLeavesTheWorkBehind();
    void twoWindowsKeepOutOfEachOthersWay();
    void aLessonFromElsewhereIsFound();
    void aMendedLessonIsADocumentOfItsOwn();
    void anotherRunLeavesTheWorkBehind();
    void whatCannotBeReadIsKeptAside();
    void aSavedSeedOutlivesEveryChange();
    void aLongNameFitsIntoTheFile();
    void aDragIsNoWorkBeforeItsEnd();
    void whatCannotBeKeptIsNotDiscarded();
    void noMoreIsKeptThanAFileHolds();
    void twoRunsOfOnesOwnAreSaved();
};

void RunDocumentTest::savedAndOpenedAgain() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().goTo(1);
    window.lesson().liftVeil();
    window.run().pause();
    QVERIFY(!window->isWindowModified());
    const KnobValue shorter{seconds(20)};
    QCOMPARE(window.lesson().setKnob("ttl", shorter), QString());
    QCOMPARE(window.lesson().addIntervention(kPause), QString());
    QVERIFY(window->isWindowModified());
    const QString command = window.lesson().commandLine();

    const QString path = window.home(QStringLiteral("incident.lockrun"));
    window.key(Qt::Key_S, Qt::ControlModifier);
    answerDialog(window, QStringLiteral("saveDialog"), path);
    QVERIFY(QFile::exists(path));
    QVERIFY(!window->isWindowModified());
    QVERIFY(window->windowTitle().contains(QStringLiteral("incident.lockrun")));
    QCOMPARE(unsavedFiles(window), QStringList());

    // Changed and saved again: no dialog this time.
    window.lesson().removeIntervention(static_cast<int>(window.lesson().interventions().size()) - 1);
    QVERIFY(window->isWindowModified());
    const QByteArray before = bytesOf(path);
    window.key(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!window->isWindowModified());
    QVERIFY(bytesOf(path) != before);
    window.lesson().addIntervention(kPause);
    window.key(Qt::Key_S, Qt::ControlModifier);

    // Another lesson, then the run again: by the dialog, dropped, from the recent ones, from the start.
    window->openLesson(QStringLiteral("expiry"));
    QVERIFY(!window->windowTitle().contains(QStringLiteral("incident")));
    window.key(Qt::Key_O, Qt::ControlModifier);
    QVERIFY(window.child<QFileDialog>(QStringLiteral("openDialog"))->testOption(QFileDialog::ReadOnly));
    answerDialog(window, QStringLiteral("openDialog"), path);
    QCOMPARE(window.lesson().commandLine(), command);
    QCOMPARE(window.lesson().step(), 1);
    QVERIFY(!window->isWindowModified());

    window->openLesson(QStringLiteral("expiry"));
    dropOn(window, path);
    QCOMPARE(window.lesson().commandLine(), command);

    window->openLesson(QStringLiteral("expiry"));
    auto* recent = window.child<QMenu>(QStringLiteral("recentMenu"));
    QCOMPARE(recent->actions().size(), 1);
    QCOMPARE(recent->actions().front()->text(), QStringLiteral("incident.lockrun"));
    recent->actions().front()->trigger();
    QCOMPARE(window.lesson().commandLine(), command);
    window.close();

    window.start(path);
    QCOMPARE(window.lesson().commandLine(), command);
    QVERIFY(!window.sees(QStringLiteral("noticeBar")));
}

void RunDocumentTest::goingThroughALessonIsNobodysWork() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    while (!window.lesson().atSummary()) {
        QVERIFY(!window->isWindowModified());
        window.key(Qt::Key_PageDown);
    }
    window.close();
    QCOMPARE(unsavedFiles(window), QStringList());
    window.start();
    QVERIFY(!window.sees(QStringLiteral("noticeBar")));

    // A change that is taken back is none either.
    window.lesson().goTo(0);
    window.lesson().addIntervention(kPause);
    QVERIFY(window->isWindowModified());
    window.lesson().removeIntervention(static_cast<int>(window.lesson().interventions().size()) - 1);
    QVERIFY(!window->isWindowModified());
    // A step that was changed and left is: it can be come back to.
    window.lesson().addIntervention(kPause);
    window.key(Qt::Key_PageDown);
    QVERIFY(window->isWindowModified());
}

void RunDocumentTest::whatCannotBeReadChangesNothing_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    RunFile good;
    good.lesson = "stale-del";
    const auto with = [&](auto change) {
        RunFile file = good;
        change(file);
        return QByteArray::fromStdString(formatRunFile(file));
    };
    const QByteArray text = QByteArray::fromStdString(formatRunFile(good));
    QTest::newRow("damaged") << text.left(text.size() / 2) << QStringLiteral("no valid JSON");
    QTest::newRow("foreign") << QByteArray("{}") << QStringLiteral("not a Lockscope run");
    QTest::newRow("newer") << QByteArray(text).replace("\"format\": 1", "\"format\": 3")
                           << QStringLiteral("newer Lockscope (format 3)");
    QTest::newRow("huge") << QByteArray(9 << 20, ' ') << QStringLiteral("8388608 bytes at most");
    QTest::newRow("no such lesson") << with([](RunFile& f) { f.lesson = "gone"; })
                                    << QStringLiteral("its lesson 'gone' is not here");
    QTest::newRow("no such knob") << with([](RunFile& f) {
        f.current.knobs = {{"colour", "red"}};
    }) << QStringLiteral("lesson stale-del has no knob 'colour'");
    QTest::newRow("no such actor") << with([](RunFile& f) {
        f.current.interventions = {*parseIntervention("kill Nobody@1s")};
    }) << QStringLiteral("no actor 'Nobody'");
    QTest::newRow("a kept run of nobody") << with([](RunFile& f) {
        f.kept = {{"mine", 0, 1, {}, {*parseIntervention("kill Nobody@1s")}}};
    }) << QStringLiteral("kept run 'mine'");
}

void RunDocumentTest::whatCannotBeReadChangesNothing() {
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    WindowUnderTest window(QStringLiteral("expiry"));
    window.lesson().addIntervention(kPause);
    const QString command = window.lesson().commandLine(), title = window->windowTitle();
    const QString path = window.home(QStringLiteral("x.lockrun"));
    write(path, text);
    dropOn(window, path);
    const QString notice = window.text(QStringLiteral("noticeText"));
    QVERIFY2(notice.contains(said), qPrintable(notice));
    QVERIFY(notice.startsWith(QStringLiteral("x.lockrun: ")));
    QVERIFY(!notice.contains(QLatin1Char('\n')));
    QCOMPARE(window.lesson().commandLine(), command);
    QCOMPARE(window->windowTitle(), title);
    QVERIFY(window->isWindowModified());
    QCOMPARE(bytesOf(path), text);
    window.click(QStringLiteral("noticeClose"));
    QVERIFY(!window.sees(QStringLiteral("noticeBar")));
}

void RunDocumentTest::aLessonThatHasChangedIsSaid() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().addIntervention(kPause);
    const QString command = window.lesson().commandLine();
    const QString path = window.home(QStringLiteral("old.lockrun"));
    window.key(Qt::Key_S, Qt::ControlModifier);
    answerDialog(window, QStringLiteral("saveDialog"), path);
    Result<RunFile> file = readRunFile(path.toStdString());
    QVERIFY(file.ok());
    file->lessonHash = "0123";
    write(path, QByteArray::fromStdString(formatRunFile(*file)));
    window->openLesson(QStringLiteral("expiry"));
    window->openRun(path);
    QVERIFY(window.text(QStringLiteral("noticeText")).contains(QStringLiteral("lesson has changed")));
    QCOMPARE(window.lesson().commandLine(), command);
}

void RunDocumentTest::aSaveThatFailsLeavesTheFile() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    const QString folder = window.home(QStringLiteral("runs"));
    QVERIFY(QDir().mkpath(folder));
    const QString path = folder + QStringLiteral("/a.lockrun");
    window.lesson().addIntervention(kPause);
    window.key(Qt::Key_S, Qt::ControlModifier);
    answerDialog(window, QStringLiteral("saveDialog"), path);
    const QByteArray saved = bytesOf(path);
    // The folder goes from under it.
    QVERIFY(QDir().rename(folder, folder + QStringLiteral("-moved")));
    window.lesson().setKnob("ttl", KnobValue{seconds(20)});
    window.key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(window.text(QStringLiteral("noticeText")),
             QStringLiteral("a.lockrun could not be saved: No such file or directory"));
    QVERIFY(window->isWindowModified());
    QVERIFY(QDir().rename(folder + QStringLiteral("-moved"), folder));
    QCOMPARE(bytesOf(path), saved);
    window.key(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!window->isWindowModified());
}

void RunDocumentTest::aCrashLosesNothing() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().goTo(2);
    window.lesson().liftVeil();
    window.lesson().addIntervention(kPause);
    const QString command = window.lesson().commandLine();
    QTRY_COMPARE(unsavedFiles(window).size(), 1); // it is kept without anybody asking
    window.kill();

    window.start(QStringLiteral("expiry"));
    QVERIFY(QApplication::activeModalWidget() == nullptr);
    QVERIFY(window.text(QStringLiteral("noticeText"))
                .startsWith(QStringLiteral("Your run of “4 · The old process deletes the new lock” from ")));
    QVERIFY(window.lesson().path().endsWith(QStringLiteral("expiry.md")));
    window.click(QStringLiteral("restoreButton"));
    QCOMPARE(window.lesson().commandLine(), command);
    QCOMPARE(window.lesson().step(), 2);
    QVERIFY(window->isWindowModified());
    QVERIFY(!window.sees(QStringLiteral("noticeBar")));
    QCOMPARE(unsavedFiles(window).size(), 1); // it is this window's now, and as safe as before
    window.kill();
    window.start(QStringLiteral("expiry"));
    QVERIFY(window.sees(QStringLiteral("restoreButton")));
}

void RunDocumentTest::closingLosesNothing() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().addIntervention(kPause);
    const QString command = window.lesson().commandLine();
    window.close(); // at once, and without a question
    QVERIFY(!window->isVisible());
    window.start(QStringLiteral("expiry"));
    window.click(QStringLiteral("restoreButton"));
    QCOMPARE(window.lesson().commandLine(), command);
}

void RunDocumentTest::discardedIsGone() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().addIntervention(kPause);
    window.close();
    window.start(QStringLiteral("expiry"));
    window.click(QStringLiteral("discardButton"));
    QVERIFY(!window.sees(QStringLiteral("noticeBar")));
    QCOMPARE(unsavedFiles(window), QStringList());
    // A click that was meant for something else can be taken back.
    window.click(QStringLiteral("toastButton"));
    QVERIFY(window.sees(QStringLiteral("restoreButton")));
    QCOMPARE(unsavedFiles(window).size(), 1);
    window.click(QStringLiteral("discardButton"));
    window.close();
    window.start(QStringLiteral("expiry"));
    QVERIFY(!window.sees(QStringLiteral("noticeBar")));
}

void RunDocumentTest::changesToAFileComeBackToTheFile() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    const QString path = window.home(QStringLiteral("mine.lockrun"));
    window.lesson().addIntervention(kPause);
    window.key(Qt::Key_S, Qt::ControlModifier);
    answerDialog(window, QStringLiteral("saveDialog"), path);
    window.lesson().setKnob("ttl", KnobValue{seconds(20)});
    const QString command = window.lesson().commandLine();
    window.close();
    window.start(QStringLiteral("expiry"));
    QVERIFY(
        window.text(QStringLiteral("noticeText")).startsWith(QStringLiteral("Your changes to mine.lockrun")));
    window.click(QStringLiteral("restoreButton"));
    QCOMPARE(window.lesson().commandLine(), command);
    QVERIFY(window->isWindowModified());
    window.key(Qt::Key_S, Qt::ControlModifier); // to its own file, without a dialog
    QVERIFY(!window->isWindowModified());
    QCOMPARE(unsavedFiles(window), QStringList());
    QVERIFY(formatRunFile(*readRunFile(path.toStdString())).find("\"ttl=20s\"") != std::string::npos);
}

void RunDocumentTest::anotherLessonLeavesTheWorkBehind() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().addIntervention(kPause);
    const QString command = window.lesson().commandLine();
    window->openLesson(QStringLiteral("expiry"));
    QVERIFY(!window->isWindowModified());
    // An experiment is told of in passing: nothing is pushed away under the hand.
    QVERIFY(!window.sees(QStringLiteral("noticeBar")));
    QVERIFY(window.text(QStringLiteral("toastText")).startsWith(QStringLiteral("Your run of “4 · The old")));
    window.click(QStringLiteral("toastButton"));
    QCOMPARE(window.lesson().commandLine(), command);
    // A file that is no lesson leaves everything where it is.
    const QString broken = window.home(QStringLiteral("broken.md"));
    write(broken, "nothing");
    dropOn(window, broken);
    QVERIFY(window->isWindowModified());
    QCOMPARE(unsavedFiles(window).size(), 1);
}

void RunDocumentTest::twoWindowsKeepOutOfEachOthersWay() {
    WindowUnderTest first(QStringLiteral("stale-del"));
    first.lesson().addIntervention(kPause);
    QTRY_COMPARE(unsavedFiles(first).size(), 1);

    WindowOptions options;
    options.session = makeSimulatedSession();
    options.lessonFolder = WindowUnderTest::lessons();
    options.open = QStringLiteral("expiry");
    options.settingsFile = first.home(QStringLiteral("window.ini"));
    auto second = std::make_unique<MainWindow>(std::move(options));
    second->show();
    QVERIFY(!second->findChild<QWidget*>(QStringLiteral("noticeBar"))->isVisible()); // somebody is at it
    second->lesson().addIntervention(kPause);
    QTRY_COMPARE(unsavedFiles(first).size(), 2);
    second->lesson().resetStep();
    second.reset();
    QCOMPARE(unsavedFiles(first).size(), 2); // its own run can be come back to
    first.lesson().setKnob("ttl", KnobValue{seconds(20)});
    first.kill();
    first.start(QStringLiteral("expiry"));
    first.click(QStringLiteral("discardButton"));
    first.click(QStringLiteral("discardButton"));
    QVERIFY(!first.sees(QStringLiteral("noticeBar")));
}

/// A lesson that does not come with the program is looked for where it was, then beside the run.
void RunDocumentTest::aLessonFromElsewhereIsFound() {
    WindowUnderTest window(QStringLiteral("expiry"));
    const QString folder = window.home(QStringLiteral("mine"));
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(QFile::copy(WindowUnderTest::lessons() + QStringLiteral("/expiry.md"),
                        folder + QStringLiteral("/own.md")));
    window->openLesson(folder + QStringLiteral("/own.md"));
    window.lesson().addIntervention(kPause);
    const QString path = folder + QStringLiteral("/a.lockrun");
    window.key(Qt::Key_S, Qt::ControlModifier);
    answerDialog(window, QStringLiteral("saveDialog"), path);
    window->openLesson(QStringLiteral("expiry"));
    window->openRun(path);
    QVERIFY(window.lesson().path().endsWith(QStringLiteral("mine/own.md")));

    window->openLesson(QStringLiteral("expiry"));
    QVERIFY(QDir().rename(folder, folder + QStringLiteral("-moved")));
    window->openRun(folder + QStringLiteral("-moved/a.lockrun"));
    QVERIFY(window.lesson().path().endsWith(QStringLiteral("mine-moved/own.md")));
    QVERIFY(QFile::remove(folder + QStringLiteral("-moved/own.md")));
    window->openLesson(QStringLiteral("expiry"));
    window->openRun(folder + QStringLiteral("-moved/a.lockrun"));
    QVERIFY(window.text(QStringLiteral("noticeText"))
                .contains(QStringLiteral("its lesson 'expiry' is not here")));
}

/// A lesson that was broken when it was opened takes the place of the other once it is mended. What is saved
/// then is not the other one's run.
void RunDocumentTest::aMendedLessonIsADocumentOfItsOwn() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().addIntervention(kPause);
    const QString path = window.home(QStringLiteral("precious.lockrun"));
    window.key(Qt::Key_S, Qt::ControlModifier);
    answerDialog(window, QStringLiteral("saveDialog"), path);
    const QByteArray saved = bytesOf(path);
    window.lesson().setKnob("ttl", KnobValue{seconds(20)});
    window->findChild<Notes*>()->add({0, instantAt(seconds(1)), instantAt(seconds(1)), "of the other"});
    const QString command = window.lesson().commandLine();

    const QString lesson = window.home(QStringLiteral("mine.md"));
    write(lesson, "---\nid: broken\n---\n");
    window->openLesson(lesson);
    QCOMPARE(window.lesson().commandLine(), command); // it is still there
    write(lesson, shippedLesson("expiry"));
    QTRY_COMPARE(qstr(window.lesson().lesson()->id), QStringLiteral("expiry"));
    QVERIFY(!window->isWindowModified());
    QVERIFY(window->findChild<Notes*>()->all().empty());
    window.key(Qt::Key_S, Qt::ControlModifier);
    answerDialog(window, QStringLiteral("saveDialog"), window.home(QStringLiteral("other.lockrun")));
    QCOMPARE(bytesOf(path), saved);
    window.click(QStringLiteral("restoreButton"));
    QCOMPARE(window.lesson().commandLine(), command);
    QVERIFY(window->windowTitle().contains(QStringLiteral("precious.lockrun")));
}

void RunDocumentTest::anotherRunLeavesTheWorkBehind() {
    WindowUnderTest window(QStringLiteral("expiry"));
    const QString path = window.home(QStringLiteral("saved.lockrun"));
    window.key(Qt::Key_S, Qt::ControlModifier);
    answerDialog(window, QStringLiteral("saveDialog"), path);
    window->openLesson(QStringLiteral("stale-del"));
    window.lesson().addIntervention(kPause);
    window->findChild<Notes*>()->add({0, instantAt(seconds(1)), instantAt(seconds(1)), "worked on"});
    const QString first = window.lesson().commandLine();
    dropOn(window, path);
    QVERIFY(!window->isWindowModified());
    QVERIFY(window.text(QStringLiteral("noticeText")).startsWith(QStringLiteral("Your run of “4 · The old")));

    // What is unsaved when it comes back takes its place in turn, and nothing is lost in between.
    window.lesson().setKnob("work", KnobValue{seconds(25)});
    const QString second = window.lesson().commandLine();
    window.click(QStringLiteral("restoreButton"));
    QCOMPARE(window.lesson().commandLine(), first);
    QVERIFY(window.text(QStringLiteral("noticeText")).startsWith(QStringLiteral("Your changes to saved")));
    window.click(QStringLiteral("restoreButton"));
    QCOMPARE(window.lesson().commandLine(), second);
    window.click(QStringLiteral("discardButton"));
    QVERIFY(!window.sees(QStringLiteral("noticeBar")));
    QCOMPARE(unsavedFiles(window).size(), 1);

    // A run that is opened from the start is no reason not to offer it either.
    window.lesson().setKnob("work", KnobValue{seconds(24)});
    window.close();
    window.start(path);
    QVERIFY(window.sees(QStringLiteral("restoreButton")));
    window.click(QStringLiteral("restoreButton"));

    // An offer that nobody has answered stays over other lessons.
    window->openLesson(QStringLiteral("stale-del"));
    window->openLesson(QStringLiteral("toctou"));
    QVERIFY(window.sees(QStringLiteral("restoreButton")));
}

void RunDocumentTest::whatCannotBeReadIsKeptAside() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().addIntervention(kPause);
    window.close();
    const QString folder = window.home(QStringLiteral("unsaved/"));
    const QByteArray newer =
        bytesOf(folder + unsavedFiles(window).front()).replace("\"format\": 1", "\"format\": 9");
    write(folder + QStringLiteral("newer.lockrun"), newer);
    window.start(QStringLiteral("expiry"));
    QVERIFY(window.sees(QStringLiteral("restoreButton"))); // the other one is offered
    QVERIFY(window.text(QStringLiteral("toastText")).contains(QStringLiteral("newer.lockrun.unreadable")));
    QCOMPARE(bytesOf(folder + QStringLiteral("newer.lockrun.unreadable")), newer);
    window.click(QStringLiteral("discardButton"));
    window.start(QStringLiteral("expiry"));
    QVERIFY(!window.sees(QStringLiteral("toast"))); // told once
    QVERIFY(!window.sees(QStringLiteral("noticeBar")));
    QCOMPARE(bytesOf(folder + QStringLiteral("newer.lockrun.unreadable")), newer);
}

void RunDocumentTest::aSavedSeedOutlivesEveryChange() {
    Hand hand;
    RunFile file;
    file.lesson = "expiry";
    file.current.seed = 77;
    const QString path = hand.window.home(QStringLiteral("seed.lockrun"));
    write(path, QByteArray::fromStdString(formatRunFile(file)));
    hand.window->openRun(path);
    hand.window.lesson().liftVeil();
    hand.window.run().pause();
    const auto seed = [&] { return hand.window.run().scenario().seed; };
    QCOMPARE(seed(), std::uint64_t{77});
    hand.drag(hand.onDoes(0, 5), hand.onDoes(0, 9));
    QCOMPARE(hand.faults().size(), std::size_t{1});
    QCOMPARE(seed(), std::uint64_t{77});
    hand.key(Qt::Key_Right, Qt::ShiftModifier);
    hand.key(Qt::Key_Right, Qt::AltModifier);
    hand.key(Qt::Key_D, Qt::ControlModifier);
    hand.key(Qt::Key_Delete);
    QCOMPARE(seed(), std::uint64_t{77});
    while (hand.history().canUndo()) {
        hand.undo();
        QCOMPARE(seed(), std::uint64_t{77});
    }
    QVERIFY(!hand.window->isWindowModified());
}

/// A field takes less; but a name that was read can be as long as a run file holds, and then get a number.
void RunDocumentTest::aLongNameFitsIntoTheFile() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    RunFile file;
    file.lesson = "stale-del";
    const QString longest(1'000, QChar(0x00E9)); // two bytes each
    for (int i = 0; i < 2; ++i)
        file.kept.push_back({longest.toStdString(), 0, 1, {}, {}});
    const QString path = window.home(QStringLiteral("long.lockrun"));
    write(path, QByteArray::fromStdString(formatRunFile(file)));
    window->openRun(path);
    QCOMPARE(window->kept().name(0), longest);
    QVERIFY(window->kept().name(1).endsWith(QStringLiteral("\u00E9 (2)")));
    window->kept().keep(longest + longest);
    QCOMPARE(window->kept().rename(0, QStringLiteral("x") + longest), QString());
    QCOMPARE(window->kept().name(0), QStringLiteral("x") + longest.left(999));

    window.key(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!window->isWindowModified());
    const Result<RunFile> saved = readRunFile(path.toStdString());
    QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().message.c_str());
    QCOMPARE(saved->kept.size(), std::size_t{3});
}

void RunDocumentTest::aDragIsNoWorkBeforeItsEnd() {
    Hand hand;
    QSignalSpy told(hand.window->findChild<RunDocument*>(), &RunDocument::changed);
    hand.press(hand.onDoes(0, 12));
    for (const double second : {14, 17, 20})
        hand.move(hand.onDoes(0, second));
    QVERIFY(!hand.faults().empty());
    QCOMPARE(told.count(), 0);
    QVERIFY(!hand.window->isWindowModified());
    hand.release(hand.onDoes(0, 20));
    QVERIFY(told.count() > 0);
    QVERIFY(hand.window->isWindowModified());
}

/// While it lives no file can hold more than a few bytes, as on a full disk.
class FullDisk {
public:
    FullDisk() {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit few{16, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &few);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &m_before); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
};

void RunDocumentTest::whatCannotBeKeptIsNotDiscarded() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().addIntervention(kPause);
    const QString command = window.lesson().commandLine();
    window.close();
    window.start(QStringLiteral("expiry"));
    const QStringList left = unsavedFiles(window);
    QCOMPARE(left.size(), 1);
    const FullDisk full;
    window.click(QStringLiteral("restoreButton"));
    QCOMPARE(window.lesson().commandLine(), command);
    QCOMPARE(unsavedFiles(window), left);
    QVERIFY(window.text(QStringLiteral("noticeText")).contains(QStringLiteral("cannot be kept in")));
    // Nor does the window close over it without a word.
    window.close();
    QVERIFY(window->isVisible());
    window.click(QStringLiteral("closeAnywayButton"));
    QVERIFY(!window->isVisible());
    QCOMPARE(unsavedFiles(window), left);
}

void RunDocumentTest::noMoreIsKeptThanAFileHolds() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    RunFile file;
    file.lesson = "stale-del";
    for (std::size_t i = 0; i < kMostInRunFile; ++i)
        file.kept.push_back({"run " + std::to_string(i), 0, 1, {}, {}});
    const QString path = window.home(QStringLiteral("many.lockrun"));
    write(path, QByteArray::fromStdString(formatRunFile(file)));
    window->openRun(path);
    QCOMPARE(window->kept().count(), static_cast<int>(kMostInRunFile));
    window.key(Qt::Key_K, Qt::ControlModifier);
    window.key(Qt::Key_Return);
    QCOMPARE(window->kept().count(), static_cast<int>(kMostInRunFile));
    QVERIFY(
        window.text(QStringLiteral("toastText")).startsWith(QStringLiteral("1000 runs are kept already")));
    window.lesson().addIntervention(kPause);
    window.key(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!window->isWindowModified());
    QVERIFY(readRunFile(path.toStdString()).ok());
}

void RunDocumentTest::twoRunsOfOnesOwnAreSaved() {
    WindowUnderTest window(QStringLiteral("expiry"));
    window.lesson().addIntervention(kPause);
    window.lesson().next();
    window.lesson().addIntervention({InterventionKind::Kill, "Server B", instantAt(seconds(20)), {}});
    const auto here = window.lesson().interventions();
    const QString path = window.home(QStringLiteral("two.lockrun"));
    window.key(Qt::Key_S, Qt::ControlModifier);
    answerDialog(window, QStringLiteral("saveDialog"), path);
    QVERIFY(!window->isWindowModified());
    window->openLesson(QStringLiteral("stale-del"));
    window->openRun(path);
    QVERIFY(!window->isWindowModified());
    QVERIFY(window.lesson().interventions() == here);
    QVERIFY(window.sees(QStringLiteral("ownRunButton")));
    window.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(window.lesson().step(), 0);
    QVERIFY(window.lesson().interventions() == std::vector{kPause});
    window.click(QStringLiteral("ownRunButton"));
    QVERIFY(window.lesson().interventions() == here);
}

QTEST_MAIN(RunDocumentTest)
#include "run_document_test.moc"
