// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/string_pool.h"
#include "core/base/time.h"

namespace lockscope {

/// The version of the schema below and of its JSON form. It rises when a field changes its meaning;
/// fields may be added without a rise, and none is ever renamed.
inline constexpr int kTraceSchema = 1;

/// Indices into the tables of one trace.
using ActorIndex = std::int16_t;
using ProcessIndex = std::int16_t;
using TaskIndex = std::int32_t;
using RequestIndex = std::int32_t;
using NodeIndex = std::int16_t;
inline constexpr int kNone = -1;
/// Stands for a node where a lock belongs to whoever has it on most of them.
inline constexpr NodeIndex kMajority = -2;

/// Somebody with a lane: a server of the lesson, or one who acts from outside (You, an admin, a foreign
/// client).
struct TraceActor {
    std::string name;
    bool outside = false; ///< has no program; its claims are inferred from replies
};

/// One life of an actor. A restart begins another one: a new identity, which owns nothing of the old one's.
struct TraceProcess {
    ActorIndex actor = kNone;
    int incarnation = 1; ///< 1 for the first life of this actor
};

enum class TaskKind : std::uint8_t { Main, Spawn, Every, Thread };

/// A strand of a program. Tasks of one loop never run at the same time.
struct TraceTask {
    ProcessIndex process = kNone;
    TaskIndex parent = kNone; ///< the task that made it; kNone for Main
    std::int32_t loop = 0;    ///< the event loop within the process: 0 is the main one
    TaskKind kind = TaskKind::Main;
    Duration period{0}; ///< of an Every: it falls due that often, counted from its start
};

/// A command on its way: who sent what. Its instants stand in the events that name it.
struct TraceRequest {
    TaskIndex task = kNone; ///< kNone for an outside actor
    ActorIndex actor = kNone;
    NodeIndex node = 0;
    StringId command = StringId::Empty; ///< the name in capitals: SET, EVAL
    StringId text = StringId::Empty;    ///< the whole command as one would type it (long arguments cut)
    StringId key = StringId::Empty;     ///< the first key it names, Empty if it names none
    std::int32_t line = 0;              ///< in the actor's program
    /// It could have made a grant: SET, SETNX, HSET … of a lock key, or a script that writes one and never
    /// deletes it. A release or a renewal is none.
    bool ask = false;
};

/// A key that the lesson declares as a lock.
struct TraceLockKey {
    StringId name = StringId::Empty;
    int holders = 1;                ///< how many claims may be open at once
    Duration patience = seconds(2); ///< how long somebody may wait though the key is free (starvation, a)
    int overtakes = 3;              ///< how many later-come claims may pass a waiter (starvation, b)
};

/// Something the lesson wants done a certain number of times, for the outcome line.
struct TraceGoal {
    std::string label; ///< "Report"
    std::string work;  ///< counted by finished work of this label …
    std::string write; ///< … or by accepted writes of this name; one of the two is empty
    int wanted = 1;
};

/// Why a key is gone, or why the ownership of a lock ended.
enum class EndReason : std::uint8_t {
    None,
    LeaseEnded,     ///< its deadline passed
    Deleted,        ///< DEL, UNLINK, GETDEL, RENAME away, a collection that became empty
    DeadlineInPast, ///< EXPIRE and its kin with a deadline that had passed: deletes at once
    Overwritten,    ///< another value was put over it
    Evicted,        ///< dropped to make room
    Flushed,        ///< FLUSHALL, FLUSHDB
    LostInFailover, ///< the server that answers now never had it
    LostAtRestart,  ///< the server that answers now has not found it on its disk
};

enum class EventKind : std::uint8_t {
    // A process. `process`, `actor`.
    ProcessStarted,
    ProcessPaused, ///< at = when it froze
    ProcessResumed,
    ProcessKilled,
    ProcessEnded,  ///< no task of its program is left
    ProgramFailed, ///< an error that nobody caught ended the task; text = message, line
    // A task. `task`, `process`, `actor`.
    TaskStarted,
    TaskEnded, ///< also by cancel(); text2 = "cancelled" then
    // What it does. `task` and line; text = label.
    WorkStarted,    ///< a = planned running time, µs
    WorkEnded,      ///< b = 1 if it was finished, 0 if it was cut off (kill, cancel, end of run)
    ComputeStarted, ///< as work, but stalls its event loop
    ComputeEnded,
    SleepStarted, ///< a = the instant it is to end, µs
    SleepEnded,
    Logged, ///< text
    // What it thinks. `task`, line, key.
    Entered, ///< a = the claim's own deadline, µs (kNever if none); b = fence, or -1
    Left,    ///< b = 1 for leave(key, {keep = true})
    // Messages. `request` and what belongs to it: task, actor, node, key, line.
    RequestSent,
    RequestLost,     ///< it will never arrive
    RequestExecuted, ///< text = the reply as redis-cli shows it, cut; b: bit 0 error, bit 1 nil or false or 0
    ReplyLost,
    ReplyReceived, ///< at = when the program got it, or when it reached a client that had given up (b bit 2);
                   ///< text, b as above
    RequestTimedOut, ///< the client gave up: the outcome is unknown
    RequestWaits,    ///< the server has it and will execute it when something comes or its time is over
    // A message of a channel on its way to a process that subscribed. text = channel, text2 = message;
    // process, actor: whose it becomes; node
    MessageSent, ///< request = the command that caused it, or kNone
    MessageLost,
    MessageReceived, ///< the process has it; a task may take it later
    // A task that listens. `task`, line; text = channel
    ReceiveStarted, ///< a = the instant it is to end, µs, or kNever
    ReceiveEnded,   ///< b = 1 and text2: with a message; b = 0: its time was over
    // A key of a node. request = the command that caused it, or kNone; actor and task of that request.
    KeyWritten, ///< text = value (as shown; cut), text2 = type, a = deadline µs or kNever; b = a KeyBefore
    DeadlineChanged, ///< a = new deadline, µs or kNever; b = the old one
    LeaseEnded,      ///< the deadline passed; the key may still lie in memory
    KeyRemoved,      ///< it left the memory: reason; text = value it had
    KeyspaceEvent,   ///< text = event name ("set", "expired")
    // The protected resource. `task`, line; text = name, text2 = value.
    WriteAccepted, ///< a = fence given or -1, b = version it got
    WriteRejected, ///< a = fence given or -1, b = highest fence seen
    ResourceRead,  ///< b = version read
    // An intervention took effect. a = its index in the trace's list; actor, or node if it concerns a server
    InterventionApplied,
    // A server, `node`. In between nobody can say who owns a lock.
    ServerUnavailable, ///< it answers nothing, or only errors; text = in a word why: "stalled"
    ServerAvailable,
};

/// What lay under a key when it was written.
enum class KeyBefore : std::uint8_t { Absent, Expired, Live };

/// One thing that happened. Events are ordered by (at, position); which fields count stands with the kind.
struct Event {
    Instant at{};
    std::int64_t a = 0;
    std::int64_t b = 0;
    EventKind kind = EventKind::Logged;
    EndReason reason = EndReason::None;
    ActorIndex actor = kNone;
    ProcessIndex process = kNone;
    NodeIndex node = kNone;
    TaskIndex task = kNone;
    RequestIndex request = kNone;
    std::int32_t line = 0;
    StringId key = StringId::Empty;
    StringId text = StringId::Empty;
    StringId text2 = StringId::Empty;
};

/// What came of a load: many SETs of keys that the trace does not tell one by one.
struct TraceLoad {
    int writes = 0;
    int refused = 0;             ///< those answered OOM
    int firstRefused = 0;        ///< the number of the first of them, from 1; 0: none
    std::int64_t evicted = 0;    ///< keys that were dropped meanwhile, any keys
    std::int64_t usedBytes = 0;  ///< used_memory after it
    std::int64_t limitBytes = 0; ///< maxmemory; 0: none
    Duration took{0};            ///< nothing in virtual time
};

/// An intervention as it was asked for, kept so that a trace explains itself.
struct TraceIntervention {
    std::string kind;   ///< the id of its kind, "pause"
    std::string target; ///< the actor's or the server's name; empty if it concerns none
    Instant at{};
    Duration length{0}; ///< 0 if the kind has none; negative for a clock put back
    bool applied = false;
    std::string command = {}; ///< what an administrator ran; of a load how much
    std::optional<TraceLoad> load = {};
    std::string by = {};    ///< who ran the command; empty: an administrator
    bool takenBack = false; ///< while it was still to come in a run that goes on: it never will
};

/// What the resource of a live run really executed for a write. The n-th of a process belongs to the n-th
/// write event of that process: it waits for each answer before it goes on.
struct TraceStatement {
    ProcessIndex process = kNone;
    StringId sql = StringId::Empty;
};

struct Trace;
/// What the server answered to the command of an administrator's intervention, as redis-cli shows it; empty
/// if nothing came, and for interventions of other kinds.
std::string_view answerTo(const Trace& trace, std::size_t intervention);

/// Where clients from outside were first answered otherwise than when they were really there.
struct TraceDivergence {
    Instant at{};
    std::string client;  ///< its name or address
    std::string command; ///< as one types it
    std::string then;    ///< the answer that it really got
    std::string now;     ///< the one in this run
};

struct TraceKnob {
    std::string name;
    std::string value; ///< as one would write it on the command line
};

enum class WorldKind : std::uint8_t { Simulated, LiveEmbedded, LiveReal };

/// What happened in one run, and nothing else: every view, verdict and export is computed from it.
///
/// Invariants:
///  1. events are sorted by `at`; equal instants stand in the order in which they took effect.
///  2. every index and StringId in it names an entry of its own tables.
///  3. it holds nothing of a view: no selection, no colour.
/// clear() keeps the memory: a simulator fills one trace after another without allocating.
struct Trace {
    int schema = kTraceSchema;
    WorldKind world = WorldKind::Simulated;
    std::string lesson; ///< its id
    std::uint64_t seed = 0;
    /// Chance decided more than the texts of uuid(): another seed may give another run. It may also be the
    /// same but for those, since whoever draws from one has drawn as well.
    bool drewLots = false;
    Instant horizon{};   ///< the run's planned end
    Instant reached{};   ///< how far it has been run; equals horizon for a finished run
    std::string failure; ///< empty, or why the run could not be finished (a program overran its budget)

