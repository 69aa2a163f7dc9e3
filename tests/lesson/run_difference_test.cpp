// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a change did to a run: on lessons that really run, with the numbers that really come out.
#include <QtTest>

#include "core/lesson/judged_run.h"
#include "core/lesson/lesson.h"
#include "core/lesson/run_name.h"
#include "core/trace/agreement.h"
#include "core/trace/difference.h"

using namespace lockscope;

namespace {

Instant at(double s) {
    return instantAt(Duration{static_cast<std::int64_t>(s * 1e6)});
}

struct Told {
    JudgedRun run;
    Lanes lanes;

    Told(const Lesson& lesson, const std::vector<KnobSetting>& knobs,
         const std::vector<Intervention>& interventions) {
        Runner runner;
        const auto scenario = makeScenario(lesson, knobs, interventions, 1);
        if (!scenario) qFatal("%s", scenario.error().message.c_str());
        if (!runner.run(*scenario, run)) qFatal("no run");
        lanes = layOut(run.trace, run.analysis);
    }
    operator ToldRun() const { return {run.trace, lanes, run.analysis, run.violations, run.outcome}; }
};

Lesson lessonNamed(const std::string& id) {
    auto read = readLesson(LOCKSCOPE_SOURCE_DIR "/lessons/" + id + ".md");
    if (!read) qFatal("%s", read.error().text().c_str());
    return std::move(read).value();
}

QString sentence(const Told& before, const Told& now, Instant told = kNever) {
    return QString::fromStdString(sentenceForDifference(before, now, told));
}

} // namespace

class RunDifferenceTest : public QObject {
    Q_OBJECT
private slots:
    void theSameRunTwiceHasNoDifference();
    void aPauseSetsRunsApartFromItsInstantOn();
    void onlyWhatLooksOtherwiseIsApart();
    void aSentenceSaysWhatIsGoneNewAndStillThere();
    void aSentenceTellsNothingFromBehindTheVeil();
    void aNameSaysWhatSetsARunApart();
    void twoRunsAgreeOrPart();
};

void RunDifferenceTest::theSameRunTwiceHasNoDifference() {
    const Lesson lesson = lessonNamed("stale-del");
    const Told one(lesson, {}, {}), other(lesson, {}, {});
    QVERIFY(!lanesApart(one, other).any());
    QCOMPARE(firstDifference(one.run.trace, other.run.trace), kNever);
    QCOMPARE(sentence(one, other), QStringLiteral("No difference."));
}

void RunDifferenceTest::aPauseSetsRunsApartFromItsInstantOn() {
    const Lesson lesson = lessonNamed("expiry");
    const Told one(lesson, {}, {});
    const Told other(lesson, {}, {{InterventionKind::Pause, "Server A", at(12), seconds(20)}});
    QCOMPARE(firstDifference(one.run.trace, other.run.trace), at(12));
    QCOMPARE(firstDifference(other.run.trace, one.run.trace), at(12));
    const LanesApart apart = lanesApart(one, other);
    QVERIFY(apart.any());
    for (const ActorApart& actor : apart.actors)
        for (const auto* pieces : {&actor.does, &actor.thinks})
            for (const ApartSpan& piece : *pieces)
                QVERIFY(piece.from >= at(12));
}

void RunDifferenceTest::onlyWhatLooksOtherwiseIsApart() {
    const Lesson lesson = lessonNamed("expiry");
    const Told shorter(lesson, {}, {{InterventionKind::Pause, "Server A", at(12), seconds(20)}});
    const Told longer(lesson, {}, {{InterventionKind::Pause, "Server A", at(12), seconds(25)}});
    // Of the longer pause only the part that the shorter one does not have is apart.
    const LanesApart apart = lanesApart(longer, shorter);
    std::vector<ApartSpan> paused;
    for (const ApartSpan& piece : apart.actors[0].does)
        if (longer.lanes.actors[0].does[piece.source].kind == DoesKind::Paused) paused.push_back(piece);
    QCOMPARE(paused.size(), std::size_t{1});
    QCOMPARE(paused[0].from, at(32));
    QCOMPARE(paused[0].until, at(37));
    const DoesSpan& whole = longer.lanes.actors[0].does[paused[0].source];
    QCOMPARE(whole.from, at(12));
    // Until then nothing is.
    for (const ActorApart& actor : apart.actors)
        for (const ApartSpan& piece : actor.does)
            QVERIFY(piece.from >= at(32));
    // And the pause of the shorter run is all in the longer one.
    const LanesApart back = lanesApart(shorter, longer);
    for (const ApartSpan& piece : back.actors[0].does)
        QVERIFY(shorter.lanes.actors[0].does[piece.source].kind != DoesKind::Paused);
}

