// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/element_choice.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis::commands {

namespace {

void answerField(Reply& reply, const Hash* hash, std::string_view field) {
    const Member* member = hash ? hash->find(field) : nullptr;
    if (member)
        reply.becomeBulk(member->value);
    else
        reply.becomeNull();
}

/// The hash under args[1]; nothing (and the reply is the error) for another type.
std::optional<Hash*> hashIn(const Call& call) {
    return call.lookUp<Hash>(call.find(call.arg(1)));
}

/// HKEYS, HVALS, HGETALL: the names, the values, or both.
void answerFields(Call& call, bool names, bool values) {
    const std::optional<Hash*> hash = hashIn(call);
    if (!hash) return;
    call.reply.become(names && values ? Reply::Type::Map : Reply::Type::Array);
    if (!*hash) return;
    call.keyspace.addEffort((*hash)->size());
    (*hash)->forEach([&](const Member& member) {
        if (names) call.reply.items.emplace_back().becomeBulk(member.key);
        if (values) call.reply.items.emplace_back().becomeBulk(member.value);
    });
}

/// Gives a field a value that was worked out from its old one.
void put(Call& call, const Found& found, Hash* hash, std::string_view value, std::string_view event) {
    Entry& entry = hash ? *found.entry : call.make<Hash>(call.arg(1), found);
    valueAs<Hash>(entry.value)->set(call.arg(2), value);
    call.changed(entry, found, event);
}

} // namespace

/// HMSET too, which only answers otherwise.
void hSet(Call& call) {
    if (call.count() % 2 == 1) return call.reply.becomeError(errors::wrongArity(call.command));
    const Found found = call.find(call.arg(1));
    const std::optional<Hash*> known = call.lookUp<Hash>(found);
    if (!known) return;
    Entry& entry = *known ? *found.entry : call.make<Hash>(call.arg(1), found);
    Hash& hash = *valueAs<Hash>(entry.value);
    std::int64_t made = 0;
    for (std::size_t i = 2; i + 1 < call.count(); i += 2)
        made += hash.set(call.arg(i), call.arg(i + 1)) ? 1 : 0;
    call.changed(entry, found, "hset");
    if (call.command.name == "hmset")
        call.reply.becomeStatus("OK");
    else
        call.reply.becomeInteger(made);
}

void hSetNx(Call& call) {
    const Found found = call.find(call.arg(1));
    const std::optional<Hash*> known = call.lookUp<Hash>(found);
    if (!known) return;
    if (*known && (*known)->find(call.arg(2))) return call.reply.becomeInteger(0);
    Entry& entry = *known ? *found.entry : call.make<Hash>(call.arg(1), found);
    Hash& hash = *valueAs<Hash>(entry.value);
    hash.set(call.arg(2), call.arg(3));
    call.changed(entry, found, "hset");
    call.reply.becomeInteger(1);
}

void hGet(Call& call) {
    if (const std::optional<Hash*> hash = hashIn(call)) answerField(call.reply, *hash, call.arg(2));
}

void hMGet(Call& call) {
    const std::optional<Hash*> hash = hashIn(call);
    if (!hash) return;
    call.reply.becomeArray();
    for (const std::string_view field : call.args.subspan(2))
        answerField(call.reply.items.emplace_back(), *hash, field);
}

void hDel(Call& call) {
    const Found found = call.find(call.arg(1));
    const std::optional<Hash*> hash = call.lookUp<Hash>(found);
    if (!hash) return;
    std::int64_t deleted = 0;
    for (std::size_t i = 2; *hash && i < call.count() && (*hash)->size() > 0; ++i)
        deleted += (*hash)->erase(call.arg(i)) ? 1 : 0;
    if (deleted > 0) call.taken(*found.entry, found, "hdel", (*hash)->size() == 0);
    call.reply.becomeInteger(deleted);
}

void hLen(Call& call) {
    const std::optional<Hash*> hash = hashIn(call);
    if (hash) call.reply.becomeInteger(*hash ? static_cast<std::int64_t>((*hash)->size()) : 0);
}

