// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/track.h"

#include "core/base/assert.h"

namespace lockscope::ui {

namespace {

constexpr std::size_t kFan = 16;

/// The first entry of a sorted list, at or after `begin`, for which `before` is false. It doubles its steps,
/// so that a near answer costs little however long the list is.
template <typename Before>
std::size_t gallop(const std::vector<std::int64_t>& list, std::size_t begin, Before before) {
    std::size_t low = begin;
    std::size_t step = 1;
    while (low + step <= list.size() && before(list[low + step - 1])) {
        low += step;
        step *= 2;
    }
    const std::size_t high = std::min(low + step, list.size());
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(low);
    const auto last = list.begin() + static_cast<std::ptrdiff_t>(high);
    return static_cast<std::size_t>(std::partition_point(first, last, before) - list.begin());
}

} // namespace

template <typename Value>
void GreatestOf<Value>::build(std::vector<Value> values) {
    m_values = std::move(values);
    m_levels.clear();
    std::size_t below = m_values.size();
    while (below > kFan) {
        std::vector<std::uint32_t> level((below + kFan - 1) / kFan);
        for (std::size_t block = 0; block < level.size(); ++block) {
            const std::size_t end = std::min(below, (block + 1) * kFan);
            const auto winner = [&](std::size_t i) {
                return m_levels.empty() ? i : static_cast<std::size_t>(m_levels.back()[i]);
            };
            std::size_t best = winner(block * kFan);
            for (std::size_t i = block * kFan + 1; i < end; ++i)
                best = better(best, winner(i));
            level[block] = static_cast<std::uint32_t>(best);
        }
        below = level.size();
        m_levels.push_back(std::move(level));
    }
}

template <typename Value>
std::size_t GreatestOf<Value>::greatest(std::size_t begin, std::size_t end) const {
    LOCKSCOPE_ASSERT(begin < end && end <= m_values.size());
    std::size_t left = begin; // best so far from the left edge, and from the right edge; merged at the top
    std::size_t right = end - 1;
    std::size_t level = 0; // 0: entries themselves
    const auto winner = [&](std::size_t i) {
        return level == 0 ? i : static_cast<std::size_t>(m_levels[level - 1][i]);
    };
    // Entries of equal value: the first must win, so the right side gives way on a tie.
    const auto takeRight = [&](std::size_t candidate) {
        if (m_values[candidate] >= m_values[right]) right = candidate;
    };
    while (level < m_levels.size() && end - begin > 2 * kFan) {
        while (begin % kFan != 0)
            left = better(left, winner(begin++));
        while (end % kFan != 0)
            takeRight(winner(--end));
        begin /= kFan;
        end /= kFan;
        ++level;
    }
    for (; begin < end; ++begin)
        left = better(left, winner(begin));
    return better(left, right);
}

template class GreatestOf<std::uint8_t>;
template class GreatestOf<std::int64_t>;

void SpanTrack::add(Instant from, Instant until, std::uint32_t source, std::uint8_t rank,
                    std::int32_t group) {
    m_from.push_back(micros(from));
    m_until.push_back(micros(until));
    m_source.push_back(source);
    m_ranks.push_back(rank);
    m_group.push_back(group);
}

void SpanTrack::finish() {
    m_reach.resize(m_from.size());
    m_changes.resize(m_from.size());
    std::vector<std::int64_t> lengths(m_from.size());
    for (std::size_t i = 0; i < m_from.size(); ++i) {
        LOCKSCOPE_ASSERT(i == 0 || m_from[i] >= m_from[i - 1]);
        lengths[i] = m_until[i] - m_from[i];
        m_reach[i] = i == 0 ? m_until[i] : std::max(m_reach[i - 1], m_until[i]);
        m_changes[i] = i == 0 ? 0 : m_changes[i - 1] + (m_group[i] != m_group[i - 1] ? 1 : 0);
    }
    m_group = {};
    m_length.build(std::move(lengths));
    m_worst.build(std::move(m_ranks));
    m_ranks = {};
}

std::size_t SpanTrack::firstReaching(Instant at) const {
    const std::int64_t t = micros(at);
    const auto it = std::upper_bound(m_reach.begin(), m_reach.end(), t);
    return static_cast<std::size_t>(it - m_reach.begin());
}

std::size_t SpanTrack::firstFrom(std::size_t begin, Instant at) const {
    const std::int64_t t = micros(at);
    return gallop(m_from, begin, [t](std::int64_t from) { return from < t; });
}

bool SpanTrack::touches(Instant from, Instant until) const {
    const std::size_t i = firstReaching(from);
    return i < size() && this->from(i) < until;
}

std::size_t SpanTrack::covering(Instant at) const {
    for (std::size_t i = firstReaching(at); i < size() && from(i) <= at; ++i)
        if (until(i) > at) return i;
    return size();
}

void PointTrack::add(Instant at, std::uint32_t source, std::uint8_t rank) {
    m_at.push_back(micros(at));
    m_source.push_back(source);
    m_ranks.push_back(rank);
}

void PointTrack::finish() {
    LOCKSCOPE_ASSERT(std::is_sorted(m_at.begin(), m_at.end()));
    m_worst.build(std::move(m_ranks));
    m_ranks = {};
}

std::size_t PointTrack::firstFrom(std::size_t begin, Instant at) const {
    const std::int64_t t = micros(at);
    return gallop(m_at, begin, [t](std::int64_t value) { return value < t; });
}

} // namespace lockscope::ui
