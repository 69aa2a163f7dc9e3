// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <optional>
#include <utility>

#include "core/redis/blocking.h"
#include "core/redis/collection_steps.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

// The commands that wait until there is something to take. Where nothing can wait, in a transaction, they
// answer at once as if their time were over. A time-out becomes an instant of the machine's clock, like every
// deadline: put that forward and the wait is over sooner, put it back and it lasts longer.

namespace lockscope::redis::commands {

namespace {

std::unique_ptr<Blocked> waiting(const Call& call, Blocked::Kind kind, UnixMillis deadline = 0) {
    auto blocked = std::make_unique<Blocked>();
    blocked->kind = kind;
    blocked->database = call.client.database;
    blocked->deadline = deadline;
    return blocked;
}

/// How a blocked move is called where nothing blocks.
void propagateMove(Call& call, const char* name) {
    Propagation& propagation = call.server.propagation();
    if (!propagation.isOn()) return;
    std::vector<std::string> words(call.args.begin(), call.args.end() - 1);
    words[0] = name;
    propagation.instead(std::move(words));
}

/// Begins to wait; `otherwise` is the reply where that cannot be.
void wait(Call& call, std::unique_ptr<Blocked> blocked, Reply::Type otherwise) {
    if (call.client.is(kExecuting)) {
        call.reply.become(otherwise);
        return;
    }
    call.reply.become(Reply::Type::None);
    call.server.blocked().add(call.client, std::move(blocked));
}

/// BLPOP and its kin: pops from the first key that has something, else waits for all of them. It is `told` as
/// what it comes to.
template <typename T, typename Pop>
void popFirst(Call& call, std::unique_ptr<Blocked> blocked, std::string_view told, Pop pop) {
    const std::size_t last = call.count() - 1;
    const std::optional<UnixMillis> deadline = timeoutArg(call, last);
    if (!deadline) return;
    for (std::size_t i = 1; i < last; ++i) {
        const Found found = call.find(call.arg(i));
        const std::optional<T*> value = call.lookUp<T>(found);
        if (!value) return;
        if (*value) {
            if (call.server.propagation().isOn()) call.server.propagation().instead({told, call.arg(i)});
            return pop(call.arg(i), found);
        }
        blocked->keys.emplace_back(call.arg(i));
    }
    blocked->deadline = *deadline;
    wait(call, std::move(blocked), Reply::Type::NullArray);
}

void popList(Call& call, ListEnd end) {
    auto blocked = waiting(call, Blocked::Kind::PopList);
    blocked->from = end;
    popFirst<List>(call, std::move(blocked), end == ListEnd::Left ? "LPOP" : "RPOP",
                   [&](std::string_view key, const Found& found) { popItem(call, key, found, end); });
}

void popSortedSet(Call& call, bool highest) {
    auto blocked = waiting(call, Blocked::Kind::PopSortedSet);
    blocked->highest = highest;
    popFirst<SortedSet>(
        call, std::move(blocked), highest ? "ZPOPMAX" : "ZPOPMIN",
        [&](std::string_view key, const Found& found) { popScored(call, key, found, highest); });
}

void moveOrWait(Call& call, ListEnd from, ListEnd to, std::size_t timeoutIndex) {
    const std::optional<UnixMillis> deadline = timeoutArg(call, timeoutIndex);
    if (!deadline) return;
    const Found found = call.find(call.arg(1));
    if (found) {
        propagateMove(call, timeoutIndex == 5 ? "LMOVE" : "RPOPLPUSH");
        return moveItem(call, found, call.arg(2), from, to);
    }
    auto blocked = waiting(call, Blocked::Kind::MoveItem, *deadline);
    blocked->keys.emplace_back(call.arg(1));
    blocked->target = call.arg(2);
    blocked->from = from;
    blocked->to = to;
    wait(call, std::move(blocked), Reply::Type::Null);
}

} // namespace

void blPop(Call& call) {
    popList(call, ListEnd::Left);
}
void brPop(Call& call) {
    popList(call, ListEnd::Right);
}
void bzPopMin(Call& call) {
    popSortedSet(call, false);
}
void bzPopMax(Call& call) {
    popSortedSet(call, true);
}

void blMove(Call& call) {
    const std::optional<ListEnd> from = listEndOf(call.arg(3));
    const std::optional<ListEnd> to = listEndOf(call.arg(4));
    if (!from || !to) return call.reply.becomeError(errors::kSyntax);
    moveOrWait(call, *from, *to, 5);
}

void brPopLPush(Call& call) {
    moveOrWait(call, ListEnd::Right, ListEnd::Left, 3);
}

/// Answered at once if enough of the replicas have said already that they have all that this client wrote.
/// Else all are asked. It undoes nothing: the write stands, however many have it.
void wait(Call& call) {
    const Replication& replication = call.server.replication();
    if (replication.isReplica)
        return call.reply.becomeError(
            "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a "
            "replica is configured to be writable (which is not the default) writes to replicas are just "
            "local "
            "and are not propagated.");
    const std::optional<std::int64_t> replicas = call.integerArg(1);
    if (!replicas) return;
    const std::optional<std::int64_t> timeout = parseInteger(call.arg(2));
    if (!timeout) return call.reply.becomeError("ERR timeout is not an integer or out of range");
    if (*timeout < 0) return call.reply.becomeError("ERR timeout is negative");
    const std::int64_t have = replication.acknowledged(call.client.writtenUpTo);
    call.reply.becomeInteger(have);
    // Redis keeps the number as an int.
    const auto wanted = static_cast<std::int32_t>(*replicas);
    if (have >= wanted || call.client.is(kExecuting)) return;
    auto blocked = waiting(call, Blocked::Kind::Replicas, deadlineAfter(call, *timeout));
    blocked->replicas = wanted;
    blocked->offset = call.client.writtenUpTo;
    wait(call, std::move(blocked), Reply::Type::Integer);
    call.server.propagation().askForAcknowledgement();
}

} // namespace lockscope::redis::commands
