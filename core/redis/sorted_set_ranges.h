// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/redis/call.h"

namespace lockscope::redis {

/// Ranks `first` to before `end` of a sorted set.
struct RankRange {
    std::size_t first = 0;
    std::size_t end = 0;
    std::size_t size() const { return end - first; }
};

/// By what a command chooses members.
enum class RangeKind : std::uint8_t { Rank, Score, Name };

/// Two ends of a range as a command names them, read before the key is looked at:
/// positions "0" and "-1", scores "5" and "(5", names "[a", "(a", "-" and "+".
class RangeEnds {
public:
    /// Nothing (and the reply is the error) if they cannot be read.
    static std::optional<RangeEnds> read(const Call& call, RangeKind kind, std::string_view least,
                                         std::string_view most);

    /// The members that are in. `reversed`: as a command sees them that goes from the highest score down.
    RankRange in(const SortedSet& set, bool reversed = false) const;

private:
    struct Score {
        double value = 0;
        bool excluded = false;
    };
    struct Name {
        enum class Kind : std::uint8_t { Least, Named, Most } kind = Kind::Named;
        std::string_view text;
        bool excluded = false;
    };

    static std::optional<Score> readScore(std::string_view text);
    static std::optional<Name> readName(std::string_view text);
    static bool isUnder(const Name& end, const Member& member, bool orAt);
    RankRange byName(const SortedSet& set, bool reversed) const;

    RangeKind m_kind = RangeKind::Rank;
    std::int64_t m_firstRank = 0, m_lastRank = 0;
    Score m_leastScore, m_mostScore;
    Name m_leastName, m_mostName;
};

} // namespace lockscope::redis
