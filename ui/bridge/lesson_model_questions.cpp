// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Predict, then see: the question of a step, the veil over what it asks for, and the summary at the end.
#include "core/base/assert.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {
/// What the eye needs to see the veil go before the playhead starts to move.
constexpr Duration kVeilLifts = millis(400);
} // namespace

const Prediction* LessonModel::question() const {
    const Step* step = currentStep();
    return step != nullptr && !step->predictions.empty() ? &step->predictions.front() : nullptr;
}

const Prediction* LessonModel::openQuestion() const {
    return answer() ? nullptr : question();
}

std::optional<Answer> LessonModel::answerIn(int step) const {
    if (!m_lesson || step < 0 || step >= stepCount()) return std::nullopt;
    return m_progress.answer(qstr(m_lesson->id), m_lesson->steps[static_cast<std::size_t>(step)]);
}

void LessonModel::drawVeil() {
    const Prediction* open = openQuestion();
    m_run.setVeil(open != nullptr ? open->gate : kNever);
}

void LessonModel::answerQuestion(int option, Confidence confidence) {
    const Prediction* open = openQuestion();
    if (open == nullptr) return;
    LOCKSCOPE_ASSERT(option >= 0 && option < static_cast<int>(open->options.size()));
    settleQuestion({option, confidence});
}

void LessonModel::liftVeil() {
    if (openQuestion() != nullptr) settleQuestion({});
}

/// The veil goes, then the playhead runs to the last thing that breaks behind it; if nothing does, to the end
/// of what the step shows.
void LessonModel::settleQuestion(Answer answer) {
    const Instant gate = question()->gate;
    m_progress.setAnswer(qstr(m_lesson->id), *currentStep(), answer); // followProgress() lifts the veil
    if (!m_run.run()) return;
    const Instant shown = std::min(m_run.end(), currentStep()->viewUntil);
    Instant to = shown > gate ? shown : m_run.end();
    if (const auto& violations = m_run.run()->violations; // ordered by their instants
        !violations.empty() && violations.back().at >= gate)
        to = std::min(m_run.end(), violations.back().at);
    m_run.setPlayhead(gate);
    m_run.playTo(to, kVeilLifts);
}

/// The veil follows what is known of the question: answered here or in another window, or forgotten.
void LessonModel::followProgress() {
    if (!m_lesson) return;
    const Instant before = m_run.veil();
    drawVeil();
    if (m_run.veil() == before) return;
    m_run.pause();
    emit questionChanged();
}

void LessonModel::next() {
    if (!m_lesson || m_atSummary) return;
    if (m_step + 1 < stepCount()) return goTo(m_step + 1);
    m_run.pause();
    m_atSummary = true;
    m_progress.setFinished(qstr(m_lesson->id));
    emit summaryChanged();
}

void LessonModel::back() {
    if (m_atSummary)
        leaveSummary();
    else
        goTo(m_step - 1);
}

void LessonModel::leaveSummary() {
    if (std::exchange(m_atSummary, false)) emit summaryChanged();
}

} // namespace lockscope::ui
