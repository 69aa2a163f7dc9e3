// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/sorted_set_ranges.h"

#include <algorithm>

#include "core/redis/collection_steps.h"
#include "core/redis/numbers.h"

namespace lockscope::redis {

std::optional<RangeEnds::Score> RangeEnds::readScore(std::string_view text) {
    Score score;
    score.excluded = text.starts_with('(');
    const std::optional<double> value = parseScoreBound(text.substr(score.excluded ? 1 : 0));
    if (!value) return std::nullopt;
    score.value = *value;
    return score;
}

std::optional<RangeEnds::Name> RangeEnds::readName(std::string_view text) {
    using Kind = Name::Kind;
    if (text == "-") return Name{Kind::Least, {}, false};
    if (text == "+") return Name{Kind::Most, {}, false};
    if (text.starts_with('[')) return Name{Kind::Named, text.substr(1), false};
    if (text.starts_with('(')) return Name{Kind::Named, text.substr(1), true};
    return std::nullopt;
}

std::optional<RangeEnds> RangeEnds::read(const Call& call, RangeKind kind, std::string_view least,
                                         std::string_view most) {
    RangeEnds ends;
    ends.m_kind = kind;
    if (kind == RangeKind::Rank) {
        const std::optional<std::int64_t> first = parseInteger(least);
        const std::optional<std::int64_t> last = parseInteger(most);
        if (first && last) {
            ends.m_firstRank = *first;
            ends.m_lastRank = *last;
            return ends;
        }
        call.reply.becomeError(errors::kNotAnInteger);
    } else if (kind == RangeKind::Score) {
        const std::optional<Score> from = readScore(least);
        const std::optional<Score> to = readScore(most);
        if (from && to) {
            ends.m_leastScore = *from;
            ends.m_mostScore = *to;
            return ends;
        }
        call.reply.becomeError("ERR min or max is not a float");
    } else {
        const std::optional<Name> from = readName(least);
        const std::optional<Name> to = readName(most);
        if (from && to) {
            ends.m_leastName = *from;
            ends.m_mostName = *to;
            return ends;
        }
        call.reply.becomeError("ERR min or max not valid string range item");
    }
    return std::nullopt;
}

bool RangeEnds::isUnder(const Name& end, const Member& member, bool orAt) {
    if (end.kind != Name::Kind::Named) return end.kind == Name::Kind::Most;
    return orAt ? member.key <= end.text : member.key < end.text;
}

/// Means something only if all scores are equal, as Redis says too. With other scores Redis answers what its
/// search happens to meet; in a flat set that is certain, so it is the same here.
RankRange RangeEnds::byName(const SortedSet& set, bool reversed) const {
    const std::vector<Member*>& members = set.byScore();
    const auto tooLow = [&](const Member* m) { return isUnder(m_leastName, *m, m_leastName.excluded); };
    const auto lowEnough = [&](const Member* m) { return isUnder(m_mostName, *m, !m_mostName.excluded); };
    const auto rank = [&](auto place) { return static_cast<std::size_t>(place - members.begin()); };
    if (!set.isFlat())
        return {rank(std::ranges::partition_point(members, tooLow)),
                rank(std::ranges::partition_point(members, lowEnough))};
    if (members.empty() || tooLow(members.back()) || !lowEnough(members.front())) return {};
    if (reversed) {
        const auto last = std::find_if(members.rbegin(), members.rend(), lowEnough);
        return {rank(std::find_if(last, members.rend(), tooLow).base()), rank(last.base())};
    }
    const auto first = std::ranges::find_if_not(members, tooLow);
    return {rank(first), rank(std::find_if_not(first, members.end(), lowEnough))};
}

RankRange RangeEnds::in(const SortedSet& set, bool reversed) const {
    const std::vector<Member*>& members = set.byScore();
    const auto rank = [&](auto place) { return static_cast<std::size_t>(place - members.begin()); };
    RankRange range;
    if (m_kind == RangeKind::Rank) {
        const auto size = static_cast<std::int64_t>(members.size());
        const IndexRange positions = indexRange(m_firstRank, m_lastRank, size);
        const std::int64_t first = reversed ? size - positions.first - positions.count : positions.first;
        range.first = static_cast<std::size_t>(positions.count > 0 ? first : 0);
        range.end = range.first + static_cast<std::size_t>(positions.count);
    } else if (m_kind == RangeKind::Score) {
        range.first = rank(std::ranges::partition_point(members, [&](const Member* m) {
            return m_leastScore.excluded ? m->score <= m_leastScore.value : m->score < m_leastScore.value;
        }));
        range.end = rank(std::ranges::partition_point(members, [&](const Member* m) {
            return m_mostScore.excluded ? m->score < m_mostScore.value : m->score <= m_mostScore.value;
        }));
    } else {
        range = byName(set, reversed);
    }
    range.end = std::max(range.first, range.end);
    return range;
}

} // namespace lockscope::redis
