// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/agreement.h"

#include <algorithm>
#include <tuple>

#include "core/trace/phrases.h"
#include "core/trace/wording.h"

namespace lockscope {

namespace {

std::vector<Agreement::Break> breaksOf(const ToldRun& run, Duration moment) {
    std::vector<Agreement::Break> out;
    const auto earlier = [](const Agreement::Break& a, const Agreement::Break& b) {
        return std::tie(a.invariant, a.who) < std::tie(b.invariant, b.who);
    };
    std::size_t group = 0; // where those of one moment begin
    Instant began{};
    for (const Violation& violation : run.violations) {
        if (out.empty() || violation.at - began > moment) {
            group = out.size();
            began = violation.at;
        }
        Agreement::Break next{violation.invariant, nameOfActor(run.trace, violation.actors[0]), violation.at};
        const auto place =
            std::upper_bound(out.begin() + static_cast<std::ptrdiff_t>(group), out.end(), next, earlier);
        out.insert(place, std::move(next));
    }
    return out;
}

std::string named(const Agreement::Break& each) {
    return say("“{0}” ({1})", titleOf(each.invariant), each.who);
}

std::string listed(const std::vector<Agreement::Break>& breaks) {
    if (breaks.empty()) return translated("nothing");
    std::string out;
    for (const Agreement::Break& each : breaks)
        out += (out.empty() ? "" : ", ") + named(each);
    return out;
}

} // namespace

Agreement agreementOf(const ToldRun& one, const ToldRun& other, Duration moment) {
    Agreement agreement;
    agreement.one = breaksOf(one, moment);
    agreement.other = breaksOf(other, moment);
    agreement.sameBreaks = std::is_permutation(agreement.one.begin(), agreement.one.end(),
                                               agreement.other.begin(), agreement.other.end());
    agreement.sameOrder = agreement.one == agreement.other;
    const auto [a, b] = std::mismatch(agreement.one.begin(), agreement.one.end(), agreement.other.begin(),
                                      agreement.other.end());
    agreement.apart = static_cast<std::size_t>(a - agreement.one.begin());
    return agreement;
}

std::string sentenceFor(const Agreement& agreement) {
    if (agreement.agrees() && agreement.one.empty())
        return translated("The simulator agrees: nothing was broken in either run.");
    if (agreement.agrees())
        return say("The simulator agrees: the same was broken in the same order: {0}.",
                   listed(agreement.one));
    const std::string both =
        say("Really: {0}. Simulated: {1}.", listed(agreement.one), listed(agreement.other));
    if (agreement.sameBreaks) return say("The same was broken, in another order. {0}", both);
    const auto at = [&](const std::vector<Agreement::Break>& breaks) {
        if (agreement.apart >= breaks.size()) return std::string(translated("nothing more"));
        const Agreement::Break& first = breaks[agreement.apart];
        return say("{0} at {1}", named(first), sayTime(first.at));
    };
    return say("The two runs part: really {0}, simulated {1}. {2}", at(agreement.one), at(agreement.other),
               both);
}

} // namespace lockscope
