// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/server.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr ClientId kMostClients = 1u << 20;
constexpr std::size_t kShownName = 128;
constexpr std::size_t kShownArguments = 128;

/// What Redis says about a name that it does not know.
std::string unknownCommand(std::span<const std::string_view> args) {
    if (const Command* container = findCommand(args[0]); container && container->isContainer())
        return errors::onOneLine(fmt::format("ERR unknown subcommand '{}'. Try {} HELP.",
                                             errors::printed(args[1], kShownName), raised(args[0])));
    std::string shown;
    for (std::size_t i = 1; i < args.size() && shown.size() < kShownArguments; ++i)
        shown += fmt::format("'{}' ", errors::printed(args[i], kShownArguments - shown.size()));
    return errors::onOneLine(fmt::format("ERR unknown command '{}', with args beginning with: {}",
                                         errors::printed(args[0], kShownName), shown));
}

} // namespace

void Server::reset(const StoreOptions& options) {
    m_options = options;
    m_keyspace.reset(options.seed);
    m_cycle.reset(options.hz, options.activeExpiry);
    m_scripts.reset(options.scriptLimits);
    m_clients.clear();
    m_reply.becomeNull();
}

void Server::advance(std::int64_t nowMicros) {
    LOCKSCOPE_ASSERT(nowMicros >= m_keyspace.clockMicros());
    m_cycle.advance(m_keyspace, nowMicros);
    m_keyspace.setClock(nowMicros);
}

void Server::jumpClock(std::int64_t nowMicros, std::int64_t millis) {
    advance(nowMicros);
    m_keyspace.tellAt(nowMicros);
    m_keyspace.jumpClock(millis);
}

void Server::hold(std::int64_t nowMicros) {
    advance(nowMicros);
    m_cycle.hold();
}

void Server::goOn(std::int64_t nowMicros) {
    advance(nowMicros);
    m_cycle.goOn(nowMicros);
}

const Reply& Server::execute(ClientId id, std::span<const std::string_view> args, std::int64_t nowMicros) {
    LOCKSCOPE_ASSERT(!args.empty());
    advance(nowMicros);
    m_keyspace.tellAt(nowMicros);
    Client& caller = client(id);
    dispatch(caller, args);
    m_keyspace.shrinkTables(m_keyspace.database(caller.database));
    return m_reply;
}

void Server::dispatch(Client& client, std::span<const std::string_view> args) {
    const Command* command = resolveCommand(args);
    if (!command) return m_reply.becomeError(unknownCommand(args));
    if (!command->takes(args.size()) || command->isContainer())
        return m_reply.becomeError(errors::wrongArity(*command));
    Call call{*this, m_keyspace, client, *command, args, m_reply};
    command->handler(call);
}

void Server::executeFromScript(Client& client, std::span<const std::string_view> args, bool mayWrite,
                               Reply& reply) {
    const Command* command = resolveCommand(args);
    if (!command) return reply.becomeError("ERR Unknown Redis command called from script");
    if (!command->takes(args.size()) || command->isContainer())
        return reply.becomeError("ERR Wrong number of args calling Redis command from script");
    if (command->has(kNoScript))
        return reply.becomeError("ERR This Redis command is not allowed from script");
    if (command->has(kWrite) && !mayWrite)
        return reply.becomeError("ERR Write commands are not allowed from read-only scripts.");
    Call call{*this, m_keyspace, client, *command, args, reply};
    command->handler(call);
}

Client& Server::client(ClientId id) {
    LOCKSCOPE_ASSERT(id < kMostClients);
    if (id >= m_clients.size()) m_clients.resize(id + 1);
    return m_clients[id];
}

} // namespace lockscope::redis
