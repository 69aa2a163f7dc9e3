// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ui/timeline/time_scale.h"

namespace lockscope::ui {

/// Answers "which of entries i … j-1 is the greatest" without looking at each of them: a pyramid whose levels
/// keep the winner of sixteen entries of the level below. Among equals the first wins.
template <typename Value>
class GreatestOf {
public:
    void build(std::vector<Value> values);
    /// `begin` < `end` <= the number of values.
    std::size_t greatest(std::size_t begin, std::size_t end) const;
    Value value(std::size_t i) const { return m_values[i]; }

private:
    std::size_t better(std::size_t a, std::size_t b) const { return m_values[b] > m_values[a] ? b : a; }

    std::vector<Value> m_values;
    std::vector<std::vector<std::uint32_t>> m_levels;
};
extern template class GreatestOf<std::uint8_t>;
extern template class GreatestOf<std::int64_t>;

/// Spans of one row, sorted by their start, with what folding asks of them in constant time. Times are
/// microseconds.
///
/// `source` is an index into whatever table the spans came from; `group` says which neighbours look alike
/// (the owner's actor, say). finish() comes after the last add() and before any question.
class SpanTrack {
public:
    void add(Instant from, Instant until, std::uint32_t source, std::uint8_t rank = 0,
             std::int32_t group = 0);
    void finish();

    std::size_t size() const { return m_from.size(); }
    Instant from(std::size_t i) const { return instantAt(Duration{m_from[i]}); }
    Instant until(std::size_t i) const { return instantAt(Duration{m_until[i]}); }
    std::uint32_t source(std::size_t i) const { return m_source[i]; }
    std::uint8_t rank(std::size_t i) const { return m_worst.value(i); }
    std::size_t worst(std::size_t begin, std::size_t end) const { return m_worst.greatest(begin, end); }
    /// The longest of a stretch.
    std::size_t longest(std::size_t begin, std::size_t end) const { return m_length.greatest(begin, end); }
    /// The longest of all; 0 if there are none.
    Duration longest() const { return Duration{size() == 0 ? 0 : m_length.value(longest(0, size()))}; }
    bool uniform(std::size_t begin, std::size_t end) const { return m_changes[begin] == m_changes[end - 1]; }

    /// The first that ends after `at`: nothing before it can be seen from there on.
    std::size_t firstReaching(Instant at) const;
    /// The first that begins at or after `at`, looked for from `begin` on; quick if it is near.
    std::size_t firstFrom(std::size_t begin, Instant at) const;
    /// Whether any lies in a part of this stretch.
    bool touches(Instant from, Instant until) const;
    /// The one that covers `at`, or size().
    std::size_t covering(Instant at) const;

private:
    std::vector<std::int64_t> m_from;
    std::vector<std::int64_t> m_until;
    std::vector<std::int64_t> m_reach; ///< latest end of all up to here
    std::vector<std::uint32_t> m_source;
    std::vector<std::uint32_t> m_changes; ///< how often the group changed up to here
    std::vector<std::int32_t> m_group;
    std::vector<std::uint8_t> m_ranks; ///< until finish()
    GreatestOf<std::uint8_t> m_worst;
    GreatestOf<std::int64_t> m_length;
};

/// Instants of one row, sorted.
class PointTrack {
public:
    void add(Instant at, std::uint32_t source, std::uint8_t rank = 0);
    void finish();

    std::size_t size() const { return m_at.size(); }
    Instant at(std::size_t i) const { return instantAt(Duration{m_at[i]}); }
    std::uint32_t source(std::size_t i) const { return m_source[i]; }
    std::uint8_t rank(std::size_t i) const { return m_worst.value(i); }
    std::size_t worst(std::size_t begin, std::size_t end) const { return m_worst.greatest(begin, end); }
    std::size_t firstFrom(std::size_t begin, Instant at) const;

private:
    std::vector<std::int64_t> m_at;
    std::vector<std::uint32_t> m_source;
    std::vector<std::uint8_t> m_ranks;
    GreatestOf<std::uint8_t> m_worst;
};

/// What one stroke of a painter covers: one span as it is, or a run of spans too narrow to tell apart.
struct SpanMark {
    std::size_t begin = 0;
    std::size_t end = 0;   ///< one past the last
    std::size_t worst = 0; ///< the one whose looks the mark takes
    double x0 = 0;
    double x1 = 0;

    std::size_t count() const { return end - begin; }
};

struct PointMark {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t worst = 0;
    double x = 0; ///< of the worst

    std::size_t count() const { return end - begin; }
};

/// How much wider than the narrowest drawn span a fold's cell is.
inline constexpr double kFoldCell = 8.0 / 3;

/// Hands the spans between `from` and `until` to `draw(SpanMark)`, from left to right.
///
/// Spans narrower than `least` pixels fold: those that begin within a cell of a few pixels become one, and
/// neighbouring cells of the same worst rank one mark; a wide span is always a mark of its own. So there are
/// never more marks than pixels, and the work is in proportion to pixels, not to spans: from one cell to the
/// next it leaps by search.
template <typename Draw>
void walkSpans(const SpanTrack& track, const TimeScale& scale, Instant from, Instant until, double least,
               Draw draw) {
    SpanMark run;
    const auto flush = [&] {
        if (run.count() > 0) draw(run);
        run = {};
    };
    const auto width = [&](std::size_t i) { return scale.x(track.until(i)) - scale.x(track.from(i)); };
    std::size_t i = track.firstReaching(from);
    while (i < track.size() && track.from(i) < until) {
        const double x0 = scale.x(track.from(i));
        const double x1 = scale.x(track.until(i));
        if (x1 - x0 >= least) {
            flush();
            draw(SpanMark{i, i + 1, i, x0, x1});
            ++i;
            continue;
        }
        const Instant cell = std::max(scale.at(x0 + kFoldCell * least), track.from(i) + Duration{1});
        std::size_t j = track.firstFrom(i + 1, std::min(cell, until));
        for (std::size_t wide = track.longest(i, j); wide != i && width(wide) >= least;
             wide = track.longest(i, j))
            j = wide;
        const std::size_t worst = track.worst(i, j);
        const double end = std::max(x0 + least, scale.x(track.until(j - 1)));
        if (run.count() > 0 && x0 - run.x1 < least && track.rank(worst) == track.rank(run.worst)) {
            run.end = j;
            run.x1 = end;
        } else {
            flush();
            run = {i, j, worst, x0, end};
        }
        i = j;
    }
    flush();
}

/// The same for instants: those within `cell` pixels of the first become one mark, which lies at the worst of
/// them.
template <typename Draw>
void walkPoints(const PointTrack& track, const TimeScale& scale, Instant from, Instant until, double cell,
                Draw draw) {
    std::size_t i = track.firstFrom(0, from);
    while (i < track.size() && track.at(i) <= until) {
        const Instant limit = std::max(scale.at(scale.x(track.at(i)) + cell), track.at(i) + Duration{1});
        std::size_t j = track.firstFrom(i + 1, limit);
        while (j > i + 1 && track.at(j - 1) > until)
            --j;
        const std::size_t worst = track.worst(i, j);
        draw(PointMark{i, j, worst, scale.x(track.at(worst))});
        i = j;
    }
}

} // namespace lockscope::ui
