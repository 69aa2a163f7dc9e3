// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/run_model.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/assert.h"
#include "ui/bridge/pacing.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {
constexpr int kFrameMillis = 16;
constexpr int kJumpMillis = 1000;

bool sameFault(const TraceIntervention& a, const TraceIntervention& b) {
    return a.kind == b.kind && a.target == b.target && a.at == b.at && a.length == b.length &&
           a.command == b.command;
}

/// Where one of the faults of a run stands among those of another, or -1. If it is the only one that is
/// another there, it is what was moved or stretched.
int faultAgain(const std::vector<TraceIntervention>& before, const std::vector<TraceIntervention>& now,
               std::size_t fault) {
    if (fault >= before.size()) return -1;
    const auto isIt = [&](const TraceIntervention& one) { return sameFault(one, before[fault]); };
    // Of several that are alike it is the one with as many before it.
    auto alike = std::count_if(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(fault), isIt);
    for (std::size_t i = 0; i < now.size(); ++i)
        if (isIt(now[i]) && alike-- == 0) return static_cast<int>(i);
    if (now.size() != before.size()) return -1;
    for (std::size_t i = 0; i < now.size(); ++i)
        if (i != fault && !sameFault(now[i], before[i])) return -1;
    return static_cast<int>(fault);
}
} // namespace

/// The state of playing. Time is counted from an anchor, so that no rounding of a frame adds up.
struct RunModel::Play {
    Pacing pacing;
    bool running = false;
    Instant until = kNever;
    QElapsedTimer clock;
    double restLeft = 0; ///< seconds before it begins
    Instant anchoredAt{};
    Instant expected{}; ///< where the last tick left the playhead; elsewhere means that somebody moved it
};

ToldRun toldRun(const Run& run) {
    return {*run.trace, run.lanes, run.analysis, run.violations, run.outcome};
}

std::shared_ptr<const Run> makeRun(std::shared_ptr<const Trace> trace) {
    auto run = std::make_shared<Run>();
    run->trace = std::move(trace);
    analyse(*run->trace, run->analysis);
    Judge judge;
    judge.judge(*run->trace, run->analysis, run->violations);
    run->outcome = outcomeOf(*run->trace, run->analysis);
    run->lanes = layOut(*run->trace, run->analysis);
    return run;
}

RunModel::RunModel(std::unique_ptr<Session> session, QObject* parent)
    : QObject(parent), m_session(std::move(session)), m_play(std::make_unique<Play>()) {
    LOCKSCOPE_ASSERT(m_session != nullptr);
    m_ticker.setTimerType(Qt::PreciseTimer);
    connect(&m_ticker, &QTimer::timeout, this, &RunModel::tick);
}

RunModel::~RunModel() = default;

const Scenario& RunModel::scenario() const {
    return m_session->scenario();
}
WorldKind RunModel::world() const {
    return m_session->world();
}
bool RunModel::pastEditable() const {
    return m_session->pastEditable();
}

QString RunModel::start(const Scenario& scenario) {
    if (const auto started = m_session->start(scenario); !started) return qstr(started.error().text());
    m_holding = false;
    m_held = m_heldBefore = nullptr;
    takeTrace(nullptr);
    return {};
}

QString RunModel::vary(const Scenario& scenario) {
    if (const auto started = m_session->start(scenario); !started) return qstr(started.error().text());
    takeTrace(m_holding ? m_held : m_run);
    return {};
}

QString RunModel::intervene(const Intervention& intervention) {
    if (const auto done = m_session->intervene(intervention); !done) return qstr(done.error().text());
    // A run that only goes on has nothing before it to be compared with.
    takeTrace(!pastEditable() ? nullptr : m_holding ? m_held : m_run);
    return {};
}

void RunModel::advance() {
    m_session->advance();
    if (m_session->trace() != nullptr && (!m_run || m_session->trace() != m_run->trace)) takeTrace(nullptr);
}

void RunModel::holdBaseline() {
    LOCKSCOPE_ASSERT(!m_holding);
    m_holding = true;
    m_held = m_run;
    m_heldBefore = m_baseline;
    m_heldScenario = m_session->scenario();
    emit baselineChanged();
}

void RunModel::releaseBaseline() {
    if (!std::exchange(m_holding, false)) return; // start() has ended the hold
    if (shownAsHeld()) m_baseline = m_heldBefore;
    m_held = m_heldBefore = nullptr;
    emit baselineChanged();
}

/// Whether the run that is shown came about as the held one did.
bool RunModel::shownAsHeld() const {
    const Scenario& now = m_session->scenario();
    const Scenario& then = m_heldScenario;
    return now.seed == then.seed && now.interventions == then.interventions &&
           sameVisits(now.visits, then.visits) &&
           std::equal(now.knobs.begin(), now.knobs.end(), then.knobs.begin(), then.knobs.end(),
                      [](const KnobSetting& a, const KnobSetting& b) {
                          return a.name == b.name && a.value == b.value;
                      });
}

void RunModel::takeTrace(std::shared_ptr<const Run> baseline) {
    const auto before = m_run;
    m_baseline = std::move(baseline);
    m_run = makeRun(m_session->trace());
    m_stops.clear();
    for (const Event& event : m_run->trace->events)
        if (m_stops.empty() || m_stops.back() != event.at) m_stops.push_back(event.at);
    m_play->pacing = Pacing(beatsOf(*m_run->trace, m_run->analysis), m_run->trace->reached);
    const Selection was = m_selection;
    carrySelectionOver(before.get());
    emit runChanged();
    if (m_selection != was) emit selectionChanged();
    if (m_playhead > end()) moveTo(end());
}

