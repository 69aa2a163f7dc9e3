// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The models behind the window, without a window: a lesson's steps, its question and its knobs, the learner's
// own run, playing, and a lesson file that is saved in every way editors know.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/on_canvas.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/pacing.h"
#include "ui/bridge/selection_facts.h"
#include "ui/bridge/shelf.h"
#include "ui/bridge/text.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::test::at;

namespace {

constexpr auto kLessons = LOCKSCOPE_SOURCE_DIR "/lessons";

QString lessonFile(const char* id) {
    return QStringLiteral("%1/%2.md").arg(QLatin1String(kLessons), QLatin1String(id));
}

struct Bench {
    RunModel run{makeSimulatedSession()};
    LessonModel lesson{run};

    explicit Bench(const char* id) { lesson.open(lessonFile(id)); }
    std::vector<std::pair<Invariant, std::int64_t>> broken() const {
        std::vector<std::pair<Invariant, std::int64_t>> list;
        for (const Violation& v : run.run()->violations)
            list.push_back({v.invariant, millisFloor(v.at)});
        return list;
    }
    bool breaks(Invariant invariant) const {
        for (const auto& [what, at] : broken())
            if (what == invariant) return true;
        return false;
    }
};

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(content);
}

} // namespace

class ModelsTest : public QObject {
    Q_OBJECT
private slots:
    void everyStepStartsTheRunItDescribes();
    void whatTheLearnerDidIsKeptAndComesBack();
    void goingBackToTheOwnRunLosesNothing();
    void theOldestChangesAreForgotten();
    void aKnobTakesEffectAtOnceOrSaysWhatIsAllowed();
    void everyChangeKeepsWhatWasThereBefore();
    void aHeldBaselineMakesManyChangesOne();
    void resumingEndsThePauseThere();
    void theVeilHoldsUntilTheAnswer();
    void aMinutePlaysInAboutEightSeconds();
    void paceRisesAndCanBeReversed();
    void steppingVisitsEveryInstantAndNoOther();
    void playingStopsAtTheVeil();
    void theCommandLineGivesTheSameRun();
    void aSelectionKnowsItsEventLineAndKey();
    void savedLessonsAreReadAgain_data();
    void savedLessonsAreReadAgain();
    void anAnswerOutlivesASaveOfTheSameQuestion();
    void peopleWriteDurationsInManyWays();
    void aShelfListsBrokenFilesToo();
};

void ModelsTest::everyStepStartsTheRunItDescribes() {
    Bench bench("stale-del");
    QVERIFY(bench.lesson.stepCount() > 2);
    for (int i = 0; i < bench.lesson.stepCount(); ++i) {
        bench.lesson.goTo(i);
        QCOMPARE(bench.lesson.step(), i);
        const auto expected = makeScenario(*bench.lesson.lesson(), *bench.lesson.currentStep());
        QVERIFY(expected.ok());
        const Scenario& shown = bench.run.scenario();
        QCOMPARE(shown.knobs.size(), expected->knobs.size());
        for (std::size_t k = 0; k < shown.knobs.size(); ++k)
            QCOMPARE(formatKnobValue(shown.knobs[k].value), formatKnobValue(expected->knobs[k].value));
        QVERIFY(shown.interventions == expected->interventions);
        QVERIFY(!bench.lesson.changedFromStep());
    }
    bench.lesson.next(); // beyond the last is the last
    QCOMPARE(bench.lesson.step(), bench.lesson.stepCount() - 1);
}

void ModelsTest::whatTheLearnerDidIsKeptAndComesBack() {
    Bench bench("expiry");
    bench.lesson.liftVeil();
    QVERIFY(!bench.lesson.ownRunKept());
    QCOMPARE(bench.lesson.addIntervention({InterventionKind::Kill, "Server A", at(10)}), QString());
    bench.run.setPlayhead(at(10.5));
    bench.lesson.resetStep();
    QVERIFY(bench.lesson.interventions().empty());
    QVERIFY(bench.lesson.ownRunKept());
    bench.lesson.next();
    bench.lesson.restoreOwnRun();
    QCOMPARE(bench.lesson.step(), 0);
    QCOMPARE(bench.lesson.interventions().size(), std::size_t{1});
    QCOMPARE(bench.run.playhead(), at(10.5));
    QVERIFY(!bench.lesson.ownRunKept()); // it is what is shown
}

