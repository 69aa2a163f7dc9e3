// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/call.h"

namespace lockscope::redis {

/// Times in which clients are not served as usual, as redis-server 7.0.15 has them: CLIENT PAUSE, and a
/// script that does not end.
///
/// A command that comes meanwhile is put off: its client waits, and it runs when that is over, in the order
/// in which they came. Leases end all the time, but nothing removes a dead key.
///
/// Whether a script would ever end nobody can know; one that has used up its budget of steps is taken for one
/// that never does. What it wrote stays. At first the server hears nobody. When the script has run for
/// `busy-reply-threshold` it answers everybody BUSY but who may speak then, and SCRIPT KILL ends a script
/// that has written nothing.
///
/// DEBUG SLEEP stops the whole server: until it is over nobody is heard.
class Standstill {
public:
    Standstill(Server& server, const Outbox& outbox, StoreObserver* observer)
        : m_server(server), m_outbox(outbox), m_observer(observer) {}

    bool any() const { return m_pause != Pause::None || m_script || m_sleep; }
    /// The server sleeps, or a script runs, and it looks at nothing else yet: every command is put off
    /// unseen.
    bool isDeaf() const { return m_sleep || (m_script && !m_script->late); }
    /// The server sleeps, or a script runs: no time-out of a waiting client is looked at.
    bool isOccupied() const { return m_sleep || m_script; }
    /// A script runs.
    bool isBusy() const { return m_script.has_value(); }
    std::string busyError() const;
    void clear();
    void forget(Client& client);
    /// The machine's clock, by which pauses end, is put forward.
    void jumpClock(std::int64_t millis);

    /// CLIENT PAUSE: up to and with that millisecond, of writes or of everything. One that goes on already
    /// becomes neither shorter nor milder.
    void pause(UnixMillis until, bool everything);
    void unpause();

    /// The script that `client` runs does not end. `killed` is what it is told if somebody ends it.
    void beginEndless(Client& client, std::string killed, bool wrote);
    /// For so long, in microseconds, but whole milliseconds. Then `client` gets `reply`, which is taken from
    /// it.
    void sleep(Client& client, std::int64_t micros, Reply& reply);
    enum class Kill : std::uint8_t { NotBusy, Unkillable, Killed };
    Kill killScript();

    /// Whether a command that was looked at may go on now; if not it was put off, or answered BUSY.
    bool admits(Client& client, const Command& command, std::span<const std::string_view> args, Reply& reply);
    void putOff(Client& client, std::span<const std::string_view> args, Reply& reply);

    /// The last millisecond of the state as it is: then pass() goes on to the next.
    UnixMillis lastMillis() const;
    void pass();

private:
    enum class Pause : std::uint8_t { None, Writes, Everything };
    struct Script {
        Client* client = nullptr; ///< null: it has left, which ends no script
        std::string killed;
        bool wrote = false;
        UnixMillis since = 0;
        bool late = false;
    };

    struct Sleep {
        ClientId client = 0;
        Reply reply;
        UnixMillis until = 0;
    };

    bool mayWrite(const Client& client, const Command& command, std::span<const std::string_view> args) const;
    void runWaiting();
    void run(Client& client);
    void endScript();
    void wakeUp();
    void settle();
    void tell(std::string_view why);

    Server& m_server;
    const Outbox& m_outbox;
    StoreObserver* m_observer;
    Pause m_pause = Pause::None;
    UnixMillis m_pausedUntil = 0;
    std::optional<Script> m_script;
    std::optional<Sleep> m_sleep;
    bool m_killWhenHeard = false; ///< all that has waited is heard before the script ends
    bool m_running = false;
    std::vector<ClientId> m_waiting; ///< in the order in which they came
};

} // namespace lockscope::redis
