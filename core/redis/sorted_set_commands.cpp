// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/redis/call.h"
#include "core/redis/collection_steps.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"

// What puts members into a sorted set and asks for single ones. Ranges stand in
// sorted_set_range_commands.cpp.

namespace lockscope::redis::commands {

namespace {

struct AddOptions {
    bool nx = false;
    bool xx = false;
    bool gt = false;
    bool lt = false;
    bool countChanged = false;
    bool increment = false;
    std::size_t firstPair = 2; ///< where scores and members begin
};

AddOptions readAddOptions(const Call& call) {
    AddOptions options;
    for (; options.firstPair < call.count(); ++options.firstPair) {
        const std::string_view word = call.arg(options.firstPair);
        if (equalsIgnoringCase(word, "nx")) {
            options.nx = true;
        } else if (equalsIgnoringCase(word, "xx")) {
            options.xx = true;
        } else if (equalsIgnoringCase(word, "ch")) {
            options.countChanged = true;
        } else if (equalsIgnoringCase(word, "incr")) {
            options.increment = true;
        } else if (equalsIgnoringCase(word, "gt")) {
            options.gt = true;
        } else if (equalsIgnoringCase(word, "lt")) {
            options.lt = true;
        } else {
            break;
        }
    }
    return options;
}

/// The error, empty if the options go together.
std::string_view complaintAbout(const AddOptions& options, std::size_t words) {
    if (words == 0 || words % 2 != 0) return errors::kSyntax;
    if (options.nx && options.xx) return "ERR XX and NX options at the same time are not compatible";
    if ((options.gt && options.nx) || (options.lt && options.nx) || (options.gt && options.lt))
        return "ERR GT, LT, and/or NX options at the same time are not compatible";
    if (options.increment && words > 2) return "ERR INCR option supports a single increment-element pair";
    return {};
}

enum class Added : std::uint8_t { Nothing, Same, Updated, Added, NotANumber };

/// One pair of a ZADD. `score` becomes what the member has in the end.
Added addOne(SortedSet& set, const AddOptions& options, std::string_view name, double& score) {
    Member* known = set.find(name);
    if (!known) {
        if (options.xx) return Added::Nothing;
        set.insert(name, score);
        return Added::Added;
    }
    if (options.nx) return Added::Nothing;
    if (options.increment) score += known->score;
    if (std::isnan(score)) return Added::NotANumber;
    if ((options.lt && score >= known->score) || (options.gt && score <= known->score)) return Added::Nothing;
    if (score == known->score) return Added::Same;
    set.setScore(*known, score);
    return Added::Updated;
}

void add(Call& call, const AddOptions& options) {
    const std::size_t words = call.count() - options.firstPair;
    if (const std::string_view complaint = complaintAbout(options, words); !complaint.empty())
        return call.reply.becomeError(complaint);
    std::vector<double> scores;
    for (std::size_t i = options.firstPair; i < call.count(); i += 2) {
        const std::optional<double> score = call.doubleArg(i);
        if (!score) return;
        scores.push_back(*score);
    }
    const Found found = call.find(call.arg(1));
    const std::optional<SortedSet*> known = call.lookUp<SortedSet>(found);
    if (!known) return;
    if (!*known && options.xx)
        return options.increment ? call.reply.becomeNull() : call.reply.becomeInteger(0);

    Entry& entry =
        *known ? *found.entry : call.make<SortedSet>(call.arg(1), found, call.arg(options.firstPair + 1));
    SortedSet& set = *valueAs<SortedSet>(entry.value);
    std::int64_t added = 0;
    std::int64_t updated = 0;
    Added last = Added::Nothing;
    for (std::size_t i = 0; i < scores.size() && last != Added::NotANumber; ++i) {
        last = addOne(set, options, call.arg(options.firstPair + 2 * i + 1), scores[i]);
        added += last == Added::Added ? 1 : 0;
        updated += last == Added::Updated ? 1 : 0;
    }
    if (added + updated > 0) call.changed(entry, found, options.increment ? "zincr" : "zadd");
    if (last == Added::NotANumber)
        call.reply.becomeError("ERR resulting score is not a number (NaN)");
    else if (!options.increment)
        call.reply.becomeInteger(options.countChanged ? added + updated : added);
    else if (last == Added::Nothing)
        call.reply.becomeNull();
    else
        call.reply.becomeDouble(scores.front());
}

std::optional<SortedSet*> sortedSetIn(const Call& call) {
    return call.lookUp<SortedSet>(call.find(call.arg(1)));
}

void answerScore(Reply& reply, const SortedSet* set, std::string_view name) {
    const Member* member = set ? set->find(name) : nullptr;
    if (member)
        reply.becomeDouble(member->score);
    else
        reply.becomeNull();
}

void answerRank(Call& call, bool reversed) {
    const std::optional<SortedSet*> set = sortedSetIn(call);
    if (!set) return;
    const Member* member = *set ? (*set)->find(call.arg(2)) : nullptr;
    if (!member) return call.reply.becomeNull();
    const std::size_t rank = (*set)->rankOf(*member);
    call.reply.becomeInteger(static_cast<std::int64_t>(reversed ? (*set)->size() - 1 - rank : rank));
}

void popEnd(Call& call, bool highest) {
    if (call.count() > 3) return call.reply.becomeError(errors::kSyntax);
    const std::optional<std::int64_t> count = call.count() == 3 ? call.countArg(2) : 1;
    if (!count) return;
    const Found found = call.find(call.arg(1));
    const std::optional<SortedSet*> set = call.lookUp<SortedSet>(found);
    if (!set) return;
    call.reply.becomeArray();
    if (!*set || *count == 0) return;
    const bool severalMayCome = call.count() == 3;
    const std::size_t taken = std::min(static_cast<std::size_t>(*count), (*set)->size());
    const std::size_t first = highest ? (*set)->size() - taken : 0;
    for (std::size_t i = 0; i < taken; ++i) {
        const Member& member = *(*set)->byScore()[highest ? (*set)->size() - 1 - i : i];
        Reply& into = severalMayCome ? call.nextPair() : call.reply;
        into.items.emplace_back().becomeBulk(member.key);
        into.items.emplace_back().becomeDouble(member.score);
    }
    (*set)->erase(first, taken);
    call.taken(*found.entry, found, highest ? "zpopmax" : "zpopmin", (*set)->size() == 0);
}

} // namespace

void zAdd(Call& call) {
    add(call, readAddOptions(call));
}

void zIncrBy(Call& call) {
    AddOptions options;
    options.increment = true;
    add(call, options);
}

void zRem(Call& call) {
    const Found found = call.find(call.arg(1));
    const std::optional<SortedSet*> set = call.lookUp<SortedSet>(found);
    if (!set) return;
    std::int64_t removed = 0;
    for (std::size_t i = 2; *set && i < call.count(); ++i) {
        Member* member = (*set)->find(call.arg(i));
        if (!member) continue;
        (*set)->erase(*member);
        ++removed;
    }
    if (removed > 0) call.taken(*found.entry, found, "zrem", (*set)->size() == 0);
    call.reply.becomeInteger(removed);
}

void zCard(Call& call) {
    const std::optional<SortedSet*> set = sortedSetIn(call);
    if (set) call.reply.becomeInteger(*set ? static_cast<std::int64_t>((*set)->size()) : 0);
}

void zScore(Call& call) {
    if (const std::optional<SortedSet*> set = sortedSetIn(call)) answerScore(call.reply, *set, call.arg(2));
}

void zMScore(Call& call) {
    const std::optional<SortedSet*> set = sortedSetIn(call);
    if (!set) return;
    call.reply.becomeArray();
    for (const std::string_view name : call.args.subspan(2))
        answerScore(call.reply.items.emplace_back(), *set, name);
}

void zRank(Call& call) {
    answerRank(call, false);
}
void zRevRank(Call& call) {
    answerRank(call, true);
}
void zPopMin(Call& call) {
    popEnd(call, false);
}
void zPopMax(Call& call) {
    popEnd(call, true);
}

} // namespace lockscope::redis::commands

namespace lockscope::redis {

void popScored(Call& call, std::string_view key, const Found& found, bool highest) {
    SortedSet& set = *valueAs<SortedSet>(found.entry->value);
    Member& member = *(highest ? set.byScore().back() : set.byScore().front());
    call.reply.becomeArray();
    call.reply.items.resize(3);
    call.reply.items[0].becomeBulk(key);
    call.reply.items[1].becomeBulk(member.key);
    call.reply.items[2].becomeDouble(member.score);
    set.erase(member);
    call.taken(*found.entry, found, highest ? "zpopmax" : "zpopmin", set.size() == 0);
}

} // namespace lockscope::redis
