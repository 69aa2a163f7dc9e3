// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace lockscope {

/// Every length of time is a whole number of microseconds.
using Duration = std::chrono::microseconds;

/// The clock of a run: zero is the run's start. It is virtual in the simulator and monotonic in a live run.
struct RunClock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<RunClock>;
    static constexpr bool is_steady = true;
};

/// A moment of a run, counted from its start.
using Instant = RunClock::time_point;

/// Stands for "no end", "no deadline": later than every moment of any run.
inline constexpr Instant kNever{Duration{std::numeric_limits<std::int64_t>::max()}};

constexpr Instant instantAt(Duration sinceStart) { return Instant{sinceStart}; }
constexpr std::int64_t micros(Instant at) { return at.time_since_epoch().count(); }
constexpr std::int64_t millisFloor(Instant at) { return micros(at) / 1000; }
constexpr Duration millis(std::int64_t n) { return Duration{n * 1000}; }
constexpr Duration seconds(std::int64_t n) { return Duration{n * 1'000'000}; }

/// Reads a duration as people write it: `30s`, `250ms`, `1m30s`, `1.5s`, `40us`, `2h`, `0`.
/// A number without a unit is refused, except 0. Negative durations are refused.
Result<Duration> parseDuration(std::string_view text);

/// The shortest exact form that parseDuration() reads back: `1m30s`, `31.002s`, `250ms`, `0s`.
std::string formatDuration(Duration d);

/// A moment for people, in seconds with just the decimals that tell it from its neighbours: `31.0 s`, `31.002 s`.
/// `decimals` is 0 to 6.
std::string formatSeconds(Duration d, int decimals = 1);

/// As formatSeconds() with the fewest decimals, one at least, that lose nothing.
std::string formatSecondsExact(Duration d);

} // namespace lockscope
