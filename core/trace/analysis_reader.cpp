// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/analysis_reader.h"

#include <algorithm>

namespace lockscope {

namespace {

template <typename T>
void sortByFrom(std::vector<T>& stretches) {
    const auto earlier = [](const T& a, const T& b) { return a.from < b.from; };
    if (!std::is_sorted(stretches.begin(), stretches.end(), earlier))
        std::stable_sort(stretches.begin(), stretches.end(), earlier);
}

} // namespace

AnalysisReader::AnalysisReader(const Trace& trace, Analysis& into)
    : m_trace(trace), m_out(into), m_s(into.scratch) {
    m_out.grants.clear();
    m_out.claims.clear();
    m_out.freezes.clear();
    m_out.outages.clear();
    m_out.waits.clear();
    m_out.requests.assign(trace.requests.size(), {});
    m_out.deadlines.clear();
    m_out.refusals.clear();
    m_out.unattended.clear();
    m_out.dormancies.clear();
    m_out.writes.clear();
    m_out.lives.assign(trace.processes.size(), {});
    m_out.taskEnds.assign(trace.tasks.size(), kNever);
    m_s.places.clear();
    m_s.numbers.assign(trace.lockKeys.size(), 0);
    m_s.openClaims.clear();
    m_s.openWaits.clear();
    m_s.underWay.clear();
    m_s.answered.clear();
    m_s.attempts.clear();
    m_s.silent = 0;
    m_out.majority = trace.majorityOf > 0;
    if (!m_out.majority) return;
    m_s.attemptOf.assign(trace.requests.size(), kNone);
    for (const TraceLockKey& lock : trace.lockKeys)
        newSlot(lock.name, kMajority);
}

void AnalysisReader::read() {
    std::uint32_t index = 0;
    for (const Event& e : m_trace.events) {
        if (m_executing != kNone && e.request != m_executing) resolveRefusal();
        take(e, index++);
    }
    finish();
}

void AnalysisReader::take(const Event& e, std::uint32_t index) {
    switch (e.kind) {
    case EventKind::ProcessStarted:
        return started(e);
    case EventKind::ProcessPaused:
        return paused(e);
    case EventKind::ProcessResumed:
        return thaw(e.process, e.at);
    case EventKind::ProcessKilled:
        return ended(e, true);
    case EventKind::ProcessEnded:
        return ended(e, false);
    case EventKind::TaskEnded:
        m_out.taskEnds[static_cast<std::size_t>(e.task)] = e.at;
        std::erase_if(m_s.openWaits, [&](int w) {
            Waiting& wait = m_out.waits[static_cast<std::size_t>(w)];
            if (wait.task != e.task) return false;
            wait.until = e.at;
            return true;
        });
        return;
    case EventKind::Entered:
        return entered(e, index);
    case EventKind::Left:
        return left(e);
    case EventKind::RequestSent:
        return sent(e);
    case EventKind::RequestExecuted:
        return executed(e);
    case EventKind::RequestLost:
        return requestLost(e);
    case EventKind::ReplyLost:
        times(e.request).replyLost = e.at;
        return;
    case EventKind::ReplyReceived:
        return replied(e);
    case EventKind::RequestTimedOut:
        return gaveUp(e);
    case EventKind::KeyWritten:
        written(e, index);
        return count(e, index);
    case EventKind::DeadlineChanged:
        deadlineChanged(e);
        return count(e, index);
    case EventKind::LeaseEnded:
        if (slotOf(e.key, e.node) != nullptr) endLeases(e, false);
        return count(e, index);
    case EventKind::KeyRemoved:
        removed(e);
        return count(e, index);
    case EventKind::WriteAccepted:
        return wrote(e, index);
    case EventKind::ServerUnavailable:
        m_out.outages.push_back({e.node, e.at, kNever, e.text});
        return countServers(e);
    case EventKind::ServerAvailable:
        for (Outage& outage : m_out.outages)
            if (outage.node == e.node && outage.until == kNever) outage.until = e.at;
        return countServers(e);
    case EventKind::ProgramFailed:
    case EventKind::TaskStarted:
    case EventKind::WorkStarted:
    case EventKind::WorkEnded:
    case EventKind::ComputeStarted:
    case EventKind::ComputeEnded:
    case EventKind::SleepStarted:
    case EventKind::SleepEnded:
    case EventKind::Logged:
    case EventKind::RequestWaits:
    case EventKind::MessageSent:
    case EventKind::MessageLost:
    case EventKind::MessageReceived:
    case EventKind::ReceiveStarted:
    case EventKind::ReceiveEnded:
    case EventKind::KeyspaceEvent:
    case EventKind::WriteRejected:
    case EventKind::ResourceRead:
    case EventKind::InterventionApplied:
        return;
    }
}

void AnalysisReader::wrote(const Event& e, std::uint32_t index) {
    const std::size_t before = m_out.writes.size();
    for (const TraceLockKey& lock : m_trace.lockKeys) {
        const int c = actedUnder(e.task, lock.name);
        if (c != kNone) m_out.writes.push_back({index, c});
    }
    if (m_out.writes.size() == before) m_out.writes.push_back({index, kNone});
}

void AnalysisReader::finish() {
    resolveRefusal();
    for (Slot& slot : m_s.places)
        attend(slot, kNever);
    for (const Freeze& f : m_out.freezes) {
        if (f.until != kNever) continue;
        for (const AnalysisScratch::OpenClaim& o : m_s.openClaims)
            if (const Claim& c = claim(o.claim); c.process == f.process && c.deadline < m_trace.reached)
                m_out.dormancies.push_back({o.claim, std::max(f.from, c.deadline), kNever});
    }
    sortByFrom(m_out.waits);
    sortByFrom(m_out.unattended);
    sortByFrom(m_out.dormancies);
}

// --- processes

void AnalysisReader::started(const Event& e) {
    // A new life of an actor is the end of the one before, told or not.
    const TraceProcess& born = m_trace.processes[static_cast<std::size_t>(e.process)];
    if (born.incarnation > 1)
        for (std::size_t p = 0; p < m_out.lives.size(); ++p)
            if (m_trace.processes[p].actor == born.actor && m_out.lives[p].aliveAt(e.at) &&
                static_cast<ProcessIndex>(p) != e.process)
                end(static_cast<ProcessIndex>(p), e.at, true);
    life(e.process).from = e.at;
}

void AnalysisReader::paused(const Event& e) {
    if (life(e.process).freeze != kNone) return;
    life(e.process).freeze = static_cast<int>(m_out.freezes.size());
    m_out.freezes.push_back({e.process, e.at, kNever});
    refreshOf(e.process, e.at);
}

void AnalysisReader::thaw(ProcessIndex process, Instant at) {
    const int f = life(process).freeze;
    if (f == kNone) return;
    Freeze& freeze = m_out.freezes[static_cast<std::size_t>(f)];
    freeze.until = at;
    life(process).freeze = kNone;
    for (const AnalysisScratch::OpenClaim& o : m_s.openClaims) {
        const Claim& c = claim(o.claim);
        // Nobody can enter or leave while frozen, so the claim's deadline was the same all along.
        if (c.process == process && c.deadline < at)
            m_out.dormancies.push_back({o.claim, std::max(freeze.from, c.deadline), at});
    }
    refreshOf(process, at);
}

void AnalysisReader::ended(const Event& e, bool killed) {
    if (e.process != kNone)
        end(e.process, e.at, killed);
    else
        closeInferred(e.actor, StringId::Empty, e.at);
}

void AnalysisReader::end(ProcessIndex process, Instant at, bool killed) {
    thaw(process, at);
    life(process).until = at;
    life(process).killed = killed;
    for (std::size_t i = m_s.openClaims.size(); i-- > 0;)
        if (claim(m_s.openClaims[i].claim).process == process) close(i, at);
    std::erase_if(m_s.openWaits, [&](int w) {
        Waiting& wait = m_out.waits[static_cast<std::size_t>(w)];
        if (wait.process != process) return false;
        wait.until = at;
        return true;
    });
    for (std::size_t i = m_s.underWay.size(); i-- > 0;) {
        const RequestIndex r = m_s.underWay[i];
        if (processOf(request(r).task) == process) settle(r, at);
    }
    refreshOf(process, at);
}

void AnalysisReader::refreshOf(ProcessIndex process, Instant at) {
    for (Slot& slot : m_s.places)
        if (slot.grant != kNone && grant(slot.grant).process == process) refresh(slot, at);
}

// --- claims

void AnalysisReader::entered(const Event& e, std::uint32_t index) {
    const Instant deadline = instantAt(Duration{e.a});
    for (AnalysisScratch::OpenClaim& o : m_s.openClaims) {
        Claim& c = claim(o.claim);
        if (c.task != e.task || c.key != e.key) continue;
        // Entered again: still the same claim. What it says anew of deadline and fence counts from here on.
        ++o.depth;
        if (deadline != kNever) c.deadline = deadline;
        if (e.b >= 0) c.fence = e.b;
        return;
    }
    const int base = baseOf(e.task, e.key);
    Claim c;
    c.key = e.key;
    c.task = e.task;
    c.process = e.process;
    c.actor = e.actor;
    c.from = e.at;
    c.deadline = deadline;
    c.fence = e.b;
    c.base = base;
    c.enterEvent = index;
    open(c);
    std::erase_if(m_s.openWaits, [&](int w) {
        Waiting& wait = m_out.waits[static_cast<std::size_t>(w)];
        if (wait.key != e.key || !kin(wait.task, e.task)) return false;
        wait.until = e.at;
        if (base != kNone) grant(base).came = std::min(grant(base).came, wait.from);
        return true;
    });
}

void AnalysisReader::left(const Event& e) {
    // Its own claim, else the nearest it inherits, else the youngest that a task of its making entered.
    int found = kNone;
    for (TaskIndex t = e.task; t != kNone && found == kNone;
         t = m_trace.tasks[static_cast<std::size_t>(t)].parent)
        for (std::size_t i = 0; i < m_s.openClaims.size(); ++i)
            if (const Claim& c = claim(m_s.openClaims[i].claim); c.key == e.key && c.task == t)
                found = static_cast<int>(i);
    for (std::size_t i = m_s.openClaims.size(); i-- > 0 && found == kNone;)
        if (const Claim& c = claim(m_s.openClaims[i].claim);
            c.key == e.key && related(m_trace, c.task, e.task))
            found = static_cast<int>(i);
    if (found == kNone) return;
    AnalysisScratch::OpenClaim& o = m_s.openClaims[static_cast<std::size_t>(found)];
    claim(o.claim).keep = e.b == 1;
    if (--o.depth == 0) close(static_cast<std::size_t>(found), e.at);
}

void AnalysisReader::open(const Claim& c) {
    const auto index = static_cast<int>(m_out.claims.size());
    m_out.claims.push_back(c);
    m_s.openClaims.push_back({index, 1});
    if (c.base == kNone) return;
    Grant& g = grant(c.base);
    if (g.claim == kNone) g.claim = index;
    if (c.fence >= 0) g.fence = c.fence;
    g.leftAt = kNever;
    for (Slot& slot : m_s.places)
        if (slot.grant == c.base) {
            ++slot.claims;
            refresh(slot, c.from);
        }
}

void AnalysisReader::close(std::size_t openIndex, Instant at) {
    const int index = m_s.openClaims[openIndex].claim;
    m_s.openClaims.erase(m_s.openClaims.begin() + static_cast<std::ptrdiff_t>(openIndex));
    Claim& c = claim(index);
    c.until = at;
    if (c.base == kNone) return;
    for (Slot& slot : m_s.places) {
        if (slot.grant != c.base) continue;
        if (--slot.claims == 0) {
            Grant& g = grant(c.base);
            g.leftAt = at;
            g.deadlineWhenLeft = slot.deadline;
            g.kept = c.keep;
        }
        refresh(slot, at);
    }
}

/// An outside client says nothing of what it thinks. It is taken to have stopped when it sent its release.
void AnalysisReader::closeInferred(ActorIndex actor, StringId key, Instant at) {
    for (std::size_t i = m_s.openClaims.size(); i-- > 0;) {
        const Claim& c = claim(m_s.openClaims[i].claim);
        if (c.inferred && c.actor == actor && (key == StringId::Empty || c.key == key)) close(i, at);
    }
}

/// The grant of the latest answered ask of the family; none if that one was refused.
int AnalysisReader::baseOf(TaskIndex task, StringId key) const {
    for (auto it = m_s.answered.rbegin(); it != m_s.answered.rend(); ++it)
        if (request(*it).key == key && kin(request(*it).task, task)) {
            if (!m_out.majority) return times(*it).grant;
            const int attempt = attemptOf(*it);
            const int vote = attempt == kNone ? kNone : m_s.attempts[static_cast<std::size_t>(attempt)].vote;
            return vote == kNone ? kNone : grant(vote).whole;
        }
    return kNone;
}

/// claimInForce() of now, from the few claims that are open.
int AnalysisReader::actedUnder(TaskIndex task, StringId key) const {
    const int nearest = openClaimOf(task, key);
    if (nearest != kNone || task == kNone) return nearest;
    for (auto o = m_s.openClaims.rbegin(); o != m_s.openClaims.rend(); ++o)
        if (const Claim& c = m_out.claims[static_cast<std::size_t>(o->claim)];
            c.key == key && c.task > task && m_out.taskEnds[static_cast<std::size_t>(c.task)] != kNever &&
            related(m_trace, c.task, task))
            return o->claim;
    return kNone;
}

int AnalysisReader::openClaimOf(TaskIndex task, StringId key) const {
    for (; task != kNone; task = m_trace.tasks[static_cast<std::size_t>(task)].parent)
        for (const AnalysisScratch::OpenClaim& o : m_s.openClaims)
            if (const Claim& c = m_out.claims[static_cast<std::size_t>(o.claim)];
                c.task == task && c.key == key)
                return o.claim;
    return kNone;
}

} // namespace lockscope
