// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the learner changes in a step's run: knobs, faults, programs, and trials.
#include <algorithm>

#include "core/base/assert.h"
#include "ui/bridge/fault_words.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

QString LessonModel::restart(As as) {
    auto scenario = makeScenario(*m_lesson, settled());
    if (!scenario) return qstr(scenario.error().message);
    return as == As::Own ? m_run.start(*scenario) : m_run.vary(*scenario);
}

/// Shows the run of a setup, and says what became another.
QString LessonModel::apply(Setup to) {
    if (to == m_setup) return {};
    std::swap(m_setup, to);
    if (QString problem = restart(As::Variation); !problem.isEmpty()) {
        std::swap(m_setup, to);
        return problem;
    }
    if (!sameKnobs(m_setup, to)) emit knobsChanged();
    if (m_setup.interventions != to.interventions) emit interventionsChanged();
    if (!samePrograms(m_setup.programs, to.programs)) emit programsChanged();
    return {};
}

/// Undo and redo. What has been shown once can be shown again: the lesson is the same.
void LessonModel::showAgain(const Setup& setup) {
    dropTrial();
    const std::vector<Intervention> before = m_setup.interventions;
    const QString problem = apply(setup);
    LOCKSCOPE_ASSERT(problem.isEmpty());
    selectReturned(before);
}

/// A fault that has come back by itself, or has changed, can be worked on at once, if nothing else is
/// selected and it does not lie behind the veil.
void LessonModel::selectReturned(std::vector<Intervention> before) {
    if (m_run.selection().kind != Selection::Kind::None) return;
    std::vector<int> returned;
    for (int i = 0; i < static_cast<int>(m_setup.interventions.size()); ++i) {
        const auto was =
            std::find(before.begin(), before.end(), m_setup.interventions[static_cast<std::size_t>(i)]);
        if (was == before.end())
            returned.push_back(i);
        else
            before.erase(was);
    }
    if (returned.size() != 1) return;
    if (m_setup.interventions[static_cast<std::size_t>(returned.front())].at <= m_run.veil())
        m_run.select({Selection::Kind::Intervention, returned.front()});
}

QString LessonModel::change(Setup to, const QString& what, const QString& merge) {
    if (!m_lesson) return {};
    dropTrial();
    Setup before = m_setup;
    if (QString problem = apply(std::move(to)); !problem.isEmpty()) return problem;
    m_history.made(what, std::move(before), m_setup, merge);
    return {};
}

SettledRun LessonModel::settled() const {
    LOCKSCOPE_ASSERT(m_lesson.has_value());
    return settledFrom(m_step, m_setup);
}

QString LessonModel::takeOver(const SettledRun& run, const QString& what) {
    LOCKSCOPE_ASSERT(m_lesson.has_value());
    return change(setupOf(run), what);
}

void LessonModel::beginTrial() {
    LOCKSCOPE_ASSERT(m_lesson.has_value());
    dropTrial();
    m_trial = m_setup;
    m_run.holdBaseline(); // what comes is compared with what was there before
    emit trialChanged();
}

QString LessonModel::tryOut(Setup to) {
    LOCKSCOPE_ASSERT(trying());
    return apply(std::move(to));
}

bool LessonModel::keepTrial(const QString& what) {
    LOCKSCOPE_ASSERT(trying());
    Setup before = *std::exchange(m_trial, std::nullopt);
    m_sliding.clear();
    const bool changed = !(before == m_setup);
    m_run.releaseBaseline();
    m_history.made(what, std::move(before), m_setup);
    emit trialChanged();
    return changed;
}

void LessonModel::dropTrial() {
    if (!m_trial) return;
    Setup before = *std::exchange(m_trial, std::nullopt);
    m_sliding.clear();
    const QString problem = apply(std::move(before));
    LOCKSCOPE_ASSERT(problem.isEmpty()); // it has been shown before
    m_run.releaseBaseline();
    emit trialChanged();
}

KnobValue LessonModel::knobValue(const std::string& name) const {
    for (const KnobSetting& knob : m_setup.knobs)
        if (knob.name == name) return knob.value;
    LOCKSCOPE_ASSERT(false && "a knob that the lesson has");
    return {};
}

