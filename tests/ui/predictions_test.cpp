// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Predict, then see: by real keys and clicks, from the question to the summary and over a restart.
#include <QAbstractButton>
#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>

#include "tests/ui/window_fixture.h"
#include "ui/panels/progress_delegate.h"
#include "ui/timeline/canvas.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::test::QuietTest;
using lockscope::test::WindowUnderTest;

namespace {

constexpr Qt::Key kOptionKeys[] = {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5, Qt::Key_6};

QString pickerWords(WindowUnderTest& window, const QString& path) {
    auto* picker = window.child<QComboBox>(QStringLiteral("lessonPicker"));
    return picker->itemData(picker->findData(path), ProgressDelegate::kWordRole).toString();
}

/// To the next step that asks something. False if there is none.
bool toNextQuestion(WindowUnderTest& window) {
    while (window.lesson().openQuestion() == nullptr && !window.lesson().atSummary())
        window.key(Qt::Key_PageDown);
    return !window.lesson().atSummary();
}

} // namespace

class PredictionsTest : public QuietTest {
    Q_OBJECT
private slots:
    void sureAndWrongComesFirst();
    void whatCanBeChosenIsSeen();
    void lettersAnswerWhileAQuestionIsOpen();
    void afterTheRevealTheLightsAgree();
    void howSureNeedNotBeSaid();
    void theHostLiftsTheVeil();
    void progressOutlivesTheWindow();
    void anAnswerGoesWithItsQuestion();
    void askAgain();
    void twoWindowsKeepBothAnswers();
    void aDamagedFileIsPutAside();
    void aQuestionBelowTheFoldIsPointedAt();
    void myRunLeavesTheSummary();
    void faultsBehindTheVeilAreNotNamed();
};

/// The ring before an answer stands out from what it lies on, in light and dark.
void PredictionsTest::whatCanBeChosenIsSeen() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    QVERIFY(toNextQuestion(window));
    for (const bool dark : {false, true}) {
        window->look().setDark(dark);
        WindowUnderTest::settle();
        auto* choice = window.child<QAbstractButton>(QStringLiteral("confidenceGuess"));
        const QImage picture = choice->grab().toImage();
        const int ground = window->look().color(Role::Window).lightness();
        int outstanding = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < 16; ++x)
                outstanding += std::abs(picture.pixelColor(x, y).lightness() - ground) > 60 ? 1 : 0;
        QVERIFY2(outstanding > 20, qPrintable(QStringLiteral("%1, dark %2").arg(outstanding).arg(dark)));
    }
}

/// A deletes the lock otherwise.
void PredictionsTest::lettersAnswerWhileAQuestionIsOpen() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    QVERIFY(toNextQuestion(window));
    window->findChild<TimelineCanvas*>()->setFocus();
    window.key(Qt::Key_Return); // nothing is chosen yet
    QVERIFY(window.lesson().openQuestion() != nullptr);
    window.key(Qt::Key_B);
    window.key(Qt::Key_A);
    QVERIFY(window.lesson().interventions() == window.lesson().currentStep()->interventions);
    QVERIFY(window.child<QAbstractButton>(QStringLiteral("optionA"))->isChecked());
    window.key(Qt::Key_Return);
    QVERIFY(window.lesson().openQuestion() == nullptr);
    QCOMPARE(window.lesson().answer()->option, 0);
    const auto faults = window.lesson().interventions().size();
    window.key(Qt::Key_A); // and it does again what it did before
    QCOMPARE(window.lesson().interventions().size(), faults + 1);
    QCOMPARE(window.lesson().interventions().back().kind, InterventionKind::Admin);
}

/// What the answer names has happened where the playhead stops.
void PredictionsTest::afterTheRevealTheLightsAgree() {
    for (const char* lesson : {"expiry", "stale-del"}) {
        WindowUnderTest window(QString::fromLatin1(lesson));
        while (toNextQuestion(window)) {
            window.key(Qt::Key_R);
            window.run().setSpeed(100);
            QTRY_VERIFY(!window.run().playing());
            const auto& violations = window.run().run()->violations;
            if (!violations.empty()) QVERIFY(window.run().playhead() >= violations.back().at);
            const Instant shown = std::min(window.run().end(), window.lesson().currentStep()->viewUntil);
            QVERIFY(window.run().playhead() <= shown);
            window.key(Qt::Key_PageDown);
        }
    }
}

