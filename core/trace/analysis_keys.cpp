// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The half of the reader that follows requests and keys: who asked, what was granted, what ended it, and
// whether somebody stands behind the grant that lives.

#include <algorithm>
#include <cctype>

#include "core/trace/analysis_reader.h"
#include "core/trace/lock_shape.h"

namespace lockscope {

AnalysisReader::Slot* AnalysisReader::newSlot(StringId key, NodeIndex node) {
    const int lock = lockIndexOf(m_trace, key);
    if (lock == kNone) return nullptr;
    Slot fresh;
    fresh.key = key;
    fresh.node = node;
    fresh.lock = lock;
    m_s.places.push_back(fresh);
    return &m_s.places.back();
}

// --- requests

void AnalysisReader::sent(const Event& e) {
    times(e.request).sent = e.at;
    const TraceRequest& r = request(e.request);
    if (!concernsLock(r)) return;
    if (r.task == kNone && isRelease(r)) closeInferred(r.actor, r.key, e.at);
    if (m_out.majority && r.ask) joinAttempt(e.request);
    m_s.underWay.push_back(e.request);
    forSlotsOf(r, [&](Slot& slot) {
        if (slot.grant != kNone && speaksFor(e.request, slot.grant)) refresh(slot, e.at);
    });
}

void AnalysisReader::executed(const Event& e) {
    RequestTimes& t = times(e.request);
    t.executed = e.at;
    t.reply = e.text;
    t.failed = (e.b & 1) != 0;
    if (request(e.request).ask) {
        m_executing = e.request;
        m_executedAt = e.at;
    }
    settle(e.request, e.at);
}

/// An ask that neither wrote its key nor moved its deadline was refused.
void AnalysisReader::resolveRefusal() {
    const RequestIndex asked = std::exchange(m_executing, kNone);
    if (asked == kNone || m_touched == asked) return;
    const TraceRequest& r = request(asked);
    Slot* slot = slotOf(r.key, r.node);
    if (slot == nullptr) return;
    times(asked).refusal = true;
    if (!m_out.majority)
        refuse(asked, m_executedAt, slot->grant);
    else if (failVote(asked, true))
        refuse(asked, m_executedAt, majoritySlot(r.key).grant);
}

void AnalysisReader::refuse(RequestIndex asked, Instant at, int refusedBy) {
    const TraceRequest& r = request(asked);
    Refusal refusal{asked, at, refusedBy, kNone};
    const TaskIndex waiter = waiterOf(asked);
    const ProcessIndex process = processOf(waiter);
    const bool waits = waiter != kNone && life(process).aliveAt(at) &&
                       m_out.taskEnds[static_cast<std::size_t>(waiter)] == kNever &&
                       openClaimOf(waiter, r.key) == kNone;
    if (waits) {
        for (const int w : m_s.openWaits)
            if (const Waiting& wait = m_out.waits[static_cast<std::size_t>(w)];
                wait.task == waiter && wait.key == r.key)
                refusal.wait = w;
        if (refusal.wait == kNone) {
            refusal.wait = static_cast<int>(m_out.waits.size());
            m_s.openWaits.push_back(refusal.wait);
            Waiting wait;
            wait.key = r.key;
            wait.node = authorityOver(r.node);
            wait.task = waiter;
            wait.process = process;
            wait.actor = r.actor;
            wait.from = times(asked).sent;
            m_out.waits.push_back(wait);
        }
        ++m_out.waits[static_cast<std::size_t>(refusal.wait)].refused;
    }
    m_out.refusals.push_back(refusal);
}

void AnalysisReader::replied(const Event& e) {
    RequestTimes& t = times(e.request);
    t.replied = e.at;
    if (t.reply == StringId::Empty) t.reply = e.text;
    const TraceRequest& r = request(e.request);
    const bool late = (e.b & 4) != 0;
    if (!late && (r.ask || t.grant != kNone) && slotOf(r.key, r.node) != nullptr) {
        m_s.answered.push_back(e.request);
        const int base = t.grant == kNone || !m_out.majority ? t.grant : grant(t.grant).whole;
        if (r.task == kNone && base != kNone) {
            closeInferred(r.actor, r.key, e.at);
            Claim c;
            c.key = r.key;
            c.actor = r.actor;
            c.from = e.at;
            c.base = base;
            c.inferred = true;
            open(c);
        }
    }
    settle(e.request, e.at);
}

void AnalysisReader::gaveUp(const Event& e) {
    times(e.request).gaveUp = e.at;
    if (failVote(e.request, false)) refuse(e.request, e.at, majoritySlot(request(e.request).key).grant);
    settle(e.request, e.at);
}

void AnalysisReader::requestLost(const Event& e) {
    times(e.request).requestLost = e.at;
    if (failVote(e.request, false)) refuse(e.request, e.at, majoritySlot(request(e.request).key).grant);
    settle(e.request, e.at);
}

/// A command is under way until its sender has done with it and the server has too: one that was sent before
/// a kill still speaks for the dead until it is executed.
void AnalysisReader::settle(RequestIndex index, Instant at) {
    const TraceRequest& r = request(index);
    if (!concernsLock(r)) return;
    const RequestTimes& t = times(index);
    const ProcessIndex process = processOf(r.task);
    const bool senderDone =
        t.replied != kNever || t.gaveUp != kNever || (process != kNone && !life(process).aliveAt(at));
    const bool serverDone = t.executed != kNever || t.requestLost != kNever;
    const auto it = std::find(m_s.underWay.begin(), m_s.underWay.end(), index);
    if (senderDone && serverDone && it != m_s.underWay.end()) {
        *it = m_s.underWay.back();
        m_s.underWay.pop_back();
    }
    forSlotsOf(r, [&](Slot& slot) {
        if (slot.grant == kNone) return;
        if (grant(slot.grant).ask == index || speaksFor(index, slot.grant)) refresh(slot, at);
    });
}

bool AnalysisReader::isRelease(const TraceRequest& r) const {
    const std::string_view command = m_trace.text(r.command);
    if (command == "DEL" || command == "UNLINK" || command == "GETDEL" || command == "DELEX" ||
        command == "DELIFEQ" || command == "ZREM" || command == "HDEL" || command == "SREM")
        return true;
    if (!command.starts_with("EVAL")) return false;
    std::string script(m_trace.text(r.text));
    std::transform(script.begin(), script.end(), script.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return script.find("'del'") != std::string::npos || script.find("\"del\"") != std::string::npos ||
           script.find("unlink") != std::string::npos;
}

// --- keys

void AnalysisReader::written(const Event& e, std::uint32_t index) {
    Slot* slot = slotOf(e.key, e.node);
    if (slot == nullptr) return;
    if (e.request != kNone) m_touched = e.request;
    if (hasMembers(e)) return writtenMembers(e, index);
    forSlots(e.key, e.node, [&](Slot& each) { // no collection any more: nobody of it is left
        if (each.grant != kNone && !each.member.empty())
            endGrant(each, e.at, EndReason::Overwritten, e.request);
        each.member.clear();
    });
    if (slot->grant == kNone) return beginGrant(*slot, e, index);
    if (e.request != kNone && isOwn(e.request, slot->grant)) {
        times(e.request).grant = slot->grant;
        return moveDeadline(*slot, e, false);
    }
    endGrant(*slot, e.at, EndReason::Overwritten, e.request);
    beginGrant(*slot, e, index);
}

void AnalysisReader::deadlineChanged(const Event& e) {
    Slot* slot = slotOf(e.key, e.node);
    if (slot == nullptr) return;
    if (e.request != kNone) m_touched = e.request;
    const bool shared = !slot->member.empty(); // one deadline for all: whoever moves it moves his own too
    forSlots(e.key, e.node, [&](Slot& each) {
        if (each.grant == kNone) return;
        const bool own = e.request == kNone || isOwn(e.request, each.grant);
        if (own && e.request != kNone && request(e.request).ask) times(e.request).grant = each.grant;
        moveDeadline(each, e, !own && !shared);
    });
}

/// Whether what was written is a collection of holders.
bool AnalysisReader::hasMembers(const Event& e) const {
    const int lock = lockIndexOf(m_trace, e.key);
    if (lock == kNone || m_trace.lockKeys[static_cast<std::size_t>(lock)].holders < 2) return false;
    const std::string_view type = m_trace.text(e.text2);
    return type == "zset" || type == "hash" || type == "set";
}

/// Who is new has been granted a place, who is missing has lost his.
void AnalysisReader::writtenMembers(const Event& e, std::uint32_t index) {
    const LockView view = lockView(m_trace.text(e.text2), m_trace.text(e.text));
    const auto isThere = [&](const std::string& member) {
        return std::any_of(view.holders.begin(), view.holders.end(),
                           [&](const LockHolder& holder) { return holder.name == member; });
    };
    const Instant deadline = instantAt(Duration{e.a});
    forSlots(e.key, e.node, [&](Slot& slot) {
        if (slot.grant == kNone) return;
        if (isThere(slot.member) || view.cut) {
            if (slot.deadline != deadline) moveDeadline(slot, e, false);
        } else if (onlyTidiesUp(e.request, slot.grant)) {
            endGrant(slot, e.at, EndReason::LeaseEnded, kNone);
        } else {
            endGrant(slot, e.at, EndReason::Deleted, e.request);
        }
    });
    for (const LockHolder& holder : view.holders) {
        bool known = false;
        forSlots(e.key, e.node,
                 [&](const Slot& slot) { known |= slot.grant != kNone && slot.member == holder.name; });
        if (!known) beginGrant(slotFor(e.key, e.node, holder.name), e, index);
    }
}

/// A semaphore keeps its leases in the scores, and whoever comes next throws out those that are over: that is
/// how a lease ends there, and nobody's deletion.
bool AnalysisReader::onlyTidiesUp(RequestIndex index, int g) const {
    if (index == kNone || isOwn(index, g)) return false;
    std::string text(m_trace.text(request(index).text));
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text.find("zremrangebyscore") != std::string::npos;
}

AnalysisReader::Slot& AnalysisReader::slotFor(StringId key, NodeIndex node, const std::string& member) {
    Slot* found = nullptr;
    forSlots(key, node, [&](Slot& slot) {
        if (slot.grant == kNone && found == nullptr) found = &slot;
    });
    if (found == nullptr) found = newSlot(key, node);
    found->member = member;
    return *found;
}

/// The lease under the key is over, and with it whatever was granted there. A server's clock counts in
/// milliseconds, and in the one that a deadline names the key is still there: what happens in it is told
/// before the end.
void AnalysisReader::endLeases(const Event& e, bool toldLate) {
    forSlots(e.key, e.node, [&](Slot& slot) {
        if (slot.grant == kNone) return;
        const bool late = toldLate || e.at - slot.deadline < millis(1);
        endGrant(slot, late ? std::min(e.at, slot.deadline) : e.at, EndReason::LeaseEnded, kNone);
    });
}

void AnalysisReader::moveDeadline(Slot& slot, const Event& e, bool byOther) {
    setDeadline(slot, e.at, instantAt(Duration{e.a}), e.request, byOther);
}

void AnalysisReader::setDeadline(Slot& slot, Instant at, Instant deadline, RequestIndex by, bool byOther) {
    m_out.deadlines.push_back(
        {slot.key, slot.node, at, deadline, slot.grant, by, byOther, deadline != slot.deadline});
    slot.deadline = deadline;
    Grant& g = grant(slot.grant);
    // What was sent while the claim was open still counts as the claim's doing.
    if (g.leftAt != kNever && !byOther && by != kNone && times(by).sent <= g.leftAt)
        g.deadlineWhenLeft = deadline;
}

void AnalysisReader::removed(const Event& e) {
    if (slotOf(e.key, e.node) == nullptr || e.reason == EndReason::Overwritten) return;
    if (e.reason == EndReason::LeaseEnded) // told of the removal only, as a live server does
        return endLeases(e, true);
    if (e.request != kNone) {
        const TraceRequest& r = request(e.request);
        if (r.task == kNone) closeInferred(r.actor, e.key, times(e.request).sent);
    }
    forSlots(e.key, e.node, [&](Slot& slot) {
        if (slot.grant == kNone) return;
        if (!slot.member.empty() && onlyTidiesUp(e.request, slot.grant))
            endGrant(slot, e.at, EndReason::LeaseEnded, kNone);
        else
            endGrant(slot, e.at, e.reason, e.request);
    });
}

void AnalysisReader::beginGrant(Slot& slot, const Event& e, std::uint32_t index) {
    Grant g;
    g.key = slot.key;
    g.node = slot.node;
    g.number = m_out.majority ? ++slot.granted : ++m_s.numbers[static_cast<std::size_t>(slot.lock)];
    g.ask = e.request;
    g.task = e.task;
    g.actor = e.actor;
    g.from = g.came = e.at;
    if (e.request != kNone) {
        const TraceRequest& r = request(e.request);
        g.task = r.task;
        g.actor = r.actor;
        if (times(e.request).sent != kNever) g.came = times(e.request).sent;
    }
    g.process = processOf(g.task);
    g.deadlineWhenGranted = instantAt(Duration{e.a});
    g.firstEvent = index;
    g.value = e.text;

    const auto number = static_cast<int>(m_out.grants.size());
    m_out.grants.push_back(g);
    if (e.request != kNone) times(e.request).grant = number;
    m_out.deadlines.push_back(
        {slot.key, slot.node, e.at, g.deadlineWhenGranted, number, e.request, false, true});
    slot.grant = number;
    slot.deadline = g.deadlineWhenGranted;
    slot.claims = 0;
    slot.bareSince = kNever;
    refresh(slot, e.at);
}

void AnalysisReader::endGrant(Slot& slot, Instant at, EndReason reason, RequestIndex by) {
    const int index = slot.grant;
    Grant& g = grant(index);
    g.until = at;
    g.end = reason;
    g.endedBy = by;
    g.endedByOther = by != kNone && !isOwn(by, index);
    g.authorHeld = alive(g) && (slot.claims > 0 || !askSettled(g));
    attend(slot, at);
    if (!m_out.decides(g)) m_ended = index;
    slot.grant = kNone;
    slot.deadline = kNever;
}

} // namespace lockscope
