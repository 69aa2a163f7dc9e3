// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <atomic>

#include "core/lesson/lesson.h"
#include "core/search/explain.h"
#include "core/search/explore.h"
#include "core/search/shrink.h"
#include "core/search/sweep.h"

using namespace lockscope;

namespace {

/// A shipped lesson with its work shortened to fit the lease, so that nothing is broken before somebody
/// interferes.
Scenario healthy(const char* lesson, const std::vector<std::pair<const char*, const char*>>& knobs = {}) {
    const Result<Lesson> read = readLesson(std::string(LOCKSCOPE_SOURCE_DIR "/lessons/") + lesson + ".md");
    if (!read) qFatal("%s", read.error().text().c_str());
    std::vector<KnobSetting> settings{{"work", *parseKnobValue(*read->knob("work"), "20s")}};
    for (const auto& [name, value] : knobs)
        settings.push_back({name, *parseKnobValue(*read->knob(name), value)}); // the last one counts
    const Result<Scenario> scenario = makeScenario(*read, settings, {}, 1);
    if (!scenario) qFatal("%s", scenario.error().text().c_str());
    return *scenario;
}

Duration covered(const Sweep& sweep, Invariant invariant) {
    Duration sum{0};
    for (const Sweep::Region& region : sweep.regions(invariant))
        sum += region.until - region.from;
    return sum;
}

} // namespace

class SearchTest : public QObject {
    Q_OBJECT

private:
    ProbePool m_pool;

