// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/conditional.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"

// Compare and act, in one step and without a script: what a lock's release and renewal always needed.
// Redis 8.4 has it as DELEX and as conditions of SET, by value or by digest; Valkey as IFEQ of SET (8.1) and
// as DELIFEQ (9.0).

namespace lockscope::redis {

namespace {

constexpr std::size_t kDigestDigits = 16;

} // namespace

std::string digestOf(std::string_view value) {
    return fmt::format("{:016x}", static_cast<std::uint64_t>(XXH3_64bits(value.data(), value.size())));
}

std::optional<ValueCondition::Kind> conditionNamed(std::string_view word, Profile profile) {
    using Kind = ValueCondition::Kind;
    const ValueConditions known = factsOf(profile).conditions;
    if (known != ValueConditions::None && equalsIgnoringCase(word, "ifeq")) return Kind::Equal;
    if (known != ValueConditions::All) return std::nullopt;
    if (equalsIgnoringCase(word, "ifne")) return Kind::Unequal;
    if (equalsIgnoringCase(word, "ifdeq")) return Kind::DigestEqual;
    if (equalsIgnoringCase(word, "ifdne")) return Kind::DigestUnequal;
    return std::nullopt;
}

bool ValueCondition::isDigest() const {
    return kind == Kind::DigestEqual || kind == Kind::DigestUnequal;
}

std::string_view ValueCondition::complaint() const {
    if (isDigest() && text.size() != kDigestDigits)
        return "ERR digest must be exactly 16 hexadecimal characters";
    return {};
}

bool ValueCondition::holds(const std::string* value) const {
    const bool wantsEqual = kind == Kind::Equal || kind == Kind::DigestEqual;
    if (!value) return !wantsEqual;
    const bool equal = isDigest() ? equalsIgnoringCase(text, digestOf(*value)) : *value == text;
    return equal == wantsEqual;
}

namespace commands {

namespace {

void deleteKey(const Call& call, const Found& found) {
    call.keyspace.remove(*found.entry, Removal::Deleted);
    call.notify("del", call.arg(1));
    call.reply.becomeInteger(1);
}

} // namespace

void delEx(Call& call) {
    if (call.count() != 2 && call.count() != 4)
        return call.reply.becomeError(errors::wrongArity(call.command));
    const Found found = call.find(call.arg(1));
    if (!found) return call.reply.becomeInteger(0);
    if (call.count() == 2) return deleteKey(call, found);
    const std::string* value = valueAs<std::string>(found.entry->value);
    if (!value) return call.reply.becomeError("ERR Key should be of string type if conditions are specified");
    const auto kind = conditionNamed(call.arg(2), call.profile());
    if (!kind) return call.reply.becomeError("ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE");
    const ValueCondition condition{*kind, call.arg(3)};
    if (const std::string_view complaint = condition.complaint(); !complaint.empty())
        return call.reply.becomeError(complaint);
    if (!condition.holds(value)) return call.reply.becomeInteger(0);
    deleteKey(call, found);
}

void delIfEq(Call& call) {
    const Found found = call.find(call.arg(1));
    if (!found) return call.reply.becomeInteger(0);
    const std::string* value = call.stringIn(*found.entry);
    if (!value) return;
    if (*value != call.arg(2)) return call.reply.becomeInteger(0);
    deleteKey(call, found);
}

void digest(Call& call) {
    const Found found = call.find(call.arg(1));
    if (!found) return call.reply.becomeNull();
    if (const std::string* value = call.stringIn(*found.entry)) call.reply.becomeBulk(digestOf(*value));
}

} // namespace commands
} // namespace lockscope::redis
