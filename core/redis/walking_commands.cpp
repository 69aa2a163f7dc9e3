// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/glob.h"
#include "core/redis/numbers.h"

// The commands that walk over keys instead of naming them. How they treat dead keys differs: KEYS leaves them
// out and lets them lie, SCAN removes those that it would have answered, RANDOMKEY removes what it draws and
// draws again. The order of keys is undefined in Redis; ours follows from the seed.

namespace lockscope::redis::commands {

namespace {

constexpr std::int64_t kDefaultCount = 10;
constexpr std::int64_t kBucketsPerCount = 10; // how far a SCAN goes through empty buckets

struct ScanOptions {
    std::int64_t count = kDefaultCount;
    std::optional<std::string_view> pattern;
    std::optional<std::string_view> type;
};

/// Nothing (and the reply is the error) if they cannot be read.
std::optional<ScanOptions> readScanOptions(const Call& call, std::size_t first, bool overKeys) {
    ScanOptions options;
    for (std::size_t i = first; i < call.count(); i += 2) {
        const bool hasValue = i + 1 < call.count();
        if (hasValue && equalsIgnoringCase(call.arg(i), "count")) {
            const std::optional<std::int64_t> count = call.integerArg(i + 1);
            if (!count) return std::nullopt;
            if (*count < 1) {
                call.reply.becomeError(errors::kSyntax);
                return std::nullopt;
            }
            options.count = *count;
        } else if (hasValue && equalsIgnoringCase(call.arg(i), "match")) {
            options.pattern = call.arg(i + 1);
        } else if (hasValue && overKeys && equalsIgnoringCase(call.arg(i), "type")) {
            options.type = call.arg(i + 1);
        } else {
            call.reply.becomeError(errors::kSyntax);
            return std::nullopt;
        }
    }
    return options;
}

/// As strtoul reads it: a sign is taken, a blank in front is not, and nothing at all is 0.
std::optional<std::uint64_t> readCursor(std::string_view text) {
    if (text.empty()) return 0;
    if (std::isspace(static_cast<unsigned char>(text.front())) != 0) return std::nullopt;
    const bool negative = text.front() == '-';
    if (negative || text.front() == '+') text.remove_prefix(1);
    std::uint64_t cursor = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cursor);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return negative ? 0 - cursor : cursor;
}

bool asksFor(const std::optional<std::string_view>& pattern, std::string_view key) {
    return !pattern || *pattern == "*" || matchesGlob(*pattern, key);
}

struct Walk {
    std::uint64_t cursor = 0;
    std::size_t buckets = 0;
};

/// Goes from bucket to bucket until `met` has enough, or too many were empty. `visit` returns the next
/// cursor.
template <typename Met, typename Visit>
Walk walkOver(std::uint64_t cursor, std::int64_t count, const Met& met, Visit visit) {
    Walk walk{cursor, 0};
    const std::int64_t most = count > INT64_MAX / kBucketsPerCount ? INT64_MAX : count * kBucketsPerCount;
    do
        walk.cursor = visit(walk.cursor);
    while (walk.cursor != 0 && static_cast<std::int64_t>(++walk.buckets) < most &&
           static_cast<std::int64_t>(met.size()) < count);
    return walk;
}

/// The items of the reply's second part.
std::vector<Reply>& beginScanReply(Call& call, std::uint64_t cursor) {
    call.reply.becomeArray();
    call.reply.items.resize(2);
    call.reply.items[0].becomeBulk(std::to_string(cursor));
    call.reply.items[1].becomeArray();
    return call.reply.items[1].items;
}

/// A flat sorted set keeps whole scores as whole numbers, and ZSCAN answers what lies there.
std::string formatFlatScore(double score) {
    constexpr double kMost = static_cast<double>(INT64_MAX / 2);
    const bool whole = score >= -kMost && score <= kMost && score == std::trunc(score);
    return whole ? std::to_string(static_cast<std::int64_t>(score)) : formatDouble(score);
}

/// Either a member in the table or a number of a flat set.
struct NameOfElement {
    std::string_view operator()(const Member& member) const { return member.key; }
    std::string_view operator()(std::string_view name) const { return name; }
};

/// HSCAN, SSCAN, ZSCAN. A flat collection comes whole, whatever COUNT says. `add` appends an element to the
/// reply.
template <typename T, typename Add>
void scanElements(Call& call, Add add) {
    const std::optional<std::uint64_t> start = readCursor(call.arg(2));
    if (!start) return call.reply.becomeError("ERR invalid cursor");
    const std::optional<T*> collection = call.lookUp<T>(call.find(call.arg(1)));
    if (!collection) return;
    if (!*collection) {
        beginScanReply(call, 0);
        return;
    }
    const std::optional<ScanOptions> options = readScanOptions(call, 3, false);
    if (!options) return;
    const auto addIfAsked = [&](const auto& element) {
        if (asksFor(options->pattern, NameOfElement{}(element)))
            add(call.reply.items[1].items, element, (*collection)->isFlat());
    };
    if ((*collection)->isFlat()) {
        beginScanReply(call, 0);
        call.keyspace.addEffort((*collection)->size());
        return (*collection)->forEach(addIfAsked);
    }
    std::vector<const Member*> met;
    const Walk walk = walkOver(*start, options->count, met, [&](std::uint64_t cursor) {
        return (*collection)->scan(cursor, [&](const Member& member) { met.push_back(&member); });
    });
    call.keyspace.addEffort(walk.buckets + met.size());
    beginScanReply(call, walk.cursor);
    for (const Member* member : met)
        addIfAsked(*member);
}

} // namespace

