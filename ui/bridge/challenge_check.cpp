// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/challenge_check.h"

#include <QMetaObject>

#include <algorithm>

#include "core/base/assert.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {

/// More than `lockscope check` takes: somebody waits who can stop it.
constexpr std::uint64_t kSchedules = 100'000;

} // namespace

ChallengeCheck::ChallengeCheck(LessonModel& lesson, RunModel& run, QObject* parent)
    : QObject(parent), m_lesson(lesson), m_run(run) {
    connect(&lesson, &LessonModel::stepChanged, this, &ChallengeCheck::enterStep);
    connect(&lesson, &LessonModel::programsChanged, this, &ChallengeCheck::follow);
    connect(&lesson, &LessonModel::summaryChanged, this, &ChallengeCheck::changed);
    connect(&run, &RunModel::veilChanged, this, &ChallengeCheck::changed);
}

ChallengeCheck::~ChallengeCheck() = default;

const Challenge* ChallengeCheck::challenge() const {
    const Step* step = m_lesson.currentStep();
    return step != nullptr && !m_lesson.atSummary() && step->challenge ? &*step->challenge : nullptr;
}

Programs ChallengeCheck::programs() const {
    return m_lesson.setup().programs;
}

std::size_t ChallengeCheck::actors() const {
    return m_lesson.lesson() == nullptr ? 0 : m_lesson.lesson()->base.actors.size();
}

bool ChallengeCheck::possible() const {
    return challenge() != nullptr && m_lesson.hasRun() && m_run.pastEditable() &&
           m_run.veil() >= m_run.run()->trace->reached;
}

void ChallengeCheck::start() {
    LOCKSCOPE_ASSERT(possible());
    Result<ChallengePlan> plan = challengePlanOf(*m_lesson.lesson(), *m_lesson.currentStep(), programs());
    LOCKSCOPE_ASSERT(plan.ok()); // it is the run that is shown, but for knobs and faults
    m_plan = std::move(*plan);
    m_plan.schedules = std::max(m_plan.schedules, kSchedules);
    m_programs = programs();
    m_result.reset();
    m_progress = {};
    m_state = State::Searching;
    m_worker.start([this, plan = m_plan](ProbePool& pool, const LatestJob::Task& task) {
        const auto tell = [&](const ExploreProgress& progress) {
            task.tell([this, progress] {
                if (m_state != State::Searching) return;
                m_progress = progress;
                emit changed();
            });
        };
        auto result =
            std::make_shared<const ChallengeResult>(tryChallenge(pool, plan, &task.cancelled(), tell));
        task.tell([this, result = std::move(result)] { end(result); });
    });
    emit changed();
}

void ChallengeCheck::cancel() {
    if (m_state != State::Searching) return;
    m_state = State::Stopped;
    m_worker.cancel();
    emit changed();
}

void ChallengeCheck::end(std::shared_ptr<const ChallengeResult> result) {
    if (m_state != State::Searching && m_state != State::Stopped) return;
    m_result = std::move(result);
    if (m_state == State::Searching) {
        m_state = State::Done;
        // What the lesson itself has shown is nobody's achievement.
        if (m_result->passed() && !samePrograms(m_programs, challenge()->solution))
            m_lesson.progress().setPassed(qstr(m_lesson.lesson()->id), *m_lesson.currentStep());
        if (playable()) play();
    }
    emit changed();
}

void ChallengeCheck::follow() {
    if (m_state == State::Searching && !samePrograms(m_programs, programs())) {
        m_state = State::Changed;
        m_worker.cancel();
    }
    emit changed();
}

void ChallengeCheck::enterStep() {
    const QString place = m_lesson.path() + QLatin1Char('\n') + QString::number(m_lesson.step());
    if (place != std::exchange(m_place, place)) {
        m_worker.drop();
        m_state = State::Idle;
        m_result.reset();
        m_programs.clear();
        m_hints = 0;
    }
    follow();
}

QString ChallengeCheck::sentence() const {
    return m_result ? qstr(sentenceFor(m_plan, *m_result)) : QString();
}

/// The challenge's knobs, the programs as they were checked, and the faults that were found.
QString ChallengeCheck::play() {
    LOCKSCOPE_ASSERT(playable());
    m_run.pause();
    Setup found = m_lesson.setup();
    found.knobs = m_plan.scenario.knobs;
    found.programs = m_programs;
    found.interventions = m_result->interventions();
    if (QString problem = m_lesson.change(std::move(found), tr("what the check found")); !problem.isEmpty())
        return problem;
    if (!m_result->search.why.empty())
        m_run.playThrough(m_result->interventions(), m_result->search.why.front().at);
    else
        m_run.playTo(m_result->at > Instant{} ? m_result->at : m_run.end());
    return {};
}

bool ChallengeCheck::hintsLeft() const {
    return challenge() != nullptr && m_hints < static_cast<int>(challenge()->hints.size());
}

void ChallengeCheck::nextHint() {
    if (!hintsLeft()) return;
    ++m_hints;
    emit changed();
}

QString ChallengeCheck::showSolution() {
    const Challenge* wanted = challenge();
    if (wanted == nullptr) return {};
    Setup solved = m_lesson.setup();
    for (const auto& program : wanted->solution)
        solved.programs = withText(*m_lesson.lesson(), *m_lesson.currentStep(), std::move(solved.programs),
                                   program->name, program->source);
    return m_lesson.change(std::move(solved), tr("the solution"));
}

} // namespace lockscope::ui
