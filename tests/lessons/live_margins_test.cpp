// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>

#include "core/base/random.h"
#include "core/lesson/judged_run.h"
#include "core/lesson/lesson.h"
#include "core/world/simulator.h"

using namespace lockscope;

namespace {

/// `check --redis private` takes a run for what it is if nothing in it was later than ten milliseconds, of
/// which the way there and back takes up to two here.
constexpr Duration kLate = millis(8);

bool fillsMemory(const Scenario& scenario) {
    return std::any_of(scenario.interventions.begin(), scenario.interventions.end(),
                       [](const Intervention& i) { return i.kind == InterventionKind::Load; });
}

/// As a busy machine has it: each process begins a little late, messages take what they take, two of each
/// process are late, and so is whatever is done to processes and servers.
Scenario onABusyMachine(Scenario scenario, std::uint64_t seed) {
    Random random(seed);
    const auto upTo = [&](Duration most) {
        return Duration{
            static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most.count()) + 1))};
    };
    for (Intervention& fault : scenario.interventions) {
        const bool ofAMessage =
            infoOf(fault.kind).target == InterventionTarget::Actor && fault.kind != InterventionKind::Pause &&
            fault.kind != InterventionKind::Kill && fault.kind != InterventionKind::Restart;
        const bool named = fault.kind == InterventionKind::Load; // expectations name it by its instant
        if (!ofAMessage && !named) fault.at = std::min(fault.at + upTo(kLate), scenario.horizon);
    }
    for (ActorSpec& actor : scenario.actors) {
        actor.start += upTo(kLate / 2);
        for (Duration* latency : {&actor.requestLatency, &actor.replyLatency})
            if (*latency <= millis(1)) *latency = Duration{100} + upTo(Duration{900}); // this machine's own
        // Both may meet the same message.
        for (const auto kind : {InterventionKind::Delay, InterventionKind::DelayReply})
            scenario.interventions.push_back({kind, actor.name,
                                              Instant{} + upTo(scenario.horizon.time_since_epoch()),
                                              Duration{1} + upTo(kLate / 2)});
    }
    return scenario;
}

} // namespace

/// Of two things that happen at nearly the same time either may come first on a real machine. So no step that
/// is run live may hang on which it is. That is tried here in virtual time: in real time one run in thirty
/// showed the last such step, and took two minutes.
class LiveMarginsTest : public QObject {
    Q_OBJECT
private slots:
    void whatIsALittleLateChangesNothing_data();
    void whatIsALittleLateChangesNothing();
};

void LiveMarginsTest::whatIsALittleLateChangesNothing_data() {
    QTest::addColumn<QString>("file");
    for (const Lesson& lesson : readLessonFolder(LOCKSCOPE_SOURCE_DIR "/lessons").lessons)
        QTest::addRow("%s", lesson.id.c_str()) << QString::fromStdString(lesson.file);
}

void LiveMarginsTest::whatIsALittleLateChangesNothing() {
    QFETCH(QString, file);
    const Result<Lesson> lesson = readLesson(file.toStdString());
    QVERIFY(lesson.ok());
    const bool manyRuns = qEnvironmentVariableIsSet("LOCKSCOPE_LONG");
    Runner runner;
    JudgedRun run;
    int wrong = 0;
    for (const Step& step : lesson->steps) {
        if (!step.notLive.empty()) continue;
        const Result<Scenario> scenario = makeLiveScenario(*lesson, step);
        QVERIFY2(scenario.ok(), step.title.c_str());
        const int runs = fillsMemory(*scenario) ? (manyRuns ? 20 : 2) : (manyRuns ? 2000 : 200);
        for (int seed = 0; seed < runs && wrong < 10; ++seed) {
            QVERIFY(runner.run(onABusyMachine(*scenario, static_cast<std::uint64_t>(seed)), run).ok());
            for (const CheckFinding& finding : checkLiveRun(*lesson, step, run)) {
                if (finding.holds) continue;
                ++wrong;
                qWarning("%s:%d: seed %d: expected %s, found %s", lesson->id.c_str(), finding.line, seed,
                         finding.expectation.c_str(), finding.instead.c_str());
            }
        }
    }
    QCOMPARE(wrong, 0);
}

QTEST_APPLESS_MAIN(LiveMarginsTest)
#include "live_margins_test.moc"