/// The tables of another run are other tables. What is still the same thing there stays selected.
void RunModel::carrySelectionOver(const Run* before) {
    switch (m_selection.kind) {
    case Selection::Kind::None:
        return;
    case Selection::Kind::Actor:
        if (m_selection.index < static_cast<int>(m_run->trace->actors.size())) return;
        break;
    case Selection::Kind::Intervention:
        if (before != nullptr)
            m_selection.index = faultAgain(before->trace->interventions, m_run->trace->interventions,
                                           static_cast<std::size_t>(m_selection.index));
        if (before != nullptr && m_selection.index >= 0) return;
        break;
    case Selection::Kind::Violation:
        if (before != nullptr) {
            const Violation& old = before->violations[static_cast<std::size_t>(m_selection.index)];
            const auto same =
                std::find_if(m_run->violations.begin(), m_run->violations.end(), [&](const Violation& v) {
                    return v.invariant == old.invariant && v.actors == old.actors &&
                           m_run->trace->text(v.key) == before->trace->text(old.key);
                });
            if (same != m_run->violations.end()) {
                m_selection.index = static_cast<int>(same - m_run->violations.begin());
                return;
            }
        }
        break;
    default:
        break;
    }
    m_selection = {};
}

Instant RunModel::end() const {
    const Instant reached = m_run ? m_run->trace->reached : Instant{};
    return std::min(reached, m_veil);
}

void RunModel::moveTo(Instant at) {
    if (at == m_playhead) return;
    m_playhead = at;
    emit playheadChanged();
}

void RunModel::setPlayhead(Instant at) {
    moveTo(std::clamp(at, Instant{}, end()));
}

void RunModel::stepForward() {
    pause();
    const auto next = std::upper_bound(m_stops.begin(), m_stops.end(), m_playhead);
    setPlayhead(next == m_stops.end() ? end() : *next);
}

void RunModel::stepBack() {
    pause();
    const auto here = std::lower_bound(m_stops.begin(), m_stops.end(), m_playhead);
    setPlayhead(here == m_stops.begin() ? Instant{} : *(here - 1));
}

void RunModel::toStart() {
    pause();
    setPlayhead({});
}

void RunModel::toEnd() {
    pause();
    setPlayhead(end());
}

bool RunModel::playing() const {
    return m_play->running;
}

void RunModel::play() {
    if (!m_run) return;
    if (m_playhead >= end()) setPlayhead({}); // as a film at its end begins again
    playTo(kNever);
}

void RunModel::playTo(Instant until, Duration rest) {
    if (!m_run) return;
    m_play->until = until;
    m_play->restLeft = std::chrono::duration<double>(rest).count();
    anchor();
    m_ticker.start(m_reducedMotion && m_speed == 0 ? kJumpMillis : kFrameMillis);
    if (!m_play->running) {
        m_play->running = true;
        emit playingChanged();
    }
}

void RunModel::playThrough(const std::vector<Intervention>& faults, Instant end) {
    constexpr Duration kLead = seconds(1);
    Instant from = end;
    for (const Intervention& fault : faults)
        from = std::min(from, fault.at);
    setPlayhead(std::max(Instant{}, from - kLead));
    playTo(end);
}

void RunModel::pause() {
    if (!m_play->running) return;
    m_ticker.stop();
    m_play->running = false;
    emit playingChanged();
}

void RunModel::anchor() {
    m_play->anchoredAt = m_play->expected = m_playhead;
    m_play->clock.start();
}

void RunModel::tick() {
    if (m_playhead != m_play->expected) anchor();
    const double passed = static_cast<double>(m_play->clock.nsecsElapsed()) * 1e-9 - m_play->restLeft;
    const Instant last = std::min(end(), m_play->until);
    Instant to = m_playhead;
    if (m_speed > 0) {
        to = m_play->anchoredAt + Duration{std::llround(std::max(0.0, passed) * m_speed * 1e6)};
    } else if (m_reducedMotion) {
        to = m_play->pacing.beatAfter(m_playhead);
    } else if (passed > 0) {
        to = m_play->pacing.instantAt(m_play->pacing.wallAt(m_play->anchoredAt) + passed);
    }
    to = std::clamp(to, std::min(m_playhead, last), last);
    m_play->expected = to;
    setPlayhead(to);
    if (to >= last) pause();
}

void RunModel::setSpeed(double speed) {
    if (speed == m_speed) return;
    m_speed = speed;
    if (m_play->running) playTo(m_play->until);
    emit speedChanged();
}

double RunModel::ratio() const {
    return m_speed > 0 ? m_speed : m_play->pacing.ratioAt(m_playhead);
}

void RunModel::setVeil(Instant from) {
    if (from == m_veil) return;
    if (from < m_veil && m_selection.kind != Selection::Kind::Actor) select({}); // it may lie behind it
    m_veil = from;
    emit veilChanged();
    if (m_playhead > end()) setPlayhead(end());
}

void RunModel::select(Selection selection) {
    if (selection.kind == Selection::Kind::None) selection.index = -1;
    if (selection == m_selection) return;
    m_selection = selection;
    emit selectionChanged();
}

} // namespace lockscope::ui
