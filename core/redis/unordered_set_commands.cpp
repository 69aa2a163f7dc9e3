// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>
#include <string>
#include <vector>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/element_choice.h"
#include "core/redis/server.h"

// SADD and its kin; SET stands in set_command.cpp.

namespace lockscope::redis::commands {

namespace {

std::optional<Set*> setIn(const Call& call) {
    return call.lookUp<Set>(call.find(call.arg(1)));
}

std::vector<std::string> membersOf(const Call& call, const Set* set) {
    std::vector<std::string> members;
    if (!set) return members;
    call.keyspace.addEffort(set->size());
    members.reserve(set->size());
    set->forEach([&](std::string_view member) { members.emplace_back(member); });
    return members;
}

} // namespace

void sAdd(Call& call) {
    const Found found = call.find(call.arg(1));
    const std::optional<Set*> known = call.lookUp<Set>(found);
    if (!known) return;
    Entry& entry = *known ? *found.entry : call.make<Set>(call.arg(1), found);
    Set& set = *valueAs<Set>(entry.value);
    std::int64_t added = 0;
    for (const std::string_view member : call.args.subspan(2))
        added += set.insert(member) ? 1 : 0;
    if (added > 0) call.changed(entry, found, "sadd");
    call.reply.becomeInteger(added);
}

void sRem(Call& call) {
    const Found found = call.find(call.arg(1));
    const std::optional<Set*> set = call.lookUp<Set>(found);
    if (!set) return;
    std::int64_t removed = 0;
    for (std::size_t i = 2; *set && i < call.count() && (*set)->size() > 0; ++i)
        removed += (*set)->erase(call.arg(i)) ? 1 : 0;
    if (removed > 0) call.taken(*found.entry, found, "srem", (*set)->size() == 0);
    call.reply.becomeInteger(removed);
}

void sMove(Call& call) {
    const Found from = call.find(call.arg(1));
    const Found to = call.find(call.arg(2));
    if (!from) return call.reply.becomeInteger(0);
    const std::optional<Set*> source = call.lookUp<Set>(from);
    const std::optional<Set*> target = source ? call.lookUp<Set>(to) : std::nullopt;
    if (!source || !target) return;
    const std::string member(call.arg(3));
    if (*source == *target) return call.reply.becomeInteger((*source)->contains(member) ? 1 : 0);
    if (!(*source)->erase(member)) return call.reply.becomeInteger(0);
    call.taken(*from.entry, from, "srem", (*source)->size() == 0);
    Entry& entry = *target ? *to.entry : call.make<Set>(call.arg(2), to);
    if (valueAs<Set>(entry.value)->insert(member)) call.changed(entry, to, "sadd");
    call.reply.becomeInteger(1);
}

void sCard(Call& call) {
    const std::optional<Set*> set = setIn(call);
    if (set) call.reply.becomeInteger(*set ? static_cast<std::int64_t>((*set)->size()) : 0);
}

void sIsMember(Call& call) {
    const std::optional<Set*> set = setIn(call);
    if (set) call.reply.becomeInteger(*set && (*set)->contains(call.arg(2)) ? 1 : 0);
}

void sMIsMember(Call& call) {
    const std::optional<Set*> set = setIn(call);
    if (!set) return;
    call.reply.becomeArray();
    for (const std::string_view member : call.args.subspan(2))
        call.reply.items.emplace_back().becomeInteger(*set && (*set)->contains(member) ? 1 : 0);
}

void sMembers(Call& call) {
    const std::optional<Set*> set = setIn(call);
    if (!set) return;
    call.reply.become(Reply::Type::Set);
    for (const std::string& member : membersOf(call, *set))
        call.reply.items.emplace_back().becomeBulk(member);
}

void sPop(Call& call) {
    if (call.count() > 3) return call.reply.becomeError(errors::kSyntax);
    const bool counted = call.count() == 3;
    std::int64_t count = 1;
    if (counted) {
        const std::optional<std::int64_t> asked = call.countArg(2);
        if (!asked) return;
        count = *asked;
    }
    const Found found = call.find(call.arg(1));
    const std::optional<Set*> set = call.lookUp<Set>(found);
    if (!set) return;
    if (counted)
        call.reply.become(Reply::Type::Set);
    else
        call.reply.becomeNull();
    if (!*set || count == 0) return;
    const bool all = static_cast<std::uint64_t>(count) >= (*set)->size();
    Propagation& propagation = call.server.propagation();
    for (std::int64_t i = 0; i < count && (*set)->size() > 0; ++i) {
        const std::string member = (*set)->random(call.keyspace.chance());
        (counted ? call.reply.items.emplace_back() : call.reply).becomeBulk(member);
        (*set)->erase(member);
        if (propagation.isOn() && !(counted && all))
            propagation.also(call.client.database, {"SREM", call.arg(1), member});
    }
    if (propagation.isOn()) {
        if (counted && all)
            propagation.instead({"DEL", call.arg(1)});
        else
            propagation.nothing();
    }
    call.taken(*found.entry, found, "spop", all);
}

void sRandMember(Call& call) {
    if (call.count() > 3) return call.reply.becomeError(errors::kSyntax);
    std::optional<std::int64_t> count;
    if (call.count() == 3 && !(count = drawCountArg(call, 2))) return;
    const std::optional<Set*> set = setIn(call);
    if (!set) return;
    if (!count) {
        if (!*set) return call.reply.becomeNull();
        return call.reply.becomeBulk((*set)->random(call.keyspace.chance()));
    }
    const std::vector<std::string> members = membersOf(call, *set);
    const std::optional<std::vector<std::size_t>> chosen = chooseElements(call, members.size(), *count);
    if (!chosen) return;
    call.reply.becomeArray();
    for (const std::size_t i : *chosen)
        call.reply.items.emplace_back().becomeBulk(members[i]);
}

} // namespace lockscope::redis::commands
