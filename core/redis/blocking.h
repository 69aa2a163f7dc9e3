// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/redis/call.h"

namespace lockscope::redis {

/// Clients whose command has no reply yet, in the order in which they began to wait.
///
/// A key "comes" when a command puts a value there. Only after that command (and after the whole transaction
/// or script it is in) the waiters are served, the one first that has waited longest. None of them runs a
/// command before it has its reply: what it sends meanwhile is kept by whoever serves it.
class BlockedClients {
public:
    static constexpr UnixMillis kNever = std::numeric_limits<UnixMillis>::max();

    BlockedClients(Server& server, const Outbox& outbox, StoreObserver* observer)
        : m_server(server), m_outbox(outbox), m_observer(observer) {}

    bool empty() const { return m_clients.empty(); }
    void add(Client& client, std::unique_ptr<Blocked> what);
    /// The client left: what it waited for is of no use any more.
    void forget(Client& client);
    void clear();

    /// A value was put under a key.
    void cameInto(int database, std::string_view key) { m_came.emplace_back(database, key); }
    bool mustServe() const { return !m_came.empty(); }
    /// Serves who waited for what came, until nothing more comes of it.
    void serve();

    /// The last millisecond in which the first of them still waits.
    UnixMillis firstDeadline() const { return m_firstDeadline; }
    /// Answers those who waited until `millis`, and not longer.
    void timeOut(UnixMillis millis);
    /// The machine's clock, by which they wait, is put forward by `millis`.
    void jumpClock(std::int64_t millis);

    /// CLIENT UNBLOCK: as if the time were over, or with an error. False if it does not wait.
    bool giveUp(std::int64_t client, bool asError);
    /// Everybody is told this error.
    void endAll(std::string_view error);
    /// Replicas have said how far they are: whose WAIT that is enough for gets its answer.
    void acknowledged();

    std::size_t size() const { return m_clients.size(); }

private:
    void serveOne(Client& client, const std::string& key);
    void propagate(const Blocked& waited, const std::string& key);
    void begin(const Client& client);
    void answer(Client& client, const Reply& reply);
    void endWaiting(Client& client);
    void findFirstDeadline();

    Server& m_server;
    const Outbox& m_outbox;
    StoreObserver* m_observer;
    std::vector<Client*> m_clients;
    std::vector<std::pair<int, std::string>> m_came;
    UnixMillis m_firstDeadline = kNever;
};

/// The deadline that a time-out in seconds stands for, 0 for none. Nothing (and the reply is the error) if it
/// is no time.
std::optional<UnixMillis> timeoutArg(const Call& call, std::size_t index);
/// The same of a time-out in milliseconds, 0 or more. What lies beyond the end of time is none.
UnixMillis deadlineAfter(const Call& call, UnixMillis millis);

} // namespace lockscope::redis