    std::vector<TraceKnob> knobs;
    std::vector<TraceIntervention> interventions;
    std::optional<TraceDivergence> diverged; ///< of a run with visitors that was edited since
    int divergences = 0;                     ///< answers that differ
    std::vector<TraceActor> actors;
    std::vector<TraceProcess> processes;
    std::vector<TraceTask> tasks;
    std::vector<TraceRequest> requests;
    std::vector<TraceLockKey> lockKeys;
    std::vector<TraceGoal> goals;
    int majorityOf =
        0; ///< a lock belongs to whoever has it on most of so many nodes; 0: each speaks for itself
    std::string server; ///< which one it is, for people: "Redis 7.0"; empty if that is not known
    bool hasResource = false;
    bool fenceEnforced = false;
    std::vector<TraceStatement> statements; ///< empty if the run is simulated

    StringPool strings;
    std::vector<Event> events;

    std::string_view text(StringId id) const { return strings.view(id); }
    void clear();
};

/// The lane of somebody from outside, by name; kNone if there is none yet.
ActorIndex outsideActor(const Trace& trace, std::string_view name);

/// The id that stands in JSON and in text: "request-sent".
std::string_view nameOf(EventKind kind);
std::string_view nameOf(EndReason reason);
std::string_view nameOf(TaskKind kind);
std::string_view nameOf(WorldKind kind);

} // namespace lockscope
