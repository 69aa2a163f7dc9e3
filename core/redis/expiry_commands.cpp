// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis::commands {

namespace {

using Limits = std::numeric_limits<std::int64_t>;

struct Conditions {
    bool nx = false;
    bool xx = false;
    bool gt = false;
    bool lt = false;
};

/// Nothing (and the reply is the error) for a word that is none, and for conditions that exclude each other.
std::optional<Conditions> readConditions(const Call& call) {
    Conditions conditions;
    for (const std::string_view word : call.args.subspan(3)) {
        if (equalsIgnoringCase(word, "nx")) {
            conditions.nx = true;
        } else if (equalsIgnoringCase(word, "xx")) {
            conditions.xx = true;
        } else if (equalsIgnoringCase(word, "gt")) {
            conditions.gt = true;
        } else if (equalsIgnoringCase(word, "lt")) {
            conditions.lt = true;
        } else {
            call.reply.becomeError(
                errors::onOneLine(fmt::format("ERR Unsupported option {}", errors::printed(word))));
            return std::nullopt;
        }
    }
    if (conditions.nx && (conditions.xx || conditions.gt || conditions.lt)) {
        call.reply.becomeError("ERR NX and XX, GT or LT options at the same time are not compatible");
        return std::nullopt;
    }
    if (conditions.gt && conditions.lt) {
        call.reply.becomeError("ERR GT and LT options at the same time are not compatible");
        return std::nullopt;
    }
    return conditions;
}

/// A key without a deadline counts as one that lives for ever.
bool allow(const Conditions& conditions, const Entry& entry, UnixMillis deadline) {
    if (conditions.nx && entry.isVolatile()) return false;
    if (conditions.xx && !entry.isVolatile()) return false;
    if (conditions.gt && (!entry.isVolatile() || deadline <= entry.deadline)) return false;
    if (conditions.lt && entry.isVolatile() && deadline >= entry.deadline) return false;
    return true;
}

/// EXPIRE and its kin: the argument counts `unit` milliseconds from `base`, an instant of the steady clock.
void expireFrom(Call& call, UnixMillis base, std::int64_t unit) {
    const std::string_view key = call.arg(1);
    const std::optional<Conditions> conditions = readConditions(call);
    if (!conditions) return;
    const std::optional<std::int64_t> number = call.integerArg(2);
    if (!number) return;
    UnixMillis deadline = 0;
    if (__builtin_mul_overflow(*number, unit, &deadline) || __builtin_add_overflow(deadline, base, &deadline))
        return call.reply.becomeError(errors::invalidExpireTime(call.command));

    const Found found = call.find(key);
    if (!found || !allow(*conditions, *found.entry, deadline)) return call.reply.becomeInteger(0);
    // Unlike the access path this takes a deadline of this very millisecond for past. The key is deleted, not
    // expired.
    Propagation& propagation = call.server.propagation();
    if (deadline <= call.keyspace.clockMillis() && !call.keyspace.obeys()) {
        if (propagation.isOn()) propagation.instead({"DEL", key});
        call.keyspace.remove(*found.entry, Removal::DeadlineInPast);
        call.notify(factsOf(call.profile()).pastDeadlineEvent, key);
    } else {
        if (propagation.isOn() && call.command.handler != pExpireAt) {
            std::vector<std::string> words(call.args.begin(), call.args.end());
            words[0] = "PEXPIREAT";
            words[2] = std::to_string(call.keyspace.machineMillis(deadline));
            propagation.instead(std::move(words));
        }
        call.keyspace.changeDeadline(*found.entry, deadline);
        call.notify("expire", key);
    }
    call.reply.becomeInteger(1);
}

/// TTL and its kin: -2 without a key, -1 without a deadline.
template <typename Shown>
void answerDeadline(Call& call, Shown shownAs) {
    const Found found = call.glanceAt(call.arg(1));
    if (!found) return call.reply.becomeInteger(-2);
    if (!found.entry->isVolatile()) return call.reply.becomeInteger(-1);
    call.reply.becomeInteger(shownAs(found.entry->deadline));
}

/// Redis rounds to the nearest second: a live key can have 0 seconds left. The greatest deadlines round up
/// too.
std::int64_t roundedSeconds(std::int64_t millis) {
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(millis) + 500) / 1000);
}

} // namespace

void expire(Call& call) {
    expireFrom(call, call.keyspace.clockMillis(), 1000);
}
void expireAt(Call& call) {
    expireFrom(call, -call.keyspace.clockLead(), 1000);
}
void pExpire(Call& call) {
    expireFrom(call, call.keyspace.clockMillis(), 1);
}
void pExpireAt(Call& call) {
    expireFrom(call, -call.keyspace.clockLead(), 1);
}

void persist(Call& call) {
    const Found found = call.find(call.arg(1));
    if (!found || !found.entry->isVolatile()) return call.reply.becomeInteger(0);
    call.keyspace.changeDeadline(*found.entry, kNoDeadline);
    call.notify("persist", call.arg(1));
    call.reply.becomeInteger(1);
}

void ttl(Call& call) {
    answerDeadline(call, [&](UnixMillis at) { return roundedSeconds(at - call.keyspace.clockMillis()); });
}
void pTtl(Call& call) {
    answerDeadline(call, [&](UnixMillis at) { return at - call.keyspace.clockMillis(); });
}
void expireTime(Call& call) {
    answerDeadline(call, [&](UnixMillis at) { return roundedSeconds(at + call.keyspace.clockLead()); });
}
void pExpireTime(Call& call) {
    answerDeadline(call, [&](UnixMillis at) { return at + call.keyspace.clockLead(); });
}

} // namespace lockscope::redis::commands
