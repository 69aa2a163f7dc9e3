// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/collection_steps.h"

#include <algorithm>
#include <optional>

#include "core/redis/allocation.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis {

std::string popFrom(List& list, ListEnd end) {
    std::string item;
    if (end == ListEnd::Left) {
        item = std::move(list.items.front());
        list.items.pop_front();
    } else {
        item = std::move(list.items.back());
        list.items.pop_back();
    }
    list.packed -= listpackEntry(item);
    return item;
}

void pushTo(List& list, ListEnd end, std::string_view item) {
    list.packed += listpackEntry(item);
    if (end == ListEnd::Left)
        list.items.emplace_front(item);
    else
        list.items.emplace_back(item);
}

namespace commands {

namespace {

std::optional<List*> listIn(const Call& call) {
    return call.lookUp<List>(call.find(call.arg(1)));
}

std::int64_t lengthOf(const List* list) {
    return list ? static_cast<std::int64_t>(list->size()) : 0;
}

void push(Call& call, ListEnd end, bool onlyIfPresent) {
    const Found found = call.find(call.arg(1));
    const std::optional<List*> known = call.lookUp<List>(found);
    if (!known) return;
    if (!*known && onlyIfPresent) return call.reply.becomeInteger(0);
    Entry& entry = *known ? *found.entry : call.make<List>(call.arg(1), found);
    List& list = *valueAs<List>(entry.value);
    for (const std::string_view item : call.args.subspan(2))
        pushTo(list, end, item);
    call.changed(entry, found, pushEvent(end));
    call.reply.becomeInteger(lengthOf(&list));
}

void pop(Call& call, ListEnd end) {
    if (call.count() > 3) return call.reply.becomeError(errors::wrongArity(call.command));
    const bool counted = call.count() == 3;
    std::int64_t count = 1;
    if (counted) {
        const std::optional<std::int64_t> asked = call.countArg(2);
        if (!asked) return;
        count = *asked;
    }
    const Found found = call.find(call.arg(1));
    const std::optional<List*> list = call.lookUp<List>(found);
    if (!list) return;
    if (!*list) return call.reply.become(counted ? Reply::Type::NullArray : Reply::Type::Null), void();
    if (counted) call.reply.becomeArray();
    if (count == 0) return;
    for (std::int64_t i = std::min(count, lengthOf(*list)); i > 0; --i)
        (counted ? call.reply.items.emplace_back() : call.reply).becomeBulk(popFrom(**list, end));
    call.taken(*found.entry, found, popEvent(end), (*list)->size() == 0);
}

void move(Call& call, ListEnd from, ListEnd to) {
    const Found found = call.find(call.arg(1));
    if (!found) return call.reply.becomeNull();
    moveItem(call, found, call.arg(2), from, to);
}

} // namespace

void lPush(Call& call) {
    push(call, ListEnd::Left, false);
}
void rPush(Call& call) {
    push(call, ListEnd::Right, false);
}
void lPushX(Call& call) {
    push(call, ListEnd::Left, true);
}
void rPushX(Call& call) {
    push(call, ListEnd::Right, true);
}
void lPop(Call& call) {
    pop(call, ListEnd::Left);
}
void rPop(Call& call) {
    pop(call, ListEnd::Right);
}

void lLen(Call& call) {
    if (const std::optional<List*> list = listIn(call)) call.reply.becomeInteger(lengthOf(*list));
}

void lIndex(Call& call) {
    const std::optional<List*> list = listIn(call);
    if (!list) return;
    if (!*list) return call.reply.becomeNull();
    std::optional<std::int64_t> index = call.integerArg(2);
    if (!index) return;
    if (*index < 0) *index += lengthOf(*list);
    if (*index < 0 || *index >= lengthOf(*list)) return call.reply.becomeNull();
    call.reply.becomeBulk((*list)->items[static_cast<std::size_t>(*index)]);
}

void lRange(Call& call) {
    const std::optional<std::int64_t> first = call.integerArg(2);
    const std::optional<std::int64_t> last = first ? call.integerArg(3) : std::nullopt;
    if (!last) return;
    const std::optional<List*> list = listIn(call);
    if (!list) return;
    call.reply.becomeArray();
    const IndexRange range = indexRange(*first, *last, lengthOf(*list));
    call.keyspace.addEffort(static_cast<std::size_t>(range.count));
    for (std::int64_t i = 0; i < range.count; ++i)
        call.reply.items.emplace_back().becomeBulk((*list)->items[static_cast<std::size_t>(range.first + i)]);
}

void lTrim(Call& call) {
    const std::optional<std::int64_t> first = call.integerArg(2);
    const std::optional<std::int64_t> last = first ? call.integerArg(3) : std::nullopt;
    if (!last) return;
    const Found found = call.find(call.arg(1));
    const std::optional<List*> list = call.lookUp<List>(found);
    if (!list) return;
    call.reply.becomeStatus("OK");
    if (!*list) return;
    auto& items = (*list)->items;
    const std::int64_t before = lengthOf(*list);
    const IndexRange range = indexRange(*first, *last, before);
    items.erase(items.begin() + range.first + range.count, items.end());
    items.erase(items.begin(), items.begin() + range.first);
    (*list)->repack();
    if (call.server.propagation().isOn() && lengthOf(*list) == before) call.server.propagation().nothing();
    call.taken(*found.entry, found, "ltrim", items.empty());
}

void lSet(Call& call) {
    const Found found = call.find(call.arg(1));
    if (!found) return call.reply.becomeError(errors::kNoSuchKey);
    const std::optional<List*> list = call.lookUp<List>(found);
    if (!list) return;
    std::optional<std::int64_t> index = call.integerArg(2);
    if (!index) return;
    if (*index < 0) *index += lengthOf(*list);
    if (*index < 0 || *index >= lengthOf(*list)) return call.reply.becomeError("ERR index out of range");
    std::string& item = (*list)->items[static_cast<std::size_t>(*index)];
    (*list)->packed += listpackEntry(call.arg(3)) - listpackEntry(item);
    item = call.arg(3);
    call.changed(*found.entry, found, "lset");
    call.reply.becomeStatus("OK");
}

void lInsert(Call& call) {
    const bool after = equalsIgnoringCase(call.arg(2), "after");
    if (!after && !equalsIgnoringCase(call.arg(2), "before")) return call.reply.becomeError(errors::kSyntax);
    const Found found = call.find(call.arg(1));
    const std::optional<List*> list = call.lookUp<List>(found);
    if (!list) return;
    if (!*list) return call.reply.becomeInteger(0);
    auto& items = (*list)->items;
    const auto pivot = std::ranges::find(items, call.arg(3));
    call.keyspace.addEffort(items.size());
    if (pivot == items.end()) return call.reply.becomeInteger(-1);
    items.emplace(after ? pivot + 1 : pivot, call.arg(4));
    (*list)->packed += listpackEntry(call.arg(4));
    call.changed(*found.entry, found, "linsert");
    call.reply.becomeInteger(lengthOf(*list));
}

void lRem(Call& call) {
    const std::optional<std::int64_t> count = call.integerArg(2);
    if (!count) return;
    const Found found = call.find(call.arg(1));
    const std::optional<List*> list = call.lookUp<List>(found);
    if (!list) return;
    if (!*list) return call.reply.becomeInteger(0);
    auto& items = (*list)->items;
    call.keyspace.addEffort(items.size());
    std::uint64_t removed = 0;
    // Its negative is beyond what a signed number holds for the least of them.
    const auto bits = static_cast<std::uint64_t>(*count);
    const std::uint64_t most = *count < 0 ? 0 - bits : bits;
    const auto goes = [&](const std::string& item) {
        if (item != call.arg(3) || (most != 0 && removed == most)) return false;
        ++removed;
        return true;
    };
    if (*count < 0)
        items.erase(items.begin(), std::remove_if(items.rbegin(), items.rend(), goes).base());
    else
        items.erase(std::remove_if(items.begin(), items.end(), goes), items.end());
    if (removed > 0) {
        (*list)->repack();
        call.taken(*found.entry, found, "lrem", items.empty());
    }
    call.reply.becomeInteger(static_cast<std::int64_t>(removed));
}

void lMove(Call& call) {
    const std::optional<ListEnd> from = listEndOf(call.arg(3));
    const std::optional<ListEnd> to = listEndOf(call.arg(4));
    if (!from || !to) return call.reply.becomeError(errors::kSyntax);
    move(call, *from, *to);
}

void rPopLPush(Call& call) {
    move(call, ListEnd::Right, ListEnd::Left);
}

} // namespace commands

