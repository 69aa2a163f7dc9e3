// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/redis/call.h"
#include "core/redis/expiry_cycle.h"
#include "core/redis/keyspace.h"
#include "core/redis/script_engine.h"
#include "core/redis/store.h"

namespace lockscope::redis {

/// A store's inside: the parts in one place, and the way a command takes through them.
///
/// Whatever comes before or after every command belongs into execute() or into dispatch(): a queue of MULTI
/// before the handler, eviction before it, deliveries to subscribers after it.
class Server {
public:
    explicit Server(StoreObserver* observer) : m_keyspace(observer), m_scripts(*this) {}

    void reset(const StoreOptions& options);
    const Reply& execute(ClientId id, std::span<const std::string_view> args, std::int64_t nowMicros);
    void advance(std::int64_t nowMicros);
    void jumpClock(std::int64_t nowMicros, std::int64_t millis);
    void hold(std::int64_t nowMicros);
    void goOn(std::int64_t nowMicros);
    std::optional<std::int64_t> nextInstant() const { return m_cycle.nextInstant(m_keyspace); }

    /// A command from within a script: refusals have other texts there. `client` is the script's own.
    void executeFromScript(Client& client, std::span<const std::string_view> args, bool mayWrite,
                           Reply& reply);

    const StoreOptions& options() const { return m_options; }
    Keyspace& keyspace() { return m_keyspace; }
    const Keyspace& keyspace() const { return m_keyspace; }
    ScriptEngine& scripts() { return m_scripts; }
    const ScriptEngine& scripts() const { return m_scripts; }

private:
    Client& client(ClientId id);
    void dispatch(Client& client, std::span<const std::string_view> args);

    StoreOptions m_options;
    Keyspace m_keyspace;
    ExpiryCycle m_cycle;
    ScriptEngine m_scripts;
    std::vector<Client> m_clients; // by id
    Reply m_reply;
};

} // namespace lockscope::redis