QString LessonModel::setKnob(const std::string& name, const KnobValue& value) {
    LOCKSCOPE_ASSERT(m_lesson.has_value());
    const bool sliding = trying() && m_sliding == name;
    if (!sliding) dropTrial();
    Setup to = m_setup;
    const auto knob =
        std::find_if(to.knobs.begin(), to.knobs.end(), [&](const auto& k) { return k.name == name; });
    LOCKSCOPE_ASSERT(knob != to.knobs.end());
    knob->value = value;
    if (sliding) return tryOut(std::move(to));
    // Keys in a row are one change.
    return change(std::move(to), knobLabel(name), QStringLiteral("knob ") + qstr(name));
}

QString LessonModel::knobLabel(const std::string& name) const {
    const std::string& label = m_lesson->knob(name)->label;
    return qstr(label.empty() ? name : label);
}

void LessonModel::beginSliding(const std::string& knob) {
    beginTrial();
    m_sliding = knob;
}

/// Something else may have ended it.
void LessonModel::endSliding() {
    if (trying() && !m_sliding.empty()) keepTrial(knobLabel(m_sliding));
}

bool LessonModel::leftToChance() const {
    return hasRun() && m_run.pastEditable() && m_run.run()->trace->drewLots;
}

QString LessonModel::setSeed(std::uint64_t seed) {
    LOCKSCOPE_ASSERT(m_lesson.has_value());
    dropTrial();
    Setup to = m_setup;
    to.seed = seed;
    return change(std::move(to), tr("another throw of the dice"));
}

void LessonModel::followChance() {
    const std::pair now{seed(), leftToChance()};
    if (std::exchange(m_chance, now) != now) emit chanceChanged();
}

std::shared_ptr<const Program> LessonModel::program(const std::string& name) const {
    if (!m_lesson) return nullptr;
    if (auto own = programNamed(m_setup.programs, name)) return own;
    return programNamed(*m_lesson, name);
}

std::shared_ptr<const Program> LessonModel::programAsWritten(const std::string& name) const {
    const Step* step = currentStep();
    return step == nullptr ? nullptr : programOf(*m_lesson, *step, name);
}

bool LessonModel::programsEdited() const {
    const Step* step = currentStep();
    return step != nullptr && !samePrograms(m_setup.programs, step->programs);
}

QString LessonModel::setProgram(const std::string& name, const std::string& source) {
    LOCKSCOPE_ASSERT(currentStep() != nullptr);
    dropTrial();
    Setup to = m_setup;
    to.programs = withText(*m_lesson, *currentStep(), std::move(to.programs), name, source);
    return change(std::move(to), tr("edit of the program"), QStringLiteral("program ") + qstr(name));
}

QString LessonModel::addIntervention(const Intervention& intervention) {
    if (!m_run.pastEditable()) {
        // It has happened, and stays.
        if (QString problem = m_run.intervene(intervention); !problem.isEmpty()) return problem;
        m_setup.interventions.push_back(intervention);
        emit interventionsChanged();
        return {};
    }
    dropTrial();
    Setup with = m_setup;
    with.interventions.push_back(intervention);
    return change(std::move(with), faultOf(intervention));
}

QString LessonModel::removeIntervention(int index) {
    dropTrial();
    LOCKSCOPE_ASSERT(index >= 0 && index < static_cast<int>(m_setup.interventions.size()));
    Setup without = m_setup;
    const auto gone = without.interventions.begin() + index;
    const QString what = tr("removal of the %1").arg(faultOf(*gone));
    without.interventions.erase(gone);
    return change(std::move(without), what);
}

bool LessonModel::canResume(const std::string& actor, Instant at) const {
    return m_run.pastEditable() &&
           std::any_of(m_setup.interventions.begin(), m_setup.interventions.end(), [&](const auto& i) {
               return i.kind == InterventionKind::Pause && i.actor == actor && i.at <= at &&
                      at < i.at + i.length;
           });
}

QString LessonModel::resume(const std::string& actor, Instant at) {
    dropTrial();
    Setup to = m_setup;
    for (Intervention& i : to.interventions)
        if (i.kind == InterventionKind::Pause && i.actor == actor && i.at <= at && at < i.at + i.length)
            i.length = at - i.at;
    std::erase_if(to.interventions,
                  [](const auto& i) { return i.kind == InterventionKind::Pause && i.length.count() == 0; });
    return change(std::move(to), tr("resuming of %1").arg(qstr(actor)));
}

} // namespace lockscope::ui
