// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/failure_search.h"

#include <QMetaObject>

#include <algorithm>
#include <utility>

#include "core/base/assert.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/same_scenario.h"

namespace lockscope::ui {

FailureSearch::FailureSearch(LessonModel& lesson, RunModel& run, QObject* parent)
    : QObject(parent), m_lesson(lesson), m_run(run) {
    connect(&run, &RunModel::runChanged, this, &FailureSearch::follow);
    connect(&run, &RunModel::veilChanged, this, &FailureSearch::follow);
    connect(&lesson, &LessonModel::stepChanged, this, &FailureSearch::follow);
}

FailureSearch::~FailureSearch() = default;

bool FailureSearch::possible() const {
    return m_run.run() && m_run.pastEditable() && m_run.veil() >= m_run.run()->trace->reached;
}

void FailureSearch::start(const Question& question) {
    LOCKSCOPE_ASSERT(possible());
    m_request = {};
    m_request.scenario = m_run.scenario();
    m_before = m_request.scenario.interventions;
    if (!question.keepFaults) m_request.scenario.interventions.clear();
    m_request.invariant = question.invariant;
    m_request.budget = question.budget;
    m_result.reset();
    m_progress = {};
    m_state = State::Searching;
    m_worker.start([this, request = m_request](ProbePool& pool, const LatestJob::Task& task) {
        const auto tell = [&](const ExploreProgress& progress) {
            task.tell([this, progress] {
                if (m_state != State::Searching) return;
                m_progress = progress;
                emit changed();
            });
        };
        auto result = std::make_shared<const Exploration>(explore(pool, request, &task.cancelled(), tell));
        task.tell([this, result = std::move(result)] { end(result); });
    });
    emit changed();
}

/// What was covered until then is told when the search has ended, a few milliseconds later.
void FailureSearch::cancel() {
    if (m_state != State::Searching) return;
    m_state = State::Stopped;
    m_worker.cancel();
    emit changed();
}

void FailureSearch::end(std::shared_ptr<const Exploration> result) {
    if (m_state == State::RunChanged || m_state == State::Idle) return;
    m_result = std::move(result);
    if (m_state == State::Searching) m_state = m_result->found ? State::Found : State::NotFound;
    if (m_state == State::Found) play();
    emit changed();
}

void FailureSearch::follow() {
    if (m_state == State::Searching && (!isShown(m_before) || !possible())) {
        m_state = isShown(m_before) ? State::Idle : State::RunChanged; // a question has come up
        m_worker.cancel();
    }
    // A hand that drags changes the run many times a second.
    if (const Shown now = shown(); now != std::exchange(m_followed, now)) emit changed();
}

FailureSearch::Shown FailureSearch::shown() const {
    return {m_state,
            m_run.run() != nullptr,
            possible(),
            current(),
            m_run.run() && !m_run.scenario().interventions.empty(),
            violation()};
}

std::vector<Intervention> FailureSearch::failure() const {
    return m_result && m_result->found ? withFailure(m_request, *m_result).interventions
                                       : std::vector<Intervention>{};
}

bool FailureSearch::isShown(const std::vector<Intervention>& faults) const {
    if (!m_run.run()) return false;
    Scenario asked = m_request.scenario;
    asked.interventions = faults;
    return sameScenario(asked, m_run.scenario());
}

bool FailureSearch::current() const {
    return m_result && (isShown(m_before) || (m_result->found && isShown(failure())));
}

int FailureSearch::violation() const {
    if (!m_result || !m_result->found || !isShown(failure())) return -1;
    const std::vector<Violation>& all = m_run.run()->violations;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Violation& v) {
        return v.invariant == m_result->invariant && v.at == m_result->why.front().at;
    });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

QString FailureSearch::play() {
    LOCKSCOPE_ASSERT(m_result && m_result->found);
    m_run.pause();
    if (!isShown(failure())) {
        Setup found = m_lesson.setup();
        found.interventions = failure();
        if (QString problem = m_lesson.change(std::move(found), tr("the failure that was found"));
            !problem.isEmpty())
            return problem;
    }
    m_run.playThrough(m_result->interventions, m_result->why.front().at);
    return {};
}

} // namespace lockscope::ui
