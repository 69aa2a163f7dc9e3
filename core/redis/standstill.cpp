// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/standstill.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/redis/commands.h"
#include "core/redis/script_header.h"
#include "core/redis/server.h"

namespace lockscope::redis {

std::string Standstill::busyError() const {
    return fmt::format("BUSY {} is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
                       productTitle(m_server.options().profile));
}

void Standstill::clear() {
    m_pause = Pause::None;
    m_script.reset();
    m_sleep.reset();
    m_killWhenHeard = m_running = false;
    m_waiting.clear();
}

void Standstill::forget(Client& client) {
    std::erase(m_waiting, client.id);
    if (m_script && m_script->client == &client) m_script->client = nullptr;
}

void Standstill::jumpClock(std::int64_t millis) {
    if (__builtin_sub_overflow(m_pausedUntil, millis, &m_pausedUntil)) m_pausedUntil = BlockedClients::kNever;
}

/// After a change: whether dead keys may be removed follows from it.
void Standstill::settle() {
    m_server.keepDeadKeys(any());
}

void Standstill::tell(std::string_view why) {
    if (m_observer) m_observer->onStandstill(why);
}

// --- pauses

void Standstill::pause(UnixMillis until, bool everything) {
    if (until < m_server.keyspace().clockMillis()) return;
    const Pause kind = everything ? Pause::Everything : Pause::Writes;
    m_pausedUntil = m_pause == Pause::None ? until : std::max(m_pausedUntil, until);
    if (kind == Pause::Everything && m_pause != Pause::Everything) tell("paused");
    m_pause = std::max(m_pause, kind);
    settle();
}

void Standstill::unpause() {
    if (std::exchange(m_pause, Pause::None) == Pause::Everything) tell({});
    settle();
    runWaiting();
}

/// As Redis judges it: a script may, unless it declares that it does not.
bool Standstill::mayWrite(const Client& client, const Command& command,
                          std::span<const std::string_view> args) const {
    const auto handler = command.handler;
    if (command.has(kWrite) || handler == commands::publish) return true;
    if (handler == commands::exec)
        return std::ranges::any_of(client.queue, [&](const KeptCommand& kept) {
            const std::vector<std::string_view> words(kept.begin(), kept.end());
            return mayWrite(client, *resolveCommand(words), words);
        });
    if (handler == commands::eval) {
        const Result<ScriptHeader> header = readScriptHeader(args[1]);
        return !header || !header->present || !header->noWrites;
    }
    if (handler != commands::evalSha) return false;
    const auto* script = std::as_const(m_server).scripts().find(args[1]);
    return !script || !script->hasHeader || !script->noWrites;
}

// --- scripts

void Standstill::beginEndless(Client& client, std::string killed, bool wrote) {
    m_script = Script{&client, std::move(killed), wrote, m_server.keyspace().clockMillis(), false};
    client.blocked = std::make_unique<Blocked>();
    client.blocked->kind = Blocked::Kind::Script;
    client.state |= kBlocked;
    settle();
    tell("busy running a script");
}

Standstill::Kill Standstill::killScript() {
    if (!m_script) return Kill::NotBusy;
    if (m_script->wrote) return Kill::Unkillable;
    if (m_running)
        m_killWhenHeard = true;
    else
        endScript();
    return Kill::Killed;
}

void Standstill::endScript() {
    const Script script = *std::exchange(m_script, std::nullopt);
    m_killWhenHeard = false;
    settle();
    tell({});
    if (!script.client) return;
    Client& client = *script.client;
    if (m_observer) m_observer->onServing(client.id);
    m_server.blocked().forget(client);
    m_outbox.send(client, Reply::error(script.killed));
    m_server.endReply(client);
    if (m_observer) m_observer->onServed(client.id);
}

// --- DEBUG SLEEP

void Standstill::sleep(Client& client, std::int64_t micros, Reply& reply) {
    m_sleep = Sleep{client.id, std::move(reply), m_server.keyspace().clockMillis() + (micros + 999) / 1000};
    reply.become(Reply::Type::None);
    client.blocked = std::make_unique<Blocked>();
    client.blocked->kind = Blocked::Kind::Sleep;
    client.state |= kBlocked;
    settle();
    tell("asleep");
}

void Standstill::wakeUp() {
    const Sleep sleep = *std::exchange(m_sleep, std::nullopt);
    settle();
    tell({});
    const Client* known = m_server.findClient(sleep.client);
    if (known && known->is(kBlocked) && known->blocked->kind == Blocked::Kind::Sleep) {
        Client& client = m_server.client(sleep.client);
        if (m_observer) m_observer->onServing(client.id);
        m_server.blocked().forget(client);
        m_outbox.send(client, sleep.reply);
        m_server.endReply(client);
        if (m_observer) m_observer->onServed(client.id);
    }
    runWaiting();
}

// --- what comes meanwhile

bool Standstill::admits(Client& client, const Command& command, std::span<const std::string_view> args,
                        Reply& reply) {
    if (m_script) {
        if (command.has(kAllowBusy)) return true;
        m_server.refuse(client, &command, busyError(), reply);
        return false;
    }
    if (m_pause == Pause::Writes && !mayWrite(client, command, args)) return true;
    putOff(client, args, reply);
    return false;
}

void Standstill::putOff(Client& client, std::span<const std::string_view> args, Reply& reply) {
    client.blocked = std::make_unique<Blocked>();
    client.blocked->kind = Blocked::Kind::PutOff;
    client.blocked->command.assign(args.begin(), args.end());
    client.state |= kBlocked;
    m_waiting.push_back(client.id);
    reply.become(Reply::Type::None);
}

UnixMillis Standstill::lastMillis() const {
    if (m_sleep) return m_sleep->until - 1;
    if (m_script) {
        const std::int64_t threshold = m_server.settings().busyAfterMillis;
        UnixMillis last = 0;
        const bool never =
            m_script->late || threshold <= 0 || __builtin_add_overflow(m_script->since, threshold - 1, &last);
        return never ? BlockedClients::kNever : last;
    }
    return m_pause == Pause::None ? BlockedClients::kNever : m_pausedUntil;
}

void Standstill::pass() {
    if (m_sleep) return wakeUp();
    if (!m_script) return unpause();
    m_script->late = true;
    runWaiting();
}

void Standstill::runWaiting() {
    if (isDeaf()) return;
    m_running = true;
    for (const ClientId id : std::exchange(m_waiting, {})) {
        // One of them may have made it deaf again.
        if (isDeaf()) {
            m_waiting.push_back(id);
            continue;
        }
        const Client* client = m_server.findClient(id);
        if (client && client->is(kBlocked) && client->blocked->kind == Blocked::Kind::PutOff)
            run(m_server.client(id));
    }
    m_running = false;
    if (m_killWhenHeard) endScript();
}

void Standstill::run(Client& client) {
    const KeptCommand command = std::move(client.blocked->command);
    m_server.blocked().forget(client);
    if (m_observer) m_observer->onServing(client.id);
    Reply reply;
    m_server.dispatch(client, std::vector<std::string_view>(command.begin(), command.end()), reply);
    if (!client.is(kBlocked)) {
        m_outbox.send(client, reply);
        m_server.endReply(client);
    }
    if (m_observer) m_observer->onServed(client.id);
}

} // namespace lockscope::redis
