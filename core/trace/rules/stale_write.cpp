// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// stale-write: the resource accepts a write made under a claim after it accepted one made under a younger
// grant of the same key.
//
// Fires at each accepted write whose writer acts under claim c (its own, or one it inherits), when an earlier
// accepted write was made under a claim c' on the same key and base(c') is numbered higher than base(c). A
// claim that was entered on nothing counts as base 0. A writer without any claim counts as base 0 too; as it
// names no key, it is held against earlier writes to the same item of the resource.
//
// Why not "a write by somebody who is not the owner": the write of a late holder to whom nobody was
// overtaking is in order and harms nothing, and a writer that never held the lock, or that owns it again
// after a gap, would be missed. Why not by fence numbers: after a lost counter two holders carry equal
// fences, and the older write still lands last.

#include "core/trace/rules/rules.h"

namespace lockscope {

namespace {

JudgeScratch::Newest& entryFor(std::vector<JudgeScratch::Newest>& table, StringId of) {
    for (JudgeScratch::Newest& entry : table)
        if (entry.of == of) return entry;
    table.push_back({of, 0, kNone});
    return table.back();
}

} // namespace

void judgeStaleWrite(const Case& c) {
    c.scratch.byKey.clear();
    c.scratch.byItem.clear();
    for (const AcceptedWrite& write : c.analysis.writes) {
        const Event& e = c.trace.events[write.event];
        int number = 0;
        if (write.claim != kNone && c.claim(write.claim).base != kNone)
            number = c.grant(c.claim(write.claim).base).number;
        JudgeScratch::Newest& newest = write.claim != kNone
                                           ? entryFor(c.scratch.byKey, c.claim(write.claim).key)
                                           : entryFor(c.scratch.byItem, e.text);
        if (newest.number > number) {
            Violation v;
            v.invariant = Invariant::StaleWrite;
            v.key = c.claim(newest.claim).key;
            v.at = v.until = e.at;
            v.actors = {e.actor, c.claim(newest.claim).actor};
            v.claims = {write.claim, newest.claim};
            v.grant = c.claim(newest.claim).base;
            c.out.push_back(v);
        } else if (number > 0) {
            newest.number = number;
            newest.claim = write.claim;
            JudgeScratch::Newest& item = entryFor(c.scratch.byItem, e.text);
            if (item.number == 0 || c.claim(item.claim).from <= c.claim(write.claim).from)
                item = {e.text, number, write.claim};
        }
    }
}

} // namespace lockscope
