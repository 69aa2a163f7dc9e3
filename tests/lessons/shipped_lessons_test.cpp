// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>

#include "core/lesson/judged_run.h"
#include "core/lesson/lesson.h"
#include "core/search/challenge.h"
#include "core/search/matrix.h"
#include "core/search/odds.h"
#include "core/trace/exports.h"
#include "core/world/simulator.h"

using namespace lockscope;

/// What the shipped lessons claim is so, and they keep to the habits of lessons/README.md.
class ShippedLessons : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void everyExpectationHolds();
    void everyChallengeIsWhatItSays();
    void everyProgramIsToldInEveryLanguage();
    void whatIsToldIsCode_data();
    void whatIsToldIsCode();
    void everyStepAsksOrShows();
    void everyKnobCanBeTurned();
    void aServerThatRefusesEndsNoRun();
    void transcripts_data();
    void transcripts();
    void matrices();
    void odds();
    void aCellIsBrokenByWhatItNames();
    void expiryBreaksWhatItShould();
    void staleDelBreaksWhatItShould();
    void aDeadHolderHarmsNobody();
    void nobodyBreaksAnythingInTheFirstStep();

private:
    const Lesson& lesson(std::string_view id) const {
        const auto found = std::find_if(m_shelf.lessons.begin(), m_shelf.lessons.end(),
                                        [&](const Lesson& one) { return one.id == id; });
        if (found == m_shelf.lessons.end()) qFatal("a lesson is missing");
        return *found;
    }
    /// "belief-overlap Server A + Server B @ 31.002s", one a violation.
    QStringList violations(std::string_view id, const std::vector<Intervention>& interventions = {});
    JudgedRun run(std::string_view id, const std::vector<Intervention>& interventions = {});

    void compareToGolden(const QString& name, const QString& found);

    LessonShelf m_shelf;
    Runner m_runner;
    Matrix m_matrix;
};

void ShippedLessons::initTestCase() {
    m_shelf = readLessonFolder(LOCKSCOPE_SOURCE_DIR "/lessons");
    for (const Error& error : m_shelf.broken)
        qWarning("%s", error.text().c_str());
    QVERIFY(m_shelf.broken.empty());
    QVERIFY(m_shelf.lessons.size() >= 2);
}

void ShippedLessons::everyExpectationHolds() {
    for (const Lesson& one : m_shelf.lessons) {
        const std::vector<CheckFinding> findings = checkLesson(one);
        QVERIFY(!findings.empty());
        for (const CheckFinding& finding : findings) {
            const std::string what = one.id + ":" + std::to_string(finding.line) + ": " +
                                     finding.expectation + ", found " + finding.instead;
            QVERIFY2(finding.holds, what.c_str());
        }
    }
}

/// Each solution passes; the programs as they begin, and programs that do nothing, do not.
void ShippedLessons::everyChallengeIsWhatItSays() {
    ProbePool pool;
    std::vector<std::string> with;
    for (const Lesson& one : m_shelf.lessons) {
        for (const CheckFinding& finding : checkChallenges(one, [&](const ChallengePlan& plan) {
                 const ChallengeResult result = tryChallenge(pool, plan);
                 return ChallengeTrial{result.passed(), sentenceFor(plan, result)};
             }))
            QVERIFY2(finding.holds, (one.id + ": " + finding.expectation + ": " + finding.instead).c_str());
        for (const Step& step : one.steps) {
            if (!step.challenge) continue;
            with.push_back(one.id);
            QVERIFY2(step.challenge->hints.size() >= 2, one.id.c_str());
        }
    }
    for (const char* id : {"stale-del", "toctou", "safe-release", "renewal", "renewal-limits", "fencing",
                           "eviction", "unknown-outcome", "waiting", "failover", "redlock", "mental-model"})
        QVERIFY2(std::find(with.begin(), with.end(), id) != with.end(), id);
}

void ShippedLessons::everyProgramIsToldInEveryLanguage() {
    for (const Lesson& one : m_shelf.lessons)
        for (const auto& program : one.programs)
            for (const Language& language : languages()) {
                const bool told = std::any_of(
                    one.translations.begin(), one.translations.end(), [&](const Translation& each) {
                        return each.program == program->name && each.language == language.id;
                    });
                QVERIFY2(told, (one.id + ": " + program->name + " in " + language.name).c_str());
            }
}

void ShippedLessons::whatIsToldIsCode_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("source");
    for (const Lesson& one : m_shelf.lessons)
        for (const Translation& each : one.translations)
            QTest::newRow((one.id + " " + each.program + " " + each.language).c_str())
                << QString::fromStdString(each.language) << QString::fromStdString(each.source);
}

