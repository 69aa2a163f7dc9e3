// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/visited_run.h"

#include <algorithm>
#include <utility>

#include "core/base/assert.h"

namespace lockscope {

struct VisitedRun::State final : VisitorPort {
    Scenario scenario; ///< its visits are `acts`
    std::shared_ptr<Visits> acts = std::make_shared<Visits>();
    std::size_t bytes = 0; ///< of the words in them
    int visitors = 0;
    Trace trace;
    Simulator simulator;
    VisitorPort* port = nullptr;
    bool again = false; ///< what is run now has been answered before

    void onAnswer(std::size_t act, int visitor, const redis::Reply& reply) override {
        if (again) return;
        (*acts)[act].answer = answerText(reply);
        if (port != nullptr) port->onAnswer(act, visitor, reply);
    }
    void onMessage(int visitor, const redis::Reply& message) override {
        if (!again && port != nullptr) port->onMessage(visitor, message);
    }
    void onHangUp(int visitor) override {
        if (!again && port != nullptr) port->onHangUp(visitor);
    }

    /// From the beginning to where it was, or to `from`, in a world that nothing has used before: so its end
    /// is certain, and a run that comes near its bounds need not be repeated.
    void beginAgain(Instant from) {
        again = true;
        simulator = Simulator();
        simulator.begin(scenario, trace);
        simulator.deliverTo(this);
        simulator.runUntil(from);
        again = false;
    }
    void add(VisitorAct act) {
        act.at = trace.reached;
        for (const std::string& word : act.words)
            bytes += word.size();
        acts->push_back(std::move(act));
        simulator.runUntil(trace.reached);
    }
};

VisitedRun::VisitedRun() : m_state(std::make_unique<State>()) {}
VisitedRun::~VisitedRun() = default;
VisitedRun::VisitedRun(VisitedRun&&) noexcept = default;
VisitedRun& VisitedRun::operator=(VisitedRun&&) noexcept = default;

Result<void> VisitedRun::start(const Scenario& scenario, Instant from) {
    if (const Result<void> valid = validate(scenario); !valid) return valid.error();
    auto state = std::make_unique<State>();
    state->port = m_state->port;
    state->scenario = scenario;
    if (scenario.visits != nullptr)
        for (const VisitorAct& act : *scenario.visits)
            if (act.at < from) state->acts->push_back(act);
    state->scenario.visits = state->acts;
    state->beginAgain(from);
    // Those who were there then are not there now.
    std::vector<bool> here;
    for (const VisitorAct& act : *state->acts) {
        for (const std::string& word : act.words)
            state->bytes += word.size();
        if (act.kind == VisitorAct::Kind::Came) here.push_back(true);
        if (act.kind == VisitorAct::Kind::Left) here[static_cast<std::size_t>(act.visitor)] = false;
    }
    state->visitors = static_cast<int>(here.size());
    m_state = std::move(state);
    for (std::size_t i = 0; i < here.size(); ++i)
        if (here[i]) leave(static_cast<int>(i));
    return {};
}

void VisitedRun::runUntil(Instant t) {
    if (t > m_state->trace.reached && !isOver()) m_state->simulator.runUntil(t);
}

void VisitedRun::deliverTo(VisitorPort* port) {
    m_state->port = port;
}

int VisitedRun::come(int node, std::string_view address) {
    LOCKSCOPE_ASSERT(!isFull() && !isOver());
    const int visitor = m_state->visitors++;
    m_state->add({VisitorAct::Kind::Came, visitor, {}, node, std::string(address), {}, {}});
    return visitor;
}

void VisitedRun::send(int visitor, std::vector<std::string> words) {
    LOCKSCOPE_ASSERT(!isFull() && !isOver() && !words.empty());
    m_state->add({VisitorAct::Kind::Sent, visitor, {}, 0, {}, std::move(words), {}});
}

void VisitedRun::leave(int visitor) {
    if (!isOver()) m_state->add({VisitorAct::Kind::Left, visitor, {}, 0, {}, {}, {}});
}

bool VisitedRun::isFull() const {
    // Everybody who has come can still leave.
    return m_state->acts->size() + static_cast<std::size_t>(m_state->visitors) + 1 >= kMostVisits ||
           m_state->bytes >= kMostVisitBytes / 2;
}

Result<void> VisitedRun::intervene(Intervention intervention) {
    if (isOver()) return Error{"the run is over"};
    State& state = *m_state;
    const Instant now = state.trace.reached;
    intervention.at = std::max(intervention.at, now + Duration{1});
    Scenario changed = state.scenario;
    changed.interventions.push_back(std::move(intervention));
    if (const Result<void> valid = validate(changed); !valid) return valid.error();
    state.scenario = std::move(changed);
    state.beginAgain(now);
    return {};
}

void VisitedRun::resume(std::string_view actor) {
    const Instant soon = m_state->trace.reached + Duration{1};
    for (Intervention& pause : m_state->scenario.interventions) {
        const bool covers = pause.at < soon && pause.at + pause.length > soon;
        if (pause.kind == InterventionKind::Pause && pause.actor == actor && covers)
            pause.length = soon - pause.at;
    }
    m_state->beginAgain(m_state->trace.reached);
}

Instant VisitedRun::reached() const {
    return m_state->trace.reached;
}

bool VisitedRun::isOver() const {
    return !m_state->trace.failure.empty() || m_state->trace.reached >= m_state->scenario.horizon;
}

Instant VisitedRun::nextDue() const {
    return isOver() ? kNever : m_state->simulator.nextDue();
}

redis::Store::ClientFacts VisitedRun::factsOf(int visitor) const {
    return m_state->simulator.factsOfVisitor(visitor);
}

const Trace& VisitedRun::trace() const {
    return m_state->trace;
}

Scenario VisitedRun::scenario() const {
    Scenario copy = m_state->scenario;
    copy.visits = m_state->acts->empty() ? nullptr : std::make_shared<Visits>(*m_state->acts);
    return copy;
}

std::size_t VisitedRun::acts() const {
    return m_state->acts->size();
}

} // namespace lockscope
