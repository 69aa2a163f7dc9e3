// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/what_if.h"

#include <QMetaObject>

#include <algorithm>

#include "core/base/assert.h"
#include "core/trace/wording.h"
#include "ui/bridge/same_scenario.h"

namespace lockscope::ui {

WhatIf::WhatIf(RunModel& run, QObject* parent) : QObject(parent), m_run(run) {
    connect(&run, &RunModel::runChanged, this, &WhatIf::ask);
}

WhatIf::~WhatIf() = default;

void WhatIf::setWanted(bool wanted) {
    if (wanted == m_wanted) return;
    m_wanted = wanted;
    ask();
}

void WhatIf::setPauseLength(Duration length) {
    LOCKSCOPE_ASSERT(length > Duration{0});
    if (length == m_pause) return;
    m_pause = length;
    emit pauseLengthChanged(length);
    ask();
}

void WhatIf::leaveOut(int index) {
    if (index == m_leftOut) return;
    m_leftOut = index;
    ask();
}

Scenario WhatIf::base() const {
    Scenario scenario = m_run.scenario();
    if (m_leftOut >= 0 && m_leftOut < static_cast<int>(scenario.interventions.size()))
        scenario.interventions.erase(scenario.interventions.begin() + m_leftOut);
    return scenario;
}

void WhatIf::ask() {
    if (!m_wanted || !m_run.run() || !m_run.pastEditable()) {
        m_worker.drop();
        m_asked = {};
        forget();
        return;
    }
    SweepRequest request;
    request.scenario = base();
    request.pause = m_pause;
    for (const ActorSpec& actor : request.scenario.actors)
        request.actors.push_back(actor.name);
    if (request.pause == m_asked.pause && request.actors == m_asked.actors &&
        sameScenario(request.scenario, m_asked.scenario))
        return;
    if (!sameStage(request.scenario, m_asked.scenario)) forget();
    m_asked = request;
    m_worker.start([this, request = std::move(request)](ProbePool& pool, const LatestJob::Task& task) {
        sweep(pool, request, &task.cancelled(), [&](const std::vector<Sweep>& soFar) {
            auto strip = std::make_shared<const WhatIfStrip>(WhatIfStrip{
                request.pause, soFar,
                std::all_of(soFar.begin(), soFar.end(), [](const Sweep& one) { return one.complete; })});
            task.tell([this, strip = std::move(strip)] {
                m_strip = strip;
                emit changed();
            });
        });
    });
}

void WhatIf::forget() {
    if (!m_strip) return;
    m_strip.reset();
    emit changed();
}

const std::vector<Break>& WhatIf::breaksWithout(const Scenario& scenario) {
    if (!m_without || !sameScenario(*m_without, scenario)) {
        m_breaks = breaksOf(m_probe.run(scenario));
        m_without = scenario;
    }
    return m_breaks;
}

std::vector<WhatIf::Effect> WhatIf::effectsAt(ActorIndex actor, Instant at) {
    std::vector<Effect> effects;
    if (!m_run.run()) return effects;
    Scenario scenario = base();
    if (actor < 0 || static_cast<std::size_t>(actor) >= scenario.actors.size()) return effects;
    const std::vector<Break>& before = breaksWithout(scenario);
    scenario.interventions.push_back(
        {InterventionKind::Pause, scenario.actors[static_cast<std::size_t>(actor)].name, at, m_pause});
    for (const Violation& violation : m_probe.run(scenario)) {
        if (!isNew(violation, before)) continue;
        effects.push_back(
            {violation.invariant, violation.at, sentenceFor(m_probe.trace(), m_probe.analysis(), violation)});
    }
    std::stable_sort(effects.begin(), effects.end(),
                     [](const Effect& a, const Effect& b) { return a.invariant < b.invariant; });
    return effects;
}

} // namespace lockscope::ui
