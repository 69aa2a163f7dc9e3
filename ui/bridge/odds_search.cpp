// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/odds_search.h"

#include <QMetaObject>

#include <algorithm>

#include "core/base/assert.h"
#include "core/world/simulator.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

OddsSearch::OddsSearch(LessonModel& lesson, QObject* parent) : QObject(parent), m_lesson(lesson) {
    connect(&lesson, &LessonModel::lessonChanged, this, &OddsSearch::follow);
    connect(&lesson, &LessonModel::stepChanged, this, &OddsSearch::follow);
    connect(&lesson, &LessonModel::knobsChanged, this, &OddsSearch::follow);
    connect(&lesson, &LessonModel::chanceChanged, this, &OddsSearch::follow);
    connect(&lesson, &LessonModel::programsChanged, this, &OddsSearch::follow);
}

const Knob* OddsSearch::knob() const {
    return possible() ? m_lesson.lesson()->knob(m_lesson.lesson()->odds.knob) : nullptr;
}

bool OddsSearch::possible() const {
    return m_lesson.lesson() != nullptr && !m_lesson.lesson()->odds.empty();
}

void OddsSearch::setWanted(bool wanted) {
    m_wanted = wanted;
    follow();
}

QString OddsSearch::knobLabel() const {
    const Knob* turned = knob();
    if (turned == nullptr) return {};
    return qstr(turned->label.empty() ? turned->name : turned->label);
}

Duration OddsSearch::value() const {
    const Knob* turned = knob();
    return turned == nullptr ? Duration{0} : std::get<Duration>(m_lesson.knobValue(turned->name));
}

void OddsSearch::setValue(Duration value) {
    const Knob* turned = knob();
    if (turned == nullptr) return;
    const Duration whole = seconds((value + millis(500)) / seconds(1));
    const Duration to =
        std::clamp(whole, std::get<Duration>(turned->least), std::get<Duration>(turned->most));
    const QString problem = m_lesson.setKnob(turned->name, to);
    LOCKSCOPE_ASSERT(problem.isEmpty()); // it is in the knob's range
}

const OddsPoint* OddsSearch::here() const {
    const auto found = m_points.find(value());
    return found == m_points.end() ? nullptr : &found->second;
}

/// Another lesson, another knob than this one, another program: other odds.
void OddsSearch::follow() {
    if (!possible() || !m_lesson.hasRun()) {
        m_worker.drop();
        m_about.reset();
        m_points.clear();
        m_asked.clear();
        return emit changed();
    }
    Setup about = m_lesson.setup();
    about.interventions.clear();
    about.visits.reset();
    for (KnobSetting& setting : about.knobs)
        if (setting.name == knob()->name) setting.value = Duration{0};
    if (!m_about || !(*m_about == about) || m_hash != m_lesson.lesson()->contentHash) {
        m_worker.drop();
        m_about = std::move(about);
        m_hash = m_lesson.lesson()->contentHash;
        m_points.clear();
        m_asked.clear();
        m_problem.clear();
    }
    if (m_wanted) search();
    emit changed();
}

void OddsSearch::search() {
    std::vector<Duration> values = m_lesson.lesson()->odds.values;
    values.push_back(value());
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::erase_if(values, [this](Duration value) {
        const auto known = m_points.find(value);
        return known != m_points.end() && known->second.runs >= kOddsRuns;
    });
    m_complete = values.empty();
    if (values == m_asked) return;
    m_worker.drop();
    std::erase_if(m_points, [&values](const auto& known) { // begun, and nobody goes on with it
        return known.second.runs < kOddsRuns &&
               !std::binary_search(values.begin(), values.end(), known.first);
    });
    m_asked = values;
    if (values.empty()) return;
    Lesson lesson = *m_lesson.lesson();
    lesson.odds.values = values;
    Result<OddsPlan> plan = oddsPlanOf(lesson, m_about->knobs, m_about->seed, m_about->programs);
    const Result<void> whole = plan ? runsToItsEnd(plan->points.front().scenario) : plan.error();
    if (!whole) { // a program that somebody edits
        m_problem = qstr(whole.error().message);
        return;
    }
    m_worker.start([this, values, asked = std::make_shared<const OddsPlan>(std::move(*plan))](
                       ProbePool& pool, const LatestJob::Task& task) {
        findOdds(pool, *asked, kOddsRuns, &task.cancelled(),
                 [&](const Odds& odds) { task.tell([this, values, odds] { take(odds, values); }); });
    });
}

void OddsSearch::take(const Odds& odds, const std::vector<Duration>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (OddsPoint& known = m_points[values[i]]; known.runs <= odds.points[i].runs) known = odds.points[i];
    m_complete = odds.complete;
    if (odds.complete) m_asked.clear();
    emit changed();
}

} // namespace lockscope::ui