void ModelsTest::goingBackToTheOwnRunLosesNothing() {
    Bench bench("expiry");
    bench.lesson.liftVeil();
    const Intervention first{InterventionKind::Kill, "Server A", at(10)};
    const Intervention second{InterventionKind::Kill, "Server B", at(20)};
    bench.lesson.addIntervention(first);
    bench.lesson.next();
    bench.lesson.addIntervention(second);
    const auto there = bench.lesson.interventions();
    bench.lesson.restoreOwnRun();
    QCOMPARE(bench.lesson.step(), 0);
    QVERIFY(bench.lesson.interventions() == std::vector{first});
    QVERIFY(bench.lesson.ownRunKept());
    bench.lesson.restoreOwnRun();
    QCOMPARE(bench.lesson.step(), 1);
    QVERIFY(bench.lesson.interventions() == there);
    // In one step too.
    bench.lesson.resetStep();
    bench.lesson.addIntervention(first);
    bench.lesson.restoreOwnRun();
    QVERIFY(bench.lesson.interventions() == there);
    bench.lesson.restoreOwnRun();
    QVERIFY(bench.lesson.interventions().back() == first);
}

void ModelsTest::theOldestChangesAreForgotten() {
    Bench bench("expiry");
    for (int i = 0; i < EditHistory::kMost + 20; ++i)
        bench.lesson.change(
            {bench.lesson.setup().knobs, {}, static_cast<std::uint64_t>(i + 1'000), {}, nullptr},
            QStringLiteral("seed"));
    QCOMPARE(bench.lesson.history().count(), EditHistory::kMost);
    while (bench.lesson.history().canUndo())
        bench.lesson.history().undo();
    QCOMPARE(bench.lesson.setup().seed, std::uint64_t{1'019});
}

void ModelsTest::aKnobTakesEffectAtOnceOrSaysWhatIsAllowed() {
    Bench bench("expiry");
    bench.lesson.setKnob("work", seconds(20));
    QVERIFY(bench.broken().empty());
    QCOMPARE(bench.lesson.setKnob("work", seconds(60)), QString());
    QVERIFY(bench.breaks(Invariant::UnprotectedWork));
    QVERIFY(bench.breaks(Invariant::BeliefOverlap));

    const QString problem = bench.lesson.setKnob("work", seconds(9999));
    QVERIFY2(problem.contains(QStringLiteral("work")), qPrintable(problem));
    QVERIFY(bench.lesson.knobValue("work") == KnobValue(seconds(60))); // and the run is as before
    QVERIFY(bench.breaks(Invariant::BeliefOverlap));
}

void ModelsTest::everyChangeKeepsWhatWasThereBefore() {
    Bench bench("expiry");
    QVERIFY(!bench.run.baseline()); // a step begins with nothing behind it
    const auto first = bench.run.run();
    bench.lesson.setKnob("work", seconds(25));
    QCOMPARE(bench.run.baseline(), first);
    const auto second = bench.run.run();
    bench.lesson.addIntervention({InterventionKind::Kill, "Server A", at(10)});
    QCOMPARE(bench.run.baseline(), second);
    bench.lesson.setKnob("work", seconds(9999)); // refused: nothing has changed
    QCOMPARE(bench.run.baseline(), second);
    bench.lesson.next();
    QVERIFY(!bench.run.baseline());
}

void ModelsTest::aHeldBaselineMakesManyChangesOne() {
    Bench bench("expiry");
    const auto first = bench.run.run();
    bench.lesson.setKnob("work", seconds(25));
    const auto before = bench.run.run();

    bench.run.holdBaseline();
    bench.lesson.addIntervention({InterventionKind::Pause, "Server A", at(12), seconds(1)});
    for (int length = 2; length < 30; ++length) {
        bench.lesson.removeIntervention(0);
        bench.lesson.addIntervention({InterventionKind::Pause, "Server A", at(12), seconds(length)});
        QCOMPARE(bench.run.baseline(), before);
    }
    bench.run.releaseBaseline();
    QCOMPARE(bench.run.baseline(), before);

    // A change that is given up in the end is none.
    const auto paused = bench.run.run();
    bench.run.holdBaseline();
    bench.lesson.addIntervention({InterventionKind::Kill, "Server B", at(12)});
    QCOMPARE(bench.run.baseline(), paused);
    bench.lesson.removeIntervention(1);
    bench.run.releaseBaseline();
    QCOMPARE(bench.run.baseline(), before);
    QVERIFY(before != first);

    // Another step ends a hold; its release then changes nothing.
    bench.run.holdBaseline();
    bench.lesson.next();
    QVERIFY(!bench.run.baselineHeld());
    bench.run.releaseBaseline();
    QVERIFY(!bench.run.baseline());
}

void ModelsTest::resumingEndsThePauseThere() {
    Bench bench("expiry");
    bench.lesson.addIntervention({InterventionKind::Pause, "Server A", at(12), seconds(25)});
    QVERIFY(!bench.lesson.canResume("Server A", at(11.9)));
    QVERIFY(!bench.lesson.canResume("Server B", at(20)));
    QVERIFY(bench.lesson.canResume("Server A", at(20)));
    QCOMPARE(bench.lesson.resume("Server A", at(20)), QString());
    QCOMPARE(bench.lesson.interventions().front().length, Duration{seconds(8)});
    QCOMPARE(bench.lesson.resume("Server A", at(12)), QString()); // at its very start nothing of it is left
    QVERIFY(bench.lesson.interventions().empty());
}

void ModelsTest::theVeilHoldsUntilTheAnswer() {
    Bench bench("expiry");
    int step = 0;
    while (step < bench.lesson.stepCount() && bench.lesson.openQuestion() == nullptr)
        bench.lesson.goTo(++step);
    QVERIFY2(bench.lesson.openQuestion() != nullptr, "the lesson asks something");
    const Instant gate = bench.lesson.openQuestion()->gate;
    QCOMPARE(bench.run.veil(), gate);
    bench.run.setPlayhead(kNever);
    QCOMPARE(bench.run.playhead(), gate);
    bench.run.toEnd();
    QCOMPARE(bench.run.playhead(), gate);

    bench.run.setReducedMotion(true);
    bench.lesson.answerQuestion(0);
    QCOMPARE(bench.run.veil(), kNever);
    QCOMPARE(bench.lesson.answer()->option, 0);
    QVERIFY(bench.lesson.openQuestion() == nullptr);
    QVERIFY(bench.lesson.question() != nullptr);
    QVERIFY(bench.run.playing()); // towards what happens
    bench.lesson.goTo(0);
    bench.lesson.goTo(step);
    QCOMPARE(bench.lesson.answer()->option, 0);
    QCOMPARE(bench.run.veil(), kNever);
}

void ModelsTest::aMinutePlaysInAboutEightSeconds() {
    Bench bench("expiry");
    bench.lesson.setKnob("work", seconds(60));
    const Pacing pacing(beatsOf(*bench.run.run()->trace, bench.run.run()->analysis),
                        bench.run.run()->trace->reached);
    QVERIFY2(pacing.total() > 4 && pacing.total() < 14, qPrintable(QString::number(pacing.total())));
}

void ModelsTest::paceRisesAndCanBeReversed() {
    std::vector<Instant> beats;
    for (int i = 0; i < 40; ++i)
        beats.push_back(at(0.01 * i * i));
    const Pacing pacing(beats, at(30));
    double before = -1;
    for (double s = 0; s <= 30; s += 0.05) {
        const double wall = pacing.wallAt(at(s));
        QVERIFY(wall > before);
        before = wall;
        const auto back = micros(pacing.instantAt(wall)) - micros(at(s));
        QVERIFY2(std::abs(back) <= 2, qPrintable(QStringLiteral("%1 s: off by %2 µs").arg(s).arg(back)));
    }
    QCOMPARE(pacing.instantAt(1e9), at(30));
    QCOMPARE(pacing.instantAt(-1), at(0));
    QCOMPARE(Pacing().wallAt(at(5)), 0.0);
}

void ModelsTest::steppingVisitsEveryInstantAndNoOther() {
    Bench bench("expiry");
    bench.lesson.liftVeil();
    bench.run.pause();
    bench.run.toStart();
    std::vector<Instant> instants;
    for (const Event& event : bench.run.run()->trace->events)
        if (event.at > Instant{} && (instants.empty() || instants.back() != event.at))
            instants.push_back(event.at);
    std::vector<Instant> visited;
    while (bench.run.playhead() < bench.run.end()) {
        bench.run.stepForward();
        visited.push_back(bench.run.playhead());
        QVERIFY(visited.size() <= instants.size() + 1);
    }
    if (visited.back() != instants.back()) visited.pop_back(); // the end of the run is a place too
    QVERIFY(visited == instants);
    for (auto it = instants.rbegin() + 1; it != instants.rend(); ++it) {
        if (bench.run.playhead() > instants.back()) bench.run.stepBack();
        bench.run.stepBack();
        QCOMPARE(bench.run.playhead(), *it);
    }
}

void ModelsTest::playingStopsAtTheVeil() {
    Bench bench("expiry");
    bench.lesson.liftVeil();
    bench.run.pause();
    bench.run.setVeil(at(0.5));
    bench.run.toStart();
    bench.run.setSpeed(8);
    bench.run.play();
    QVERIFY(bench.run.playing());
    QTRY_VERIFY(!bench.run.playing());
    QCOMPARE(bench.run.playhead(), at(0.5));
}

void ModelsTest::theCommandLineGivesTheSameRun() {
    Bench bench("stale-del");
    bench.lesson.setShelfFolder(QLatin1String(kLessons));
    bench.lesson.setKnob("work", seconds(20));
    bench.lesson.addIntervention({InterventionKind::Pause, "Server A", at(12), seconds(20)});
    QCOMPARE(bench.lesson.commandLine(),
             QStringLiteral("lockscope run stale-del --set work=20s --do 'pause Server A@12s+20s'"));
    bench.lesson.setShelfFolder({});
    QVERIFY(bench.lesson.commandLine().contains(lessonFile("stale-del")));
}

void ModelsTest::aSelectionKnowsItsEventLineAndKey() {
    Bench bench("stale-del");
    bench.lesson.setKnob("work", seconds(45));
    const Run& run = *bench.run.run();
    const auto& violations = run.violations;
    for (int i = 0; i < static_cast<int>(violations.size()); ++i) {
        const Violation& violation = violations[static_cast<std::size_t>(i)];
        const SelectionFacts facts = factsOf(run, {Selection::Kind::Violation, i});
        QCOMPARE(facts.at, violation.at);
        QCOMPARE(facts.actor, violation.actors[0]);
        if (violation.invariant != Invariant::ForeignDelete) continue;
        QVERIFY(facts.event >= 0);
        QCOMPARE(facts.request, violation.request);
        QVERIFY(facts.line > 0);
        QCOMPARE(run.trace->events[static_cast<std::size_t>(facts.event)].kind, EventKind::RequestExecuted);
    }
    QVERIFY(bench.breaks(Invariant::ForeignDelete));

    // What is the same thing in the next run stays selected; what is not does not.
    int overlap = 0;
    while (violations[static_cast<std::size_t>(overlap)].invariant != Invariant::BeliefOverlap)
        ++overlap;
    bench.run.select({Selection::Kind::Violation, overlap});
    bench.lesson.setKnob("work", seconds(46));
    QCOMPARE(bench.run.selection().kind, Selection::Kind::Violation);
    QCOMPARE(bench.run.run()->violations[static_cast<std::size_t>(bench.run.selection().index)].invariant,
             Invariant::BeliefOverlap);
    bench.run.select({Selection::Kind::Event, 3});
    bench.lesson.setKnob("work", seconds(44));
    QCOMPARE(bench.run.selection(), Selection{});
}

void ModelsTest::savedLessonsAreReadAgain_data() {
    QTest::addColumn<int>("way");
    QTest::newRow("written in place") << 0;
    QTest::newRow("renamed over") << 1;
    QTest::newRow("deleted and made anew") << 2;
}

void ModelsTest::savedLessonsAreReadAgain() {
    QFETCH(int, way);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.md"));
    const QByteArray good = contentOf(lessonFile("expiry"));
    const auto save = [&](const QByteArray& content) {
        if (way == 0) {
            write(path, content);
        } else if (way == 1) {
            write(path + QStringLiteral("~new"), content);
            // As rename(2) does it, in one step over the old one.
            QCOMPARE(std::rename(QFile::encodeName(path + QStringLiteral("~new")), QFile::encodeName(path)),
                     0);
        } else {
            QFile::remove(path);
            write(path, content);
        }
    };
    write(path, good);
    RunModel run(makeSimulatedSession());
    LessonModel lesson(run);
    lesson.open(path);
    QCOMPARE(lesson.error(), QString());
    const QString title = qstr(lesson.lesson()->title);

    QByteArray broken = good;
    save(broken.replace("range: 5s..60s", "range: 5s..often"));
    QTRY_VERIFY(!lesson.error().isEmpty());
    QVERIFY2(lesson.error().contains(QStringLiteral("mine.md:")), qPrintable(lesson.error()));
    QCOMPARE(qstr(lesson.lesson()->title), title); // the last good one stays
    QVERIFY(run.run() != nullptr);

    QByteArray changed = good;
    save(changed.replace("title: The lock expires", "title: The lease runs out"));
    QTRY_COMPARE(lesson.error(), QString());
    QVERIFY(qstr(lesson.lesson()->title).startsWith(QStringLiteral("The lease runs out")));
    save(good); // and the watch goes on, whatever happened to the file
    QTRY_COMPARE(qstr(lesson.lesson()->title), title);
}

void ModelsTest::anAnswerOutlivesASaveOfTheSameQuestion() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.md"));
    const QByteArray good = contentOf(lessonFile("expiry"));
    write(path, good);
    RunModel run(makeSimulatedSession());
    LessonModel lesson(run);
    lesson.open(path);
    int step = 0;
    while (lesson.openQuestion() == nullptr)
        lesson.goTo(++step);
    lesson.answerQuestion(1);
    QSignalSpy changed(&lesson, &LessonModel::lessonChanged);
    QByteArray other = good;
    write(path, other.replace("Work of Server A", "Work of the first"));
    QTRY_COMPARE(changed.size(), 1);
    QCOMPARE(lesson.step(), step);
    QCOMPARE(lesson.answer()->option, 1);
}

void ModelsTest::peopleWriteDurationsInManyWays() {
    QCOMPARE(*readDuration(QStringLiteral("30")), Duration{seconds(30)});
    QCOMPARE(*readDuration(QStringLiteral("1 m 30 s")), Duration{seconds(90)});
    QCOMPARE(*readDuration(QStringLiteral("1,5 s")), Duration{millis(1500)});
    QCOMPARE(*readDuration(QStringLiteral("250 ms")), Duration{millis(250)});
    QVERIFY(!readDuration(QStringLiteral("soon")).ok());
    QVERIFY(!readDuration(QString()).ok());
    QCOMPARE(forPeople(seconds(90)), QStringLiteral("90.0 s"));
    QCOMPARE(forPeople(seconds(250)), QStringLiteral("4 min 10 s"));
    QCOMPARE(forPeople(seconds(2 * 3600 + 300)), QStringLiteral("2 h 5 min"));
}

void ModelsTest::aShelfListsBrokenFilesToo() {
    QTemporaryDir folder;
    write(folder.filePath(QStringLiteral("good.md")), contentOf(lessonFile("expiry")));
    write(folder.filePath(QStringLiteral("bad.md")), "---\nid: bad\nnonsense: 1\n---\n");
    const Shelf shelf = readShelf(folder.path());
    QCOMPARE(shelf.entries.size(), 2);
    QVERIFY(shelf.byId(QStringLiteral("expiry")) != nullptr);
    QVERIFY(shelf.byPath(folder.filePath(QStringLiteral("bad.md"))) != nullptr);
    QVERIFY(shelf.byPath(folder.filePath(QStringLiteral("bad.md")))->broken);
}

QTEST_GUILESS_MAIN(ModelsTest)
#include "models_test.moc"
