// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/fault_desk.h"

#include <algorithm>
#include <numeric>

#include "core/base/assert.h"
#include "ui/bridge/fault_words.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {
constexpr Duration kLongest = seconds(3600);
/// How far behind the original a copy begins.
constexpr Duration kCopyGap = seconds(1);
} // namespace

FaultDesk::FaultDesk(LessonModel& lesson, RunModel& run, QObject* parent)
    : QObject(parent), m_lesson(lesson), m_run(run) {
    connect(&lesson, &LessonModel::trialChanged, this, [this] {
        if (!m_held || m_lesson.trying()) return;
        m_held = false;
        emit heldChanged();
        emit dropped();
    });
}

bool FaultDesk::usable() const {
    return m_lesson.lesson() != nullptr && m_run.run() != nullptr && m_run.pastEditable();
}

int FaultDesk::picked() const {
    const Selection selection = m_run.selection();
    const bool fault = selection.kind == Selection::Kind::Intervention &&
                       selection.index < static_cast<int>(faults().size());
    return fault ? selection.index : -1;
}

void FaultDesk::pick(int fault) {
    m_run.select(fault < 0 ? Selection{} : Selection{Selection::Kind::Intervention, fault});
}

void FaultDesk::walk(int direction) {
    // One behind the veil would be told by being picked.
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(faults().size()); ++i)
        if (faults()[static_cast<std::size_t>(i)].at <= m_run.veil()) order.push_back(i);
    if (order.empty()) {
        emit refused(tr("There is no fault in this run yet. P pauses the server at the playhead."));
        return;
    }
    const auto at = [&](int fault) { return faults()[static_cast<std::size_t>(fault)].at; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return at(a) < at(b); });
    const auto here = std::find(order.begin(), order.end(), picked());
    const auto count = static_cast<std::ptrdiff_t>(order.size());
    std::ptrdiff_t next = 0;
    if (here != order.end()) {
        next = (here - order.begin() + direction + count) % count;
    } else {
        const auto after = std::find_if(order.begin(), order.end(),
                                        [&](int fault) { return at(fault) >= m_run.playhead(); });
        next = direction > 0 ? (after - order.begin()) % count : (after - order.begin() - 1 + count) % count;
    }
    const int fault = order[static_cast<std::size_t>(next)];
    m_run.pause();
    m_run.setPlayhead(at(fault));
    pick(fault);
}

void FaultDesk::begin() {
    LOCKSCOPE_ASSERT(usable());
    m_run.pause();
    m_selectionBefore = m_run.selection();
    m_playheadBefore = m_run.playhead();
    m_lesson.beginTrial();
    m_held = true;
    emit heldChanged();
}

bool FaultDesk::show(std::vector<Intervention> faults, int picked) {
    if (!m_held) return false;
    Setup to = m_lesson.setup();
    to.interventions = std::move(faults);
    if (const QString problem = m_lesson.tryOut(std::move(to)); !problem.isEmpty()) {
        emit refused(problem);
        return false;
    }
    pick(picked);
    return true;
}

bool FaultDesk::showKnob(const std::string& name, Duration value) {
    if (!m_held) return false;
    Setup to = m_lesson.setup();
    for (KnobSetting& knob : to.knobs)
        if (knob.name == name) knob.value = value;
    if (const QString problem = m_lesson.tryOut(std::move(to)); !problem.isEmpty()) {
        emit refused(problem);
        return false;
    }
    return true;
}

void FaultDesk::keep(const QString& what, const QString& said) {
    if (!m_held) return;
    m_held = false;
    m_undoBefore = m_lesson.history().index();
    const bool changed = m_lesson.keepTrial(what);
    emit heldChanged();
    changed ? tell(said) : emit dropped();
}

void FaultDesk::drop() {
    if (!m_held) return;
    m_held = false;
    m_lesson.dropTrial();
    m_run.setPlayhead(m_playheadBefore);
    m_run.select(m_selectionBefore);
    emit heldChanged();
    emit dropped();
}

