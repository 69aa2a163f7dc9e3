// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/server.h"

// A transaction is a queue that runs without anybody in between: no rollback, and no decision inside. WATCH
// makes it conditional: EXEC does nothing if a watched key was changed since, by whomever, or its lease
// ended.

namespace lockscope::redis::commands {

void multi(Call& call) {
    if (call.client.is(kInTransaction)) return call.reply.becomeError("ERR MULTI calls can not be nested");
    call.client.state |= kInTransaction;
    call.reply.becomeStatus("OK");
}

void discard(Call& call) {
    if (!call.client.is(kInTransaction)) return call.reply.becomeError("ERR DISCARD without MULTI");
    call.server.discardTransaction(call.client);
    call.reply.becomeStatus("OK");
}

void watch(Call& call) {
    if (call.client.is(kInTransaction))
        return call.reply.becomeError("ERR WATCH inside MULTI is not allowed");
    call.reply.becomeStatus("OK");
    if (call.client.is(kDirtyKeys)) return; // lost already
    for (const std::string_view key : call.args.subspan(1))
        call.keyspace.watch(call.client, call.database(), key);
}

void unwatch(Call& call) {
    call.keyspace.watches().removeAllOf(call.client);
    call.client.state &= ~kDirtyKeys;
    call.reply.becomeStatus("OK");
}

void exec(Call& call) {
    if (!call.client.is(kInTransaction)) return call.reply.becomeError("ERR EXEC without MULTI");
    if (call.keyspace.watchedKeyDied(call.client)) call.client.state |= kDirtyKeys;
    if (call.client.is(kDirtyQueue)) {
        call.server.discardTransaction(call.client);
        return call.reply.becomeError("EXECABORT Transaction discarded because of previous errors.");
    }
    if (call.client.is(kDirtyKeys)) {
        call.server.discardTransaction(call.client);
        call.reply.become(Reply::Type::NullArray);
        return;
    }
    call.server.runTransaction(call.client, call.reply);
}

} // namespace lockscope::redis::commands
