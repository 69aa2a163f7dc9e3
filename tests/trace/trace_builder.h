// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/exports.h"
#include "core/trace/lanes.h"

namespace lockscope::test {

using namespace std::chrono_literals;

/// How a command travels: the defaults are a millisecond each way.
struct Trip {
    Duration request = 1ms;
    Duration reply = 1ms;
    std::optional<Duration> timeout = {}; ///< after which the client gives up
    bool requestLost = false;
    bool replyLost = false;
    /// The reply reaches a program only then (its process was frozen meanwhile).
    std::optional<Duration> readAt = {};
};

/// Tells a run by hand, event by event, with a small honest lock behind it: an ask is refused while a live
/// value lies under the key, and a lease ends at its deadline. Commands are told in the order in which they
/// are executed; everything else in any order.
class TraceBuilder {
public:
    using Task = TaskIndex;

    TraceBuilder();

    /// Declares the lock key; "lock" with one holder if never called.
    TraceBuilder& lock(std::string_view name, int holders = 1, Duration patience = 2s, int overtakes = 3);
    TraceBuilder& goal(std::string label, std::string work, int wanted = 1);
    TraceBuilder& resource(bool fenceEnforced = false);
    /// Whether a command's effects on the key stand before its RequestExecuted (they may stand on either
    /// side).
    TraceBuilder& effectsFirst(bool yes);
    /// The command that follows is about this key, until the next call.
    TraceBuilder& about(std::string_view key);

    Task process(const std::string& actor, Duration at = 0ms);
    Task restart(Task old, Duration at);
    Task outsider(const std::string& name);
    Task task(Task parent, TaskKind kind, Duration at, Duration period = 0ms);
    void endTask(Task task, Duration at);

    // commands on the lock; `token` is by default the actor's name
    void ask(Task who, Duration at, std::optional<Duration> ttl, Trip trip = {}, std::string token = {});
    void extendOrSet(Task who, Duration at, Duration ttl, Trip trip = {});
    void set(Task who, Duration at, std::optional<Duration> ttl, Trip trip = {});
    void del(Task who, Duration at, Trip trip = {});
    void release(Task who, Duration at, Trip trip = {}, std::string token = {});
    void renew(Task who, Duration at, Duration ttl, Trip trip = {});
    void pexpire(Task who, Duration at, Duration ttl, Trip trip = {});
    void persist(Task who, Duration at, Trip trip = {});
    void flush(Task who, Duration at, Trip trip = {});
    /// WAIT: how many replicas have what it wrote?
    void askForCopies(Task who, Duration at, Trip trip = {});
    void failingAsk(Task who, Duration at, const std::string& error, Trip trip = {});
    /// The server drops the key by itself.
    void evict(Duration at);
    /// The dead key leaves the memory.
    void collect(Duration at);

    void enter(Task who, Duration at, std::optional<Duration> deadline = {}, std::int64_t fence = -1);
    void leave(Task who, Duration at, bool keep = false);
    void work(Task who, Duration from, Duration until, const std::string& label = "Report",
              bool finished = true);
    void compute(Task who, Duration from, Duration until, const std::string& label = "Crunch");
    void sleep(Task who, Duration from, Duration due, Duration woke);
    void pause(Task who, Duration from, Duration until);
    void kill(Task who, Duration at);
    void end(Task who, Duration at);
    void write(Task who, Duration at, const std::string& item = "item", std::int64_t fence = -1);
    void reject(Task who, Duration at, std::int64_t fence, std::int64_t highest);
    /// The resource has executed this for the next of its writes that has not got one.
    void statement(Task who, std::string_view sql);

    /// An ask that is granted, the enter on its reply, work, the leave and the release.
    void holds(Task who, Duration at, Duration ttl, Duration work);

    Trace build(Duration reached);

private:
    struct Key {
        StringId name = StringId::Empty;
        bool inMemory = false;
        bool live = false;
        StringId value = StringId::Empty;
        Instant deadline = kNever;
    };
    struct Answer {
        std::string reply;
        bool error = false;
        bool empty = false;
    };
    /// What the server does at an instant: run a command, or something of its own.
    struct Deed {
        Instant at{};
        RequestIndex request = kNone;
        Instant sent{};
        Trip trip;
        std::function<Answer(const Deed&)> run;
    };
    struct Placed {
        Event event;
        std::size_t order;
    };

    Event& add(EventKind kind, Instant at);
    Event& addFor(EventKind kind, Task who, Duration at);
    void command(Task who, Duration at, std::string_view name, std::string_view text, bool ask,
                 const Trip& trip, std::function<Answer(const Deed&)> run);
    void play(const Deed& deed);
    void settle(Key& key, Instant now);
    void put(const Deed& deed, Key& key, std::string_view value, Instant deadline);
    void moveDeadline(const Deed& deed, Key& key, Instant deadline);
    void remove(const Deed& deed, Key& key, EndReason reason);
    void stampRequest(Event& e, RequestIndex index) const;
    StringId aboutKey();
    Key& keyOf(StringId name);
    std::string tokenOf(Task who) const;

    Trace m_trace;
    std::vector<Placed> m_events;
    std::vector<Deed> m_deeds;
    std::vector<Event> m_effects; ///< of the command that is being run
    std::vector<Key> m_keys;
    StringId m_about = StringId::Empty;
    bool m_effectsFirst = false;
    bool m_running = false;
    std::vector<std::pair<StringId, std::int64_t>> m_versions;
};

/// The verdict as one line: "unprotected-work(A)@3.001-5.0 | foreign-delete(A,B)@5.003". The end stands there
/// where the episode has a length; "…" if it lasts to the end of the run.
std::string verdict(const Trace& trace);

/// Compares a text with the file `name` in tests/trace/golden, or in `folder` if it is given. With
/// LOCKSCOPE_RENEW_GOLDENS set in the environment the file is written instead. Empty if equal, else what
/// differs.
std::string differsFromGolden(const std::string& text, const std::string& name,
                              const std::string& folder = {});

} // namespace lockscope::test
