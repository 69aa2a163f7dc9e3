// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>
#include <string>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis::commands {

bool isFlushMode(const Call& call, std::size_t index) {
    return call.count() == index ||
           (call.count() == index + 1 &&
            (equalsIgnoringCase(call.arg(index), "sync") || equalsIgnoringCase(call.arg(index), "async")));
}

void ping(Call& call) {
    if (call.count() > 2) return call.reply.becomeError(errors::wrongArity(call.command));
    if (call.client.is(kSubscribed) && call.client.protocol == Protocol::Resp2) {
        call.reply.becomeArray();
        call.reply.items.resize(2);
        call.reply.items[0].becomeBulk("pong");
        call.reply.items[1].becomeBulk(call.count() == 2 ? call.arg(1) : std::string_view());
        return;
    }
    if (call.count() == 2) return call.reply.becomeBulk(call.arg(1));
    call.reply.becomeStatus("PONG");
}

void echo(Call& call) {
    call.reply.becomeBulk(call.arg(1));
}

void select(Call& call) {
    const std::optional<std::int64_t> index = call.integerArg(1);
    if (!index) return;
    using Int = std::numeric_limits<std::int32_t>;
    if (*index < Int::min() || *index > Int::max())
        return call.reply.becomeError(
            "ERR value is out of range, value must between -2147483648 and 2147483647");
    if (*index < 0 || *index >= kDatabases) return call.reply.becomeError("ERR DB index is out of range");
    call.client.database = static_cast<int>(*index);
    call.reply.becomeStatus("OK");
}

/// Not frozen within a script in 7.0; but no script takes time here.
void time(Call& call) {
    const std::int64_t now = call.keyspace.clockMicros() + call.keyspace.clockLead() * 1000;
    call.reply.becomeArray();
    call.reply.items.resize(2);
    call.reply.items[0].becomeBulk(std::to_string(now / 1'000'000));
    call.reply.items[1].becomeBulk(std::to_string(now % 1'000'000));
}

/// Counts dead keys that still lie in memory too.
void dbSize(Call& call) {
    call.reply.becomeInteger(static_cast<std::int64_t>(call.database().keys.size()));
}

void save(Call& call) {
    if (call.server.save()) return call.reply.becomeStatus("OK");
    call.reply.becomeError("ERR");
}

/// Writing takes no time here, so it is done when it is answered.
void bgSave(Call& call) {
    if (call.count() > 2 || (call.count() == 2 && !equalsIgnoringCase(call.arg(1), "schedule")))
        return call.reply.becomeError(errors::kSyntax);
    call.server.save();
    call.reply.becomeStatus("Background saving started");
}

void lastSave(Call& call) {
    call.reply.becomeInteger(call.server.disk().lastSaveSeconds());
}

/// Whoever serves the store ends; where nobody can (in a lesson a server is stopped by a fault) it cannot be
/// shut down.
void shutdown(Call& call) {
    bool save = false;
    bool noSave = false;
    bool abort = false;
    for (const std::string_view word : call.args.subspan(1)) {
        if (equalsIgnoringCase(word, "save"))
            save = true;
        else if (equalsIgnoringCase(word, "nosave"))
            noSave = true;
        else if (equalsIgnoringCase(word, "abort"))
            abort = true;
        else if (!equalsIgnoringCase(word, "now") && !equalsIgnoringCase(word, "force"))
            return call.reply.becomeError(errors::kSyntax);
    }
    if ((save && noSave) || (abort && call.count() > 2)) return call.reply.becomeError(errors::kSyntax);
    if (abort) return call.reply.becomeError("ERR No shutdown in progress.");
    if (!noSave && call.server.standstill().isBusy())
        return call.reply.becomeError(call.server.standstill().busyError());
    if (!call.server.outbox().shutDown())
        return call.reply.becomeError("ERR Errors trying to SHUTDOWN. Check logs.");
    call.reply.become(Reply::Type::None);
}

void flushDb(Call& call) {
    if (!isFlushMode(call, 1)) return call.reply.becomeError(errors::kSyntax);
    if (call.server.propagation().isOn()) call.server.propagation().force(false);
    call.keyspace.flush(call.database());
    call.reply.becomeStatus("OK");
}

void flushAll(Call& call) {
    if (!isFlushMode(call, 1)) return call.reply.becomeError(errors::kSyntax);
    if (call.server.propagation().isOn()) call.server.propagation().force(false);
    for (Database& database : call.keyspace.usedDatabases())
        call.keyspace.flush(database);
    call.reply.becomeStatus("OK");
}

} // namespace lockscope::redis::commands
