// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/analysis.h"

namespace lockscope {

/// The one pass over the events behind analyse(). It follows, per lock key and node, the grant that lives (of
/// a semaphore: those that live), and notes for it what the verdict will ask: whose command ended it, whether
/// its author still counted on it, and when nobody stood behind it. Linear in the events; the inner searches
/// run over what is open at the time, a handful.
///
/// Where the majority decides, the slots of nodes hold votes, and one slot more a key the grant that they
/// make.
///
/// Whether key events stand before or after the RequestExecuted of their command makes no difference.
class AnalysisReader {
public:
    AnalysisReader(const Trace& trace, Analysis& into);
    void read();

private:
    using Slot = AnalysisScratch::Slot;

    void take(const Event& e, std::uint32_t index);
    void finish();
    void wrote(const Event& e, std::uint32_t index);

    // processes
    void started(const Event& e);
    void paused(const Event& e);
    void thaw(ProcessIndex process, Instant at);
    void ended(const Event& e, bool killed);
    void end(ProcessIndex process, Instant at, bool killed);
    void refreshOf(ProcessIndex process, Instant at);

    // claims
    void entered(const Event& e, std::uint32_t index);
    void left(const Event& e);
    void open(const Claim& claim);
    void close(std::size_t openIndex, Instant at);
    void closeInferred(ActorIndex actor, StringId key, Instant at);
    int baseOf(TaskIndex task, StringId key) const;
    int openClaimOf(TaskIndex task, StringId key) const;
    int actedUnder(TaskIndex task, StringId key) const;

    // requests
    void sent(const Event& e);
    void executed(const Event& e);
    void replied(const Event& e);
    void gaveUp(const Event& e);
    void requestLost(const Event& e);
    void settle(RequestIndex request, Instant at);
    void resolveRefusal();
    void refuse(RequestIndex asked, Instant at, int refusedBy);
    bool isRelease(const TraceRequest& request) const;

    // analysis_majority.cpp: where a lock belongs to whoever has it on most nodes
    int quorum() const { return m_trace.majorityOf / 2 + 1; }
    NodeIndex authorityOver(NodeIndex node) const { return m_out.majority ? kMajority : node; }
    Slot& majoritySlot(StringId key);
    void joinAttempt(RequestIndex request);
    bool failVote(RequestIndex request, bool refused);
    void count(const Event& e, std::uint32_t index);
    void elect(Slot& whole, int last, Instant at, std::uint32_t index);
    bool agree(const Grant& a, const Grant& b) const;
    template <typename Visit>
    void forVotes(StringId key, Visit visit);
    int votesFor(StringId key, int whole);
    Instant majorityDeadline(StringId key, int whole);
    void countServers(const Event& e);
    int attemptOf(RequestIndex r) const {
        return m_out.majority ? m_s.attemptOf[static_cast<std::size_t>(r)] : kNone;
    }
    TaskIndex waiterOf(RequestIndex request) const;
    bool kin(TaskIndex a, TaskIndex b) const;
    bool inOneAttempt(RequestIndex a, RequestIndex b) const {
        return attemptOf(a) != kNone && attemptOf(a) == attemptOf(b);
    }

    // keys
    void written(const Event& e, std::uint32_t index);
    void deadlineChanged(const Event& e);
    void removed(const Event& e);
    void beginGrant(Slot& slot, const Event& e, std::uint32_t index);
    void endGrant(Slot& slot, Instant at, EndReason reason, RequestIndex by);
    void writtenMembers(const Event& e, std::uint32_t index);
    bool hasMembers(const Event& e) const;
    bool onlyTidiesUp(RequestIndex request, int grant) const;
    void endLeases(const Event& e, bool toldLate);
    void moveDeadline(Slot& slot, const Event& e, bool byOther);
    void setDeadline(Slot& slot, Instant at, Instant deadline, RequestIndex by, bool byOther);
    bool isOwn(RequestIndex request, int grant) const;
    bool speaksFor(RequestIndex request, int grant) const;
    bool isSpokenFor(const Slot& slot) const;
    bool alive(const Grant& g) const;
    bool askSettled(const Grant& g) const;
    void refresh(Slot& slot, Instant at);
    void attend(Slot& slot, Instant at);

    /// Null if the key is no lock.
    Slot* slotOf(StringId key, NodeIndex node) {
        for (Slot& slot : m_s.places)
            if (slot.key == key && slot.node == node) return &slot;
        return newSlot(key, node);
    }
    Slot* newSlot(StringId key, NodeIndex node);
    /// Its slot for a member that came: one that is free, or another.
    Slot& slotFor(StringId key, NodeIndex node, const std::string& member);
    /// Whether a command can speak for what is in that slot: one of its key does, and one that asks how many
    /// have what its client wrote, which is about everything on its node.
    bool isAbout(const TraceRequest& r, const Slot& slot) const {
        return slot.node == authorityOver(r.node) && (slot.key == r.key || asksForCopies(r));
    }
    template <typename Visit>
    void forSlotsOf(const TraceRequest& r, Visit visit) {
        for (Slot& slot : m_s.places)
            if (isAbout(r, slot)) visit(slot);
    }
    bool concernsLock(const TraceRequest& r) { return slotOf(r.key, r.node) != nullptr || asksForCopies(r); }
    bool asksForCopies(const TraceRequest& r) const {
        const std::string_view command = m_trace.text(r.command);
        return command == "WAIT" || command == "WAITAOF";
    }
    /// Those of one key on one node, which slotOf() has made.
    template <typename Visit>
    void forSlots(StringId key, NodeIndex node, Visit visit) {
        for (Slot& slot : m_s.places)
            if (slot.key == key && slot.node == node) visit(slot);
    }
    Life& life(ProcessIndex p) { return m_out.lives[static_cast<std::size_t>(p)]; }
    Grant& grant(int g) { return m_out.grants[static_cast<std::size_t>(g)]; }
    const Grant& grant(int g) const { return m_out.grants[static_cast<std::size_t>(g)]; }
    Claim& claim(int c) { return m_out.claims[static_cast<std::size_t>(c)]; }
    RequestTimes& times(RequestIndex r) { return m_out.requests[static_cast<std::size_t>(r)]; }
    const RequestTimes& times(RequestIndex r) const { return m_out.requests[static_cast<std::size_t>(r)]; }
    const TraceRequest& request(RequestIndex r) const {
        return m_trace.requests[static_cast<std::size_t>(r)];
    }
    ProcessIndex processOf(TaskIndex t) const {
        return t == kNone ? static_cast<ProcessIndex>(kNone)
                          : m_trace.tasks[static_cast<std::size_t>(t)].process;
    }

    const Trace& m_trace;
    Analysis& m_out;
    AnalysisScratch& m_s;
    RequestIndex m_executing = kNone; ///< an ask of which it is not yet known whether it was refused
    Instant m_executedAt{};
    int m_ended = kNone;            ///< the last vote that ended
    RequestIndex m_touched = kNone; ///< the last command that wrote a lock key or moved its deadline
};

} // namespace lockscope
