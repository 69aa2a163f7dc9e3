// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The part of the reader that asks whose a command is, and whether somebody stands behind a grant.

#include <algorithm>

#include "core/trace/analysis_reader.h"

namespace lockscope {

/// A command is a grant's own if it comes from the author's family, or from a task whose current or last
/// claim on the key was entered on that grant. The text of the token has no say.
bool AnalysisReader::isOwn(RequestIndex index, int g) const {
    const TraceRequest& r = request(index);
    const Grant& of = grant(g);
    if (r.task == kNone) return of.task == kNone && of.actor == r.actor;
    if (kin(r.task, of.task)) return true;
    const int last = lastClaimOf(m_trace, m_out, r.task, of.key, kNever);
    const int meant = m_out.decides(of) ? g : of.whole;
    return meant != kNone && last != kNone && m_out.claims[static_cast<std::size_t>(last)].base == meant;
}

/// Whether a command under way shows that its author still means to do something about the grant. A later ask
/// does not: it shows that he knows nothing of it.
bool AnalysisReader::speaksFor(RequestIndex index, int g) const {
    const Grant& of = grant(g);
    const TraceRequest& r = request(index);
    if (index == of.ask) return false;
    const bool family = r.task == kNone ? of.task == kNone && of.actor == r.actor : kin(r.task, of.task);
    return family && (!r.ask || index < of.ask || inOneAttempt(index, of.ask));
}

bool AnalysisReader::alive(const Grant& g) const {
    return g.process == kNone || m_out.lives[static_cast<std::size_t>(g.process)].until == kNever;
}

bool AnalysisReader::askSettled(const Grant& g) const {
    if (g.ask == kNone) return true;
    return times(g.ask).replied != kNever || times(g.ask).gaveUp != kNever || !alive(g);
}

bool AnalysisReader::isSpokenFor(const Slot& slot) const {
    return std::any_of(m_s.underWay.begin(), m_s.underWay.end(),
                       [&](RequestIndex r) { return isAbout(request(r), slot) && speaksFor(r, slot.grant); });
}

void AnalysisReader::refresh(Slot& slot, Instant at) {
    const Grant& g = grant(slot.grant);
    if (!m_out.decides(g)) return; // a vote is nobody's to stand behind
    const bool frozen = g.process != kNone && life(g.process).freeze != kNone;
    const bool bare = slot.claims == 0 && !frozen && askSettled(g) && !isSpokenFor(slot);
    if (!bare) return attend(slot, at);
    if (slot.bareSince == kNever) slot.bareSince = at;
}

void AnalysisReader::attend(Slot& slot, Instant at) {
    if (slot.bareSince != kNever && slot.bareSince < at) {
        const Grant& g = grant(slot.grant);
        const Instant stood = g.claim == kNone ? g.deadlineWhenGranted : g.deadlineWhenLeft;
        m_out.unattended.push_back({slot.grant, slot.bareSince, at, stood, g.kept});
    }
    slot.bareSince = kNever;
}

} // namespace lockscope
