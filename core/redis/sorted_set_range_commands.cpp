// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <utility>

#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/sorted_set_ranges.h"

namespace lockscope::redis::commands {

namespace {

struct RangeOptions {
    RangeKind kind = RangeKind::Rank;
    bool reversed = false;
    bool withScores = false;
    bool limited = false;
    std::int64_t offset = 0;
    std::int64_t limit = -1; ///< negative: all
};

/// Reads what follows the two ends. False (and the reply is the error) if it cannot be. ZRANGE itself may
/// also say BYSCORE, BYLEX and REV.
bool readRangeOptions(const Call& call, RangeOptions& options, bool general) {
    for (std::size_t i = 4; i < call.count(); ++i) {
        const std::string_view word = call.arg(i);
        if (equalsIgnoringCase(word, "withscores")) {
            options.withScores = true;
        } else if (equalsIgnoringCase(word, "limit") && i + 2 < call.count()) {
            const std::optional<std::int64_t> offset = call.integerArg(i + 1);
            const std::optional<std::int64_t> limit = offset ? call.integerArg(i + 2) : std::nullopt;
            if (!limit) return false;
            options.limited = true;
            options.offset = *offset;
            options.limit = *limit;
            i += 2;
        } else if (general && !options.reversed && equalsIgnoringCase(word, "rev")) {
            options.reversed = true;
        } else if (general && options.kind == RangeKind::Rank && equalsIgnoringCase(word, "byscore")) {
            options.kind = RangeKind::Score;
        } else if (general && options.kind == RangeKind::Rank && equalsIgnoringCase(word, "bylex")) {
            options.kind = RangeKind::Name;
        } else {
            call.reply.becomeError(errors::kSyntax);
            return false;
        }
    }
    if (options.limited && options.limit != -1 && options.kind == RangeKind::Rank) {
        call.reply.becomeError("ERR syntax error, LIMIT is only supported in combination with either BYSCORE "
                               "or BYLEX");
        return false;
    }
    if (options.withScores && options.kind == RangeKind::Name) {
        call.reply.becomeError("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
        return false;
    }
    // By rank it may say LIMIT n -1, and that means nothing, n neither.
    if (options.kind == RangeKind::Rank) options.limited = false;
    return true;
}

void answerRange(Call& call, RangeOptions options, bool general) {
    if (!readRangeOptions(call, options, general)) return;
    const bool swapped = options.reversed && options.kind != RangeKind::Rank;
    const std::optional<RangeEnds> ends =
        RangeEnds::read(call, options.kind, call.arg(swapped ? 3 : 2), call.arg(swapped ? 2 : 3));
    if (!ends) return;
    const std::optional<SortedSet*> set = call.lookUp<SortedSet>(call.find(call.arg(1)));
    if (!set) return;
    call.reply.becomeArray();
    if (!*set) return;
    const RankRange range = ends->in(**set, options.reversed);
    const auto size = static_cast<std::int64_t>(range.size());
    const std::int64_t offset = options.limited ? options.offset : 0;
    if (options.limited && (offset < 0 || offset >= size)) return;
    std::int64_t count = size - offset;
    if (options.limited && options.limit >= 0) count = std::min(count, options.limit);
    call.keyspace.addEffort(static_cast<std::size_t>(count));
    for (std::int64_t i = offset; i < offset + count; ++i) {
        const auto step = static_cast<std::size_t>(i);
        const Member& member =
            *(*set)->byScore()[options.reversed ? range.end - 1 - step : range.first + step];
        Reply& into = options.withScores ? call.nextPair() : call.reply;
        into.items.emplace_back().becomeBulk(member.key);
        if (options.withScores) into.items.emplace_back().becomeDouble(member.score);
    }
}

void count(Call& call, RangeKind kind) {
    const std::optional<RangeEnds> ends = RangeEnds::read(call, kind, call.arg(2), call.arg(3));
    if (!ends) return;
    const std::optional<SortedSet*> set = call.lookUp<SortedSet>(call.find(call.arg(1)));
    if (set) call.reply.becomeInteger(*set ? static_cast<std::int64_t>(ends->in(**set).size()) : 0);
}

void removeRange(Call& call, RangeKind kind, std::string_view event) {
    const std::optional<RangeEnds> ends = RangeEnds::read(call, kind, call.arg(2), call.arg(3));
    if (!ends) return;
    const Found found = call.find(call.arg(1));
    const std::optional<SortedSet*> set = call.lookUp<SortedSet>(found);
    if (!set) return;
    const RankRange range = *set ? ends->in(**set) : RankRange{};
    if (range.size() > 0) {
        (*set)->erase(range.first, range.size());
        call.taken(*found.entry, found, event, (*set)->size() == 0);
    }
    call.reply.becomeInteger(static_cast<std::int64_t>(range.size()));
}

} // namespace

void zRange(Call& call) {
    answerRange(call, {}, true);
}
void zRevRange(Call& call) {
    answerRange(call, {.kind = RangeKind::Rank, .reversed = true}, false);
}
void zRangeByScore(Call& call) {
    answerRange(call, {.kind = RangeKind::Score}, false);
}
void zRevRangeByScore(Call& call) {
    answerRange(call, {.kind = RangeKind::Score, .reversed = true}, false);
}
void zRangeByLex(Call& call) {
    answerRange(call, {.kind = RangeKind::Name}, false);
}
void zRevRangeByLex(Call& call) {
    answerRange(call, {.kind = RangeKind::Name, .reversed = true}, false);
}
void zCount(Call& call) {
    count(call, RangeKind::Score);
}
void zLexCount(Call& call) {
    count(call, RangeKind::Name);
}
void zRemRangeByScore(Call& call) {
    removeRange(call, RangeKind::Score, "zremrangebyscore");
}
void zRemRangeByRank(Call& call) {
    removeRange(call, RangeKind::Rank, "zremrangebyrank");
}
void zRemRangeByLex(Call& call) {
    removeRange(call, RangeKind::Name, "zremrangebylex");
}

} // namespace lockscope::redis::commands
