// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/lesson/lesson.h"
#include "core/lesson/programs.h"
#include "tests/lesson/sample_lesson.h"

using namespace lockscope;

namespace {

/// The sample with a third step, and whatever stands under it.
std::string sampleAnd(const std::string& end) {
    return std::string(kSample) + "\n## Third\n\nMend it.\n\n" + end;
}

constexpr auto kChallenge = "```step\nchallenge:\n  never: foreign-delete\nhints: [One, Two]\n```\n";
constexpr auto kStart = "```lua worker start\nwork(\"Job\", 1)\n```\n";
constexpr auto kSolution = "```lua worker solution\nwork(\"Job\", 2)\n```\n";

} // namespace

/// Challenges, programs of a step, and programs told in other languages, as a lesson file gives them.
class CourseParts : public QObject {
    Q_OBJECT
private slots:
    void aChallengeIsRead();
    void aStepsOwnProgramRunsInThatStepOnly();
    void labelsTieLines();
    void errorsNameTheirPlace_data();
    void errorsNameTheirPlace();
};

void CourseParts::aChallengeIsRead() {
    const Result<Lesson> lesson =
        parseLesson(sampleAnd(std::string(kChallenge) + kStart + kSolution), "x.md");
    QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
    const Step& step = lesson->steps.back();
    QVERIFY(step.challenge.has_value());
    QCOMPARE(step.challenge->never, std::vector<Invariant>{Invariant::ForeignDelete});
    QCOMPARE(step.challenge->done, 2); // each of the two actors, unless the lesson says otherwise
    QCOMPARE(step.challenge->despite, 1);
    QCOMPARE(step.challenge->hints, (std::vector<std::string>{"One", "Two"}));
    QCOMPARE(step.challenge->solution.at(0)->source, std::string("work(\"Job\", 2)\n"));
    QVERIFY(!lesson->steps.front().challenge.has_value());
    // Neither the start nor the solution is shown as prose.
    QCOMPARE(step.prose, std::string("Mend it.\n"));

    const Result<ChallengePlan> plan = challengePlanOf(*lesson, step, step.challenge->solution);
    QVERIFY(plan.ok());
    QCOMPARE(plan->scenario.actors[0].program->source, std::string("work(\"Job\", 2)\n"));
    QCOMPARE(plan->original.actors[0].program->source, std::string("work(\"Job\", 1)\n"));
}

void CourseParts::aStepsOwnProgramRunsInThatStepOnly() {
    const Result<Lesson> lesson =
        parseLesson(sampleAnd(std::string(kChallenge) + kStart + kSolution), "x.md");
    QVERIFY(lesson.ok());
    QCOMPARE(makeScenario(*lesson, lesson->steps[0])->actors[0].program, lesson->programs[0]);
    const Result<Scenario> own = makeScenario(*lesson, lesson->steps[2]);
    QCOMPARE(own->actors[0].program, lesson->steps[2].programs[0]);
    QCOMPARE(own->actors[1].program, lesson->steps[2].programs[0]);

    // Another text in its place, back again, and back to the lesson's own.
    const Step& step = lesson->steps[2];
    Programs edited = withText(*lesson, step, step.programs, "worker", "log(1)\n");
    QVERIFY(!samePrograms(edited, step.programs));
    edited = withText(*lesson, step, edited, "worker", step.programs[0]->source);
    QVERIFY(edited == step.programs);
    QVERIFY(withText(*lesson, step, edited, "worker", lesson->programs[0]->source).empty());
}

void CourseParts::labelsTieLines() {
    const Program program{"p",
                          "-- first\n"
                          "local token = uuid()\n"
                          "redis.call(\"SET\") -- once @ask\n"
                          "enter(lock)\n"
                          "work(\"Job\", 1)   -- @work\n",
                          "x.md", 10};
    const Translation told{"p", "js", "await ask(); // @ask\n// then\nawait job(); // @work\n", 30};
    QVERIFY(checkLabels(program, told).ok());
    QCOMPARE(translatedLine(program, told, 2), 0); // above all labels
    QCOMPARE(translatedLine(program, told, 3), 1);
    QCOMPARE(translatedLine(program, told, 4), 1); // up to the next one
    QCOMPARE(translatedLine(program, told, 5), 3);
    // A mail address in a text is no label.
    QVERIFY(labelsIn("x = \"me@home\"\n", "#", 1)->empty());
}

void CourseParts::errorsNameTheirPlace_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const int end = static_cast<int>(std::count(kSample.begin(), kSample.end(), '\n')) + 5;
    const auto row = [&](const char* name, const std::string& text, int line, const char* message) {
        QTest::newRow(name) << QString::fromStdString(text)
                            << QStringLiteral("x.md:%1: %2").arg(end + line).arg(QLatin1String(message));
    };
    row("no solution", sampleAnd(kChallenge), 3,
        "challenge: a ```lua NAME solution block shows that it can be met");
    row("no challenge", sampleAnd(kSolution), 1, "a solution belongs to a step with a 'challenge'");
    row("hints alone", sampleAnd("```step\nhints: [One]\n```\n"), 2, "hints: they belong to a 'challenge'");
    row("unknown program", sampleAnd("```lua nobody start\n```\n"), 1,
        "there is no program 'nobody' that this could stand in for");
    row("a start that does not compile", sampleAnd("```lua worker start\nwork(\n```\n"), 3,
        "unexpected symbol near '<eof>'");
    row("unknown use", sampleAnd("```lua worker ending\n```\n"), 1,
        "'worker ending' is not allowed after 'lua': the program's name, and in a step with a challenge "
        "'start' or 'solution'");
    row("unknown invariant", sampleAnd("```step\nchallenge: {never: races}\n```\n"), 2,
        "challenge.never: 'races' is no invariant; allowed: stale-write, foreign-delete, foreign-extend, "
        "belief-overlap, stuck-lock, unprotected-work, starvation");
    row("a kind that is not searched", sampleAnd("```step\nchallenge: {never: starvation, try: load}\n```\n"),
        2,
        "challenge.try: 'load' is not allowed; allowed: pause, kill, lost-request, lost-reply, delay, "
        "delay-reply, partition");
    row("told, but of what", sampleAnd("```js nobody\nx() // @a\n```\n"), 1,
        "there is no program 'nobody' that this could tell");
    row("no labels", sampleAnd("```python worker\nx()\n```\n"), 2,
        "the Python of 'worker' has no labels ('# @name'), so no line of it could be marked");
    row("a label without a partner", sampleAnd("```python worker\nx()\ny()  # @ask\n```\n"), 3,
        "the label '@ask' has no partner in the Lua of 'worker'");
    row("a label twice", sampleAnd("```js worker\nx() // @ask\ny() // @ask\n```\n"), 3,
        "the label '@ask' stands at line 77 already");
}

void CourseParts::errorsNameTheirPlace() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const Result<Lesson> lesson = parseLesson(text.toStdString(), "x.md");
    QVERIFY(!lesson.ok());
    QCOMPARE(QString::fromStdString(lesson.error().text()), message);
}

QTEST_GUILESS_MAIN(CourseParts)
#include "course_parts_test.moc"
