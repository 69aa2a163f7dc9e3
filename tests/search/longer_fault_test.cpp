// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run that is told from another one must be the run that simulating it gives.

#include <QTest>

#include "core/lesson/lesson.h"
#include "core/search/longer_fault.h"
#include "core/trace/exports.h"
#include "core/trace/invariants.h"
#include "tests/world/any_fault.h"
#include "tests/world/scenario_builder.h"

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

namespace {

std::string everything(const Trace& trace) {
    Analysis analysis;
    analyse(trace, analysis);
    std::vector<Violation> violations;
    Judge().judge(trace, analysis, violations);
    return toJson(trace, analysis, violations, outcomeOf(trace, analysis));
}

/// Two simulators, one of which skips the longer run if it can.
struct Pair {
    Simulator telling;
    Simulator running;
    Trace told;
    Trace ran;

    /// The scenario's last fault lasts `longer` then. "" also if it has to be run.
    std::string difference(Scenario scenario, Duration longer) {
        telling.run(scenario, told);
        scenario.interventions.back().length = longer;
        wasTold = makeLonger(told, telling, longer);
        if (!wasTold) return {};
        running.run(scenario, ran);
        const std::string a = everything(told);
        const std::string b = everything(ran);
        if (a == b && told.reached == ran.reached) return {};
        return whereTheyPart(scenario, "told", a, "ran", b);
    }
    bool wasTold = false;
};

/// A's requests and replies travel for two seconds, so that there is time in between.
Scenario twoActors(const char* program, const char* other) {
    ScenarioBuilder s;
    s.lesson("story").lock("L").knob("ttl", 30s).horizon(60s);
    s.actor("A", program).latency(2s).actor("B", other);
    return s;
}

constexpr const char* kOther = "sleep(10000) redis.call('SET', lock, 'b') sleep(20000) log('over')";

} // namespace

