// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cctype>
#include <charconv>
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
std::optional<ScanOptions> readScanOptions(const Call& call) {
    ScanOptions options;
    for (std::size_t i = 2; i < call.count(); i += 2) {
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
        } else if (hasValue && equalsIgnoringCase(call.arg(i), "type")) {
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

} // namespace

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
    const std::optional<ScanOptions> options = readScanOptions(call);
    if (!options) return;

    std::vector<Entry*> met;
    std::uint64_t cursor = *start;
    const std::int64_t mostBuckets =
        options->count > INT64_MAX / kBucketsPerCount ? INT64_MAX : options->count * kBucketsPerCount;
    std::int64_t buckets = 0;
    do {
        cursor = call.database().keys.scan(cursor, [&](Entry& entry) { met.push_back(&entry); });
    } while (cursor != 0 && ++buckets < mostBuckets &&
             static_cast<std::int64_t>(met.size()) < options->count);

    call.keyspace.addEffort(static_cast<std::size_t>(buckets) + met.size());
    call.reply.becomeArray();
    call.reply.items.resize(2);
    call.reply.items[0].becomeBulk(std::to_string(cursor));
    call.reply.items[1].becomeArray();
    for (Entry* entry : met) {
        if (!asksFor(options->pattern, entry->key) || call.keyspace.reapIfDead(*entry)) continue;
        if (options->type && !equalsIgnoringCase(*options->type, typeName(entry->value))) continue;
        call.reply.items[1].items.emplace_back().becomeBulk(entry->key);
    }
}

void randomKey(Call& call) {
    while (Entry* entry = call.database().keys.random(call.keyspace.chance())) {
        if (call.keyspace.reapIfDead(*entry)) continue;
        return call.reply.becomeBulk(entry->key);
    }
    call.reply.becomeNull();
}

} // namespace lockscope::redis::commands