/// False, and told, if it cannot be done or changes nothing.
bool FaultDesk::attempt(const std::function<QString()>& act) {
    m_run.pause();
    m_lesson.dropTrial();
    const Setup before = m_lesson.setup();
    m_undoBefore = m_lesson.history().index();
    if (const QString problem = act(); !problem.isEmpty()) {
        emit refused(problem);
        return false;
    }
    if (m_lesson.setup() == before) {
        emit refused(tr("Nothing changes: it is as far as it goes."));
        return false;
    }
    return true;
}

/// Changes in a row that are undone as one may have come to nothing together, and then have left nothing to
/// undo.
void FaultDesk::tell(const QString& said) {
    emit done(said, m_run.pastEditable() && m_lesson.history().index() >= m_undoBefore);
}

bool FaultDesk::change(std::vector<Intervention> faults, int picked, const QString& what,
                       const QString& merge) {
    if (!usable()) return false;
    const bool changed = attempt([&] {
        Setup to = m_lesson.setup();
        to.interventions = std::move(faults);
        return m_lesson.change(std::move(to), what, merge);
    });
    if (!changed) return false;
    pick(picked);
    return true;
}

void FaultDesk::add(const Intervention& fault) {
    if (m_run.run() == nullptr || m_lesson.lesson() == nullptr) return;
    if (!attempt([&] { return m_lesson.addIntervention(fault); })) return;
    const int index = static_cast<int>(faults().size()) - 1;
    pick(index);
    // What lies behind the veil is not told yet.
    tell(faultSentence(fault) +
         (fault.at > m_run.veil() ? QString() : faultOutcome(*m_run.run()->trace, index)));
}

void FaultDesk::remove(int fault) {
    if (fault < 0 || fault >= static_cast<int>(faults().size()) || !usable()) return;
    const Intervention gone = faults()[static_cast<std::size_t>(fault)];
    m_run.select({});
    if (attempt([&] { return m_lesson.removeIntervention(fault); }))
        tell(tr("Removed: %1").arg(faultSentence(gone)));
}

void FaultDesk::duplicate(int fault) {
    if (fault < 0 || fault >= static_cast<int>(faults().size()) || !usable()) return;
    auto list = faults();
    Intervention copy = list[static_cast<std::size_t>(fault)];
    const Duration taken = infoOf(copy.kind).length == LengthRule::Positive ? copy.length : Duration{0};
    copy.at = std::min(copy.at + taken + kCopyGap, horizon());
    list.push_back(copy);
    const int index = static_cast<int>(list.size()) - 1;
    if (change(std::move(list), index, tr("copy of the %1").arg(faultOf(copy)), {}))
        tell(faultSentence(copy));
}

void FaultDesk::shift(int fault, Duration by) {
    if (fault < 0 || fault >= static_cast<int>(faults().size())) return;
    auto list = faults();
    Intervention& moved = list[static_cast<std::size_t>(fault)];
    moved.at = std::clamp(moved.at + by, Instant{}, horizon());
    const QString what = tr("move of the %1").arg(faultOf(moved)), said = faultSentence(moved);
    if (change(std::move(list), fault, what, QStringLiteral("shift %1").arg(fault))) tell(said);
}

Duration FaultDesk::possibleLength(InterventionKind kind, Duration wanted) {
    switch (infoOf(kind).length) {
    case LengthRule::None:
        return Duration{0};
    case LengthRule::Positive:
        return std::clamp(wanted, millis(1), kLongest);
    case LengthRule::Signed:
        return std::clamp(wanted, -kLongest, kLongest);
    }
    return Duration{0};
}

void FaultDesk::stretch(int fault, Duration by) {
    if (fault < 0 || fault >= static_cast<int>(faults().size())) return;
    auto list = faults();
    Intervention& stretched = list[static_cast<std::size_t>(fault)];
    if (infoOf(stretched.kind).length == LengthRule::None) {
        emit refused(tr("This has no length: it happens at once."));
        return;
    }
    stretched.length = possibleLength(stretched.kind, stretched.length + by);
    const QString what = tr("length of the %1").arg(faultOf(stretched)), said = faultSentence(stretched);
    if (change(std::move(list), fault, what, QStringLiteral("stretch %1").arg(fault))) tell(said);
}