/// The first question is answered wrongly and for certain, the others rightly, as a guess.
void PredictionsTest::sureAndWrongComesFirst() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    int asked = 0, surpriseStep = -1;
    QString surprise;
    while (toNextQuestion(window)) {
        const Prediction question = *window.lesson().openQuestion();
        const int right = rightOption(question);
        const bool wrongly = asked == 1;
        const int given = wrongly ? (right == 0 ? 1 : 0) : right;
        window.key(kOptionKeys[given], Qt::AltModifier);
        QVERIFY(window.sees(QStringLiteral("confidence"))); // also where the text is longer than the panel
        window.key(wrongly ? Qt::Key_9 : Qt::Key_7, Qt::AltModifier);
        window.key(Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(window.lesson().answer()->option, given);
        QCOMPARE(window.lesson().answer()->confidence, wrongly ? Confidence::Certain : Confidence::Guess);
        QVERIFY(!window.sees(QStringLiteral("confidence")));
        const QString verdict = window.text(QStringLiteral("predictionVerdict"));
        const auto text = [&](int option) {
            return qstr(question.options[static_cast<std::size_t>(option)].text);
        };
        if (wrongly) {
            surpriseStep = window.lesson().step();
            surprise = QStringLiteral("You said “%1” · certain · it was “%2”").arg(text(given), text(right));
            QCOMPARE(verdict, surprise);
        } else {
            QCOMPARE(verdict, QStringLiteral("You said “%1” · guess · and so it was").arg(text(given)));
        }
        ++asked;
        window.key(Qt::Key_Escape);
        window.key(Qt::Key_PageDown);
    }
    QVERIFY(asked >= 2);
    QVERIFY(window.sees(QStringLiteral("summary")));
    QVERIFY(!window.sees(QStringLiteral("proseView")));
    QVERIFY(!window.sees(QStringLiteral("predictionCard")));
    QCOMPARE(window.child<QScrollArea>(QStringLiteral("lessonScroll"))->verticalScrollBar()->value(), 0);
    QCOMPARE(window.text(QStringLiteral("summaryCount")),
             QStringLiteral("%1 of %1 answered, %2 right.").arg(asked).arg(asked - 1));
    const QString card = QStringLiteral("summaryStep%1").arg(surpriseStep + 1);
    QCOMPARE(window.text(card + QStringLiteral("Verdict")), surprise);
    QVERIFY(window.text(card + QStringLiteral("Caption")).contains(QStringLiteral("otherwise")));
    const auto top = [&](const QString& name) {
        return window.child(name)->mapTo(window.child(QStringLiteral("summary")), QPoint()).y();
    };
    QVERIFY(top(QStringLiteral("summarySurprises")) < top(card));
    QVERIFY(top(card) < top(QStringLiteral("summaryOthers")));

    // Back to what surprised, by its button; then to the summary again and on to the next lesson.
    window.click(card + QStringLiteral("See"));
    QCOMPARE(window.lesson().step(), surpriseStep);
    QVERIFY(!window.sees(QStringLiteral("summary")));
    while (!window.lesson().atSummary())
        window.key(Qt::Key_PageDown);
    window.key(Qt::Key_PageUp);
    QCOMPARE(window.lesson().step(), window.lesson().stepCount() - 1);
    QVERIFY(window.sees(QStringLiteral("proseView")));
    window.key(Qt::Key_PageDown);
    const QString before = window.lesson().path();
    QCOMPARE(window.text(QStringLiteral("nextButton")), QStringLiteral("Next lesson"));
    window.click(QStringLiteral("nextButton"));
    QVERIFY(window.lesson().path() != before);
    QCOMPARE(window.text(QStringLiteral("nextButton")), QStringLiteral("Next"));
    QCOMPARE(window.lesson().step(), 0);
    QVERIFY(!window.sees(QStringLiteral("summary")));
}

void PredictionsTest::howSureNeedNotBeSaid() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    QVERIFY(toNextQuestion(window));
    // The same key again takes it back.
    window.key(Qt::Key_8, Qt::AltModifier);
    QVERIFY(window.child<QAbstractButton>(QStringLiteral("confidenceFair"))->isChecked());
    window.key(Qt::Key_8, Qt::AltModifier);
    QVERIFY(!window.child<QAbstractButton>(QStringLiteral("confidenceFair"))->isChecked());
    window.click(QStringLiteral("confidenceGuess"));
    window.click(QStringLiteral("confidenceCertain"));
    QVERIFY(!window.child<QAbstractButton>(QStringLiteral("confidenceGuess"))->isChecked());
    QVERIFY(!window.child(QStringLiteral("checkButton"))->isEnabled()); // being sure is no answer
    window.key(Qt::Key_9, Qt::AltModifier);
    window.click(QStringLiteral("optionA"));
    window.click(QStringLiteral("checkButton"));
    QCOMPARE(*window.lesson().answer(), (Answer{0, Confidence::Unsaid}));
    QVERIFY(!window.text(QStringLiteral("predictionVerdict")).contains(QStringLiteral("certain")));
}

