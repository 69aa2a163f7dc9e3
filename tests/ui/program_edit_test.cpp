// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Programs in the hands of a learner: typed at, broken, mended, stored, and put to the challenge.
#include <QClipboard>
#include <QComboBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextEdit>

#include <algorithm>

#include "core/lesson/run_file.h"
#include "tests/ui/window_fixture.h"
#include "ui/bridge/challenge_check.h"
#include "ui/bridge/progress.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"
#include "ui/panels/code_view.h"

using namespace lockscope;
using namespace lockscope::ui;
using namespace lockscope::test;

class ProgramEditTest : public QuietTest {
    Q_OBJECT

private:
    std::unique_ptr<WindowUnderTest> m_window;

    WindowUnderTest& window() { return *m_window; }
    CodeView& code() { return *window().child<CodeView>(QStringLiteral("codeView")); }
    ChallengeCheck& check() { return *window()->findChild<ChallengeCheck*>(); }
    QString problem() { return window().text(QStringLiteral("codeProblem")); }
    /// A step, without its question, and its program being edited.
    void edit(const char* lesson, int step = 0) {
        window()->openLesson(QLatin1String(lesson), step);
        if (window().lesson().openQuestion() != nullptr) window().lesson().liftVeil();
        window().run().pause();
        window().key(Qt::Key_E, Qt::ControlModifier);
        QVERIFY(window().sees(QStringLiteral("codeView")));
        QVERIFY(code().editing() && code().hasFocus());
    }
    void editChallenge(const char* lesson) {
        window()->openLesson(QLatin1String(lesson));
        edit(lesson, window().lesson().stepCount() - 1);
    }
    void type(const QString& text) { QTest::keyClicks(&code(), text); }
    /// Puts the cursor behind the first place where this stands.
    void goBehind(const QString& text) {
        QTextCursor cursor = code().document()->find(text);
        QVERIFY2(!cursor.isNull(), qPrintable(text));
        cursor.setPosition(cursor.selectionEnd());
        code().setTextCursor(cursor);
    }
    bool logs(const char* text) {
        const Trace& trace = *window().run().run()->trace;
        return std::any_of(trace.events.begin(), trace.events.end(), [&](const Event& e) {
            return e.kind == EventKind::Logged && trace.text(e.text) == text;
        });
    }
    std::string source() { return window().run().scenario().actors[0].program->source; }
    void waitForCheck() {
        if (!QTest::qWaitFor([&] { return check().state() != ChallengeCheck::State::Searching; }, 120'000))
            qFatal("the check goes on and on");
    }

private slots:
    void init() {
        QuietTest::init();
        m_window = std::make_unique<WindowUnderTest>(QStringLiteral("expiry"));
    }
    void cleanup() {
        m_window.reset();
        QuietTest::cleanup();
    }

    void theRunFollowsWhatIsTyped() {
        edit("expiry");
        const std::string before = source();
        const int lines = code().blockCount();
        code().moveCursor(QTextCursor::End);
        type(QStringLiteral("log(\"hello\")"));
        QTRY_VERIFY(logs("hello"));
        QCOMPARE(problem(), QString());
        QVERIFY(window().lesson().changedFromStep());

        // One more: both are one change of the run, whatever the editor makes of them.
        QTest::keyClick(&code(), Qt::Key_Return);
        QCOMPARE(code().blockCount(), lines + 1);
        type(QStringLiteral("log(\"again\")"));
        QTRY_VERIFY(logs("again"));
        QCOMPARE(window().lesson().history().count(), 1);

        // Undo of the run: the program is as it was, and the editor shows it.
        QTest::keyClick(&code(), Qt::Key_Escape);
        QVERIFY(!code().editing());
        window().key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!logs("hello"));
        QCOMPARE(source(), before);
        QCOMPARE(code().toPlainText().toStdString(), before);
        window().key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(logs("again"));
        QCOMPARE(code().toPlainText().toStdString(), source());
    }

    void undoInTheEditorIsTheEditors() {
        edit("expiry");
        const std::string before = source();
        code().moveCursor(QTextCursor::End);
        type(QStringLiteral("log(1)"));
        QTRY_VERIFY(source() != before);
        while (code().document()->isUndoAvailable())
            QTest::keyClick(&code(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(source(), before);
        QVERIFY(!window().lesson().changedFromStep());
    }

    void aBrokenProgramKeepsTheLastRunAndItsText() {
        edit("expiry");
        const auto shown = window().run().run();
        code().moveCursor(QTextCursor::End);
        QTest::keyClick(&code(), Qt::Key_Return);
        type(QStringLiteral("work(("));
        QTRY_VERIFY(!problem().isEmpty());
        QVERIFY2(problem().startsWith(QLatin1String("Line ")), qPrintable(problem()));
        QVERIFY(code().wrongLine() > 0);
        QVERIFY(window().run().run() == shown);
        QVERIFY(code().toPlainText().endsWith(QLatin1String("work((")));

        // It waits where it was, while one is elsewhere.
        QTest::keyClick(&code(), Qt::Key_Escape);
        window().key(Qt::Key_PageDown);
        QVERIFY(!code().toPlainText().endsWith(QLatin1String("work((")));
        QCOMPARE(problem(), QString());
        window().key(Qt::Key_PageUp);
        window().key(Qt::Key_2, Qt::ControlModifier);
        QVERIFY(code().toPlainText().endsWith(QLatin1String("work((")));
        QTRY_VERIFY(!problem().isEmpty());

        window().key(Qt::Key_E, Qt::ControlModifier);
        code().moveCursor(QTextCursor::End);
        for (int i = 0; i < 6; ++i)
            QTest::keyClick(&code(), Qt::Key_Backspace);
        QTRY_COMPARE(problem(), QString());
        QCOMPARE(code().wrongLine(), 0);
    }

    void aProgramWithoutAnEndIsRefused() {
        edit("expiry");
        const auto shown = window().run().run();
        code().moveCursor(QTextCursor::Start);
        type(QStringLiteral("while true do end "));
        QTRY_VERIFY_WITH_TIMEOUT(problem().contains(QLatin1String("steps")), 60'000);
        QVERIFY(window().run().run() == shown);
    }

    void anErrorOfTheRunIsShownAtItsLine() {
        edit("expiry");
        code().moveCursor(QTextCursor::Start);
        type(QStringLiteral("nothing()"));
        QTest::keyClick(&code(), Qt::Key_Return);
        QTRY_VERIFY(problem().contains(QLatin1String("nothing")));
        QVERIFY2(problem().contains(QLatin1String("stops at")), qPrintable(problem()));
        QCOMPARE(code().lineText(code().wrongLine()), QStringLiteral("nothing()"));
    }

    void whatTypesIsText() {
        edit("expiry");
        const int step = window().lesson().step();
        code().moveCursor(QTextCursor::Start);
        type(QStringLiteral("--  pkxdnrs []"));
        for (const Qt::Key key :
             {Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End, Qt::Key_PageDown, Qt::Key_PageUp})
            QTest::keyClick(&code(), key);
        QTest::keyClick(&code(), Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(&code(), Qt::Key_P, Qt::ShiftModifier);
        QVERIFY(!window().run().playing());
        QVERIFY(window().lesson().interventions().empty());
        QCOMPARE(window().lesson().step(), step);
        QVERIFY(code().toPlainText().contains(QLatin1String("pkxdnrs []")));
    }

    void changesAreLaidOverTheOriginal() {
        edit("expiry");
        goBehind(QStringLiteral("uuid()"));
        type(QStringLiteral(" .. actor"));
        QTRY_VERIFY(window().lesson().changedFromStep());
        window().click(QStringLiteral("codeChanges"));
        const QStringList lines =
            window().child<QPlainTextEdit>(QStringLiteral("codeDifference"))->toPlainText().split('\n');
        QVERIFY(window().sees(QStringLiteral("codeDifference")));
        QCOMPARE(lines.filter(QRegularExpression(QStringLiteral("^\\+ .*uuid\\(\\) \\.\\. actor"))).size(),
                 1);
        QCOMPARE(lines.filter(QRegularExpression(QStringLiteral("^\u2212 .*uuid\\(\\)"))).size(), 1);
        QCOMPARE(lines.filter(QRegularExpression(QStringLiteral("^[+\u2212]"))).size(), 2);

        window().click(QStringLiteral("codeReset"));
        QVERIFY(!window().lesson().changedFromStep());
        window().key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(window().lesson().changedFromStep());
    }

    void anEditedProgramIsSavedAndComesBack() {
        edit("expiry");
        code().moveCursor(QTextCursor::End);
        type(QStringLiteral("log(\"kept\")"));
        // Stored before the pause after the last key is over.
        window().key(Qt::Key_S, Qt::ControlModifier);
        const QString file = window().home(QStringLiteral("mine.lockrun"));
        answerDialog(window(), QStringLiteral("saveDialog"), file);
        QVERIFY(QFile::exists(file));
        window().start();
        QVERIFY(!logs("kept"));
        window()->openRun(file);
        QVERIFY(logs("kept"));
        QVERIFY(code().toPlainText().contains(QLatin1String("log(\"kept\")")) || !code().isVisible());
    }

    void theCommandLineNamesAFileWithTheProgram() {
        edit("expiry");
        code().moveCursor(QTextCursor::End);
        type(QStringLiteral("log(\"copied\")"));
        window().key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString line = QApplication::clipboard()->text();
        QVERIFY2(line.startsWith(QLatin1String("lockscope run ")), qPrintable(line));
        QVERIFY2(line.endsWith(QLatin1String(".lockrun")), qPrintable(line));
        const Result<RunFile> written = readRunFile(line.mid(14).toStdString());
        QVERIFY(written.ok());
        QCOMPARE(written->current.programs.size(), std::size_t{1});
        QVERIFY(written->current.programs[0].source.find("copied") != std::string::npos);
    }

    void theCheckFindsWhatBreaksAndPlaysIt() {
        editChallenge("stale-del");
        QTest::keyClick(&code(), Qt::Key_Escape);
        QVERIFY(window().child<QWidget>(QStringLiteral("challengeCard"))->isVisible());
        QVERIFY(window()
                    .text(QStringLiteral("challengeTerms"))
                    .contains(QLatin1String("Deleted another's lock")));
        window().key(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        waitForCheck();
        const QString status = window().text(QStringLiteral("challengeStatus"));
        QVERIFY2(status.startsWith(QLatin1String("Deleted another's lock. Found after")), qPrintable(status));
        QCOMPARE(window().lesson().interventions().size(), std::size_t{1});
        const auto& broken = window().run().run()->violations;
        QVERIFY(std::any_of(broken.begin(), broken.end(),
                            [](const Violation& v) { return v.invariant == Invariant::ForeignDelete; }));
        window().key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(window().lesson().interventions().empty());
    }

    void hintsLeadToASolutionAndThatPasses() {
        editChallenge("unknown-outcome");
        QTest::keyClick(&code(), Qt::Key_Escape);
        const auto* hints = window().child<QTextEdit>(QStringLiteral("challengeHints"));
        QVERIFY(!hints->isVisible());
        const Challenge& challenge = *check().challenge();
        for (std::size_t i = 0; i < challenge.hints.size(); ++i)
            window().key(Qt::Key_H, Qt::ControlModifier);
        QVERIFY(hints->toPlainText().contains(QLatin1String("recognise its own token")));
        QCOMPARE(window().child<QPushButton>(QStringLiteral("challengeHelp"))->text(),
                 QStringLiteral("A solution"));
        window().click(QStringLiteral("challengeHelp"));
        QCOMPARE(source(), challenge.solution[0]->source);
        window().click(QStringLiteral("challengeGo"));
        waitForCheck();
        const QString status = window().text(QStringLiteral("challengeStatus"));
        QVERIFY2(status.startsWith(QLatin1String("Passed. 3 of 3")), qPrintable(status));
        QVERIFY2(status.contains(QLatin1String("Not broken in")), qPrintable(status));

        // A verdict is about the program it was given on.
        window().key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(window()
                    .text(QStringLiteral("challengeStatus"))
                    .endsWith(QLatin1String("The program has been changed since.")));
    }

    void whatIsPassedIsRemembered() {
        editChallenge("unknown-outcome");
        const Lesson& lesson = *window().lesson().lesson();
        const Step& step = *window().lesson().currentStep();
        const auto passed = [&] { return window().lesson().progress().passed(qstr(lesson.id), step); };
        const std::string name = step.challenge->solution[0]->name;
        const std::string solution = step.challenge->solution[0]->source;
        // What the lesson has shown is nobody's achievement.
        QVERIFY(window().lesson().setProgram(name, solution).isEmpty());
        check().start();
        waitForCheck();
        QVERIFY(check().result()->passed());
        QVERIFY(!passed());
        QVERIFY(window().lesson().setProgram(name, solution + "-- as I see it\n").isEmpty());
        check().start();
        waitForCheck();
        QVERIFY(check().result()->passed());
        QVERIFY(passed());

        // It stands in the summary, which leads there, and in the list; being asked again leaves it.
        window().lesson().next();
        window().settle();
        const QString card = QStringLiteral("summaryChallenge%1").arg(window().lesson().stepCount());
        QVERIFY2(window().text(card + QStringLiteral("Caption")).contains(QLatin1String("passed, with")),
                 qPrintable(window().text(card + QStringLiteral("Caption"))));
        const auto* picker = window().child<QComboBox>(QStringLiteral("lessonPicker"));
        QVERIFY(picker->itemData(picker->currentIndex(), Qt::AccessibleTextRole)
                    .toString()
                    .endsWith(QLatin1String("challenge passed")));
        window().click(card + QStringLiteral("See"));
        QVERIFY(check().challenge() != nullptr);
        window().lesson().progress().askAgain(qstr(lesson.id));
        QVERIFY(passed());
        window().lesson().progress().forget(qstr(lesson.id));
        QVERIFY(!passed());
    }

    void aChangedProgramEndsACheck() {
        editChallenge("toctou");
        window().click(QStringLiteral("challengeGo"));
        QVERIFY(check().state() == ChallengeCheck::State::Searching);
        code().setFocus();
        code().moveCursor(QTextCursor::End);
        window().lesson().setProgram("server", "log(1)\n");
        QVERIFY(check().state() == ChallengeCheck::State::Changed);
        QVERIFY(window().text(QStringLiteral("challengeStatus")).contains(QLatin1String("was changed")));
    }

    void theProgramIsReadInAnotherLanguage() {
        window()->openLesson(QStringLiteral("stale-del"), 2);
        window().lesson().liftVeil();
        window().run().pause();
        window().key(Qt::Key_2, Qt::ControlModifier);
        const auto* told = window().child<CodeView>(QStringLiteral("codeTold"));
        QVERIFY(!told->isVisible());
        window().key(Qt::Key_L, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(told->isVisible());
        QVERIFY(told->toPlainText().contains(QLatin1String("import Redis from \"ioredis\"")));
        // The line that Server A is at in Lua is marked here too: at 10 s it works.
        window().run().setPlayhead(instantAt(seconds(10)));
        QCOMPARE(told->actorLines().size(), std::size_t{1});
        QVERIFY2(told->lineText(told->actorLines().begin()->first).contains(QLatin1String("@hold")),
                 qPrintable(told->lineText(told->actorLines().begin()->first)));
        // And its DEL.
        window().run().setPlayhead(instantAt(millis(45'202)));
        QVERIFY2(told->lineText(told->actorLines().begin()->first).contains(QLatin1String("redis.del(lock)")),
                 qPrintable(told->lineText(told->actorLines().begin()->first)));
        window().key(Qt::Key_L, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(told->toPlainText().contains(QLatin1String("import redis")));

        // It is remembered.
        window().close();
        window().start(QStringLiteral("stale-del"));
        window().key(Qt::Key_2, Qt::ControlModifier);
        QVERIFY(window().child<CodeView>(QStringLiteral("codeTold"))->isVisible());
        // What is edited is the Lua, and what was edited is told by nobody.
        window().key(Qt::Key_E, Qt::ControlModifier);
        QVERIFY(code().isVisible() && code().editing());
        code().moveCursor(QTextCursor::End);
        type(QStringLiteral("log(1)"));
        QTest::keyClick(&code(), Qt::Key_Escape);
        QTRY_VERIFY(window().lesson().changedFromStep());
        QVERIFY(code().isVisible());
    }

    void theSpeakersNotesAreShownOnDemand() {
        window()->openLesson(QStringLiteral("stale-del"));
        QVERIFY(!window().sees(QStringLiteral("speakerNotes")));
        window().key(Qt::Key_N, Qt::ShiftModifier);
        QVERIFY(window().child<QTextEdit>(QStringLiteral("speakerNotes"))->isVisible());
        QVERIFY(window()
                    .child<QTextEdit>(QStringLiteral("speakerNotes"))
                    ->toPlainText()
                    .contains(QLatin1String("ask in the same millisecond")));
        window().key(Qt::Key_N, Qt::ShiftModifier);
        QVERIFY(!window().child<QTextEdit>(QStringLiteral("speakerNotes"))->isVisible());
        window().start(QStringLiteral("stale-del"));
        QVERIFY(!window().child<QTextEdit>(QStringLiteral("speakerNotes"))->isVisible());
    }
};

QTEST_MAIN(ProgramEditTest)
#include "program_edit_test.moc"
