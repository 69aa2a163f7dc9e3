// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/same_scenario.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

bool sameActor(const ActorSpec& a, const ActorSpec& b) {
    return a.name == b.name && a.program == b.program && a.start == b.start &&
           a.requestLatency == b.requestLatency && a.replyLatency == b.replyLatency &&
           a.clientTimeout == b.clientTimeout && a.clockOffset == b.clockOffset;
}

bool sameKnob(const KnobSetting& a, const KnobSetting& b) {
    return a.name == b.name && a.value == b.value;
}

} // namespace

bool sameScenario(const Scenario& a, const Scenario& b) {
    return a.lesson == b.lesson && a.horizon == b.horizon && a.seed == b.seed &&
           a.interventions == b.interventions && sameVisits(a.visits, b.visits) &&
           std::equal(a.knobs.begin(), a.knobs.end(), b.knobs.begin(), b.knobs.end(), sameKnob) &&
           std::equal(a.actors.begin(), a.actors.end(), b.actors.begin(), b.actors.end(), sameActor);
}

bool sameStage(const Scenario& a, const Scenario& b) {
    return a.lesson == b.lesson && a.horizon == b.horizon &&
           std::equal(a.actors.begin(), a.actors.end(), b.actors.begin(), b.actors.end(),
                      [](const ActorSpec& x, const ActorSpec& y) { return x.name == y.name; });
}

} // namespace lockscope::ui