void PredictionsTest::theHostLiftsTheVeil() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    QVERIFY(toNextQuestion(window));
    const Prediction question = *window.lesson().openQuestion();
    const int step = window.lesson().step();
    window.key(Qt::Key_R);
    QVERIFY(window.lesson().answer()->lifted());
    QCOMPARE(window.run().veil(), kNever);
    QCOMPARE(window.text(QStringLiteral("predictionVerdict")),
             QStringLiteral("The veil was lifted without an answer · it was “%1”")
                 .arg(qstr(question.options[static_cast<std::size_t>(rightOption(question))].text)));
    while (!window.lesson().atSummary())
        window.key(Qt::Key_PageDown);
    QVERIFY(window.text(QStringLiteral("summaryCount")).contains(QStringLiteral("None of ")));
    QVERIFY(window.text(QStringLiteral("summaryStep%1Caption").arg(step + 1))
                .contains(QStringLiteral("veil lifted")));
}

void PredictionsTest::progressOutlivesTheWindow() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    const QString path = window.lesson().path();
    const int steps = window.lesson().stepCount();
    QCOMPARE(pickerWords(window, path), QStringLiteral("step 1 of %1").arg(steps));
    QVERIFY(pickerWords(window,
                        QFileInfo(WindowUnderTest::lessons() + QStringLiteral("/fencing.md")).filePath()) ==
            QStringLiteral("not begun"));
    QVERIFY(toNextQuestion(window));
    const int step = window.lesson().step();
    window.key(kOptionKeys[rightOption(*window.lesson().openQuestion())], Qt::AltModifier);
    window.key(Qt::Key_Return, Qt::ControlModifier);
    const std::optional<Answer> given = window.lesson().answer();
    window.close();

    window.start(QStringLiteral("stale-del"), QSize(1920, 1080));
    QCOMPARE(pickerWords(window, path), QStringLiteral("step %1 of %2").arg(step + 1).arg(steps));
    window.lesson().goTo(step);
    QVERIFY(window.lesson().answer() == given);
    QCOMPARE(window.run().veil(), kNever);
    while (!window.lesson().atSummary())
        window.key(Qt::Key_PageDown);
    QVERIFY(pickerWords(window, path).startsWith(QStringLiteral("done · 1 of ")));
}

/// The text of a question changes in the file: what was answered to the old one is no answer to the new one.
void PredictionsTest::anAnswerGoesWithItsQuestion() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    QVERIFY(toNextQuestion(window));
    const int step = window.lesson().step();
    window.key(Qt::Key_1, Qt::AltModifier);
    window.key(Qt::Key_Return, Qt::ControlModifier);
    Lesson other = *window.lesson().lesson();
    window.lesson().open(other, step);
    QVERIFY(window.lesson().answer().has_value());
    other.steps[static_cast<std::size_t>(step)].predictions.front().question += " Really?";
    window.lesson().open(other, step);
    QVERIFY(!window.lesson().answer().has_value());
    QVERIFY(window.run().veil() != kNever);
}

void PredictionsTest::askAgain() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    QVERIFY(toNextQuestion(window));
    const int step = window.lesson().step();
    const Instant gate = window.lesson().openQuestion()->gate;
    window.key(Qt::Key_2, Qt::AltModifier);
    window.key(Qt::Key_8, Qt::AltModifier);
    window.key(Qt::Key_Return, Qt::ControlModifier);
    window.key(Qt::Key_End);
    QVERIFY(window.run().playhead() > gate);

    // Forgotten where one stands: the veil comes back, nothing is chosen, the playhead is before it.
    window->findChild<QAction*>(QStringLiteral("actionForget"))->trigger();
    QCOMPARE(window.run().veil(), gate);
    QVERIFY(window.run().playhead() <= gate);
    QVERIFY(!window.child<QAbstractButton>(QStringLiteral("optionB"))->isChecked());
    QVERIFY(!window.child<QAbstractButton>(QStringLiteral("confidenceFair"))->isChecked());
    QVERIFY(!window.sees(QStringLiteral("predictionVerdict")));
    window.click(QStringLiteral("toastButton")); // Undo
    QCOMPARE(window.run().veil(), kNever);
    QVERIFY(window.sees(QStringLiteral("predictionVerdict")));

    while (!window.lesson().atSummary())
        window.key(Qt::Key_PageDown);
    window.click(QStringLiteral("askAgainButton"));
    QCOMPARE(window.lesson().step(), 0);
    QVERIFY(!window.lesson().atSummary());
    QVERIFY(!window.lesson().answerIn(step).has_value());
}