std::optional<ListEnd> listEndOf(std::string_view word) {
    if (equalsIgnoringCase(word, "left")) return ListEnd::Left;
    if (equalsIgnoringCase(word, "right")) return ListEnd::Right;
    return std::nullopt;
}

IndexRange indexRange(std::int64_t first, std::int64_t last, std::int64_t length) {
    if (first < 0) first = std::max<std::int64_t>(first + length, 0);
    if (last < 0) last += length;
    last = std::min(last, length - 1);
    if (first > last || first >= length) return {};
    return {first, last - first + 1};
}

void popItem(Call& call, std::string_view key, const Found& found, ListEnd end) {
    List& list = *valueAs<List>(found.entry->value);
    call.reply.becomeArray();
    call.reply.items.resize(2);
    call.reply.items[0].becomeBulk(key);
    call.reply.items[1].becomeBulk(popFrom(list, end));
    call.taken(*found.entry, found, popEvent(end), list.size() == 0);
}

void moveItem(Call& call, const Found& from, std::string_view target, ListEnd fromEnd, ListEnd toEnd) {
    const std::optional<List*> source = call.lookUp<List>(from);
    if (!source) return;
    const Found to = call.find(target);
    const std::optional<List*> into = call.lookUp<List>(to);
    if (!into) return;
    const std::string item = popFrom(**source, fromEnd);
    Entry& entry = *into ? *to.entry : call.make<List>(target, to);
    pushTo(*valueAs<List>(entry.value), toEnd, item);
    call.changed(entry, to, pushEvent(toEnd));
    call.taken(*from.entry, from, popEvent(fromEnd), (*source)->size() == 0);
    call.reply.becomeBulk(item);
}

} // namespace lockscope::redis
