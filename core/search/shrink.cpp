// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/shrink.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "core/base/assert.h"

namespace lockscope {

namespace {

using Faults = std::vector<Intervention>;
using Breaks = std::function<bool(const Faults&)>;

constexpr std::array kRoundUnits{seconds(10), seconds(5), seconds(1), millis(500),
                                 millis(100), millis(10), millis(1)};

auto plainness(const Faults& faults) {
    int kinds = 0;
    Duration length{0};
    Instant at{};
    for (const Intervention& fault : faults) {
        kinds += static_cast<int>(fault.kind);
        length += fault.length;
        at = std::max(at, fault.at);
    }
    return std::make_tuple(kinds, length, at);
}

void leaveOut(Faults& faults, const Breaks& breaks) {
    for (std::size_t i = faults.size(); i-- > 0 && faults.size() > 1;) {
        Faults without = faults;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
        if (breaks(without)) faults = std::move(without);
    }
}

/// Halves the length as long as that breaks it still. What breaks need not be every longer length, so the
/// result is a length below which the neighbouring one does not, rather than the least of all.
void shorten(Faults& faults, std::size_t i, const Breaks& breaks) {
    Duration tooShort{0};
    Duration enough = faults[i].length;
    while (enough - tooShort > millis(1)) {
        Faults shorter = faults;
        shorter[i].length = tooShort + (enough - tooShort) / 2;
        if (breaks(shorter))
            enough = shorter[i].length;
        else
            tooShort = shorter[i].length;
    }
    faults[i].length = enough;
}

Duration roundedDown(Duration d, Duration unit) {
    return d / unit * unit;
}
Duration roundedUp(Duration d, Duration unit) {
    return (d + unit - Duration{1}) / unit * unit;
}

bool takeRounded(Faults& faults, std::size_t i, Duration at, Duration length, const Breaks& breaks) {
    Faults rounded = faults;
    rounded[i].at = instantAt(at);
    rounded[i].length = length;
    if (!breaks(rounded)) return false;
    faults = std::move(rounded);
    return true;
}

/// The coarsest instant that still breaks it, then for that instant the coarsest length.
void roundOff(Faults& faults, std::size_t i, const Breaks& breaks) {
    const Duration at = faults[i].at.time_since_epoch();
    const Duration length = faults[i].length;
    const Duration end = at + length;
    for (const Duration unit : kRoundUnits) {
        bool done = false;
        for (const Duration to : {roundedDown(at, unit), roundedUp(at, unit)}) {
            // A pause keeps its end, or its length, whichever serves.
            done = takeRounded(faults, i, to, length, breaks) ||
                   (length > Duration{0} && end > to && takeRounded(faults, i, to, end - to, breaks));
            if (done) break;
        }
        if (done) break;
    }
    if (length == Duration{0}) return;
    shorten(faults, i, breaks);
    const Duration least = faults[i].length;
    const Duration from = faults[i].at.time_since_epoch();
    for (const Duration unit : kRoundUnits) {
        // Halving stops at a millisecond, so the plain number may lie just below.
        const Duration down = roundedDown(least, unit);
        if (least - down <= millis(1) && down > Duration{0} && takeRounded(faults, i, from, down, breaks))
            break;
        // Twice what is needed would hide how little is needed.
        const Duration up = roundedUp(least, unit);
        if (up <= least + least / 5 + millis(1) && takeRounded(faults, i, from, up, breaks)) break;
    }
}

} // namespace

bool plainer(const Faults& a, const Faults& b) {
    if (plainness(a) != plainness(b)) return plainness(a) < plainness(b);
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(), [](const Intervention& x, const Intervention& y) {
            return std::tie(x.at, x.actor, x.kind, x.length) < std::tie(y.at, y.actor, y.kind, y.length);
        });
}

std::vector<Intervention> shrink(std::vector<Intervention> faults,
                                 const std::function<bool(const std::vector<Intervention>&)>& breaks) {
    LOCKSCOPE_ASSERT(breaks(faults));
    leaveOut(faults, breaks);
    for (std::size_t i = 0; i < faults.size(); ++i)
        if (faults[i].length > Duration{0}) shorten(faults, i, breaks);
    for (std::size_t i = 0; i < faults.size(); ++i)
        roundOff(faults, i, breaks);
    return faults;
}

} // namespace lockscope