void hScan(Call& call) {
    scanElements<Hash>(call, [](std::vector<Reply>& items, const Member& field, bool) {
        items.emplace_back().becomeBulk(field.key);
        items.emplace_back().becomeBulk(field.value);
    });
}

void sScan(Call& call) {
    scanElements<Set>(call, [](std::vector<Reply>& items, const auto& element, bool) {
        items.emplace_back().becomeBulk(NameOfElement{}(element));
    });
}

void zScan(Call& call) {
    scanElements<SortedSet>(call, [](std::vector<Reply>& items, const Member& member, bool flat) {
        items.emplace_back().becomeBulk(member.key);
        items.emplace_back().becomeBulk(flat ? formatFlatScore(member.score) : formatDouble(member.score));
    });
}

void keys(Call& call) {
    const std::string_view pattern = call.arg(1);
    call.reply.becomeArray();
    const auto& table = call.database().keys;
    call.keyspace.addEffort(table.bucketCount());
    for (std::size_t i = 0; i < table.bucketCount(); ++i)
        table.visitBucket(i, [&](const Entry& entry) {
            if (asksFor(pattern, entry.key) && !call.keyspace.isDead(entry))
                call.reply.items.emplace_back().becomeBulk(entry.key);
        });
}

void scan(Call& call) {
    const std::optional<std::uint64_t> start = readCursor(call.arg(1));
    if (!start) return call.reply.becomeError("ERR invalid cursor");
    const std::optional<ScanOptions> options = readScanOptions(call, 2, true);
    if (!options) return;

    std::vector<Entry*> met;
    const Walk walk = walkOver(*start, options->count, met, [&](std::uint64_t cursor) {
        return call.database().keys.scan(cursor, [&](Entry& entry) { met.push_back(&entry); });
    });
    call.keyspace.addEffort(walk.buckets + met.size());
    std::vector<Reply>& answered = beginScanReply(call, walk.cursor);
    for (Entry* entry : met) {
        if (!asksFor(options->pattern, entry->key) || call.keyspace.reapIfDead(*entry)) continue;
        if (options->type && !equalsIgnoringCase(*options->type, typeName(entry->value))) continue;
        answered.emplace_back().becomeBulk(entry->key);
    }
}

void randomKey(Call& call) {
    constexpr int kMostDrawn = 100;
    int drawn = 0;
    while (Entry* entry = call.database().keys.random(call.keyspace.chance())) {
        // While dead keys are kept 7.0.15 draws until it meets a live one, for as long as that takes.
        const bool dead = call.keyspace.reapIfDead(*entry);
        if (dead && !(call.keyspace.keepsDeadKeys() && ++drawn == kMostDrawn)) continue;
        return call.reply.becomeBulk(entry->key);
    }
    call.reply.becomeNull();
}

} // namespace lockscope::redis::commands