    Sweep sweepOf(const Scenario& scenario) {
        return sweep(m_pool, {scenario, {"Server A"}, seconds(20), 400}).front();
    }

private slots:
    void aBlindDeleteIsExposedForAllOfTheWork() {
        const Sweep found = sweepOf(healthy("stale-del"));
        const std::vector<Sweep::Region> regions = found.regions(Invariant::ForeignDelete);
        QCOMPARE(regions.size(), std::size_t{1});
        QVERIFY(regions[0].from <= instantAt(millis(203)));
        QVERIFY(regions[0].until >= instantAt(millis(20'200)));
        QVERIFY(found.complete);
        QCOMPARE(int(found.brokenAnyway), 0);
    }

    void aCheckBeforeTheDeleteLeavesASliver() {
        const Scenario scenario = healthy("toctou");
        const Duration roundTrip = scenario.actors[0].requestLatency + scenario.actors[0].replyLatency;
        const Duration exposed = covered(sweepOf(scenario), Invariant::ForeignDelete);
        QVERIFY(exposed > Duration{0});
        QVERIFY2(exposed <= 2 * roundTrip, formatDuration(exposed).c_str());
    }

    void aCheckInOneStepLeavesNothingButTheOverlapStays() {
        const Sweep checked = sweepOf(healthy("safe-release"));
        QVERIFY(checked.regions(Invariant::ForeignDelete).empty());
        const Sweep blind = sweepOf(healthy("stale-del"));
        const Duration difference =
            covered(checked, Invariant::BeliefOverlap) - covered(blind, Invariant::BeliefOverlap);
        QVERIFY2(std::chrono::abs(difference) <= millis(100),
                 formatDuration(std::chrono::abs(difference)).c_str());
    }

    void aSweepComesCoarseFirstAndStopsWhenTold() {
        std::vector<std::size_t> sizes;
        std::atomic<bool> cancel{false};
        const std::vector<Sweep> stopped =
            sweep(m_pool, {healthy("stale-del"), {"Server A"}, seconds(20), 400}, &cancel,
                  [&](const std::vector<Sweep>& soFar) {
                      sizes.push_back(soFar.front().points.size());
                      cancel = sizes.size() == 2;
                  });
        QCOMPARE(sizes.size(), std::size_t{2});
        QVERIFY(sizes[0] < sizes[1]);
        QVERIFY(!stopped.front().complete);
    }

    void theSweepIsTheSameOnOneThreadAndOnMany() {
        const SweepRequest request{healthy("toctou"), {"Server A"}, seconds(20), 100};
        ProbePool one(1);
        ProbePool four(4);
        QCOMPARE(toJson(sweep(one, request).front(), 0), toJson(sweep(four, request).front(), 0));
    }

    void actorsSweptTogetherComeOutAsEachForItself() {
        const Scenario scenario = healthy("toctou");
        const std::vector<Sweep> both = sweep(m_pool, {scenario, {"Server B", "Server A"}, seconds(20), 100});
        QCOMPARE(both.size(), std::size_t{2});
        for (const Sweep& one : both)
            QCOMPARE(toJson(one, 0),
                     toJson(sweep(m_pool, {scenario, {one.actor}, seconds(20), 100}).front(), 0));
    }

    void onePauseIsFoundWhereOnePauseIsEnough_data() {
        QTest::addColumn<QString>("lesson");
        QTest::newRow("blind delete") << "stale-del";
        QTest::newRow("get, then delete") << "toctou";
    }
    void onePauseIsFoundWhereOnePauseIsEnough() {
        QFETCH(QString, lesson);
        ExploreRequest request;
        request.scenario = healthy(lesson.toUtf8().constData());
        request.invariant = Invariant::ForeignDelete;
        const Exploration found = explore(m_pool, request);
        QVERIFY(found.found);
        QVERIFY(!found.brokenAnyway);
        QCOMPARE(found.interventions.size(), std::size_t{1});
        QVERIFY(found.interventions[0].kind == InterventionKind::Pause);
        QVERIFY(found.why.size() >= 3);

        Probe probe;
        probe.run(withFailure(request, found));
        QVERIFY(probe.added({}) & maskOf(Invariant::ForeignDelete));
        // Minimal: a fifth less of a pause breaks nothing of the kind.
        Exploration less = found;
        less.interventions[0].length = less.interventions[0].length * 4 / 5;
        probe.run(withFailure(request, less));
        QVERIFY(!(probe.added({}) & maskOf(Invariant::ForeignDelete)));
    }

    void aCheckedReleaseSurvivesEverySingleFault() {
        ExploreRequest request;
        request.scenario = healthy("safe-release");
        request.invariant = Invariant::ForeignDelete;
        request.budget = 1; // pairs are the long run's business
        const Exploration result = explore(m_pool, request);
        QVERIFY(!result.found);
        QVERIFY(result.overBudget);
        QVERIFY(result.coverage.onesComplete && !result.coverage.twosComplete);
        const std::string said = sentenceFor(result);
        QVERIFY2(said.find("Not broken in") == 0, said.c_str());
        QVERIFY(said.find("safe") == std::string::npos);
    }

    void whatIsBrokenAnywayIsSaidToBe() {
        ExploreRequest request;
        request.scenario = healthy("stale-del", {{"work", "45s"}});
        request.invariant = Invariant::ForeignDelete;
        const Exploration result = explore(m_pool, request);
        QVERIFY(result.found && result.brokenAnyway);
        QVERIFY(result.interventions.empty());
    }

    void theAnswerDoesNotDependOnTheThreads() {
        ExploreRequest request;
        request.scenario = healthy("toctou");
        request.invariant = Invariant::ForeignDelete;
        ProbePool one(1);
        ProbePool three(3);
        const Exploration a = explore(one, request);
        const Exploration b = explore(three, request);
        QCOMPARE(a.interventions.size(), b.interventions.size());
        for (std::size_t i = 0; i < a.interventions.size(); ++i)
            QCOMPARE(formatIntervention(a.interventions[i]), formatIntervention(b.interventions[i]));
        QCOMPARE(a.schedules, b.schedules);
        QVERIFY(a.why == b.why);
    }

    void whatWasDoneToAServerIsSaid_data() {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("says");
        QTest::newRow("a clock put forward is no renewal")
            << "stale-del"
            << "server-clock-jump Redis@10s+60s"
            << "The clock of Redis was put forward by 60.0 s at 10.0 s.";
        QTest::newRow("an administrator") << "stale-del"
                                          << "admin Redis@10s DEL lock:report"
                                          << "Admin ran DEL lock:report at 10.0 s.";
    }
    void whatWasDoneToAServerIsSaid() {
        QFETCH(QString, lesson);
        QFETCH(QString, fault);
        QFETCH(QString, says);
        Scenario scenario = healthy(lesson.toUtf8().constData());
        scenario.interventions = {parseIntervention(fault.toStdString()).value()};
        Probe probe;
        const std::vector<Violation>& violations = probe.run(scenario);
        const auto unprotected =
            std::ranges::find(violations, Invariant::UnprotectedWork, &Violation::invariant);
        QVERIFY(unprotected != violations.end());
        QString all;
        for (const Cause& cause : explain(probe.trace(), probe.analysis(), *unprotected))
            all += QString::fromStdString(cause.sentence) + "\n";
        QVERIFY2(all.contains(says), qPrintable(all));
        QVERIFY2(!all.contains("later renewed"), qPrintable(all));
        QVERIFY2(!all.contains("Nothing held"), qPrintable(all));
    }
    void aStallIsSaidOfALockThatNobodyGets() {
        Scenario scenario = healthy("stale-del");
        scenario.interventions = {parseIntervention("kill Server A@10s").value(),
                                  parseIntervention("server-stall Redis@11s+5s").value()};
        Probe probe;
        probe.run(scenario);
        Violation stuck;
        stuck.invariant = Invariant::StuckLock;
        stuck.at = instantAt(seconds(20));
        stuck.actors[0] = 0;
        QString all;
        for (const Cause& cause : explain(probe.trace(), probe.analysis(), stuck))
            all += QString::fromStdString(cause.sentence) + "\n";
        QVERIFY2(all.contains("Server A: kill at 10.0 s."), qPrintable(all));
        QVERIFY2(all.contains("Redis could not answer from 11.0 s to 16.0 s."), qPrintable(all));
    }

    void whatIsNotNeededIsShrunkAway() {
        // It takes a pause of Server A that covers 12.34 s to 20 s; the kill of Server B has nothing to do
        // with it.
        const auto breaks = [](const std::vector<Intervention>& faults) {
            for (const Intervention& fault : faults)
                if (fault.kind == InterventionKind::Pause && fault.at <= instantAt(millis(12'340)) &&
                    fault.at + fault.length >= instantAt(seconds(20)))
                    return true;
            return false;
        };
        const std::vector<Intervention> small =
            shrink({{InterventionKind::Kill, "Server B", instantAt(seconds(3)), {}},
                    {InterventionKind::Pause, "Server A", instantAt(Duration{12'203'001}), seconds(40)}},
                   breaks);
        QCOMPARE(small.size(), std::size_t{1});
        QCOMPARE(formatIntervention(small[0]), std::string("pause Server A@10s+10s"));
    }
};

QTEST_GUILESS_MAIN(SearchTest)
#include "search_test.moc"