void RunDifferenceTest::aSentenceSaysWhatIsGoneNewAndStillThere() {
    const Lesson lesson = lessonNamed("stale-del");
    const std::vector<KnobSetting> blind{{"release", std::string("DEL")}};
    const std::vector<KnobSetting> careful{{"release", std::string("compare-and-delete")}};
    const Told before(lesson, blind, {}), now(lesson, careful, {});
    const auto count = [](const Told& told, Invariant invariant) {
        return std::count_if(told.run.violations.begin(), told.run.violations.end(),
                             [&](const Violation& v) { return v.invariant == invariant; });
    };
    QCOMPARE(count(before, Invariant::ForeignDelete), 2);
    QCOMPARE(count(now, Invariant::ForeignDelete), 0);
    const QString gone = sentence(before, now);
    QVERIFY2(gone.startsWith(QStringLiteral("“Deleted another's lock” ×2 is gone; ")), qPrintable(gone));
    QVERIFY2(gone.contains(QStringLiteral("“Two act as holder” remains")), qPrintable(gone));
    QVERIFY(gone.endsWith(QLatin1Char('.')));
    const QString back = sentence(now, before);
    QVERIFY2(back.contains(QStringLiteral("“Deleted another's lock” ×2 is new")), qPrintable(back));
}

void RunDifferenceTest::aSentenceTellsNothingFromBehindTheVeil() {
    const Lesson lesson = lessonNamed("stale-del");
    const Told before(lesson, {{"release", std::string("DEL")}}, {});
    const Told now(lesson, {{"release", std::string("compare-and-delete")}}, {});
    QCOMPARE(sentence(before, now, at(10)), QStringLiteral("No difference so far."));
    const Lesson calm = lessonNamed("expiry");
    const Told plain(calm, {}, {});
    const Told paused(calm, {}, {{InterventionKind::Pause, "Server A", at(5), seconds(3)}});
    QCOMPARE(sentence(plain, paused, at(10)), QStringLiteral("Nothing is broken in either run so far."));
    QVERIFY(!sentence(before, now, at(40)).contains(QStringLiteral("Deleted")));
    QVERIFY(!sentence(before, now, at(40)).contains(QStringLiteral("made")));
}

void RunDifferenceTest::aNameSaysWhatSetsARunApart() {
    const Lesson lesson = lessonNamed("expiry");
    const auto named = [&](const SavedRun& run) { return suggestedName(lesson, run); };
    SavedRun run; // of the first step, which sets the work to 20 s
    run.knobs = {{"work", "20s"}};
    QCOMPARE(named(run), std::string("as the step begins"));
    run.interventions = {{InterventionKind::Pause, "Server A", at(12), seconds(20)}};
    QCOMPARE(named(run), std::string("pause Server A 20 s"));
    run.knobs = {{"work", "50s"}};
    QCOMPARE(named(run), std::string("work 50 s, pause Server A 20 s"));
    for (int i = 0; i < 3; ++i)
        run.interventions.push_back({InterventionKind::Kill, "Server B", at(20 + i)});
    QCOMPARE(named(run), std::string("work 50 s, pause Server A 20 s, kill Server B and 2 more"));
    QCOMPARE(uniqueName("a", {"b"}), std::string("a"));
    QCOMPARE(uniqueName("a", {"a", "a (2)"}), std::string("a (3)"));
}

void RunDifferenceTest::twoRunsAgreeOrPart() {
    const Lesson lesson = lessonNamed("stale-del");
    const Told late(lesson, {{"work", seconds(45)}}, {});
    const Told later(lesson, {{"work", seconds(46)}}, {}); // the same story, a second later
    const Told healthy(lesson, {{"work", seconds(20)}}, {});
    const Agreement same = agreementOf(late, later, millis(60));
    QVERIFY(same.agrees());
    QCOMPARE(same.one.size(), std::size_t{7});
    QVERIFY(sentenceFor(same).starts_with("The simulator agrees: the same was broken in the same order: “"));
    QCOMPARE(QString::fromStdString(sentenceFor(agreementOf(healthy, healthy, millis(60)))),
             "The simulator agrees: nothing was broken in either run.");
    const Agreement parted = agreementOf(late, healthy, millis(60));
    QVERIFY(!parted.agrees() && !parted.sameBreaks);
    QCOMPARE(parted.apart, std::size_t{0});
    QVERIFY(sentenceFor(parted).starts_with("The two runs part: really “"));
    QVERIFY(sentenceFor(parted).find(" s, simulated nothing more. Really: ") != std::string::npos);
    // Two that begin in the same moment may come in either order.
    Told swapped(lesson, {{"work", seconds(45)}}, {});
    auto& violations = swapped.run.violations;
    const auto pair = std::adjacent_find(violations.begin(), violations.end(),
                                         [](const Violation& a, const Violation& b) { return a.at == b.at; });
    QVERIFY(pair != violations.end());
    std::swap(pair[0], pair[1]);
    QVERIFY(agreementOf(late, swapped, millis(60)).agrees());
    std::swap(violations.front(), violations.back());
    std::swap(violations.front().at, violations.back().at);
    const Agreement shuffled = agreementOf(late, swapped, millis(60));
    QVERIFY(shuffled.sameBreaks && !shuffled.sameOrder);
}

QTEST_APPLESS_MAIN(RunDifferenceTest)
#include "run_difference_test.moc"