void hStrLen(Call& call) {
    const std::optional<Hash*> hash = hashIn(call);
    if (!hash) return;
    const Member* member = *hash ? (*hash)->find(call.arg(2)) : nullptr;
    call.reply.becomeInteger(member ? static_cast<std::int64_t>(member->value.size()) : 0);
}

void hExists(Call& call) {
    const std::optional<Hash*> hash = hashIn(call);
    if (hash) call.reply.becomeInteger(*hash && (*hash)->find(call.arg(2)) ? 1 : 0);
}

void hKeys(Call& call) {
    answerFields(call, true, false);
}
void hVals(Call& call) {
    answerFields(call, false, true);
}
void hGetAll(Call& call) {
    answerFields(call, true, true);
}

void hIncrBy(Call& call) {
    const std::optional<std::int64_t> increment = call.integerArg(3);
    if (!increment) return;
    const Found found = call.find(call.arg(1));
    const std::optional<Hash*> hash = call.lookUp<Hash>(found);
    if (!hash) return;
    std::int64_t value = 0;
    if (const Member* member = *hash ? (*hash)->find(call.arg(2)) : nullptr) {
        const std::optional<std::int64_t> number = parseInteger(member->value);
        if (!number) return call.reply.becomeError("ERR hash value is not an integer");
        value = *number;
    }
    if (__builtin_add_overflow(value, *increment, &value))
        return call.reply.becomeError("ERR increment or decrement would overflow");
    put(call, found, *hash, std::to_string(value), "hincrby");
    call.reply.becomeInteger(value);
}

void hIncrByFloat(Call& call) {
    const std::optional<long double> increment = parseLongDouble(call.arg(3));
    if (!increment) return call.reply.becomeError(errors::kNotAFloat);
    if (!std::isfinite(*increment)) return call.reply.becomeError("ERR value is NaN or Infinity");
    const Found found = call.find(call.arg(1));
    const std::optional<Hash*> hash = call.lookUp<Hash>(found);
    if (!hash) return;
    long double value = 0;
    if (const Member* member = *hash ? (*hash)->find(call.arg(2)) : nullptr) {
        const std::optional<long double> number = parseLongDouble(member->value);
        if (!number) return call.reply.becomeError("ERR hash value is not a float");
        value = *number;
    }
    value += *increment;
    if (!std::isfinite(value)) return call.reply.becomeError("ERR increment would produce NaN or Infinity");
    const std::string text = formatLongDouble(value);
    if (call.server.propagation().isOn())
        call.server.propagation().instead({"HSET", call.arg(1), call.arg(2), text});
    put(call, found, *hash, text, "hincrbyfloat");
    call.reply.becomeBulk(text);
}

void hRandField(Call& call) {
    constexpr std::int64_t kMostPairs = std::numeric_limits<std::int64_t>::max() / 2;
    const bool withValues = call.count() == 4;
    std::optional<std::int64_t> count;
    if (call.count() > 2 && !(count = drawCountArg(call, 2))) return;
    if (call.count() > 4 || (withValues && !equalsIgnoringCase(call.arg(3), "withvalues")))
        return call.reply.becomeError(errors::kSyntax);
    if (withValues && (*count < -kMostPairs || *count > kMostPairs))
        return call.reply.becomeError("ERR value is out of range");
    const std::optional<Hash*> hash = hashIn(call);
    if (!hash) return;
    if (!count) {
        if (!*hash) return call.reply.becomeNull();
        return call.reply.becomeBulk((*hash)->random(call.keyspace.chance()).key);
    }
    std::vector<const Member*> fields;
    if (*hash) (*hash)->forEach([&](const Member& member) { fields.push_back(&member); });
    const std::optional<std::vector<std::size_t>> chosen = chooseElements(call, fields.size(), *count);
    if (!chosen) return;
    call.reply.becomeArray();
    for (const std::size_t i : *chosen) {
        Reply& into = withValues ? call.nextPair() : call.reply;
        into.items.emplace_back().becomeBulk(fields[i]->key);
        if (withValues) into.items.emplace_back().becomeBulk(fields[i]->value);
    }
}

} // namespace lockscope::redis::commands
