// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/server.h"

namespace lockscope::redis::commands {

namespace {

void deleteAll(Call& call) {
    std::int64_t deleted = 0;
    for (const std::string_view key : call.args.subspan(1)) {
        const Found found = call.find(key);
        if (!found) continue;
        call.keyspace.remove(*found.entry, Removal::Deleted);
        call.notify("del", key);
        ++deleted;
    }
    call.reply.becomeInteger(deleted);
}

/// Moves value and deadline. False if the target is there and must not be.
bool moveKey(Call& call, const Found& from, bool onlyIfAbsent) {
    const std::string_view target = call.arg(2);
    const Found to = call.find(target);
    if (to && onlyIfAbsent) return false;
    Entry& entry = to ? *to.entry : call.keyspace.create(call.database(), target, to);
    if (const auto* text = std::get_if<std::string>(&from.entry->value))
        entry.value = *text;
    else
        entry.value = std::exchange(from.entry->value, std::string());
    entry.form = from.entry->form;
    call.keyspace.setDeadline(entry, from.entry->deadline);
    call.keyspace.tellWritten(entry, to.before);
    call.keyspace.remove(*from.entry, Removal::Deleted);
    call.notify("rename_from", call.arg(1));
    call.notify("rename_to", target);
    if (!call.server.blocked().empty()) call.server.blocked().cameInto(call.client.database, target);
    return true;
}

} // namespace

void del(Call& call) {
    deleteAll(call);
}
// Redis frees the memory of an unlinked value later. Apart from that it is a DEL, its event too.
void unlink(Call& call) {
    deleteAll(call);
}
void exists(Call& call) {
    std::int64_t living = 0;
    for (const std::string_view key : call.args.subspan(1))
        living += call.glanceAt(key) ? 1 : 0;
    call.reply.becomeInteger(living);
}

void touch(Call& call) {
    std::int64_t touched = 0;
    for (const std::string_view key : call.args.subspan(1))
        touched += call.find(key) ? 1 : 0;
    call.reply.becomeInteger(touched);
}

void type(Call& call) {
    const Found found = call.glanceAt(call.arg(1));
    call.reply.becomeStatus(found ? typeName(found.entry->value) : "none");
}

void rename(Call& call) {
    const Found from = call.find(call.arg(1));
    if (!from) return call.reply.becomeError(errors::kNoSuchKey);
    if (call.arg(1) != call.arg(2)) moveKey(call, from, false);
    call.reply.becomeStatus("OK");
}

void renameNx(Call& call) {
    const Found from = call.find(call.arg(1));
    if (!from) return call.reply.becomeError(errors::kNoSuchKey);
    const bool moved = call.arg(1) != call.arg(2) && moveKey(call, from, true);
    call.reply.becomeInteger(moved ? 1 : 0);
}

} // namespace lockscope::redis::commands
