// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/invariants.h"

#include <algorithm>
#include <tuple>

#include "core/trace/rules/rules.h"

namespace lockscope {

namespace {

constexpr std::array<std::string_view, kInvariantCount> kNames{
    "stale-write", "foreign-delete",   "foreign-extend", "belief-overlap",
    "stuck-lock",  "unprotected-work", "starvation"};

auto rankOf(const Violation& v) {
    return std::tie(v.at, v.invariant, v.claims, v.grant, v.request, v.key);
}

} // namespace

std::string_view nameOf(Invariant invariant) {
    return kNames[static_cast<std::size_t>(invariant)];
}

bool invariantNamed(std::string_view name, Invariant& out) {
    const auto it = std::find(kNames.begin(), kNames.end(), name);
    if (it == kNames.end()) return false;
    out = kInvariants[static_cast<std::size_t>(it - kNames.begin())];
    return true;
}

void Judge::judge(const Trace& trace, const Analysis& analysis, std::vector<Violation>& out) {
    out.clear();
    const Case c{trace, analysis, m_scratch, out};
    judgeStaleWrite(c);
    judgeForeignDelete(c);
    judgeForeignExtend(c);
    judgeBeliefOverlap(c);
    judgeStuckLock(c);
    judgeUnprotectedWork(c);
    judgeStarvation(c);
    std::sort(out.begin(), out.end(),
              [](const Violation& a, const Violation& b) { return rankOf(a) < rankOf(b); });
}

} // namespace lockscope