/// By the language itself, where it is installed.
void ShippedLessons::whatIsToldIsCode() {
    QFETCH(QString, language);
    QFETCH(QString, source);
    const bool js = language == QLatin1String("js");
    const QString program =
        QStandardPaths::findExecutable(js ? QStringLiteral("node") : QStringLiteral("python3"));
    if (program.isEmpty()) QSKIP("that language is not installed here");
    QTemporaryDir folder;
    QFile file(folder.filePath(js ? QStringLiteral("told.mjs") : QStringLiteral("told.py")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(source.toUtf8());
    file.close();
    QProcess check;
    check.start(program,
                js ? QStringList{QStringLiteral("--check"), file.fileName()}
                   : QStringList{QStringLiteral("-c"),
                                 QStringLiteral("import ast, sys; ast.parse(open(sys.argv[1]).read())"),
                                 file.fileName()});
    QVERIFY(check.waitForFinished(60'000));
    QVERIFY2(check.exitCode() == 0, check.readAllStandardError().constData());
}

/// Errors that come at once must not be asked away in no time: each run goes on to its horizon.
void ShippedLessons::aServerThatRefusesEndsNoRun() {
    int runs = 0;
    for (const Lesson& one : m_shelf.lessons)
        for (const char* text :
             {"server-kill Redis@0s", "server-kill Redis@5s", "admin Redis@1s CONFIG SET requirepass x",
              "admin Redis@1s CONFIG SET maxmemory 1"}) {
            const Intervention fault = parseIntervention(text).value();
            if (!whyImpossible(one.base, fault.kind).empty()) continue;
            const Result<void> whole = runsToItsEnd(makeScenario(one, {}, {fault}, 1).value());
            QVERIFY2(whole.ok(), whole ? "" : (one.id + ", " + text + ": " + whole.error().message).c_str());
            ++runs;
        }
    QVERIFY(runs >= 2 * static_cast<int>(m_shelf.lessons.size()));
}

void ShippedLessons::everyStepAsksOrShows() {
    for (const Lesson& one : m_shelf.lessons) {
        QCOMPARE(QFileInfo(QString::fromStdString(one.file)).completeBaseName().toStdString(), one.id);
        QVERIFY(one.number > 0);
        for (const Step& step : one.steps) {
            QVERIFY2(!step.expectations.empty(), step.title.c_str());
            QVERIFY2(!step.notes.empty(), step.title.c_str());
            QVERIFY2(!step.prose.empty(), step.title.c_str());
            for (const Prediction& question : step.predictions) {
                for (const Prediction::Option& option : question.options)
                    QVERIFY2(!option.because.empty(), option.text.c_str());
                // The playhead may not stand where the veil is.
                QVERIFY2(step.runUntil == kNever || step.runUntil <= question.gate, step.title.c_str());
            }
        }
    }
}

void ShippedLessons::everyKnobCanBeTurned() {
    for (const Lesson& one : m_shelf.lessons) {
        const bool shown = std::any_of(one.steps.begin(), one.steps.end(), [](const Step& step) {
            return std::find(step.show.begin(), step.show.end(), Panel::Knobs) != step.show.end();
        });
        QVERIFY2(shown || one.knobs.empty(), one.id.c_str());
    }
}

JudgedRun ShippedLessons::run(std::string_view id, const std::vector<Intervention>& interventions) {
    JudgedRun out;
    const Result<Scenario> scenario = makeScenario(lesson(id), {}, interventions, lesson(id).base.seed);
    if (!scenario) qFatal("%s", scenario.error().text().c_str());
    const Result<void> ran = m_runner.run(*scenario, out);
    if (!ran) qFatal("%s", ran.error().text().c_str());
    return out;
}

QStringList ShippedLessons::violations(std::string_view id, const std::vector<Intervention>& interventions) {
    const JudgedRun judged = run(id, interventions);
    QStringList out;
    for (const Violation& violation : judged.violations) {
        std::string line(nameOf(violation.invariant));
        for (const ActorIndex actor : violation.actors)
            if (actor != kNone)
                line += " " + judged.trace.actors[static_cast<std::size_t>(actor)].name.substr(7);
        out << QString::fromStdString(line + " " + formatDuration(violation.at.time_since_epoch()));
    }
    return out;
}

void ShippedLessons::transcripts_data() {
    QTest::addColumn<QString>("id");
    for (const Lesson& one : m_shelf.lessons)
        QTest::newRow(one.id.c_str()) << QString::fromStdString(one.id);
}

/// Against a file that is read in review. LOCKSCOPE_RENEW=1 writes the files anew.
void ShippedLessons::compareToGolden(const QString& name, const QString& found) {
    QFile golden(LOCKSCOPE_SOURCE_DIR "/tests/lessons/golden/" + name);
    if (qEnvironmentVariableIsSet("LOCKSCOPE_RENEW")) {
        QVERIFY(golden.open(QIODevice::WriteOnly));
        golden.write(found.toUtf8());
        QSKIP("the golden file has been written anew");
    }
    QVERIFY2(golden.open(QIODevice::ReadOnly), "no golden file; LOCKSCOPE_RENEW=1 writes one");
    const QStringList wanted = QString::fromUtf8(golden.readAll()).split('\n');
    const QStringList lines = found.split('\n');
    for (qsizetype i = 0; i < std::max(wanted.size(), lines.size()); ++i)
        QCOMPARE(QString("%1: %2").arg(i + 1).arg(lines.value(i)),
                 QString("%1: %2").arg(i + 1).arg(wanted.value(i)));
}

/// The whole run in words.
void ShippedLessons::transcripts() {
    QFETCH(QString, id);
    const JudgedRun judged = run(id.toStdString());
    compareToGolden(id + ".txt", QString::fromStdString(toText(judged.trace, judged.analysis,
                                                               judged.violations, judged.outcome)));
}

/// What each mechanism protects against, and what not, as it was found out.
void ShippedLessons::matrices() {
    const FailurePlan plan = failurePlanOf(lesson("mental-model"));
    ProbePool pool;
    m_matrix = searchMatrix(pool, plan, kSchedulesPerCell);
    compareToGolden("mental-model.matrix.md", QString::fromStdString(toMarkdown(plan, m_matrix)));
}

/// What the lease costs, short and long, as it was found out. Fewer runs than the window makes.
void ShippedLessons::odds() {
    const Lesson& lease = lesson("lease");
    const OddsPlan plan = oddsPlanOf(lease, {}, lease.base.seed, {}).value();
    ProbePool pool;
    const Odds found = findOdds(pool, plan, 30);
    QVERIFY(found.complete);
    // More than the picture of one day: each step to a longer lease buys with one what it pays with the
    // other.
    for (std::size_t i = 1; i < found.points.size(); ++i) {
        QVERIFY(found.points[i].overlapShare() <= found.points[i - 1].overlapShare());
        QVERIFY(found.points[i].meanRecovery() > found.points[i - 1].meanRecovery());
        QVERIFY(found.points[i].recoveries.back() <= found.points[i].value);
    }
    // The longest report is twice the usual longest: 32 s. Nothing takes longer, so nothing overlaps beyond.
    for (const OddsPoint& point : found.points)
        QCOMPARE(point.overlapped == 0, point.value > seconds(32));
    // On one thread or several, in one go or not: the same figures.
    ProbePool alone(1);
    QCOMPARE(toMarkdown(plan, findOdds(alone, plan, 30)), toMarkdown(plan, found));
    compareToGolden("lease.odds.md", QString::fromStdString(toMarkdown(plan, found)));
}

/// Every run that the table offers breaks what its cell says, and has no fault too many.
void ShippedLessons::aCellIsBrokenByWhatItNames() {
    const FailurePlan plan = failurePlanOf(lesson("mental-model"));
    QCOMPARE(m_matrix.cells.size(), plan.scenarios.size());
    Probe probe;
    for (std::size_t i = 0; i < plan.scenarios.size(); ++i)
        for (const MatrixCell::Broken& broken : m_matrix.cells[i].broken) {
            const auto breaks = [&](std::size_t faults) {
                Scenario scenario = plan.scenarios[i];
                scenario.interventions.assign(broken.interventions.begin(),
                                              broken.interventions.begin() +
                                                  static_cast<std::ptrdiff_t>(faults));
                const std::vector<Violation>& violations = probe.run(scenario);
                return std::any_of(violations.begin(), violations.end(),
                                   [&](const Violation& v) { return v.invariant == broken.invariant; });
            };
            QVERIFY2(breaks(broken.interventions.size()), sentenceFor(m_matrix.cells[i]).c_str());
            if (!broken.interventions.empty()) QVERIFY(!breaks(broken.interventions.size() - 1));
        }
}

void ShippedLessons::expiryBreaksWhatItShould() {
    QCOMPARE(violations("expiry"), (QStringList{"unprotected-work A 30.201s", "belief-overlap A B 31.002s"}));
}

void ShippedLessons::staleDelBreaksWhatItShould() {
    QStringList found = violations("stale-del");
    found.sort();
    QStringList wanted{"unprotected-work A 30.201s", "belief-overlap A B 31.002s",
                       "foreign-delete A B 45.203s", "unprotected-work B 45.203s",
                       "belief-overlap B C 46.002s", "foreign-delete B C 51.003s",
                       "unprotected-work C 51.003s"};
    wanted.sort();
    QCOMPARE(found, wanted);
}

void ShippedLessons::aDeadHolderHarmsNobody() {
    const std::vector<Intervention> kill{
        {InterventionKind::Kill, "Server A", instantAt(seconds(10)), Duration{0}}};
    for (const char* id : {"expiry", "stale-del"}) {
        QCOMPARE(violations(id, kill), QStringList{});
        const JudgedRun judged = run(id, kill);
        // Server B still waits for the end of the lease, and for its own next ask after that.
        QCOMPARE(judged.analysis.grants.at(1).from, instantAt(millis(31'001)));
    }
}

void ShippedLessons::nobodyBreaksAnythingInTheFirstStep() {
    for (const Lesson& one : m_shelf.lessons) {
        const Result<Scenario> scenario = makeScenario(one, one.steps.front());
        QVERIFY(scenario.ok());
        JudgedRun judged;
        QVERIFY(m_runner.run(*scenario, judged).ok());
        QVERIFY2(judged.violations.empty(), one.id.c_str());
    }
}

QTEST_GUILESS_MAIN(ShippedLessons)
#include "shipped_lessons_test.moc"
