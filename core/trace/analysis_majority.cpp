// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The part of the reader for locks that belong to whoever has them on most of several nodes, as Redlock has
// it.
//
// What a node grants is a vote. Votes belong together if they are for the same value and come from tasks of
// one event loop, or from a task and those that it made: a program asks the nodes side by side. As soon as
// one author has most of them, that is a grant of the majority, and all that is said of grants is said of it:
// claims are entered on it, it ends when too few votes are left, by what took the one too many, and its
// deadline is that of the vote with which, in order, most would be gone. A server that is down keeps its
// votes until it comes back and is seen to have lost them: meanwhile nobody else can have them either.
//
// An attempt is the same command of a process to several nodes, each asked once. It is refused when so many
// nodes have refused, or were not reached, that no majority can come of it. Being refused by one node of five
// is nothing.

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/assert.h"
#include "core/trace/analysis_reader.h"

namespace lockscope {

namespace {

std::uint32_t bitOf(NodeIndex node) {
    return 1u << static_cast<unsigned>(node);
}

} // namespace

bool AnalysisReader::kin(TaskIndex a, TaskIndex b) const {
    if (!m_out.majority) return related(m_trace, a, b);
    if (a == kNone || b == kNone) return false;
    const TraceTask& one = m_trace.tasks[static_cast<std::size_t>(a)];
    const TraceTask& other = m_trace.tasks[static_cast<std::size_t>(b)];
    return one.process == other.process && (one.loop == other.loop || related(m_trace, a, b));
}

AnalysisReader::Slot& AnalysisReader::majoritySlot(StringId key) {
    for (Slot& slot : m_s.places)
        if (slot.key == key && slot.node == kMajority) return slot;
    LOCKSCOPE_ASSERT(false); // each lock key has one from the beginning
    return m_s.places.front();
}

// --- attempts

/// The attempt that an ask belongs to: one that has not asked this node yet, or a new one.
void AnalysisReader::joinAttempt(RequestIndex index) {
    const TraceRequest& r = request(index);
    int& number = m_s.attemptOf[static_cast<std::size_t>(index)];
    for (std::size_t i = m_s.attempts.size(); i-- > 0 && number == kNone;) {
        AnalysisScratch::Attempt& one = m_s.attempts[i];
        if (one.key != r.key || one.actor != r.actor || one.process != processOf(r.task)) continue;
        if (one.text != r.text) continue;
        if ((one.asked & bitOf(r.node)) != 0) break; // it begins anew
        one.asked |= bitOf(r.node);
        one.severalTasks = one.severalTasks || one.task != r.task;
        number = static_cast<int>(i);
    }
    if (number != kNone) return;
    number = static_cast<int>(m_s.attempts.size());
    AnalysisScratch::Attempt& fresh = m_s.attempts.emplace_back();
    fresh.key = r.key;
    fresh.text = r.text;
    fresh.process = processOf(r.task);
    fresh.actor = r.actor;
    fresh.task = r.task;
    fresh.asked = bitOf(r.node);
    fresh.sent = times(index).sent;
}

/// The node will give this attempt no vote: it has refused, or was not reached. Whether with that the attempt
/// is refused. One that nobody refused only failed; and a vote that the client does not know of is one all
/// the same.
bool AnalysisReader::failVote(RequestIndex index, bool refused) {
    const int number = attemptOf(index);
    if (number == kNone || (!refused && times(index).executed != kNever)) return false;
    AnalysisScratch::Attempt& attempt = m_s.attempts[static_cast<std::size_t>(number)];
    attempt.failed |= bitOf(request(index).node);
    attempt.refused = attempt.refused || refused;
    const bool enough = std::popcount(attempt.failed) > m_trace.majorityOf - quorum();
    return enough && attempt.refused && !std::exchange(attempt.told, true);
}

/// Who waits when an attempt is refused: who made it, or, if each node was asked by a task of its own, the
/// task that made those.
TaskIndex AnalysisReader::waiterOf(RequestIndex index) const {
    const TaskIndex task = request(index).task;
    const int number = attemptOf(index);
    if (number == kNone || task == kNone) return task;
    const AnalysisScratch::Attempt& attempt = m_s.attempts[static_cast<std::size_t>(number)];
    return attempt.severalTasks ? m_trace.tasks[static_cast<std::size_t>(task)].parent : task;
}

// --- votes

/// Whether two votes are for the same, of the same author.
bool AnalysisReader::agree(const Grant& a, const Grant& b) const {
    if (a.value != b.value || a.actor != b.actor) return false;
    return a.task == kNone ? b.task == kNone : kin(a.task, b.task);
}

/// Visits the votes that live on a key.
template <typename Visit>
void AnalysisReader::forVotes(StringId key, Visit visit) {
    for (const Slot& slot : m_s.places)
        if (slot.key == key && slot.node != kMajority && slot.grant != kNone)
            visit(grant(slot.grant), slot.deadline);
}

int AnalysisReader::votesFor(StringId key, int whole) {
    int votes = 0;
    forVotes(key, [&](const Grant& vote, Instant) { votes += vote.whole == whole; });
    return votes;
}

/// Until when the votes make most of them, if nothing happens.
Instant AnalysisReader::majorityDeadline(StringId key, int whole) {
    std::vector<Instant>& all = m_s.voteDeadlines;
    all.clear();
    forVotes(key, [&](const Grant& vote, Instant deadline) {
        if (vote.whole == whole) all.push_back(deadline);
    });
    std::sort(all.begin(), all.end(), std::greater<>());
    return all[static_cast<std::size_t>(quorum() - 1)];
}

/// Something happened to a key on a node: counts its votes anew.
void AnalysisReader::count(const Event& e, std::uint32_t index) {
    const int ended = std::exchange(m_ended, kNone);
    if (!m_out.majority || slotOf(e.key, e.node) == nullptr) return;
    const int here = slotOf(e.key, e.node)->grant;
    Slot& whole = majoritySlot(e.key);
    if (here != kNone) {
        Grant& vote = grant(here);
        if (vote.ask != kNone && attemptOf(vote.ask) != kNone)
            m_s.attempts[static_cast<std::size_t>(attemptOf(vote.ask))].vote = here;
        if (whole.grant != kNone && agree(vote, grant(whole.grant))) vote.whole = whole.grant;
    }
    if (whole.grant != kNone && votesFor(e.key, whole.grant) < quorum()) {
        LOCKSCOPE_ASSERT(ended != kNone);
        const Grant& lost = grant(ended);
        endGrant(whole, lost.until, lost.end, lost.endedBy);
    }
    if (whole.grant == kNone) {
        if (here != kNone) elect(whole, here, e.at, index);
        return;
    }
    if (const Instant deadline = majorityDeadline(e.key, whole.grant); deadline != whole.deadline)
        setDeadline(whole, e.at, deadline, e.request, e.request != kNone && !isOwn(e.request, whole.grant));
}

/// If this vote makes most of them, that is a grant.
void AnalysisReader::elect(Slot& whole, int last, Instant at, std::uint32_t index) {
    Grant g = grant(last);
    int votes = 0;
    forVotes(whole.key, [&](const Grant& vote, Instant) { votes += agree(vote, g); });
    if (votes < quorum()) return;
    const auto number = static_cast<int>(m_out.grants.size());
    forVotes(whole.key, [&](Grant& vote, Instant) {
        if (agree(vote, g)) vote.whole = number;
    });
    g.node = kMajority;
    g.number = ++m_s.numbers[static_cast<std::size_t>(whole.lock)];
    g.from = at;
    g.firstEvent = index;
    g.whole = kNone;
    if (g.ask != kNone && attemptOf(g.ask) != kNone)
        g.came = m_s.attempts[static_cast<std::size_t>(attemptOf(g.ask))].sent;
    g.deadlineWhenGranted = majorityDeadline(whole.key, number);
    m_out.grants.push_back(g);
    m_out.deadlines.push_back({whole.key, kMajority, at, g.deadlineWhenGranted, number, g.ask, false, true});
    whole.grant = number;
    whole.deadline = g.deadlineWhenGranted;
    whole.claims = 0;
    whole.bareSince = kNever;
    refresh(whole, at);
}

/// As long as most nodes are silent, nobody can say who owns a lock.
void AnalysisReader::countServers(const Event& e) {
    if (!m_out.majority) return;
    if (e.kind == EventKind::ServerUnavailable)
        m_s.silent |= bitOf(e.node);
    else
        m_s.silent &= ~bitOf(e.node);
    const bool unknown = m_trace.majorityOf - std::popcount(m_s.silent) < quorum();
    const auto open = std::find_if(m_out.outages.begin(), m_out.outages.end(), [](const Outage& outage) {
        return outage.node == kMajority && outage.until == kNever;
    });
    if (unknown && open == m_out.outages.end())
        m_out.outages.push_back({kMajority, e.at, kNever, e.text});
    else if (!unknown && open != m_out.outages.end())
        open->until = e.at;
}

} // namespace lockscope
