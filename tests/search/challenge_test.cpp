// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/lesson/lesson.h"
#include "core/lesson/programs.h"
#include "core/search/challenge.h"

using namespace lockscope;
using Verdict = ChallengeResult::Verdict;

/// The challenge of `stale-del`, met by what meets it and by nothing else. Programs that cheat are among
/// those that people try first.
class ChallengeTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        Result<Lesson> read = readLesson(LOCKSCOPE_SOURCE_DIR "/lessons/stale-del.md");
        if (!read) qFatal("%s", read.error().text().c_str());
        m_lesson = std::move(*read);
        m_step = &m_lesson.steps.back();
        QVERIFY(m_step->challenge.has_value());
    }
    void theSolutionPassesAndSaysWhatWasCovered();
    void whatIsFoundIsARunThatBreaks();
    void cheatsDoNotPass_data();
    void cheatsDoNotPass();
    void workThatAFaultUndoesIsFound();
    void itCanBeStopped();

private:
    /// The solution, with `from` replaced by `to` in both programs.
    Programs solutionWith(const QString& from, const QString& to) const {
        Programs programs;
        for (const auto& program : m_step->challenge->solution) {
            QString source = QString::fromStdString(program->source);
            if (!source.contains(from)) qFatal("not in the solution: %s", qPrintable(from));
            programs =
                withText(m_lesson, *m_step, programs, program->name, source.replace(from, to).toStdString());
        }
        return programs;
    }
    ChallengePlan plan(const Programs& programs) const {
        Result<ChallengePlan> plan = challengePlanOf(m_lesson, *m_step, programs);
        if (!plan) qFatal("%s", plan.error().text().c_str());
        plan->faults = 1;
        return std::move(*plan);
    }

    Lesson m_lesson;
    const Step* m_step = nullptr;
    ProbePool m_pool;
};

void ChallengeTest::theSolutionPassesAndSaysWhatWasCovered() {
    const ChallengePlan asked = plan(m_step->challenge->solution);
    const ChallengeResult result = tryChallenge(m_pool, asked);
    const std::string said = sentenceFor(asked, result);
    QVERIFY2(result.passed(), said.c_str());
    QCOMPARE(result.made, 3);
    QCOMPARE(result.fewest, 2); // one of the three dies
    QCOMPARE(result.singles, result.search.coverage.ones);
    QVERIFY2(said.find("at least 2 under each of") != std::string::npos, said.c_str());
    QVERIFY2(said.find("Not broken in") != std::string::npos, said.c_str());
    QVERIFY2(said.find("safe") == std::string::npos, said.c_str());
}

void ChallengeTest::whatIsFoundIsARunThatBreaks() {
    const ChallengePlan asked = plan(m_step->programs);
    const ChallengeResult result = tryChallenge(m_pool, asked);
    QVERIFY(result.verdict == Verdict::Breaks);
    QCOMPARE(result.search.invariant, Invariant::ForeignDelete);
    Probe probe;
    Scenario found = asked.scenario;
    found.interventions = result.interventions();
    QCOMPARE(found.interventions.size(), std::size_t{1});
    const std::vector<Violation>& broken = probe.run(found);
    QVERIFY(std::any_of(broken.begin(), broken.end(),
                        [](const Violation& v) { return v.invariant == Invariant::ForeignDelete; }));
}

void ChallengeTest::cheatsDoNotPass_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<int>("verdict");
    const auto row = [](const char* name, const char* from, const char* to, Verdict verdict) {
        QTest::newRow(name) << QString::fromLatin1(from) << QString::fromLatin1(to)
                            << static_cast<int>(verdict);
    };
    row("works without acting as the holder", "enter(lock)", "", Verdict::Breaks);
    row("keeps the lock for ever", "return redis.call(\"DEL\", KEYS[1])", "return 0", Verdict::TooLittle);
    row("works less", "work(\"Fetch\", part)", "", Verdict::Shortened);
    row("does not begin", "enter(lock)", "if true then return end enter(lock)", Verdict::TooLittle);
    row("ends in an error", "leave(lock)", "leave(lock) nothing()", Verdict::Fails);
    row("does not end", "leave(lock)", "leave(lock) while true do end", Verdict::Fails);
    row("acts as the holder without asking", "redis.call(\"SET\", lock, token,",
        "(function() return true end)(", Verdict::Breaks);
}

void ChallengeTest::cheatsDoNotPass() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(int, verdict);
    const ChallengePlan asked = plan(solutionWith(from, to));
    const ChallengeResult result = tryChallenge(m_pool, asked);
    QVERIFY2(static_cast<int>(result.verdict) == verdict, sentenceFor(asked, result).c_str());
}

/// Nobody deletes another's lock if nobody ever gives one back after an error: that it costs the work of
/// others shows under faults only.
void ChallengeTest::workThatAFaultUndoesIsFound() {
    ChallengePlan asked = plan(m_step->challenge->solution);
    asked.despite = 3;
    const ChallengeResult result = tryChallenge(m_pool, asked);
    QVERIFY(result.verdict == Verdict::Undone);
    QCOMPARE(result.made, 2);
    QCOMPARE(result.fault.size(), std::size_t{1});
    QVERIFY(sentenceFor(asked, result).find("only 2 of 3") != std::string::npos);
}

void ChallengeTest::itCanBeStopped() {
    const std::atomic<bool> stopped{true};
    const ChallengeResult result = tryChallenge(m_pool, plan(m_step->challenge->solution), &stopped);
    QVERIFY(result.verdict == Verdict::Cancelled);
}

QTEST_GUILESS_MAIN(ChallengeTest)
#include "challenge_test.moc"