void FaultDesk::handOver(int fault, int direction) {
    if (fault < 0 || fault >= static_cast<int>(faults().size())) return;
    auto list = faults();
    Intervention& moved = list[static_cast<std::size_t>(fault)];
    if (infoOf(moved.kind).target != InterventionTarget::Actor) {
        emit refused(tr("This concerns Redis, not one of the servers that use it."));
        return;
    }
    const auto& actors = m_run.scenario().actors;
    const auto here = std::find_if(actors.begin(), actors.end(),
                                   [&](const ActorSpec& actor) { return actor.name == moved.actor; });
    const auto to = here - actors.begin() + direction;
    if (here == actors.end() || to < 0 || to >= static_cast<std::ptrdiff_t>(actors.size())) return;
    moved.actor = actors[static_cast<std::size_t>(to)].name;
    const QString what = tr("move of the %1").arg(faultOf(moved)), said = faultSentence(moved);
    if (change(std::move(list), fault, what, QStringLiteral("shift %1").arg(fault))) tell(said);
}

void FaultDesk::resume(const std::string& actor, Instant at) {
    if (attempt([&] { return m_lesson.resume(actor, at); }))
        tell(tr("%1 resumes at %2").arg(qstr(actor), exactSeconds(at)));
}

void FaultDesk::delayMessage(RequestIndex request, Leg leg, Duration by) {
    if (!usable()) return;
    const MessageFault message(run(), faults(), request, leg);
    if (by < Duration{0} && message.delay() == Duration{0} && !message.lost()) {
        emit refused(tr("It travels as fast as the network lets it."));
        return;
    }
    int index = -1;
    auto list = message.delayed(message.delay() + by, index);
    const QString what = leg == Leg::Request ? tr("delay of a request") : tr("delay of a reply");
    const QString said = index < 0 ? tr("The message travels as fast as the network lets it")
                                   : faultSentence(list[static_cast<std::size_t>(index)]);
    if (!change(std::move(list), -1, what, QStringLiteral("delay %1 %2").arg(request).arg(int(leg)))) return;
    m_run.select({Selection::Kind::Request, request}); // the messages before it are the same, and so it is
    tell(said);
}

void FaultDesk::loseMessage(RequestIndex request, Leg leg) {
    if (!usable()) return;
    const MessageFault message(run(), faults(), request, leg);
    int index = -1;
    auto list = message.lost() ? message.delayed(Duration{0}, index) : message.withLoss(index);
    const QString what = leg == Leg::Request ? tr("loss of a request") : tr("loss of a reply");
    const QString said =
        index < 0 ? tr("The message arrives") : faultSentence(list[static_cast<std::size_t>(index)]);
    if (!change(std::move(list), -1, what, {})) return;
    m_run.select({Selection::Kind::Request, request});
    tell(said);
}

std::optional<LeaseKnob> FaultDesk::leaseKnob(int grant) const {
    if (!usable()) return std::nullopt;
    return leaseKnobOf(m_lesson, run(), grant);
}

void FaultDesk::stretchLease(int grant, Duration by) {
    const auto knob = leaseKnob(grant);
    if (!knob) {
        emit refused(tr("No knob of this lesson sets the length of this lease."));
        return;
    }
    const Duration to = std::clamp(knob->length + by, knob->least, knob->most);
    const Selection selected = m_run.selection();
    if (!attempt([&] { return m_lesson.setKnob(knob->name, to); })) return;
    if (selected.kind == Selection::Kind::Grant && grant < static_cast<int>(run().analysis.grants.size()))
        m_run.select({Selection::Kind::Grant, grant});
    tell(tr("The lease is %1 long").arg(exactSeconds(to)));
}

} // namespace lockscope::ui