class LongerFaultTest : public QObject {
    Q_OBJECT

private slots:
    void lessonsUnderAnyFaults() {
        const LessonShelf shelf = readLessonFolder(LOCKSCOPE_SOURCE_DIR "/lessons");
        QVERIFY(shelf.broken.empty());
        Pair pair;
        Random chance(20261130);
        const int rounds = qEnvironmentVariableIsSet("LOCKSCOPE_LONG") ? 3000 : 80;
        int told = 0;
        for (const Lesson& lesson : shelf.lessons)
            for (int round = 0; round < rounds; ++round) {
                Scenario scenario = makeScenario(lesson, {}, {}, 1 + chance.below(1000)).value();
                for (std::uint64_t n = chance.below(3); n > 0; --n)
                    scenario.interventions.push_back(anyFault(chance, scenario));
                Intervention last;
                last.kind = chance.below(4) == 0 ? InterventionKind::Partition : InterventionKind::Pause;
                last.actor = scenario.actors[chance.below(scenario.actors.size())].name;
                last.at = scenario.interventions.empty() || chance.below(2) == 0
                              ? instantAt(millis(static_cast<std::int64_t>(chance.below(30'000))))
                              : scenario.interventions.back().at + millis(1);
                last.length = millis(1 + static_cast<std::int64_t>(chance.below(20'000)));
                scenario.interventions.push_back(last);
                const Duration more{
                    static_cast<std::int64_t>(chance.below(chance.below(2) == 0 ? 4 : 900'000))};
                const std::string difference = pair.difference(scenario, last.length + more);
                QVERIFY2(difference.empty(), difference.c_str());
                told += pair.wasTold ? 1 : 0;
            }
        // A good part can be told: else this compares nothing.
        QVERIFY2(told > rounds * static_cast<int>(shelf.lessons.size()) / 4,
                 qPrintable(QString::number(told)));
    }

    void whatIsTold_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("other");
        QTest::addColumn<QString>("faults"); // the last one is made longer
        QTest::addColumn<qint64>("seconds");
        QTest::addColumn<bool>("told");
        const auto row = [](const char* name, const char* program, const char* faults, qint64 to, bool told,
                            const char* other = kOther) {
            QTest::newRow(name) << program << other << faults << to << told;
        };
        row("it sleeps on", "sleep(20000)", "pause A@1s+5s", 12, true);
        row("what came meanwhile waits for its end", "sleep(3000)", "pause A@1s+5s", 6, false);
        row("it would have woken up", "sleep(8000)", "pause A@1s+5s", 9, false);
        row("it works", "work('w', 20000)", "pause A@1s+5s", 6, false);
        row("it computes", "compute('c', 20000)", "pause A@1s+5s", 6, false);
        row("it worked before", "work('w', 500) sleep(20000)", "pause A@1s+5s", 6, true);
        row("another task works", "spawn(function() work('w', 20000) end) sleep(20000)", "pause A@1s+5s", 6,
            false);
        row("a task of its counts, and nothing tells of it",
            "local n = 0 every(1000, function() n = n + 1 end) sleep(20000) log(n)", "pause A@1s+1500ms", 5,
            false);
        row("it waits for a message", "local s = redis.subscribe('c') s:receive(1000) s:receive(30000)",
            "pause A@7s+3s", 8, true);
        row("a message comes", "local s = redis.subscribe('c') s:receive(30000)", "pause A@5s+4s", 12, false,
            "sleep(8000) redis.call('PUBLISH', 'c', 'x')");
        row("it is dead", "sleep(500) redis.nonsense()", "pause A@1s+5s", 6, true);
        row("it stops where somebody else does something", "sleep(25000)", "pause A@1s+5s", 9, false);
        row("another pause ends with it", "sleep(20000)", "pause A@3s+3s; pause A@1s+5s", 6, true);
        row("another pause holds it longer", "sleep(20000)", "pause A@3s+9s; pause A@1s+5s", 6, true);
        row("another pause ends in between", "sleep(20000)", "pause A@3s+4s; pause A@1s+5s", 9, false);
        row("a process after it is resumed then", "sleep(20000)",
            "restart A@3s; pause A@4s+3s; pause A@2s+5s", 6, false);
        row("it was done to nobody, and a process is resumed then", "sleep(20000)",
            "kill A@1s; restart A@3s; pause A@4s+3s; pause A@2s+5s", 6, true);
        row("cut off, it says nothing", "sleep(20000) redis.call('PING')", "partition A@1s+5s", 12, true);
        row("cut off, it would have asked", "sleep(8000) redis.call('PING')", "partition A@1s+5s", 12, false);
        row("cut off while it works", "work('w', 20000) redis.call('PING')", "partition A@1s+5s", 12, true);
        row("cut off while its server hangs up", "redis.pcall('BLPOP', 'q', 0)", "partition A@3s+3s", 6,
            false, "sleep(8000) redis.call('CLIENT', 'KILL', 'TYPE', 'normal')");
        row("cut off while a channel ends", "local s = redis.subscribe('c') s:receive(30000)",
            "partition A@5s+1s", 4, false, "sleep(8000) redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub')");
    }
    void whatIsTold() {
        QFETCH(QString, program);
        QFETCH(QString, other);
        QFETCH(QString, faults);
        QFETCH(qint64, seconds);
        QFETCH(bool, told);
        Scenario scenario = twoActors(program.toUtf8().constData(), other.toUtf8().constData());
        for (const QString& fault : faults.split(QStringLiteral("; ")))
            scenario.interventions.push_back(*parseIntervention(fault.toStdString()));
        Pair pair;
        const std::string difference = pair.difference(scenario, lockscope::seconds(seconds));
        QVERIFY2(difference.empty(), difference.c_str());
        QCOMPARE(pair.wasTold, told);
    }
};

QTEST_GUILESS_MAIN(LongerFaultTest)
#include "longer_fault_test.moc"