void PredictionsTest::twoWindowsKeepBothAnswers() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("progress.json"));
    Progress one, two;
    one.keepIn(file);
    two.keepIn(file);
    Step step;
    step.title = "s";
    step.predictions.push_back({"q", {{"a", true, {}}, {"b", false, {}}}, {}, {}, 0});
    one.setAnswer(QStringLiteral("first"), step, {1, Confidence::Fair});
    two.setAnswer(QStringLiteral("second"), step, {0, Confidence::Unsaid});
    Progress later;
    later.keepIn(file);
    QVERIFY(later.answer(QStringLiteral("first"), step) == (Answer{1, Confidence::Fair}));
    QVERIFY(later.answer(QStringLiteral("second"), step) == (Answer{0, Confidence::Unsaid}));
}

void PredictionsTest::aDamagedFileIsPutAside() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("progress.json"));
    QFile damaged(file);
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write("{\"file\": \"lockscope-pro");
    damaged.close();
    Progress progress;
    progress.keepIn(file);
    QVERIFY(progress.everything().isEmpty());
    QVERIFY(QFile::exists(file + QStringLiteral(".damaged")));
    progress.setFinished(QStringLiteral("x"));
    Progress later;
    later.keepIn(file);
    QVERIFY(later.of(QStringLiteral("x")).finished);
}

/// Nobody need know that there is more to scroll to; and where play stops before the veil, it comes by
/// itself.
void PredictionsTest::aQuestionBelowTheFoldIsPointedAt() {
    const QString pointer = QStringLiteral("toQuestionButton"), question = QStringLiteral("question");
    WindowUnderTest window(QStringLiteral("acquire"));
    QVERIFY(window.lesson().openQuestion() != nullptr);
    for (int height = 720; height > 600 && window.sees(question); height -= 10) { // however long the text is
        window->resize(1280, height);
        WindowUnderTest::settle();
    }
    QVERIFY(!window.sees(question));
    QVERIFY(window.sees(pointer));
    window.click(pointer);
    QVERIFY(window.sees(question));
    QVERIFY(!window.sees(pointer));
    QVERIFY(window.child(QStringLiteral("optionA"))->hasFocus());

    window.key(Qt::Key_PageDown);
    window.key(Qt::Key_PageUp);
    QVERIFY(window.sees(pointer));
    window.run().setSpeed(8);
    window.key(Qt::Key_Space);
    QTRY_VERIFY(!window.run().playing());
    QVERIFY(window.sees(question));
    QVERIFY(!window.sees(pointer));
    window.key(Qt::Key_R);
    QVERIFY(!window.sees(pointer));

    // Also where its first lines can be seen and what there is to choose cannot.
    window->openLesson(QStringLiteral("expiry"), 3);
    for (int height = 720; height > 480 && window.sees(QStringLiteral("optionA")); height -= 10) {
        window->resize(1280, height);
        WindowUnderTest::settle();
    }
    QVERIFY(window.sees(question));
    QVERIFY(!window.sees(QStringLiteral("optionA")));
    QVERIFY(window.sees(pointer));
    window.click(pointer);
    QVERIFY(window.sees(QStringLiteral("optionA")));
}

void PredictionsTest::myRunLeavesTheSummary() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().addIntervention(
        {InterventionKind::Pause, "Server A", instantAt(seconds(12)), seconds(25)});
    const QString mine = window.lesson().commandLine();
    while (!window.lesson().atSummary())
        window.key(Qt::Key_PageDown);
    window.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!window.lesson().atSummary());
    QVERIFY(!window.sees(QStringLiteral("summary")));
    QCOMPARE(window.lesson().step(), 0);
    QCOMPARE(window.lesson().commandLine(), mine);
}

/// Neither in words that can be seen nor in those that are read out.
void PredictionsTest::faultsBehindTheVeilAreNotNamed() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.lesson().liftVeil();
    window.run().pause();
    for (const int s : {5, 12})
        window.lesson().addIntervention(
            {InterventionKind::Pause, "Server A", instantAt(seconds(s)), seconds(2)});
    window.run().select({Selection::Kind::Intervention, 1});
    window.run().setVeil(instantAt(seconds(8)));
    QVERIFY(window.sees(QStringLiteral("fault1")));
    QVERIFY(!window.sees(QStringLiteral("fault2")));
    QVERIFY(window.run().selection() == Selection{});
    for (const QWidget* each : window->findChildren<QWidget*>())
        for (const QString& text : {each->accessibleName(), each->accessibleDescription(),
                                    each->property("text").toString(), each->toolTip()})
            QVERIFY2(!text.contains(QStringLiteral("at 12.0 s")), qPrintable(each->objectName()));
    window.run().setVeil(kNever);
    QVERIFY(window.sees(QStringLiteral("fault2")));
}

QTEST_MAIN(PredictionsTest)
#include "predictions_test.moc"
